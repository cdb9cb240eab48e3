package rules

import "fmt"

// Color is a side.
type Color uint8

// The two sides.
const (
	White Color = iota
	Black
)

// Other is the opponent.
func (c Color) Other() Color { return c ^ 1 }

// String is "white" or "black".
func (c Color) String() string {
	if c == White {
		return "white"
	}
	return "black"
}

// MarshalText writes "white" or "black".
func (c Color) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (c *Color) UnmarshalText(text []byte) error {
	switch string(text) {
	case "white":
		*c = White
	case "black":
		*c = Black
	default:
		return fmt.Errorf("%.8q is not a colour: white or black", text)
	}
	return nil
}

// Role is what a piece is, without its colour.
type Role uint8

// The six roles; NoRole is also "no promotion".
const (
	NoRole Role = iota
	Pawn
	Knight
	Bishop
	Rook
	Queen
	King
)

var roleNames = [...]string{"", "pawn", "knight", "bishop", "rook", "queen", "king"}

// String is the English name, "" for NoRole.
func (r Role) String() string {
	if int(r) < len(roleNames) {
		return roleNames[r]
	}
	return ""
}

// Letter is the small FEN letter of the role, 0 for NoRole.
func (r Role) Letter() byte {
	if r > King {
		return 0
	}
	return "\x00pnbrqk"[r]
}

// Piece is a role with a colour; the zero value is NoPiece.
type Piece uint8

// NoPiece is an empty square's content.
const NoPiece Piece = 0

// NewPiece puts colour and role together.
func NewPiece(c Color, r Role) Piece { return Piece(c)<<3 | Piece(r) }

// Color is the piece's side; meaningless for NoPiece.
func (p Piece) Color() Color { return Color(p >> 3) }

// Role is what the piece is.
func (p Piece) Role() Role { return Role(p & 7) }

// Letter is the FEN letter, capital for White, '.' for NoPiece.
func (p Piece) Letter() byte {
	if p.Role() == NoRole {
		return '.'
	}
	l := p.Role().Letter()
	if p.Color() == White {
		l -= 'a' - 'A'
	}
	return l
}

// String is the FEN letter, "." for NoPiece.
func (p Piece) String() string { return string(p.Letter()) }

// PieceFromLetter reads a FEN letter; ok is false for anything else.
func PieceFromLetter(l byte) (p Piece, ok bool) {
	c := Black
	if l >= 'A' && l <= 'Z' {
		c, l = White, l+('a'-'A')
	}
	for r := Pawn; r <= King; r++ {
		if r.Letter() == l {
			return NewPiece(c, r), true
		}
	}
	return NoPiece, false
}
