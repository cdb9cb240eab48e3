package dgt

import "slices"

// changeLog is the board's memory of changes: a ring of which only the newest bytes are kept.
type changeLog struct {
	bytes []byte // oldest first, without the end
	total int64  // bytes ever written
	told  int64  // of them, those told on a bus
	began int64  // of them, those before the last start of a game

	lastAt    int64 // of the last change of a square
	lastField int   // its place in bytes, -1 if something else was written since
	known     byte  // the last tag of a whole position
	left      int   // men that have left that position
}

const (
	logSize  = 0x1F00
	quickly  = 250 // milliseconds: a change after less than that is marked
	tagEnd   = 0x6B
	tagPower = 0x6A
	tagRows  = 0x6C
	tagEmpty = 0x6D
	tagStart = 0x6F
	tagTurn  = 0x7A
	tagBegin = 0x7B
)

// all is the log as it is sent: always of the same length, with nothing in front and the end at its end.
func (l *changeLog) all() []byte {
	out := make([]byte, 0, logSize)
	out = append(out, slices.Repeat([]byte{0x7F}, logSize-1-len(l.bytes))...)
	return append(append(out, l.bytes...), tagEnd)
}

// since are the bytes written from a place on, as far as they are kept.
func (l *changeLog) since(total int64) []byte {
	n := min(l.total-total, int64(len(l.bytes)))
	return slices.Clone(l.bytes[int64(len(l.bytes))-n:])
}

func (l *changeLog) tag(b ...byte) {
	if b[0] == tagStart || b[0] == tagTurn || b[0] == tagBegin {
		l.began = l.total
	}
	l.bytes = append(l.bytes, b...)
	l.total += int64(len(b))
	l.lastField = -1
	if over := len(l.bytes) - (logSize - 1); over > 0 {
		l.bytes = slices.Clone(l.bytes[over:])
	}
}

func (l *changeLog) powerUp(now int64, men *[64]byte) {
	l.tag(0x7F, 0x7F, 0x7F, tagPower)
	l.pieces(men)
	l.lastAt = now - quickly
	l.known = 0
	l.position(men)
}

// pieces writes a tag for each man.
func (l *changeLog) pieces(men *[64]byte) {
	for f, code := range men {
		if code != 0 {
			l.tag(0x40|code, byte(f))
		}
	}
}

// field writes the change of one square. A square that flickers changes its last tag instead, if nobody was told that one.
func (l *changeLog) field(now int64, f, code byte, men *[64]byte) {
	quick := now-l.lastAt < quickly
	first := 0x40 | code
	if quick {
		first |= 0x10
	}
	if at := l.lastField; quick && at >= 0 && l.bytes[at+1] == f && l.told < l.total {
		l.bytes[at] = first&^0x10 | l.bytes[at]&0x10
	} else {
		l.tag(first, f)
		l.lastField = len(l.bytes) - 2
	}
	l.lastAt = now
	l.position(men)
}

// time writes what the side that stops has left.
func (l *changeLog) time(right bool, ms int64) {
	t := bcdTime(ms)
	first := 0x70 | t[0]
	if right {
		first = 0x60 | t[0]
	}
	l.tag(first, t[1], t[2])
}

// position writes the tag of a position that is worth one. The same is not written again before more than two men had left it.
func (l *changeLog) position(men *[64]byte) {
	if tag := positionTag(men); tag != 0 {
		if tag != l.known || l.left > 2 {
			l.tag(tag)
		}
		l.known, l.left = tag, 0
		return
	}
	l.left = max(l.left, away(l.known, men))
}

var startMen = [64]byte{8, 9, 0x0A, 0x0C, 0x0B, 0x0A, 9, 8, 7, 7, 7, 7, 7, 7, 7, 7,
	48: 1, 49: 1, 50: 1, 51: 1, 52: 1, 53: 1, 54: 1, 55: 1, 56: 2, 57: 3, 58: 4, 59: 6, 60: 5, 61: 4, 62: 3, 63: 2}

func positionTag(men *[64]byte) byte {
	turned := *men
	slices.Reverse(turned[:])
	switch {
	case *men == startMen:
		return tagStart
	case turned == startMen:
		return tagTurn
	case *men == [64]byte{}:
		return tagEmpty
	}
	for f, code := range men {
		if (code != 0) != (f < 16 || f >= 48) {
			return 0
		}
	}
	return tagRows
}

// away is how many squares are empty that were not in the position of a tag.
func away(tag byte, men *[64]byte) (n int) {
	if tag != tagStart && tag != tagTurn && tag != tagRows {
		return 64
	}
	for f, code := range men {
		if code == 0 && (f < 16 || f >= 48) {
			n++
		}
	}
	return n
}
