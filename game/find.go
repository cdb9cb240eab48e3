package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// attempt is a man that somebody put where the laws do not let it go.
type attempt struct {
	piece    rules.Piece
	from, to rules.Square // where it belongs and where it stands
	victim   rules.Square // of a man taken with it, NoSquare for none
}

// asked is a doubt that has been said.
type asked struct {
	id         int64
	seen       int64        // the tracker's own number
	recalled   bool         // said before the table was resumed, and not asked again yet
	kind       string       // of a doubt that the table itself has asked; "" for one of the tracker's
	base       []rules.Move // plies before the candidates
	candidates [][]rules.Move
	starts     []rules.Position // of a doubt how the board was set up: where each candidate begins,
	lines      [][]rules.Move   // … and all its plies from there
	squares    rules.Bitboard
}

// attempted recognises one illegal move in what is wrong on the board: one man astray, with the man it took, or a king and a
// rook astray as in castling.
func attempted(r *sensing.Report, acuity board.Acuity, p *rules.Position) (a attempt, ok bool) {
	d, ok := astray(r, acuity, p)
	if !ok || d.Home > 63 || d.At > 63 || d.Piece == rules.NoPiece {
		return a, false
	}
	a = attempt{d.Piece, d.Home, d.At, rules.NoSquare}
	for _, m := range r.Missing {
		if r.Lifted.Has(m.Square) || m.Square == d.Home {
			continue
		}
		passed := d.Piece.Role() == rules.Pawn && m.Square == rules.NewSquare(d.At.File(), d.Home.Rank())
		if a.victim != rules.NoSquare || m.Piece.Color() == d.Piece.Color() || m.Square != d.At && !passed {
			return a, false
		}
		a.victim = m.Square
	}
	if a.victim == rules.NoSquare && r.Lifted.Has(d.At) {
		a.victim = d.At // taken, and still in the hand for all that is known
	}
	return a, true
}

// astray finds the one man that is astray.
func astray(r *sensing.Report, acuity board.Acuity, p *rules.Position) (d sensing.Displaced, ok bool) {
	switch {
	case len(r.Extra) == 0 && len(r.Displaced) == 1:
		return r.Displaced[0], true
	case len(r.Extra) == 0 && len(r.Displaced) == 2:
		king, rook := r.Displaced[0], r.Displaced[1]
		if king.Piece.Role() == rules.Rook {
			king, rook = rook, king
		}
		rank := king.Home.Rank()
		return king, king.Piece.Role() == rules.King && rook.Piece == rules.NewPiece(king.Piece.Color(), rules.Rook) &&
			king.At.Rank() == rank && rook.Home.Rank() == rank && rook.At.Rank() == rank
	case len(r.Extra) == 1 && len(r.Displaced) == 0:
		// The tracker only compares: a man that is missing here and a like one that is too much there.
		at := r.Extra[0]
		for _, m := range r.Missing {
			if m.Square != at.Square && acuity.See(m.Piece) == at.Symbol && !ok {
				d, ok = sensing.Displaced{Piece: m.Piece, Home: m.Square, At: at.Square}, true
			}
		}
		if lifted := r.Lifted &^ at.Square.Bit(); !ok && lifted.Len() == 1 { // nobody else can have set that down
			home := lifted.Pop()
			d = sensing.Displaced{Piece: p.At(home), Home: home, At: at.Square}
			ok = d.Piece != rules.NoPiece && acuity.See(d.Piece) == at.Symbol
		}
	}
	return d, ok
}

// halfCastling reports whether the man astray is a king whose rook has just made a move of its own, or a rook whose king has:
// together they are a castling, judged as a whole in the position before.
func (t *Table) halfCastling(r *sensing.Report, a attempt) (before rules.Position, whole attempt, ok bool) {
	n := len(r.Line)
	if n <= len(t.game.moves) {
		return before, a, false
	}
	before = t.position(r.Line[:n-1])
	m := r.Line[n-1]
	moved, rank := before.At(m.From()), a.from.Rank()
	if a.piece.Color() != before.Turn() || m.IsCastling() || m.From().Rank() != rank || m.To().Rank() != rank || a.to.Rank() != rank {
		return before, a, false
	}
	switch {
	case a.piece.Role() == rules.King:
		return before, a, moved.Role() == rules.Rook
	case a.piece.Role() == rules.Rook && moved.Role() == rules.King:
		file := 2
		if a.from.File() > m.From().File() {
			file = 6
		}
		return before, attempt{piece: moved, from: m.From(), to: rules.NewSquare(file, rank), victim: rules.NoSquare}, true
	}
	return before, a, false
}

