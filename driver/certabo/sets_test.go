package certabo_test

import (
	"fmt"
	"maps"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/rules"
)

// setA is a real set of men with chips that are read badly, in the start position (protocols/certabo.md section 3).
var setA = map[string]string{
	"a8": "48 0 248 71 99", "b8": "48 0 248 85 159",
	"c8": "48 0 177 203 192", "d8": "48 0 177 215 17",
	"e8": "48 0 177 117 59", "f8": "48 0 177 43 7",
	"g8": "48 0 248 222 81", "h8": "48 0 247 200 86",
	"a7": "48 0 248 114 180", "b7": "48 0 248 155 251",
	"c7": "48 0 248 48 74", "d7": "48 0 177 236 131",
	"e7": "48 0 177 230 12", "f7": "48 0 177 187 36",
	"g7": "48 0 248 146 97", "h7": "48 0 248 89 231",
	"a2": "48 0 248 85 122", "b2": "48 0 248 68 117",
	"c2": "48 0 248 201 109", "d2": "48 0 248 144 65",
	"e2": "48 0 177 231 217", "f2": "48 0 248 76 179",
	"g2": "48 0 248 161 89", "h2": "48 0 94 124 14",
	"a1": "48 0 248 98 180", "b1": "48 0 248 233 43",
	"c1": "48 0 248 86 247", "d1": "48 0 248 145 6",
	"e1": "48 0 248 104 144", "f1": "48 0 248 79 194",
	"g1": "48 0 248 134 85", "h1": "48 0 177 81 73",
}

// setB is another real set.
var setB = map[string]string{
	"a8": "3 0 84 252 153", "b8": "3 0 85 0 104",
	"c8": "3 0 84 2 3", "d8": "3 0 83 177 224",
	"e8": "3 0 84 107 52", "f8": "3 0 84 240 106",
	"g8": "3 0 85 0 107", "h8": "3 0 84 255 174",
	"a7": "3 0 84 44 81", "b7": "3 0 84 121 210",
	"c7": "3 0 84 242 13", "d7": "3 0 84 107 56",
	"e7": "3 0 84 78 193", "f7": "3 0 84 240 84",
	"g7": "3 0 84 240 65", "h7": "3 0 84 68 134",
	"a2": "3 0 84 44 165", "b2": "3 0 84 68 112",
	"c2": "3 0 84 237 98", "d2": "3 0 84 252 170",
	"e2": "3 0 85 1 184", "f2": "3 0 84 78 209",
	"g2": "3 0 84 242 11", "h2": "3 0 84 78 216",
	"a1": "3 0 85 0 16", "b1": "3 0 83 229 13",
	"c1": "3 0 85 0 67", "d1": "3 0 84 121 142",
	"e1": "3 0 84 105 128", "f1": "3 0 84 106 231",
	"g1": "3 0 84 247 87", "h1": "3 0 84 252 15",
}

// noise is what a real board read on empty squares in one line.
var noise = map[string]string{
	"a6": "118 144 181 62 197", "f6": "217 253 175 8 35",
	"e5": "114 85 242 66 216", "g5": "83 11 112 12 24",
	"h5": "186 1 169 12 164", "a4": "250 132 247 7 20",
	"f4": "217 253 174 18 155", "h4": "121 34 76 2 42",
	"b3": "218 65 165 5 112", "d3": "170 11 16 170 222",
	"e3": "170 47 132 30 7", "g3": "14 90 80 27 133",
}

// errorsA are real misreadings of setA.
var errorsA = map[string]string{
	"d8": "48 0 177 23 19", "f8": "48 0 177 43 6", "h8": "48 0 239 200 86", "b2": "48 0 248 73 250", "h2": "48 0 30 124 13",
}

const start = "rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR"

func picture(t testing.TB, text string) board.Picture {
	t.Helper()
	p, err := board.ParsePicture(text, board.PieceAcuity)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// tableOf is the table of sets that stand in the start position.
func tableOf(t testing.TB, sets ...map[string]string) certabo.Table {
	t.Helper()
	table := certabo.Table{}
	for _, set := range sets {
		for s, sym := range picture(t, start) {
			if p, ok := rules.PieceFromLetter(byte(sym)); ok {
				c, err := certabo.ParseChip(set[rules.Square(s).String()])
				if err != nil {
					t.Fatal(err)
				}
				table[c] = p
			}
		}
	}
	return table
}

// text is a line with these chips, the later ones over the earlier, and "" for none; end is what ends it.
func text(end string, chips ...map[string]string) string {
	all := map[string]string{}
	for _, c := range chips {
		maps.Copy(all, c)
	}
	var words []string
	for i := range 64 {
		chip := all[fmt.Sprintf("%c%c", 'a'+i%8, '8'-i/8)]
		if chip == "" {
			chip = "0 0 0 0 0"
		}
		words = append(words, chip)
	}
	return ":" + strings.Join(words, " ") + end
}
