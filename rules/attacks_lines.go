//go:build !bigtables && (arm || smalltables)

package rules

import "math/bits"

// On small 32-bit processors the attacks of sliders are computed line by line, with 2 kB of tables that stay in a first-level
// cache of 16 kB, where those of attacks_magic.go (860 kB) do not. On a line the men before and behind the slider are found
// by subtracting its bit from theirs, the other way round on the bytes reversed; a rank, which lies in one byte, has a table.
var (
	fileLines = slopes(step{0, 1})
	upLines   = slopes(step{1, 1})
	downLines = slopes(step{1, -1})
	rankLines = newRankLines()
)

// slopes is for each square the rest of the line through it in a direction.
func slopes(d step) (table [64]Bitboard) {
	back := step{-d.file, -d.rank}
	for s := range NoSquare {
		for t := d.from(s); t != NoSquare; t = d.from(t) {
			table[s] |= t.Bit()
		}
		for t := back.from(s); t != NoSquare; t = back.from(t) {
			table[s] |= t.Bit()
		}
	}
	return table
}

// newRankLines is what a rook on a file attacks of its rank, by the men on the six inner squares.
func newRankLines() (table [8][64]uint8) {
	for file := range 8 {
		for men := range Bitboard(64) {
			row := walk(Square(file), [4]step{{1, 0}, {-1, 0}, {1, 0}, {-1, 0}}, men<<1)
			table[file][men] = uint8(row)
		}
	}
	return table
}

func along(s Square, line, occupied Bitboard) Bitboard {
	before := uint64(occupied & line)
	behind := bits.ReverseBytes64(before)
	before -= uint64(s.Bit())
	behind -= bits.ReverseBytes64(uint64(s.Bit()))
	return Bitboard(before^bits.ReverseBytes64(behind)) & line
}

func rookAttacks(s Square, occupied Bitboard) Bitboard {
	s &= 63
	rank := s &^ 7
	row := Bitboard(rankLines[s&7][occupied>>(rank+1)&63]) << rank
	return row | along(s, fileLines[s], occupied)
}

func bishopAttacks(s Square, occupied Bitboard) Bitboard {
	s &= 63
	return along(s, upLines[s], occupied) | along(s, downLines[s], occupied)
}
