package game

import (
	"fmt"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

const (
	blackCastles = "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1"
	whitePasses  = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq f6 0 3"
	blackCaught  = "rnbqkbnr/pppp1ppp/8/8/3pP3/8/PPP2PPP/RNBQKBNR w KQkq - 0 3"
	takesPawn    = "rnbqkbnr/pppp1ppp/8/4p3/3PP3/8/PPP2PPP/RNBQKBNR b KQkq - 0 2"
	blackQueens  = "4k3/8/8/8/8/8/p7/1N2K3 b - - 0 1"
)

// remoteCases are moves of an opponent far away, carried out on the board. Hands has {…} where the lights are looked at: what they
// say then is in the list lights, as squares to take off, > and squares to put a man on.
var remoteCases = []struct {
	name, fen, hands string
	lights           []string
	log              string
	not              string // acuities
}{
	{name: "quiet", fen: afterE4, hands: "@g8f6 {} -g8 500 {} +f6 {} 3000",
		lights: []string{"g8>f6", ">f6", ""}, log: "command move, move Nf6"},
	{name: "quiet, and the reply", fen: afterE4, hands: "@g8f6 1000 -g8 500 +f6 600 -d2 400 +d4 3000 {}", lights: []string{""}, log: "command move, move Nf6, move d4"},
	{name: "reply before it is begun", fen: afterE4, hands: "@g8f6 1000 -d2 400 +d4 600 {} -g8 500 +f6 3000 {}",
		lights: []string{"g8>f6", ""}, log: "command move, move Nf6, move d4"},
	{name: "reply with the man in the hand", fen: afterE4, hands: "@g8f6 1000 -g8 300 -d2 400 +d4:P 600 {} +f6:n 3000 {}",
		lights: []string{">f6", ""}, log: "command move, move Nf6, move d4"},
	{name: "slides", fen: afterE4, hands: "@d7d5 1000 -d7 90 +d6 120 -d6 90 +d5 {} 3000", lights: []string{""}, log: "command move, move d5"},
	{name: "only the end seen", fen: afterE4, hands: "@d7d5 1000 ~-d7 ~+d5 look 300 {} 3000 -d2 500 +d3 3000", lights: []string{""}, log: "command move, move d5, move d3"},
	{name: "done before it was told", fen: afterE4, hands: "-d7 500 +d5 40 @d7d5 {} 3000", lights: []string{""}, log: "command move, move d5"},
	{name: "man in the hand when it is told", fen: afterE4, hands: "-d7 500 @d7d5 {} 500 +d5 3000", lights: []string{">d5"}, log: "command move, move d5"},
	{name: "left for long", fen: afterE4, hands: "@g8f6 120000 {} -g8 500 +f6 3000 {} -d2 400 +d4 3000", lights: []string{"g8>f6", ""}, log: "command move, move Nf6, move d4"},
	{name: "taken up and put back", fen: afterE4, hands: "@g8f6 1000 -g8 500 +g8 9000 {} -g8 500 +f6 3000 {}", lights: []string{"g8>f6", ""}, log: "command move, move Nf6"},

	{name: "capture, victim first", fen: takesPawn, hands: "@e5d4 {} 1000 -d4 500 {} -e5 400 {} +d4 {} 3000",
		lights: []string{"d4 e5>", "e5>d4", ">d4", ""}, log: "command move, move exd4"},
	{name: "capture, capturer first", fen: takesPawn, hands: "@e5d4 1000 -e5 500 {} -d4 400 {} +d4:p {} 3000",
		lights: []string{"d4>", ">d4", ""}, log: "command move, move exd4"},
	{name: "capture in one motion", fen: takesPawn, hands: "@e5d4 1000 -e5 300 ~-d4 +d4:p {} 3000 -d1 500 -d4 200 +d4:Q 3000 {}", not: "presence",
		lights: []string{"", ""}, log: "command move, move exd4, move Qxd4"},
	{name: "capture, the exchange unseen", fen: takesPawn, hands: "@e5d4 1000 -e5 300 3000 {} -g1 500 +f3 3000 {}", not: "color piece",
		lights: []string{"", ""}, log: "command move, move exd4, move Nf3"},
	{name: "capture, the capturer held for long", fen: takesPawn, hands: "@e5d4 1000 -e5 5000 -d4 800 +d4:p 2000 {} -g1 500 +f3 3000 {}",
		lights: []string{"", ""}, log: "command move, move exd4, move Nf3"},
	{name: "its man is taken before it has come", fen: takesPawn, hands: "@e5d4 1000 -d4 300 -d1 500 +d4 900 {} -e5 3000 {}",
		lights: []string{"e5>", ""}, log: "command move, move exd4, move Qxd4"},

	{name: "MD-57 castling", fen: blackCastles, hands: "@e8g8 {} -e8 500 {} +g8 {} 700 -h8 500 {} +f8 {} 3000",
		lights: []string{"e8 h8>f8 g8", "h8>f8 g8", "h8>f8", ">f8", ""}, log: "command move, move O-O"},
	{name: "castling, rook first", fen: blackCastles, hands: "@e8c8 1000 -a8 500 +d8 300 {} -e8 500 +c8 3000 {}",
		lights: []string{"e8>c8", ""}, log: "command move, move O-O-O"},
	{name: "castling, replied before the rook", fen: blackCastles, hands: "@e8g8 1000 -e8 500 +g8 700 -a1 500 +b1 700 {} -h8 500 +f8 3000 {}",
		lights: []string{"h8>f8", ""}, log: "command move, move O-O, move Rb1"},
	{name: "en passant", fen: whitePasses, hands: "@e5f6 {} 500 -e5 400 +f6 {} 500 -f5 {} 3000 -g8 400 -f6 200 +f6:n 3000",
		lights: []string{"e5 f5>f6", "f5>", ""}, log: "command move, move exf6, move Nxf6"},
	{name: "promotion", fen: blackQueens, hands: "@a2a1r {} 1000 -a2 500 {} +a1:r {} 7000 -e1 400 +e2 3000",
		lights: []string{"a2>a1", ">a1", ""}, log: "command move, move a1=R, move Ke2"},
	{name: "promotion, the pawn stands for it", fen: blackQueens, hands: "@a2a1q 1000 -a2 500 +a1 700 {} -e1 400 +e2 3000 {}",
		lights: []string{"", ""}, log: "command move, move a1=Q, move Ke2"},
	{name: "promotion by capture", fen: blackQueens, hands: "@a2b1n {} 1000 -b1 400 -a2 500 +b1:n {} 7000 -e1 400 +d1 3000",
		lights: []string{"a2 b1>", ""}, log: "command move, move axb1=N, game_end 1/2-1/2 dead"},
	{name: "promotion, another piece", fen: blackQueens, hands: "@a2a1q 1000 -a2 500 +a1:r 2000 {} -a1 500 {} +a1:q {} 3000", not: "presence color",
		lights: []string{"a1>", ">a1", ""}, log: "command move, move a1=Q"},

	{name: "MD-07 the wrong knight", fen: afterE4, hands: "@g8f6 1000 -b8 {} 500 +c6 {} 3000 {} -c6 500 +b8 {} 500 -g8 500 +f6 {} 3000",
		lights: []string{"g8>b8 f6", "c6 g8>b8 f6", "c6 g8>b8 f6", "g8>f6", ""}, log: "command move, move Nf6, desync, resync"},
	{name: "the wrong knight, by way of the right one", fen: afterE4, hands: "@g8f6 1000 -b8 500 +c6 3000 -g8 500 +f6 {} 500 -c6 500 +b8 {} 3000",
		lights: []string{"c6>b8", ""}, log: "command move, move Nf6, desync, resync"},
	{name: "the right man on a wrong square", fen: afterE4, hands: "@g8f6 1000 -g8 500 +h6 500 {} 3000 {} -h6 500 +f6 {} 3000",
		lights: []string{">f6", "h6>f6", ""}, log: "command move, move Nf6, desync, resync"},
	{name: "a pawn one short", fen: afterE4, hands: "@d7d5 1000 -d7 500 +d6 3000 {} -d6 500 +d5 {} 3000 -d2 500 +d4 3000",
		lights: []string{"d6>d5", ""}, log: "command move, move d5, desync, resync, move d4"},
	{name: "an illegal reply meanwhile", fen: afterE4, hands: "@g8f6 1000 -e4 500 +e6 3000 -e6 500 +e4 500 -g8 500 +f6 {} 3000",
		lights: []string{""}, log: "command move, move Nf6, illegal_move e4e6 pawn_double_step"},
	{name: "a neighbour brushed", fen: "rnbqkb1r/pppp1ppp/8/4p3/2P1n3/PP6/3P1PPP/RNBQKBNR b KQkq - 0 4", hands: "@f8c5 1000 -f8 100 -a3 {} 400 +a3:P 300 +c5:b 3000 {}",
		lights: []string{">c5", ""}, log: "command move, move Bc5"},

	{name: "taken back by the opponent", fen: afterE4, hands: "@g8f6 1000 -g8 500 {} !takeback 2500 {} +g8 {} 500 @b8c6 {} -b8 500 +c6 3000 {}",
		lights: []string{">f6", ">g8", "", "b8>c6", ""}, log: "command move, move Nf6, command takeback, takeback command g8f6, command move, move Nc6"},
	{name: "taken back before it is begun", fen: afterE4, hands: "@g8f6 1000 {} !takeback {} 3000 -g8 500 +f6 3000 {}",
		lights: []string{"g8>f6", "", ""}, log: "command move, move Nf6, command takeback, takeback command g8f6, move Nf6"},
	{name: "taken back when it is done", fen: afterE4, hands: "@g8f6 1000 -g8 500 +f6 3000 !takeback 3000 {} -f6 500 +g8 {} 3000 -d7 500 +d5 3000",
		lights: []string{"f6>g8", ""}, log: "command move, move Nf6, command takeback, takeback command g8f6, move d5"},
	{name: "resigned by the opponent", fen: afterE4, hands: "@g8f6 1000 -g8 300 !resign {} 500 +f6 3000 {}",
		lights: []string{"", ""}, log: "command move, move Nf6, command resign, game_end 1-0 resign"},
	{name: "mated", fen: "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2", hands: "@d8h4 {} 1000 -d8 500 {} +h4 {} 9000",
		lights: []string{"d8>h4", ">h4", ""}, log: "command move, move Qh4#, game_end 0-1 checkmate"},
	{name: "two before one is carried out", fen: afterE4, hands: "@g8f6 1000 -d2 400 +d4 3000 @b8c6 {} -g8 500 +f6 500 {} -b8 500 +c6 500 {} -c2 500 +c4 3000",
		lights: []string{"b8 g8>c6 f6", "b8>c6", ""}, log: "command move, move Nf6, move d4, command move, move Nc6, move c4"},
	{name: "taken back by hand once it is done", fen: afterE4, hands: "@g8f6 1000 -g8 500 +f6 3000 -f6 500 +g8 6000 -d7 500 +d5 3000",
		log: "command move, move Nf6, takeback board g8f6, move d5"},
	{name: "the first move of all", hands: "@e2e4 6000 {} -e2 500 +e4 3000 {} -e7 500 +e5 3000", lights: []string{"e2>e4", ""}, log: "command move, move e4, move e5"},
	{name: "paused meanwhile", fen: afterE4, hands: "@g8f6 1000 !pause 3000 !resume 3000 {} -g8 500 +f6 3000 {} -d2 500 +d4 3000",
		lights: []string{"g8>f6", ""}, log: "command move, move Nf6, command pause, command resume, move d4"},
}

// lit is what the lights say of men to take off and to put down, whatever the reason.
func lit(v *View) string {
	lift, put := v.Remove, v.Put
	if v.Remote != nil {
		lift, put = lift|v.Remote.Lift, put|v.Remote.Put
	}
	if m := v.Illegal; m != nil {
		if m.To < 64 {
			lift |= m.To.Bit()
		}
		put |= m.From.Bit()
	}
	if lift|put == 0 {
		return ""
	}
	return names(lift) + ">" + names(put&^lift)
}

func names(set rules.Bitboard) string {
	var list []string
	for f := range 8 {
		for r := range 8 {
			if s := rules.NewSquare(f, r); set.Has(s) {
				list = append(list, s.String())
			}
		}
	}
	return strings.Join(list, " ")
}

func TestRemoteMoves(t *testing.T) {
	t.Parallel()
	for _, c := range remoteCases {
		for _, a := range acuities {
			if strings.Contains(c.not, a.String()) {
				continue
			}
			for _, tempo := range []int64{7, 10, 14} {
				for _, side := range []string{"white", "black"} {
					if side == "black" && tempo != 10 {
						continue
					}
					t.Run(fmt.Sprintf("%s/%s/%d%s", c.name, a, tempo, side), func(t *testing.T) {
						t.Parallel()
						h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, c.fen), Orientation: side})
						h.tempo = tempo
						h.wait(1000)
						n := 0
						for _, w := range strings.Fields(c.hands) {
							switch w {
							case "{}":
								h.wait(60) // until the squares have settled
								if got := lit(h.lights); n < len(c.lights) && got != c.lights[n] {
									t.Errorf("light %d: %q, want %q", n, got, c.lights[n])
								}
								n++
							case "!takeback", "!pause", "!resume":
								h.cmd(board.Command{Verb: w[1:]})
							case "!resign":
								h.cmd(board.Command{Verb: "resign", Side: "black"})
							default:
								h.hands(w)
							}
						}
						h.wait(12_000)
						if got := h.log(); got != "game_start, "+c.log {
							t.Errorf("said %s; want %s", got, c.log)
						}
						if p := h.game.line.Position(); !h.state.Match && h.picture() == h.turn(h.opt.see(&p)) {
							t.Error("the board shows the position, and state.match is false")
						}
					})
				}
			}
		}
	}
}

