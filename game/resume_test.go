package game

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// restart ends the table and goes on with a new one, ago milliseconds later, from what a journal kept of it. The men stay where they are,
// and the board says nothing before it is asked.
func (h *table) restart(ago int64) {
	h.tb.Helper()
	r := keptOf(h.tb, h.state)
	r.Ago = ago + h.t - h.state.T
	for _, a := range h.replies {
		if a.Command.ID != "" && a.Status != "duplicate" {
			r.Answers = append(r.Answers, Answer{ID: a.Command.ID, Ago: ago, Reply: a})
		}
	}
	o := h.opt
	o.Resume, o.Start, o.Moves, o.Games = r, nil, nil, o.Games+"r"
	h.Table, h.t, h.wake = NewTable(o), 0, 0
	h.step(board.Input{Kind: board.Wake})
}

// keptOf is a snapshot as it comes back from the disk: its games from tables of their own, all else from JSON.
func keptOf(tb testing.TB, s *Snapshot) *Resume {
	tb.Helper()
	bare := *s
	bare.Game, bare.LastGame = nil, nil
	text, err := json.Marshal(&bare)
	if err != nil {
		tb.Fatal(err)
	}
	back := &Snapshot{}
	if err := json.Unmarshal(text, back); err != nil {
		tb.Fatal(err)
	}
	back.Game, back.LastGame = s.Game, s.LastGame
	return &Resume{Snapshot: back}
}

// seqs checks that numbers follow one another through all restarts.
func (h *table) seqs() {
	h.tb.Helper()
	for i, e := range h.events {
		if e.Seq != int64(i)+1 {
			h.tb.Fatalf("event %d has the number %d", i+1, e.Seq)
		}
	}
}

func atEachAcuity(t *testing.T, f func(h *table)) {
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
		f(h)
		h.seqs()
	})
}

// MD-21: what stands is not played again.
func TestResumedAsItWas(t *testing.T) {
	t.Parallel()
	atEachAcuity(t, func(h *table) {
		h.play("e2e4", "e7e5", "g1f3")
		if r := h.cmd(board.Command{Verb: "led_brightness", ID: "x", Value: ptr(70)}); r.Status != "ok" {
			h.tb.Fatal(r)
		}
		h.play("b8c6")
		h.wait(3000)
		before, n := h.state.Game, len(h.events)
		h.restart(60_000)
		h.hands("look 5000 look")
		if len(h.events) != n {
			h.tb.Errorf("said again: %s", h.log())
		}
		if r := h.cmd(board.Command{Verb: "led_brightness", ID: "x", Value: ptr(10)}); r.Status != "duplicate" || h.state.LEDBrightness != 70 {
			h.tb.Errorf("the command was done again: %+v, brightness %d", r, h.state.LEDBrightness)
		}
		h.hands("-f1 600 +b5 3000")
		g := h.state.Game
		if got := strings.Join(g.UCI, " "); got != "e2e4 e7e5 g1f3 b8c6 f1b5" || g.ID != before.ID || !h.state.Match || h.state.Status != "playing" {
			h.tb.Errorf("%s in game %s: %s", got, g.ID, h.log())
		}
		for i, at := range before.AtMs {
			if g.AtMs[i] != at {
				h.tb.Errorf("ply %d was made at %d, and is said to be made at %d", i+1, at, g.AtMs[i])
			}
		}
		if last := g.AtMs[4] - g.AtMs[3]; last < 60_000 || last > 75_000 {
			h.tb.Errorf("the ply after a stop of 60 s was made after %d ms", last)
		}
	})
}