// beginsCastling reports whether the man astray is the rook of a castling whose king is to follow: in Chess960 it may come over its
// king, which no move of its own can do.
func (a *attempt) beginsCastling(p *rules.Position) bool {
	if a.piece.Role() != rules.Rook || a.victim != rules.NoSquare {
		return false
	}
	var buf [256]rules.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		if m.IsCastling() && m.To() == a.from {
			if _, rook := m.Castling(); rook == a.to {
				return true
			}
		}
	}
	return false
}

// slidOn reports whether the man astray is the one that moved last, and would have been allowed to go there at once: the move
// may still be corrected.
func (t *Table) slidOn(r *sensing.Report, a attempt) bool {
	n := len(r.Line)
	if n == 0 || r.Line[n-1].Target() != a.from {
		return false
	}
	before := t.position(r.Line[:n-1])
	longer := attempt{piece: before.At(r.Line[n-1].From()), from: r.Line[n-1].From(), to: a.to}
	v := longer.judge(&before)
	return v.Legal
}

// find looks for what no legal play explains: an illegal move, or a board out of step.
func (t *Table) find(r *sensing.Report) {
	if t.guide != nil {
		t.illegal = nil
		t.outOfStep(r, false)
		return
	}
	p := t.position(r.Line)
	a, ok := attempted(r, t.opt.Acuity, &p)
	before, whole, both := t.halfCastling(r, a)
	if both = both && ok; both {
		p, a = before, whole
	}
	var v rules.Verdict
	if ok {
		v = t.judge(&p, a)
		ok = !v.Legal && !t.carrying(r, a.piece)
	}
	if s := t.illegal; s != nil && !(ok && s.piece == a.piece && s.from == a.from && s.to == a.to) {
		if t.playedOn(r, s) {
			return
		}
		t.illegal = nil
		if t.doubt != nil && t.doubt.kind == "setup" {
			t.drop(nil)
		}
	}
	if !ok {
		t.outOfStep(r, true)
		return
	}
	if t.illegal == nil {
		t.illegal = t.stands(r, &p, a)
		t.illegal.remember(t.recalled)
	}
	s := t.illegal
	// An observed board says nothing before the move is completed, and then to the arbiter (laws 11.3, 12.6).
	if !s.said && (t.opt.Mode != Observer && !a.beginsCastling(&p) && t.rested(r, restMs) || t.clock.pressedNow && !t.slidOn(r, a)) {
		if n := len(t.game.moves); !both && r.Firm == len(r.Line) && r.Firm > n && common(t.game.moves, r.Line) == n {
			t.become(clone(r.Line), r.PlacedAt, "corrected") // another man of its side has held it up: see astray
			if t.game.over() {
				return
			}
		}
		t.sayIllegal(s, &p, v)
	}
	t.pressedIllegal(s)
	if s.said && !s.asked && t.doubt == nil && v.Cause.Reason == rules.KingMove {
		s.asked = true
		t.suspectSetUp(r, &a)
	}
}

func (a *attempt) judge(p *rules.Position) rules.Verdict {
	return p.Judge(a.from, a.to, a.promotion())
}

func (a *attempt) promotion() rules.Role {
	if rank := a.to.Rank(); a.piece.Role() == rules.Pawn && (rank == 0 || rank == 7) {
		return rules.Queen // what it should become is not what is wrong with it
	}
	return rules.NoRole
}

// judge knows the game besides, where the attempt is made from where it stands: by which move a right to castle was lost (3.8.2.1).
func (t *Table) judge(p *rules.Position, a attempt) rules.Verdict {
	v := a.judge(p)
	if line := t.game.line; !v.Legal && line.Position() == *p && line.Outcome() == rules.NoOutcome {
		return line.Judge(a.from, a.to, a.promotion())
	}
	return v
}

func (a *attempt) uci() string { return a.from.String() + a.to.String() }

func (t *Table) sayIllegal(s *standing, p *rules.Position, v rules.Verdict) {
	s.said = true
	body := &Illegal{
		UCI: s.uci(), By: s.piece.Color(), Article: v.Cause.Article, FIDE: v.Cause.FIDE, Reason: v.Cause.Reason.String(),
		Squares: clone(v.Cause.Squares), Others: []Cause{}, Touched: []rules.Square{s.from},
	}
	for _, c := range v.Others {
		body.Others = append(body.Others, Cause{c.Article, c.FIDE, c.Reason.String()})
	}
	if s.victim != rules.NoSquare {
		body.Touched = append(body.Touched, s.victim)
	}
	s.seq = t.emit(body)
	if s.victim != rules.NoSquare && p.At(s.victim).Role() == rules.King {
		t.emit(&KingCaptured{UCI: s.uci(), By: s.piece.Color(), Square: s.victim})
	}
}

