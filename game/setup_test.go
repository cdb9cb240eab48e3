package game

import (
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

const (
	whiteExchanged = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w kq - 0 1"
	bothExchanged  = "rnbkqbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1"
)

func (h *table) show(p *rules.Position) {
	h.tb.Helper()
	h.stand(*p)
	h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
}

// MD-33a: a board that knows its pieces sees king and queen exchanged before the game begins.
func TestKingAndQueenExchangedAtSetUp(t *testing.T) {
	t.Parallel()
	for fen, n := range map[string]int{whiteExchanged: 2, bothExchanged: 4} {
		for _, turned := range []bool{false, true} {
			h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25})
			h.turned = turned
			h.show(startOf(t, fen))
			h.wait(3000)
			h.want("setup, desync")
			d, _ := h.events[1].Body.(*Desync)
			if len(d.Missing) != n || len(d.Extra) != n || h.state.Status != "setup" {
				t.Fatalf("%+v", d)
			}
			if q := d.Missing[0]; !turned && (q.Square.String() != "d1" || q.Piece != "Q" || d.Extra[0].Symbol != "K") {
				t.Errorf("%+v", d)
			}
			if q := d.Missing[n-1]; turned && (q.Square.String() != "e8" || q.Piece != "Q" || d.Extra[n-1].Symbol != "K") {
				t.Errorf("%+v", d)
			}
			h.show(startOf(t, ""))
			h.wait(3000)
			h.hands("-e2 400 +e4 2000")
			h.want("setup, desync, resync, game_start, move e4")
		}
	}
}

// They may also play like that, once they have said so with the kings.
func TestPlayWithKingAndQueenExchanged(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25})
	h.show(startOf(t, whiteExchanged))
	h.hands("3000 -d1 300 -e8 800 +e8 300 +d1:K 2000")
	h.hands("-f2 400 +f4 2000 -e7 400 +e6 2000 -e1 500 +h4 2000")
	h.want("setup, desync, game_start, move f4, move e6, move Qh4")
	if got := h.state.Game.StartFEN; got != whiteExchanged {
		t.Errorf("began with %s", got)
	}
}

// Boards that see no pieces find out by the first move that only a queen could make from there.
func TestKingAndQueenExchangedByPlay(t *testing.T) {
	t.Parallel()
	for _, a := range acuities[:2] {
		play := func(t *testing.T) *table {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
			h.hands("1000 -f2 400 +f4 2000 -e7 400 +e6 2000 -g2 400 +g4 2000 -a7 400 +a6 2000 -e1 500 +g3 3000")
			h.want("game_start, move f4, move e6, move g4, move a6, illegal_move e1g3 king_moves_one_square, doubt")
			d := lastDoubt(t, h)
			if d.Kind != "setup" || len(d.Candidates) != 2 || d.Candidates[0].StartFEN != rules.StartFEN || d.Candidates[1].StartFEN != whiteExchanged ||
				!slices.Equal(d.Candidates[1].SAN, []string{"Qg3"}) {
				t.Errorf("%+v", d)
			}
			return h
		}
		t.Run(a.String()+", exchanged", func(t *testing.T) {
			t.Parallel()
			h := play(t)
			h.cmd(board.Command{Verb: "choose", Doubt: lastDoubt(t, h).ID, N: 1})
			h.wait(2000)
			h.hands("-d8 500 +h4:q 2000")
			if got := h.state.Game; got.StartFEN != whiteExchanged || strings.Join(got.SAN, " ") != "f4 e6 g4 a6 Qg3 Qh4" {
				t.Errorf("%s: %v", got.StartFEN, got.SAN)
			}
		})
		t.Run(a.String()+", a slip", func(t *testing.T) {
			t.Parallel()
			h := play(t)
			h.hands("-g3 500 +e1 2000 -g1 500 +f3 2000")
			h.want("game_start, move f4, move e6, move g4, move a6, illegal_move e1g3 king_moves_one_square, doubt, resolved, move Nf3")
		})
		t.Run(a.String()+", as it is", func(t *testing.T) {
			t.Parallel()
			h := play(t)
			h.cmd(board.Command{Verb: "choose", Doubt: lastDoubt(t, h).ID})
			h.hands("2000 -g3 500 +e1 2000 -g1 500 +f3 2000")
			h.want("game_start, move f4, move e6, move g4, move a6, illegal_move e1g3 king_moves_one_square, doubt, command choose, resolved, move Nf3")
		})
	}
}

// The colours on each other's side: the board is turned, and each king stands on the queen's square.
func TestColoursOnTheWrongSide(t *testing.T) {
	t.Parallel()
	wrong := startOf(t, bothExchanged)
	for _, a := range acuities[1:] {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
		h.turned = true
		h.show(wrong)
		h.wait(3000)
		if a == board.PieceAcuity {
			h.want("setup, desync")
			continue
		}
		h.hands("-f2 400 +f4 2000 -e7 400 +e6 2000 -g2 400 +g4 2000 -a7 400 +a6 2000 -e1 500 +g3 3000")
		h.want("setup, game_start, move f4, move e6, move g4, move a6, illegal_move e1g3 king_moves_one_square, doubt")
	}
}

