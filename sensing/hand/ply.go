package hand

import "github.com/boardd/boardd/rules"

// ply is the touches of a move, from time 0, on a board that shows the position before it.
func (p *player) ply(m rules.Move, how Manner) (e episode) {
	switch {
	case m.IsCastling():
		p.castle(&e, m, how)
	case m.IsEnPassant():
		p.enPassant(&e, m, how)
	case p.pos.At(m.To()) != rules.NoPiece:
		p.capture(&e, m, how)
	default:
		e.lift(0, m.From())
		p.settle(&e, m, p.drag(&e, m.From(), m.To(), 0), how)
	}
	e.done = e.end()
	return e
}

// drag is the way of a man from lift to place; it gives when the man comes down. Now and then it rests on the squares between.
func (p *player) drag(e *episode, from, to rules.Square, lifted int64) (placed int64) {
	between := p.between(from, to)
	if len(between) == 0 || !p.chance(p.style.SlideRate) {
		return lifted + p.pick(p.style.Carry)
	}
	e.tell(lifted, "slide")
	man, t := p.pos.At(from), lifted
	for _, q := range between {
		t += p.pick(travel)
		e.place(t, q, man)
		t += p.pick(p.style.SlideRest)
		e.lift(t, q)
	}
	return t + p.pick(travel)
}

// between are the empty squares on the straight way between two squares; none for a knight's jump or when something stands there.
func (p *player) between(from, to rules.Square) (way []rules.Square) {
	df, dr := to.File()-from.File(), to.Rank()-from.Rank()
	if df != 0 && dr != 0 && df != dr && df != -dr {
		return nil
	}
	step := func(d int) int { return min(1, max(-1, d)) }
	for f, r := from.File()+step(df), from.Rank()+step(dr); f != to.File() || r != to.Rank(); f, r = f+step(df), r+step(dr) {
		q := rules.NewSquare(f, r)
		if p.pos.At(q) != rules.NoPiece {
			return nil
		}
		way = append(way, q)
	}
	return way
}

// settle puts the man down where the move ends, promoting a pawn by one of the two ways.
func (p *player) settle(e *episode, m rules.Move, t int64, how Manner) {
	man := p.pos.At(m.From())
	if m.Promotion() == rules.NoRole {
		e.place(t, m.To(), man)
		return
	}
	piece := rules.NewPiece(man.Color(), m.Promotion())
	if how.Promotion == Straight || how.Promotion == AnyPromotion && p.chance(p.style.Promotion.Straight) {
		e.place(t, m.To(), piece)
		return
	}
	e.place(t, m.To(), man)
	t += p.pick(exchanging)
	e.lift(t, m.To())
	e.place(t+p.pick(p.style.Carry), m.To(), piece)
}

func (p *player) captureOrder(how Manner) Capture {
	if how.Capture != AnyCapture {
		return how.Capture
	}
	s := p.style.Capture
	switch x := p.dice.Float64() * (s.VictimFirst + s.OwnFirst + s.OneMotion); {
	case x < s.VictimFirst:
		return VictimFirst
	case x < s.VictimFirst+s.OwnFirst:
		return OwnFirst
	}
	return OneMotion
}

func (p *player) capture(e *episode, m rules.Move, how Manner) {
	if how.Capture == AnyCapture && p.chance(p.style.MissedPhaseRate) {
		// The victim leaves as the capturer arrives, between two looks of the sensor.
		e.tell(0, "missed phase")
		e.lift(0, m.From())
		p.settle(e, m, p.drag(e, m.From(), m.To(), 0), how)
		return
	}
	switch p.captureOrder(how) {
	case VictimFirst:
		e.lift(0, m.To())
		t := p.pick(p.style.Carry)
		e.lift(t, m.From())
		p.settle(e, m, p.drag(e, m.From(), m.To(), t), how)
	case OwnFirst:
		e.lift(0, m.From())
		t := p.drag(e, m.From(), m.To(), 0)
		e.lift(t, m.To())
		p.settle(e, m, t+p.pick(p.style.Carry)/2+1, how)
	default:
		e.lift(0, m.From())
		t := p.drag(e, m.From(), m.To(), 0)
		e.lift(t, m.To())
		p.settle(e, m, t+p.pick(p.style.OneMotionGap), how)
	}
}

func (p *player) enPassant(e *episode, m rules.Move, how Manner) {
	victim := m.Victim()
	switch p.captureOrder(how) {
	case VictimFirst:
		e.lift(0, victim)
		t := p.pick(p.style.Carry)
		e.lift(t, m.From())
		p.settle(e, m, t+p.pick(p.style.Carry), how)
	case OwnFirst: // half take the victim on the way, half after the pawn is down
		e.lift(0, m.From())
		t := p.pick(p.style.Carry)
		if p.dice.IntN(2) == 0 {
			e.lift(t, victim)
			p.settle(e, m, t+p.pick(p.style.Carry)/2+1, how)
		} else {
			p.settle(e, m, t, how)
			e.lift(t+p.pick(p.style.Carry), victim)
		}
	default: // one sweep
		e.lift(0, m.From())
		t := p.pick(p.style.Carry)
		e.lift(t, victim)
		p.settle(e, m, t+p.pick(p.style.OneMotionGap), how)
	}
}

func (p *player) castle(e *episode, m rules.Move, how Manner) {
	kingFrom, rookFrom := m.From(), m.To()
	kingTo, rookTo := m.Castling()
	king, rook := p.pos.At(kingFrom), p.pos.At(rookFrom)
	if kingFrom == kingTo || rookFrom == rookTo { // Chess960: one of them may already be there
		man, from, to := king, kingFrom, kingTo
		if kingFrom == kingTo {
			man, from, to = rook, rookFrom, rookTo
		}
		e.lift(0, from)
		e.place(p.pick(p.style.Carry), to, man)
		return
	}
	order := how.Castle
	if s := p.style.Castle; order == AnyCastle {
		switch x := p.dice.Float64() * (s.KingFirst + s.RookFirst + s.Both); {
		case x < s.KingFirst:
			order = KingFirst
		case x < s.KingFirst+s.RookFirst:
			order = RookFirst
		default:
			order = Both
		}
	}
	if order == KingFirst && kingTo == rookFrom || order == RookFirst && rookTo == kingFrom {
		order = Both // Chess960: the square is not free before the other one is in the air
	}
	first, second := [2]rules.Square{kingFrom, kingTo}, [2]rules.Square{rookFrom, rookTo}
	a, b := king, rook
	if order == RookFirst || order == Both && p.dice.IntN(2) == 0 {
		first, second, a, b = second, first, rook, king
	}
	e.lift(0, first[0])
	if order == Both {
		up := p.pick(bothWithin)
		e.lift(up, second[0])
		if p.dice.IntN(2) == 0 {
			first, second, a, b = second, first, b, a
		}
		down := up + p.pick(p.style.Carry)
		e.place(down, first[1], a)
		e.place(down+p.pick(bothWithin), second[1], b)
		return
	}
	t := p.drag(e, first[0], first[1], 0)
	e.place(t, first[1], a)
	t += p.pick(p.style.Carry) // over to the other man
	e.lift(t, second[0])
	e.place(t+p.pick(p.style.Carry), second[1], b)
}
