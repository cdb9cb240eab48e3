package sensing

import (
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// scenario is one named sequence of hands. Events: -e4@0 lifts, +d5@800 sets down the man last lifted, +d5:e4@800 the man
// lifted from e4, +e8=Q@900 a new man; x5@… see the fields.
type scenario struct {
	name, fen, events, line string
	doubtAtPresence         bool   // no answer, but a doubt, on boards that see presence only
	pieceLine               string // where boards that see pieces know more
	promptBelowPiece        bool
	kings                   bool
	noFileMirror            bool
}

const (
	fenStart = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
	fenA     = "rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	fenB     = "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
	fenC     = "r1bqkbnr/pppp1ppp/2n5/1B2p3/4P3/5N2/PPPP1PPP/RNBQK2R w KQkq - 4 4"
	fenE     = "rnbqkbnr/ppp1p1pp/8/3pPp2/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3"
	fenP     = "8/4P1k1/8/8/8/8/6K1/8 w - - 0 1"
	fenT     = "rnbqkb1r/ppp1pppp/5n2/3p4/2P1P3/8/PP1P1PPP/RNBQKBNR w KQkq - 0 3"
	fenQ     = "rnbqkbnr/ppp1p1pp/8/3p1p2/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 3"
	fenK     = "rnbqkbnr/pppp1ppp/8/4p3/8/4P3/PPPP1PPP/RNBQKBNR w KQkq - 0 2"
)

// scenarios are the named sequences that boards were found to break on, by the letters under which they are known here: A captures, B slides and
// bounces, C castling, D en passant, E promotion, F overlaps, G nudges, H and K takebacks, I mistakes, J lost events, L kings,
// M and N order and haste.
var scenarios = []scenario{
	{name: "A1 own man first", fen: fenA, events: "-e4@0 -d5@300 +d5:e4@800", line: "e4d5"},
	{name: "A2 victim first", fen: fenA, events: "-d5@0 -e4@300 +d5:e4@800", line: "e4d5"},
	{name: "A3 victim's empty phase missed", fen: fenA, events: "-e4@0 !d5:e4@500 -d8@2500 -d5@2800 +d5:d8@3300 -b1@6000 +c3:b1@6500", line: "e4d5 d8d5 b1c3"},
	{name: "A4 adjust both, then capture", fen: fenA, events: "-d5@0 +d5@300 -e4@1100 +e4@1400 -d5@4400 -e4@4700 +d5:e4@5200", line: "e4d5"},
	{name: "A5 change of mind", fen: fenA, events: "-e4@0 -d5@300 +d5:d5@900 +e4:e4@1600 -g1@4600 +f3@5100", line: "g1f3"},
	{name: "A6 two capturers", fen: fenT, events: "-d5@0 -c4@300 +d5:c4@800", line: "c4d5"},
	{name: "A7 adjust one of two victims", fen: fenQ, events: "-d5@0 +d5@300 -e4@1100 -f5@1400 +f5:e4@1900", line: "e4f5"},
	{name: "A8 victim put back while mover is up", fen: fenQ, events: "-e4@0 -d5@300 +d5:d5@900 -f5@1400 +f5:e4@1900", line: "e4f5", doubtAtPresence: true},
	{name: "A9 other capturer after all", fen: fenT, events: "-d5@0 -e4@300 +e4:e4@800 -c4@1300 +d5:c4@1800", line: "c4d5"},
	{name: "B1 place before lift", fen: fenStart, events: "+e4:e2@0 -e2@25", line: "e2e4"},
	{name: "M1 place before lift, capturing", fen: fenA, events: "-d5@0 +d5:e4@400 -e4@430", line: "e4d5"},
	{name: "B2 bounce", fen: fenStart, events: "-e2@0 +e2@6 -e2@11 +e4@511 -e4@516 +e4@522", line: "e2e4"},
	{name: "B3 slide", fen: fenB, events: "-f1@0 +e2@60 -e2@180 +d3@240 -d3@360 +c4@420 -c4@540 +b5@600", line: "f1b5"},
	{name: "B4 slide with rest", fen: fenStart, events: "-e2@0 +e3@60 -e3@760 +e4@820", line: "e2e4"},
	{name: "C1 king first", fen: fenC, events: "-e1@0 +g1@500 -h1@1100 +f1@1600", line: "e1g1", noFileMirror: true},
	{name: "C2 rook first", fen: fenC, events: "-h1@0 +f1@500 -e1@1100 +g1@1600", line: "e1g1", noFileMirror: true},
	{name: "C3 both up, king down first", fen: fenC, events: "-e1@0 -h1@150 +g1:e1@650 +f1:h1@850", line: "e1g1", noFileMirror: true},
	{name: "C4 both up, rook down first", fen: fenC, events: "-e1@0 -h1@150 +f1:h1@650 +g1:e1@850", line: "e1g1", noFileMirror: true},
	{name: "C5 pause before the rook", fen: fenC, events: "-e1@0 +g1@500 -h1@4500 +f1@5000 -a7@7000 +a6@7500", line: "e1g1 a7a6", noFileMirror: true},
	{name: "N1 reply during castling", fen: fenC, events: "-e1@0 +g1@400 -h1@700 -a7@850 +f1:h1@1050 +a6:a7@1300", line: "e1g1 a7a6", noFileMirror: true},
	{name: "D1 victim last", fen: fenE, events: "-e5@0 +d6@500 -d5@900", line: "e5d6"},
	{name: "D2 victim first", fen: fenE, events: "-d5@0 -e5@400 +d6:e5@900", line: "e5d6"},
	{name: "D3 victim between", fen: fenE, events: "-e5@0 -d5@300 +d6:e5@800", line: "e5d6"},
	{name: "N2 reply during en passant", fen: fenE, events: "-e5@0 +d6@400 -a7@900 -d5@1100 +a6:a7@1350", line: "e5d6 a7a6"},
	{name: "E1 pawn, then queen", fen: fenP, events: "-e7@0 +e8@500 -e8@1400 +e8=Q@2300", line: "e7e8q", promptBelowPiece: true},
	{name: "E2 queen at once", fen: fenP, events: "-e7@0 +e8=Q@900", line: "e7e8q", promptBelowPiece: true},
	{name: "E3 knight at once", fen: fenP, events: "-e7@0 +e8=N@900", line: "e7e8q", pieceLine: "e7e8n", promptBelowPiece: true},
	{name: "F1 overlap", fen: fenStart, events: "-e2@0 +e4:e2@250 -c7@400 -d2@520 +c5:c7@620 +d4:d2@750", line: "e2e4 c7c5 d2d4"},
	{name: "F2 blitz", fen: fenStart, events: "-e2@0 +e4@150 -c7@300 +c5@450 -d2@600 +d4@750", line: "e2e4 c7c5 d2d4"},
	{name: "G1 nudge", fen: fenStart, events: "-g1@0 -f2@200 +f2:f2@320 +f3:g1@620", line: "g1f3"},
	{name: "G2 brush", fen: fenStart, events: "-d2@0 +d2@80 -e2@380 +e4@780", line: "e2e4"},
	{name: "G3 fall", fen: fenStart, events: "-e2@0 +e4@400 -d2@600 +d2@2100 -e7@4100 +e5@4500", line: "e2e4 e7e5"},
	{name: "H1 takeback", fen: fenStart, events: "-e2@0 +e4@400 -e4@3400 +e2@3900 -d2@6900 +d4@7300", line: "d2d4"},
	{name: "H2 takeback of a capture", fen: fenA, events: "-e4@0 -d5@300 +d5:e4@800 -d5@3800 +e4:e4@4300 +d5=p@5200 -g1@8200 +f3:g1@8700", line: "g1f3"},
	{name: "K1 all home again", fen: fenStart, events: "-e2@0 +e4@400 -e4@3400 +e2@3800", line: ""},
	{name: "I1 wrong side", fen: fenStart, events: "-e7@0 +e5@500 -e5@3500 +e7@4000 -e2@6000 +e4@6500", line: "e2e4"},
	{name: "I2 illegal, corrected in place", fen: fenStart, events: "-e2@0 +e5@500 -e5@3000 +e4@3500", line: "e2e4"},
	{name: "J1 lift lost", fen: fenStart, events: "-e2@500 +e4@500", line: "e2e4"},
	{name: "L1 kings to the centre", fen: fenK, events: "-e1@0 +e2@500 -e2@1100 +e4@1600 -e8@2500 +d5@3100", line: "", kings: true},
}

// turnedBoard maps a scenario to its mirror images.
type mirror struct {
	name          string
	colors, files bool
}

func (m mirror) square(s rules.Square) rules.Square {
	f, r := s.File(), s.Rank()
	if m.files {
		f = 7 - f
	}
	if m.colors {
		r = 7 - r
	}
	return rules.NewSquare(f, r)
}

func (m mirror) piece(p rules.Piece) rules.Piece {
	if m.colors && p != rules.NoPiece {
		return rules.NewPiece(p.Color().Other(), p.Role())
	}
	return p
}

func (m mirror) position(t *testing.T, fen string) rules.Position {
	t.Helper()
	s, err := rules.ParseFEN(fen, rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	o := s
	o.Castling = 0
	for sq := rules.Square(0); sq < 64; sq++ {
		o.Board[m.square(sq)] = m.piece(s.Board[sq])
		if s.Castling.Has(sq) && !m.files {
			o.Castling |= m.square(sq).Bit()
		}
	}
	if m.colors {
		o.Turn = s.Turn.Other()
	}
	if s.EnPassant != rules.NoSquare {
		o.EnPassant = m.square(s.EnPassant)
	}
	p, err := o.Position(rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// inputs turns the events of a scenario into what a board of an acuity says.
func (sc scenario) inputs(t *testing.T, m mirror, a board.Acuity, scale10 int64) (rules.Position, []board.Input) {
	t.Helper()
	pos := m.position(t, sc.fen)
	var men [64]rules.Piece
	for s := range men {
		men[s] = pos.At(rules.Square(s))
	}
	origin := map[string]rules.Piece{}
	last := rules.NoPiece
	var in []board.Input
	for _, ev := range strings.Fields(sc.events) {
		what, at, _ := strings.Cut(ev, "@")
		ms, err := strconv.ParseInt(at, 10, 64)
		if err != nil {
			t.Fatal(ev)
		}
		name := what[1:3]
		plain, ok := rules.ParseSquare(name)
		if !ok {
			t.Fatal(ev)
		}
		s := m.square(plain)
		man := last
		if what[0] == '-' {
			if men[s] == rules.NoPiece { // placed before lifted: gone already
				in = append(in, board.Input{T: ms * scale10 / 10, Kind: board.Change, Square: s, Symbol: board.Empty})
				continue
			}
			origin[name], last = men[s], men[s]
			men[s] = rules.NoPiece
		} else {
			if len(what) > 3 && what[3] == ':' {
				from, _ := rules.ParseSquare(what[4:])
				if o, lifted := origin[what[4:]]; lifted {
					man = o
				} else { // its lift comes later
					man = men[m.square(from)]
					men[m.square(from)] = rules.NoPiece
				}
			} else if len(what) > 3 && what[3] == '=' {
				p, _ := rules.PieceFromLetter(what[4])
				man = m.piece(p)
			}
			if what[0] == '!' && a == board.Presence {
				men[s] = man
				continue
			}
			men[s] = man
		}
		in = append(in, board.Input{T: ms * scale10 / 10, Kind: board.Change, Square: s, Symbol: a.See(men[s])})
	}
	return pos, in
}

// track runs inputs through a tracker and ten seconds on, with the wakes it asks for.
func track(tr *Tracker, in []board.Input) Report {
	end := int64(0)
	for _, x := range in {
		wakeUntil(tr, x.T)
		tr.Observe(x)
		end = x.T
	}
	wakeUntil(tr, end+10000)
	tr.Observe(board.Input{T: end + 10000})
	tr.Flush()
	return tr.Report()
}

func wakeUntil(tr *Tracker, t int64) {
	for w := tr.NextWake(); w != 0 && w <= t; w = tr.NextWake() {
		tr.Observe(board.Input{T: w, Kind: board.Wake})
	}
}

func uciLine(start rules.Position, moves []rules.Move) string {
	var out []string
	for _, m := range moves {
		out = append(out, start.UCI(m))
		start.Play(m)
	}
	return strings.Join(out, " ")
}

func (m mirror) line(uci string) string {
	var out []string
	for _, u := range strings.Fields(uci) {
		a, _ := rules.ParseSquare(u[:2])
		b, _ := rules.ParseSquare(u[2:4])
		out = append(out, m.square(a).String()+m.square(b).String()+u[4:])
	}
	return strings.Join(out, " ")
}

func TestScenarios(t *testing.T) {
	t.Parallel()
	mirrors := []mirror{{name: "plain"}, {name: "colors", colors: true}, {name: "files", files: true}, {name: "both", colors: true, files: true}}
	for _, sc := range scenarios {
		for _, a := range []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity} {
			for _, m := range mirrors {
				if m.files && sc.noFileMirror {
					continue // castling has no mirror image
				}
				for _, scale := range []int64{7, 10, 14} {
					t.Run(fmt.Sprintf("%s/%s/%s/%d", sc.name, a, m.name, scale), func(t *testing.T) {
						t.Parallel()
						pos, in := sc.inputs(t, m, a, scale)
						tr := New(Options{Acuity: a, SettleMs: DefaultSettleMs}, pos)
						r := track(tr, in)
						want := sc.line
						if a == board.PieceAcuity && sc.pieceLine != "" {
							want = sc.pieceLine
						}
						prompt := sc.promptBelowPiece && a != board.PieceAcuity
						switch {
						case sc.doubtAtPresence && a == board.Presence:
							if r.Doubt == nil || r.Firm != 0 {
								t.Errorf("no doubt, but %s, firm %d%s", uciLine(pos, r.Line), r.Firm, tr.dump())
							}
							return
						case prompt:
							if r.Promotion == rules.NoSquare {
								t.Errorf("no prompt%s", tr.dump())
							}
							r.Firm++
						case r.Doubt != nil:
							t.Errorf("in doubt%s", tr.dump())
						}
						if got := uciLine(pos, r.Line[:min(r.Firm, len(r.Line))]); got != m.line(want) {
							t.Errorf("read %q, played %q%s", got, m.line(want), tr.dump())
						}
						if sc.kings != (r.Kings != "") {
							t.Errorf("kings say %q", r.Kings)
						}
					})
				}
			}
		}
	}
}

// dump shows the beam for a failing test.
func (t *Tracker) dump() string {
	var b strings.Builder
	for i, h := range t.beam {
		if i == 6 {
			break
		}
		fmt.Fprintf(&b, "\n  %6d %q", h.cost, uciLine(t.root.pos, h.node.line()))
		for _, x := range h.men[:h.away] {
			fmt.Fprintf(&b, " %s:%s>%d/%s", h.node.piece[x.man], h.node.home[x.man], x.at, x.at)
		}
		for _, g := range h.ghosts {
			if g.used {
				fmt.Fprintf(&b, " ghost %s", g.square)
			}
		}
		for _, g := range h.owed {
			if g.used {
				fmt.Fprintf(&b, " owed %s", g.square)
			}
		}
	}
	return b.String()
}