// carryOut does with clean hands what move m of position p is on the board: the victim first.
func (h *table) carryOut(p *rules.Position, m rules.Move) {
	h.tb.Helper()
	h.hand = nil
	if v := m.Victim(); !m.IsCastling() && p.At(v) != rules.NoPiece {
		h.hands("-" + v.String() + " 300")
		h.hand = nil
	}
	h.hands("-" + m.From().String() + " 400")
	switch {
	case m.IsCastling():
		king, rook := m.Castling()
		h.hands("+" + king.String() + " 300 -" + m.To().String() + " 400 +" + rook.String())
	case m.Promotion() != rules.NoRole:
		h.hands("+" + m.To().String() + ":" + rules.NewPiece(p.Turn(), m.Promotion()).String())
	default:
		h.hands("+" + m.To().String())
	}
}

// Whatever the opponent far away plays, it is carried out and answered, and nothing else is read from that.
func TestRemoteGames(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		rapid.Check(t, func(r *rapid.T) {
			h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, rapid.SampledFrom([]string{"", blackCastles, whitePasses, "r3k2r/pPppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPB1PpP/R3K2R w KQkq - 0 1"}).Draw(r, "fen")), Orientation: "white"})
			remote := rapid.SampledFrom([]rules.Color{rules.White, rules.Black}).Draw(r, "remote")
			var want []string
			for range rapid.IntRange(1, 10).Draw(r, "plies") {
				p := h.game.line.Position()
				if h.game.over() {
					break
				}
				var buf [256]rules.Move
				m := rapid.SampledFrom(p.LegalMoves(buf[:0])).Draw(r, "move")
				want = append(want, p.UCI(m))
				h.wait(rapid.Int64Range(500, 4000).Draw(r, "thinks"))
				if p.Turn() == remote {
					if got := h.cmd(board.Command{Verb: "move", UCI: board.Plies{p.UCI(m)}}); got.Status != "ok" {
						r.Fatalf("%s in %s: %s", p.UCI(m), p.FEN(), got.Message)
					}
					h.wait(rapid.Int64Range(300, 3000).Draw(r, "looks"))
					h.carryOut(&p, m)
				} else {
					h.carryOut(&p, m)
					h.wait(100)
					if role := m.Promotion(); role != rules.NoRole && h.prompt.square != rules.NoSquare {
						h.hands("!" + role.String())
					}
					h.wait(3000)
				}
			}
			h.wait(8000)
			if got := h.uci(); got != strings.Join(want, " ") {
				r.Errorf("played %s, want %s: %s", got, strings.Join(want, " "), h.log())
			}
			for _, e := range h.events {
				switch e.Type {
				case "takeback", "illegal_move", "desync", "doubt", "illegal_standing":
					r.Errorf("said %s", h.log())
				}
			}
			if !h.game.over() && (!h.state.Match || h.lights.Remote != nil) {
				r.Errorf("not carried out: match %v, lights %+v", h.state.Match, h.lights.Remote)
			}
		})
	})
}

