package game

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// MD-14: after a game the men are put up again one by one. None of it is a move, and then a new game begins.
func TestSettingUpIsNoPlay(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for seed := range uint64(8) {
			random := rand.New(rand.NewPCG(seed, 14))
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "6k1/5ppp/8/8/8/8/5PPP/6K1 w - - 0 40")})
			h.wait(10_000)
			var off, on []string
			start := rules.Start()
			for s := range rules.Square(64) {
				if h.men[s] != rules.NoPiece {
					off = append(off, "-"+s.String())
				}
				if m := start.At(s); m != rules.NoPiece {
					on = append(on, "+"+s.String()+":"+string(m.Letter()))
				}
			}
			random.Shuffle(len(off), func(i, j int) { off[i], off[j] = off[j], off[i] })
			random.Shuffle(len(on), func(i, j int) { on[i], on[j] = on[j], on[i] })
			h.hands(strings.Join(off, " 350 ") + " 700 " + strings.Join(on, " 900 ") + " 3000 -d2 400 +d4 4000")
			if log := strings.NewReplacer("desync, ", "", "resync, ", "").Replace(h.log()); log != "game_start, game_end * abandoned, game_start, move d4" {
				t.Errorf("seed %d: said %s", seed, h.log())
			}
			if h.state.FEN != "rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq - 0 1" {
				t.Errorf("seed %d: %s", seed, h.state.FEN)
			}
		}
	})
}

// MD-19: castling is the king's move in UCI, on both sides, whatever the hands did.
func TestCastlingInWords(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 d7d6 e1g1 c8g4 d2d3 d8d7 d1d2 e8c8")...)
		h.wait(5000)
		s := h.Summary()
		if got := strings.Join(s.SAN, " "); got != "e4 e5 Nf3 Nc6 Bb5 d6 O-O Bg4 d3 Qd7 Qd2 O-O-O" {
			t.Errorf("played %s", got)
		}
		if len(s.UCI) != 12 || s.UCI[6] != "e1g1" || s.UCI[11] != "e8c8" {
			t.Errorf("in UCI %v", s.UCI)
		}
	})
}

// MD-65 and the orders of the event traces: four castlings, either man first or both at once, on a board either way round.
func TestEveryCastling(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for uci, hands := range map[string][2]string{
			"e1g1": {"-e1 400 +g1", "-h1 400 +f1"}, "e1c1": {"-e1 400 +c1", "-a1 400 +d1"},
			"e8g8": {"-e8 400 +g8", "-h8 400 +f8"}, "e8c8": {"-e8 400 +c8", "-a8 400 +d8"},
		} {
			turn := map[byte]string{'1': "w", '8': "b"}[uci[1]]
			king, rook := strings.Fields(hands[0]), strings.Fields(hands[1])
			both := fmt.Sprintf("%s 150 %s 400 %s 300 %s", king[0], rook[0], rook[2], king[2]) // the last one taken comes down first
			for _, order := range []string{hands[0] + " 500 " + hands[1], hands[1] + " 500 " + hands[0], both} {
				for _, side := range []string{"white", "black"} {
					h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "r3k2r/8/8/8/8/8/8/R3K2R "+turn+" KQkq - 0 1"), Orientation: side})
					h.hands("1000 " + order + " 9000")
					san := map[byte]string{'g': "O-O", 'c': "O-O-O"}[uci[2]]
					if log := corrected(h.log()); log != "game_start, move "+san || h.uci() != uci {
						t.Errorf("%s by %s, %s: said %s", uci, order, side, h.log())
					}
				}
			}
		}
	})
}

// MD-33a: with king and queen exchanged no game begins where the board can tell.
func TestWrongSetUpStartsNothing(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25})
	h.stand(rules.Start())
	h.men[3], h.men[4] = h.men[4], h.men[3] // d1, e1
	h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
	h.wait(5000)
	h.want("setup, desync")
	d1, e1 := rules.Square(3).Bit(), rules.Square(4).Bit()
	if h.state.Status != "setup" || h.lights.Put&(d1|e1) != d1|e1 {
		t.Errorf("status %s, to be put %v", h.state.Status, squares(h.lights.Put))
	}
	h.hands("-d1 300 -e1 300 +d1:Q 300 +e1:K 2000 -e2 400 +e4 3000")
	h.want("setup, desync, resync, game_start, move e4")
}

