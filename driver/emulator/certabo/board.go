// Package certabo is a Certabo board, or a Tabutronic board that recognises pieces, that is not there: it sends what
// protocols/certabo.md of the reference pages says that the hardware sends. It shares no code with the driver.
package certabo

import (
	"fmt"
	"math/rand/v2"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options are what may be chosen. The zero value is a clean board with lights of one colour.
type Options struct {
	Color        bool    // coloured lights, as Cerno and Spectrum
	Noise        float64 // chance that an empty square reads random numbers in a line; real boards have about 0.15
	LowGain      float64 // chance that a man is missed or misread in a line; real bad chips have about 0.05
	Wrap         bool    // a line feed after each 64 characters, also inside numbers
	NoColon      bool    // as over Bluetooth
	NoSpace      bool    // nothing between the last number and the end of the line
	AnswerInLine bool    // answers to lights come inside the end of the next line
	CutFirst     bool    // the first line has lost its beginning
	SmallChips   bool    // chips of one number, as Chesstimation's
	FrameMs      int64   // between two lines, 0 is 300
	Seed         uint64  // of chance
}

// chipsEach is how many men of a kind there are: all that promotions can make, and one.
const chipsEach = 11

// letters are the kinds of men, in the order of their chips.
const letters = "KQRBNPkqrbnp"

// Chip is the number of a chip.
type Chip [5]byte

// Board implements emulator.Machine. It is not safe for concurrent use.
type Board struct {
	opt     Options
	dice    *rand.Rand
	now     int64
	started bool
	next    int64 // the next line

	men    [64]Chip          // what stands there, a8 first
	box    map[string][]Chip // men that are not on the board, the last one taken off last
	of     map[Chip]string   // whose chip
	alien  byte              // chips that nobody has learnt
	lamps  *Lamps
	answer string // waits for the end of a line
}

// New makes a board without men. Its first Step switches it on.
func New(o Options) *Board {
	if o.FrameMs <= 0 {
		o.FrameMs = 300
	}
	b := &Board{opt: o, dice: rand.New(rand.NewPCG(o.Seed, 0x63657274)), box: map[string][]Chip{}, of: map[Chip]string{},
		lamps: NewLamps(o.Color)}
	for k, letter := range letters {
		for i := range chipsEach {
			c := Chip{3, 0, byte(83 + i%3), byte(37*k + 11*i + 1), byte(53*i + 7*k + 2)}
			if o.SmallChips {
				c = Chip{4: byte(k*chipsEach + i + 1)}
			}
			b.of[c] = string(letter)
			b.box[string(letter)] = append([]Chip{c}, b.box[string(letter)]...)
		}
	}
	return b
}

// Chips are the chips of all men by their FEN letters, as text: what a calibration would find.
func (b *Board) Chips() map[string][]string {
	list := map[string][]string{}
	for c, letter := range b.of {
		list[letter] = append(list[letter], c.String())
	}
	return list
}

// String is the chip as text.
func (c Chip) String() string { return fmt.Sprintf("%d %d %d %d %d", c[0], c[1], c[2], c[3], c[4]) }

// Set implements emulator.Machine. A man that is taken off is the next of its kind to be set down. An unknown man has a chip that is
// not among Chips.
func (b *Board) Set(s rules.Square, what board.Symbol) {
	i := (7-int(s.Rank()))*8 + int(s.File())
	old := b.of[b.men[i]]
	switch {
	case old == string(rune(what)), what == board.Unknown && old == "" && b.men[i] != Chip{}:
		return
	case old != "":
		b.box[old] = append(b.box[old], b.men[i])
	}
	b.men[i] = Chip{}
	switch list := b.box[string(rune(what))]; {
	case len(list) > 0:
		b.men[i] = list[len(list)-1]
		b.box[string(rune(what))] = list[:len(list)-1]
	case what != board.Empty:
		b.alien++
		b.men[i] = Chip{99, 1, 2, 3, b.alien}
	}
}

// Lit implements emulator.Machine.
func (b *Board) Lit() board.Frame { return b.lamps.Lit() }

// Lamps are the board's lights.
func (b *Board) Lamps() *Lamps { return b.lamps }

// Step implements emulator.Machine.
func (b *Board) Step(now int64, in []byte) (out []byte, wake int64) {
	b.now = max(b.now, now)
	var text strings.Builder
	for range b.lamps.Take(b.now, in) {
		if letter := b.lamps.Answer(); b.opt.AnswerInLine {
			b.answer += "\n" + letter
		} else {
			text.WriteString(letter + "\r\n")
		}
	}
	if !b.started {
		b.started, b.next = true, b.now
	}
	if b.now >= b.next {
		text.WriteString(b.line())
		b.next += b.opt.FrameMs
		if b.next <= b.now { // nobody called for long: no line is made up
			b.next = b.now + b.opt.FrameMs
		}
	}
	return []byte(text.String()), b.next
}

// line is what the board reads now.
func (b *Board) line() string {
	words := make([]string, 64)
	for i, c := range b.men {
		words[i] = b.read(c).String()
	}
	text := ":" + strings.Join(words, " ")
	if b.opt.NoColon {
		text = text[1:]
	}
	if b.opt.Wrap {
		var lines []string
		for ; len(text) > 64; text = text[64:] {
			lines = append(lines, text[:64])
		}
		text = strings.Join(append(lines, text), "\n")
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

// read is what one read of a chip gives.
func (b *Board) read(c Chip) Chip {
	switch {
	case c == Chip{}:
		if b.opt.Noise > 0 && b.dice.Float64() < b.opt.Noise {
			return Chip{b.any(), b.any(), b.any(), b.any(), b.any()}
		}
	case b.opt.LowGain > 0 && b.dice.Float64() < b.opt.LowGain:
		if b.dice.IntN(2) == 0 {
			return Chip{}
		}
		c[2+b.dice.IntN(3)] ^= 1 << b.dice.IntN(8)
	}
	return c
}

func (b *Board) any() byte { return byte(b.dice.Uint32()) }
