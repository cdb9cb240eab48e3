package scan

import "math/bits"

// Of a matrix, wire = row*8 + column. A closed contact joins its row and its column. With a diode at each contact current flows
// only from the column to the row that is driven. Without diodes it also flows backwards, from a column through a closed contact
// into a row that is not driven, and from there to a third one: three closed corners of a rectangle show the fourth as closed.
// So rows that have a closed column in common read alike, and a new contact shows at once together with its ghosts.

// ghosts are the contacts that are closed in on and were not in old, if there are several, and each could be a ghost of the others:
// it is the fourth corner of a rectangle.
func ghosts(old, on uint64) (held uint64) {
	fresh := on &^ old
	if fresh&(fresh-1) == 0 {
		return 0 // a single contact is real: what it feigned would have closed with it
	}
	for f := fresh; f != 0; f &= f - 1 {
		wire := bits.TrailingZeros64(f)
		row, col := wire/8, wire%8
		mine := rowOf(on, row) &^ (1 << col)
		for r := range 8 {
			if r != row && rowOf(on, r)>>col&1 != 0 && mine&rowOf(on, r) != 0 {
				held |= 1 << wire
				break
			}
		}
	}
	return held
}

// proven reports whether a matrix without diodes cannot read so: two rows have a closed column in common, and another is closed in
// only one of them. Who has soldered one diode has soldered them all; a single one that is missing is for calibration to find.
func proven(on uint64) bool {
	for a := range 8 {
		for b := range a {
			if rowOf(on, a)&rowOf(on, b) != 0 && rowOf(on, a) != rowOf(on, b) {
				return true
			}
		}
	}
	return false
}

func rowOf(on uint64, row int) uint8 { return uint8(on >> (8 * row)) }
