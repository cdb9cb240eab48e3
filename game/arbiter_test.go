package game

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

func ok(t *testing.T, h *table, c board.Command) {
	t.Helper()
	if r := h.cmd(c); r.Status != "ok" {
		t.Fatalf("%s: %+v", c.Verb, r)
	}
}

func TestArbiterRefusals(t *testing.T) {
	t.Parallel()
	n := func(i int64) *int64 { return &i }
	tests := []struct {
		name  string
		moves []string
		c     board.Command
		code  string
	}{
		{"accept nothing", nil, board.Command{Verb: "accept", Seq: 1}, "stale"},
		{"accept without which", nil, board.Command{Verb: "accept"}, "bad_value"},
		{"claim for nobody", nil, board.Command{Verb: "claim", Kind: "fifty"}, "bad_value"},
		{"claim what", nil, board.Command{Verb: "claim", Side: "white", Kind: "x"}, "bad_value"},
		{"claim out of turn", nil, board.Command{Verb: "claim", Side: "black", Kind: "fifty"}, "bad_value"},
		{"claim too early", nil, board.Command{Verb: "claim", Side: "white", Kind: "threefold"}, "bad_value"},
		{"claim by an illegal move", nil, board.Command{Verb: "claim", Side: "white", Kind: "threefold", UCI: board.Plies{"e2e5"}}, "bad_value"},
		{"resume what goes on", nil, board.Command{Verb: "resume"}, "stale"},
		{"result of what", nil, board.Command{Verb: "result"}, "bad_value"},
		{"result for no reason", nil, board.Command{Verb: "result", Result: "1-0", Reason: "luck"}, "bad_value"},
		{"no result for a reason", nil, board.Command{Verb: "result", Result: "*", Reason: "forfeit"}, "bad_value"},
		{"abandoned and won", nil, board.Command{Verb: "result", Result: "1-0", Reason: "abandoned"}, "bad_value"},
		{"setup nonsense", nil, board.Command{Verb: "setup", FEN: "x"}, "bad_value"},
		{"setup the impossible", nil, board.Command{Verb: "setup", FEN: "4k3/8/8/8/8/8/8/P3K3 w - - 0 1"}, "bad_value"},
		{"setup in a game", []string{"e2e4"}, board.Command{Verb: "setup", FEN: rules.StartFEN}, "game_in_progress"},
		{"truncate where", nil, board.Command{Verb: "truncate"}, "bad_value"},
		{"truncate beyond", []string{"e2e4"}, board.Command{Verb: "truncate", Ply: ptr(2)}, "bad_value"},
		{"truncate how", nil, board.Command{Verb: "truncate", Ply: ptr(0), Result: "2-0"}, "bad_value"},
		{"edit before the first", nil, board.Command{Verb: "edit", UCI: board.Plies{"e2e4"}}, "bad_value"},
		{"edit beyond", nil, board.Command{Verb: "edit", FromPly: 2, UCI: board.Plies{"e2e4"}}, "bad_value"},
		{"edit illegally", nil, board.Command{Verb: "edit", FromPly: 1, UCI: board.Plies{"e2e4", "e2e4"}}, "bad_value"},
		{"edit after mate", nil, board.Command{Verb: "edit", FromPly: 1, UCI: board.Plies{"f2f3", "e7e5", "g2g4", "d8h4", "a2a3"}}, "bad_value"},
		{"edit without end", nil, board.Command{Verb: "edit", FromPly: 1, UCI: make(board.Plies, maxEdit+1)}, "bad_value"},
		{"names of nobody", nil, board.Command{Verb: "names"}, "bad_value"},
		{"long names", nil, board.Command{Verb: "names", Round: strings.Repeat("x", 65)}, "bad_value"},
		{"mode", nil, board.Command{Verb: "mode", Mode: "blitz"}, "bad_value"},
		{"clock how", nil, board.Command{Verb: "clock_set"}, "bad_value"},
		{"clock of one", nil, board.Command{Verb: "clock_set", WhiteMs: n(1)}, "bad_value"},
		{"clock below nothing", nil, board.Command{Verb: "clock_set", WhiteMs: n(-1), BlackMs: n(1)}, "bad_value"},
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

// An illegal move that was answered stands by the arbiter's word; the game goes on from there, and its record says so.
func TestAccept(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for _, mode := range []string{Casual, Observer} {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Mode: mode, Start: startOf(t, "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1"), Orientation: "white"})
			h.hands("1000 -a2 600 +a7 3200 -g7 300 +g6 2000")
			move, _ := illegalStanding(t, h)
			if move.Arbiter != (mode == Observer) {
				t.Errorf("%s: seen by %v", mode, move)
			}
			ok(t, h, board.Command{Verb: "accept", Seq: move.Seq, By: "arbiter"})
			h.wait(3000)
			h.hands("-e1 500 +f1 3000")
			log := h.log()
			if _, after, _ := strings.Cut(log, "command accept, "); strings.Replace(after, "check, ", "", 1) != "move Ra2-a7 illegal, move g6+, move Kf1" {
				t.Fatalf("%s: %s", mode, log)
			}
			g := h.state.Game
			const led = "4r1k1/R4ppp/8/8/8/8/5PPP/4K3 b - - 1 1"
			if strings.Join(g.UCI, " ") != "a2a7 g7g6 e1f1" || len(g.Stood) != 1 || g.Stood[0] != (Stood{1, led}) || h.state.LastSAN != "Kf1" || !h.state.Match {
				t.Errorf("%+v, %+v", g, h.state)
			}
			if pgn := g.PGN(""); !strings.Contains(pgn, "Ra2-a7") || !strings.Contains(pgn, "Kf1") {
				t.Errorf("PGN %s", pgn)
			}
			if e := h.events[len(h.events)-1]; e.Ply != 3 {
				t.Errorf("ply %d", e.Ply)
			}
			if r := h.cmd(board.Command{Verb: "edit", FromPly: 1, UCI: board.Plies{"a2a1"}}); r.Code != "bad_value" {
				t.Errorf("what stands was edited away: %+v", r)
			}
			ok(t, h, board.Command{Verb: "takeback", Plies: 3})
			if len(h.state.Game.UCI) != 0 || len(h.state.Game.Stood) != 0 || h.state.FEN != "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1" {
				t.Errorf("taken back: %+v", h.state)
			}
			h.hands("-f1 300 +e1 300 -g6 300 +g7 300 -a7 300 +a2 3000")
			h.play("e1d1")
			if got := h.uci(); got != "e1d1" || !h.state.Match {
				t.Errorf("after all is put back: %q, %s", got, h.log())
			}
		}
	})
}

