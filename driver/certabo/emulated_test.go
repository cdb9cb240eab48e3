package certabo_test

import (
	"maps"
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/emulator"
	emulated "github.com/boardd/boardd/driver/emulator/certabo"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	"github.com/boardd/boardd/driver/sentio"
	"github.com/boardd/boardd/rules"
)

// bench is a machine and an emulated board at the two ends of a line, in a time of its own.
type bench struct {
	t       *testing.T
	m       board.Lit
	line    *emulator.Line
	acuity  board.Acuity
	now     int64
	machine int64 // wakes, 0 for never
	board   int64
	men     board.Picture
	stood   map[board.Picture]bool // every picture that there was, as the board sees it
	strange int                    // pictures that there were not
	said    board.Picture
	online  bool
	links   int
	bytes   []byte // all that the board wrote, as it came
}

func newBench(t *testing.T, m board.Lit, e emulator.Machine, acuity board.Acuity) *bench {
	b := &bench{t: t, m: m, line: emulator.NewLine(e, certabo.Baud, 1), acuity: acuity, men: board.EmptyPicture()}
	b.stood = map[board.Picture]bool{}
	for s, sym := range picture(t, start) {
		b.put(rules.Square(s), sym)
	}
	b.stood = map[board.Picture]bool{b.seen(): true}
	b.toMachine(nil)
	b.toBoard(nil)
	return b
}

// seen is what the board sees of the men.
func (b *bench) seen() board.Picture {
	p := b.men
	if b.acuity == board.Presence {
		for s := range p {
			if p[s] != board.Empty {
				p[s] = board.Something
			}
		}
	}
	return p
}

func (b *bench) put(s rules.Square, what board.Symbol) {
	b.men[s] = what
	b.stood[b.seen()] = true
	b.line.Set(s, what)
}

func (b *bench) toBoard(in []byte) {
	out, wake := b.line.Step(b.now, in)
	b.board = wake
	if len(out) > 0 {
		b.bytes = append(b.bytes, out...)
		b.toMachine(out)
	}
}

func (b *bench) toMachine(in []byte) {
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
				b.strange++
			}
		}
	}
	if len(out) > 0 {
		b.toBoard(out)
	}
}

func (b *bench) light(f board.Frame) {
	b.m.Light(f)
	b.toMachine(nil)
}

// run lets time pass.
func (b *bench) run(ms int64) {
	for end := b.now + ms; ; {
		next := b.board
		if b.machine != 0 {
			next = min(next, b.machine)
		}
		if next > end {
			b.now = end
			return
		}
		b.now = max(b.now, next)
		if b.board <= b.now {
			b.toBoard(nil)
		}
		if b.machine != 0 && b.machine <= b.now {
			b.toMachine(nil)
		}
	}
}

// hands move men about without any law, slowly enough for the board to see each man in the air. Captures exchange the man.
func (b *bench) hands(dice *rand.Rand, n int) {
	for range n {
		from, to := rules.Square(dice.IntN(64)), rules.Square(dice.IntN(64))
		if what := b.men[from]; what != board.Empty && from != to {
			b.put(from, board.Empty)
			b.run(1000 + dice.Int64N(400))
			b.put(to, what)
		}
		b.run(1000 + dice.Int64N(400))
	}
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
				b := newBench(t, certabo.New(certabo.Options{Pieces: pieces}), e, board.PieceAcuity)
				b.line.Fault(f)
				b.run(4000)
				b.light(lit("e2", "e4"))
				b.hands(rand.New(rand.NewPCG(3, 4)), 40)
				b.line.Fault(emulator.Faults{})
				b.light(lit("a1", "h8"))
				b.run(16_000)
				if b.said != b.men || !b.online {
					t.Errorf("online %v\nsaid   %s\nstands %s", b.online, b.said, b.men)
				}
				for s, c := range b.line.Lit() {
					if name := rules.Square(s).String(); (c != board.RGB{}) != (name == "a1" || name == "h8") {
						t.Errorf("%s: %v", name, c)
					}
				}
				good := f == (emulator.Faults{})
				if good && b.links != 1 {
					t.Errorf("the link changed %d times", b.links)
				}
				if o.LowGain == 0 && o.FrameMs == 0 && good && b.strange > 0 {
					t.Errorf("%d pictures never stood", b.strange)
				}
				if b.strange > 10 {
					t.Errorf("%d pictures never stood", b.strange)
				}
				raw := certabo.NewRaw(certabo.Options{Pieces: pieces})
				var said board.Picture
				in, _, _ := raw.Step(0, b.bytes)
				for _, in := range in {
					if in.Kind == board.Scan {
						said = in.Picture
					}
				}
				if said != b.said {
					t.Errorf("recorded: %s\nlive:     %s", said, b.said)
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
				b := newBench(t, m, emulatedsentio.New(o), board.Presence)
				b.line.Fault(f)
				b.run(4000)
				b.light(lit("e2", "e4"))
				b.hands(rand.New(rand.NewPCG(3, 4)), 40)
				b.line.Fault(emulator.Faults{})
				b.light(lit("a1", "h8"))
				b.run(16_000)
				if b.said != b.seen() || !b.online {
					t.Errorf("online %v\nsaid   %s\nstands %s", b.online, b.said, b.seen())
				}
				if f == (emulator.Faults{}) && (b.links != 1 || b.strange != 0) {
					t.Errorf("the link changed %d times, %d pictures never stood", b.links, b.strange)
				}
				if m.Info().Lamps != certabo.SingleLamps {
					t.Errorf("lights of kind %d", m.Info().Lamps)
				}
				for s, c := range b.line.Lit() {
					if name := rules.Square(s).String(); (c != board.RGB{}) != (name == "a1" || name == "h8") {
						t.Errorf("%s: %v", name, c)
					}
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
	b := newBench(t, certabo.New(certabo.Options{Pieces: letters(t, e)}), e, board.PieceAcuity)
	b.run(2000)
	b.put(rules.NewSquare(0, 6), board.Empty)
	b.run(1000)
	b.put(rules.NewSquare(0, 7), board.Unknown)
	b.run(2000)
	if b.said != b.men || b.said[rules.NewSquare(0, 7)] != board.Unknown {
		t.Errorf("said %s", b.said)
	}
}

// Power fails: the game goes on, and the lights are as they were.
func TestEmulatedPowerCut(t *testing.T) {
	t.Parallel()
	e := emulated.New(emulated.Options{})
	pieces := letters(t, e)
	b := newBench(t, certabo.New(certabo.Options{Pieces: pieces}), e, board.PieceAcuity)
	b.run(2000)
	b.light(lit("c3"))
	b.run(1000)
	b.line.Fault(emulator.Faults{Silent: true})
	b.put(rules.NewSquare(4, 1), board.Empty)
	b.put(rules.NewSquare(4, 3), 'P')
	b.run(8000)
	if b.online {
		t.Error("still online")
	}
	b.line.Fault(emulator.Faults{})
	b.line.Connect(emulated.New(emulated.Options{}))
	b.toBoard(nil)
	b.run(4000)
	if b.said != b.men || !b.online || b.links != 3 || b.line.Lit()[rules.NewSquare(2, 2)] == (board.RGB{}) {
		t.Errorf("online %v after %d changes, said %s", b.online, b.links, b.said)
	}
}
