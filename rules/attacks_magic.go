//go:build bigtables || (!arm && !smalltables)

package rules

// slider finds the attacks of a rook or bishop on one square: the men that can block it, multiplied by a magic number,
// leave in the top bits an index that is its own for each set of attacks.
type slider struct {
	mask    Bitboard // squares where a blocker makes a difference
	magic   uint64
	shift   uint8
	attacks []Bitboard
}

func (m *slider) on(occupied Bitboard) Bitboard {
	return m.attacks[uint64(occupied&m.mask)*m.magic>>(m.shift&63)]
}

var (
	rookSliders   = sliders(rookSteps, &rookMagics)
	bishopSliders = sliders(bishopSteps, &bishopMagics)
)

func rookAttacks(s Square, occupied Bitboard) Bitboard   { return rookSliders[s&63].on(occupied) }
func bishopAttacks(s Square, occupied Bitboard) Bitboard { return bishopSliders[s&63].on(occupied) }

// sliderMask is the set of squares whose occupation changes what a slider on s attacks: its lines without their last squares.
func sliderMask(s Square, steps [4]step) Bitboard {
	edge := (rank1|rank8)&^rankOf(s) | (fileA|fileH)&^(fileA<<s.File())
	return walk(s, steps, 0) &^ edge
}

func sliders(steps [4]step, magics *[64]uint64) (table [64]slider) {
	size := 0
	for s := range NoSquare {
		size += 1 << sliderMask(s, steps).Len()
	}
	all := make([]Bitboard, size)
	for s := range NoSquare {
		mask := sliderMask(s, steps)
		n := 1 << mask.Len()
		m := slider{mask: mask, magic: magics[s], shift: uint8(64 - mask.Len()), attacks: all[:n:n]}
		all = all[n:]
		for sub := Bitboard(0); ; {
			m.attacks[uint64(sub)*m.magic>>m.shift] = walk(s, steps, sub)
			if sub = (sub - mask) & mask; sub == 0 {
				break
			}
		}
		table[s] = m
	}
	return table
}