// MD-35: the start position wins over the game of before, even if only a few plies were made; MD-51: else the game goes on.
func TestStartPositionAfterAStop(t *testing.T) {
	t.Parallel()
	for _, moves := range []string{"e2e4", "e2e4 e7e5", "e2e4 d7d5 e4d5 d8d5 b1c3", "e2e4 e7e5 g1f3 b8c6 f1c4 f8c5 e1g1 g8f6 d2d4 e5d4 e4e5 d7d5 e5d6 e8g8"} {
		t.Run(fmt.Sprint(len(strings.Fields(moves)), " plies"), func(t *testing.T) {
			t.Parallel()
			atEachAcuity(t, func(h *table) {
				h.play(strings.Fields(moves)...)
				h.wait(3000)
				h.restart(0)
				h.stand(rules.Start())
				h.hands("look 5000")
				if games := h.Games(); h.state.LastGame == nil || h.state.LastGame.Result != "*" || h.state.LastGame.Reason != "abandoned" ||
					len(h.state.Game.UCI) != 0 || len(games) != 2 {
					h.tb.Fatalf("%d games: %s", len(games), h.log())
				}
				h.hands("-d2 500 +d4 3000")
				if got := h.uci(); got != "d2d4" {
					h.tb.Errorf("%s: %s", got, h.log())
				}
			})
		})
	}
}

func TestStartPositionOfANewGameAfterAStop(t *testing.T) {
	t.Parallel()
	atEachAcuity(t, func(h *table) {
		h.wait(3000)
		h.restart(1000)
		h.hands("look 5000")
		if h.log() != "game_start" {
			h.tb.Errorf("said %s", h.log())
		}
		h.play("d2d4")
		h.wait(2000)
		h.restart(1000)
		h.hands("look 2000 -d4 500 +d2 4000") // what is taken back by hand is a takeback also after a stop
		if h.log() != "game_start, move d4, takeback board d2d4" {
			h.tb.Errorf("said %s", h.log())
		}
	})
}

// MD-51.
func TestReplyAfterAStop(t *testing.T) {
	t.Parallel()
	atEachAcuity(t, func(h *table) {
		h.play("e2e4", "d7d5", "e4d5", "d8d5", "b1c3")
		h.wait(3000)
		h.restart(3600_000)
		h.step(board.Input{Kind: board.Link})
		h.wait(500)
		h.step(board.Input{Kind: board.Link, Online: true})
		h.hands("look 1000 -d5 700 +a5 3000")
		if got := h.uci(); !strings.HasSuffix(got, "b1c3 d5a5") || h.state.Status != "playing" {
			h.tb.Errorf("%s: %s", got, h.log())
		}
	})
}

// What was played while nobody watched is told, as far as the laws explain it.
func TestMovedDuringAStop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, unseen, log string }{
		{"one ply", "~-g8 ~+f6", "move Nf6"},
		{"two plies", "~-g8 ~+f6 ~-d2 ~+d3", "move Nf6, move d3"},
		{"men that are gone", "~-c5 ~-f3 ~-c3 ~-c6", "desync, resync"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			atEachAcuity(t, func(h *table) {
				h.play("e2e4", "e7e5", "g1f3", "b8c6", "f1c4", "f8c5", "b1c3")
				h.wait(3000)
				h.events = nil
				seq := h.state.Seq
				h.hands(c.unseen)
				h.restart(5000)
				h.hands("look 5000")
				if strings.HasPrefix(c.log, "desync") { // back again
					if h.state.Status != "desync" || h.lights.Put == 0 {
						h.tb.Errorf("status %s, lights %+v: %s", h.state.Status, h.lights, h.log())
					}
					h.restart(100)
					h.hands("look 4000 +f3:N 1000 +c5:b 1000 +c3:N 1000 +c6:n 3000")
				}
				if got := h.log(); got != c.log {
					h.tb.Errorf("said %s, want %s", got, c.log)
				}
				for i, e := range h.events {
					if e.Seq != seq+int64(i)+1 {
						h.tb.Errorf("event %d has the number %d after %d", i, e.Seq, seq)
					}
				}
				h.events = nil
				for i := range h.state.Seq { // for seqs
					h.events = append(h.events, Event{Seq: i + 1})
				}
			})
		})
	}
}

