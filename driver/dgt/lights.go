package dgt

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Commands to the lights of a Revelation II (protocols/dgt.md section 10). A board without lights would read the squares as
// commands, so they are never sent to one.
var (
	ledsStay    = []byte{0x60, 4, 2, 1, 0, 0} // a man that moves does not put them out
	ledsAsWired = []byte{0x60, 4, 2, 2, 0, 0} // the board does not turn its squares by itself
	ledsOff     = []byte{0x60, 4, 0, 0x40, 0x40, 0}
)

const (
	ledsOn = 1 // of two squares; 0 puts them out

	oldestLights = 322   // programs before it do not put lights out
	refreshMs    = 5_000 // there is no answer, so what is shown is said again
)

// lights are the board's own.
type lights struct {
	want   rules.Bitboard // as wired
	given  bool           // somebody wants to show something
	there  bool           // the board has lights
	start  [][]byte       // what is still to be said before anything else
	shown  rules.Bitboard // what the board was told
	again  rules.Bitboard // of it, what is to be said again
	off    bool           // that nothing is lit is to be said again
	resaid int64          // when it was said again
}

// Light implements board.Lit: a Revelation II shows the squares that are not black. Other boards have no lights.
func (m *Machine) Light(f board.Frame) {
	l := &m.lights
	if !l.given {
		l.given, l.resaid = true, m.now
	}
	l.want = 0
	for s, c := range f {
		if c != (board.RGB{}) {
			l.want |= rules.Square(s).Bit()
		}
	}
	if l.want != 0 && m.info.LongSerial != "" && !l.there && !m.raw {
		m.notes.Once(m.now, noteLights, "this board has no lights that boardd can use: of DGT boards only the Revelation II has, with its program 3.22 or later")
	}
}

// identified begins with the lights once the board has said what it is.
func (m *Machine) identified() {
	l := &m.lights
	if v, ok := m.revelation(); ok && v >= oldestLights && !l.there {
		l.there, l.start, l.shown = true, [][]byte{ledsStay, ledsAsWired, ledsOff}, 0
		l.resaid = m.now
	}
}

// lightsDue is when writeLights has something to write.
func (m *Machine) lightsDue() int64 {
	l := &m.lights
	switch {
	case !l.there || !l.given && len(l.start) == 0:
		return never
	case len(l.start) > 0 || l.want != l.shown || l.again != 0 || l.off:
		return m.now
	}
	return l.resaid + refreshMs*m.scale
}

// writeLights is the next command to the lights, nil for none now.
func (m *Machine) writeLights() []byte {
	l := &m.lights
	if m.lightsDue() > m.now {
		return nil
	}
	if len(l.start) > 0 {
		c := l.start[0]
		l.start = l.start[1:]
		return c
	}
	if l.want == l.shown && l.again == 0 && !l.off {
		l.resaid, l.again, l.off = m.now, l.shown, l.shown == 0
	}
	l.again &= l.want
	switch out, in := l.shown&^l.want, l.want&^l.shown; {
	case l.want == 0:
		l.shown, l.off = 0, false
		return ledsOff
	case out != 0:
		c, done := pair(0, out)
		l.shown &^= done
		return c
	case in != 0:
		c, done := pair(ledsOn, in)
		l.shown |= done
		l.off = false
		return c
	case l.again != 0:
		c, done := pair(ledsOn, l.again)
		l.again &^= done
		return c
	}
	l.off = false
	return nil
}

// pair is the command for the first two of some squares, or for the only one.
func pair(pattern byte, squares rules.Bitboard) (c []byte, done rules.Bitboard) {
	first := squares.Pop()
	second := first
	if squares != 0 {
		second = squares.Pop()
	}
	return []byte{0x60, 4, pattern, FieldOf(first), FieldOf(second), 0}, first.Bit() | second.Bit()
}

// revelation is the version of a Revelation II's program, hundreds and the rest in one number (3.24 is 324); ok is false for
// other boards. It stands at the beginning of the long serial number, which on other boards is ten digits.
func (m *Machine) revelation() (version int, ok bool) {
	s := m.info.LongSerial
	if len(s) < 4 || s[1] != '.' || s[0] != '3' {
		return 0, false
	}
	for _, c := range []byte{s[0], s[2], s[3]} {
		if c < '0' || c > '9' {
			return 0, false
		}
		version = version*10 + int(c-'0')
	}
	return version, true
}
