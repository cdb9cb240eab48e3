package rules

// JudgeSAN is Judge for a text in SAN that need not be legal: of the men that it can mean, the one that comes nearest to being
// allowed is judged. uci is the attempt in UCI form, "" when no man of that kind is there. The error is a *MoveError: the text
// is no SAN, or more than one man can make the move.
func (l *Line) JudgeSAN(text string) (uci string, v Verdict, err error) {
	p := l.Position()
	n, err := SplitSAN(text)
	if err != nil {
		return "", Verdict{}, err
	}
	switch m, err := p.ParseSAN(text); {
	case err == nil:
		return p.UCI(m), l.ended(Verdict{Legal: true, Move: m}), nil
	case err.(*MoveError).Code == "ambiguous":
		return "", Verdict{}, err
	}
	if n.Castling != 0 {
		return l.judgeCastlingSAN(n.Castling > 0)
	}
	best := len(reasons)
	for men := p.Pieces(p.turn, n.Role); men != 0; {
		from := men.Pop()
		if n.File >= 0 && n.File != from.File() || n.Rank >= 0 && n.Rank != from.Rank() {
			continue
		}
		if w := l.Judge(from, n.To, n.Promotion); w.Cause.Reason.far() < best {
			best, v = w.Cause.Reason.far(), w
			uci = from.String() + n.To.String()
			if n.Promotion != NoRole {
				uci += string(n.Promotion.Letter())
			}
		}
	}
	if uci == "" {
		v = l.ended(Verdict{Cause: newCause(PieceMissing), Check: p.InCheck(), Ways: p.Escapes()})
	}
	return uci, v, nil
}

// far orders reasons by how far an attempt is from being a move of that man: least where only its own king forbids it, most
// where the man does not move like that.
func (r Reason) far() int {
	switch r {
	case BishopMove, RookMove, QueenMove, KnightMove, KingMove, CastlingMove, PawnMove, NoMovement:
		return 3
	case PathBlocked, PawnBlocked, PawnDoubleStep, PawnCapture, OwnPiece:
		return 2
	case KingIntoAttack, LeavesInCheck, ExposesKing, PromotionMissing, PromotionPiece, PromotionElsewhere:
		return 0
	}
	return 1
}

// judgeCastlingSAN says why castling to one side is not possible, also when the king is not at home.
func (l *Line) judgeCastlingSAN(kingside bool) (uci string, v Verdict, err error) {
	p := l.Position()
	king := p.King(p.turn)
	file := 2
	if kingside {
		file = 6
	}
	to := NewSquare(file, king.Rank())
	rook := p.castlingRook(p.turn, kingside)
	away := !backRank(p.turn).Has(king) || p.variant == Standard && king.File() != 4
	if away || rook == NoSquare {
		c := newCause(CastlingRookMissing, king)
		if away {
			c = newCause(CastlingKingMoved, king)
		}
		v = Verdict{Cause: l.whyNoRight(c, king, kingside), Check: p.InCheck(), Ways: p.Escapes()}
		return king.String() + to.String(), l.ended(v), nil
	}
	v = l.Judge(king, rook, NoRole)
	if p.variant == Chess960 {
		to = rook
	}
	return king.String() + to.String(), v, nil
}
