package rules

// Judge says whether a man may go from one square to another, becoming what promotion says, and if not, why: any attempt may
// be asked about. Castling may be given as the king's way (e1g1) or as the king taking its rook (e1h1). Where only the moves
// before could tell which article it is (who moved before castling, how a pawn came beside another), Line.Judge knows more.
func (p *Position) Judge(from, to Square, promotion Role) Verdict {
	if from >= NoSquare || to >= NoSquare || p.board[from] == NoPiece {
		return Verdict{Cause: newCause(EmptySquare, squaresOf(from)...)}
	}
	a := attempt{p: p, from: from, to: to, piece: p.board[from], promotion: promotion}
	a.us = a.piece.Color()
	rook, castling := a.castling()
	if m := a.legal(rook, castling); m != NoMove {
		return Verdict{Legal: true, Move: m}
	}
	if a.us != p.turn {
		a.add(NotYourTurn, from)
	}
	switch {
	case from == to:
		a.add(NoMovement, from)
	case castling:
		a.judgeCastling(rook)
	default:
		a.judgeMove()
	}
	if promotion != NoRole && !a.promotes() {
		a.add(PromotionElsewhere, to)
	}
	return Verdict{Cause: a.causes[0], Others: a.causes[1:], Check: p.InCheck(), Ways: p.Escapes()}
}

func squaresOf(s Square) []Square {
	if s >= NoSquare {
		return nil
	}
	return []Square{s}
}

// attempt is a move that somebody tried.
type attempt struct {
	p         *Position
	from, to  Square
	promotion Role
	piece     Piece
	us        Color // the side whose man it is, not always the one to move
	causes    []Cause
}

func (a *attempt) add(r Reason, squares ...Square) {
	a.causes = append(a.causes, newCause(r, squares...))
}

func (a *attempt) promotes() bool {
	return a.piece.Role() == Pawn && a.to.Rank() == 7-7*int(a.us)
}

// legal finds the legal move that is meant.
func (a *attempt) legal(rook Square, castling bool) Move {
	var buf [256]Move
	for _, m := range a.p.LegalMoves(buf[:0]) {
		if m.From() != a.from || m.Promotion() != a.promotion || m.IsCastling() != castling {
			continue
		}
		if to := m.To(); to == a.to || castling && to == rook {
			return m
		}
	}
	return NoMove
}

// castling reports whether the attempt can only be castling: the king goes onto its own rook, or along its first rank to the
// square that castling leads to and is no neighbour. The rook is NoSquare when there is none on that side.
func (a *attempt) castling() (rook Square, ok bool) {
	p, rank := a.p, backRank(a.us)
	standard := p.variant == Standard
	if a.piece.Role() != King || !rank.Has(a.from) || !rank.Has(a.to) || a.from == a.to || standard && a.from.File() != 4 {
		return NoSquare, false
	}
	if p.board[a.to] == NewPiece(a.us, Rook) && (!standard || (fileA | fileH).Has(a.to)) {
		return a.to, true
	}
	if f := a.to.File(); kingAttacks[a.from].Has(a.to) || f != 6 && f != 2 {
		return NoSquare, false
	}
	return p.castlingRook(a.us, a.to > a.from), true
}

// castlingRook is the rook with which a king on its first rank would castle to one side: the one that has the right, else one
// that stands where it could have it; NoSquare when there is none.
func (p *Position) castlingRook(c Color, kingside bool) Square {
	king := p.King(c)
	rooks := p.Pieces(c, Rook) & backRank(c)
	if kingside {
		rooks &^= king.Bit() - 1
	} else {
		rooks &= king.Bit() - 1
	}
	if p.variant == Standard {
		rooks &= fileA | fileH
	}
	if right := rooks & p.castling; right != 0 {
		rooks = right
	}
	return rooks.First()
}

func (a *attempt) judgeCastling(rook Square) {
	p, them := a.p, a.us.Other()
	switch own := p.castling & p.colors[a.us]; {
	case rook == NoSquare:
		a.add(CastlingRookMissing, a.from)
		return
	case own.Has(rook):
	case own != 0: // the king has not moved, or the other right would be gone as well
		a.add(CastlingRookMoved, rook)
	default:
		a.add(CastlingRightLost, a.from, rook)
	}
	kingTo, rookTo := newMove(a.from, rook, NoRole, kindCastling).Castling()
	all := p.Occupied()
	attackers := func(s Square) Bitboard { return p.attackers(s, them, all&^a.from.Bit()) }
	if b := p.attackers(a.from, them, all); b != 0 {
		a.add(CastlingOutOfCheck, b.squares()...)
	}
	var crossed Bitboard
	for path := between[a.from][kingTo]; path != 0; {
		crossed |= attackers(path.Pop())
	}
	if crossed != 0 {
		a.add(CastlingThroughCheck, crossed.squares()...)
	}
	others := all &^ a.from.Bit() &^ rook.Bit()
	if b := attackers(kingTo); b != 0 && kingTo != a.from {
		a.add(CastlingIntoCheck, b.squares()...)
	}
	path := between[a.from][kingTo] | kingTo.Bit() | between[rook][rookTo] | rookTo.Bit() | between[a.from][rook]
	if b := path & others; b != 0 {
		a.add(CastlingBlocked, b.squares()...)
	}
	// The rook may have been what kept an attack along the rank from the king's square.
	if b := p.attackers(kingTo, them, others|kingTo.Bit()|rookTo.Bit()) &^ attackers(kingTo); b != 0 {
		a.add(ExposesKing, b.squares()...)
	}
}

