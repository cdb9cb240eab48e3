package certabo_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/emulator"
	emulated "github.com/boardd/boardd/driver/emulator/certabo"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	"github.com/boardd/boardd/driver/sentio"
	"github.com/boardd/boardd/rules"
)

// newTable is a driver and an emulated board with the start position on it.
func newTable(t *testing.T, m board.Lit, e emulator.Machine, sees board.Acuity) *emulatortest.Table {
	return emulatortest.New(t, m, e, emulatortest.Options{Baud: certabo.Baud, Seed: 1, Sees: sees, Men: emulatortest.Start()})
}

// hands move men about slowly enough for the board to see each man in the air.
func hands(b *emulatortest.Table) {
	dice := rand.New(rand.NewPCG(3, 4))
	slowly := func() int64 { return 1000 + dice.Int64N(400) }
	b.Hands(dice, 40, slowly, slowly)
}

var (
	badLine = emulator.Faults{Cut: 0.05, Twice: 0.05, Late: 0.05, Foreign: 0.05, Parity: 0.0003, Deaf: 0.05}
	letters = func(t *testing.T, e *emulated.Board) certabo.Table {
		t.Helper()
		table, err := certabo.TableOf(e.Chips())
		if err != nil {
			t.Fatal(err)
		}
		return table
	}
)

func TestEmulatedCertabo(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]emulated.Options{
		"clean":                    {},
		"noise":                    {Noise: 0.15},
		"noise in a few":           {Noise: 0.01},
		"bad chips":                {LowGain: 0.02},
		"line feeds":               {Wrap: true, Noise: 0.15},
		"Bluetooth":                {NoColon: true, Noise: 0.15},
		"no space":                 {NoSpace: true},
		"coloured lights":          {Color: true},
		"answers in lines":         {AnswerInLine: true},
		"coloured, line feeds":     {Color: true, AnswerInLine: true, Wrap: true},
		"first line cut":           {CutFirst: true},
		"Chesstimation":            {SmallChips: true},
		"all at once":              {Noise: 0.15, LowGain: 0.02, Wrap: true, AnswerInLine: true, CutFirst: true},
		"as slow as the simulator": {FrameMs: 1000},
	} {
		for how, f := range map[string]emulator.Faults{"a good line": {}, "a bad line": badLine} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				e := emulated.New(o)
				pieces := letters(t, e)
				b := newTable(t, certabo.New(certabo.Options{Pieces: pieces}), e, board.PieceAcuity)
				b.Line.Fault(f)
				b.Run(4000)
				b.Light(lit("e2", "e4"))
				hands(b)
				b.Line.Fault(emulator.Faults{})
				b.Light(lit("a1", "h8"))
				b.Run(16_000)
				if b.Said != b.Men || !b.Online {
					t.Errorf("online %v\nsaid   %s\nstands %s", b.Online, b.Said, b.Men)
				}
				if lit := b.Lit(); lit != "a1 h8" {
					t.Errorf("lit %s", lit)
				}
				good := f == (emulator.Faults{})
				if good && b.Links != 1 {
					t.Errorf("the link changed %d times", b.Links)
				}
				if o.LowGain == 0 && o.FrameMs == 0 && good && len(b.Strange) > 0 {
					t.Errorf("%d pictures never stood", len(b.Strange))
				}
				if len(b.Strange) > 10 {
					t.Errorf("%d pictures never stood", len(b.Strange))
				}
				if said := b.Replayed(certabo.NewRaw(certabo.Options{Pieces: pieces})); said != b.Said {
					t.Errorf("recorded: %s\nlive:     %s", said, b.Said)
				}
			})
		}
	}
}

