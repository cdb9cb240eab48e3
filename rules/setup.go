package rules

import "fmt"

// Setup is anything that can stand on a board, with what a FEN says besides. It need not be a position: Setup.Position makes
// one of it if it can.
type Setup struct {
	Board     [64]Piece
	Turn      Color
	Castling  Bitboard // squares of the rooks that still have the right to castle
	EnPassant Square   // as the FEN names it, whether or not a capture is possible; NoSquare for none
	Halfmove  int      // plies since the last capture or pawn move, 0 or more
	Fullmove  int      // number of the move, 1 or more
}

// KingsError says that a set-up cannot be a position because it does not have exactly one king a side (fault "kings").
type KingsError struct{ White, Black int }

// Error says what is needed, in one line.
func (e *KingsError) Error() string {
	return fmt.Sprintf("a position needs exactly one king a side: it has %d white and %d black", e.White, e.Black)
}

// Fault is the error as a fault of the position.
func (e *KingsError) Fault() Fault { return Fault{Code: FaultKings, Article: "3.10.3"} }

// Position makes a position. The minimum is one king a side, else the error is a *KingsError; an out-of-range field of a
// Setup made by hand is an error as well. Everything else that may be wrong is left to Position.Faults: castling rights that
// cannot be and an en-passant square without a legal capture are not played by.
func (s Setup) Position(v Variant) (Position, error) {
	p := Position{turn: s.Turn, variant: v, ep: NoSquare, named: s.EnPassant}
	if s.Turn > Black || s.EnPassant > NoSquare || s.Halfmove < 0 || s.Halfmove > maxHalfmove ||
		s.Fullmove < 1 || s.Fullmove > maxFullmove {
		return Position{}, fmt.Errorf("a set-up needs a side to move, a square or none, and counters from 0 and 1 up: it has %d, %d, %d, %d",
			s.Turn, s.EnPassant, s.Halfmove, s.Fullmove)
	}
	p.halfmove, p.fullmove = uint32(s.Halfmove), uint32(s.Fullmove)
	var kings [2]int
	for sq := range NoSquare {
		piece := s.Board[sq]
		if piece == NoPiece {
			continue
		}
		if piece.Role() == NoRole || piece.Role() > King || piece.Color() > Black {
			return Position{}, fmt.Errorf("a set-up has something on %v that is no piece (%d)", sq, uint8(piece))
		}
		if piece.Role() == King {
			kings[piece.Color()]++
		}
		p.put(sq, piece)
	}
	if kings != [2]int{1, 1} {
		return Position{}, &KingsError{kings[White], kings[Black]}
	}
	p.castling = p.possibleRights(s.Castling)
	p.badRights = p.castling != s.Castling
	if p.couldHaveCrossed(s.EnPassant) {
		p.setEnPassant(s.EnPassant)
	}
	return p, nil
}

// possibleRights keeps of some castling rights those that can be: the king stands on its back rank with that rook, no more
// than one rook on each side of it; in standard chess the king on the e-file, the rooks on the a- and h-file (3.8.2).
func (p *Position) possibleRights(named Bitboard) (rights Bitboard) {
	for c := White; c <= Black; c++ {
		king := p.King(c)
		rank := backRank(c)
		if !rank.Has(king) || p.variant == Standard && king.File() != 4 {
			continue
		}
		rooks := named & rank & p.Pieces(c, Rook)
		if p.variant == Standard {
			rooks &= fileA | fileH
		}
		right := rooks &^ (king.Bit() - 1)
		for _, side := range [2]Bitboard{right, rooks &^ right} {
			if side.Len() == 1 {
				rights |= side
			}
		}
	}
	return rights
}

// couldHaveCrossed reports whether the opponent's last move can have been a pawn's double step over a square: the pawn stands
// behind it, the square and the one the pawn came from are empty.
func (p *Position) couldHaveCrossed(s Square) bool {
	rank, forward := 2, 8
	if p.turn == White {
		rank, forward = 5, -8
	}
	if s >= NoSquare || s.Rank() != rank {
		return false
	}
	pawn, origin := Square(int(s)+forward), Square(int(s)-forward)
	return p.board[pawn] == NewPiece(p.turn.Other(), Pawn) && p.board[s] == NoPiece && p.board[origin] == NoPiece
}

// Setup is the position as something that can be set up or written; it names only rights and squares that count.
func (p *Position) Setup() Setup {
	return Setup{Board: p.board, Turn: p.turn, Castling: p.castling, EnPassant: p.ep, Halfmove: int(p.halfmove), Fullmove: int(p.fullmove)}
}