// Who sits at an observed board hears nothing that helps against the laws: all of it is the arbiter's.
func TestObserverSaysItToTheArbiter(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Seq: 40, ArbiterSeq: 7, Acuity: board.PieceAcuity, SettleMs: 25, Mode: Observer, Start: startOf(t, "4k3/8/8/8/8/8/7p/R3K3 w - - 0 1")})
	h.hands("1000 -a1 400 +b3 4000") // not completed: nobody is told
	h.want("game_start")
	press := func(lever board.Side) {
		h.step(board.Input{Kind: board.Clock, Reading: board.Reading{LeftMs: 60_000, RightMs: 60_000, Running: lever, Lever: lever}})
	}
	press(board.Left)
	h.wait(300)
	press(board.Right)
	h.want("game_start, arbiter: illegal_move a1b3 rook_moves_straight, arbiter: illegal_standing")
	h.hands("1000 -b3 400 +a1 3000 -e1 400 +e2 2000 -h2 400 +h1:? 5000")
	h.cmd(board.Command{Verb: "promotion", Piece: "rook"})
	h.cmd(board.Command{Verb: "led_brightness", Value: ptr(7)})
	h.cmd(board.Command{Verb: "mode", Mode: Casual})
	h.cmd(board.Command{Verb: "mode", Mode: Observer})
	open, secret := 0, 0
	for _, e := range h.events {
		if e.Arbiter {
			secret++
			continue
		}
		open++
		switch e.Type {
		case "game_start", "move", "takeback":
		case "command":
			if c := e.Body.(*CommandDone); c.Verb != "mode" {
				t.Errorf("all hear of %s", c.Verb)
			}
		default:
			t.Errorf("all hear %s", e.Type)
		}
	}
	if open < 4 || secret < 4 || !strings.Contains(h.log(), "arbiter: promotion_pending h1") {
		t.Errorf("%d and %d events: %s", open, secret, h.log())
	}
	if h.state.ArbiterSeq != int64(7+secret) || h.state.Seq != int64(40+open) {
		t.Errorf("at %d and %d", h.state.Seq, h.state.ArbiterSeq)
	}
}