// MD-22: the opponent's record goes another way from the second move on. What the record is told to be leads the board there, and
// no hand that puts it right makes a move.
func TestRemoteRecordWins(t *testing.T) {
	t.Parallel()
	start := startOf(t, "")
	line := sanLine(t, *start, "e3 a6 Nc3 Nh6 d4 Nc6 e4 a5 Be3 Ra7 Bb5 Nxd4 Qxd4 e6 O-O-O Qh4")
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: start, Moves: line, Orientation: "white"})
		h.wait(3000)
		if r := h.cmd(board.Command{Verb: "move", UCI: board.Plies{"d2d3"}}); r.Code != "bad_value" {
			t.Fatalf("%+v", r)
		}
		if r := h.cmd(board.Command{Verb: "takeback", Plies: len(line)}); r.Status != "ok" {
			t.Fatal(r)
		}
		if r := h.cmd(board.Command{Verb: "move", UCI: board.Plies{"d2d3"}}); r.Status != "ok" {
			t.Fatal(r)
		}
		h.wait(3000)
		if h.state.Status != "desync" || h.lights.Remove == 0 || h.lights.Put == 0 {
			t.Errorf("%s: nothing leads back: %+v", h.state.Status, h.lights)
		}
		for _, w := range strings.Fields("d4>d1:Q c1>e1:K d1>a1:R e3>c1 b5>f1 c3>b1 h4>d8 e6>e7 a7>a8 a5>a7 h6>g8 e4>e2") {
			from, to, _ := strings.Cut(w, ">")
			if w == "d4>d1:Q" { // the rook of the castling stands there still
				h.hands("-d1 500 +a1 800")
			}
			if w == "d1>a1:R" {
				continue
			}
			h.hands("-" + from + " 500 +" + to + " 800")
		}
		h.hands("+b8:n 700 +d2:P 900 -d2 500 +d3 4000")
		if got := h.log(); strings.Count(got, "move ") != 1 || !strings.HasSuffix(got, "command move, move d3, desync, resync") {
			t.Errorf("said %s", got)
		}
		if h.state.Status != "playing" || !h.state.Match || h.lights.Remove|h.lights.Put != 0 || h.lights.Remote != nil {
			t.Errorf("%s, match %v, lights %+v", h.state.Status, h.state.Match, h.lights)
		}
		h.hands("-e7 500 +e5 4000")
		if got := h.uci(); got != "d2d3 e7e5" {
			t.Errorf("%s: %s", got, h.log())
		}
	})
}

