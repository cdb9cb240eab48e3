package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// The start position on the board again is a takeback when at most four plies went back one at a time, else a new game after a
// second at rest (design.md §3); an observer's board neither ends nor begins anything.
func TestBackAtTheStart(t *testing.T) {
	t.Parallel()
	six := []string{"e2e4", "e7e5", "d2d4", "d7d5", "a2a3", "a7a6"}
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for n, games := range map[int]int{1: 1, 2: 1, 4: 1, 5: 2, 6: 2} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
			h.play(six[:n]...)
			h.wait(2000)
			for i := n - 1; i >= 0; i-- {
				h.hands("-" + six[i][2:] + " 500 +" + six[i][:2] + " 1500")
			}
			h.wait(3000)
			if len(h.Games()) != games || h.uci() != "" {
				t.Errorf("%d plies back one at a time: %d games, %q stands: %s", n, len(h.Games()), h.uci(), h.log())
			}
		}
		for _, mode := range []string{Casual, Observer} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white", Mode: mode})
			h.play(six...)
			first := rules.Start()
			h.show(&first) // all at once
			h.wait(500)
			if len(h.Games()) != 1 {
				t.Errorf("a new game before a second was over: %s", h.log())
			}
			h.wait(3000)
			if want := map[string]int{Casual: 2, Observer: 1}[mode]; len(h.Games()) != want {
				t.Errorf("%s: %d games: %s", mode, len(h.Games()), h.log())
			}
			if mode == Observer && (strings.Contains(h.log(), "game_end") || strings.Contains(h.log(), "takeback")) {
				t.Errorf("an observer's board said %s", h.log())
			}
		}
	})
}
