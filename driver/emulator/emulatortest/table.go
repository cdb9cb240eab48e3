// Package emulatortest sits a driver down before an emulated board, for tests: hands move men, the line does what lines do,
// and time is the table's own.
package emulatortest

import (
	"math/rand/v2"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/rules"
)

// TB is what a test and a property have in common.
type TB interface {
	Helper()
	Fatalf(format string, args ...any)
}

// Options are what is on a table. The zero value is an empty presence board on a line that takes no time.
type Options struct {
	Baud int    // of the line; with 0 bytes take no time
	Seed uint64 // of what the line does wrong
	Sees board.Acuity
	Men  board.Picture // what stands there at first; the zero value is nothing
}

// Table is the machine of a driver and an emulated board at the two ends of a line. It is for one goroutine.
type Table struct {
	Line *emulator.Line
	Now  int64             // milliseconds
	Tell func(board.Input) // hears all that the driver says from now on, nil for nobody

	Men     board.Picture   // what stands there, as the players see it
	Said    board.Picture   // what stands there, as the driver has said
	Strange []board.Picture // what the driver has said and never stood there
	Changes int             // of single squares, that the driver has said
	Online  bool
	Links   int    // how often Online was said
	Heard   []byte // all that has reached the driver

	t      TB
	driver board.Driver
	sees   board.Acuity
	mine   int64 // when the driver is to be woken, 0 for never
	theirs int64 // when the line is
	stood  map[board.Picture]bool
}

// New begins the conversation of a driver with a board, at time 0.
func New(t TB, d board.Driver, m emulator.Machine, o Options) *Table {
	t.Helper()
	x := &Table{t: t, Line: emulator.NewLine(m, o.Baud, o.Seed), Men: board.EmptyPicture(), driver: d, sees: o.Sees}
	if o.Men != (board.Picture{}) {
		x.Men = o.Men
	}
	for s, what := range x.Men {
		x.Line.Set(rules.Square(s), what)
	}
	x.Stood(x.Stands())
	x.toBoard(nil)
	x.toDriver(nil)
	return x
}

// Start is the men of the start position.
func Start() board.Picture {
	men := board.EmptyPicture()
	for file, letter := range "RNBQKBNR" {
		men[file], men[8+file], men[48+file], men[56+file] = board.Symbol(letter), 'P', 'p', board.Symbol(letter+'a'-'A')
	}
	return men
}

// Stands is what of the men the board can see.
func (x *Table) Stands() board.Picture {
	p := x.Men
	for s, what := range p {
		switch piece, known := rules.PieceFromLetter(byte(what)); {
		case x.sees == board.Presence && what != board.Empty:
			p[s] = board.Something
		case known:
			p[s] = x.sees.See(piece)
		}
	}
	return p
}

// Stood says of a picture that a driver may tell it too, such as a mirrored one.
func (x *Table) Stood(p board.Picture) {
	if x.stood == nil {
		x.stood = map[board.Picture]bool{}
	}
	x.stood[p] = true
}

// Put sets a man down on a square, or lifts the one that is there.
func (x *Table) Put(s rules.Square, what board.Symbol) {
	x.t.Helper()
	x.Men[s] = what
	x.Stood(x.Stands())
	x.Line.Set(s, what)
	x.toBoard(nil)
}

// Hands move men about without any law; captures exchange the man. How long a man is in the air and how long hands rest is
// asked each time.
func (x *Table) Hands(dice *rand.Rand, n int, air, rest func() int64) {
	x.t.Helper()
	for range n {
		from, to := rules.Square(dice.IntN(64)), rules.Square(dice.IntN(64))
		if what := x.Men[from]; what != board.Empty && from != to {
			x.Put(from, board.Empty)
			x.Run(air())
			x.Put(to, what)
		}
		x.Run(rest())
	}
}

// Light shows a frame by the driver, which must have lights.
func (x *Table) Light(f board.Frame) {
	x.t.Helper()
	lit, ok := x.driver.(board.Lit)
	if !ok {
		x.t.Fatalf("%T has no lights", x.driver)
	}
	lit.Light(f)
	x.toDriver(nil)
}

// Lit is the squares that the board lights, from a1 on.
func (x *Table) Lit() string {
	var names []string
	for s, c := range x.Line.Lit() {
		if c != (board.RGB{}) {
			names = append(names, rules.Square(s).String())
		}
	}
	return strings.Join(names, " ")
}

// Connect gives the line another board, under the same men, as after a loss of power.
func (x *Table) Connect(m emulator.Machine) {
	x.t.Helper()
	x.Line.Connect(m)
	x.toBoard(nil)
}

// Run lets time pass.
func (x *Table) Run(ms int64) {
	x.t.Helper()
	for end := x.Now + ms; ; {
		next := end
		for _, at := range []int64{x.mine, x.theirs} {
			if at != 0 {
				next = min(next, at)
			}
		}
		x.Now = max(x.Now, next)
		if x.theirs != 0 && x.theirs <= x.Now {
			x.toBoard(nil)
		}
		if x.mine != 0 && x.mine <= x.Now {
			x.toDriver(nil)
		}
		if x.Now == end {
			return
		}
	}
}

func (x *Table) toBoard(in []byte) {
	x.t.Helper()
	out, wake := x.Line.Step(x.Now, in)
	if x.theirs = wake; wake != 0 && wake <= x.Now {
		x.t.Fatalf("at %d: the board's wake %d is not later", x.Now, wake)
	}
	if len(out) > 0 {
		x.Heard = append(x.Heard, out...)
		x.toDriver(out)
	}
}

func (x *Table) toDriver(in []byte) {
	x.t.Helper()
	inputs, out, wake := x.driver.Step(x.Now, in)
	if x.mine = wake; wake != 0 && wake <= x.Now {
		x.t.Fatalf("at %d: the driver's wake %d is not later", x.Now, wake)
	}
	for _, in := range inputs {
		if x.Tell != nil {
			x.Tell(in)
		}
		switch in.Kind {
		case board.Link:
			x.Online = in.Online
			x.Links++
		case board.Change:
			x.Changes++
		}
		if Show(&x.Said, in) && !x.stood[x.Said] {
			x.Strange = append(x.Strange, x.Said)
		}
	}
	if len(out) > 0 {
		x.toBoard(out)
	}
}

// Show puts what a driver says of squares into a picture, and reports whether it said something of squares.
func Show(p *board.Picture, in board.Input) bool {
	switch in.Kind {
	case board.Scan:
		*p = in.Picture
	case board.Change:
		p[in.Square] = in.Symbol
	default:
		return false
	}
	return true
}

// Replayed is the last picture that a machine for recorded bytes makes of all that the driver has heard.
func (x *Table) Replayed(raw board.Driver) (said board.Picture) {
	inputs, _, _ := raw.Step(0, x.Heard)
	for _, in := range inputs {
		Show(&said, in)
	}
	return said
}
