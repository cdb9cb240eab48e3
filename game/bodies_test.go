package game

import (
	"encoding/json"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

func ptr[T any](v T) *T { return &v }

func TestEventJSON(t *testing.T) {
	t.Parallel()
	const e4, d5 = rules.Square(28), rules.Square(35)
	tests := []struct {
		body Body
		want string
	}{
		{&GameStart{"F", ptr("Anna"), nil, ptr("900+10"), "standard", []string{}},
			`"game_start"|"start_fen":"F","white":"Anna","black":null,"time_control":"900+10","variant":"standard","moves":[]`},
		{&Moved{By: rules.White, UCI: "b5c6", SAN: "Bxc6", FEN: "F", Captured: ptr("n"), ClkMs: ptr(int64(861500)), PlacedMs: 108600},
			`"move"|"by":"white","uci":"b5c6","san":"Bxc6","fen":"F","captured":"n","check":false,"mate":false,"clk_ms":861500,"placed_ms":108600`},
		{&Moved{UCI: "e5d6", EnPassant: true}, `"move"|"by":"white","uci":"e5d6","san":"","fen":"","captured":null,"check":false,"mate":false,"clk_ms":null,"placed_ms":0,"en_passant":true`},
		{&Moved{UCI: "e1e5", Illegal: true}, `"move"|"by":"white","uci":"e1e5","san":"","fen":"","captured":null,"check":false,"mate":false,"clk_ms":null,"placed_ms":0,"illegal":true`},
		{&Moved{By: rules.Black}, `"move"|"by":"black","uci":"","san":"","fen":"","captured":null,"check":false,"mate":false,"clk_ms":null,"placed_ms":0`},
		{&Takeback{1, "corrected", []string{"e7e5"}, "F"}, `"takeback"|"to_ply":1,"reason":"corrected","undone":["e7e5"],"fen":"F"`},
		{&Illegal{"e8e6", rules.Black, "3.8.1", "3.8.1", "king_moves_one_square", []rules.Square{e4}, []Cause{{"3.9.2", "3.9.2", "king_into_attack"}}, []rules.Square{d5}},
			`"illegal_move"|"uci":"e8e6","by":"black","article":"3.8.1","fide":"3.8.1","reason":"king_moves_one_square","squares":["e4"],` +
				`"others":[{"article":"3.9.2","fide":"3.9.2","reason":"king_into_attack"}],"touched":["d5"]`},
		{&PromotionPending{e4, []string{"queen"}, ptr(int64(4000))}, `"promotion_pending"|"square":"e4","choices":["queen"],"deadline_ms":4000`},
		{&PromotionPending{e4, []string{"queen"}, nil}, `"promotion_pending"|"square":"e4","choices":["queen"],"deadline_ms":null`},
		{&Doubt{3, "victim_ambiguous", []Candidate{{UCI: []string{"e4d5"}, SAN: []string{"exd5"}, Weight: 600}, {UCI: []string{"e4f5"}, SAN: []string{"exf5"}, Weight: 55}}, []rules.Square{d5}},
			`"doubt"|"id":3,"kind":"victim_ambiguous","candidates":[{"uci":["e4d5"],"san":["exd5"],"weight":0.6},{"uci":["e4f5"],"san":["exf5"],"weight":0.055}],"squares":["d5"]`},
		{&Resolved{3, []string{"e4d5"}}, `"resolved"|"id":3,"uci":["e4d5"]`},
		{&Desync{[]MissingMan{{e4, "P"}}, []ExtraMan{extraMan(d5, board.Something)}}, `"desync"|"missing":[{"square":"e4","piece":"P"}],"extra":[{"square":"d5","symbol":"x"}]`},
		{&Resync{}, `"resync"|`},
		{&ResultProposed{"1-0", "kings"}, `"result_proposed"|"result":"1-0","reason":"kings"`},
		{&GameEnd{"0-1", "resign", "P", 5}, `"game_end"|"result":"0-1","reason":"resign","pgn":"P"`},
		{&Check{rules.White, e4, []rules.Square{d5}}, `"check"|"by":"white","king":"e4","checkers":["d5"]`},
		{&FlagFallen{rules.Black}, `"flag_fallen"|"by":"black"`},
		{&IllegalStanding{UCI: "a2a7", By: rules.White, IllegalSeq: 7, Reply: ptr("g7g6"), FEN: "F"}, `"illegal_standing"|"uci":"a2a7","by":"white","illegal_seq":7,"reply":"g7g6","fen":"F"`},
		{&IllegalStanding{UCI: "a2a7", IllegalSeq: 7, FEN: "F"}, `"illegal_standing"|"uci":"a2a7","by":"white","illegal_seq":7,"reply":null,"fen":"F"`},
		{&KingCaptured{"e1e8", rules.White, e4}, `"king_captured"|"uci":"e1e8","by":"white","square":"e4"`},
		{&SetUp{StartFEN: "F"}, `"setup"|"start_fen":"F"`},
		{&Online{}, `"board_online"|`},
		{&Offline{}, `"board_offline"|`},
		{&LowBattery{"clock"}, `"low_battery"|"source":"clock"`},
		{&WeakSquare{e4, "never_seen", 2}, `"weak_square"|"square":"e4","kind":"never_seen","count":2`},
		{&DrawOffer{rules.White}, `"draw_offer"|"by":"white"`},
		{&DrawDeclined{rules.Black, "move"}, `"draw_declined"|"by":"black","how":"move"`},
		{&DrawClaimable{"threefold"}, `"draw_claimable"|"kind":"threefold"`},
		{&CommandDone{"takeback", ptr("x"), nil}, `"command"|"verb":"takeback","id":"x","by":null`},
	}
	for _, tt := range tests {
		e := Event{Seq: 7, T: 9, Game: "g-1", Ply: 2, Type: tt.body.event(), Body: tt.body}
		got, err := e.JSON("b", "00000000", "1970-01-01T00:00:00.009Z", false)
		if err != nil {
			t.Fatal(err)
		}
		kind, keys, _ := strings.Cut(tt.want, "|")
		want := `{"v":1,"board":"b","epoch":"00000000","seq":7,"ts":"1970-01-01T00:00:00.009Z","game":"g-1","ply":2,"type":` + kind + `,"late":false`
		if keys != "" {
			want += "," + keys
		}
		if want += "}"; string(got) != want {
			t.Errorf("got  %s\nwant %s", got, want)
		}
	}
}

func TestThousands(t *testing.T) {
	t.Parallel()
	for n, want := range map[thousands]string{-1: "0", 0: "0", 1: "0.001", 50: "0.05", 600: "0.6", 999: "0.999", 1000: "1", 2000: "1"} {
		if got, err := json.Marshal(n); err != nil || string(got) != want {
			t.Errorf("%d is %s, want %s", n, got, want)
		}
	}
}

// scripted is a tracker that says what a test wants.
type scripted struct {
	now       int64
	report    sensing.Report
	confirmed []rules.Move
	picture   board.Picture
}

func (s *scripted) Observe(in board.Input) { s.now = in.T }
func (s *scripted) NextWake() int64        { return 0 }
func (s *scripted) Report() sensing.Report { return s.report }
func (s *scripted) Supports(line []rules.Move) int {
	return len(line)
}
func (s *scripted) Confirm(line []rules.Move) {
	s.confirmed = line
	s.report.Line, s.report.Firm, s.report.Doubt = line, len(line), nil
}
func (s *scripted) Rewind([]rules.Move)    {}
func (s *scripted) Await([]rules.Move)     {}
func (s *scripted) Restart(rules.Position) {}
func (s *scripted) Overlook()              {}
func (s *scripted) Picture() board.Picture { return s.picture }
func (s *scripted) Flush()                 {}

func TestDoubtIsSaidAndChosen(t *testing.T) {
	t.Parallel()
	p := startOf(t, "4k3/8/8/3p1p2/4P3/8/8/4K3 w - - 0 1")
	left, _ := p.ParseUCI("e4d5")
	right, _ := p.ParseUCI("e4f5")
	tr := &scripted{report: sensing.Report{
		Line: []rules.Move{left}, PlacedAt: []int64{900}, Promotion: rules.NoSquare, Settled: true, LastChange: 1000,
		Doubt: &sensing.Doubt{ID: 5, Kind: "victim_ambiguous", Squares: left.To().Bit() | right.To().Bit(),
			Candidates: []sensing.Candidate{{Moves: []rules.Move{left}, Weight: 500}, {Moves: []rules.Move{right}, Weight: 500}}},
	}}
	h := &table{Table: newTable(Options{Games: "g", Start: p}, func(rules.Position) tracker { return tr }), tb: t}
	h.wait(2400)
	h.want("game_start")
	h.wait(200)
	h.want("game_start, doubt")
	if h.lights.DoubtID != 5 || len(h.lights.Doubtful) != 2 || h.state.Pending.Kind != "doubt" {
		t.Errorf("lights %+v, pending %+v", h.lights, h.state.Pending)
	}
	if r := h.cmd(board.Command{Verb: "choose", Doubt: 4}); r.Code != "stale" {
		t.Errorf("%+v", r)
	}
	if r := h.cmd(board.Command{Verb: "choose", Doubt: 5, N: 2}); r.Code != "bad_value" {
		t.Errorf("%+v", r)
	}
	if r := h.cmd(board.Command{Verb: "choose", Doubt: 5, N: 1}); r.Status != "ok" {
		t.Errorf("%+v", r)
	}
	h.want("game_start, doubt, command choose, resolved, move exf5")
	if r, ok := h.events[3].Body.(*Resolved); !ok || r.ID != 5 || strings.Join(r.UCI, " ") != "e4f5" {
		t.Errorf("%+v", h.events[3].Body)
	}
}

func TestRepetitionIsClaimableAndThenEndsTheGame(t *testing.T) {
	t.Parallel()
	p := startOf(t, "")
	line := rules.NewLine(*p)
	tr := &scripted{report: sensing.Report{Promotion: rules.NoSquare, Settled: true}}
	h := &table{Table: newTable(Options{Games: "g", Start: p}, func(rules.Position) tracker { return tr }), tb: t}
	for range 5 {
		for _, uci := range []string{"g1f3", "g8f6", "f3g1", "f6g8"} {
			at := line.Position()
			m, err := at.ParseUCI(uci)
			if err != nil {
				t.Fatal(err)
			}
			line.Play(m)
			tr.report.Line = append(tr.report.Line, m)
			tr.report.Firm = len(tr.report.Line)
			h.wait(1000)
		}
	}
	log := h.log()
	if strings.Count(log, "draw_claimable threefold") != 1 || !strings.HasSuffix(log, "move Ng8, game_end 1/2-1/2 fivefold") {
		t.Error(log)
	}
	if n := len(h.Summary().UCI); n != 16 {
		t.Errorf("%d plies", n)
	}
}

func TestUnchangedScanCostsNothing(t *testing.T) {
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(t, "")})
	h.wait(20_000)
	in := board.Input{Kind: board.Scan, Picture: h.picture(), T: h.t}
	if n := testing.AllocsPerRun(100, func() {
		in.T += 10
		if out := h.Step(in); len(out.Events) > 0 || out.Snapshot != nil || out.View != nil {
			t.Error("an unchanged scan said something")
		}
	}); n != 0 {
		t.Errorf("%g allocations", n)
	}
}

func BenchmarkUnchangedScan(b *testing.B) {
	h := seat(b, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25, Start: startOf(b, "")})
	h.wait(20_000)
	in := board.Input{Kind: board.Scan, Picture: h.picture(), T: h.t}
	for b.Loop() {
		in.T += 10
		h.Step(in)
	}
}
