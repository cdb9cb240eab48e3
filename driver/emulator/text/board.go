// Package text is home-made boards that are not there. Each speaks as its public project does, by protocols/diy-serial.md of the
// reference pages. It shares no code with the driver.
package text

import (
	"fmt"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options are what may be chosen. Only Dialect must be.
type Options struct {
	Dialect  string // one of Dialects, named as the presets of the driver
	Boot     string // what the board says when it gets power, which opening its port gives it
	SilentMs int64  // after that, deaf and dumb; 0 is 2,000
	Echo     bool   // lines from the computer come back
	LineEnd  string // of lines: "" is what the project sends
	EveryMs  int64  // between two messages of boards that speak all the time; 0 is 300
	Disabled bool   // chesswiz: its sensors are off
	Noise    bool   // certabo: chips where nothing stands
	Spaced   bool   // uci-lines: "e2 e4" instead of "e2e4"
}

// Board implements emulator.Machine. It is not safe for concurrent use.
type Board struct {
	o Options
	d dialect

	now    int64
	on     bool  // it has power
	awake  int64 // when it has started
	next   int64 // when it speaks by itself
	men    [64]byte
	said   [64]byte // what a board that tells its whole position told last
	told   bool     // it has told one
	line   []byte   // what the computer is writing
	listen bool     // it has been told to tell, or needs not to be
	ask    string   // the FEN that was asked for, of cpp
	synced bool

	air    []lifted
	black  bool // to move
	number int
	chips  [64]string
	pocket map[byte][]string // chips of men in the air
	spare  int
	dice   uint32

	lit   board.Frame
	next8 []byte // lights on the way
	out   []byte
}

// lifted is a man in the air.
type lifted struct {
	man  byte
	from rules.Square
}

// New makes an empty board without power; its first Step gives it.
func New(o Options) (*Board, error) {
	d, ok := dialects[o.Dialect]
	if !ok {
		return nil, fmt.Errorf("no home-made board is called %q", o.Dialect)
	}
	if o.SilentMs == 0 {
		o.SilentMs = 2000
	}
	if o.EveryMs == 0 {
		o.EveryMs = 300
	}
	if o.LineEnd == "" {
		o.LineEnd = d.end
	}
	b := &Board{o: o, d: d, pocket: map[byte][]string{}, dice: 1}
	for s := range b.men {
		b.men[s] = '.'
	}
	return b, nil
}

// Reset takes the board's power away and gives it back, as opening its port does.
func (b *Board) Reset() { b.on = false }

// Step implements emulator.Machine.
func (b *Board) Step(now int64, in []byte) (out []byte, wake int64) {
	b.now = max(b.now, now)
	if !b.on {
		b.start()
	}
	if b.now >= b.awake {
		for _, c := range in {
			b.hear(c)
		}
		b.speak()
	}
	out, b.out = b.out, nil
	switch {
	case b.now < b.awake:
		wake = b.awake
	case b.d.always:
		wake = b.next
	}
	return out, wake
}

func (b *Board) start() {
	b.on, b.awake, b.next = true, b.now+b.o.SilentMs, b.now+b.o.SilentMs
	b.line, b.listen, b.told, b.ask, b.synced = nil, b.d.talks, false, "", false
	b.air, b.next8, b.lit = nil, nil, board.Frame{}
	b.black, b.number = false, 1
	b.out = []byte(b.o.Boot)
}

// speak is what is said unasked.
func (b *Board) speak() {
	switch {
	case b.d.whole == nil:
	case b.d.always:
		for b.now >= b.next {
			b.next += b.o.EveryMs
			b.out = append(b.out, b.d.whole(b)...)
		}
	case b.d.onChange && b.men != b.said, b.d.atStart && !b.told:
		b.said, b.told = b.men, true
		b.out = append(b.out, b.d.whole(b)...)
	}
}

// Set implements emulator.Machine.
func (b *Board) Set(s rules.Square, what board.Symbol) {
	man := byte(what)
	if man == b.men[s] {
		return
	}
	if old := b.men[s]; old != '.' {
		b.put(s, '.')
		b.lift(s, old)
	}
	if man != '.' {
		b.put(s, man)
		b.place(s, man)
	}
}

// put changes the board itself, its chips too.
func (b *Board) put(s rules.Square, man byte) {
	if old := b.men[s]; man == '.' {
		b.pocket[old] = append(b.pocket[old], b.chips[s])
		b.chips[s] = ""
	} else if p := b.pocket[man]; len(p) > 0 {
		b.chips[s] = p[len(p)-1]
		b.pocket[man] = p[:len(p)-1]
	} else {
		b.spare++
		b.chips[s] = fmt.Sprintf("48 0 %d %d %d", 170+b.spare/200, b.spare%200, man)
	}
	b.men[s] = man
}

// ready reports whether what happens now is seen.
func (b *Board) ready() bool { return b.on && b.now >= b.awake && b.listen }

func (b *Board) lift(s rules.Square, man byte) {
	if b.ready() && b.d.lifted != nil {
		b.d.lifted(b, s, man)
	}
	if b.d.moved != nil {
		b.pickUp(s, man)
	}
}

func (b *Board) place(s rules.Square, man byte) {
	if b.ready() && b.d.placed != nil {
		b.d.placed(b, s, man)
	}
	if b.d.moved != nil {
		b.putDown(s, man)
	}
}

// say sends a line.
func (b *Board) say(format string, args ...any) {
	b.out = append(b.out, fmt.Sprintf(format, args...)+b.o.LineEnd...)
}

// hear takes a byte from the computer.
func (b *Board) hear(c byte) {
	if b.d.light != nil {
		b.d.light(b, c)
		return
	}
	if len(b.line) < 512 {
		b.line = append(b.line, c)
	}
	if c != b.d.enter && (b.d.enter != '\n' || c != '\r') {
		return
	}
	line := strings.TrimRight(string(b.line[:len(b.line)-1]), "\r\n")
	b.line = b.line[:0]
	if b.o.Echo && line != "" {
		b.say("%s", line)
	}
	if b.d.command != nil {
		b.d.command(b, line)
	}
}

// Lit implements emulator.Machine.
func (b *Board) Lit() board.Frame { return b.lit }

// shine lights a square, as white as these lights are.
func (b *Board) shine(s rules.Square) { b.lit[s] = board.RGB{R: 255, G: 255, B: 255} }

// square reads a name.
func square(name string) (rules.Square, bool) { return rules.ParseSquare(strings.ToLower(name)) }

// isWhite is the colour of a letter.
func isWhite(man byte) bool { return man >= 'A' && man <= 'Z' }
