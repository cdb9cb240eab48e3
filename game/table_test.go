package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

func TestGamesByHand(t *testing.T) {
	t.Parallel()
	const open = "game_start, "
	tests := []struct {
		name, fen, hands, log string
		not                   string // acuities that cannot tell
	}{
		{"two plies", "", "-e2 400 +e4 2000 -e7 400 +e5 2000", open + "move e4, move e5", ""},
		{"mate", "rnbqkb1r/pppp1ppp/5n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", "-f7 300 -h5 400 +f7 6000",
			open + "move Qxf7#, game_end 1-0 checkmate", ""},
		{"stalemate", "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", "-g1 400 +g6 5000", open + "move Qg6, game_end 1/2-1/2 stalemate", ""},
		{"dead", "4k3/8/8/8/8/8/4p3/4K3 w - - 0 1", "-e2 300 -e1 400 +e2 6000", open + "move Kxe2, game_end 1/2-1/2 dead", ""},
		{"check", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "-a1 400 +a8 3000", open + "move Ra8+, check", ""},
		{"taken back by hand", "", "-e2 400 +e4 3000 -e4 500 +e2 3000", open + "move e4, takeback board e2e4", ""},
		{"wrong side", "", "-e7 400 +e5 3000 -e5 500 +e7 2000", open + "illegal_move e7e5 not_your_turn", "presence"},
		{"wrong side, or the board is turned", "", "-e7 400 +e5 3000 -e5 500 +e7 2000", open + "doubt, resolved", "color piece"},
		{"illegal", "4r1k1/5ppp/8/8/8/8/4N3/4K3 w - - 0 1", "-e2 600 +c3 3000 -c3 600 +e2 3000",
			open + "illegal_move e2c3 exposes_king", ""},
		{"castling through check", "4k3/8/8/8/8/5r2/8/4K2R w K - 0 1", "-e1 500 +g1 500 -h1 400 +f1 4000",
			open + "illegal_move e1g1 castling_through_attack", ""},
		{"castling", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "-e1 500 +g1 500 -h1 400 +f1 4000", open + "move O-O", ""},
		{"kings in the centre", "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40", "-d3 500 +e4 1000 -g8 600 +d5 6000",
			open + "move Ke4, takeback corrected d3e4, result_proposed 1-0, game_end 1-0 kings", ""},
		{"promotion, nothing seen", "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1", "-e7 900 +e8:Q 6000", open + "promotion_pending e8, move e8=Q", "piece"},
		{"promotion to a knight by steps", "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1",
			"-e7 900 +e8 500 -e8 500 +e8 500 -e8 500 +e8 500 -e8 500 +e8 500 -e8 500 +e8 6000",
			open + "promotion_pending e8, move e8=N+, check", "piece"},
		{"promotion seen", "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1", "-e7 900 +e8:N 6000", open + "move e8=N+, check", "presence color"},
		{"extra man", "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", "+h5:p 4000 -h5 4000", open + "desync, resync", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			everyAcuity(t, func(t *testing.T, a board.Acuity) {
				if strings.Contains(tt.not, a.String()) {
					return
				}
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, tt.fen)})
				h.wait(1000)
				h.hands(tt.hands)
				h.want(tt.log)
			})
		})
	}
}

func TestWholeGame(t *testing.T) {
	t.Parallel()
	moves := strings.Fields("e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d4 e5d4 e4e5 d7d5 e5d6 e8g8 d6c7 d8c7")
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
		h.play(moves...)
		h.wait(6000)
		if got := h.uci(); got != strings.Join(moves, " ") {
			t.Errorf("got %s\n%s", got, h.log())
		}
		if !h.state.Match || h.state.Status != "playing" || len(h.state.Game.SAN) != len(moves) {
			t.Errorf("state %+v", h.state)
		}
	})
}

func TestSetUpAndNewGame(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
		if h.state.Status != "setup" {
			t.Errorf("status %s", h.state.Status)
		}
		h.stand(rules.Start())
		h.t = 5000
		h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
		h.wait(2000)
		h.want("setup, game_start")
		h.play("e2e4", "e7e5", "g1f3", "b8c6", "f1b5", "a7a6")
		h.wait(3000)
		h.stand(rules.Start())
		h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
		h.wait(3000)
		h.play("d2d4")
		h.want("setup, game_start, move e4, move e5, move Nf3, move Nc6, move Bb5, move a6, game_end * abandoned, game_start, move d4")
		if s := h.Summary(); len(s.Games) != 2 || s.Games[0].Result != "*" || *s.Games[0].Reason != "abandoned" || len(s.Games[0].UCI) != 6 {
			t.Errorf("summary %+v", s)
		}
		if h.state.Game.ID != "g-2" || h.state.LastGame.ID != "g-1" {
			t.Errorf("games %s %s", h.state.Game.ID, h.state.LastGame.ID)
		}
	})
}

func TestTurnedBoard(t *testing.T) {
	t.Parallel()
	for _, a := range acuities[1:] {
		t.Run(a.String(), func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
			h.turned = true
			h.stand(rules.Start())
			h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
			h.wait(3000)
			h.play("e2e4", "e7e5")
			h.want("setup, game_start, move e4, move e5")
			if h.state.Orientation != "black" || !h.lights.Turned {
				t.Errorf("orientation %q, lights turned %v", h.state.Orientation, h.lights.Turned)
			}
		})
	}
}

func TestFirstMoveWithinTheSecond(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
		h.stand(rules.Start())
		h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
		h.hands("100 -e2 300 +e4 3000")
		h.want("setup, game_start, move e4")
	})
}

func TestRewindToStart(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
		h.play("e2e4", "e7e5")
		h.hands("2000 -e5 400 +e7 1500 -e4 400 +e2 5000")
		h.want("game_start, move e4, move e5, takeback board e7e5, takeback board e2e4")
	})
}

func TestMovesBeforeTimeZero(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		p := rules.Start()
		m, err := p.ParseUCI("e2e4")
		if err != nil {
			t.Fatal(err)
		}
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Moves: []rules.Move{m}})
		h.play("e7e5")
		if got := h.uci(); got != "e2e4 e7e5" {
			t.Errorf("got %s: %s", got, h.log())
		}
		h.hands("2000 -e5 400 +e7 2000 -e4 400 +e2 4000")
		h.want("game_start, move e5, takeback board e7e5, takeback board e2e4")
	})
}
