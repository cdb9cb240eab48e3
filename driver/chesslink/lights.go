package chesslink

import (
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Light implements board.Lit: a square is lit by the four lights at its corners, steadily, at the brightness that the board
// has been given by its owner. Colours and shades are not known to it.
func (m *Machine) Light(f board.Frame) {
	text := pattern(f)
	if m.lamps.text == text {
		return
	}
	m.lamps.text = text
	m.lamps.again()
}

// slot is a pattern's step in units of 4.096 ms, as most programs have it; it does not matter to lights that are always on.
const slot = 0x20

// pattern is the command that shows a frame.
func pattern(f board.Frame) string {
	var lit [lights]bool
	any := false
	for s, c := range f {
		if c == (board.RGB{}) {
			continue
		}
		any = true
		for _, i := range CornersOf(rules.Square(s)) {
			lit[i] = true
		}
	}
	if !any {
		return cmdDark.text
	}
	var b strings.Builder
	b.Grow(3 + 2*lights)
	b.WriteString("L" + hex(slot))
	for _, on := range lit {
		if on {
			b.WriteString("FF")
		} else {
			b.WriteString("00")
		}
	}
	return b.String()
}

// lamps are the lights as they should be, and whether the board has said that they are.
type lamps struct {
	text  string // of the command, "" before the first frame
	dirty bool
	tries int
}

// again has the frame sent once more: it is a new one, or the board has forgotten it.
func (l *lamps) again() { l.dirty, l.tries = l.text != "", 0 }

// next is the command to send, if there is one.
func (l *lamps) next() (text string, ok bool) { return l.text, l.dirty }

// shown says that the board has taken a command.
func (l *lamps) shown(text string) {
	if text == l.text {
		l.dirty = false
	}
}

// missed says that nothing was heard of a command. Some boards never say anything: it is then sent three times in all.
func (l *lamps) missed(text string) {
	if text != l.text {
		return
	}
	if l.tries++; l.tries >= lightTries {
		l.dirty = false
	}
}
