package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
)

func TestEndOfARecording(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fen, hands, log string }{
		{"a move just made", "", "1000 -e2 300 +e4 10", "game_start, move e4"},
		{"an open promotion", "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1", "1000 -e7 300 +e8 100", "game_start, promotion_pending e8, move e8=Q"},
		{"an open debt is no move", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "1000 -e1 300 +g1 300", "game_start"},
		{"a man in the air", "", "1000 -e2 300", "game_start"},
		{"an illegal move", "", "1000 -e2 300 +e5 300", "game_start"},
		{"going back", "", "1000 -e2 300 +e4 4000 -e4 300 +e2 50", "game_start, move e4, takeback board e2e4"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, a := range acuities[:2] {
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, tt.fen)})
				h.hands(tt.hands)
				h.step(board.Input{Kind: board.End})
				h.want(tt.log)
			}
		})
	}
}

func TestRewindOfManyPliesIsANewGame(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "g1f3", "g8f6", "f3g1", "f6g8")
		h.wait(3000)
		h.play("b1c3", "b8c6")
		h.wait(3000)
		h.hands("-c6 400 +b8 3000 -c3 400 +b1 3000 -g8 400 +f6 3000 -g1 400 +f3 3000 -f6 400 +g8 3000 -f3 400 +g1 4000 -e2 400 +e4 3000")
		if got := len(h.Summary().Games); got != 2 || h.uci() != "e2e4" {
			t.Errorf("%d games: %s", got, h.log())
		}
	})
}

func TestRewindOfFourPliesIsTheSameGame(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4", "e7e5", "g1f3", "b8c6")
		h.wait(2000)
		h.hands("-c6 400 +b8 1500 -f3 400 +g1 1500 -e5 400 +e7 1500 -e4 400 +e2 5000 -d2 400 +d4 4000")
		if got := h.Games(); len(got) != 1 || h.uci() != "d2d4" || strings.Count(h.log(), "takeback") != 4 {
			t.Errorf("%d games: %s", len(got), h.log())
		}
	})
}

func TestNewGameAfterAFinishedOne(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4", "e7e5", "f1c4", "b8c6", "d1h5", "g8f6", "h5f7")
		h.wait(6000)
		h.hands("-f7 500 +d1 900 -c4 500 +f1 700 -e4 400 +e2 900 -e5 300 +e7 400 -c6 300 +b8 500 -f6 400 +g8 600 +f7:p 3000 -d2 400 +d4 4000")
		if !strings.HasSuffix(h.log(), "move Qxf7#, game_end 1-0 checkmate, game_start, move d4") {
			t.Error(h.log())
		}
	})
}
