// Package chesslink is a board with Millennium's ChessLink that is not there: it answers as protocols/chesslink.md of the reference
// pages says that the hardware does. It shares no code with the driver.
package chesslink

import (
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Model is the kind of board.
type Model uint8

// The models. A Performance does not say that it has carried out L, X or W; an eONE sends no parity.
const (
	Exclusive Model = iota
	Performance
	EOne
)

// Quirks are what other boards with this protocol do. The zero value is a board without any.
type Quirks struct {
	LowerCase       bool // check digits in lower case, as DGTCentaurMods
	StatusBeforeAck bool // a status comes before each acknowledgement
	NoRegisters     bool // R and W are not answered
	LettersLost     bool // R is answered without the letter r, as DGTCentaurMods
	RestartAnswered bool // T is answered t74, as DGTCentaurMods
	StatusForDark   bool // X is answered by a status, as Elfacun
	NoVersion       bool // V is not answered
}

// Options are what may be chosen. The zero value is an Exclusive with the cable on White's left.
type Options struct {
	Model      Model
	Version    string // four hex digits, "" is what the model has
	CableRight bool   // the board lies the other way round
	Chunk      int    // bytes given out at once, 20 as over Bluetooth LE; 0 is all
	Quirks     Quirks
}

// Waits in milliseconds.
const (
	gapMs  = 300  // of silence, then a command begun is forgotten
	deafMs = 3000 // after T
)

// Board implements emulator.Machine. It is not safe for concurrent use.
type Board struct {
	opt Options
	now int64

	men     [64]byte // what stands there, in the order of the status
	sampled [64]byte // what the last scan found
	said    [64]byte // what the last report by itself said
	stable  int      // scans in a row with the same
	started bool
	scanUs  int64 // when the next scan is
	sayUs   int64 // when the next timed report is

	command []byte
	heard   int64
	deaf    int64 // until
	regs    [256]byte

	leds  [81]byte
	slot  byte
	tally Tally
	out   []byte
}

// Tally counts what the board has met.
type Tally struct {
	Commands  int // carried out
	BadCheck  int // whose block check was wrong
	BadParity int // characters
	Forgotten int // begun and not ended
	Foreign   int // characters that begin no command
	Writes    int // to registers
	Patterns  int // of lights, darkness included
}

// New makes a board without men. Its first Step switches it on.
func New(o Options) *Board {
	if len(o.Version) != 4 {
		o.Version = [...]string{Exclusive: "0017", Performance: "0103", EOne: "0200"}[min(o.Model, EOne)]
	}
	b := &Board{opt: o}
	b.regs[1], b.regs[3], b.regs[4] = 20, 20, 14
	if o.Model == EOne {
		b.regs[6] = 0xEA
	}
	for i := range b.men {
		b.men[i] = '.'
	}
	return b
}

// index is the place of a square in the status.
func (b *Board) index(s rules.Square) int {
	if b.opt.CableRight { // h1 g1 .. a8
		return int(s.Rank())*8 + 7 - int(s.File())
	}
	return (7-int(s.Rank()))*8 + int(s.File()) // a8 b8 .. h1
}

// Set implements emulator.Machine: with the cable on the right the squares are those that White sees. A man that the board does
// not know is none to it.
func (b *Board) Set(s rules.Square, what board.Symbol) {
	if !strings.ContainsRune("KQRBNPkqrbnp", rune(what)) {
		what = '.'
	}
	b.men[b.index(s)] = byte(what)
}

// Lit implements emulator.Machine: a square counts as lit when the lights at its four corners are. A square between two lit ones
// is then lit too, for their corners are its own.
func (b *Board) Lit() (f board.Frame) {
	for s := range rules.NoSquare {
		c := b.Corners(s)
		if b.leds[c[0]] != 0 && b.leds[c[1]] != 0 && b.leds[c[2]] != 0 && b.leds[c[3]] != 0 {
			f[s] = board.RGB{R: 255, G: 255, B: 255}
		}
	}
	return f
}

// Corners are the four lights around a square, from 0.
func (b *Board) Corners(s rules.Square) [4]int {
	i := int(s.File())*9 + 7 - int(s.Rank())
	if b.opt.CableRight {
		i = (7-int(s.File()))*9 + int(s.Rank())
	}
	return [4]int{i, i + 1, i + 9, i + 10}
}

// Patterns are the patterns of the 81 lights, and the time of a step in units of 4.096 ms.
func (b *Board) Patterns() (leds [81]byte, slot byte) { return b.leds, b.slot }

// Register is what a register holds.
func (b *Board) Register(addr byte) byte { return b.regs[addr] }

// SetRegister is a board that another program has left so.
func (b *Board) SetRegister(addr, v byte) { b.regs[addr] = v }

// Tally is what the board has met.
func (b *Board) Tally() Tally { return b.tally }

// Step implements emulator.Machine.
func (b *Board) Step(now int64, in []byte) (out []byte, wake int64) {
	b.now = max(b.now, now)
	if !b.started {
		b.started = true
		b.sampled, b.said = b.men, b.men
		b.scanUs, b.sayUs = b.now*1000+b.scanTime(), b.now*1000+b.period()
	}
	b.scans()
	b.listen(in)
	n := len(b.out)
	if b.opt.Chunk > 0 {
		n = min(n, b.opt.Chunk)
	}
	out = append(out, b.out[:n]...)
	b.out = append(b.out[:0], b.out[n:]...)
	if len(b.out) > 0 {
		return out, b.now + 5
	}
	next := b.scanUs
	if b.regs[2]&7 == 2 {
		next = min(next, b.sayUs)
	}
	return out, max((next+999)/1000, b.now+1)
}

// scanTime and period are in microseconds.
func (b *Board) scanTime() int64 { return int64(max(b.regs[1], 1)) * 2048 }
func (b *Board) period() int64   { return int64(max(b.regs[3], 1)) * 4096 }

// scans looks at the squares as often as is due, and reports as register 2 says.
func (b *Board) scans() {
	if b.now < b.deaf {
		b.scanUs, b.sayUs = b.deaf*1000+b.scanTime(), b.deaf*1000+b.period()
		return
	}
	mode := b.regs[2] & 7
	if late := b.now*1000 - b.scanUs; late > 1_000_000 { // nobody called for long: no report is made up
		b.scanUs += late / b.scanTime() * b.scanTime()
	}
	for b.scanUs <= b.now*1000 {
		b.scanUs += b.scanTime()
		if b.sampled == b.men {
			b.stable++
		} else {
			b.sampled, b.stable = b.men, 0
		}
		switch {
		case mode == 0,
			mode == 3 && b.sampled != b.said,
			mode >= 4 && b.sampled != b.said && b.stable >= int(mode)-2:
			b.said = b.sampled
			b.report()
		}
	}
	for mode == 2 && b.sayUs <= b.now*1000 {
		b.sayUs = max(b.sayUs+b.period(), b.now*1000-b.period())
		b.report()
	}
}

// report says what the last scan found.
func (b *Board) report() { b.say("s" + string(b.sampled[:])) }

// say sends text with its check digits and parity.
func (b *Board) say(text string) {
	check := byte(0)
	for i := range len(text) {
		check ^= text[i]
	}
	digits := "0123456789ABCDEF"
	if b.opt.Quirks.LowerCase {
		digits = "0123456789abcdef"
	}
	for _, c := range []byte(text + string(digits[check>>4]) + string(digits[check&15])) {
		if b.opt.Model != EOne && ones(c)%2 == 0 {
			c |= 0x80
		}
		b.out = append(b.out, c)
	}
}

func ones(c byte) (n int) {
	for ; c != 0; c >>= 1 {
		n += int(c & 1)
	}
	return n
}
