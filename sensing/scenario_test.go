package sensing

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// scenario is one named sequence of hands; testdata/scenarios.tsv explains the fields and the notation.
type scenario struct {
	name, fen, events, line string
	pieceLine               string // at piece acuity
	doubtAtPresence         bool   // no answer, but a doubt, on boards that see presence only
	promptBelowPiece        bool
	kings                   bool
	noFileMirror            bool
	scan                    bool
}

func readScenarios(t *testing.T) (list []scenario) {
	t.Helper()
	text, err := os.ReadFile("../testdata/scenarios.tsv")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(text)) {
		if strings.HasPrefix(line, "#") {
			continue
		}
		f := strings.Split(strings.TrimSuffix(line, "\n"), "\t")
		if len(f) != 6 {
			t.Fatalf("scenarios.tsv: not six fields: %s", line)
		}
		sc := scenario{name: f[0], fen: f[1], events: f[2], line: strings.Trim(f[3], "-"), pieceLine: strings.Trim(f[4], "-")}
		for _, flag := range strings.Fields(f[5]) {
			switch flag {
			case "doubt":
				sc.doubtAtPresence = true
			case "prompt":
				sc.promptBelowPiece = true
			case "kings":
				sc.kings = true
			case "castling":
				sc.noFileMirror = true
			case "scan":
				sc.scan = true
			case "-":
			default:
				t.Fatalf("scenarios.tsv: flag %s", flag)
			}
		}
		list = append(list, sc)
	}
	if len(list) != 39 {
		t.Fatalf("%d scenarios", len(list))
	}
	return list
}

// mirror maps a scenario to one of its mirror images.
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
	if sc.scan {
		one := board.Input{T: in[0].T, Kind: board.Scan}
		for s, m := range men {
			one.Picture[s] = a.See(m)
		}
		in = []board.Input{one}
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
	for _, sc := range readScenarios(t) {
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
						if a == board.PieceAcuity {
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
