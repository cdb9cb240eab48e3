package game

import (
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
)

const (
	aboutToPromote = "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1"
	blackPromotes  = "8/p5k1/8/8/8/8/4p1K1/8 b - - 0 1"
)

var belowPiece = acuities[:2]

// The first exchange on the square changes nothing, each further one goes a step on (design.md §8).
func TestPromotionByGesture(t *testing.T) {
	t.Parallel()
	for _, a := range belowPiece {
		for exchanges, san := range []string{"e8=Q", "e8=Q", "e8=R", "e8=B", "e8=N+", "e8=Q", "e8=R"} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, aboutToPromote)})
			h.hands("1000 -e7 500 +e8:Q 700" + strings.Repeat(" -e8 500 +e8 700", exchanges) + " 3200")
			h.want("game_start, promotion_pending e8")
			h.wait(200)
			if !strings.HasPrefix(h.log(), "game_start, promotion_pending e8, move "+san) {
				t.Errorf("%s, %d exchanges: %s", a, exchanges, h.log())
			}
		}
	}
}

// Each of the ways in which a promotion is settled, after a gesture that asked for a rook.
func TestPromotionIsSettled(t *testing.T) {
	t.Parallel()
	for _, a := range belowPiece {
		for _, tt := range []struct {
			name string
			do   func(h *table)
			log  string
		}{
			{"time", func(h *table) { h.wait(4100) }, "move e8=R"},
			{"reply", func(h *table) { h.hands("-g7 300 +h7 2000") }, "move e8=R, move Kh7"},
			{"command", func(h *table) { h.cmd(board.Command{Verb: "promotion", Piece: "bishop"}) }, "command promotion, move e8=B"},
			{"button", func(h *table) { h.step(board.Input{Kind: board.Button, ButtonName: "promotion"}) }, "move e8=R"},
			{"clock", func(h *table) { h.clockSays(590_000, 600_000, board.Right) }, "move e8=R"},
		} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, aboutToPromote), Orientation: "white"})
			h.clockSays(600_000, 600_000, board.Left)
			h.hands("1000 -e7 500 +e8:Q 700 -e8 500 +e8 700 -e8 500 +e8 700")
			tt.do(h)
			if want := "game_start, promotion_pending e8, " + tt.log; h.log() != want {
				t.Errorf("%s, %s: %s; want %s", a, tt.name, h.log(), want)
			}
		}
	}
}

// What a man cannot be shows in how it moves; what it might be as well changes nothing.
func TestLaterMoveTellsThePiece(t *testing.T) {
	t.Parallel()
	corrected := func(undone, said string) string { return "takeback corrected " + undone + ", " + said }
	for _, tt := range []struct{ name, fen, hands, log string }{
		{"a knight", aboutToPromote, "-e7 500 +e8:Q 6000 -g7 400 +h7 3000 -e8 400 +f6 4000",
			"move e8=Q, move Kh7, " + corrected("e7e8q g7h7", "move e8=N+, check, move Kh7, move Nf6+, check")},
		{"a knight, at once", aboutToPromote, "-e7 500 +e8:Q 600 -g7 400 +h7 500 -e8 300 +f6 4000",
			"move e8=Q, move Kh7, " + corrected("e7e8q g7h7", "move e8=N+, check, move Kh7, move Nf6+, check")},
		{"a knight, plies later", aboutToPromote, "-e7 500 +e8:Q 6000 -g7 400 +h7 3000 -a2 400 +a3 3000 -h7 400 +h6 3000 -e8 400 +f6 4000",
			"move e8=Q, move Kh7, move a3, move Kh6, " + corrected("e7e8q g7h7 a2a3 h7h6", "move e8=N+, check, move Kh7, move a3, move Kh6, move Nf6")},
		{"Black's knight", blackPromotes, "-e2 500 +e1:q 6000 -g2 400 +h2 3000 -e1 400 +f3 4000",
			"move e1=Q, move Kh2, " + corrected("e2e1q g2h2", "move e1=N+, check, move Kh2, move Nf3+, check")},
		{"like a rook", aboutToPromote, "-e7 500 +e8:Q 6000 -g7 400 +h7 3000 -e8 400 +e3 4000", "move e8=Q, move Kh7, move Qe3"},
		{"like a bishop", aboutToPromote, "-e7 500 +e8:Q 6000 -g7 400 +h7 3000 -e8 400 +h5 4000", "move e8=Q, move Kh7, move Qh5+, check"},
		{"a queen after all", aboutToPromote, "-e7 500 +e8:Q 500 -e8 500 +e8 500 -e8 500 +e8 6000 -g7 400 +h7 3000 -e8 400 +b5 4000",
			"move e8=R, move Kh7, " + corrected("e7e8r g7h7", "move e8=Q, move Kh7, move Qb5")},
		{"nothing moves so", aboutToPromote, "-e7 500 +e8:Q 6000 -g7 400 +h7 3000 -e8 400 +d5 4000", "move e8=Q, move Kh7, illegal_move e8d5 queen_moves_straight_or_diagonally"},
	} {
		for _, a := range belowPiece {
			t.Run(tt.name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, tt.fen)})
				h.hands("1000 " + tt.hands)
				square := "e8"
				if tt.fen == blackPromotes {
					square = "e1"
				}
				h.want("game_start, promotion_pending " + square + ", " + tt.log)
			})
		}
	}
}

