package chesslink_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/chesslink"
	"github.com/boardd/boardd/driver/emulator"
	emulated "github.com/boardd/boardd/driver/emulator/chesslink"
	"github.com/boardd/boardd/rules"
)

// table is a machine and an emulated board at the two ends of a line, in a time of its own.
type table struct {
	t       *testing.T
	m       *chesslink.Machine
	line    *emulator.Line
	now     int64
	machine int64 // wakes
	board   int64
	men     board.Picture
	stood   map[board.Picture]bool // every picture that there was
	said    board.Picture
	online  bool
	links   int
	bytes   []byte // all that the board wrote, as it came
}

func newTable(t *testing.T, o emulated.Options, seed uint64) *table {
	b := &table{t: t, m: chesslink.New(chesslink.Options{}), line: emulator.NewLine(emulated.New(o), chesslink.Baud, seed),
		men: board.EmptyPicture(), stood: map[board.Picture]bool{}}
	start, err := board.ParsePicture(startPicture, board.PieceAcuity)
	if err != nil {
		t.Fatal(err)
	}
	for s, sym := range start {
		b.put(rules.Square(s), sym)
	}
	b.stood = map[board.Picture]bool{b.men: true}
	b.toBoard(nil)
	b.toMachine(nil)
	return b
}

func (b *table) put(s rules.Square, what board.Symbol) {
	b.men[s] = what
	b.stood[b.men] = true
	b.line.Set(s, what)
}

func (b *table) toBoard(in []byte) {
	out, wake := b.line.Step(b.now, in)
	b.board = wake
	if len(out) > 0 {
		b.bytes = append(b.bytes, out...)
		b.toMachine(out)
	}
}

func (b *table) toMachine(in []byte) {
	inputs, out, wake := b.m.Step(b.now, in)
	b.machine = wake
	for _, in := range inputs {
		switch in.Kind {
		case board.Link:
			b.online = in.Online
			b.links++
		case board.Scan:
			b.said = in.Picture
			if !b.stood[in.Picture] {
				b.t.Errorf("at %d: never stood: %s", b.now, in.Picture)
			}
		}
	}
	if len(out) > 0 {
		b.toBoard(out)
	}
}

// run lets time pass.
func (b *table) run(ms int64) {
	for end := b.now + ms; ; {
		next := b.machine
		if b.board != 0 {
			next = min(next, b.board)
		}
		if next > end {
			b.now = end
			return
		}
		b.now = max(b.now, next)
		if b.board != 0 && b.board <= b.now {
			b.toBoard(nil)
		}
		if b.machine <= b.now {
			b.toMachine(nil)
		}
	}
}

// hands move men about without any law.
func (b *table) hands(dice *rand.Rand, n int) {
	for range n {
		from, to := rules.Square(dice.IntN(64)), rules.Square(dice.IntN(64))
		if what := b.men[from]; what != board.Empty && from != to {
			b.put(from, board.Empty)
			b.run(100 + dice.Int64N(400))
			b.put(to, what)
		}
		b.run(100 + dice.Int64N(900))
	}
}

func TestEmulatedBoards(t *testing.T) {
	t.Parallel()
	boards := map[string]emulated.Options{
		"Exclusive":              {},
		"Performance":            {Model: emulated.Performance},
		"eONE":                   {Model: emulated.EOne},
		"Bluetooth LE":           {Chunk: 20},
		"status before each ack": {Quirks: emulated.Quirks{StatusBeforeAck: true}},
		"lower case":             {Quirks: emulated.Quirks{LowerCase: true}},
		"no registers":           {Quirks: emulated.Quirks{NoRegisters: true}},
		"DGTCentaurMods":         {Version: "3130", Quirks: emulated.Quirks{LowerCase: true, LettersLost: true, RestartAnswered: true}},
		"Elfacun":                {Version: "0100", Quirks: emulated.Quirks{StatusForDark: true}},
		"no version":             {Quirks: emulated.Quirks{NoVersion: true}},
	}
	faults := map[string]emulator.Faults{
		"a good line": {},
		"a bad line":  {Cut: 0.05, Twice: 0.05, Late: 0.05, Foreign: 0.05, Parity: 0.0005, Deaf: 0.05},
	}
	for name, o := range boards {
		for how, f := range faults {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				b := newTable(t, o, 1)
				b.line.Fault(f)
				b.run(9_000)
				if !b.online {
					t.Fatal("not online after nine seconds")
				}
				b.m.Light(frame(false, "e2", "e4"))
				b.toMachine(nil)
				b.hands(rand.New(rand.NewPCG(1, 2)), 60)
				b.line.Fault(emulator.Faults{})
				b.m.Light(frame(false, "a1", "h8"))
				b.toMachine(nil)
				b.run(4_000)
				if b.said != b.men {
					t.Errorf("said  %s\nstands %s", b.said, b.men)
				}
				if f == (emulator.Faults{}) && b.links != 1 {
					t.Errorf("the link changed %d times", b.links)
				}
				for s, c := range b.line.Lit() {
					name := rules.Square(s).String()
					if (c != board.RGB{}) != (name == "a1" || name == "h8") {
						t.Errorf("%s: %v", name, c)
					}
				}
				if t.Failed() {
					t.Logf("%+v\n%+v\n%q", b.m.Info(), b.line.Tally(), b.m.Notes())
				}
				b.replay()
			})
		}
	}
}