func TestEmulatedSentio(t *testing.T) {
	t.Parallel()
	for name, o := range map[string]emulatedsentio.Options{
		"clean":            {},
		"Bluetooth":        {NoColon: true},
		"no space":         {NoSpace: true},
		"answers in lines": {AnswerInLine: true},
		"first line cut":   {CutFirst: true},
		"fast":             {FrameMs: 50},
	} {
		for how, f := range map[string]emulator.Faults{"a good line": {}, "a bad line": badLine} {
			t.Run(name+", "+how, func(t *testing.T) {
				t.Parallel()
				m := sentio.New(sentio.Options{})
				b := newTable(t, m, emulatedsentio.New(o), board.Presence)
				b.Line.Fault(f)
				b.Run(4000)
				b.Light(lit("e2", "e4"))
				hands(b)
				b.Line.Fault(emulator.Faults{})
				b.Light(lit("a1", "h8"))
				b.Run(16_000)
				if b.Said != b.Stands() || !b.Online {
					t.Errorf("online %v\nsaid   %s\nstands %s", b.Online, b.Said, b.Stands())
				}
				if f == (emulator.Faults{}) && (b.Links != 1 || len(b.Strange) != 0) {
					t.Errorf("the link changed %d times, %d pictures never stood", b.Links, len(b.Strange))
				}
				if m.Info().Lamps != certabo.SingleLamps {
					t.Errorf("lights of kind %d", m.Info().Lamps)
				}
				if lit := b.Lit(); lit != "a1 h8" {
					t.Errorf("lit %s", lit)
				}
			})
		}
	}
}

// The lesson learns from an emulated board, with noise and bad chips, what the board knows of itself.
func TestEmulatedLesson(t *testing.T) {
	t.Parallel()
	e := emulated.New(emulated.Options{Noise: 0.15, LowGain: 0.05, Wrap: true})
	for s, sym := range picture(t, start) {
		e.Set(rules.Square(s), sym)
	}
	e.Set(rules.NewSquare(3, 5), 'q')
	l := certabo.NewLearn(certabo.LearnOptions{})
	now, boardWake, wake := int64(0), int64(0), int64(0)
	var in []byte
	for ; now < 20_000 && !l.Lesson().Done; now++ {
		var out, answer []byte
		if now >= boardWake || len(in) > 0 {
			out, boardWake = e.Step(now, in)
			in = nil
		}
		if len(out) > 0 || wake != 0 && now >= wake {
			answer, wake = l.Step(now, out)
			in = answer
		}
	}
	if !l.Lesson().Done {
		t.Fatalf("%+v", l.Lesson())
	}
	table := l.Table()
	known := letters(t, e)
	for c, p := range table {
		if known[c] != p {
			t.Errorf("%s is taken for %c", c, p.Letter())
		}
	}
	if len(table) < 32 || len(table) > 33 {
		t.Errorf("%d chips", len(table))
	}
	if maps.Equal(table, known) {
		t.Error("more is known than can be")
	}
}

// MD-29: a man that was never learnt is an unknown man.
func TestEmulatedUnknownMan(t *testing.T) {
	t.Parallel()
	e := emulated.New(emulated.Options{Noise: 0.15})
	b := newTable(t, certabo.New(certabo.Options{Pieces: letters(t, e)}), e, board.PieceAcuity)
	b.Run(2000)
	b.Put(rules.NewSquare(0, 6), board.Empty)
	b.Run(1000)
	b.Put(rules.NewSquare(0, 7), board.Unknown)
	b.Run(2000)
	if b.Said != b.Men || b.Said[rules.NewSquare(0, 7)] != board.Unknown {
		t.Errorf("said %s", b.Said)
	}
}

// Power fails: the game goes on, and the lights are as they were.
func TestEmulatedPowerCut(t *testing.T) {
	t.Parallel()
	e := emulated.New(emulated.Options{})
	pieces := letters(t, e)
	b := newTable(t, certabo.New(certabo.Options{Pieces: pieces}), e, board.PieceAcuity)
	b.Run(2000)
	b.Light(lit("c3"))
	b.Run(1000)
	b.Line.Fault(emulator.Faults{Silent: true})
	b.Put(rules.NewSquare(4, 1), board.Empty)
	b.Put(rules.NewSquare(4, 3), 'P')
	b.Run(8000)
	if b.Online {
		t.Error("still online")
	}
	b.Line.Fault(emulator.Faults{})
	b.Connect(emulated.New(emulated.Options{}))
	b.Run(4000)
	if b.Said != b.Men || !b.Online || b.Links != 3 || b.Lit() != "c3" {
		t.Errorf("online %v after %d changes, said %s", b.Online, b.Links, b.Said)
	}
}