// MD-34: a position with castling rights that cannot be is refused with its code, not mended.
func TestImpossibleRightsAreRefused(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25})
	r := h.cmd(board.Command{Verb: "new_game", StartFEN: "3r2k1/5p2/4pp1p/1p6/p3P3/3nNPP1/PP5P/3R1K2 b KQkq - 0 1"})
	if r.Status != "error" || r.Code != "bad_value" || !strings.Contains(r.Message, "castling") {
		t.Errorf("%+v", r)
	}
	if r = h.cmd(board.Command{Verb: "new_game", StartFEN: "3r2k1/5p2/4pp1p/1p6/p3P3/3nNPP1/PP5P/3R1K2 b - - 0 1"}); r.Status != "ok" {
		t.Errorf("%+v", r)
	}
}

// MD-37: king two squares, and the rook on the king's old square. The squares look like a rook's move to g1, and are not one.
func TestRookOnTheWrongSquare(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "4k3/8/8/8/8/8/8/4K2R w K - 0 1")})
		h.hands("1000 -e1 500 +g1 700 -h1 500 +e1 8000")
		if d := h.lights.Debt; d == nil || d.From.String() != "e1" || d.To.String() != "f1" {
			t.Errorf("the lights ask for %+v", d)
		}
		h.want("game_start")
		h.hands("-e1 500 +f1 4000")
		h.want("game_start, move O-O")
	})
}

// MD-43: what was on the board before a new game, and settles only after it, is no part of it.
func TestNothingOldInANewGame(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
		h.hands("1000 +e4:P 5")
		if r := h.cmd(board.Command{Verb: "new_game", Force: true}); r.Status != "ok" {
			t.Fatal(r)
		}
		h.hands("40 -e4 2000 -d2 500 +d4 3000")
		games := h.Games()
		if last := games[len(games)-1]; !slices.Equal(last.UCI, []string{"d2d4"}) || strings.Count(h.log(), "move ") != 1 {
			t.Errorf("said %s", h.log())
		}
	})
}

// MD-45c: the doubt names both victims, and the next hands or a word settle it.
func TestVictimsAreNamed(t *testing.T) {
	t.Parallel()
	for _, settle := range []string{"hands", "word"} {
		h := seat(t, Options{Games: "g", Acuity: board.Presence, SettleMs: 25, Start: startOf(t, twoVictims)})
		h.hands("1000 ~-c5 ~-d4 ~+c5 look 4000")
		d, ok := h.events[len(h.events)-1].Body.(*Doubt)
		if !ok {
			t.Fatal(h.log())
		}
		var named []string
		for _, c := range d.Candidates {
			named = append(named, strings.Join(c.UCI, " "))
		}
		if !slices.Contains(named, "d4c5") || !slices.Contains(named, "d4e5") {
			t.Errorf("candidates %v", named)
		}
		want := "d4c5"
		if settle == "word" {
			h.cmd(board.Command{Verb: "choose", Doubt: d.ID, N: slices.Index(named, "d4c5")})
		} else {
			h.hands("-e5 300 +e4 3000") // Black's pawn on e5 is there to move
			want = "d4c5 e5e4"
		}
		if h.uci() != want {
			t.Errorf("by %s: %s", settle, h.log())
		}
	}
}

// MD-59d: en passant is not made while the pawn stands, however long; then it is.
func TestPassedPawnLeftStanding(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, passant)})
		h.hands("1000 -d5 400 +c6 10000")
		h.want("game_start")
		if p := h.state.Pending; p == nil || p.Kind != "victim" || len(p.Squares) != 1 || p.Squares[0].String() != "c5" {
			t.Errorf("waits for %+v", p)
		}
		if d := h.lights.Debt; d == nil || d.From.String() != "c5" || d.To != rules.NoSquare {
			t.Errorf("the lights ask for %+v", d)
		}
		h.hands("-c5 3000")
		h.want("game_start, move dxc6")
	})
}

// MD-29: a promotion on a board that sees pieces waits for its answer as long as the pawn stands there.
func TestPromotionWaitsForItsAnswer(t *testing.T) {
	t.Parallel()
	for _, put := range []string{"+a8", "+a8:?"} {
		h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, secondRank)})
		h.hands("1000 -a7 900 " + put + " 60000")
		h.want("game_start, promotion_pending a8")
		if b, ok := h.events[1].Body.(*PromotionPending); !ok || b.DeadlineMs != nil {
			t.Errorf("%s: %+v", put, h.events[1].Body)
		}
		if h.lights.Promotion.String() != "a8" || h.lights.Choice != rules.Queen {
			t.Errorf("%s: lights show %v %v", put, h.lights.Promotion, h.lights.Choice)
		}
	}
}
