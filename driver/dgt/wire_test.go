package dgt_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

// failer is what a test and a property have in common.
type failer interface {
	Helper()
	Fatal(args ...any)
	Fatalf(format string, args ...any)
}

// wire is a machine and the emulated boards at the other end of its line.
type wire struct {
	t      failer
	m      *dgt.Machine
	boards []*emulated.Board
	now    int64
	mine   int64   // when the machine is to be woken
	theirs []int64 // when the boards are
	in     []board.Input
	out    []string // what the machine wrote
	harm   func(to int, bytes []byte) []byte
}

// newWire begins a conversation with boards that show the start position and have been on for a second.
func newWire(t failer, m *dgt.Machine, boards ...*emulated.Board) *wire {
	w := &wire{t: t, m: m, boards: boards, theirs: make([]int64, len(boards))}
	for i := range boards {
		w.put(i, startPicture)
	}
	w.mine = 1000
	w.run(0)
	return w
}

func (w *wire) put(i int, text string) {
	w.t.Helper()
	p, err := board.ParsePicture(text, board.PieceAcuity)
	if err != nil {
		w.t.Fatal(err)
	}
	for s, what := range p {
		w.boards[i].Set(rules.Square(s), what)
	}
	w.board(i, nil)
}

// set changes a square of the first board.
func (w *wire) set(square string, what board.Symbol) {
	w.t.Helper()
	s, ok := rules.ParseSquare(square)
	if !ok {
		w.t.Fatalf("%s is no square", square)
	}
	w.boards[0].Set(s, what)
	w.board(0, nil)
}

// play moves a man on the first board, lifting a victim first, at the pace of a player.
func (w *wire) play(moves ...string) {
	w.t.Helper()
	men := map[string]board.Symbol{}
	for _, m := range moves {
		from, to, man := m[:2], m[2:4], board.Symbol(m[4])
		if men[to] != 0 {
			w.set(to, '.')
			w.run(400)
		}
		w.set(from, '.')
		w.run(400)
		w.set(to, man)
		men[to] = man
		w.run(1500)
	}
}

func (w *wire) board(i int, in []byte) {
	w.t.Helper()
	out, wake := w.boards[i].Step(w.now, in)
	if w.theirs[i] = wake; wake != 0 && wake <= w.now {
		w.t.Fatalf("at %d: the board's wake %d is not later", w.now, wake)
	}
	if len(out) > 0 && w.m != nil {
		w.machine(w.spoil(-1, out))
	}
}

func (w *wire) machine(in []byte) {
	w.t.Helper()
	inputs, out, wake := w.m.Step(w.now, in)
	if w.mine = wake; wake != 0 && wake <= w.now {
		w.t.Fatalf("at %d: the machine's wake %d is not later", w.now, wake)
	}
	w.in = append(w.in, inputs...)
	if len(out) > 0 {
		w.out = append(w.out, fmt.Sprintf("%X", out))
		for i := range w.boards {
			w.board(i, w.spoil(i, slices.Clone(out)))
		}
	}
}

func (w *wire) spoil(to int, bytes []byte) []byte {
	if w.harm != nil {
		return w.harm(to, bytes)
	}
	return bytes
}

// run lets time pass.
func (w *wire) run(ms int64) {
	w.t.Helper()
	for end := w.now + ms; ; {
		next := end
		if w.mine != 0 && w.m != nil {
			next = min(next, w.mine)
		}
		for _, at := range w.theirs {
			if at != 0 {
				next = min(next, at)
			}
		}
		w.now = max(w.now, next)
		for i, at := range w.theirs {
			if at != 0 && at <= w.now {
				w.board(i, nil)
			}
		}
		if w.m != nil && w.mine != 0 && w.mine <= w.now {
			w.machine(nil)
		}
		if next == end {
			return
		}
	}
}

// said is what the machine has said since the last call, without times, clocks and batteries.
func (w *wire) said() string {
	var s []string
	for _, in := range w.in {
		if in.Kind != board.Clock && in.Kind != board.Battery {
			text, _, _ := strings.Cut(show(in), "@")
			s = append(s, text)
		}
	}
	w.in = nil
	return strings.Join(s, " ")
}

// last is the last reading of the clock.
func (w *wire) last() (r board.Reading) {
	for _, in := range w.in {
		if in.Kind == board.Clock {
			r = in.Reading
		}
	}
	return r
}

// picture is what the machine has said the squares show.
func picture(inputs []board.Input) (p board.Picture) {
	for _, in := range inputs {
		switch in.Kind {
		case board.Scan:
			p = in.Picture
		case board.Change:
			p[in.Square] = in.Symbol
		}
	}
	return p
}

func TestAnEmulatedBoard(t *testing.T) {
	t.Parallel()
	for model := range emulated.Newer + 1 {
		w := newWire(t, dgt.New(dgt.Options{}), emulated.New(emulated.Options{Model: model, Clock: emulated.XL}))
		w.run(3000)
		if got := w.said(); got != "online:true "+startPicture {
			t.Errorf("model %d: start-up says %s", model, got)
		}
		w.play("e2e4P", "e7e5p", "g1f3N", "b8c6n", "f3e5N", "c6e5n")
		if got := w.said(); got != "e2=. e4=P e7=. e5=p g1=. f3=N b8=. c6=n e5=. f3=. e5=N e5=. c6=. e5=n" {
			t.Errorf("model %d: said %s", model, got)
		}
		if h := w.boards[0].Harm(); h != nil {
			t.Errorf("model %d: harmed by % X", model, h)
		}
		if i := w.m.Info(); i.Garbage != 0 || i.Corrections != 0 || i.Unknown != 0 || i.Serial != "01025" {
			t.Errorf("model %d: %+v", model, i)
		}
	}
}

// A board that lies the other way round is reported as it is wired.
func TestAnEmulatedBoardTurnedRound(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{}), emulated.New(emulated.Options{}))
	start, _ := board.ParsePicture(startPicture, board.PieceAcuity)
	w.put(0, start.Turned().String())
	w.run(3000)
	w.play("d7d5P")
	if got := w.said(); !strings.HasSuffix(got, start.Turned().String()+" d7=. d5=P") {
		t.Errorf("said %s", got)
	}
}

// square is the square of a name that begins a text.
func square(text string) rules.Square {
	s, _ := rules.ParseSquare(text[:2])
	return s
}
