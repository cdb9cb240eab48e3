package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// uciOf writes plies from a position.
func uciOf(p rules.Position, moves []rules.Move) string {
	var words []string
	for _, m := range moves {
		words = append(words, p.UCI(m))
		p.Play(m)
	}
	return strings.Join(words, " ")
}

// illegalStanding is what the table said last of an illegal move that stands.
func illegalStanding(t *testing.T, h *table) (move *Event, s *IllegalStanding) {
	t.Helper()
	for i := range h.events {
		switch x := h.events[i].Body.(type) {
		case *Illegal:
			move = &h.events[i]
		case *IllegalStanding:
			s = x
		}
	}
	if move == nil || s == nil || s.IllegalSeq != move.Seq {
		t.Fatalf("illegal_standing names no illegal_move: %+v, %+v", s, move)
	}
	return move, s
}

// MD-25, MD-26: an illegal move that the opponent answers stands; play goes on from there, and from before it once all is put back.
func TestIllegalMoveThatIsAnswered(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for _, pause := range []string{"400 ", "900 ", "3200 "} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1"), Orientation: "white"})
			h.hands("1000 -a2 600 +a7 " + pause + "-g7 300 +g6 2000")
			h.want("game_start, illegal_move a2a7 leaves_king_in_check, illegal_standing")
			_, s := illegalStanding(t, h)
			if s.UCI != "a2a7" || s.Reply == nil || *s.Reply != "g7g6" || s.By.String() != "white" ||
				s.FEN != "4r1k1/R4p1p/6p1/8/8/8/5PPP/4K3 w - - 0 2" {
				t.Errorf("%+v", s)
			}
			if h.state.Status != "playing" || h.uci() != "" {
				t.Errorf("status %s, line %s", h.state.Status, h.uci())
			}
			h.hands("2000 -e1 500 +f1 3000") // MD-26: they play on
			if n := len(h.events); n != 3 {
				t.Errorf("said of play that goes on: %s", h.log())
			}
			on := h.illegal.onward.Report()
			if got := uciOf(h.illegal.after, on.Line); got != "g7g6 e1f1" {
				t.Errorf("as if accepted: %s", got)
			}
			h.hands("-f1 500 +e1 1000 -g6 400 +g7 1000 -a7 500 +a2 3000 -e1 400 +d2 3000")
			if h.uci() != "e1d2" || h.state.Status != "playing" || !h.state.Match {
				t.Errorf("put back, play goes on as %q %s: %s", h.uci(), h.state.Status, h.log())
			}
		}
	})
}

// By the clock it stands at once.
func TestIllegalMoveAndClock(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1"), Orientation: "white"})
		h.clockSays(60_000, 60_000, board.Left)
		h.hands("1000 -a2 300 +a7 300")
		h.clockSays(58_000, 60_000, board.Right)
		h.want("game_start, illegal_move a2a7 leaves_king_in_check, illegal_standing")
		if _, s := illegalStanding(t, h); s.Reply != nil || s.FEN != "4r1k1/R4ppp/8/8/8/8/5PPP/4K3 b - - 0 1" {
			t.Errorf("%+v", s)
		}
		h.hands("1000 -g7 300 +g6 2000")
		if _, s := illegalStanding(t, h); s.Reply == nil || *s.Reply != "g7g6" || len(h.events) != 4 {
			t.Errorf("%+v: %s", s, h.log())
		}
		h.hands("1000 -g6 300 +g7 1000 -a7 500 +a2 2000 -e1 400 +d2 3000")
		if h.uci() != "e1d2" {
			t.Errorf("put back, play goes on as %q: %s", h.uci(), h.log())
		}
	})
}

// The opponent's press of the clock completes nothing of the other one's.
func TestClockOfTheOtherSide(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, "")})
	h.clockSays(60_000, 60_000, board.Right)
	h.hands("1000 -e2 300 +e5 300")
	h.clockSays(60_000, 58_000, board.Left)
	h.wait(3000)
	h.want("game_start, illegal_move e2e5 pawn_moves_forward")
}

// The wrong side's move, answered by the side whose turn it was not to be answered.
func TestWrongSideThatIsAnswered(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4k3/p6p/8/8/8/8/P6P/4K3 w - - 0 1"), Orientation: "white"})
		h.hands("1000 -e8 400 +d7 3000 -d7 400 +e8 3000 -e1 400 +d2 3000")
		h.want("game_start, illegal_move e8d7 not_your_turn, move Kd2")
	})
}

// L45: a king is never captured; the position before it comes back with the men.
func TestKingTaken(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for _, hands := range []string{"-e8 300 -e1 400 +e8 ", "-e1 300 -e8 400 +e8:R "} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4k3/p7/8/8/8/8/P7/4R1K1 w - - 0 1"), Orientation: "white"})
			h.hands("1000 " + hands + "3000")
			if a == board.Presence {
				h.want("game_start") // a king put back and a rook in the hand look the same
			} else {
				h.want("game_start, illegal_move e1e8 captures_king, king_captured")
			}
			if h.state.Status != "playing" || h.uci() != "" {
				t.Errorf("status %s, line %s", h.state.Status, h.uci())
			}
			h.hands("1000 -e8 400 +e1:R 400 +e8:k 3000 -e1 400 +d1:R 3000")
			if h.uci() != "e1d1" || !h.state.Match {
				t.Errorf("put back, play goes on as %q: %s", h.uci(), h.log())
			}
		}
	})
}
