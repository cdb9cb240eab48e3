package leds

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// displaced is a view of a board that shows one thing where another is wanted, both as words like "e2P".
func displaced(stands, wanted string) *game.View {
	v := view("", nil)
	v.Wanted = board.EmptyPicture()
	put := func(p *board.Picture, men string) {
		for i := 0; i+2 < len(men); i += 4 {
			p[sq(men[i:i+2])] = board.Symbol(men[i+2])
		}
	}
	put(&v.Placement, stands)
	put(&v.Wanted, wanted)
	compare(v)
	return v
}

// compare does what game.Table does with a picture and what is wanted.
func compare(v *game.View) {
	v.Remove, v.Put = 0, 0
	for q := range rules.NoSquare {
		if v.Placement[q] == v.Wanted[q] {
			continue
		}
		if v.Placement[q] != board.Empty {
			v.Remove |= q.Bit()
		}
		if v.Wanted[q] != board.Empty {
			v.Put |= q.Bit()
		}
	}
}

func TestPairs(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, stands, wanted string
		pairs                []Pair
		takeOff, fetch       rules.Bitboard
	}{
		{"agrees", "e2P", "e2P", nil, 0, 0},
		{"one man", "e5P", "e2P", []Pair{{sq("e5"), sq("e2")}}, 0, 0},
		{"another kind does not go there", "e5P", "e2R", nil, set("e5"), set("e2")},
		{"the nearest of two like men", "b3x h3x", "a1x", []Pair{{sq("b3"), sq("a1")}}, set("h3"), 0},
		{"the nearer of two places", "b3x", "a1x h8x", []Pair{{sq("b3"), sq("a1")}}, 0, set("h8")},
		// The nearest first would be d1 to c1 over one square and a1 to h1 over seven.
		{"least in total, not the nearest first", "a1x d1x", "c1x h1x", []Pair{{sq("a1"), sq("c1")}, {sq("d1"), sq("h1")}}, 0, 0},
		{"ways do not cross", "a1x h1x", "a8x h8x", []Pair{{sq("a1"), sq("a8")}, {sq("h1"), sq("h8")}}, 0, 0},
		{"colours keep to themselves", "a1w h1b", "a8b h8w", []Pair{{sq("a1"), sq("h8")}, {sq("h1"), sq("a8")}}, 0, 0},
		{"in each other's places", "d1K e1Q", "d1Q e1K", []Pair{{sq("d1"), sq("e1")}, {sq("e1"), sq("d1")}}, 0, 0},
		{"a man of which nobody knows what it is", "a1? b1N", "h1N", []Pair{{sq("b1"), sq("h1")}}, set("a1"), 0},
		{"it has to serve for what nobody else can be", "a1? b1N", "h1N h2B", []Pair{{sq("b1"), sq("h1")}, {sq("a1"), sq("h2")}}, 0, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pairs, takeOff, fetch := Pairs(displaced(c.stands, c.wanted))
			got := map[Pair]bool{}
			for _, p := range pairs {
				got[p] = true
			}
			for _, p := range c.pairs {
				if !got[p] {
					t.Errorf("%v is missing in %v", p, pairs)
				}
			}
			if len(pairs) != len(c.pairs) || takeOff != c.takeOff || fetch != c.fetch {
				t.Errorf("got %v, take off %v, fetch %v", pairs, takeOff, fetch)
			}
		})
	}
}

// assign finds what trying every order finds.
func TestAssignIsOptimal(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		rows := rapid.IntRange(0, 5).Draw(t, "rows")
		columns := rapid.IntRange(rows, 6).Draw(t, "columns")
		costs := make([][]int, rows)
		for i := range costs {
			costs[i] = rapid.SliceOfN(rapid.OneOf(rapid.IntRange(0, 20), rapid.Just(unfit)), columns, columns).Draw(t, "costs")
		}
		total, used := 0, map[int]bool{}
		for i, j := range assign(costs) {
			total += costs[i][j]
			used[j] = true
		}
		if len(used) != rows {
			t.Fatalf("%d columns for %d rows", len(used), rows)
		}
		if best := least(costs, 0, 0); total != best {
			t.Fatalf("costs %d, %d is possible", total, best)
		}
	})
}

func least(costs [][]int, row, used int) int {
	if row == len(costs) {
		return 0
	}
	best := 1 << 30
	for j, c := range costs[row] {
		if used>>j&1 == 0 {
			best = min(best, c+least(costs, row+1, used|1<<j))
		}
	}
	return best
}

// The whole board is off: every man has its square, and doing one step after the other ends with everything right.
func TestStepsLeadHome(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		start := rules.Start()
		acuity := rapid.SampledFrom([]board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity}).Draw(t, "acuity")
		v := view("", nil)
		var men []board.Symbol
		for q := range rules.NoSquare {
			v.Wanted[q] = acuity.See(start.At(q))
			men = append(men, v.Wanted[q])
		}
		copy(v.Placement[:], rapid.Permutation(men).Draw(t, "men"))
		compare(v)
		var hand []board.Symbol
		for steps := 0; v.Remove|v.Put != 0; steps++ {
			if steps > 200 {
				t.Fatalf("no end: %v instead of %v", v.Placement, v.Wanted)
			}
			remove, put := nextStep(v)
			switch {
			case remove != 0: // the man of the pair is taken up
				q := remove.First()
				hand, v.Placement[q] = append(hand, v.Placement[q]), board.Empty
			case put != 0: // and one that fits is set down
				q := put.First()
				i := 0
				for i < len(hand) && hand[i] != v.Wanted[q] {
					i++
				}
				if i == len(hand) {
					t.Fatalf("%v waits for %c, in the hand is %q", q, v.Wanted[q], hand)
				}
				v.Placement[q], hand = v.Wanted[q], append(hand[:i], hand[i+1:]...)
			default:
				t.Fatal("nothing is shown")
			}
			compare(v)
		}
		if len(hand) != 0 {
			t.Fatalf("left over: %q", hand)
		}
	})
}
