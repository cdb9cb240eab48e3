package rules

// Move is one ply: where from, where to, what a pawn becomes. Castling is kept as the king taking its own rook
// (Guidelines II.3), whatever the variant; UCI and SAN are made by Position.UCI and Position.SAN. The zero value is NoMove.
type Move uint16

// NoMove is the absence of a move.
const NoMove Move = 0

const (
	kindQuiet     = 0 // also captures and promotions
	kindEnPassant = 1
	kindCastling  = 2
)

func newMove(from, to Square, promotion Role, kind int) Move {
	p := 0
	if promotion != NoRole {
		kind, p = 3, int(promotion-Knight)
	}
	return Move(int(from) | int(to)<<6 | p<<12 | kind<<14)
}

// From is the square the man leaves (the king's, when castling).
func (m Move) From() Square { return Square(m & 63) }

// To is the square the man reaches; when castling, the square of the castling rook.
func (m Move) To() Square { return Square(m >> 6 & 63) }

// Promotion is what the pawn becomes, NoRole for any other move.
func (m Move) Promotion() Role {
	if m>>14 == 3 {
		return Knight + Role(m>>12&3)
	}
	return NoRole
}

// IsCastling reports castling.
func (m Move) IsCastling() bool { return m>>14 == kindCastling }

// IsEnPassant reports an en-passant capture.
func (m Move) IsEnPassant() bool { return m>>14 == kindEnPassant }

// Castling gives where king and rook stand after castling (3.8.2): the g- and f-file, or the c- and d-file, of their rank.
// Only for moves with IsCastling.
func (m Move) Castling() (king, rook Square) {
	rank := m.From().Rank()
	if m.To() > m.From() {
		return NewSquare(6, rank), NewSquare(5, rank)
	}
	return NewSquare(2, rank), NewSquare(3, rank)
}

// Target is the square on which the moved man stands afterwards: To, or the king's square when castling.
func (m Move) Target() Square {
	if m.IsCastling() {
		k, _ := m.Castling()
		return k
	}
	return m.To()
}

// Victim is the square of the man that a capture takes off, in a position where m is legal: To, or the pawn passed en passant.
// Whether anything stands there is the position's to say.
func (m Move) Victim() Square {
	if m.IsEnPassant() {
		return NewSquare(m.To().File(), m.From().Rank())
	}
	return m.To()
}