func sanLine(tb testing.TB, p rules.Position, text string) (line []rules.Move) {
	tb.Helper()
	for _, san := range strings.Fields(text) {
		m, err := p.ParseSAN(san)
		if err != nil {
			tb.Fatal(err)
		}
		line = append(line, m)
		p.Play(m)
	}
	return line
}

// A ply that is still to be carried out is so after a stop, too: begun, not begun, or done meanwhile.
func TestRemoteMoveIsResumed(t *testing.T) {
	t.Parallel()
	for name, meanwhile := range map[string]string{"not begun": "", "begun": "~-e7", "done": "~-e7 ~+e5"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			atEachAcuity(t, func(h *table) {
				h.play("e2e4")
				h.hands("@e7e5 2000")
				n := len(h.events)
				h.hands(meanwhile)
				h.restart(60_000)
				h.hands("look 4000 look 4000")
				if got := lit(h.lights); got != map[string]string{"not begun": "e7>e5", "begun": ">e5", "done": ""}[name] {
					h.tb.Errorf("lights %q", got)
				}
				switch name {
				case "not begun":
					h.hands("-e7 500 +e5 3000")
				case "begun":
					h.hands("+e5:p 3000")
				}
				if len(h.events) != n || !h.state.Match {
					h.tb.Errorf("match %v, said %s", h.state.Match, h.log())
				}
				h.hands("-g1 500 +f3 4000")
				if got := h.uci(); got != "e2e4 e7e5 g1f3" {
					h.tb.Errorf("%s: %s", got, h.log())
				}
			})
		})
	}
}

