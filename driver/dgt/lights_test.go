package dgt_test

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

var _ board.Lit = (*dgt.Machine)(nil)

// frame lights the squares that are named.
func frame(squares string) (f board.Frame) {
	for _, s := range strings.Fields(squares) {
		f[square(s)] = board.RGB{G: 10}
	}
	return f
}

func (w *wire) light(squares string, ms int64) {
	w.m.Light(frame(squares))
	w.machine(nil)
	w.run(ms)
}

func (w *wire) lit() string {
	var s []string
	for sq, c := range w.boards[0].Lit() {
		if c != (board.RGB{}) {
			s = append(s, rules.Square(sq).String())
		}
	}
	return strings.Join(s, " ")
}

func TestLights(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{}), emulated.New(emulated.Options{Model: emulated.RevelationII}))
	w.run(3000)
	if got := strings.Join(w.longer(), " "); got != "600402010000 600402020000 600400404000" {
		t.Errorf("at start-up: %s", got)
	}
	for _, c := range []struct{ squares, writes string }{
		{"e2 e4", "600401342400"}, // the page's example
		{"e2 e4 a1", "600401383800"},
		{"e4 h8", "600400383400 600401070700"},
		{"", "600400404000"},
		{"a1 b1 c1 d1 e1", "600401383900 6004013A3B00 6004013C3C00"},
	} {
		w.out = nil
		w.light(c.squares, 700)
		if got := strings.Join(w.longer(), " "); got != c.writes {
			t.Errorf("%q: wrote %s, want %s", c.squares, got, c.writes)
		}
		if got := w.lit(); !sameSquares(got, c.squares) {
			t.Errorf("lit are %q, want %q", got, c.squares)
		}
	}
	w.play("e2e4P") // lights stay
	if got := w.lit(); !sameSquares(got, "a1 b1 c1 d1 e1") {
		t.Errorf("after a ply %q are lit", got)
	}
}

func sameSquares(a, b string) bool {
	x, y := strings.Fields(a), strings.Fields(b)
	slices.Sort(x)
	slices.Sort(y)
	return slices.Equal(x, y)
}

// Nothing is said to boards that would take it for something else.
func TestBoardsWithoutLights(t *testing.T) {
	t.Parallel()
	for _, o := range []emulated.Options{
		{}, {Model: emulated.Bluetooth}, {Model: emulated.RevelationII, LongSerial: "3.21000000"}, {LongSerial: "3x24000000"}, {LongSerial: "3.2x000000"},
	} {
		w := newWire(t, dgt.New(dgt.Options{}), emulated.New(o))
		w.light("e2 e4", 3000)
		w.light("e2 d4", 70_000)
		w.light("e2 e4", 1000)
		if got := w.longer(); got != nil {
			t.Errorf("%+v is told %v", o, got)
		}
		if n := w.m.Notes(); len(n) != 1 || !strings.Contains(n[0], "Revelation II") {
			t.Errorf("%+v: notes %q", o, n)
		}
	}
}

// A frame that was given before the board was there is shown when it is, and again after it was away.
func TestLightsOfABoardThatComesLater(t *testing.T) {
	t.Parallel()
	w := newWire(t, dgt.New(dgt.Options{}), emulated.New(emulated.Options{Model: emulated.RevelationII}))
	w.light("e2 e4", 3000)
	if got := w.lit(); got != "e2 e4" {
		t.Errorf("lit are %q", got)
	}
	w.harm = func(int, []byte) []byte { return nil }
	w.run(12_000)
	w.boards[0].Restart()
	w.board(0, nil)
	w.light("d4", 1000)
	w.harm = nil
	w.run(8000)
	if got := w.lit(); got != "d4" {
		t.Errorf("after it was away %q are lit", got)
	}
}

// There is no answer, so what is lost is said again; and whatever is shown and lost, moves are read.
func TestLightsComeRight(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		w := newWire(t, dgt.New(dgt.Options{}), emulated.New(emulated.Options{Model: emulated.RevelationII}))
		w.run(3000)
		bad := true
		w.harm = func(to int, b []byte) []byte {
			if bad && to >= 0 && b[0] == 0x60 && rapid.IntRange(0, 3).Draw(t, "loss") == 0 {
				return nil
			}
			return b
		}
		names := []string{}
		for range rapid.IntRange(1, 10).Draw(t, "frames") {
			names = nil
			for range rapid.IntRange(0, 6).Draw(t, "squares") {
				names = append(names, rules.Square(rapid.IntRange(0, 63).Draw(t, "square")).String())
			}
			w.light(strings.Join(names, " "), rapid.Int64Range(0, 800).Draw(t, "pause"))
		}
		bad = false
		w.set("e2", '.')
		w.run(12_000)
		want := map[string]bool{}
		for _, n := range names {
			want[n] = true
		}
		got := strings.Fields(w.lit())
		for _, n := range got {
			delete(want, n)
		}
		if len(want) > 0 {
			t.Fatalf("%v are dark, lit are %v", want, got)
		}
		if len(names) == 0 && len(got) > 0 {
			t.Fatalf("%v are lit", got)
		}
		if p := picture(w.in); p[square("e2")] != '.' {
			t.Fatalf("e2 is not seen empty")
		}
		w.light("", 1000)
		if got := w.lit(); got != "" {
			t.Fatalf("%v are lit in the end", got)
		}
		if h := w.boards[0].Harm(); h != nil {
			t.Fatalf("the board was harmed by % X", h)
		}
	})
}