// Draws that nobody may hear of are proposed to the arbiter: by claim, and by the position.
func TestObserverProposesDraws(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Mode: Observer, Start: startOf(t, "4k3/8/8/8/8/8/4q3/3K4 w - - 98 80")})
	ok(t, h, board.Command{Verb: "clock_set", WhiteMs: ptr(int64(1000)), BlackMs: ptr(int64(1000))})
	h.hands("1000 -e2 300 -d1 300 +e2 2000")
	if got := h.log(); got != "game_start, arbiter: command clock_set, move Kxe2, arbiter: result_proposed 1/2-1/2 dead" {
		t.Error(got)
	}
	ok(t, h, board.Command{Verb: "result", Result: "1/2-1/2", Reason: "dead"})
	if h.state.Game.Result != "1/2-1/2" || h.state.Game.Reason != "dead" {
		t.Errorf("%+v", h.state.Game)
	}
}

func TestClaim(t *testing.T) {
	t.Parallel()
	opened, there := []string{"e2e4", "e7e5"}, []string{"g1f3", "g8f6", "f3g1", "f6g8"}
	repeat := func(last int) []string { return slices.Concat(opened, there, there[:last]) }
	tests := []struct {
		name  string
		fen   string
		moves []string
		c     board.Command
		log   string // its end; "" if refused
	}{
		{"threefold", "", repeat(4), board.Command{Side: "white", Kind: "threefold"}, "game_end 1/2-1/2 threefold"},
		{"threefold by the move written down", "", repeat(3), board.Command{Side: "black", Kind: "threefold", UCI: board.Plies{"f6g8"}}, "game_end 1/2-1/2 threefold"},
		{"another move does not", "", repeat(3), board.Command{Side: "black", Kind: "threefold", UCI: board.Plies{"f6g4"}}, ""},
		{"fifty by the move", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", nil, board.Command{Side: "white", Kind: "fifty", UCI: board.Plies{"a1a2"}}, "game_end 1/2-1/2 fifty"},
		{"fifty not yet", "4k3/8/8/8/8/8/8/R3K3 w - - 99 80", nil, board.Command{Side: "white", Kind: "fifty"}, ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, tt.fen)})
			h.play(tt.moves...)
			tt.c.Verb = "claim"
			r := h.cmd(tt.c)
			if (r.Status == "ok") != (tt.log != "") || !strings.HasSuffix(h.log(), tt.log) {
				t.Errorf("%+v, %s", r, h.log())
			}
		})
	}
}

// What hands do in a pause is not play; resume waits until all stands as it did.
func TestPause(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4")
		ok(t, h, board.Command{Verb: "pause"})
		ok(t, h, board.Command{Verb: "pause"})
		if h.state.Status != "paused" {
			t.Errorf("status %s", h.state.Status)
		}
		h.hands("-e7 400 +e5 3000 -d2 300 +d4 6000")
		if h.lights.Remove|h.lights.Put == 0 {
			t.Error("no light leads back")
		}
		ok(t, h, board.Command{Verb: "resume"})
		h.wait(3000)
		if h.state.Match || h.uci() != "e2e4" {
			t.Errorf("match %v, %s", h.state.Match, h.uci())
		}
		h.hands("-d4 300 +d2 1000 -e5 300 +e7 3000 -c7 400 +c5 3000")
		h.want("game_start, move e4, command pause, command resume, desync, resync, move c5")
	})
}

func TestResultAndTruncate(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4", "e7e5", "g1f3", "b8c6")
	ok(t, h, board.Command{Verb: "result", Result: "1-0", Reason: "forfeit", By: "arbiter"})
	if h.state.Status != "finished" || h.state.Game.Reason != "forfeit" {
		t.Errorf("%+v", h.state.Game)
	}
	ok(t, h, board.Command{Verb: "truncate", Ply: ptr(2), Result: "1/2-1/2"})
	if g := h.state.Game; strings.Join(g.UCI, " ") != "e2e4 e7e5" || g.Result != "1/2-1/2" || g.Reason != "arbiter" {
		t.Errorf("%+v", g)
	}
	ok(t, h, board.Command{Verb: "truncate", Ply: ptr(1)})
	if h.state.Status != "playing" || h.uci() != "e2e4" {
		t.Errorf("%s %s", h.state.Status, h.uci())
	}
	h.want("game_start, move e4, move e5, move Nf3, move Nc6, command result, game_end 1-0 forfeit, " +
		"command truncate, takeback command g1f3 b8c6, game_end 1/2-1/2 arbiter, command truncate, takeback command e7e5")
	h.hands("-f3 200 +g1 200 -c6 200 +b8 200 -e5 200 +e7 3000")
	h.play("d7d5")
	if h.uci() != "e2e4 d7d5" {
		t.Errorf("%s: %s", h.uci(), h.log())
	}
}

