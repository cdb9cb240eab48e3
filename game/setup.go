package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// exchanged is a start position with king and queen exchanged: of White when sides has 1, of Black when it has 2. Rights to castle
// go by where the men stand (laws 7.2).
func exchanged(start rules.Position, sides int) (rules.Position, error) {
	s := start.Setup()
	for c := rules.White; c <= rules.Black; c++ {
		if sides>>c&1 == 0 {
			continue
		}
		k, q := start.King(c), start.Pieces(c, rules.Queen).First()
		if q < 64 {
			s.Board[k], s.Board[q] = s.Board[q], s.Board[k]
		}
		for r := start.Pieces(c, rules.Rook) & s.Castling; r != 0; {
			s.Castling &^= r.Pop().Bit()
		}
	}
	return s.Position(start.Variant())
}

// misplaced says on a board that knows its pieces that all is set up but king and queen, which have changed places.
func (t *Table) misplaced(r *sensing.Report, picture board.Picture) {
	first := rules.Start()
	right, wrong := t.opt.see(&first), false
	if t.opt.Acuity != board.PieceAcuity || t.game != nil && !t.game.over() {
		return
	}
	for sides := 1; sides < 4 && !wrong; sides++ {
		p, err := exchanged(first, sides)
		if err != nil {
			return
		}
		seen := t.opt.see(&p)
		wrong = picture == seen
		if !wrong && picture == seen.Turned() {
			wrong, right = true, right.Turned()
		}
	}
	switch {
	case !wrong && t.misset && (picture == right || t.rested(r, restMs)):
		t.misset = false
		t.emit(&Resync{})
	case wrong && !t.misset && t.rested(r, restMs):
		t.misset = true
		body := &Desync{Missing: []MissingMan{}, Extra: []ExtraMan{}}
		for s := range rules.Square(64) {
			if picture[s] != right[s] {
				body.Missing = append(body.Missing, MissingMan{s, string(rune(right[s]))})
				body.Extra = append(body.Extra, extraMan(s, picture[s]))
			}
		}
		t.emit(body)
	}
}

// gesture follows the kings at set-up: both lifted and put back where they stood says that the position is ready.
type gesture struct {
	last, base board.Picture
	set        bool // base shows one king a side
	both       bool // both have been in the air since base stood
	refused    board.Picture
}

func (g *gesture) follow(p board.Picture) (confirmed bool) {
	if p == g.last {
		return false
	}
	g.last = p
	up := 0
	for s := range p {
		switch {
		case p[s] == g.base[s]:
		case p[s] == board.Empty && (g.base[s] == 'K' || g.base[s] == 'k'):
			up++
		default:
			up = 3
		}
	}
	switch {
	case g.set && up == 0:
		confirmed, g.both = g.both, false
	case g.set && up < 3:
		g.both = g.both || up == 2
	default:
		kings := [2]int{}
		for _, y := range p {
			switch y {
			case 'K':
				kings[0]++
			case 'k':
				kings[1]++
			}
		}
		g.base, g.set, g.both = p, kings == [2]int{1, 1}, false
	}
	return confirmed
}

// setUpByHand begins a game from the position that the board shows, when the players have confirmed it with the kings. Only a board
// that knows its pieces can show one. What play cannot have led to is refused, unless it is confirmed once more.
func (t *Table) setUpByHand(picture board.Picture) bool {
	if t.opt.Acuity != board.PieceAcuity || t.game != nil && !t.game.over() && len(t.game.moves) > 0 || !t.gesture.follow(picture) {
		return false
	}
	if g := t.game; g != nil {
		if p := g.line.Position(); picture == t.opt.see(&p) {
			return false
		}
	}
	start, faults := t.shownPosition(picture)
	if len(faults) > 0 && (picture != t.gesture.refused || faults[0] == unknownPiece) {
		t.gesture.refused = picture
		body := &SetUp{Refused: faults}
		if faults[0] != unknownPiece {
			body.StartFEN = start.FEN()
		}
		t.emit(body)
		return false
	}
	t.begin(start, nil, nil)
	t.tr.Restart(start)
	return true
}

// unknownPiece is why a position is refused that has a man which the board does not know.
const unknownPiece = "unknown-piece"

