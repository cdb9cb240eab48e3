package game

import (
	"testing"

	"github.com/boardd/boardd/board"
)

// Kings put in the centre tell the result (design.md §3); no king move of theirs is in the game, wherever they stood before.
func TestKingsInTheCentre(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fen, before, hands, log, line string }{
		{"MD-17: beside the centre already", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "", "-d3 500 +e4:K 1000 -g8 600 +d5:k 8000",
			"result_proposed 1-0, game_end 1-0 kings", ""},
		{"MD-17: only one of them moves legally, slowly", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "", "-d3 500 +e4:K 3000 -g8 600 +d5:k 8000",
			"result_proposed 1-0, game_end 1-0 kings", ""},
		{"both up at once", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "", "-d3 200 -g8 500 +d4:K 300 +e5:k 8000",
			"result_proposed 0-1, game_end 0-1 kings", ""},
		{"drawn", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "", "-d3 300 +e4:K 500 -g8 500 +e5:k 8000",
			"result_proposed 1/2-1/2, game_end 1/2-1/2 kings", ""},
		{"one stands there", "8/5ppp/8/6k1/4K3/8/5PPP/8 b - - 0 40", "", "-g5 600 +d5:k 8000",
			"result_proposed 1-0, game_end 1-0 kings", ""},
		{"one stands there, the other steps beside it", "8/5ppp/8/2k5/4K3/8/5PPP/8 b - - 0 40", "", "-c5 600 +d5:k 8000",
			"result_proposed 1-0, game_end 1-0 kings", ""},
		{"by way of a square between", "8/5ppp/8/2k5/8/4K3/5PPP/8 w - - 0 40", "", "-e3 300 +d3:K 600 -d3 300 +d4:K 400 -c5 500 +e5:k 8000",
			"result_proposed 0-1, game_end 0-1 kings", ""},
		{"after a move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "f2f3 e7e5 g2g4 a7a6", "-e1 500 +e4:K 900 -e8 600 +d5:k 8000",
			"result_proposed 1-0, game_end 1-0 kings", "f2f3 e7e5 g2g4 a7a6"},
		{"taken away again", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "", "-d3 500 +e4:K 1000 -g8 600 +d5:k 2000 -d5 400 +g8:k 600 -e4 400 +d3:K 3000 -d3 400 +c4:K 3000",
			"result_proposed 1-0, move Kc4", "d3c4"},
		{"a king's move, and the other's far away", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "", "-d3 500 +e4:K 3000 -g8 600 +f8:k 8000",
			"move Ke4, move Kf8", "d3e4 g8f8"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			everyAcuity(t, func(t *testing.T, a board.Acuity) {
				start := startOf(t, tt.fen)
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: start, Moves: plies(t, *start, tt.before), Orientation: "white"})
				h.wait(1000)
				h.hands(tt.hands)
				if got := corrected(h.log()); got != "game_start, "+tt.log {
					t.Errorf("said %s; want %s", h.log(), tt.log)
				}
				if got := h.uci(); got != tt.line {
					t.Errorf("%q stands, want %q", got, tt.line)
				}
			})
		})
	}
}
