package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// missing plays a game up to ply n, lets boardd stop, goes on for k plies unseen, and starts boardd again.
func missing(t testing.TB, a board.Acuity, g *played, n, k int) *table {
	t.Helper()
	h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: &g.start, Moves: g.moves[:n], Orientation: "white"})
	h.wait(3000)
	p := g.start
	for _, m := range g.moves[:n+k] {
		p.Play(m)
	}
	h.stand(p)
	h.events = nil
	h.restart(5000)
	h.hands("look 8000")
	return h
}

// asks gives the whole lines between which a table asks, nil if it does not.
func (h *table) asks() (lines [][]rules.Move) {
	if h.doubt == nil {
		return nil
	}
	for _, c := range h.doubt.candidates {
		lines = append(lines, append(clone(h.doubt.base), c...))
	}
	return lines
}

// detours reports whether one man made more than one of the plies, or came where another had stood: fewer may have led to the same
// picture.
func detours(moves []rules.Move) bool {
	for i, m := range moves {
		for _, o := range moves[i+1:] {
			if o.From() == m.Target() || o.Target() == m.From() {
				return true
			}
		}
	}
	return false
}

// What was played while boardd stood is told where one line alone leads there, and asked about where several do: nothing is guessed
// but that nobody took a longer way.
func TestMissedPliesAreToldOrAsked(t *testing.T) {
	t.Parallel()
	games := corpus(t, "train.tsv.gz", rules.Standard, 10, tuned)
	for _, a := range acuities {
		for k := 1; k <= 5; k++ {
			t.Run(fmt.Sprint(a, " ", k), func(t *testing.T) {
				t.Parallel()
				told, asked := 0, 0
				for gi, g := range games {
					for n := 3 + gi%5; n+k <= len(g.moves); n += 13 {
						h := missing(t, a, g, n, k)
						true, stands, lines := g.moves[:n+k], h.game.moves, h.asks()
						switch {
						case sameLine(stands, true):
							told++
						case slices.ContainsFunc(lines, func(l []rules.Move) bool { return sameLine(l, true) }):
							asked++
						case detours(true[n:]): // what is thought is shorter
						case len(lines) == 12: // and there are more
						case k == 5: // there may be more to look through than a small computer has time for
						default:
							t.Errorf("after %d plies %v were missed, and said was %s", n, uciLine(g.start, true)[n:], h.fullLog())
						}
						for _, l := range append(lines, stands) {
							if len(l) > len(true) || len(l) == len(true) && lines == nil && !sameLine(l, true) {
								t.Errorf("after %d plies %v were missed, and %v is thought", n, uciLine(g.start, true)[n:], uciLine(g.start, l)[n:])
							}
						}
					}
				}
				if told == 0 || asked == 0 && k > 2 {
					t.Errorf("%d told, %d asked about", told, asked)
				}
			})
		}
	}
}

// Orders of the same moves, captures that leave no trace, men in hand: case by case.
func TestOrdersOfMissedPlies(t *testing.T) {
	t.Parallel()
	const moved = "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5"
	for _, c := range []struct {
		name, missed string
		on           []board.Acuity
		candidates   string // none: it is told
		hands        string // after the look
		log          string // what is said then, if that is of interest
	}{
		{name: "one of each side", missed: "d2d3 d7d6", on: acuities, log: "move d3, move d6"},
		{name: "two of one side", missed: "d2d3 g8f6 b1c3", on: acuities, candidates: "b1c3 g8f6 d2d3 | d2d3 g8f6 b1c3"},
		{name: "only one order is legal", missed: "d2d3 d7d6 c1g5", on: acuities, log: "move d3, move d6, move Bg5"},
		{name: "two captures on one square", missed: "c4f7 e8f7", on: acuities[1:], log: "move Bxf7+, check, move Kxf7"},
		{name: "two captures on one square, unseen", missed: "f3e5 c6e5", on: presenceOnly,
			log: "doubt, move Nxe5, resolved c6e5, move Nxe5"},
		{name: "play goes on before anybody has rested", missed: "d2d3 g8f6 b1c3", on: acuities, candidates: "b1c3 g8f6 d2d3 | d2d3 g8f6 b1c3",
			hands: "200 -d7 300 +d6 100"},
		{name: "a man in the air besides", missed: "d2d3 g8f6 b1c3", on: acuities, candidates: "b1c3 g8f6 d2d3 | d2d3 g8f6 b1c3", hands: "8000 -d7 300 +d6 2000"},
	} {
		for _, a := range c.on {
			t.Run(c.name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				start := rules.Start()
				all, ok := readLine(start, strings.Fields(moved+" "+c.missed))
				if !ok {
					t.Fatal("not legal")
				}
				n := len(strings.Fields(moved))
				g := &played{start: start, moves: all}
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: &start, Moves: all[:n], Orientation: "white"})
				h.wait(3000)
				p := start
				for _, m := range g.moves {
					p.Play(m)
				}
				h.stand(p)
				h.restart(5000)
				if h.hands("look"); c.hands == "" {
					c.hands = "8000"
				}
				h.events = nil
				h.hands(c.hands)
				after := start
				for _, m := range all[:n] {
					after.Play(m)
				}
				var asked []string
				for _, l := range h.asks() {
					asked = append(asked, strings.Join(uciLine(after, l[n:]), " "))
				}
				slices.Sort(asked)
				if c.candidates != "" && !slices.Contains(asked, c.missed) || c.candidates != strings.Join(asked, " | ") && a != board.Presence {
					t.Errorf("asked about %q: %s", asked, h.fullLog())
				}
				if c.log != "" && h.fullLog() != c.log {
					t.Errorf("said %s, want %s", h.fullLog(), c.log)
				}
				if c.candidates == "" {
					return
				}
				// Who was asked answers, and the game goes on.
				i := slices.IndexFunc(h.asks(), func(l []rules.Move) bool { return sameLine(l, all) })
				if r := h.cmd(board.Command{Verb: "choose", Doubt: h.doubt.id, N: i}); r.Status != "ok" {
					t.Fatalf("%+v", r)
				}
				h.wait(4000)
				if got := h.uci(); !strings.HasPrefix(got, moved+" "+c.missed) {
					t.Errorf("%s stands: %s", got, h.fullLog())
				}
				if strings.Contains(c.hands, "+d6") && !strings.HasSuffix(h.uci(), " d7d6") {
					t.Errorf("%s stands: %s", h.uci(), h.fullLog())
				}
			})
		}
	}
}
