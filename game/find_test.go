package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

func TestIllegalMoveSaysWhy(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1")})
		h.hands("1000 -a2 600 +a7 1400")
		h.want("game_start")
		h.wait(200)
		h.want("game_start, illegal_move a2a7 leaves_king_in_check")
		i, ok := h.events[1].Body.(*Illegal)
		if !ok || i.Article != "3.9.2" || len(i.Squares) != 1 || i.Squares[0].String() != "e8" || i.By != rules.White {
			t.Errorf("%+v", h.events[1].Body)
		}
		if s := h.lights.Illegal; s == nil || s.From.String() != "a2" || s.To.String() != "a7" {
			t.Errorf("lights show %+v", s)
		}
		if h.state.Status != "playing" {
			t.Errorf("status %s", h.state.Status)
		}
		h.hands("3000 -a7 500 +a2 2000")
		if h.lights.Illegal != nil {
			t.Error("still shown when put back")
		}
		h.hands("-e1 500 +d2 4000")
		h.want("game_start, illegal_move a2a7 leaves_king_in_check, move Kd2")
	})
}

func TestObserverSaysNothingToThePlayers(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Mode: Observer, Start: startOf(t, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")})
	h.hands("1000 -a1 400 +b3 4000 -b3 400 +a1 3000 -a1 400 +a8 4000")
	h.want("game_start, move Ra8+")
}

func TestBoardGoneAndBack(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4")
		h.wait(3000)
		h.step(board.Input{Kind: board.Link})
		if h.state.Online || !h.lights.Trouble {
			t.Error("nobody says that the board is gone")
		}
		h.hands("1000 -e7 400 +e5") // unseen
		h.wait(60_000)
		h.want("game_start, move e4, board_offline")
		h.step(board.Input{Kind: board.Link, Online: true})
		h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
		h.wait(5000)
		h.want("game_start, move e4, board_offline, board_online, move e5")
	})
}

func TestTargetsOnlyInTraining(t *testing.T) {
	t.Parallel()
	for mode, want := range map[string]int{Training: 2, Casual: 0, Observer: 0} {
		h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Mode: mode, Start: startOf(t, "")})
		h.hands("1000 -e2 500")
		if n := h.lights.Targets.Len(); n != want {
			t.Errorf("%s: %d squares lit", mode, n)
		}
	}
}

// Which move has cost the right to castle is known from the game (3.8.2.1.1, 3.8.2.1.2), also when the men are back home.
func TestIllegalCastlingKnowsTheGame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ moves, reason, article string }{
		{"e1e2 a7a6 a2a3 a6a5 e2e1 e8e7", "castling_king_moved", "3.8.2.1.1"},
		{"h1h2 a7a6 a2a3 a6a5 h2h1 e8e7", "castling_rook_moved", "3.8.2.1.2"},
	} {
		everyAcuity(t, func(t *testing.T, a board.Acuity) {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4k3/p7/8/8/8/8/P7/4K2R w K - 0 1")})
			for _, m := range strings.Fields(c.moves) {
				h.hands("1000 -" + m[:2] + " 400 +" + m[2:] + " 3000")
			}
			h.hands("-e1 400 +g1 400 -h1 400 +f1 4000")
			i, ok := h.events[len(h.events)-1].Body.(*Illegal)
			if !ok || i.UCI != "e1g1" || i.Reason != c.reason || i.Article != c.article {
				t.Errorf("%s: %+v", h.log(), h.events[len(h.events)-1].Body)
			}
		})
	}
}