// A correction changes what was played, not when.
func TestCorrectedPromotionKeepsItsTimes(t *testing.T) {
	t.Parallel()
	for _, a := range belowPiece {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, aboutToPromote), Orientation: "white"})
		h.clockSays(600_000, 600_000, board.Left)
		h.hands("1000 -e7 500 +e8:Q 500")
		h.clockSays(598_000, 600_000, board.Right)
		h.hands("1000 -g7 400 +h7 600")
		h.clockSays(598_000, 598_000, board.Left)
		h.wait(3000)
		before := h.Games()[0]
		h.hands("-e8 400 +f6 600")
		h.clockSays(594_000, 598_000, board.Right)
		h.wait(3000)
		g := h.Games()[0]
		if strings.Join(g.UCI, " ") != "e7e8n g7h7 e8f6" || !slices.Equal(g.AtMs[:2], before.AtMs) || !slices.Equal(g.AtMs, []int64{1500, 3400, 7400}) {
			t.Errorf("%s: %v at %v, before at %v", a, g.UCI, g.AtMs, before.AtMs)
		}
		h.wantClk(598_000, 598_000, 594_000)
	}
}

// 4.4.4: where the board sees pieces, a man that cannot be the new piece waits for an answer, and is then the piece that was
// named, whatever it looks like.
func TestStandInForAPromotion(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct{ name, put, again string }{
		{"a man that the board does not know", "+a8:?", "+a7:?"},
		{"the pawn itself", "+a8:P", "+a7:P"},
		{"the opponent's queen", "+a8:q", "+a7:q"},
		{"the opponent's rook", "+a8:r", "+a7:r"},
		{"the pawn, then a man that the board does not know", "+a8:P 1500 -a8 700 +a8:?", "+a7:?"},
		{"the pawn, then the opponent's queen", "+a8:P 1500 -a8 700 +a8:q", "+a7:q"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for piece, san := range map[string]string{"queen": "Q", "rook": "R"} {
				h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, secondRank)})
				h.hands("1000 -a7 900 " + tt.put + " 20000")
				h.want("game_start, promotion_pending a8")
				h.hands("!" + piece + " 1000 -h5 400 +h6 2000 -a8 400 " + tt.again + " 2000 -h6 400 +h5 2000 -g4 400 +g3 3000")
				h.want("game_start, promotion_pending a8, command promotion, move a8=" + san + ", move Kh6, move " + san + "a7, move Kh5, move Rg3")
			}
		})
	}
}

// The reply settles what nobody has answered: a queen.
func TestStandInUnderAReply(t *testing.T) {
	t.Parallel()
	for _, put := range []string{"?", "P", "q"} {
		h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, secondRank)})
		h.hands("1000 -a7 900 +a8:" + put + " 20000 -h5 400 +h6 3000 -a8 400 +a7:" + put + " 3000")
		h.want("game_start, promotion_pending a8, move a8=Q, move Kh6, move Qa7")
	}
}

// A rook that stands upside down is a rook (4.4.4), and so is every piece that the board knows.
func TestWhatStandsThereIsWhatItIs(t *testing.T) {
	t.Parallel()
	for letter, san := range map[string]string{"Q": "a8=Q", "R": "a8=R", "B": "a8=B", "N": "a8=N"} {
		h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, secondRank)})
		h.hands("1000 -a7 900 +a8:" + letter + " 5000")
		h.want("game_start, move " + san)
	}
}

// The opponent's queen that was to be taken, and is put back, is no promotion while the pawn may still be in the hand.
func TestVictimPutBackIsNoStandIn(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, "3q2k1/4P3/8/8/8/8/6K1/8 w - - 0 1")})
	h.hands("1000 -d8 300 -e7 500 +d8:q 500 +e7:P 3000 -e7 500 +e8:Q 3000")
	if h.uci() != "e7e8q" || strings.Contains(h.log(), "move exd8") {
		t.Error(h.log())
	}
}

// CR-46, oakmac/chessboardjs#29: nobody says what a pawn has become. The opponent's lights and the state ask first; what settles it is
// said as a move of its own, ahead of the answer, however late that comes.
func TestPromotionWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		if a == board.PieceAcuity {
			return // the board sees what stands there
		}
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "8/P3k3/8/8/8/8/4K3/8 w - - 0 1")})
		h.hands("1000 -a7 400 +a8:Q 600")
		h.want("game_start, promotion_pending a8")
		if p := h.state.Pending; p == nil || p.Kind != "promotion" {
			t.Errorf("pending %+v", p)
		}
		h.wait(20_000)
		h.hands("-e7 400 +e6 4000")
		h.want("game_start, promotion_pending a8, move a8=Q, move Ke6")
	})
}
