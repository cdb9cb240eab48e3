package chesslink_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/chesslink"
	"github.com/boardd/boardd/driver/emulator"
	emulated "github.com/boardd/boardd/driver/emulator/chesslink"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
)

// newTable is a driver and an emulated board with the start position on it. At the end of the test nothing may have been said
// that never stood there.
func newTable(t *testing.T, o emulated.Options) (*emulatortest.Table, *chesslink.Machine) {
	m := chesslink.New(chesslink.Options{})
	b := emulatortest.New(t, m, emulated.New(o), emulatortest.Options{
		Baud: chesslink.Baud, Seed: 1, Sees: board.PieceAcuity, Men: emulatortest.Start()})
	t.Cleanup(func() {
		for _, p := range b.Strange {
			t.Errorf("never stood: %s", p)
		}
	})
	return b, m
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
				b, m := newTable(t, o)
				b.Line.Fault(f)
				b.Run(9_000)
				if !b.Online {
					t.Fatal("not online after nine seconds")
				}
				b.Light(frame(false, "e2", "e4"))
				dice := rand.New(rand.NewPCG(1, 2))
				b.Hands(dice, 60, func() int64 { return 100 + dice.Int64N(400) }, func() int64 { return 100 + dice.Int64N(900) })
				b.Line.Fault(emulator.Faults{})
				b.Light(frame(false, "a1", "h8"))
				b.Run(4_000)
				if b.Said != b.Men {
					t.Errorf("said  %s\nstands %s", b.Said, b.Men)
				}
				if f == (emulator.Faults{}) && b.Links != 1 {
					t.Errorf("the link changed %d times", b.Links)
				}
				if lit := b.Lit(); lit != "a1 h8" {
					t.Errorf("lit %s", lit)
				}
				if t.Failed() {
					t.Logf("%+v\n%+v\n%q", m.Info(), b.Line.Tally(), m.Notes())
				}
				if said := b.Replayed(chesslink.NewRaw(chesslink.Options{})); said != b.Said {
					t.Errorf("recorded: %s\nlive:     %s", said, b.Said)
				}
			})
		}
	}
}

// The board lying the other way round is seen turned, and its lights turn with it.
func TestEmulatedCableRight(t *testing.T) {
	t.Parallel()
	b, _ := newTable(t, emulated.Options{CableRight: true})
	b.Stood(b.Men.Turned())
	b.Run(2000)
	if b.Said != b.Men.Turned() {
		t.Errorf("said %s", b.Said)
	}
	b.Light(frame(true, "a1", "e4"))
	b.Run(1000)
	if lit := b.Lit(); lit != "a1 e4" {
		t.Errorf("lit %s", lit)
	}
}

// Power fails for a moment, and for long: the game goes on, and the lights are as they were.
func TestEmulatedPowerCut(t *testing.T) {
	t.Parallel()
	for _, ms := range []int64{100, 3_000, 12_000} {
		t.Run(fmt.Sprint(ms), func(t *testing.T) {
			t.Parallel()
			b, _ := newTable(t, emulated.Options{})
			b.Run(2000)
			b.Light(frame(false, "c3"))
			b.Run(500)
			b.Line.Fault(emulator.Faults{Silent: true})
			b.Put(square("e2"), board.Empty)
			b.Put(square("e4"), 'P')
			b.Run(ms)
			b.Line.Fault(emulator.Faults{})
			b.Connect(emulated.New(emulated.Options{}))
			b.Run(6000)
			if b.Said != b.Men || !b.Online {
				t.Errorf("online %v, said %s", b.Online, b.Said)
			}
			if lit := b.Lit(); ms > 1000 && lit != "c3" {
				t.Errorf("lit %s, want c3", lit)
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
	b, _ := newTable(t, emulated.Options{})
	b.Connect(e)
	b.Run(3000)
	if e.Register(0) != 0 || e.Register(1) != 20 || e.Register(2) != 3 || e.Register(4) != 14 || e.Tally().Writes != 3 {
		t.Errorf("registers 00 %d, 01 %d, 02 %d, 04 %d after %d writes", e.Register(0), e.Register(1), e.Register(2), e.Register(4), e.Tally().Writes)
	}
	if tally := e.Tally(); tally.BadParity+tally.BadCheck+tally.Foreign+tally.Forgotten != 0 {
		t.Errorf("%+v", tally)
	}
}