// MD-53: a position set up by hand begins a game when both kings have been lifted and put back.
func TestPositionSetUpByHand(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fen, hands, log, start string }{
		{"the report", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "-e1 300 -e8 300 +e1:K 300 +e8:k 3000 -e2 500 +e4 3000",
			"setup, game_start, move e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
		{"both at once", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "~-e1 ~-e8 look 700 ~+e8:k ~+e1:K look 3000 -e2 500 +e4 3000",
			"setup, game_start, move e4", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"},
		{"only one king", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "-e1 300 +e1:K 600 -e8 300 +e8:k 3000", "setup", ""},
		{"one king elsewhere", "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "-e1 300 -e8 300 +e8:k 300 +d1:K 3000", "setup", ""},
		{"castling as they stand", "r3k3/8/8/8/8/8/8/R3K2R w - - 0 1", "-e1 300 -e8 300 +e8:k 300 +e1:K 3000 -e1 400 +g1:K 300 -h1 400 +f1:R 3000",
			"setup, game_start, move O-O", "r3k3/8/8/8/8/8/8/R3K2R w KQq - 0 1"},
		{"Black to move", "4k3/8/8/8/8/8/8/K3R3 b - - 0 1", "-a1 300 -e8 300 +e8:k 300 +a1:K 3000 -e8 400 +d7:k 3000",
			"setup, game_start, move Kd7", "4k3/8/8/8/8/8/8/K3R3 b - - 0 1"},
		{"a pawn on the first rank", "4k3/8/8/8/8/8/4R3/4K2P w - - 0 1", "-e1 300 -e8 300 +e8:k 300 +e1:K 3000", "setup, setup", ""},
		{"confirmed once more", "4k3/8/8/8/8/8/8/R3K2P w - - 0 1", "-e1 300 -e8 300 +e8:k 300 +e1:K 2000 -e1 300 -e8 300 +e8:k 300 +e1:K 2000 -a1 400 +a5:R 3000",
			"setup, setup, game_start, move Ra5", "4k3/8/8/8/8/8/8/R3K2P w Q - 0 1"},
		{"an unknown man", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "+h5:? 300 -e1 300 -e8 300 +e8:k 300 +e1:K 2000 -e1 300 -e8 300 +e8:k 300 +e1:K 2000", "setup, setup, setup", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25})
			h.show(startOf(t, tt.fen))
			h.wait(3000)
			h.hands(tt.hands)
			h.want(tt.log)
			if tt.start == "" {
				if h.state.Status != "setup" {
					t.Errorf("status %s", h.state.Status)
				}
				if s, ok := h.events[len(h.events)-1].Body.(*SetUp); strings.HasPrefix(tt.log, "setup, setup") && (!ok || len(s.Refused) == 0) {
					t.Errorf("refused without a reason: %+v", s)
				}
				return
			}
			if g := h.state.Game; g == nil || g.StartFEN != tt.start || g.Irregular != strings.Contains(tt.name, "once more") {
				t.Errorf("%+v", g)
			}
		})
	}
}

// Other boards cannot know what stands there: only the start position, or one that was named, begins a game.
func TestOtherBoardsKnowNoPosition(t *testing.T) {
	t.Parallel()
	for _, a := range acuities[:2] {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25})
		p := startOf(t, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1")
		h.show(p)
		h.hands("3000 -e1 300 -e8 300 +e8:k 300 +e1:K 3000")
		h.want("setup")
		if r := h.cmd(board.Command{Verb: "new_game", StartFEN: p.FEN()}); r.Status != "ok" {
			t.Fatal(r)
		}
		h.hands("1000 -e2 500 +e4 3000")
		h.want("setup, command new_game, game_start, move e4")
	}
}

// After a game, too, and never in one.
func TestSetUpByHandOnlyBetweenGames(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, "")})
	h.play("e2e4", "e7e5")
	h.hands("-e1 300 -e8 300 +e8:k 300 +e1:K 3000")
	if len(h.Games()) != 1 || h.state.Status != "playing" {
		t.Errorf("a game was begun: %s", h.log())
	}
	h.cmd(board.Command{Verb: "resign", Side: "black"})
	h.hands("-e1 300 -e8 300 +e8:k 300 +e1:K 3000")
	if n := len(h.Games()); n != 1 {
		t.Errorf("the end of a game is not the next one's beginning: %s", h.log())
	}
	h.show(startOf(t, "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1"))
	h.hands("3000 -e1 300 -e8 300 +e8:k 300 +e1:K 3000 -e2 500 +e4 3000")
	if n := len(h.Games()); n != 2 || h.uci() != "e2e4" {
		t.Errorf("%d games: %s", n, h.log())
	}
}
