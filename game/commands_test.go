package game

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

func seatPlayed(t *testing.T, a board.Acuity, moves ...string) *table {
	t.Helper()
	h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
	h.play(moves...)
	return h
}

func TestCommandRefusals(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		moves []string
		c     board.Command
		code  string
	}{
		{"unknown", nil, board.Command{Verb: "dance"}, "unknown_verb"},
		{"a remote move, but none", nil, board.Command{Verb: "move"}, "bad_value"},
		{"two remote moves", nil, board.Command{Verb: "move", UCI: board.Plies{"e2e4", "e7e5"}}, "bad_value"},
		{"a remote move in other words", nil, board.Command{Verb: "move", UCI: board.Plies{"Nf3"}}, "bad_value"},
		{"an empty remote move", nil, board.Command{Verb: "move", UCI: board.Plies{""}}, "bad_value"},
		{"an illegal remote move", nil, board.Command{Verb: "move", UCI: board.Plies{"e2e5"}}, "bad_value"},
		{"a remote move of the wrong side", nil, board.Command{Verb: "move", UCI: board.Plies{"e7e5"}}, "not_your_turn"},
		{"a remote move told twice", []string{"e2e4"}, board.Command{Verb: "move", UCI: board.Plies{"e2e4"}}, "bad_value"},
		{"a remote move after the end", []string{"f2f3", "e7e5", "g2g4", "d8h4"}, board.Command{Verb: "move", UCI: board.Plies{"a2a3"}}, "stale"},
		{"bad id", nil, board.Command{Verb: "announce", ID: "a b"}, "bad_value"},
		{"long by", nil, board.Command{Verb: "announce", By: strings.Repeat("x", 33)}, "bad_value"},
		{"stale seq", nil, board.Command{Verb: "announce", IfSeq: new(int64)}, "stale"},
		{"other game", nil, board.Command{Verb: "announce", Game: "g-9"}, "stale"},
		{"game in progress", []string{"e2e4"}, board.Command{Verb: "new_game"}, "game_in_progress"},
		{"long name", nil, board.Command{Verb: "new_game", White: strings.Repeat("x", 65)}, "bad_value"},
		{"time control", nil, board.Command{Verb: "new_game", TimeControl: "5 min"}, "bad_value"},
		{"variant", nil, board.Command{Verb: "new_game", Variant: "atomic"}, "bad_value"},
		{"FEN", nil, board.Command{Verb: "new_game", StartFEN: "nonsense"}, "bad_value"},
		{"impossible FEN", nil, board.Command{Verb: "new_game", StartFEN: "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"}, "bad_value"},
		{"nothing to take back", nil, board.Command{Verb: "takeback"}, "nothing_to_take_back"},
		{"too many", []string{"e2e4"}, board.Command{Verb: "takeback", Plies: 2}, "nothing_to_take_back"},
		{"21 plies", []string{"e2e4"}, board.Command{Verb: "takeback", Plies: 21}, "bad_value"},
		{"king", nil, board.Command{Verb: "promotion", Piece: "king"}, "bad_value"},
		{"no doubt", nil, board.Command{Verb: "choose", Doubt: 1}, "stale"},
		{"choose without which doubt", nil, board.Command{Verb: "choose", N: 1}, "bad_value"},
		{"flip in a game", []string{"e2e4"}, board.Command{Verb: "flip"}, "game_in_progress"},
		{"flip where", nil, board.Command{Verb: "flip", Orientation: "up"}, "bad_value"},
		{"who resigns", nil, board.Command{Verb: "resign"}, "bad_value"},
		{"draw how", nil, board.Command{Verb: "draw", Action: "hope", Side: "white"}, "bad_value"},
		{"no offer", nil, board.Command{Verb: "draw", Action: "accept"}, "bad_value"},
		{"brightness", nil, board.Command{Verb: "led_brightness"}, "bad_value"},
		{"lights", nil, board.Command{Verb: "lights"}, "bad_value"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := seatPlayed(t, board.PieceAcuity, tt.moves...)
			before := h.seq
			r := h.cmd(tt.c)
			if r.Status != "error" || r.Code != tt.code || r.Message == "" || strings.Contains(r.Message, "\n") {
				t.Errorf("reply %+v, want %s", r, tt.code)
			}
			if h.seq != before {
				t.Errorf("a refused command made %d events", h.seq-before)
			}
		})
	}
}

