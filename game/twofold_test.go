package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
)

// Two readings of which one is right more often than a board can show: what is seen counts for it, and where that is not enough,
// nothing is said but a question.
func TestOfTwoReadings(t *testing.T) {
	t.Parallel()
	presenceOnly, pieceOnly := acuities[:1], acuities[2:]
	tests := []struct {
		name, fen, hands string
		log, uci         string
		on               []board.Acuity
	}{
		// The bishop is there for one look of a board that knows its men: no queen stood there.
		{"a promotion taken at once", "8/p3k3/8/8/8/8/P4pK1/8 b - - 0 1", "1000 -f2 100 +f1:p 900 -f1 120 +f1:b 20 -f1 60 -g2 120 +f1:K 400 -e7 300 +d7:k 3000",
			"", "f2f1b g2f1 e7d7", pieceOnly},
		{"a promotion that stood for a moment", "8/p3k3/8/8/8/8/P4pK1/8 b - - 0 1", "1000 -f2 100 +f1:p 900 -f1 120 +f1:n 60 -f1 60 -g2 120 +f1:K 400 -e7 300 +d7:k 3000",
			"", "f2f1n g2f1 e7d7", pieceOnly},
		// Black's queen has long been in the air when White takes up the pawn: that the queen came to g4 was told, and the pawn was
		// taken for one that she had beaten.
		{"a reply where the man in the air could go", "1r2kb1r/n1p1np2/p2p2p1/1p2PQ2/8/2P2q1N/PP1BPPPP/RN2KB1R b Qk - 1 14", "1000 -f3 2400 -g2 480 +g4:P 4000",
			"doubt", "", presenceOnly},
		// A slide with a rest on its way was read as two moves, the second one after the reply.
		{"a slide in haste", "r4rk1/6pp/5p2/3q4/1p6/4B1RP/6P1/5RK1 w - - 0 31",
			"1000 -f1 60 +e1:R 20 -e1 20 +d1:R 120 -d1 20 +c1:R 60 -b4 40 -c1 40 +b3:p 80 +b1:R 160 -d5 80 +d3:q 3000", "", "f1c1 b4b3 c1b1 d5d3", acuities},
		// A man is not askew on two squares that has just been taken up from one of them.
		{"a man that rests on its way", "7r/pp2k2p/4p3/6p1/8/6B1/PPr4P/5R1K w - - 0 32",
			"1000 -g3 40 +f4:B 40 -f4 20 -h8 20 +e5:B 80 +f8:r 40 -e5 60 +d6:B 40 -e7 80 -d6 100 +d6:k 3000", "", "g3e5 h8f8 e5d6 e7d6", pieceOnly},
	}
	for _, tt := range tests {
		for _, a := range tt.on {
			t.Run(tt.name+"/"+a.String(), func(t *testing.T) {
				t.Parallel()
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, tt.fen), Orientation: "white"})
				h.hands(tt.hands)
				if h.uci() != tt.uci || !strings.Contains(h.log(), tt.log) {
					t.Errorf("%q: %s", h.uci(), h.log())
				}
			})
		}
	}
}