// shownPosition is what stands on the board, with White to move unless only Black can be. Rights to castle go by where kings and
// rooks stand.
func (t *Table) shownPosition(picture board.Picture) (p rules.Position, faults []string) {
	s := rules.Setup{EnPassant: rules.NoSquare, Fullmove: 1}
	for i, y := range picture {
		if y == board.Empty {
			continue
		}
		man, ok := rules.PieceFromLetter(byte(y))
		if !ok {
			return p, []string{unknownPiece}
		}
		s.Board[i] = man
	}
	for c, home := range [2][3]string{{"e1", "a1", "h1"}, {"e8", "a8", "h8"}} {
		king, _ := rules.ParseSquare(home[0])
		for _, name := range home[1:] {
			rook, _ := rules.ParseSquare(name)
			if s.Board[king] == rules.NewPiece(rules.Color(c), rules.King) && s.Board[rook] == rules.NewPiece(rules.Color(c), rules.Rook) {
				s.Castling |= rook.Bit()
			}
		}
	}
	for c := rules.White; c <= rules.Black; c++ {
		s.Turn = c
		other, err := s.Position(t.opt.Variant)
		if err != nil {
			return p, []string{rules.FaultKings}
		}
		found := other.Faults()
		if c == rules.White || len(found) == 0 {
			p, faults = other, nil
			for _, f := range found {
				faults = append(faults, f.Code)
			}
		}
		if len(found) == 0 || found[0].Code != rules.FaultOppositeCheck {
			break
		}
	}
	return p, faults
}

// suspectSetUp asks whether king and queen were exchanged when the board was set up, when a move is legal only then. Boards that
// see no pieces cannot know before (laws 7.2).
func (t *Table) suspectSetUp(r *sensing.Report, a *attempt) {
	start := t.game.line.Start()
	if first := rules.Start(); t.opt.Acuity == board.PieceAcuity || t.doubt != nil || t.asSetUp || start.Key() != first.Key() ||
		a.victim != rules.NoSquare && a.victim != a.to {
		return
	}
	d := &asked{kind: "setup", starts: []rules.Position{start}, lines: [][]rules.Move{nil}, squares: a.from.Bit() | a.to.Bit()}
	body := &Doubt{Kind: d.kind, Candidates: []Candidate{{UCI: []string{}, SAN: []string{}, StartFEN: start.FEN()}}}
	for _, sides := range [...]int{1 << a.piece.Color(), 2 >> a.piece.Color(), 3} {
		p, err := exchanged(start, sides)
		if err != nil || len(d.starts) > 1 && sides == 3 {
			continue
		}
		line, end, ok := replay(p, r.Line)
		v := a.judge(&end)
		if !ok || !v.Legal {
			continue
		}
		d.starts, d.lines = append(d.starts, p), append(d.lines, append(line, v.Move))
		body.Candidates = append(body.Candidates, Candidate{UCI: []string{end.UCI(v.Move)}, SAN: []string{end.SAN(v.Move)}, StartFEN: p.FEN()})
	}
	n := len(body.Candidates)
	if n < 2 {
		return
	}
	for i := range body.Candidates {
		body.Candidates[i].Weight = thousands(1000 / n)
	}
	d.id = t.ownDoubt()
	d.candidates = make([][]rules.Move, n)
	body.ID, body.Squares = d.id, squares(d.squares)
	t.doubt = d
	t.emit(body)
}

// replay makes moves between the same squares from another start; ok is false when one of them is not legal there.
func replay(p rules.Position, moves []rules.Move) (line []rules.Move, end rules.Position, ok bool) {
	for _, m := range moves {
		v := p.Judge(m.From(), m.Target(), m.Promotion())
		if !v.Legal || v.Move.IsCastling() != m.IsCastling() {
			return nil, p, false
		}
		line = append(line, v.Move)
		p.Play(v.Move)
	}
	return line, p, true
}

// restart goes on from the start position that candidate n of a doubt names, with all that was played.
func (t *Table) restart(d *asked, n int) {
	t.doubt = nil
	g, line := t.game, d.lines[n]
	t.emit(&Resolved{ID: d.id, UCI: []string{}})
	if t.asSetUp = n == 0; t.asSetUp {
		return
	}
	t.begin(d.starts[n], g.asNew(), nil)
	t.tr.Restart(d.starts[n])
	t.confirm(line)
}