func TestCommandGivenTwice(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4", "e7e5")
	first := h.cmd(board.Command{Verb: "takeback", ID: "x1"})
	again := h.cmd(board.Command{Verb: "takeback", ID: "x1"})
	if first.Status != "ok" || again.Status != "duplicate" || again.Seq != first.Seq {
		t.Errorf("first %+v, again %+v", first, again)
	}
	if got := h.uci(); got != "e2e4" {
		t.Errorf("taken back to %q", got)
	}
	for i := range 300 {
		h.cmd(board.Command{Verb: "announce", ID: fmt.Sprint("n", i)})
	}
	if n := len(h.answers); n > answersMax+1 {
		t.Errorf("%d answers are kept", n)
	}
	h.wait(answersMs + 1)
	if r := h.cmd(board.Command{Verb: "announce", ID: "n299"}); r.Status != "ok" {
		t.Errorf("ten minutes later: %+v", r)
	}
}

func TestTakebackByCommand(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4", "d7d5", "e4d5")
		h.wait(5000)
		if r := h.cmd(board.Command{Verb: "takeback", Plies: 2, By: "web"}); r.Status != "ok" {
			t.Fatalf("%+v", r)
		}
		h.wait(5000)
		square := func(n string) rules.Bitboard { s, _ := rules.ParseSquare(n); return s.Bit() }
		if want := square("e4") | square("d7"); h.lights.Put != want || !h.lights.Remove.Has(35) {
			t.Errorf("put %v, remove %v", squares(h.lights.Put), squares(h.lights.Remove))
		}
		if h.state.Match {
			t.Error("match while the board still shows the old moves")
		}
		h.hands("-d5 500 +e4 1000 +d7:p 4000")
		if h.lights.Put|h.lights.Remove != 0 || !h.state.Match {
			t.Errorf("put %v, remove %v, match %v", squares(h.lights.Put), squares(h.lights.Remove), h.state.Match)
		}
		h.hands("-c7 400 +c5 4000")
		h.want("game_start, move e4, move d5, move exd5, command takeback, takeback command d7d5 e4d5, move c5")
	})
}

func TestTakebackByCommandThenTheSameMove(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4")
		h.wait(3000)
		h.cmd(board.Command{Verb: "takeback"})
		h.hands("2000 -e4 500 +e2 3000 -e2 500 +e4 4000")
		h.want("game_start, move e4, command takeback, takeback command e2e4, move e4")
	})
}

func TestTakebackNotAllowed(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, ""), NoTakeback: true})
	h.play("e2e4")
	if r := h.cmd(board.Command{Verb: "takeback"}); r.Code != "forbidden" {
		t.Errorf("%+v", r)
	}
	h.hands("2000 -e4 500 +e2 5000 -e2 400 +e4 5000")
	h.want("game_start, move e4, illegal_move e4e2 not_your_turn")
	if got := h.uci(); got != "e2e4" {
		t.Errorf("game is %q", got)
	}
}

func TestDraws(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4", "e7e5")
	h.cmd(board.Command{Verb: "draw", Action: "offer", Side: "white"})
	h.cmd(board.Command{Verb: "draw", Action: "decline", Side: "black"})
	h.cmd(board.Command{Verb: "draw", Action: "offer", Side: "black"})
	h.play("g1f3")
	h.cmd(board.Command{Verb: "draw", Action: "offer", Side: "white"})
	h.cmd(board.Command{Verb: "draw", Action: "accept", Side: "black"})
	h.want("game_start, move e4, move e5, command draw, draw_offer, command draw, draw_declined, command draw, draw_offer, " +
		"move Nf3, draw_declined, command draw, draw_offer, command draw, game_end 1/2-1/2 agreement")
}

func TestResign(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4")
	h.cmd(board.Command{Verb: "resign", Side: "black"})
	h.play("e7e5") // nothing more is taken into it
	h.want("game_start, move e4, command resign, game_end 1-0 resign")
	if h.state.Status != "finished" || h.lights.End == nil || h.lights.End.Draw {
		t.Errorf("status %s, end %+v", h.state.Status, h.lights.End)
	}
	if r := h.cmd(board.Command{Verb: "new_game", White: "Anna", Black: "Ben", TimeControl: "900+10"}); r.Status != "ok" {
		t.Errorf("%+v", r)
	}
	if g := h.state.Game; g.White != "Anna" || g.ID != "g-2" || h.state.LastGame.Result != "1-0" {
		t.Errorf("%+v", g)
	}
}