// An edit keeps what stays, with its times, and the board is led to it.
func TestEdit(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seatPlayed(t, a, "e2e4", "e7e5", "g1f3")
		at := h.state.Game.AtMs
		ok(t, h, board.Command{Verb: "edit", FromPly: 2, UCI: board.Plies{"e7e5", "b1c3", "d7d6"}})
		h.want("game_start, move e4, move e5, move Nf3, command edit, takeback command g1f3, move Nc3, move d6")
		if g := h.state.Game; g.AtMs[1] != at[1] || g.AtMs[2] != at[2] || len(g.AtMs) != 4 {
			t.Errorf("times %v, were %v", g.AtMs, at)
		}
		h.hands("3000 -f3 300 +g1 300 -b1 300 +c3 300 -d7 300 +d6 3000")
		if !h.state.Match {
			t.Errorf("no match: %s", h.log())
		}
		h.play("d2d4")
		if h.uci() != "e2e4 e7e5 b1c3 d7d6 d2d4" {
			t.Errorf("%s: %s", h.uci(), h.log())
		}
	})
	h := seatPlayed(t, board.PieceAcuity, "f2f3", "e7e5", "g2g4")
	ok(t, h, board.Command{Verb: "edit", FromPly: 4, UCI: board.Plies{"d8h4"}})
	if h.state.Game.Reason != "checkmate" {
		t.Errorf("%+v", h.state.Game)
	}
	ok(t, h, board.Command{Verb: "edit", FromPly: 4})
	if h.state.Status != "playing" || h.uci() != "f2f3 e7e5 g2g4" {
		t.Errorf("%s %s", h.state.Status, h.uci())
	}
}

func TestSetupAndNames(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity, "e2e4")
	ok(t, h, board.Command{Verb: "names", White: "Anna", Black: "Ben", Event: "Open", Site: "Ghent", Round: "3", Table: "7"})
	ok(t, h, board.Command{Verb: "setup", FEN: "4k3/8/8/8/8/8/8/R3K3 b - - 5 40", Force: true})
	g := h.state.Game
	if g.White != "Anna" || g.Round != "3" || h.state.FEN != "4k3/8/8/8/8/8/8/R3K3 b - - 5 40" || h.state.LastGame.Reason != "abandoned" {
		t.Errorf("%+v", g)
	}
	if pgn := g.PGN(""); !strings.Contains(pgn, `[Event "Open"]`) || !strings.Contains(pgn, `[Round "3"]`) || !strings.Contains(pgn, `[Board "7"]`) {
		t.Error(pgn)
	}
	ok(t, h, board.Command{Verb: "names", Black: "?"})
	if g := h.state.Game; g.White != "Anna" || g.Black != "" {
		t.Errorf("%+v", g)
	}
}

func TestClockSet(t *testing.T) {
	t.Parallel()
	n := func(i int64) *int64 { return &i }
	h := seatPlayed(t, board.PieceAcuity)
	ok(t, h, board.Command{Verb: "clock_set", WhiteMs: n(60_000), BlackMs: n(50_000)})
	if c := h.state.Clock; c == nil || c.WhiteMs != 60_000 || c.BlackMs != 50_000 || c.Running != nil {
		t.Fatalf("%+v", c)
	}
	h.step(board.Input{Kind: board.Clock, Reading: board.Reading{LeftMs: 40_000, RightMs: 30_000, Running: board.Left, Lever: board.Left}})
	h.wait(5000)
	ok(t, h, board.Command{Verb: "clock_set", AddMs: n(120_000), Side: "black"})
	if c := h.state.Clock; c.WhiteMs != 35_000 || c.BlackMs != 150_000 || c.Running == nil || *c.Running != rules.White {
		t.Errorf("%+v", c)
	}
}

func TestIdentify(t *testing.T) {
	t.Parallel()
	h := seatPlayed(t, board.PieceAcuity)
	ok(t, h, board.Command{Verb: "identify"})
	if h.lights.Identify != h.t+identifyMs {
		t.Errorf("until %d, now %d", h.lights.Identify, h.t)
	}
	h.wait(identifyMs)
	if h.lights.Identify != 0 {
		t.Error("still")
	}
}

