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

// Faults lists what proves that the position cannot be reached by legal moves from the initial position of its variant, as far as
// counting and a look at the last move show it. No fault found does not mean that the position can be reached: to know that takes
// a proof game. An array of all men with White to move is where a game may begin, also one that was set up wrongly (7.2), so a
// fault in it is only what no start can have. Rights and squares that a set-up named falsely are reported until a move is made. Play goes on from a
// position with faults as the moves of the men allow.
func (p *Position) Faults() []Fault {
	var codes []string
	add := func(wrong bool, code string) {
		if wrong {
			codes = append(codes, code)
		}
	}
	either := func(wrong func(c Color) bool) bool { return wrong(White) || wrong(Black) }
	endPawns := p.roles[Pawn]&endRanks != 0
	pawns := either(func(c Color) bool { return p.Pieces(c, Pawn).Len() > 8 })
	pieces := either(func(c Color) bool { return p.By(c).Len() > 16 })
	material := !pawns && !pieces && (either(func(c Color) bool { return p.promoted(c)+p.Pieces(c, Pawn).Len() > 8 }) || !p.promotionsPossible())
	add(endPawns, FaultPawnRank)
	add(pawns, FaultTooManyPawns)
	add(pieces, FaultTooManyPieces)
	add(material, FaultTooMuchMaterial)

	opposite := p.Attackers(p.King(p.turn.Other()), p.turn) != 0
	checkers := p.Checkers().Len()
	named := p.couldHaveCrossed(p.named)
	noLastMove := !opposite && checkers <= 2 && !p.initial() && !p.lastMovePossible()
	add(opposite, FaultOppositeCheck)
	add(checkers > 2, FaultTooManyCheckers)
	add(noLastMove && (checkers == 2 || checkers == 1 && named), FaultImpossibleCheck)
	add(p.badRights, FaultCastlingRights)
	add(p.named != NoSquare && !named, FaultEnPassant)
	if len(codes) == 0 && !p.array() {
		add(noLastMove || either(p.pawnsImpossible) || p.variant == Standard && (either(p.bishopImpossible) || p.frozenImpossible()), FaultUnreachable)
	}
	faults := make([]Fault, 0, len(codes))
	for _, code := range codes {
		faults = append(faults, Fault{code, "3.10.3"})
	}
	return faults
}