func TestLoneKingCannotWin(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, "4k3/8/8/8/8/8/8/R3K3 w - - 0 1")})
	h.cmd(board.Command{Verb: "resign", Side: "white"})
	h.want("game_start, command resign, game_end 1/2-1/2 resign")
}

func TestMateTakenBackGoesOn(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "f2f3", "e7e5", "g2g4", "d8h4")
		h.wait(4000)
		h.hands("-h4 500 +d8 5000 -d8 500 +g5 5000")
		h.want("game_start, move f3, move e5, move g4, move Qh4#, game_end 0-1 checkmate, takeback board d8h4, move Qg5")
		if h.state.Game.Result != "*" || h.state.Status != "playing" {
			t.Errorf("%s %s", h.state.Game.Result, h.state.Status)
		}
	})
}

func TestPromotionByCommand(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1")})
		h.hands("1000 -e7 500 +e8 500") // the pawn itself is put down
		if h.state.Pending == nil || h.state.Pending.Kind != "promotion" || h.lights.Choice != rules.Queen {
			t.Fatalf("pending %+v: %s", h.state.Pending, h.log())
		}
		if a == board.PieceAcuity {
			h.wait(20_000) // a pawn there waits for an answer
		}
		h.cmd(board.Command{Verb: "promotion", Piece: "rook"})
		h.want("game_start, promotion_pending e8, command promotion, move e8=R")
		h.cmd(board.Command{Verb: "promotion", Piece: "knight"})
		if h.state.DefaultPromotion != "knight" {
			t.Errorf("default %s", h.state.DefaultPromotion)
		}
	})
}

func TestPromotionUnderAReply(t *testing.T) {
	t.Parallel()
	for _, a := range acuities[:2] {
		t.Run(a.String(), func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1")})
			h.hands("1000 -e7 500 +e8 400 -e8 400 +e8 400 -e8 400 +e8 400 -g7 300 +h7 4000") // second exchange: a rook
			h.want("game_start, promotion_pending e8, move e8=R, move Kh7")
		})
	}
}

func TestButtons(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4")
	for _, name := range []string{"takeback", "lights", "nonsense", "new_game"} {
		h.step(board.Input{Kind: board.Button, ButtonName: name})
	}
	h.want("game_start, move e4, command takeback, takeback command e2e4, command lights, command new_game, game_end * abandoned, game_start")
	if len(h.replies) != 0 || h.state.LightsOn {
		t.Errorf("replies %v, lights %v", h.replies, h.state.LightsOn)
	}
}

func TestFlipBeforeTheGame(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.Presence, SettleMs: 25, Start: startOf(t, "")})
	h.cmd(board.Command{Verb: "flip"})
	h.turned = true
	h.play("e2e4", "e7e5")
	h.want("game_start, command flip, move e4, move e5")
	if h.state.Orientation != "black" {
		t.Errorf("orientation %q", h.state.Orientation)
	}
}

func TestVerbClass(t *testing.T) {
	t.Parallel()
	for verb, want := range map[string]Class{"announce": Safe, "lights": Safe, "promotion": Play, "draw": Play, "result": Arbiter, "move": Play, "": 0} {
		if got, ok := VerbClass(verb); got != want || ok != (want != 0) {
			t.Errorf("%q: %d %v", verb, got, ok)
		}
	}
	last := Safe
	for _, verb := range Verbs {
		c, ok := VerbClass(verb)
		if !ok || c < last {
			t.Errorf("%q: %d %v", verb, c, ok)
		}
		last = c
	}
}

