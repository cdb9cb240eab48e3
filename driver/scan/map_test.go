package scan

import (
	"math/bits"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/rules"
)

func square(t *testing.T, name string) rules.Square {
	t.Helper()
	s, err := ParseSquare(name)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

// TestWiringsThatPeopleHaveBuilt has boards that were published, with wires numbered chip by chip, port A before port B.
func TestWiringsThatPeopleHaveBuilt(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		layout Layout
		wires  map[int]string
	}{
		{"plain", Layout{Generator: "rows"}, map[int]string{0: "a1", 7: "h1", 8: "a2", 12: "e2", 63: "h8"}},
		// Four expanders of two ranks each; the even rank from h to a, the odd one from a to h; the first chip has ranks 8 and 7.
		{"lightmate", Layout{Generator: "snake", Rotate: 180}, map[int]string{0: "h8", 7: "a8", 8: "a7", 15: "h7", 16: "h6", 63: "h1"}},
		// Pins interleaved along the package, a chip two ranks.
		{"smart-chess", Layout{Generator: "pairs"}, map[int]string{
			0: "a1", 8: "b1", 1: "c1", 9: "d1", 2: "e1", 10: "f1", 3: "g1", 11: "h1", 15: "a2", 7: "b2", 4: "h2", 12: "g2", 16: "a3", 31: "a4"}},
		// Eight expanders, 0x20 is rank 8, pin 0 is file a.
		{"chesslrcontroller and RemoteChess", Layout{Generator: "rows", Mirror: true, Rotate: 180},
			map[int]string{0: "a8", 7: "h8", 8: "a7", 63: "h1"}},
		// One port a file.
		{"SeniorProject", Layout{Generator: "rows", Swap: true}, map[int]string{0: "a1", 1: "a2", 8: "b1", 63: "h8"}},
		{"CHECKMATE, by its quarters", Layout{Generator: "quadrants"}, map[int]string{0: "a1", 3: "d1", 4: "a2", 15: "d4", 16: "e1", 32: "a5", 48: "e5", 63: "h8"}},
		// Multiplexers of two files each, the last files first.
		{"Automatic-Chessboard", Layout{Generator: "rows", Rotate: 270, Mirror: false}, map[int]string{0: "h1", 7: "h8", 8: "g1", 63: "a8"}},
		{"two wires exchanged, one cut", Layout{Generator: "rows", Overrides: map[int]rules.Square{12: 13, 13: 12, 20: rules.NoSquare}},
			map[int]string{12: "f2", 13: "e2", 20: "-"}},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			m, err := test.layout.Map()
			if err != nil {
				t.Fatal(err)
			}
			for wire, name := range test.wires {
				if got := m[wire]; got != square(t, name) {
					t.Errorf("wire %d is %s, want %s", wire, got, name)
				}
			}
		})
	}
}

func TestMapSaysWhatIsWrongWithIt(t *testing.T) {
	t.Parallel()
	layout := Layout{Generator: "rows", Overrides: map[int]rules.Square{20: rules.NoSquare, 9: 8}}
	m, err := layout.Map()
	if err != nil {
		t.Fatal(err)
	}
	const want = "no wire for b2 e3; a2 is on the wires 8 and 9"
	if err := m.Validate(0); err == nil || err.Error() != want {
		t.Errorf("%v, want %s", err, want)
	}
	dead := square(t, "e3").Bit() | square(t, "b2").Bit()
	if err := m.Validate(dead); err == nil || strings.Contains(err.Error(), "e3") {
		t.Errorf("dead squares need no wire: %v", err)
	}
	for wire := range m {
		m[wire] = rules.NoSquare
	}
	if err := m.Validate(0); err == nil || err.Error() != "no wire for a1 b1 c1 d1 e1 f1 g1 h1 a2 and 55 more" {
		t.Errorf("an empty map: %v", err)
	}
	for _, bad := range []Layout{{}, {Generator: "spiral"}, {Generator: "rows", Rotate: 45}, {Generator: "rows", Rotate: -90}, {Generator: "rows", Rotate: 360},
		{Generator: "rows", Overrides: map[int]rules.Square{64: 0}}, {Generator: "rows", Overrides: map[int]rules.Square{-1: 0}}} {
		if _, err := bad.Map(); err == nil {
			t.Errorf("%+v is taken", bad)
		}
	}
}

// TestEverySymmetryIsWhole: whatever way a board is turned, each square has one wire; neighbours stay neighbours.
func TestEverySymmetryIsWhole(t *testing.T) {
	t.Parallel()
	seen := map[Map]bool{}
	for _, g := range Generators[:4] {
		for n := range 16 {
			l := Layout{Generator: g, Swap: n&1 != 0, Mirror: n&2 != 0, Rotate: n >> 2 * 90}
			m, err := l.Map()
			if err != nil {
				t.Fatal(err)
			}
			if err := m.Validate(0); err != nil {
				t.Errorf("%+v: %v", l, err)
			}
			seen[m] = true
			var hit uint64
			for wire := range m {
				hit |= 1 << m[wire]
			}
			if bits.OnesCount64(hit) != 64 {
				t.Errorf("%+v: %d squares", l, bits.OnesCount64(hit))
			}
		}
	}
	if len(seen) != 4*8 {
		t.Errorf("%d maps, want the 8 symmetries of each of 4 generators", len(seen))
	}
}

func TestOverridesWin(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := Layout{
			Generator: rapid.SampledFrom(Generators).Draw(t, "generator"), Swap: rapid.Bool().Draw(t, "swap"),
			Mirror: rapid.Bool().Draw(t, "mirror"), Rotate: rapid.SampledFrom([]int{0, 90, 180, 270}).Draw(t, "rotate"),
		}
		for wire := range l.Table {
			l.Table[wire] = rules.Square(rapid.IntRange(0, 64).Draw(t, "square"))
		}
		l.Overrides = rapid.MapOf(rapid.IntRange(0, 63), rapid.Map(rapid.IntRange(0, 64), func(n int) rules.Square { return rules.Square(n) })).Draw(t, "overrides")
		m, err := l.Map()
		if err != nil {
			t.Fatal(err)
		}
		for wire, want := range l.Overrides {
			if m[wire] != want {
				t.Fatalf("wire %d is %s, want %s", wire, m[wire], want)
			}
		}
	})
}