// replay gives the bytes to a raw machine: it must come to the same picture.
func (b *table) replay() {
	raw := chesslink.NewRaw(chesslink.Options{})
	var said board.Picture
	in, _, _ := raw.Step(0, b.bytes)
	for _, in := range in {
		if in.Kind == board.Scan {
			said = in.Picture
		}
	}
	if said != b.said {
		b.t.Errorf("recorded: %s\nlive:     %s", said, b.said)
	}
}

// The board lying the other way round is seen turned, and its lights turn with it.
func TestEmulatedCableRight(t *testing.T) {
	t.Parallel()
	b := newTable(t, emulated.Options{CableRight: true}, 1)
	b.stood[b.men.Turned()] = true
	b.run(2000)
	if b.said != b.men.Turned() {
		t.Errorf("said %s", b.said)
	}
	b.m.Light(frame(true, "a1", "e4"))
	b.toMachine(nil)
	b.run(1000)
	for s, c := range b.line.Lit() {
		name := rules.Square(s).String()
		if (c != board.RGB{}) != (name == "a1" || name == "e4") {
			t.Errorf("%s: %v", name, c)
		}
	}
}

// Power fails for a moment, and for long: the game goes on, and the lights are as they were.
func TestEmulatedPowerCut(t *testing.T) {
	t.Parallel()
	for _, ms := range []int64{100, 3_000, 12_000} {
		t.Run(fmt.Sprint(ms), func(t *testing.T) {
			t.Parallel()
			b := newTable(t, emulated.Options{}, 1)
			b.run(2000)
			b.m.Light(frame(false, "c3"))
			b.toMachine(nil)
			b.run(500)
			b.line.Fault(emulator.Faults{Silent: true})
			b.put(square("e2"), board.Empty)
			b.put(square("e4"), 'P')
			b.run(ms)
			b.line.Fault(emulator.Faults{})
			b.line.Connect(emulated.New(emulated.Options{}))
			b.toBoard(nil)
			b.run(6000)
			if b.said != b.men || !b.online {
				t.Errorf("online %v, said %s", b.online, b.said)
			}
			if c := b.line.Lit()[square("c3")]; ms > 1000 && c == (board.RGB{}) {
				t.Errorf("the light of c3 is out")
			}
		})
	}
}

// A board that reports each scan leaves room for commands; then it is told to report changes.
func TestEmulatedRegisters(t *testing.T) {
	t.Parallel()
	e := emulated.New(emulated.Options{})
	e.SetRegister(1, 0x30) // python-mchess has been here
	e.SetRegister(0, 1)
	b := newTable(t, emulated.Options{}, 1)
	b.line.Connect(e)
	b.run(3000)
	if e.Register(0) != 0 || e.Register(1) != 20 || e.Register(2) != 3 || e.Register(4) != 14 || e.Tally().Writes != 3 {
		t.Errorf("registers 00 %d, 01 %d, 02 %d, 04 %d after %d writes", e.Register(0), e.Register(1), e.Register(2), e.Register(4), e.Tally().Writes)
	}
	if tally := e.Tally(); tally.BadParity+tally.BadCheck+tally.Foreign+tally.Forgotten != 0 {
		t.Errorf("%+v", tally)
	}
}
