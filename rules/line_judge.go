package rules

// Judge is Position.Judge for the position now on the board, with what only the moves before can tell: who moved, and when, so
// that a right to castle is lost (3.8.2.1), whether a pawn passed another one by a double step (3.7.4), and whether the game
// is over. Cause.Ply names the ply. In a game that has ended no move is legal, and GameOver is the main reason, but behind what
// else is wrong with the attempt in a dead position, because that is not seen at a glance. A mere set-up has not ended by a
// draw, only by having no legal move, and there too GameOver stands behind.
func (l *Line) Judge(from, to Square, promotion Role) Verdict {
	p := l.Position()
	v := p.Judge(from, to, promotion)
	if !v.Legal {
		v.Cause = l.refine(v.Cause, from, to)
		for i := range v.Others {
			v.Others[i] = l.refine(v.Others[i], from, to)
		}
	}
	return l.ended(v)
}

// ended adds that the game is over.
func (l *Line) ended(v Verdict) Verdict {
	outcome := l.Outcome()
	if outcome == NoOutcome || outcome > Stalemated && len(l.moves) == 0 {
		return v
	}
	over := newCause(GameOver)
	over.Article = [...]string{Checkmated: "5.1.1", Stalemated: "5.2.1", Dead: "5.2.2", Fivefold: "9.6.1", SeventyFive: "9.6.2"}[outcome]
	over.FIDE, over.Ply = over.Article, len(l.moves)
	switch {
	case v.Legal:
		p := l.Position()
		return Verdict{Cause: over, Check: p.InCheck(), Ways: p.Escapes()}
	case len(l.moves) == 0 || outcome == Dead:
		v.Others = append(v.Others, over)
	default:
		v.Others = append([]Cause{v.Cause}, v.Others...)
		v.Cause = over
	}
	return v
}

func (l *Line) refine(c Cause, from, to Square) Cause {
	switch c.Reason {
	case CastlingRightLost, CastlingKingMoved, CastlingRookMoved, CastlingRookMissing:
		return l.whyNoRight(c, from, to > from)
	case EnPassantLate:
		ply := l.arrival(c.Squares[0])
		if ply > 0 && l.moves[ply-1].From()^l.moves[ply-1].To() != 16 {
			c = newCause(EnPassantNotDouble, c.Squares...)
		}
		c.Ply = ply
	}
	return c
}

// whyNoRight finds the ply by which the right to castle to one side was lost. Where the line began without the right it is only
// known that a king that moved since, or a rook, may not castle, not what happened before.
func (l *Line) whyNoRight(c Cause, king Square, kingside bool) Cause {
	p := l.Position()
	us := p.At(king).Color()
	begin := &l.positions[0]
	home := begin.King(us)
	corner := (begin.castling & begin.colors[us] & side(home, kingside)).First()
	right := corner != NoSquare
	if !right {
		corner = begin.castlingRook(us, kingside)
	}
	for i, m := range l.moves {
		q := &l.positions[i]
		var why Reason
		switch {
		case m.From() == home && q.turn == us && q.King(us) == home:
			why = CastlingKingMoved
		case m.From() == corner && q.turn == us:
			why = CastlingRookMoved
		case m.To() == corner && q.turn != us:
			why = CastlingRookTaken
		default:
			continue
		}
		if why == CastlingKingMoved {
			c = newCause(why, king)
		} else {
			c = newCause(why, corner)
		}
		c.Ply = i + 1
		return c
	}
	return c
}

// side is the set of squares to one side of a square, as White sees the board.
func side(s Square, kingside bool) Bitboard {
	if kingside {
		return rankOf(s) &^ (s.Bit()<<1 - 1)
	}
	return rankOf(s) & (s.Bit() - 1)
}

// arrival is the ply by which the man on a square came there, 0 when it stood there from the start.
func (l *Line) arrival(s Square) int {
	for i := len(l.moves) - 1; i >= 0; i-- {
		if l.moves[i].To() == s {
			return i + 1
		}
	}
	return 0
}