// A position that was asked for is waited for, however long the pieces stand in the start position; that begins a game only when
// hands have set it up since.
func TestAskedPositionIsWaitedFor(t *testing.T) {
	t.Parallel()
	const asked = "4k3/8/8/8/8/8/8/4K2R w K - 0 1"
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
		h.stand(rules.Start())
		h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
		h.wait(3000)
		if r := h.cmd(board.Command{Verb: "new_game", StartFEN: asked}); r.Status != "ok" {
			t.Fatal(r)
		}
		h.wait(60_000)
		if g := h.state.Game; g.StartFEN != asked || h.state.LastGame == nil || strings.Count(h.log(), "game_start") != 2 {
			t.Fatalf("%s: %s", g.StartFEN, h.log())
		}
		if h.lights.Remove == 0 {
			t.Error("the lights do not say what is to be taken off")
		}
		h.hands("-e2 600 +e2 5000") // somebody sets it up again
		if g := h.state.Game; g.StartFEN != rules.StartFEN || strings.Count(h.log(), "game_start") != 3 {
			t.Errorf("%s: %s", g.StartFEN, h.log())
		}
	})
}

// Where the pieces show which way the board stands, a flip would be undone at once: it is refused, with the reason.
func TestFlipAgainstThePieces(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for _, orientation := range []string{"", "black"} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
			h.stand(rules.Start())
			h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
			h.wait(3000)
			r := h.cmd(board.Command{Verb: "flip", Orientation: orientation})
			h.wait(3000)
			want, code := "black", ""
			if a != board.Presence {
				want, code = "white", "forbidden"
			}
			if h.state.Orientation != want || r.Code != code {
				t.Errorf("flip %q: %+v, orientation %q", orientation, r, h.state.Orientation)
			}
			if r := h.cmd(board.Command{Verb: "flip", Orientation: want}); r.Status != "ok" {
				t.Errorf("as it stands: %+v", r)
			}
		}
	})
}

func TestTooManyToTakeBack(t *testing.T) {
	t.Parallel()
	for want, moves := range map[string][]string{
		"there is nothing to take back": nil, "1 ply can be taken back, not 3": {"e2e4"}, "2 plies can be taken back, not 3": {"e2e4", "e7e5"},
	} {
		h := seatPlayed(t, board.PieceAcuity, moves...)
		if r := h.cmd(board.Command{Verb: "takeback", Plies: 3}); r.Code != "nothing_to_take_back" || r.Message != want {
			t.Errorf("%+v, want %s", r, want)
		}
	}
}

func TestADrawOfferIsSeen(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4", "e7e5")
	h.cmd(board.Command{Verb: "draw", Side: "white", Action: "offer"})
	if by := h.state.DrawOffer; by == nil || *by != rules.White {
		t.Errorf("%v", by)
	}
	h.cmd(board.Command{Verb: "draw", Side: "black", Action: "decline"})
	if h.state.DrawOffer != nil {
		t.Error("it still stands")
	}
}

// The PGN of a record is the one that was said at its end, and knows its day when somebody else does.
func TestPGNOfARecord(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "f2f3", "e7e5", "g2g4", "d8h4")
	end := h.events[len(h.events)-1].Body.(*GameEnd)
	if got := h.state.Game.PGN(""); got != end.PGN || !strings.Contains(got, "2. g4 Qh4# 0-1") || end.StartedT != h.state.Game.StartedT {
		t.Errorf("%s\nand at the end\n%s", got, end.PGN)
	}
	if got := h.state.Game.PGN("2026.03.14"); strings.Replace(got, "2026.03.14", "????.??.??", 1) != end.PGN {
		t.Error(got)
	}
}

// A button of a clock without times completes the ply of who presses it, and settles his promotion. On a board that stands turned the
// left button is Black's. Pressing without a move changes nothing, nor does the opponent's button.
func TestClockButtons(t *testing.T) {
	t.Parallel()
	for _, a := range acuities[:2] {
		for _, mine := range []struct{ orientation, button, other string }{{"white", "clock_left", "clock_right"}, {"black", "clock_right", "clock_left"}} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Orientation: mine.orientation, Start: startOf(t, "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1")})
			press := func(name string) { h.step(board.Input{Kind: board.Button, ButtonName: name}) }
			h.wait(3000)
			press(mine.button)
			press(mine.other)
			h.hands("1000 -e7 500 +e8 500")
			press(mine.other)
			h.want("game_start, promotion_pending e8")
			press(mine.button)
			h.want("game_start, promotion_pending e8, move e8=Q")
			if h.state.Clock != nil {
				t.Errorf("a clock without times shows %+v", h.state.Clock)
			}
		}
	}
}
