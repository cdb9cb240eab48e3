package rules

const (
	fileA Bitboard = 0x0101010101010101
	fileH Bitboard = fileA << 7
	rank1 Bitboard = 0xff
	rank8 Bitboard = rank1 << 56

	endRanks    = rank1 | rank8
	darkSquares = Bitboard(0xaa55aa55aa55aa55)
)

func rankOf(s Square) Bitboard { return rank1 << (s &^ 7) }

// backRank is the rank on which a side's king and rooks begin, where castling takes place (3.8.2).
func backRank(c Color) Bitboard {
	if c == White {
		return rank1
	}
	return rank8
}

// step is a direction in files and ranks.
type step struct{ file, rank int }

var (
	rookSteps   = [4]step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}}
	bishopSteps = [4]step{{1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
	knightSteps = [8]step{{1, 2}, {2, 1}, {2, -1}, {1, -2}, {-1, -2}, {-2, -1}, {-2, 1}, {-1, 2}}
	kingSteps   = [8]step{{0, 1}, {1, 0}, {0, -1}, {-1, 0}, {1, 1}, {1, -1}, {-1, -1}, {-1, 1}}
)

// from gives the square one step away, NoSquare beyond the edge.
func (d step) from(s Square) Square {
	f, r := s.File()+d.file, s.Rank()+d.rank
	if f < 0 || f > 7 || r < 0 || r > 7 {
		return NoSquare
	}
	return NewSquare(f, r)
}

// walk gives the squares that a sliding man reaches along some directions, the first blocking square included (3.5).
// It is the slow and plain form from which the tables are made.
func walk(s Square, steps [4]step, occupied Bitboard) Bitboard {
	var b Bitboard
	for _, d := range steps {
		for t := d.from(s); t != NoSquare; t = d.from(t) {
			b |= t.Bit()
			if occupied.Has(t) {
				break
			}
		}
	}
	return b
}

// The tables below hold, for each square, what a man on it attacks, and for each pair of squares what lies between them and
// on the whole line through them (both empty when they share no rank, file or diagonal).
var (
	knightAttacks = leaps(knightSteps[:])
	kingAttacks   = leaps(kingSteps[:])
	pawnAttacks   = [2][64]Bitboard{
		leaps([]step{{-1, 1}, {1, 1}}),
		leaps([]step{{-1, -1}, {1, -1}}),
	}
	between, line = lines()
)

func leaps(steps []step) (table [64]Bitboard) {
	for s := range NoSquare {
		for _, d := range steps {
			table[s] |= d.from(s).Bit()
		}
	}
	return table
}

func lines() (between, line [64][64]Bitboard) {
	for s := range NoSquare {
		for _, d := range kingSteps {
			back := step{-d.file, -d.rank}
			whole := s.Bit()
			for t := d.from(s); t != NoSquare; t = d.from(t) {
				whole |= t.Bit()
			}
			for t := back.from(s); t != NoSquare; t = back.from(t) {
				whole |= t.Bit()
			}
			var passed Bitboard
			for t := d.from(s); t != NoSquare; t = d.from(t) {
				between[s][t], line[s][t] = passed, whole
				passed |= t.Bit()
			}
		}
	}
	return between, line
}
