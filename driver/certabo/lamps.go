package certabo

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// LampKind is which lights a board has.
type LampKind uint8

// The kinds of lights.
const (
	AnyLamps    LampKind = iota // found out by the board's answers
	SingleLamps                 // one light of one colour in each square; answers L
	ColorLamps                  // 81 coloured lights at the corners of squares; answers D
)

// Waits in milliseconds of a wall clock (protocols/certabo.md section 5).
const (
	lampPaceMs   = 200  // between two patterns
	lampAnswerMs = 600  // for the answer, which may have to wait for the end of a line
	lampQuietMs  = 1000 // after which a board that counts bytes is hoped to begin anew
)

// lampTries is how often a pattern is sent to a board that does not answer.
const lampTries = 3

// Lamps writes patterns to the lights of these boards. Eight bytes without any frame are a pattern of single lights, so a
// board that has lost one byte shows everything shifted from then on: when an answer is missing that came before, it is
// given single dark bytes until it answers, and then the pattern again.
//
// Which lights the board has is told by its answer. Until there is one a pattern is sent in both ways.
type Lamps struct {
	scale int64
	fixed LampKind // as configured
	kind  LampKind // as far as is known

	frame  board.Frame
	given  bool     // there is a frame to show
	dirty  bool     // and the board has not said that it shows it
	sent   lampSent // what waits for an answer
	shown  board.Frame
	due    int64 // when to give the answer up
	next   int64 // nothing is written before
	tries  int   // of this frame
	filler int   // dark bytes still to be tried
	acked  bool  // the board has answered before, and not been silent since
}

type lampSent uint8

const (
	sentNothing lampSent = iota
	sentSingle
	sentColor
	sentFiller
)

// NewLamps makes the writer for lights of a kind. scale is how many times faster than a wall clock its time runs, at least 1.
func NewLamps(kind LampKind, scale int64) *Lamps {
	return &Lamps{scale: max(scale, 1), fixed: kind, kind: kind}
}

// Kind is which lights the board has, AnyLamps while that is not known.
func (l *Lamps) Kind() LampKind { return l.kind }

// Set says what to show from now on.
func (l *Lamps) Set(f board.Frame) {
	if l.given && l.frame == f {
		return
	}
	l.frame, l.given = f, true
	l.dirty, l.tries = true, 0
}

// Again says that the board has begun anew and shows nothing.
func (l *Lamps) Again() {
	l.kind, l.acked = l.fixed, false
	l.dirty, l.tries, l.sent, l.filler, l.next = l.given, 0, sentNothing, 0, 0
}

// Ack takes the board's answer: 'L' from single lights, 'D' from coloured ones.
func (l *Lamps) Ack(now int64, letter byte) {
	sent := l.sent
	if sent == sentNothing {
		return
	}
	l.sent, l.acked = sentNothing, true
	switch {
	case letter == 'D' && l.fixed != SingleLamps:
		l.kind = ColorLamps
	case letter == 'L' && l.fixed != ColorLamps:
		l.kind = SingleLamps
	}
	switch {
	case sent == sentFiller: // the board has a whole pattern, and counts from its beginning
		l.filler = 0
	case letter == 'L' && sent == sentColor: // it took the coloured pattern for many single ones and a rest
		l.filler = 8
		l.next = now + lampQuietMs*l.scale
	case l.frame == l.shown:
		l.dirty = false
	}
}

// Write gives the bytes that are due at now, nil for none, and when it wants to be asked again, 0 for never.
func (l *Lamps) Write(now int64) (out []byte, wake int64) {
	if l.sent != sentNothing && now >= l.due {
		l.missed(now)
	}
	switch {
	case l.sent != sentNothing:
		return nil, l.due
	case !l.dirty && l.filler == 0:
		return nil, 0
	case now < l.next:
		return nil, l.next
	}
	switch {
	case l.filler > 0:
		l.filler--
		l.sent, out = sentFiller, []byte{0}
	case l.kind == ColorLamps || l.kind == AnyLamps && l.tries%2 == 1:
		l.sent, out = sentColor, AppendColors(nil, l.frame)
	default:
		l.sent, out = sentSingle, AppendSingle(nil, l.frame)
	}
	if l.sent != sentFiller {
		l.shown = l.frame
	}
	l.due = now + lampAnswerMs*l.scale
	l.next = now + lampPaceMs*l.scale
	return out, l.due
}

// missed is the end of a wait without an answer.
func (l *Lamps) missed(now int64) {
	sent := l.sent
	l.sent = sentNothing
	switch {
	case sent == sentFiller:
		if l.filler == 0 { // it does not answer at all
			l.acked = false
		}
		return
	case sent == sentSingle && l.acked:
		l.filler = 8
		return
	}
	l.tries++
	limit := lampTries
	if l.kind == AnyLamps {
		limit *= 2
	}
	if l.tries >= limit && l.frame == l.shown {
		l.dirty = false
	}
	if sent == sentColor {
		l.next = now + lampQuietMs*l.scale
	}
}

// AppendSingle appends the pattern for single lights: a byte for each rank, the eighth first, bit 0 for file a (section 5).
func AppendSingle(dst []byte, f board.Frame) []byte {
	for rank := 7; rank >= 0; rank-- {
		var b byte
		for file := range 8 {
			if f[rules.NewSquare(file, rank)] != (board.RGB{}) {
				b |= 1 << file
			}
		}
		dst = append(dst, b)
	}
	return dst
}

// brightest is the most that a light is given, the value that other programs use: all 81 at their full would want more than
// a USB port gives.
const brightest = 0x40

// CornersOf gives the four lights at the corners of a square, from 0: they are counted along the ranks, from the outer
// corner of h1 (section 6). Neighbours share them.
func CornersOf(s rules.Square) [4]int {
	i := s.Rank()*9 + 7 - s.File()
	return [4]int{i, i + 1, i + 9, i + 10}
}

// AppendColors appends the pattern for coloured lights. A light of several lit squares takes the most of each colour.
func AppendColors(dst []byte, f board.Frame) []byte {
	var lights [81]board.RGB
	for s, c := range f {
		for _, i := range CornersOf(rules.Square(s)) {
			l := &lights[i]
			l.R, l.G, l.B = max(l.R, dimmed(c.R)), max(l.G, dimmed(c.G)), max(l.B, dimmed(c.B))
		}
	}
	dst = append(dst, 0xFF, 0x55)
	for _, l := range lights {
		dst = append(dst, l.R, l.G, l.B)
	}
	return append(dst, '\r', '\n')
}

// dimmed scales a value to brightest; what is lit stays lit.
func dimmed(v uint8) byte { return byte((int(v)*brightest + 254) / 255) }