// Where a remote move cannot be taken, the reply says why, and nothing happens.
func TestRemoteMoveIsRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		o    Options
		prep func(h *table)
		code string
	}{
		{"observed", Options{Mode: Observer, Start: startOf(t, "")}, nil, "forbidden"},
		{"paused", Options{Start: startOf(t, "")}, func(h *table) { h.cmd(board.Command{Verb: "pause"}) }, "busy"},
		{"which way the board stands", Options{Start: startOf(t, ""), Acuity: board.Presence}, nil, "busy"},
		{"no game", Options{}, nil, "stale"},
		{"resigned", Options{Start: startOf(t, "")}, func(h *table) { h.cmd(board.Command{Verb: "resign", Side: "white"}) }, "stale"},
		{"kings in the centre", Options{Start: startOf(t, "6k1/5ppp/8/8/8/3K4/5PPP/8 w - - 0 40"), Acuity: board.PieceAcuity},
			func(h *table) { h.hands("-d3 500 +e4 600 -g8 600 +d5 1000") }, "busy"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			c.o.Games, c.o.SettleMs = "g", 25
			h := seat(t, c.o)
			h.wait(1000)
			if c.prep != nil {
				c.prep(h)
			}
			before := h.seq
			uci := "e2e4"
			if c.name == "kings in the centre" {
				uci = "f2f3"
			}
			if r := h.cmd(board.Command{Verb: "move", UCI: board.Plies{uci}}); r.Status != "error" || r.Code != c.code || r.Message == "" {
				t.Errorf("%+v", r)
			}
			if h.seq != before || h.lights.Remote != nil {
				t.Errorf("%d events, lights %+v", h.seq-before, h.lights.Remote)
			}
		})
	}
}