// handful is how many men may be in the air at once in honest play: a capture or a castling, and the opponent's next man.
const handful = 3

// outOfStep says when the board is not explained any more, and when it is again.
func (t *Table) outOfStep(r *sensing.Report, say bool) {
	var body Desync
	for _, d := range r.Displaced {
		body.Missing = append(body.Missing, MissingMan{d.Home, d.Piece.String()})
		body.Extra = append(body.Extra, extraMan(d.At, t.opt.Acuity.See(d.Piece)))
	}
	lifted := r.Lifted.Len()
	for _, m := range r.Missing {
		if !r.Lifted.Has(m.Square) || lifted > handful {
			body.Missing = append(body.Missing, MissingMan{m.Square, m.Piece.String()})
		}
	}
	for _, x := range r.Extra {
		body.Extra = append(body.Extra, extraMan(x.Square, x.Symbol))
	}
	if lifted > handful {
		p := t.position(r.Line)
		for _, s := range squares(r.Lifted) {
			if !listed(body.Missing, s) {
				body.Missing = append(body.Missing, MissingMan{s, string(p.At(s).Letter())})
			}
		}
	}
	wrong := len(body.Missing)+len(body.Extra) > 0
	if !wrong {
		if t.desync {
			t.desync = false
			if say {
				t.emit(&Resync{})
			}
		}
		return
	}
	if t.desync || !t.rested(r, restMs) && !t.clock.pressedNow {
		return
	}
	t.desync = true
	if say {
		body.Missing, body.Extra = clone(body.Missing), clone(body.Extra)
		t.emit(&body)
	}
}

func listed(men []MissingMan, s rules.Square) bool {
	for _, m := range men {
		if m.Square == s {
			return true
		}
	}
	return false
}

// ask says a doubt.
func (t *Table) ask(r *sensing.Report) {
	if t.doubt != nil && t.doubt.kind != "" {
		return
	}
	if r.Doubt == nil || t.doubt != nil || t.guide != nil || !r.Doubt.MovesOn && !t.rested(r, restMs) && !t.clock.pressedNow {
		return
	}
	t.withdrawDoubtful(r)
	t.lastDoubt = t.earlier + r.Doubt.ID
	d := &asked{id: t.lastDoubt, seen: r.Doubt.ID, base: clone(r.Doubt.Base), squares: r.Doubt.Squares}
	body := &Doubt{ID: d.id, Kind: r.Doubt.Kind, Candidates: []Candidate{}, Squares: squares(d.squares)}
	for _, c := range r.Doubt.Candidates {
		d.candidates = append(d.candidates, clone(c.Moves))
		uci, san := t.words(d.base, c.Moves)
		body.Candidates = append(body.Candidates, Candidate{UCI: uci, SAN: san, Weight: thousands(c.Weight)})
	}
	t.doubt = d
	t.emit(body)
}

// withdrawDoubtful takes back plies that were thought sure and have a rival now: what is asked is not said to be made. Where
// the rival is that nothing was played, the men may just be going back: that is told when they have.
func (t *Table) withdrawDoubtful(r *sensing.Report) {
	for _, c := range r.Doubt.Candidates {
		if len(c.Moves) == 0 {
			return
		}
	}
	b := len(r.Doubt.Base)
	if n := len(t.game.moves); b < n && common(r.Doubt.Base, t.game.moves) == b {
		t.takeBack(n-b, "corrected")
	}
}

// resolve says that the open doubt is over, if there is one, and what the line has in its place.
func (t *Table) resolve(line []rules.Move) {
	d := t.doubt
	if t.doubt = nil; d != nil {
		t.emit(&Resolved{ID: d.id, UCI: t.inPlace(line, d)})
	}
}

// inPlace is what stands where a doubt was: as many plies as its longest candidate had.
func (t *Table) inPlace(line []rules.Move, d *asked) []string {
	n := 0
	for _, c := range d.candidates {
		n = max(n, len(c))
	}
	if common(line, d.base) < len(d.base) {
		return []string{}
	}
	uci, _ := t.words(d.base, line[len(d.base):min(len(line), len(d.base)+n)])
	return uci
}

// words writes plies that follow a line.
func (t *Table) words(base, moves []rules.Move) (uci, san []string) {
	uci, san = []string{}, []string{}
	p := t.position(base)
	for _, m := range moves {
		if !p.IsLegal(m) {
			break
		}
		uci, san = append(uci, p.UCI(m)), append(san, p.SAN(m))
		p.Play(m)
	}
	return uci, san
}
