// Package board is what sensors, lights and the game share: symbols and pictures of the squares, the inputs a board
// can give, frames of light, and the interfaces of drivers and displays.
package board

import (
	"errors"
	"fmt"

	"github.com/boardd/boardd/rules"
)

// Symbol is what a sensor says of one square: Empty, Something, LightMan, DarkMan, a FEN letter, or Unknown.
type Symbol byte

// The symbols that are not FEN letters.
const (
	Empty     Symbol = '.'
	Something Symbol = 'x' // presence boards
	LightMan  Symbol = 'w' // color boards
	DarkMan   Symbol = 'b' // color boards
	Unknown   Symbol = '?' // piece boards: a man whose identity is not known
)

// Acuity is how much a board sees of a man.
type Acuity uint8

// Presence: something or nothing. ColorAcuity: the man's colour. PieceAcuity: the very piece.
const (
	Presence Acuity = iota
	ColorAcuity
	PieceAcuity
)

var acuityNames = [...]string{"presence", "color", "piece"}

// String is the word used in recordings and configuration.
func (a Acuity) String() string { return acuityNames[a] }

// ParseAcuity reads presence, color or piece.
func ParseAcuity(word string) (Acuity, bool) {
	for i, n := range acuityNames {
		if n == word {
			return Acuity(i), true
		}
	}
	return 0, false
}

// Valid reports whether a board of this acuity may say s. The symbol 'b' is a dark man on color boards and a
// black bishop on piece boards.
func (a Acuity) Valid(s Symbol) bool {
	switch a {
	case Presence:
		return s == Empty || s == Something
	case ColorAcuity:
		return s == Empty || s == LightMan || s == DarkMan
	default:
		_, piece := rules.PieceFromLetter(byte(s))
		return s == Empty || s == Unknown || piece
	}
}

// See is the symbol under which a board of this acuity shows a piece; Empty for NoPiece.
func (a Acuity) See(p rules.Piece) Symbol {
	switch {
	case p == rules.NoPiece:
		return Empty
	case a == Presence:
		return Something
	case a == PieceAcuity:
		return Symbol(p.Letter())
	case p.Color() == rules.White:
		return LightMan
	}
	return DarkMan
}

// Picture is what all 64 squares say, indexed by rules.Square.
type Picture [64]Symbol

// EmptyPicture is a board without men.
func EmptyPicture() (p Picture) {
	for i := range p {
		p[i] = Empty
	}
	return p
}

// String is the picture as recordings write it: ranks 8 to 1, files a to h, with slashes between.
func (p Picture) String() string {
	out := make([]byte, 0, 71)
	for rank := 7; rank >= 0; rank-- {
		for file := range 8 {
			out = append(out, byte(p[rules.NewSquare(file, rank)]))
		}
		if rank > 0 {
			out = append(out, '/')
		}
	}
	return string(out)
}

var errPicture = errors.New("a board line has 8 ranks of 8 symbols with / between")

// ParsePicture reads what Picture.String writes; every symbol must be one that a can say.
func ParsePicture(text string, a Acuity) (p Picture, err error) {
	if len(text) != 71 {
		return p, errPicture
	}
	for i := range text {
		rank, file := 7-i/9, i%9
		if file == 8 {
			if text[i] != '/' {
				return p, errPicture
			}
			continue
		}
		s := Symbol(text[i])
		if !a.Valid(s) {
			return p, fmt.Errorf("%q is not a symbol of a %s board", text[i], a)
		}
		p[rules.NewSquare(file, rank)] = s
	}
	return p, nil
}

// Turned is the picture of the same board turned by 180 degrees.
func (p Picture) Turned() (t Picture) {
	for s := range p {
		t[63-s] = p[s]
	}
	return t
}
