package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
)

const (
	bishopOnG5 = "rnbqkb1r/pppp1ppp/5n2/4p1B1/8/3P4/PPP1PPPP/RN1QKBNR w KQkq - 0 3"
	stonewall  = "rnbqkbnr/pp2pppp/2p5/3p4/2P5/8/PP1PPPPP/RNBQKBNR w KQkq - 0 3"
)

// A ply that no sensor has seen, answered by a capture of the man that made it: play that goes on tells it where the picture
// alone does not.
func TestUnseenPlyThatIsAnsweredByACapture(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, fen, hands, uci string }{
		{"a pawn taken on arrival, one scan", afterE4, "~-d7 ~-e4 ~+d5 look 3000 -g8 300 +f6 3000", "d7d5 e4d5 g8f6"},
		{"a pawn taken on arrival, its lift seen", afterE4, "-d7 300 -e4 300 +d5 3000 -g8 300 +f6 3000", "d7d5 e4d5 g8f6"},
		{"exchange, one scan", bishopOnG5, "~-g5 ~-g7 ~-f6 ~+f6:p look 3000 -e2 300 +e3 3000 -b8 300 +c6 3000", "g5f6 g7f6 e2e3 b8c6"},
		{"exchange, the lifts seen", bishopOnG5, "-g5 300 -g7 500 ~-f6 ~+f6:p look 3000 -e2 300 +e3 3000 -b8 300 +c6 3000", "g5f6 g7f6 e2e3 b8c6"},
		{"pawn takes pawn takes pawn, one scan", stonewall, "~-c4 ~-c6 ~-d5 ~+d5:p look 3000 -b1 300 +c3 3000 -g8 300 +f6 3000", "c4d5 c6d5 b1c3 g8f6"},
	} {
		for _, a := range acuities {
			for _, order := range []int64{0, 250} {
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Resolution: order, Start: startOf(t, tt.fen)})
				h.hands("1000 " + tt.hands)
				asks := a == board.Presence && h.doubt != nil && strings.HasPrefix(tt.uci, h.uci()) // as good, while it sees no more
				if h.uci() != tt.uci && !asks {
					t.Errorf("%s, %s, order %d: %s", tt.name, a, order, h.fullLog())
				}
				if strings.Contains(h.log(), "takeback") {
					t.Errorf("%s, %s, order %d: guessed: %s", tt.name, a, order, h.fullLog())
				}
			}
		}
	}
}

// Plies of one side that come in one scan have no order; where both orders are legal that is asked, not guessed.
func TestPliesOfOneScan(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, afterE4)})
		h.hands("1000 ~-e7 ~+e5 ~-g1 ~+f3 ~-b8 ~+c6 look 3000")
		h.want("game_start, doubt")
		d, ok := h.events[len(h.events)-1].Body.(*Doubt)
		if !ok || d.Kind != "line_ambiguous" || len(d.Candidates) != 2 {
			t.Fatalf("%+v", d)
		}
		h.cmd(board.Command{Verb: "choose", Doubt: d.ID, N: 1})
		if want := strings.Join(d.Candidates[1].UCI, " "); h.uci() != want || len(h.Games()[0].UCI) != 3 {
			t.Errorf("chosen %s, stands %s", want, h.uci())
		}

		h = seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
		h.hands("1000 ~-e2 ~+e4 ~-e7 ~+e5 ~-f1 ~+c4 look 3000 -g8 400 +f6 3000") // the bishop cannot go first
		if h.uci() != "e2e4 e7e5 f1c4 g8f6" || strings.Contains(h.log(), "takeback") {
			t.Error(h.log())
		}
	})
}

// A man that only goes up with another of the opponent's has taken nobody.
func TestTwoMenInTheAirHavePlayedNothing(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, bishopOnG5)})
		h.hands("1000 -g5 400 -g7 1500 +g7:p 400 +g5:B 3000 -e2 300 +e3 3000")
		if h.uci() != "e2e3" {
			t.Error(h.fullLog())
		}
	})
}
