package rules

// Judge is Position.Judge for the position now on the board, with the articles that only the moves before can tell: whether
// the king or the rook moved before castling (3.8.2.1), and whether a pawn passed another one by a double step (3.7.4).
func (l *Line) Judge(from, to Square, promotion Role) Verdict {
	p := l.Position()
	v := p.Judge(from, to, promotion)
	if v.Legal {
		return v
	}
	v.Cause = l.refine(v.Cause, from, to)
	for i := range v.Others {
		v.Others[i] = l.refine(v.Others[i], from, to)
	}
	return v
}

func (l *Line) refine(c Cause, from, to Square) Cause {
	switch c.Reason {
	case CastlingRightLost, CastlingRookMoved, CastlingRookMissing:
		corner := NoSquare
		if c.Reason != CastlingRookMissing {
			corner = c.Squares[len(c.Squares)-1]
		}
		if l.kingMoved(from) {
			return newCause(CastlingKingMoved, from)
		}
		if corner != NoSquare && c.Reason == CastlingRightLost && l.touched(corner) {
			return newCause(CastlingRookMoved, corner)
		}
	case EnPassantLate:
		if !l.doubleStepped(c.Squares[0]) {
			return newCause(EnPassantNotDouble, c.Squares...)
		}
	}
	return c
}

// kingMoved reports whether the king that stands on a square has moved in this line.
func (l *Line) kingMoved(king Square) bool {
	p := l.Position()
	us := p.At(king).Color()
	for i, m := range l.moves {
		if q := &l.positions[i]; q.turn == us && q.King(us) == m.From() {
			return true
		}
	}
	return false
}

// touched reports whether something has left or reached a square in this line.
func (l *Line) touched(s Square) bool {
	for _, m := range l.moves {
		if m.From() == s || m.To() == s {
			return true
		}
	}
	return false
}

// doubleStepped reports whether the pawn on a square came there by a double step, or stood there from the start.
func (l *Line) doubleStepped(s Square) bool {
	for i := len(l.moves) - 1; i >= 0; i-- {
		if m := l.moves[i]; m.To() == s {
			return m.From()^m.To() == 16
		}
	}
	return true
}
