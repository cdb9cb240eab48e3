package centaur

import "github.com/boardd/boardd/rules"

// Marks of changes.
const (
	lifted = 0x40
	placed = 0x41
)

// mostPairs is how many bytes that may be a change are tried in every combination; more than a hand makes between two questions.
const mostPairs = 14

// change is one lift or place.
type change struct {
	square rules.Square
	full   bool
}

// explain finds the changes in the data of a reply. Bytes of time stand between them that may look like changes
// (protocols/others.md section 1), so that only the board before and after can tell which are which: it takes the reading that
// leads from one to the other and leaves the fewest bytes over. after may be nil, when nobody has asked; then a man must only
// have stood where one is lifted. ok is false when no reading leads there.
func explain(before rules.Bitboard, data []byte, after *rules.Bitboard) (changes []change, ok bool) {
	pairs := 0
	for i := 0; i+1 < len(data); i++ {
		if isChange(data[i:]) {
			pairs++
		}
	}
	if pairs > mostPairs {
		return nil, false
	}
	var best []change
	fewest := len(data) + 1
	var read func(now rules.Bitboard, i, over int, so []change)
	read = func(now rules.Bitboard, i, over int, so []change) {
		if over >= fewest {
			return
		}
		if i == len(data) {
			if after == nil || now == *after {
				best, fewest = append([]change{}, so...), over
			}
			return
		}
		if isChange(data[i:]) {
			s, full := squareOf(data[i+1]), data[i] == placed
			if now.Has(s) != full {
				read(now^s.Bit(), i+2, over, append(so, change{s, full}))
			}
		}
		read(now, i+1, over+1, so)
	}
	read(before, 0, 0, nil)
	return best, fewest <= len(data)
}

func isChange(data []byte) bool {
	return len(data) > 1 && (data[0] == lifted || data[0] == placed) && data[1] < 64
}
