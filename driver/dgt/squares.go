package dgt

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// SquareOf gives the square of a field number as wired: with the connector on White's left, field 0 is a8, 7 is h8 and
// 63 is h1 (protocols/dgt.md section 5). Fields above 63 give NoSquare. A board that lies the other way round is the
// core's to turn.
func SquareOf(field byte) rules.Square {
	if field > 63 {
		return rules.NoSquare
	}
	return rules.NewSquare(int(field&7), 7-int(field>>3))
}

// FieldOf is the field number of a square, the inverse of SquareOf.
func FieldOf(s rules.Square) byte { return byte(7-s.Rank())<<3 | byte(s.File()) }

// codes are the symbols of the piece codes. The last three are the special pieces that players put down to say a
// result; they are no chessmen, so the position shows their squares empty.
const codes = ".PRNBKQprnbkq..."

// firstSpecial is the code of the special piece for a draw; White wins and Black wins follow.
const firstSpecial = 0x0D

// SymbolOf is the symbol of a piece code; special says that it is one of the pieces that claim a result, shown as
// Empty. Codes above 0F do not exist: ok is false.
func SymbolOf(code byte) (s board.Symbol, special, ok bool) {
	if int(code) >= len(codes) {
		return board.Unknown, false, false
	}
	return board.Symbol(codes[code]), code >= firstSpecial, true
}

// specialNames say what the special pieces claim.
var specialNames = [...]string{"draw", "White wins", "Black wins"}

// pictureOf reads the 64 codes of a dump; ok is false if one does not exist.
func pictureOf(codes []byte) (pic board.Picture, ok bool) {
	for field, code := range codes {
		s, _, ok := SymbolOf(code)
		if !ok {
			return pic, false
		}
		pic[SquareOf(byte(field))] = s
	}
	return pic, true
}
