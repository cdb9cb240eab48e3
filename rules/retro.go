package rules

// initial reports whether the position may be one in which no move has been made: White to move, all men there, no pawn moved.
func (p *Position) initial() bool {
	return p.turn == White && p.colors[White].Len() == 16 && p.colors[Black].Len() == 16 && p.pawnsHome(White) && p.pawnsHome(Black)
}

// array reports whether the men stand as for a game that begins, in whatever order the pieces are.
func (p *Position) array() bool {
	return p.initial() && p.colors[White]>>16 == 0 && p.colors[Black]<<16 == 0
}

func (p *Position) pawnsHome(c Color) bool {
	return p.Pieces(c, Pawn) == rank1<<(8+40*int(c))
}

// lastMovePossible reports whether the side that is not to move can have made some last move: from a position in which the other
// king was not attacked. A double step that the FEN names was that move. Where it gave check, a man with a right to castle has not
// made it; elsewhere rights are no evidence, because who sets up a position gives them to kings and rooks that stand at home.
func (p *Position) lastMovePossible() bool {
	them := p.turn.Other()
	if p.couldHaveCrossed(p.named) {
		pawn, origin := p.named+8, p.named-8
		if p.turn == White {
			pawn, origin = origin, pawn
		}
		return p.quiet(Pawn, origin, pawn, 0)
	}
	men := p.colors[them]
	if p.InCheck() {
		men &^= p.fixed(them)
	}
	for men != 0 {
		if p.cameFrom(men.Pop()) {
			return true
		}
	}
	return p.castledLast(them)
}

// fixed is the set of a side's men that have not moved, because a right to castle is left.
func (p *Position) fixed(c Color) Bitboard {
	rooks := p.castling & p.colors[c]
	if rooks == 0 {
		return 0
	}
	return rooks | p.Pieces(c, King)
}

// quiet reports whether the king of the side to move was not attacked before a man that was then of some role went from one
// square to another, where captured, if anything, stood on a square that is empty now or on the new one.
func (p *Position) quiet(role Role, from, to Square, captured Bitboard) bool {
	them, king := p.turn.Other(), p.King(p.turn)
	before := p.Occupied()&^to.Bit() | from.Bit() | captured
	if p.attackers(king, them, before)&^to.Bit() != 0 {
		return false
	}
	switch role {
	case Pawn:
		return !pawnAttacks[them][from&63].Has(king)
	case Knight:
		return !knightAttacks[from&63].Has(king)
	case King:
		return !kingAttacks[from&63].Has(king)
	}
	var b Bitboard
	if role != Bishop {
		b |= rookAttacks(from, before)
	}
	if role != Rook {
		b |= bishopAttacks(from, before)
	}
	return !b.Has(king)
}

// cameFrom reports whether the man on a square can have made the last move.
func (p *Position) cameFrom(to Square) bool {
	piece := p.board[to]
	c, role := piece.Color(), piece.Role()
	empty := ^p.Occupied()
	taken := p.colors[c.Other()].Len() < 16 // something of the other side has been captured at some time
	if role == Pawn {
		return p.pawnCameFrom(to, taken)
	}
	var froms Bitboard
	switch role {
	case Knight:
		froms = knightAttacks[to&63]
	case King:
		froms = kingAttacks[to&63]
	}
	if role == Bishop || role == Queen {
		froms |= bishopAttacks(to, ^empty)
	}
	if role == Rook || role == Queen {
		froms |= rookAttacks(to, ^empty)
	}
	for froms &= empty; froms != 0; {
		from := froms.Pop()
		if p.quiet(role, from, to, 0) || taken && p.quiet(role, from, to, to.Bit()) {
			return true
		}
	}
	if role == King || to.Rank() != 7-7*int(c) || p.Pieces(c, Pawn).Len() >= 8 {
		return false
	}
	// A pawn that was promoted.
	behind := to - 8
	if c == Black {
		behind = to + 8
	}
	if empty.Has(behind) && p.quiet(Pawn, behind, to, 0) {
		return true
	}
	for froms := pawnAttacks[c.Other()][to&63] & empty; froms != 0 && taken; {
		if p.quiet(Pawn, froms.Pop(), to, to.Bit()) {
			return true
		}
	}
	return false
}

func (p *Position) pawnCameFrom(to Square, taken bool) bool {
	c := p.board[to].Color()
	empty := ^p.Occupied() &^ backRank(c)
	behind, second, fourth, sixth := int(to)-8, int(to)-16, 3, 5
	if c == Black {
		behind, second, fourth, sixth = int(to)+8, int(to)+16, 4, 2
	}
	if behind < 0 || behind > 63 {
		return false
	}
	if empty.Has(Square(behind)) {
		if p.quiet(Pawn, Square(behind), to, 0) {
			return true
		}
		if to.Rank() == fourth && empty.Has(Square(second)) && p.quiet(Pawn, Square(second), to, 0) {
			return true
		}
	}
	for froms := pawnAttacks[c.Other()][to&63] & empty; froms != 0 && taken; {
		from := froms.Pop()
		if p.quiet(Pawn, from, to, to.Bit()) {
			return true
		}
		victim, origin := Square(behind), Square(2*int(to)-behind)
		if to.Rank() == sixth && empty.Has(victim) && empty.Has(origin) && p.quiet(Pawn, from, to, victim.Bit()) {
			return true
		}
	}
	return false
}

// castledLast reports whether the last move of a side can have been castling.
func (p *Position) castledLast(c Color) bool {
	if p.fixed(c) != 0 {
		return false
	}
	king, rank := p.King(c), 7*int(c)
	for _, side := range [2]struct{ king, rook int }{{6, 5}, {2, 3}} {
		rookAt := NewSquare(side.rook, rank)
		if king != NewSquare(side.king, rank) || p.board[rookAt] != NewPiece(c, Rook) {
			continue
		}
		gone := p.Occupied() &^ king.Bit() &^ rookAt.Bit()
		for kingFile := 1; kingFile < 7; kingFile++ {
			for rookFile := range 8 {
				from, rook := NewSquare(kingFile, rank), NewSquare(rookFile, rank)
				if kingFile == rookFile || (rookFile > kingFile) != (side.king == 6) || gone&(from.Bit()|rook.Bit()) != 0 ||
					p.variant == Standard && (kingFile != 4 || rookFile != 0 && rookFile != 7) {
					continue
				}
				before := gone | from.Bit() | rook.Bit()
				rooks := p.attackers(p.King(p.turn), c, before) &^ king.Bit() &^ rookAt.Bit()
				if rooks == 0 && !rookAttacks(rook, before).Has(p.King(p.turn)) {
					return true
				}
			}
		}
	}
	return false
}
