package game

import (
	"slices"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// turnedSeat is a presence board that stands turned round, and nobody has said so, with the start position on it.
func turnedSeat(t *testing.T) *table {
	t.Helper()
	h := seat(t, Options{Games: "g", SettleMs: 25})
	h.turned = true
	h.stand(rules.Start())
	h.t = 1000
	h.step(board.Input{Kind: board.Scan, Picture: h.picture()})
	return h
}

// aside plays by hand what the table does not follow yet.
const (
	e4Turned  = "-e2 400 +e4 "
	e5Turned  = "-e7 400 +e5 "
	nf3Turned = "-g1 400 +f3 "
)

func lastDoubt(t *testing.T, h *table) *Doubt {
	t.Helper()
	for _, e := range slices.Backward(h.events) {
		if d, ok := e.Body.(*Doubt); ok {
			return d
		}
	}
	t.Fatalf("no doubt: %s", h.log())
	return nil
}

// MD-31: the first move of a turned presence board is Black's as it is read, and White's as it stands.
func TestTurnedPresenceBoardIsAsked(t *testing.T) {
	t.Parallel()
	for name, start := range map[string]func(h *table){
		"a second at rest": func(h *table) { h.wait(3000) },
		"at once":          func(h *table) { h.wait(100) },
	} {
		for settle, answer := range map[string]func(h *table) Reply{
			"choose": func(h *table) Reply {
				return h.cmd(board.Command{Verb: "choose", Doubt: lastDoubt(t, h).ID, N: 1})
			},
			"flip": func(h *table) Reply { return h.cmd(board.Command{Verb: "flip"}) },
		} {
			t.Run(name+", "+settle, func(t *testing.T) {
				t.Parallel()
				h := turnedSeat(t)
				start(h)
				h.hands(e4Turned + "3000")
				h.want("setup, game_start, doubt")
				d := lastDoubt(t, h)
				if d.Kind != "orientation" || len(d.Candidates) != 2 || len(d.Candidates[0].UCI) != 0 || !slices.Equal(d.Candidates[1].UCI, []string{"e2e4"}) {
					t.Errorf("%+v", d)
				}
				if len(d.Squares) != 2 || d.Squares[0].String() != "d5" || d.Squares[1].String() != "d7" {
					t.Errorf("the board as it is read shows %v", d.Squares)
				}
				if h.state.Orientation == "black" || h.state.Pending == nil || h.state.Pending.Kind != "doubt" {
					t.Errorf("turned without being told: %+v", h.state)
				}
				if r := answer(h); r.Status != "ok" {
					t.Fatal(r)
				}
				h.wait(2000)
				h.hands(e5Turned + "2000")
				h.want("setup, game_start, doubt, command " + settle + ", resolved, move e4, move e5")
				if h.state.Orientation != "black" || !h.lights.Turned {
					t.Errorf("orientation %q", h.state.Orientation)
				}
			})
		}
	}
}

// Without an answer, play itself tells: two more plies that only the turned reading explains.
func TestTurnedPresenceBoardIsFoundByPlay(t *testing.T) {
	t.Parallel()
	for _, pause := range []string{"300 ", "900 ", "3000 "} {
		h := turnedSeat(t)
		h.wait(2000)
		h.hands(e4Turned + pause + e5Turned)
		h.wait(5000)
		if h.uci() != "" || h.state.Orientation == "black" {
			t.Errorf("%s stands already: %s", h.uci(), h.log())
		}
		if d := lastDoubt(t, h); pause == "300 " && (len(d.Candidates[0].UCI) != 2 || len(d.Candidates[1].UCI) != 2) {
			t.Errorf("both readings explain two plies: %+v", d)
		}
		h.hands(nf3Turned + "2000")
		h.want("setup, game_start, doubt, resolved, move e4, move e5, move Nf3")
		if h.state.Orientation != "black" {
			t.Errorf("orientation %q", h.state.Orientation)
		}
	}
}

// The same squares on a board that stands as it should: Black has moved first.
func TestUprightPresenceBoardIsNotTurned(t *testing.T) {
	t.Parallel()
	t.Run("put back", func(t *testing.T) {
		t.Parallel()
		h := seat(t, Options{Games: "g", SettleMs: 25, Start: startOf(t, "")})
		h.hands("1000 -d7 400 +d5 3000 -d5 400 +d7 2000 -e2 400 +e4 2000")
		h.want("game_start, doubt, resolved, move e4")
	})
	t.Run("chosen", func(t *testing.T) {
		t.Parallel()
		h := seat(t, Options{Games: "g", SettleMs: 25, Start: startOf(t, "")})
		h.hands("1000 -d7 400 +d5 3000")
		if r := h.cmd(board.Command{Verb: "choose", Doubt: lastDoubt(t, h).ID}); r.Status != "ok" {
			t.Fatal(r)
		}
		h.wait(2000)
		h.want("game_start, doubt, command choose, resolved, illegal_move d7d5 not_your_turn")
	})
	t.Run("found by play", func(t *testing.T) {
		t.Parallel()
		h := seat(t, Options{Games: "g", SettleMs: 25, Start: startOf(t, "")})
		h.hands("1000 -d7 400 +d5 3000 -d2 400 +d4 2000 -g1 400 +f3 3000")
		h.want("game_start, doubt, resolved, move d4, move d5, move Nf3")
		if h.state.Orientation != "white" {
			t.Errorf("orientation %q", h.state.Orientation)
		}
	})
	t.Run("said in the settings", func(t *testing.T) {
		t.Parallel()
		h := seat(t, Options{Games: "g", SettleMs: 25, Start: startOf(t, ""), Orientation: "white"})
		h.hands("1000 -d7 400 +d5 3000")
		h.want("game_start, illegal_move d7d5 not_your_turn")
	})
}

// Two plies in one look: each reading explains both, with its own moves.
func TestBothReadingsFit(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", SettleMs: 25, Start: startOf(t, "")})
	h.hands("1000 ~-e2 ~+e4 ~-c7 ~+c5 look 3000")
	d := lastDoubt(t, h)
	if d.Kind != "orientation" || !slices.Equal(d.Candidates[0].UCI, []string{"e2e4", "c7c5"}) || !slices.Equal(d.Candidates[1].UCI, []string{"f2f4", "d7d5"}) {
		t.Errorf("%+v", d)
	}
	if h.uci() != "" {
		t.Errorf("%s was taken", h.uci())
	}
	h.cmd(board.Command{Verb: "choose", Doubt: d.ID})
	h.wait(3000)
	h.want("game_start, doubt, command choose, resolved, move e4, move c5")
}
