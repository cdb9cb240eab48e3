package rules

// Fault is something that shows that a position cannot be reached by legal moves (3.10.3).
type Fault struct {
	Code    string // one of the codes below
	Article string // of the laws
}

// The codes of faults, as design pages and `boardd position` name them.
const (
	FaultKings           = "kings"             // not exactly one king a side: never a Position, see Setup.Position
	FaultPawnRank        = "pawn-rank"         // a pawn on the first or last rank
	FaultTooManyPawns    = "too-many-pawns"    // more than eight pawns of a side
	FaultTooManyPieces   = "too-many-pieces"   // more than sixteen men of a side
	FaultTooMuchMaterial = "too-much-material" // more promoted pieces than pawns are missing
	FaultOppositeCheck   = "opposite-check"    // the side that is not to move is in check
	FaultTooManyCheckers = "too-many-checkers" // three or more men give check
	FaultImpossibleCheck = "impossible-check"  // no last move can have given this check
	FaultCastlingRights  = "castling-rights"   // rights without king or rook where they must be
	FaultEnPassant       = "ep-square"         // the square named for en passant is not one that a pawn can just have crossed
	FaultUnreachable     = "unreachable"       // a look back shows it: no last move, pawns that captured too often, men that could not get out
)

// Faults lists what proves that the position cannot be reached by legal moves, as far as a look at the board shows it; none
// does not promise that it can be reached. Rights and squares that a set-up named falsely are reported until a move is made.
func (p *Position) Faults() []Fault {
	var codes []string
	if p.roles[Pawn]&endRanks != 0 {
		codes = append(codes, FaultPawnRank)
	}
	count := func(limit func(c Color) bool, code string) {
		if limit(White) || limit(Black) {
			codes = append(codes, code)
		}
	}
	count(func(c Color) bool { return p.Pieces(c, Pawn).Len() > 8 }, FaultTooManyPawns)
	count(func(c Color) bool { return p.By(c).Len() > 16 }, FaultTooManyPieces)
	if len(codes) == 0 || codes[len(codes)-1] == FaultPawnRank {
		count(func(c Color) bool { return p.promoted(c)+p.Pieces(c, Pawn).Len() > 8 }, FaultTooMuchMaterial)
	}
	opposite := p.Attackers(p.King(p.turn.Other()), p.turn) != 0
	if opposite {
		codes = append(codes, FaultOppositeCheck)
	}
	if checkers := p.Checkers(); checkers.Len() > 2 {
		codes = append(codes, FaultTooManyCheckers)
	} else if checkers != 0 && !opposite && !p.checkPossible(checkers) {
		codes = append(codes, FaultImpossibleCheck)
	}
	if p.badRights {
		codes = append(codes, FaultCastlingRights)
	}
	if p.named != NoSquare && !p.couldHaveCrossed(p.named) {
		codes = append(codes, FaultEnPassant)
	}
	faults := make([]Fault, 0, len(codes))
	for _, code := range codes {
		faults = append(faults, Fault{code, "3.10.3"})
	}
	return faults
}

// promoted is the least number of a side's pieces that must have been pawns.
func (p *Position) promoted(c Color) int {
	more := func(have, had int) int { return max(0, have-had) }
	bishops := p.Pieces(c, Bishop)
	return more(p.Pieces(c, Queen).Len(), 1) + more(p.Pieces(c, Rook).Len(), 2) + more(p.Pieces(c, Knight).Len(), 2) +
		more((bishops&darkSquares).Len(), 1) + more((bishops&^darkSquares).Len(), 1)
}

// checkPossible reports whether some last move can have given the check: a man that moved, with at most one other whose line
// it opened. A pawn's double step that the FEN names was that last move.
func (p *Position) checkPossible(checkers Bitboard) bool {
	king, them := p.King(p.turn), p.turn.Other()
	if p.couldHaveCrossed(p.named) {
		pawn, origin := p.named+8, p.named-8
		if p.turn == White {
			pawn, origin = origin, pawn
		}
		before := p.Occupied()&^pawn.Bit() | origin.Bit()
		return p.attackers(king, them, before)&^pawn.Bit() == 0
	}
	if checkers.Len() < 2 {
		return true
	}
	a := checkers.First()
	b := (checkers &^ a.Bit()).First()
	return p.doubleCheckBy(a, b) || p.doubleCheckBy(b, a) || p.doubleCheckByEnPassant(checkers)
}

// doubleCheckBy reports whether the man on mover can have moved last, giving check itself and opening the line of the other.
func (p *Position) doubleCheckBy(mover, other Square) bool {
	king := p.King(p.turn)
	if r := p.board[other].Role(); r == Pawn || r == Knight || r == King {
		return false
	}
	for opened := between[king&63][other&63]; opened != 0; {
		if from := opened.Pop(); p.couldHaveCome(from, mover) && p.quietBefore(from, mover) {
			return true
		}
	}
	return false
}

// quietBefore reports whether the king was not in check before a man went from one square to another; what it may have captured
// stood on its new square.
func (p *Position) quietBefore(from, to Square) bool {
	them := p.turn.Other()
	for _, captured := range [2]Bitboard{0, to.Bit()} {
		before := p.Occupied()&^to.Bit() | from.Bit() | captured
		if p.attackers(p.King(p.turn), them, before)&^to.Bit() == 0 {
			return true
		}
	}
	return false
}

// couldHaveCome reports whether the man on a square can have come from another one in one move: as what it is, as a pawn that
// was promoted, or by castling.
func (p *Position) couldHaveCome(from, to Square) bool {
	piece := p.board[to]
	c := piece.Color()
	if p.board[from] != NoPiece {
		return false
	}
	pawnStep := func() bool {
		if pawnAttacks[c][from&63].Has(to) {
			return true
		}
		d := int(to) - int(from)
		if c == Black {
			d = -d
		}
		return d == 8 || d == 16 && from.Rank() == 1+5*int(c) && p.board[(from+to)/2] == NoPiece
	}
	promoted := to.Rank() == 7-7*int(c) && from.Rank() == 6-5*int(c) && pawnStep()
	switch piece.Role() {
	case Pawn:
		return pawnStep()
	case Knight:
		return knightAttacks[from&63].Has(to) || promoted
	case Bishop:
		return bishopAttacks(from, p.Occupied()).Has(to) || promoted
	case Rook:
		return rookAttacks(from, p.Occupied()).Has(to) || promoted
	case Queen:
		return (rookAttacks(from, p.Occupied()) | bishopAttacks(from, p.Occupied())).Has(to) || promoted
	}
	return kingAttacks[from&63].Has(to)
}

// doubleCheckByEnPassant reports whether a capture en passant, which empties two squares and fills one, can have opened the
// lines of both checkers.
func (p *Position) doubleCheckByEnPassant(checkers Bitboard) bool {
	them := p.turn.Other()
	rank, back := Bitboard(rank1)<<40, -8
	if them == Black {
		rank, back = rank1<<16, 8
	}
	for pawns := p.Pieces(them, Pawn) & rank; pawns != 0; {
		to := pawns.Pop()
		victim, origin := Square(int(to)+back), Square(int(to)-back)
		for froms := pawnAttacks[them.Other()][to&63]; froms != 0; {
			from := froms.Pop()
			if p.board[from] != NoPiece || p.board[victim] != NoPiece || p.board[origin] != NoPiece {
				continue
			}
			before := p.Occupied()&^to.Bit() | from.Bit() | victim.Bit()
			if p.attackers(p.King(p.turn), them, before)&checkers&^to.Bit() == 0 {
				return true
			}
		}
	}
	return false
}