// What had been asked is not asked again, and what answers it then is an answer.
func TestQuestionsOutliveAStop(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fen, before, after, log string
		acuity                        board.Acuity
	}{
		{"promotion", promoting, "-a7 400 +a8 1500", "look 1000 !knight 2000", "game_start, promotion_pending a8, command promotion, move a8=N", board.Presence},
		{"promotion by gesture", "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1", "-e7 900 +e8 500 -e8 500 +e8 500 -e8 500 +e8 500", "look 100 -e8 500 +e8 500 -e8 500 +e8 6000",
			"game_start, promotion_pending e8, move e8=N+, check", board.ColorAcuity},
		{"doubt", twoVictims, "~-c5 ~-d4 ~+c5 look 3000", "look 3000 choose", "game_start, doubt, command choose, resolved d4c5, move dxc5", board.Presence},
		{"illegal move", pinned, "-e2 600 +c3 3000", "look 3000 -c3 600 +e2 3000 -e1 500 +d1 3000", "game_start, illegal_move e2c3 exposes_king, move Kd1", board.Presence},
		{"illegal move, by colour", pinned, "-e2 600 +c3 3000", "look 3000 -c3 600 +e2 3000 -e1 500 +d1 3000", "game_start, illegal_move e2c3 exposes_king, move Kd1", board.ColorAcuity},
		{"which way round", "", "-e7 400 +e5 3000", "look 3000 -e5 500 +e7 2000", "game_start, doubt, resolved", board.Presence},
		{"taken back by word", "", "-e2 400 +e4 2000 takeback", "look 3000 -e4 400 +e2 3000 -d2 400 +d4 3000", "game_start, move e4, command takeback, takeback command e2e4, move d4", board.PieceAcuity},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: c.acuity, SettleMs: 25, Start: startOf(t, c.fen)})
			h.wait(1000)
			do := func(script string) {
				script, word, _ := cutWord(script)
				h.hands(script)
				var r Reply
				switch word {
				case "takeback":
					r = h.cmd(board.Command{Verb: "takeback"})
				case "choose":
					d := h.doubt
					if d == nil {
						t.Fatalf("no doubt is open: %s", h.log())
					}
					n := 0
					for i, moves := range d.candidates {
						if len(moves) > 0 && moves[0].Target().String() == "c5" {
							n = i
						}
					}
					r = h.cmd(board.Command{Verb: "choose", Doubt: d.id, N: n})
					h.wait(3000)
				default:
					return
				}
				if r.Status != "ok" {
					t.Fatalf("%s: %+v", word, r)
				}
			}
			do(c.before)
			h.restart(500)
			do(c.after)
			if got := h.fullLog(); got != c.log {
				t.Errorf("said %s\nwant %s", got, c.log)
			}
			h.seqs()
			open := map[int64]bool{}
			for _, e := range h.events {
				switch x := e.Body.(type) {
				case *Doubt:
					open[x.ID] = true
				case *Resolved:
					if !open[x.ID] {
						t.Errorf("doubt %d was resolved and never asked", x.ID)
					}
				}
			}
		})
	}
}

// cutWord parts a last word that is a command from a script of hands.
func cutWord(script string) (hands, word string, ok bool) {
	for _, w := range []string{"takeback", "choose"} {
		if hands, ok := strings.CutSuffix(script, w); ok {
			return hands, w, true
		}
	}
	return script, "", false
}

// A game that is cut anywhere between two plies, as often as you like, ends as it does without.
func TestCutGamesEndAsWholeOnes(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		a := rapid.SampledFrom(acuities).Draw(rt, "acuity")
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
		h.tb = t
		h.wait(1000)
		p := rules.Start()
		var played []string
		for i := range rapid.IntRange(1, 24).Draw(rt, "plies") {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 || h.game.over() {
				break
			}
			m := moves[rapid.IntRange(0, len(moves)-1).Draw(rt, "move")]
			if m.Promotion() != rules.NoRole && m.Promotion() != rules.Queen {
				continue
			}
			played = append(played, p.UCI(m))
			h.play(p.UCI(m))
			p.Play(m)
			h.wait(rapid.SampledFrom([]int64{400, 3000, 6000}).Draw(rt, "pause"))
			if rapid.IntRange(0, 3).Draw(rt, "cut") == 0 {
				h.restart(rapid.Int64Range(0, 100_000).Draw(rt, "ago"))
				h.hands("look")
				h.wait(rapid.SampledFrom([]int64{0, 500, 6000}).Draw(rt, "after"))
			}
			_ = i
		}
		h.wait(8000)
		if got := h.uci(); got != strings.Join(played, " ") {
			rt.Fatalf("played %s\nstands %s\nsaid %s", strings.Join(played, " "), got, h.fullLog())
		}
		h.seqs()
	})
}
