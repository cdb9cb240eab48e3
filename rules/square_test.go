package rules

import (
	"strings"
	"testing"
)

// square reads a name that must be good.
func square(t testing.TB, name string) Square {
	t.Helper()
	s, ok := ParseSquare(name)
	if !ok {
		t.Fatalf("%q is no square", name)
	}
	return s
}

// set reads names of squares with blanks between.
func set(t testing.TB, names string) (b Bitboard) {
	t.Helper()
	for _, n := range strings.Fields(names) {
		b |= square(t, n).Bit()
	}
	return b
}

func TestSquares(t *testing.T) {
	t.Parallel()
	for s := range NoSquare {
		got, ok := ParseSquare(s.String())
		if !ok || got != s || NewSquare(s.File(), s.Rank()) != s || s.Flip().Flip() != s {
			t.Errorf("%v is read as %v", s, got)
		}
	}
	for _, bad := range []string{"", "-", "e", "e9", "i1", "E4", "e44", "4e", "é4"} {
		if s, ok := ParseSquare(bad); ok {
			t.Errorf("%q is read as %v", bad, s)
		}
	}
	if a1, e4 := square(t, "a1"), square(t, "e4"); a1 != 0 || e4 != 28 || e4.Flip().String() != "d5" || NoSquare.String() != "-" {
		t.Errorf("a1 is %d, e4 is %d", a1, e4)
	}
	if b := set(t, "a1 h8 e4"); b.Len() != 3 || !b.Has(28) || b.Pop() != 0 || b.Len() != 2 {
		t.Errorf("a set of three squares is %#x", b)
	}
}

func TestPieces(t *testing.T) {
	t.Parallel()
	for _, l := range []byte("PNBRQKpnbrqk") {
		p, ok := PieceFromLetter(l)
		if !ok || p.Letter() != l || NewPiece(p.Color(), p.Role()) != p {
			t.Errorf("%c is read as %v", l, p)
		}
	}
	for _, bad := range []byte(".xX?Aa1 \x00\xff") {
		if p, ok := PieceFromLetter(bad); ok {
			t.Errorf("%q is read as %v", bad, p)
		}
	}
}

func TestMoves(t *testing.T) {
	t.Parallel()
	e1, h1, a1 := square(t, "e1"), square(t, "h1"), square(t, "a1")
	short, long := newMove(e1, h1, NoRole, kindCastling), newMove(e1, a1, NoRole, kindCastling)
	if k, r := short.Castling(); k.String() != "g1" || r.String() != "f1" || short.Target() != k {
		t.Errorf("short castling leads to %v, %v", k, r)
	}
	if k, r := long.Castling(); k.String() != "c1" || r.String() != "d1" {
		t.Errorf("long castling leads to %v, %v", k, r)
	}
	for r := Knight; r <= Queen; r++ {
		m := newMove(square(t, "a7"), square(t, "b8"), r, kindQuiet)
		if m.Promotion() != r || m.IsCastling() || m.IsEnPassant() || m.From().String() != "a7" || m.To().String() != "b8" {
			t.Errorf("promotion to %v is %v", r, m.Promotion())
		}
	}
	ep := newMove(square(t, "e5"), square(t, "d6"), NoRole, kindEnPassant)
	if !ep.IsEnPassant() || ep.Victim().String() != "d5" || ep.Promotion() != NoRole {
		t.Errorf("en passant takes on %v", ep.Victim())
	}
}

func TestWordsOfSquaresAndColours(t *testing.T) {
	t.Parallel()
	for s := range NoSquare + 1 {
		text, _ := s.MarshalText()
		var back Square
		if err := back.UnmarshalText(text); err != nil || back != s {
			t.Errorf("%s was read as %s: %v", text, back, err)
		}
	}
	for _, c := range []Color{White, Black} {
		text, _ := c.MarshalText()
		var back Color
		if err := back.UnmarshalText(text); err != nil || back != c {
			t.Errorf("%s was read as %s: %v", text, back, err)
		}
	}
	var s Square
	var c Color
	for _, text := range []string{"", "e9", "i1", "e", "white "} {
		if s.UnmarshalText([]byte(text)) == nil || c.UnmarshalText([]byte(text)) == nil {
			t.Errorf("%q was read", text)
		}
	}
}
