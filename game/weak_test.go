package game

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// faulty is a performance as a presence board shows it whose squares dead are always empty and whose squares full always show
// a man.
func faulty(perf hand.Performance, dead, full rules.Bitboard) hand.Performance {
	var in []board.Input
	for _, s := range squares(full) {
		in = append(in, board.Input{Kind: board.Change, Square: s, Symbol: board.Something})
	}
	for _, x := range perf.Inputs {
		if x.Kind != board.Change || !(dead | full).Has(x.Square) {
			in = append(in, x)
		}
	}
	perf.Inputs = in
	return perf
}

// TestGamesOnFaultySquares plays real games at a slow pace on boards of which one square is always empty and another always
// full. With two such squares some plies leave no trace, or the same as others, and what follows may be lost.
func TestGamesOnFaultySquares(t *testing.T) {
	t.Parallel()
	style, _ := hand.Styles().Style("slow")
	games := corpus(t, "train.tsv.gz", rules.Standard, 6, tuned)
	for _, tt := range []struct {
		dead, full string
		percent    int // of the plies are right at least
		wrong      int // mistakes that stay at most
		sound      int // squares that are named wrongly at most
	}{{"e4", "", 98, 0, 0}, {"", "e5", 98, 0, 0}, {"f3", "c6", 80, 8, 3}, {"d3", "b5", 80, 8, 3}} {
		t.Run("dead "+tt.dead+" full "+tt.full, func(t *testing.T) {
			t.Parallel()
			var y tally
			named := map[string]int{}
			for gi, g := range games {
				perf := faulty(hand.Play(style, hand.Styles().Sensor(board.Presence), g.start, g.moves, uint64(gi)), set(tt.dead), set(tt.full))
				o, _ := judge(g, &perf, board.Presence)
				y.add(&o)
				once := map[string]bool{}
				watch(seatFor(g, board.Presence), &perf, 10_000, func(_ int64, out *Output) {
					for _, e := range out.Events {
						if w, ok := e.Body.(*WeakSquare); ok && w.Kind == "stuck" {
							if once[w.Square.String()] {
								t.Errorf("game %d: %s is said twice", gi, w.Square)
							}
							once[w.Square.String()] = true
						}
					}
				})
				for s := range once {
					named[s]++
				}
			}
			t.Logf("right %d of %d, games %d of %d, wrong %d, corrections %d, doubts %d, named %v",
				y.right, y.plies, y.whole, y.games, y.wrong, y.corrections, y.doubts, named)
			if y.right*100 < y.plies*tt.percent || y.wrong > tt.wrong {
				t.Errorf("right %d of %d, wrong %d", y.right, y.plies, y.wrong)
			}
			for _, s := range strings.Fields(tt.dead + " " + tt.full) {
				if named[s] < y.games/2 {
					t.Errorf("%s is named in %d games of %d", s, named[s], y.games)
				}
				delete(named, s)
			}
			if len(named) > tt.sound {
				t.Errorf("sound squares are named: %v", named)
			}
		})
	}
}

func set(names string) (b rules.Bitboard) {
	for _, n := range strings.Fields(names) {
		s, _ := rules.ParseSquare(n)
		b |= s.Bit()
	}
	return b
}

// TestWeakSquareIsSaidOnce: and again when it was well for a while.
func TestWeakSquareIsSaidOnce(t *testing.T) {
	t.Parallel()
	for _, a := range acuities {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
		h.wait(1000)
		h.hands("-b2 60 +b2 4000 -b2 12 +b2 4000")
		h.want("game_start")
		h.hands("-b2 60 +b2 4000 -b2 60 +b2 4000 -b2 60 +b2 4000")
		h.want("game_start, weak_square b2 flicker")
		if w := h.state.WeakSquares; len(w) != 1 || w[0].Square.String() != "b2" || w[0].Kind != "flicker" || w[0].Count != 5 {
			t.Errorf("%v: the state says %v", a, w)
		}
		h.wait(5 * 90_000)
		h.hands("-e2 400 +e4 2000")
		h.want("game_start, weak_square b2 flicker, move e4")
		if w := h.state.WeakSquares; len(w) != 0 {
			t.Errorf("%v: the state still says %v", a, w)
		}
		h.hands("-b2 60 +b2 2000 -b2 60 +b2 2000 -b2 60 +b2 2000")
		h.want("game_start, weak_square b2 flicker, move e4, weak_square b2 flicker")
	}
}

// TestFlickeringSquareDecidesNothing: what a weak square does while a move is made neither makes a move nor hinders one.
func TestFlickeringSquareDecidesNothing(t *testing.T) {
	t.Parallel()
	nervous := strings.Repeat("-d7 60 +d7 1900 ", 5)
	for _, a := range acuities {
		for _, during := range []string{
			"-e2 200 -d7 70 +d7 300 +e4", "-e2 200 -d7 350 +d7 100 +e4", "-e2 300 +e4 200 -d7 700 +d7", "-d7 100 -e2 500 +e4:P 300 +d7:p",
		} {
			t.Run(fmt.Sprint(a, " ", during), func(t *testing.T) {
				t.Parallel()
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
				h.wait(1000)
				h.hands(nervous)
				h.hands(during + " 4000 -e7 400 +e5 4000")
				h.want("game_start, weak_square d7 flicker, move e4, move e5")
			})
		}
	}
}

// TestVanishedMan: a man that slides to the dead middle of its square as it is set down is looked for before anybody is alarmed.
func TestVanishedMan(t *testing.T) {
	t.Parallel()
	for _, a := range acuities {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
		h.wait(1000)
		h.hands("-e2 500 +e4 60 -e4 1400")
		h.want("game_start")
		h.wait(200)
		h.want("game_start, weak_square e4 never_seen")
		h.wait(3200)
		h.want("game_start, weak_square e4 never_seen")
		h.hands("+e4 3000 -e7 500 +e5 3000")
		h.want("game_start, weak_square e4 never_seen, move e4, move e5")
		if w := h.state.WeakSquares; len(w) != 1 || w[0].Kind != "never_seen" || w[0].Count != 1 {
			t.Errorf("%v: the state says %v", a, w)
		}
	}
}
