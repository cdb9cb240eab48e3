package rules

import "fmt"

// Variant is the kind of chess: it decides which castling rights can be, and how castling is written in UCI and FEN.
type Variant uint8

// The variants: standard chess, and Chess960 (Guidelines II) with its 960 starting positions.
const (
	Standard Variant = iota
	Chess960
)

// String is "standard" or "chess960".
func (v Variant) String() string {
	if v == Chess960 {
		return "chess960"
	}
	return "standard"
}

// ParseVariant reads "standard" or "chess960".
func ParseVariant(name string) (Variant, error) {
	switch name {
	case "standard":
		return Standard, nil
	case "chess960":
		return Chess960, nil
	}
	return Standard, fmt.Errorf("variant %q is not known: use standard or chess960", name)
}
