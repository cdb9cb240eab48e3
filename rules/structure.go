package rules

import "math/bits"

// promoted is the least number of a side's pieces that must have been pawns.
func (p *Position) promoted(c Color) int {
	more := func(have, had int) int { return max(0, have-had) }
	bishops := p.Pieces(c, Bishop)
	return more(p.Pieces(c, Queen).Len(), 1) + more(p.Pieces(c, Rook).Len(), 2) + more(p.Pieces(c, Knight).Len(), 2) +
		more((bishops&darkSquares).Len(), 1) + more((bishops&^darkSquares).Len(), 1)
}

// promotionsPossible reports whether the captures that there have been are enough for the promotions. Two pawns that began on
// one file keep each other from promoting until one of them captures or is captured; so a capture sets free at most two pawns
// that live on, or three if it takes a pawn.
func (p *Position) promotionsPossible() bool {
	captures := 32 - p.Occupied().Len()
	missing := 16 - p.roles[Pawn].Len()
	promoted := p.promoted(White) + p.promoted(Black)
	for pawns := range min(captures, missing) + 1 { // pawns that were captured as pawns; the other missing ones were promoted
		if missing-pawns >= promoted && missing-pawns <= 2*captures+pawns {
			return true
		}
	}
	return false
}

// pawnsImpossible reports whether a side's pawns cannot have come to their files with as many captures as the opponent has lost
// men: each change of file is a capture.
func (p *Position) pawnsImpossible(c Color) bool {
	apart := Bitboard(0)
	for pawns := p.Pieces(c, Pawn); pawns != 0; {
		apart |= 1 << pawns.Pop().File()
	}
	if apart.Len() == p.Pieces(c, Pawn).Len() {
		return false // each may have stayed on its file
	}
	const tooMany = 99
	lost := 16 - p.colors[c.Other()].Len()
	var least [256]int // captures needed so far, by the set of files from which the pawns came
	for i := 1; i < len(least); i++ {
		least[i] = tooMany
	}
	n := 0
	for pawns := p.Pieces(c, Pawn); pawns != 0 && n <= 8; n++ {
		s := pawns.Pop()
		steps := s.Rank() - 1
		if c == Black {
			steps = 6 - s.Rank()
		}
		for set := len(least) - 1; set >= 0; set-- {
			if bits.OnesCount(uint(set)) != n || least[set] >= tooMany {
				continue
			}
			for file := range 8 {
				captures := max(file-s.File(), s.File()-file)
				if next := set | 1<<file; next != set && captures <= steps {
					least[next] = min(least[next], least[set]+captures)
				}
			}
		}
	}
	best := tooMany
	for set, captures := range least {
		if bits.OnesCount(uint(set)) == n {
			best = min(best, captures)
		}
	}
	return best > lost
}

// bishopImpossible reports whether a bishop is out that cannot have got out: with both pawns before it at home it never left its
// square, so that another one on squares of its colour was a pawn, and there are not enough of those.
func (p *Position) bishopImpossible(c Color) bool {
	pawns, rank := p.Pieces(c, Pawn), 7*int(c)
	promoted := p.promoted(c)
	for _, file := range [2]int{2, 5} {
		home := NewSquare(file, rank)
		ahead := kingAttacks[home] & (fileA<<(file-1) | fileA<<(file+1)) &^ backRank(c)
		same := darkSquares
		if !darkSquares.Has(home) {
			same = ^darkSquares
		}
		if pawns&ahead == ahead && p.board[home] != NewPiece(c, Bishop) && p.Pieces(c, Bishop)&same != 0 {
			promoted++
		}
	}
	return promoted+pawns.Len() > 8
}

// frozenImpossible looks at sides that have all men and have moved no pawn: only knights and, between two squares, rooks can have
// moved. If that is so for both, each ply changed the colour of one man's square, so whose turn it is can be counted.
func (p *Position) frozenImpossible() bool {
	frozen, dark := 0, 0
	for c := White; c <= Black; c++ {
		if p.colors[c].Len() != 16 || !p.pawnsHome(c) {
			continue
		}
		frozen++
		rank := 56 * int(c)
		rooks := p.Pieces(c, Rook)
		if p.board[rank+2] != NewPiece(c, Bishop) || p.board[rank+5] != NewPiece(c, Bishop) || p.board[rank+3] != NewPiece(c, Queen) ||
			p.board[rank+4] != NewPiece(c, King) || (rooks&(0x03<<rank)).Len() != 1 || (rooks&(0xc0<<rank)).Len() != 1 {
			return true
		}
		dark += ((rooks | p.Pieces(c, Knight)) & darkSquares).Len()
	}
	return frozen == 2 && dark&1 != int(p.turn)
}
