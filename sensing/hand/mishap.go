package hand

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// before is what happens between the last move and this one; it gives when the move begins.
func (p *player) before(m rules.Move, t int64) int64 {
	s := p.style
	if p.chance(s.KnockRate) {
		t = p.knock(t)
	}
	if p.chance(s.AdjustRate) {
		if q, ok := p.oneOf(p.pos.Occupied()); ok {
			t = p.mishap("adjust", p.aside(q, t, p.pick(adjusted)))
		}
	}
	if p.chance(s.WrongSideRate) {
		if from, to, ok := p.wrongSide(); ok {
			t = p.mishap("wrong side", p.thereAndBack(from, to, t, p.pick(restBack)))
		}
	}
	if p.chance(s.OtherRate) {
		if q, ok := p.oneOf(p.pos.By(p.pos.Turn()) &^ m.From().Bit()); ok {
			t = p.mishap("other piece", p.aside(q, t, p.pick(adjusted)))
		}
	}
	if p.chance(s.IllegalRate) {
		if from, to, ok := p.impossible(m); ok {
			t = p.mishap("illegal", p.thereAndBack(from, to, t, p.pick(restWrong)))
		}
	}
	if p.chance(s.TakebackRate) {
		if other, ok := p.other(m); ok {
			t = p.mishap("takeback", p.takeback(other, t))
		}
	}
	return t
}

// around adds what happens while the move is made: a brushed piece, a crooked one, one that is centred afterwards.
func (p *player) around(e *episode, m rules.Move) {
	s, target := p.style, m.Target()
	used := e.touched()
	if p.chance(s.BrushRate) {
		if q, ok := p.oneOf(neighbours(target) & p.pos.Occupied() &^ used); ok {
			t := e.begin() + p.dice.Int64N(max(1, e.done-e.begin()))
			e.tell(t, "brush")
			e.lift(t, q)
			e.place(t+p.pick(brushFor), q, p.pos.At(q))
		}
	}
	if p.chance(s.AskewRate) {
		if q, ok := p.oneOf(neighbours(target) &^ p.pos.Occupied() &^ used); ok {
			t := p.placedAt(e, target)
			e.tell(t, "askew")
			e.place(t, q, p.standsOn(e, target))
			e.lift(t+p.pick(askewFor), q)
		}
	}
	if p.chance(s.CentreRate) && m.Promotion() == rules.NoRole {
		man := p.standsOn(e, target)
		t := e.done + p.pick(centreAfter)
		e.tell(t, "centre")
		e.lift(t, target)
		e.place(t+p.pick(centreFor), target, man)
	}
	slices.SortStableFunc(e.acts, byTime)
}

func byTime(a, b act) int { return int(a.t - b.t) }

func (p *player) placedAt(e *episode, q rules.Square) (t int64) {
	for _, a := range e.acts {
		if a.sq == q && a.piece != rules.NoPiece {
			t = a.t
		}
	}
	return t
}

func (p *player) standsOn(e *episode, q rules.Square) (man rules.Piece) {
	man = p.pos.At(q)
	for _, a := range e.acts {
		if a.sq == q {
			man = a.piece
		}
	}
	return man
}

// aside is a man lifted and put back on its square.
func (p *player) aside(q rules.Square, t, aloft int64) (e episode) {
	e.lift(t, q)
	e.place(t+aloft, q, p.pos.At(q))
	return e
}

// thereAndBack is a man set down where it must not be, and put back.
func (p *player) thereAndBack(from, to rules.Square, t, rest int64) (e episode) {
	man := p.pos.At(from)
	e.lift(t, from)
	t += p.pick(p.style.Carry)
	e.place(t, to, man)
	t += rest
	e.lift(t, to)
	e.place(t+p.pick(p.style.Carry), from, man)
	return e
}

// short puts a rest on the last square before the goal in front of a move: the man is set down there, and lifted on later.
func (p *player) short(e *episode, m rules.Move) {
	way := p.between(m.From(), m.To())
	if len(way) == 0 || m.IsCastling() || m.Promotion() != rules.NoRole {
		return
	}
	q := way[len(way)-1]
	if e.touched().Has(q) {
		return // dragged already
	}
	for i := range e.acts {
		if e.acts[i].sq == m.From() {
			e.acts[i].sq = q
		}
	}
	var first episode
	first.lift(0, m.From())
	down := p.pick(p.style.Carry)
	first.place(down, q, p.pos.At(m.From()))
	first.tell(down, "short")
	e.shift(down + p.pick(restShort))
	e.acts = append(first.acts, e.acts...)
	e.story = append(first.story, e.story...)
}

// knock is one to three men off the board and set up again in any order.
func (p *player) knock(t int64) int64 {
	var e episode
	left := p.pos.Occupied()
	var down []rules.Square
	for n := 1 + p.dice.IntN(3); n > 0; n-- {
		q, ok := p.oneOf(left)
		if !ok {
			break
		}
		left &^= q.Bit()
		down = append(down, q)
		e.lift(t, q)
		t += p.pick(travel)
	}
	if len(down) == 0 {
		return t
	}
	t += p.pick(restBack)
	p.dice.Shuffle(len(down), func(i, j int) { down[i], down[j] = down[j], down[i] })
	for _, q := range down {
		e.place(t, q, p.pos.At(q))
		t += p.pick(p.style.Carry)
	}
	return p.mishap("knock", e)
}

