package game

import (
	"encoding/json"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// script is a table and what is given to it.
type script struct {
	o      Options
	inputs []board.Input
}

func drawScript(t *rapid.T) (s script) {
	s.o = Options{
		Games: "p", Acuity: rapid.SampledFrom(acuities).Draw(t, "acuity"), SettleMs: rapid.SampledFrom([]int64{0, 25}).Draw(t, "settle"),
		Mode:        rapid.SampledFrom([]string{Training, Casual, Observer}).Draw(t, "mode"),
		Orientation: rapid.SampledFrom([]string{"", "auto", "white", "black"}).Draw(t, "orientation"),
		NoTakeback:  rapid.Bool().Draw(t, "no takeback"),
	}
	fens := []string{"", rules.StartFEN, "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1"}
	if fen := rapid.SampledFrom(fens).Draw(t, "fen"); fen != "" {
		p, err := rules.ParsePosition(fen, rules.Standard)
		if err != nil {
			t.Fatal(err)
		}
		s.o.Start = &p
	}
	// Hands that mostly play, and often do not.
	p := rules.Start()
	if s.o.Start != nil {
		p = *s.o.Start
	}
	var men [64]rules.Piece
	for sq := range men {
		men[sq] = p.At(rules.Square(sq))
	}
	picture := func() (q board.Picture) {
		for sq, m := range men {
			q[sq] = s.o.Acuity.See(m)
		}
		return q
	}
	now := int64(0)
	add := func(in board.Input) {
		in.T = now
		s.inputs = append(s.inputs, in)
	}
	change := func(sq rules.Square, m rules.Piece) {
		men[sq&63] = m
		add(board.Input{Kind: board.Change, Square: sq, Symbol: s.o.Acuity.See(m)})
	}
	for range rapid.IntRange(1, 30).Draw(t, "steps") {
		now += rapid.SampledFrom([]int64{0, 10, 100, 400, 1600, 6000}).Draw(t, "pause")
		switch rapid.IntRange(0, 11).Draw(t, "what") {
		case 0, 1, 2, 3, 4, 5:
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				continue
			}
			m := moves[rapid.IntRange(0, len(moves)-1).Draw(t, "move")]
			after := p.After(m)
			for sq := range rules.Square(64) {
				if men[sq] != rules.NoPiece && after.At(sq) != men[sq] {
					change(sq, rules.NoPiece)
					now += 200
				}
			}
			for sq := range rules.Square(64) {
				if men[sq] != after.At(sq) {
					change(sq, after.At(sq))
					now += 200
				}
			}
			p = after
		case 6:
			sq := rules.Square(rapid.IntRange(0, 70).Draw(t, "square"))
			change(sq, rapid.SampledFrom([]rules.Piece{rules.NoPiece, rules.NewPiece(rules.White, rules.Pawn), rules.NewPiece(rules.Black, rules.Queen)}).Draw(t, "man"))
		case 7:
			q := picture()
			if rapid.Bool().Draw(t, "turned") {
				q = q.Turned()
			}
			add(board.Input{Kind: board.Scan, Picture: q})
		case 8:
			add(board.Input{Kind: board.Link, Online: rapid.Bool().Draw(t, "online")})
		case 9:
			side := func(what string) board.Side { return board.Side(rapid.IntRange(0, 3).Draw(t, what)) }
			add(board.Input{Kind: board.Clock, Reading: board.Reading{
				LeftMs: rapid.Int64Range(0, 1e6).Draw(t, "left"), RightMs: rapid.Int64Range(-5, 1e6).Draw(t, "right"),
				Running: side("running"), Lever: side("lever"), Flag: board.Side(rapid.IntRange(0, 9).Draw(t, "flag") / 8),
				BatteryLow: rapid.Bool().Draw(t, "battery"),
			}})
		case 10:
			add(board.Input{Kind: board.Button, ButtonName: rapid.SampledFrom([]string{"new_game", "takeback", "promotion", "lights", "x"}).Draw(t, "button")})
		case 11:
			add(board.Input{Kind: board.Cmd, Command: drawCommand(t)})
		}
	}
	add(board.Input{Kind: board.Kind(rapid.IntRange(0, 12).Draw(t, "kind"))})
	now += 10_000
	add(board.Input{Kind: board.End})
	return s
}

