package rules

import "fmt"

// Square is one of the 64 squares: a1 is 0, b1 is 1, h1 is 7, a8 is 56, h8 is 63.
type Square uint8

// NoSquare stands for "no such square".
const NoSquare Square = 64

// NewSquare gives the square on a file (0 is a, 7 is h) and a rank (0 is 1, 7 is 8).
func NewSquare(file, rank int) Square { return Square(rank<<3 | file) }

// File is 0 for the a-file to 7 for the h-file.
func (s Square) File() int { return int(s & 7) }

// Rank is 0 for the first rank to 7 for the eighth.
func (s Square) Rank() int { return int(s >> 3) }

// Bit is the set that holds only s; it is empty for NoSquare.
func (s Square) Bit() Bitboard { return Bitboard(1) << s }

// Flip turns the board by 180 degrees: a1 becomes h8.
func (s Square) Flip() Square { return 63 - s }

// String is the square's name, "e4", or "-" for NoSquare.
func (s Square) String() string {
	if s >= NoSquare {
		return "-"
	}
	return string([]byte{'a' + byte(s&7), '1' + byte(s>>3)})
}

// MarshalText writes the square's name.
func (s Square) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads what MarshalText writes.
func (s *Square) UnmarshalText(text []byte) error {
	if *s = NoSquare; string(text) == "-" {
		return nil
	}
	var ok bool
	if *s, ok = ParseSquare(string(text)); !ok {
		return fmt.Errorf("%.8q is not a square", text)
	}
	return nil
}

// ParseSquare reads a name such as "e4"; ok is false for anything else.
func ParseSquare(name string) (s Square, ok bool) {
	if len(name) != 2 || name[0] < 'a' || name[0] > 'h' || name[1] < '1' || name[1] > '8' {
		return NoSquare, false
	}
	return NewSquare(int(name[0]-'a'), int(name[1]-'1')), true
}