// takeback is a whole legal move and its way back: the men of the position after it are lifted, then those of the position
// before it set up, the mover's first.
func (p *player) takeback(m rules.Move, t int64) episode {
	e := p.ply(m, Manner{})
	e.shift(t - e.begin())
	t = e.done + p.pick(restBack)
	after := p.pos.After(m)
	var lift, place []rules.Square
	for q := rules.Square(0); q < rules.NoSquare; q++ {
		if was, is := p.pos.At(q), after.At(q); was != is {
			if is != rules.NoPiece {
				lift = append(lift, q)
			}
			if was != rules.NoPiece {
				place = append(place, q)
			}
		}
	}
	mover := p.pos.Turn()
	slices.SortStableFunc(place, func(a, b rules.Square) int { return int(p.pos.At(a).Color()^mover) - int(p.pos.At(b).Color()^mover) })
	for _, q := range lift {
		e.lift(t, q)
		t += p.pick(p.style.Carry)
	}
	for _, q := range place {
		e.place(t, q, p.pos.At(q))
		t += p.pick(p.style.Carry)
	}
	return e
}

// answer tells the board which piece a promotion was meant to be, where it cannot see that: by command, or by lifting
// the piece again and again (the 2nd, 3rd and 4th lift since the pawn came down step to rook, bishop and knight).
func (p *player) answer(m rules.Move, e *episode, how Manner) {
	rate := p.style.Promotion.Answer
	if m.Promotion() == rules.Queen {
		rate = p.style.Promotion.QueenAnswer
	}
	if p.acuity == board.PieceAcuity || how.Answer == AnyAnswer && !p.chance(rate) {
		return
	}
	kind, said := "answer", int64(0)
	lifts := map[rules.Role]int{rules.Rook: 2, rules.Bishop: 3, rules.Knight: 4}[m.Promotion()]
	if lifts > 0 && (how.Answer == ByGesture || how.Answer == AnyAnswer && p.dice.IntN(2) == 0) {
		if p.placings(e, m.To()) == 2 {
			lifts-- // the exchange itself was the first
		}
		kind, said = "gesture", p.clock
		for ; lifts > 0; lifts-- {
			p.clock += p.pick(centreAfter)
			p.acts = append(p.acts, act{p.clock, m.To(), rules.NoPiece})
			p.clock += p.pick(centreFor)
			p.acts = append(p.acts, act{p.clock, m.To(), rules.NewPiece(p.pos.Turn(), m.Promotion())})
		}
	} else {
		p.clock += p.pick(answering)
		said = p.clock
		p.answers = append(p.answers, board.Input{T: p.clock, Kind: board.Cmd, Command: &board.Command{Verb: "promotion", Piece: m.Promotion().String()}})
	}
	p.story = append(p.story, Incident{T: said, Kind: kind, Ply: len(p.plies) - 1})
	p.last = episode{} // nobody replies before the answer
}

// placings is how often a man came down on a square.
func (p *player) placings(e *episode, q rules.Square) (n int) {
	for _, a := range e.acts {
		if a.sq == q && a.piece != rules.NoPiece {
			n++
		}
	}
	return n
}

// oneOf draws a square of a set.
func (p *player) oneOf(set rules.Bitboard) (rules.Square, bool) {
	if set == 0 {
		return rules.NoSquare, false
	}
	for n := p.dice.IntN(set.Len()); n > 0; n-- {
		set.Pop()
	}
	return set.First(), true
}

// impossible is an own man and an empty square that no legal move takes it to.
func (p *player) impossible(m rules.Move) (from, to rules.Square, ok bool) {
	from = m.From()
	free := ^p.pos.Occupied()
	for _, l := range p.pos.LegalMoves(nil) {
		if l.From() == from {
			free &^= l.Target().Bit()
		}
	}
	to, ok = p.oneOf(free)
	return from, to, ok
}

// other is a legal move that is not m.
func (p *player) other(m rules.Move) (rules.Move, bool) {
	legal := slices.DeleteFunc(p.pos.LegalMoves(nil), func(l rules.Move) bool { return l == m || l.Promotion() != rules.NoRole })
	if len(legal) == 0 {
		return rules.NoMove, false
	}
	return legal[p.dice.IntN(len(legal))], true
}

// wrongSide is a step of a pawn or a knight of the side that is not to move.
func (p *player) wrongSide() (from, to rules.Square, ok bool) {
	side := p.pos.Turn().Other()
	ahead := 1
	if side == rules.Black {
		ahead = -1
	}
	var steps [][2]rules.Square
	for men := p.pos.Pieces(side, rules.Pawn); men != 0; {
		q := men.Pop()
		if r := q.Rank() + ahead; r > 0 && r < 7 {
			steps = append(steps, [2]rules.Square{q, rules.NewSquare(q.File(), r)})
		}
	}
	for men := p.pos.Pieces(side, rules.Knight); men != 0; {
		q := men.Pop()
		for _, d := range [...][2]int{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}} {
			if f, r := q.File()+d[0], q.Rank()+d[1]; f >= 0 && f < 8 && r >= 0 && r < 8 {
				steps = append(steps, [2]rules.Square{q, rules.NewSquare(f, r)})
			}
		}
	}
	steps = slices.DeleteFunc(steps, func(s [2]rules.Square) bool { return p.pos.At(s[1]) != rules.NoPiece })
	if len(steps) == 0 {
		return 0, 0, false
	}
	s := steps[p.dice.IntN(len(steps))]
	return s[0], s[1], true
}

func neighbours(q rules.Square) (b rules.Bitboard) {
	for df := -1; df <= 1; df++ {
		for dr := -1; dr <= 1; dr++ {
			if f, r := q.File()+df, q.Rank()+dr; (df != 0 || dr != 0) && f >= 0 && f < 8 && r >= 0 && r < 8 {
				b |= rules.NewSquare(f, r).Bit()
			}
		}
	}
	return b
}
