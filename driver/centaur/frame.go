package centaur

import "github.com/boardd/boardd/rules"

// Types of replies (protocols/others.md section 1).
const (
	replyState    = 0x83 // 64 bytes
	replyChanges  = 0x85
	replyAddress  = 0x87 // answer to discovery
	replyKeys     = 0xB1
	replyBattery  = 0xB5
	replyBus      = 0x90
	replyStats    = 0xB2
	replyMark     = 0xB4
	replySnapshot = 0xF0
	replySecond   = 0xF4
)

// Commands. The board's sleep (B2) is never sent, nor a sound.
const (
	cmdState   = 0x82
	cmdChanges = 0x83
	cmdPing    = 0x87
	cmdKeys    = 0x94
	cmdBattery = 0x98
	cmdLights  = 0xB0
)

const (
	headLen = 5 // type, two of length, two of address
	longest = headLen + 128 + 1
)

// Frame is one reply: its type, the board's address, and its data, valid only during the call that hands it over.
type Frame struct {
	Type    byte
	Address [2]byte
	Data    []byte
}

func known(kind byte) bool {
	switch kind {
	case replyState, replyChanges, replyAddress, replyKeys, replyBattery, replyBus, replyStats, replyMark, replySnapshot, replySecond:
		return true
	}
	return false
}

// fits reports whether a reply of a type may have a whole length.
func fits(kind byte, length int) bool {
	switch kind {
	case replyAddress:
		return length == headLen+1
	case replyState:
		return length == headLen+64+1
	case replyBattery:
		return length > headLen+1 && length <= 64
	case replySnapshot, replySecond:
		return length == longest
	case replyChanges, replyKeys, replyBus, replyStats, replyMark:
		return length > headLen && length <= longest
	}
	return false
}

// sum is the check of a frame: the sum of its bytes, without the highest bit.
func sum(b []byte) (s byte) {
	for _, x := range b {
		s += x
	}
	return s & 0x7F
}

// command is a frame to the board. Commands with data have their length, those without have not.
func command(cmd byte, address [2]byte, data ...byte) []byte {
	b := []byte{cmd}
	if len(data) > 0 {
		b = append(b, 0, byte(headLen+len(data)+1))
	}
	b = append(append(b, address[:]...), data...)
	return append(b, sum(b))
}

// Counts say what a decoder has met: all bytes are in frames, or garbage, or still pending.
type Counts struct {
	Frames  int64
	Garbage int64 // bytes
	BadSum  int64 // frames whose check was wrong
}

// decoder cuts the board's bytes into frames. Any byte may look like a type, so a frame counts when its check is right and is
// looked for from the next byte when it is not. Its memory does not grow.
type decoder struct {
	pause  int64 // a longer silence inside a frame drops it
	buf    []byte
	last   int64
	counts Counts
}

// decode takes bytes that came at now. What has stopped half way is looked through once more, without its first byte.
func (d *decoder) decode(now int64, in []byte, emit func(Frame)) {
	if len(in) == 0 {
		return
	}
	if len(d.buf) > 0 && now-d.last > d.pause {
		d.counts.Garbage += int64(len(d.buf))
		d.buf = d.buf[:0]
	}
	d.last = now
	for _, b := range in {
		d.buf = append(d.buf, b)
		d.look(emit)
	}
}

func (d *decoder) look(emit func(Frame)) {
	for len(d.buf) > 0 {
		if !known(d.buf[0]) {
			d.skip()
			continue
		}
		if len(d.buf) < 3 {
			return
		}
		length := int(d.buf[1])<<7 | int(d.buf[2])
		if d.buf[2] > 0x7F || !fits(d.buf[0], length) {
			d.skip()
			continue
		}
		if len(d.buf) < length {
			return
		}
		if sum(d.buf[:length-1]) != d.buf[length-1] {
			d.counts.BadSum++
			d.skip()
			continue
		}
		d.counts.Frames++
		emit(Frame{d.buf[0], [2]byte{d.buf[3], d.buf[4]}, d.buf[headLen : length-1]})
		d.buf = append(d.buf[:0], d.buf[length:]...)
	}
}

func (d *decoder) skip() {
	d.counts.Garbage++
	d.buf = append(d.buf[:0], d.buf[1:]...)
}

func (d *decoder) drop() {
	d.counts.Garbage += int64(len(d.buf))
	d.buf = d.buf[:0]
}

// squareOf is the square of a number on the wire: 0 is a8, 63 is h1.
func squareOf(n byte) rules.Square { return rules.NewSquare(int(n&7), 7-int(n>>3&7)) }

// numberOf is the reverse.
func numberOf(s rules.Square) byte { return byte((7-s.Rank())<<3 | s.File()) }
