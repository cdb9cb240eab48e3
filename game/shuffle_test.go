package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Men that go and come back are moves when each was one: nobody takes them back later because a move that they forbid would be
// legal then (3.8.2.1).
func TestShufflesStand(t *testing.T) {
	t.Parallel()
	const open = "g1f3 g8f6 g2g3 g7g6 f1g2 f8g7"
	tests := []struct{ name, before, shuffle, after, illegal string }{
		{"kings", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1e2 e8e7 e2e1 e7e8", "", "-e1 400 +g1 300 -h1 400 +f1 6000"},
		{"kings, and a move on top", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5", "e1e2 e8e7 e2e1 e7e8", "d2d3 d7d6", "-e1 400 +g1 300 -h1 400 +f1 6000"},
		{"rooks", open, "h1g1 h8g8 g1h1 g8h8", "", "-e1 400 +g1 300 -h1 400 +f1 6000"},
		{"rooks, and moves on top", open, "h1g1 h8g8 g1h1 g8h8", "d2d3 d7d6", "-e1 400 +g1 300 -h1 400 +f1 6000"},
		{"one king, the other side plays on", open, "e1f1 d7d6 f1e1 c7c6", "", "-e1 400 +g1 300 -h1 400 +f1 6000"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			everyAcuity(t, func(t *testing.T, a board.Acuity) {
				start := rules.Start()
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: &start, Moves: plies(t, start, tt.before), Orientation: "white"})
				h.wait(1000)
				played := strings.Fields(tt.shuffle + " " + tt.after)
				h.play(played...)
				h.hands(tt.illegal)
				if want := strings.TrimSpace(tt.before + " " + strings.Join(played, " ")); h.uci() != want {
					t.Errorf("stands %s, want %s", h.uci(), want)
				}
				if log := h.log(); !strings.Contains(log, "illegal_move e1g1 castling_") || strings.Contains(log, "takeback") {
					t.Error(log)
				}
			})
		})
	}
}

// A man on an impossible square takes nothing back, even if the board shows with it what it showed plies ago.
func TestIllegalMoveShowsAnEarlierPosition(t *testing.T) {
	t.Parallel()
	const before, played = "e2e4 e7e5 d2d4 d7d5", "e1e2 e8e7 e2d3 e7e8 d3c3 e8e7 c3b3 e7e8"
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		start := rules.Start()
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: &start, Moves: plies(t, start, before), Orientation: "white"})
		h.wait(1000)
		h.play(strings.Fields(played)...)
		h.hands("-b3 400 +e2:K 3000 -e2 400 +b3:K 3000")
		if h.uci() != before+" "+played || strings.Contains(h.log(), "takeback") || !strings.Contains(h.log(), "illegal_move b3e2") {
			t.Errorf("%s: %s", h.uci(), h.log())
		}
	})
}
