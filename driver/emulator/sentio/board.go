// Package sentio is a Tabutronic Sentio that is not there: it sends what protocols/certabo.md of the reference pages, section 7, says
// that the hardware sends. It shares no code with the driver.
package sentio

import (
	"strconv"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator/certabo"
	"github.com/boardd/boardd/rules"
)

// Options are what may be chosen. The zero value is a clean board.
type Options struct {
	NoColon      bool  // as over Bluetooth
	NoSpace      bool  // nothing between the last number and the end of the line
	AnswerInLine bool  // answers to lights come inside the end of the next line
	CutFirst     bool  // the first line has lost its beginning
	FrameMs      int64 // between two lines, 0 is 300
}

// Board implements emulator.Machine. It is not safe for concurrent use.
type Board struct {
	opt     Options
	now     int64
	started bool
	next    int64   // the next line
	ranks   [8]byte // the eighth first; the highest bit is file a
	lamps   *certabo.Lamps
	answer  string // waits for the end of a line
}

// New makes a board without men. Its first Step switches it on.
func New(o Options) *Board {
	if o.FrameMs <= 0 {
		o.FrameMs = 300
	}
	return &Board{opt: o, lamps: certabo.NewLamps(false)}
}

// Set implements emulator.Machine.
func (b *Board) Set(s rules.Square, what board.Symbol) {
	bit := byte(0x80) >> s.File()
	if what == board.Empty {
		b.ranks[7-s.Rank()] &^= bit
	} else {
		b.ranks[7-s.Rank()] |= bit
	}
}

// Lit implements emulator.Machine.
func (b *Board) Lit() board.Frame { return b.lamps.Lit() }

// Lamps are the board's lights.
func (b *Board) Lamps() *certabo.Lamps { return b.lamps }

// Step implements emulator.Machine.
func (b *Board) Step(now int64, in []byte) (out []byte, wake int64) {
	b.now = max(b.now, now)
	for range b.lamps.Take(b.now, in) {
		if b.opt.AnswerInLine {
			b.answer += "\n" + b.lamps.Answer()
		} else {
			out = append(out, b.lamps.Answer()+"\r\n"...)
		}
	}
	if !b.started {
		b.started, b.next = true, b.now
	}
	if b.now >= b.next {
		out = append(out, b.line()...)
		b.next += b.opt.FrameMs
		if b.next <= b.now { // nobody called for long: no line is made up
			b.next = b.now + b.opt.FrameMs
		}
	}
	return out, b.next
}

// line is what the board sees now.
func (b *Board) line() string {
	words := make([]string, 8)
	for i, r := range b.ranks {
		words[i] = strconv.Itoa(int(r))
	}
	text := strings.Join(words, " ")
	if !b.opt.NoColon {
		text = ":" + text
	}
	if !b.opt.NoSpace && b.answer == "" {
		text += " "
	}
	text += b.answer + "\r\n"
	b.answer = ""
	if b.opt.CutFirst {
		b.opt.CutFirst = false
		text = text[len(text)/3:]
	}
	return text
}
