package rules

import "fmt"

// MoveError says why a text is not a legal move of a position.
type MoveError struct {
	Text string
	Code string // syntax, illegal, ambiguous, promotion (it is not said what the pawn becomes)
	Why  string
}

// Error is one line.
func (e *MoveError) Error() string { return fmt.Sprintf("move %.40q: %s", e.Text, e.Why) }

// UCI writes a move that is legal in p: e2e4, e7e8q; castling as the king's move e1g1 in standard chess and as the king taking
// its rook in Chess960.
func (p *Position) UCI(m Move) string {
	to := m.To()
	if p.variant == Standard {
		to = m.Target()
	}
	b := make([]byte, 0, 5)
	b = append(append(b, m.From().String()...), to.String()...)
	if r := m.Promotion(); r != NoRole {
		b = append(b, r.Letter())
	}
	return string(b)
}

// SplitUCI reads the squares and the promotion of a UCI text, whether or not it is a move of any position; the promotion may be
// any piece's small letter. The error is a *MoveError.
func SplitUCI(text string) (from, to Square, promotion Role, err error) {
	bad := &MoveError{text, "syntax", "two squares such as e2e4, and q, r, b or n for a promotion, are needed"}
	if len(text) != 4 && len(text) != 5 {
		return NoSquare, NoSquare, NoRole, bad
	}
	from, ok := ParseSquare(text[:2])
	to, ok2 := ParseSquare(text[2:4])
	if !ok || !ok2 {
		return NoSquare, NoSquare, NoRole, bad
	}
	if len(text) == 5 {
		piece, ok := PieceFromLetter(text[4])
		if !ok || piece.Color() != Black {
			return NoSquare, NoSquare, NoRole, bad
		}
		promotion = piece.Role()
	}
	return from, to, promotion, nil
}

// ParseUCI reads a move that is legal in p. In standard chess castling may also be written as the king taking its rook, in
// Chess960 it must be. The error is a *MoveError.
func (p *Position) ParseUCI(text string) (Move, error) {
	from, to, promotion, err := SplitUCI(text)
	if err != nil {
		return NoMove, err
	}
	var buf [256]Move
	needsPromotion := false
	for _, m := range p.LegalMoves(buf[:0]) {
		if m.From() != from || m.To() != to && (p.variant != Standard || m.Target() != to) {
			continue
		}
		if m.Promotion() == promotion {
			return m, nil
		}
		needsPromotion = needsPromotion || m.Promotion() != NoRole
	}
	if needsPromotion {
		return NoMove, &MoveError{text, "promotion", "the pawn becomes q, r, b or n: add the letter"}
	}
	return NoMove, &MoveError{text, "illegal", "not legal in this position"}
}