func drawCommand(t *rapid.T) *board.Command {
	if rapid.IntRange(0, 9).Draw(t, "none") == 0 {
		return nil
	}
	color := rapid.SampledFrom([]string{"", "white", "black", "?"})
	return &board.Command{
		Verb: rapid.SampledFrom([]string{"new_game", "takeback", "promotion", "choose", "flip", "resign", "draw", "announce", "x",
			"identify", "claim", "pause", "resume", "accept", "result", "setup", "truncate", "edit", "names", "clock_set", "mode"}).Draw(t, "verb"),
		ID: rapid.SampledFrom([]string{"", "a", "b", "not valid"}).Draw(t, "id"), Piece: rapid.SampledFrom([]string{"queen", "knight", "x"}).Draw(t, "piece"),
		Plies: rapid.IntRange(-1, 4).Draw(t, "plies"), Side: color.Draw(t, "side"), Action: rapid.SampledFrom([]string{"offer", "accept", "decline"}).Draw(t, "action"),
		Doubt: rapid.Int64Range(0, 3).Draw(t, "doubt"), N: rapid.IntRange(-1, 2).Draw(t, "n"), Orientation: color.Draw(t, "orientation"),
		Force: rapid.Bool().Draw(t, "force"), Kind: rapid.SampledFrom([]string{"threefold", "fifty", "x"}).Draw(t, "kind"),
		UCI: rapid.SliceOfN(rapid.SampledFrom([]string{"e2e4", "e7e5", "g1f3", "e1g1", "a7a5", "e7e8q", "x"}), 0, 3).Draw(t, "uci"),
		Seq: rapid.Int64Range(0, 5).Draw(t, "accepted"), Result: rapid.SampledFrom([]string{"", "*", "1-0", "1/2-1/2"}).Draw(t, "result"),
		Reason: rapid.SampledFrom([]string{"", "arbiter", "checkmate", "abandoned"}).Draw(t, "reason"),
		FEN:    rapid.SampledFrom([]string{"", rules.StartFEN, "4k3/P7/8/8/8/8/8/4K3 w - - 0 1", "4k3/4R3/8/8/8/8/8/4K3 w - - 0 1"}).Draw(t, "to"),
		Ply:    rapid.Ptr(rapid.IntRange(-1, 4), true).Draw(t, "ply"), FromPly: rapid.IntRange(-1, 4).Draw(t, "from ply"),
		White: rapid.SampledFrom([]string{"", "Anna", "?"}).Draw(t, "white"), WhiteMs: rapid.Ptr(rapid.Int64Range(-1, 1e6), true).Draw(t, "white ms"),
		BlackMs: rapid.Ptr(rapid.Int64Range(0, 1e12), true).Draw(t, "black ms"), AddMs: rapid.Ptr(rapid.Int64Range(-1e12, 1e12), true).Draw(t, "add ms"),
		Mode: rapid.SampledFrom([]string{Training, Casual, Observer, "x"}).Draw(t, "to mode"),
	}
}

// run gives a script to a new table, wakes included, and holds it to its promises.
func (s *script) run(t *rapid.T) string {
	table := NewTable(s.o)
	var b strings.Builder
	var wake, now int64
	seq := map[bool]int64{false: s.o.Seq, true: s.o.ArbiterSeq}
	seen := map[string]*follower{}
	doubts := openDoubt{said: map[int64]bool{}}
	step := func(in board.Input) {
		out := table.Step(in)
		now = max(now, in.T)
		if out.Wake != 0 && out.Wake <= now {
			t.Fatalf("at %d it wants to be woken at %d", now, out.Wake)
		}
		wake = out.Wake
		for _, e := range out.Events {
			if seq[e.Arbiter]++; e.Seq != seq[e.Arbiter] {
				t.Fatalf("seq %d after %d", e.Seq, seq[e.Arbiter]-1)
			}
			if e.Arbiter && !forArbiter(e.Body) {
				t.Fatalf("%s is no secret", e.Type)
			}
			j, err := e.JSON("b", "00000000", "", false)
			if err != nil || !json.Valid(j) {
				t.Fatalf("%s: %v", j, err)
			}
			b.Write(j)
			b.WriteByte('\n')
			follow(t, seen, &e)
			doubts.follow(t, &e)
		}
		if x := out.Snapshot; x != nil {
			if x.Seq != seq[false] || x.ArbiterSeq != seq[true] {
				t.Fatalf("snapshot of %d and %d at %v", x.Seq, x.ArbiterSeq, seq)
			}
			j, err := json.Marshal(x)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(j)
		}
		if out.View != nil {
			j, err := json.Marshal(out.View)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(j)
		}
		for _, r := range out.Replies {
			j, err := json.Marshal(r)
			if err != nil {
				t.Fatal(err)
			}
			b.Write(j)
		}
	}
	for _, in := range s.inputs {
		for n := 0; wake != 0 && wake <= in.T; n++ {
			if n > 100_000 {
				t.Fatal("wakes without end")
			}
			step(board.Input{Kind: board.Wake, T: wake})
		}
		step(in)
	}
	if d := table.doubt; (d != nil) != (doubts.open != 0) || d != nil && d.id != doubts.open {
		t.Fatalf("doubt %d is open for those who listen, here it is %+v", doubts.open, d)
	}
	for _, g := range table.Games() {
		if f := seen[g.ID]; f == nil || !slices.Equal(f.uci, g.UCI) || f.result != g.Result {
			t.Fatalf("game %s is %v %s, its events say %+v", g.ID, g.UCI, g.Result, f)
		}
	}
	j, err := json.Marshal(table.Summary())
	if err != nil {
		t.Fatal(err)
	}
	return b.String() + string(j)
}