// A command is the same after it was recorded.
func TestCommandJSON(t *testing.T) {
	t.Parallel()
	for _, text := range []string{
		`{"verb":"led_brightness","value":40}`, `{"verb":"result","reason":"forfeit","value":"1-0"}`, `{"verb":"edit","uci":["e2e4","e7e5"],"from_ply":1}`,
		`{"verb":"truncate","result":"*","ply":0}`, `{"verb":"clock_set","white_ms":0,"add_ms":-5}`, `{"verb":"accept","seq":7}`,
	} {
		var c board.Command
		if err := json.Unmarshal([]byte(text), &c); err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if again, err := json.Marshal(&c); err != nil || string(again) != text {
			t.Errorf("%s is written as %s (%v)", text, again, err)
		}
	}
	var c board.Command
	if err := json.Unmarshal([]byte(`{"verb":"claim","uci":"e2e4"}`), &c); err != nil || len(c.UCI) != 1 || c.UCI[0] != "e2e4" {
		t.Errorf("%+v %v", c, err)
	}
	for _, bad := range []string{`{"verb":"result","value":1}`, `{"verb":"lights","value":"x"}`, `{"verb":"edit","uci":7}`, `[]`} {
		if err := json.Unmarshal([]byte(bad), &c); err == nil {
			t.Errorf("%s is taken", bad)
		}
	}
}

// What the arbiter has done is there after a stop.
func TestResumeWithWhatTheArbiterDid(t *testing.T) {
	t.Parallel()
	o := Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, "4r1k1/5ppp/8/8/8/8/R4PPP/4K3 w - - 0 1"), Orientation: "white"}
	h := seat(t, o)
	h.hands("1000 -a2 300 +e2 3000 -g7 300 +g6 3000 -e2 600 +a2 3200 -h7 300 +h6 2000")
	move, _ := illegalStanding(t, h)
	ok(t, h, board.Command{Verb: "accept", Seq: move.Seq})
	ok(t, h, board.Command{Verb: "names", White: "Anna", Round: "3"})
	ok(t, h, board.Command{Verb: "mode", Mode: Observer})
	ok(t, h, board.Command{Verb: "pause"})
	text, err := json.Marshal(h.state)
	if err != nil {
		t.Fatal(err)
	}
	var kept Snapshot
	if err := json.Unmarshal(text, &kept); err != nil {
		t.Fatal(err)
	}
	o.Resume = &Resume{Snapshot: &kept, Ago: 5000}
	again := &table{Table: NewTable(o), tb: t, acuity: o.Acuity, men: h.men}
	again.step(board.Input{Kind: board.Wake})
	again.step(board.Input{Kind: board.Scan, Picture: again.picture()})
	s, was := again.state, h.state
	if s.Status != "paused" || s.Mode != Observer || s.Seq != was.Seq || s.ArbiterSeq != was.ArbiterSeq || s.FEN != was.FEN || s.LastSAN != was.LastSAN {
		t.Errorf("after the stop %+v\nbefore it %+v", s, was)
	}
	s.Game.StartedT = was.Game.StartedT
	if a, b := *s.Game, *was.Game; strings.Join(a.UCI, " ") != strings.Join(b.UCI, " ") || strings.Join(a.SAN, " ") != strings.Join(b.SAN, " ") ||
		!slices.Equal(a.Stood, b.Stood) || a.White != "Anna" || a.Round != "3" || len(a.Stood) != 1 {
		t.Errorf("game %+v\nwas %+v", a, b)
	}
	ok(t, again, board.Command{Verb: "resume"})
	again.hands("-e1 300 +d1 4000")
	if got := again.uci(); !strings.HasSuffix(got, "h7h6 e1d1") || len(again.state.Game.UCI) != 5 {
		t.Errorf("%s: %s", got, again.log())
	}
	o.Mode = Training // who changes the configuration means it
	if other := NewTable(o); other.opt.Mode != Training {
		t.Errorf("mode %s", other.opt.Mode)
	}
}

func TestStreams(t *testing.T) {
	t.Parallel()
	open, secret := Event{Seq: 1, Type: "move"}, Event{Seq: 1, Type: "desync", Arbiter: true}
	tests := []struct {
		b    Batch
		want string
	}{
		{Batch{Board: "b", Events: []Event{open}}, "b move"},
		{Batch{Board: "b", Events: []Event{secret}}, "b/arbiter desync"},
		{Batch{Board: "b", Events: []Event{secret, open}}, "b move, b/arbiter desync"},
		{Batch{Board: "b", Events: []Event{secret}, Snapshot: &Snapshot{}}, "b, b/arbiter desync"},
		{Batch{Board: "b", Answers: []Reply{{}}}, "b"},
	}
	for _, tt := range tests {
		var got []string
		for _, b := range tt.b.Streams() {
			text := b.Board
			for _, e := range b.Events {
				text += " " + e.Type
			}
			got = append(got, text)
			if id, arbiter := StreamOf(b.Board); id != "b" || arbiter != strings.HasSuffix(b.Board, "/arbiter") {
				t.Errorf("%s is %s %v", b.Board, id, arbiter)
			}
		}
		if text := strings.Join(got, ", "); text != tt.want {
			t.Errorf("got %s, want %s", text, tt.want)
		}
	}
}
