package rules

// pattern is a mate by a knight or bishop: a king in the corner h1, and a second man that takes a square from it, of its own or
// of the side that mates. The other corners and the mirror images follow from it.
type pattern struct {
	minor    Role
	at, king Square // of the side that mates
	second   Square // the other man
	roles    []Role // what it may be
	ours     bool   // it belongs to the side that mates
}

var patterns = []pattern{
	{Knight, f2, g3, g1, []Role{Knight}, false},
	{Knight, f2, h3, g1, []Role{Rook}, false},
	{Knight, f2, f1, h2, []Role{Bishop, Pawn}, false},
	{Knight, g3, f2, h2, []Role{Knight, Pawn}, false},
	{Bishop, g2, f2, h2, []Role{Knight, Bishop, Pawn}, false},
	{Bishop, g2, g3, g1, []Role{Knight, Bishop}, false},
	{Knight, f2, g3, h2, []Role{Bishop}, true},
	{Bishop, g2, f2, f3, []Role{Knight}, true},
}

// The squares of the patterns.
const (
	f1, g1, h1 Square = 5, 6, 7
	f2, g2, h2 Square = 13, 14, 15
	f3, g3, h3 Square = 21, 22, 23
)

const never = 200

// mirrored is one of the eight images of a square.
func mirrored(s Square, image int) Square {
	f, r := s.File(), s.Rank()
	if image&1 != 0 {
		f, r = 7-r, 7-f // along the diagonal through h1
	}
	if image&2 != 0 {
		f = 7 - f
	}
	if image&4 != 0 {
		r = 7 - r
	}
	return NewSquare(f, r)
}

// patternDistance is how many moves the men need to stand as in the nearest pattern, three for each, for a side that has only
// knights and bishops to mate with. Whether pawns as they are may be the second man is for the caller to say: such a pattern is
// near, but often nobody can lose the move that it takes.
func (p *Position) patternDistance(us Color, pawns bool) int {
	best := never
	them := us.Other()
	king, own := p.King(them), p.King(us)
	for _, pat := range patterns {
		minor := p.Pieces(us, pat.minor).First()
		if minor == NoSquare {
			continue
		}
		for image := range 8 {
			n := kingDistance(king, mirrored(h1, image)) + kingDistance(own, mirrored(pat.king, image)) +
				moves(pat.minor, minor, mirrored(pat.at, image))
			if n < best {
				best = min(best, n+p.secondDistance(us, &pat, mirrored(pat.second, image), pawns))
			}
		}
	}
	return min(3*best, never) + p.colors[them].Len()
}

// secondDistance is how many moves some man that may be the second of a pattern needs to get there; a pawn may be promoted first.
func (p *Position) secondDistance(c Color, pat *pattern, to Square, pawns bool) int {
	if !pat.ours {
		c = c.Other()
	}
	best := never
	for _, role := range pat.roles {
		if role == Pawn && !pawns {
			continue
		}
		for men := p.Pieces(c, role); men != 0; {
			from := men.Pop()
			if role != Pawn {
				best = min(best, moves(role, from, to))
			} else if ahead := (to.Rank() - from.Rank()) * (1 - 2*int(c)); from.File() == to.File() && ahead >= 0 {
				best = min(best, ahead)
			}
		}
		for men := p.Pieces(c, Pawn); men != 0 && role != Pawn; {
			s := men.Pop()
			end := NewSquare(s.File(), 7-7*int(c))
			if n := moves(role, end, to); n < never {
				best = min(best, n+kingDistance(s, end))
			}
		}
	}
	return best
}

// moves is the number of moves that a piece alone on the board needs, never if it cannot come there.
func moves(role Role, from, to Square) int {
	switch {
	case from == to:
		return 0
	case role == Knight:
		return int(knightMoves[from][to])
	case role == Bishop && from.Bit()&darkSquares != 0 != (to.Bit()&darkSquares != 0):
		return never
	case role == Bishop && bishopAttacks(from, 0).Has(to), role == Rook && rookAttacks(from, 0).Has(to):
		return 1
	}
	return 2
}

var knightMoves = func() (table [64][64]uint8) {
	for s := range NoSquare {
		reached, front := s.Bit(), s.Bit()
		for n := uint8(1); front != 0; n++ {
			var next Bitboard
			for front != 0 {
				next |= knightAttacks[front.Pop()&63]
			}
			front = next &^ reached
			reached |= front
			for b := front; b != 0; {
				table[s][b.Pop()] = n
			}
		}
	}
	return table
}()
