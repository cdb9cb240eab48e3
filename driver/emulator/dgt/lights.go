package dgt

import (
	"github.com/boardd/boardd/board"
)

// lights are the LEDs of a Revelation II, one a square.
type lights struct {
	there    bool
	old      bool // a program up to 3.21, which only switches on
	squares  [64]bool
	goOut    bool // when a man moves
	reversed bool // squares are turned with the board
}

func newLights(o Options) lights {
	return lights{there: o.Model == RevelationII, old: o.LongSerial < "3.22", goOut: true, reversed: true}
}

// set takes what follows the size of the command 60.
func (l *lights) set(c []byte) {
	if len(c) == 2 && c[1] == 0 { // short form: the pattern for all squares
		for f := range l.squares {
			l.squares[f] = c[0] != 0
		}
		return
	}
	if len(c) != 4 || l.old && c[0] != 1 {
		return
	}
	switch from, to := c[1], c[2]; c[0] {
	case 1:
		l.turn(from, true)
		l.turn(to, true)
	case 0:
		if from == 0x40 && to == 0x40 || from == 0 && to == 0x3F {
			l.squares = [64]bool{}
			return
		}
		l.turn(from, false)
		l.turn(to, false)
	case 2:
		switch from {
		case 1:
			l.goOut = to != 0
		case 2:
			l.reversed = to != 0
		}
	}
}

func (l *lights) turn(f byte, on bool) {
	if f < 64 {
		l.squares[f] = on
	}
}

// changed is a man that was moved.
func (l *lights) changed() {
	if l.goOut {
		l.squares = [64]bool{}
	}
}

func (l *lights) frame() (f board.Frame) {
	for field, on := range l.squares {
		if on {
			f[field^56] = board.RGB{R: 255}
		}
	}
	return f
}