func (a *attempt) judgeMove() {
	p := a.p
	target := p.board[a.to]
	own := target != NoPiece && target.Color() == a.us
	if own && a.piece.Role() == Pawn {
		a.add(OwnPiece, a.to)
	}
	before := len(a.causes)
	switch role := a.piece.Role(); role {
	case Pawn:
		a.judgePawn()
	case Knight:
		if !knightAttacks[a.from].Has(a.to) {
			a.add(KnightMove, a.from)
		}
	case King:
		a.judgeKing()
	default:
		a.judgeSlider(role)
	}
	if own {
		if a.piece.Role() != Pawn {
			a.add(OwnPiece, a.to)
		}
		return
	}
	if target.Role() == King {
		a.add(CapturesKing, a.to)
		return
	}
	if len(a.causes) == before {
		a.judgeKingSafety()
	}
	if a.promotes() {
		switch a.promotion {
		case NoRole:
			a.add(PromotionMissing, a.to)
		case Pawn, King:
			a.add(PromotionPiece, a.to)
		}
	}
}

func (a *attempt) judgeSlider(role Role) {
	straight := a.from.File() == a.to.File() || a.from.Rank() == a.to.Rank()
	aligned := line[a.from][a.to] != 0
	switch {
	case role == Bishop && (straight || !aligned):
		a.add(BishopMove, a.from)
	case role == Rook && !straight:
		a.add(RookMove, a.from)
	case role == Queen && !aligned:
		a.add(QueenMove, a.from)
	default:
		if b := between[a.from][a.to] & a.p.Occupied(); b != 0 {
			a.add(PathBlocked, nearest(b, a.from, a.to))
		}
	}
}

// nearest is the square of a line's part that comes first on the way.
func nearest(b Bitboard, from, to Square) Square {
	list := b.squares()
	if to < from {
		return list[len(list)-1]
	}
	return list[0]
}

// judgeKing tells a plain king's move from what looks like castling done wrong: along the first rank, or up the file towards a
// rook made by promotion.
func (a *attempt) judgeKing() {
	if kingAttacks[a.from].Has(a.to) {
		return
	}
	home := backRank(a.us).Has(a.from) && (a.p.variant == Chess960 || a.from.File() == 4)
	upwards := a.from.File() == a.to.File() && line[a.from][a.to]&a.p.Pieces(a.us, Rook) != 0
	if home && (backRank(a.us).Has(a.to) || upwards) {
		a.add(CastlingMove, a.from)
		return
	}
	a.add(KingMove, a.from)
}

func (a *attempt) judgePawn() {
	p := a.p
	forward, second := 1, 1
	if a.us == Black {
		forward, second = -1, 6
	}
	ranks := (a.to.Rank() - a.from.Rank()) * forward
	files := a.to.File() - a.from.File()
	switch {
	case files == 0 && ranks == 1:
		if p.board[a.to] != NoPiece {
			a.add(PawnBlocked, a.to)
		} else if endRanks.Has(a.from) {
			a.add(PawnMove, a.from)
		}
	case files == 0 && ranks == 2:
		way := between[a.from][a.to] | a.to.Bit()
		if a.from.Rank() != second {
			a.add(PawnDoubleStep, a.from)
		}
		if b := way & p.Occupied(); b != 0 {
			a.add(PawnBlocked, nearest(b, a.from, a.to))
			a.causes[len(a.causes)-1].Article, a.causes[len(a.causes)-1].FIDE = "3.7.2", "3.7.2"
		}
	case ranks == 1 && (files == 1 || files == -1):
		if p.board[a.to] == NoPiece && !a.enPassant() {
			a.judgeEnPassant()
		}
	default:
		a.add(PawnMove, a.from)
	}
}

// enPassant reports whether the opponent's last move was a double step over the square that the pawn goes to.
func (a *attempt) enPassant() bool {
	p := a.p
	return a.us == p.turn && a.to == p.named && p.couldHaveCrossed(p.named) && pawnAttacks[a.us][a.from].Has(a.to)
}

// judgeEnPassant says why a pawn that goes diagonally to an empty square takes nothing. From the position alone a pawn that
// stands where a double step leads is taken to have made one, earlier.
func (a *attempt) judgeEnPassant() {
	p := a.p
	victim, origin := NewSquare(a.to.File(), a.from.Rank()), 2*int(a.to)-int(NewSquare(a.to.File(), a.from.Rank()))
	if a.from.Rank() == 4-int(a.us) && p.board[victim] == NewPiece(a.us.Other(), Pawn) && p.board[origin] == NoPiece {
		a.add(EnPassantLate, victim)
		return
	}
	a.add(PawnCapture, a.to)
}

// judgeKingSafety looks at the mover's king as it would stand after the move (3.9.2).
func (a *attempt) judgeKingSafety() {
	p, them := a.p, a.us.Other()
	gone := a.from.Bit()
	if a.piece.Role() == Pawn && p.board[a.to] == NoPiece && a.from.File() != a.to.File() {
		gone |= NewSquare(a.to.File(), a.from.Rank()).Bit()
	}
	occupied := p.Occupied()&^gone | a.to.Bit()
	if a.piece.Role() == King {
		if b := p.attackers(a.to, them, occupied) &^ a.to.Bit(); b != 0 {
			a.add(KingIntoAttack, b.squares()...)
		}
		return
	}
	king := p.King(a.us)
	b := p.attackers(king, them, occupied) &^ a.to.Bit() &^ gone
	switch {
	case b == 0:
	case b&p.attackers(king, them, p.Occupied()) != 0:
		a.add(LeavesInCheck, b.squares()...)
	default:
		a.add(ExposesKing, b.squares()...)
	}
}