// follower rebuilds a game from nothing but its events.
type follower struct {
	line   *rules.Line
	uci    []string
	result string
	before []*rules.Line // up to illegal plies that stood
}

func follow(t *rapid.T, games map[string]*follower, e *Event) {
	f := games[e.Game]
	switch x := e.Body.(type) {
	case *GameStart:
		p, err := rules.ParsePosition(x.StartFEN, rules.Standard)
		if err != nil {
			t.Fatal(err)
		}
		games[e.Game] = &follower{rules.NewLine(p), nil, "*", nil}
		return
	case *Moved:
		p := f.line.Position()
		if x.Illegal {
			led, err := rules.ParsePosition(x.FEN, rules.Standard)
			if _, legal := p.ParseUCI(x.UCI); err != nil || legal == nil || f.result != "*" {
				t.Fatalf("%s in %s stands as illegal, leading to %s", x.UCI, p.FEN(), x.FEN)
			}
			f.before = append(f.before, f.line)
			f.line, f.uci = rules.NewLine(led), append(f.uci, x.UCI)
			return
		}
		m, err := p.ParseUCI(x.UCI)
		if err != nil {
			t.Fatalf("committed %s in %s: %v", x.UCI, p.FEN(), err)
		}
		if f.result != "*" {
			t.Fatalf("%s after the end of the game", x.UCI)
		}
		if san := p.SAN(m); san != x.SAN || p.Turn() != x.By {
			t.Fatalf("%s %s is %s", x.UCI, x.SAN, san)
		}
		f.line.Play(m)
		f.uci = append(f.uci, x.UCI)
		if p = f.line.Position(); p.FEN() != x.FEN {
			t.Fatalf("after %s %s, said %s", x.UCI, p.FEN(), x.FEN)
		}
	case *Takeback:
		if !slices.Equal(f.uci[x.ToPly:], x.Undone) || len(x.Undone) == 0 {
			t.Fatalf("took back %v of %v", x.Undone, f.uci)
		}
		if n := len(f.before); f.line.Len() == 0 && n > 0 {
			f.line, f.before = f.before[n-1], f.before[:n-1] // the illegal one goes
		} else {
			f.line.Undo(len(x.Undone))
		}
		f.uci, f.result = f.uci[:x.ToPly], "*"
	case *GameEnd:
		f.result = x.Result
	}
	if f != nil && e.Ply != len(f.uci) {
		t.Fatalf("%s says ply %d of %d", e.Type, e.Ply, len(f.uci))
	}
}

// openDoubt is the doubt that is open for those who listen: one at a time, never the same again, each resolved or gone with its game.
type openDoubt struct {
	open int64
	said map[int64]bool
}

func (d *openDoubt) follow(t *rapid.T, e *Event) {
	switch x := e.Body.(type) {
	case *Doubt:
		if d.open != 0 || x.ID == 0 || d.said[x.ID] {
			t.Fatalf("doubt %d, while %d is open, after %v", x.ID, d.open, d.said)
		}
		d.open, d.said[x.ID] = x.ID, true
	case *Resolved:
		if x.ID != d.open {
			t.Fatalf("doubt %d resolved, %d is open", x.ID, d.open)
		}
		d.open = 0
	case *GameEnd:
		d.open = 0
	}
}

func TestAnyInputIsHeldTogether(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := drawScript(t)
		if first, again := s.run(t), s.run(t); first != again {
			t.Fatal("the same inputs gave other outputs")
		}
	})
}
