package order

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

func square(name string) rules.Square {
	q, ok := rules.ParseSquare(name)
	if !ok {
		panic(name)
	}
	return q
}

func TestOrders(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		o    Options
		want map[string][]int
	}{
		{"rows from a1", Options{}, map[string][]int{"a1": {0}, "h1": {7}, "a2": {8}, "h8": {63}, "e4": {28}}},
		{"serpentine", Options{Serpentine: true}, map[string][]int{"a1": {0}, "h1": {7}, "h2": {8}, "a2": {15}, "a3": {16}, "a8": {63}}},
		{"rows from a8, as JonahPi/RemoteChess", Options{Start: "a8"}, map[string][]int{"a8": {0}, "h8": {7}, "a7": {8}, "h1": {63}}},
		{"bottom right, zigzag, as DIY-Machines/SmartChess", Options{Start: "h1", Serpentine: true},
			map[string][]int{"h1": {0}, "a1": {7}, "a2": {8}, "h2": {15}, "h8": {63}}},
		{"column serpentine, as rustypig91", Options{Files: true, Serpentine: true},
			map[string][]int{"a1": {0}, "a8": {7}, "b8": {8}, "b1": {15}, "h1": {63}}},
		{"columns from a8, as Open-Chess", Options{Start: "a8", Files: true}, map[string][]int{"a8": {0}, "a1": {7}, "b8": {8}}},
		{"from h8 along files", Options{Start: "h8", Files: true}, map[string][]int{"h8": {0}, "h1": {7}, "g8": {8}, "a1": {63}}},
		{"four", Options{PerSquare: Four}, map[string][]int{"a1": {0, 1, 16, 17}, "b1": {2, 3, 18, 19}, "a2": {32, 33, 48, 49}, "h8": {238, 239, 254, 255}}},
		{"four, serpentine", Options{PerSquare: Four, Serpentine: true}, map[string][]int{"a1": {0, 1, 30, 31}, "h1": {14, 15, 16, 17}}},
		{"corners", Options{PerSquare: Corners}, map[string][]int{"a1": {0, 1, 9, 10}, "b1": {1, 2, 10, 11}, "h8": {70, 71, 79, 80}}},
		{"corners from h8", Options{PerSquare: Corners, Start: "h8"}, map[string][]int{"h8": {0, 1, 9, 10}, "a1": {70, 71, 79, 80}}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l, err := New(c.o)
			if err != nil {
				t.Fatal(err)
			}
			for name, want := range c.want {
				if got := l.LEDs[square(name)]; !slices.Equal(got, want) {
					t.Errorf("%s: LEDs %v, want %v", name, got, want)
				}
			}
		})
	}
}

// Every LED is used, by one square, or by one to four where they are shared; all orders have the same numbers.
func TestEveryLEDHasItsSquares(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		o := Options{
			PerSquare:  PerSquare(rapid.IntRange(0, 2).Draw(t, "per square")),
			Start:      rapid.SampledFrom([]string{"", "a1", "h1", "a8", "h8"}).Draw(t, "start"),
			Files:      rapid.Bool().Draw(t, "files"),
			Serpentine: rapid.Bool().Draw(t, "serpentine"),
		}
		l, err := New(o)
		if err != nil {
			t.Fatal(err)
		}
		owners := make([]int, l.Count)
		for q, leds := range l.LEDs {
			if !slices.IsSorted(leds) || len(leds) != []int{1, 4, 4}[o.PerSquare] {
				t.Fatalf("%v: LEDs %v", rules.Square(q), leds)
			}
			for _, i := range leds {
				owners[i]++
			}
		}
		total := 0
		for i, n := range owners {
			if n < 1 || o.PerSquare != Corners && n != 1 || n > 4 {
				t.Fatalf("LED %d has %d squares", i, n)
			}
			total += n
		}
		if l.Count != []int{64, 256, 81}[o.PerSquare] || l.Shared != (o.PerSquare == Corners) {
			t.Fatalf("%d LEDs, shared %v", l.Count, l.Shared)
		}
	})
}

func TestTable(t *testing.T) {
	t.Parallel()
	words := []string{"none"}
	for q := range rules.NoSquare {
		words = append(words, (63 - q).String())
	}
	words[1] = "h8 g8"
	list, err := ParseTable(words)
	if err != nil {
		t.Fatal(err)
	}
	l, err := New(Options{Table: list})
	if err != nil {
		t.Fatal(err)
	}
	if l.Count != 65 || !l.Shared || !slices.Equal(l.LEDs[square("g8")], []int{1, 2}) || !slices.Equal(l.LEDs[square("a1")], []int{64}) {
		t.Errorf("%+v", l)
	}
	white := board.RGB{R: 9, G: 8, B: 7}
	leds := l.Spread(board.Frame{63: white, 62: {B: 20}})
	if leds[1] != (board.RGB{R: 9, G: 8, B: 20}) || leds[2] != (board.RGB{B: 20}) || leds[0] != (board.RGB{}) {
		t.Errorf("light %v", leds[:4])
	}
}

func TestFaultyTables(t *testing.T) {
	t.Parallel()
	all := func(change func([]string) []string) []string {
		var words []string
		for q := range rules.NoSquare {
			words = append(words, q.String())
		}
		return change(words)
	}
	for _, c := range []struct {
		name  string
		words []string
		want  string
	}{
		{"a square is missing", all(func(w []string) []string { w[12] = "none"; return w }), "no LED of the table lights e2"},
		{"no square", all(func(w []string) []string { w[3] = "d9"; return w }), `LED 3: "d9": wants`},
		{"nothing", all(func(w []string) []string { w[3] = ""; return w }), `LED 3: "": wants`},
		{"ends in a blank", all(func(w []string) []string { w[3] = "d1 "; return w }), `LED 3: "d1 ": wants`},
		{"too many", all(func(w []string) []string { return append(w, slices.Repeat([]string{"none"}, 500)...) }), "512 are the most"},
	} {
		if _, err := ParseTable(c.words); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	if _, err := New(Options{Start: "e4"}); err == nil {
		t.Error("LED 0 in the middle of the board is taken")
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add("a1,b1,none,d4 e4 d5 e5")
	f.Fuzz(func(t *testing.T, text string) {
		list, err := ParseTable(strings.Split(text, ","))
		if err != nil {
			return
		}
		l, err := New(Options{Table: list})
		if err != nil {
			t.Fatalf("a table that was read is refused: %v", err)
		}
		l.Spread(board.Frame{})
	})
}
