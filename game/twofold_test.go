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
		// A queen came down where no man that was in the air might go yet, and was nobody: White had begun before his turn.
		{"a promotion before its turn", "8/p2P4/1pR5/4p1p1/PP6/4K3/6k1/8 b - - 0 1",
			"1000 -g5 40 -d7 60 +d8:Q +g4:p 20 -g4 140 +g3:p 40 -c6 60 +d6:R 60 -d6 40 +e6:R 100 -e6 30 +f6:R 120 -f6 20 +g6:R 280 -g2 100 +f1:k 3000",
			"", "g5g4 d7d8q g4g3 c6g6 g2f1", pieceOnly},
		// A king in check: the queen may not stop on the squares over which she slides to the rook that gives it.
		{"a slide out of check", "4k3/1p2p2r/p5R1/P2Q4/2p5/2P5/2P2p2/5K2 b - - 0 1",
			"1000 -h7 +h6:r 120 -h6 20 +h5:r 60 -h5 20 +h4:r 40 -h4 20 +h3:r 40 -h3 +h2:r 60 -h2 60 +h1:r 160 -h1 80 -d5 20 +e4:Q 40 -e4 20 +f3:Q 20 -f3 20 +g2:Q 40 -g2 20 +h1:Q 260 -e8 140 +d7:k 3000",
			"", "h7h1 d5h1 e8d7", pieceOnly},
		// For one look White's rook was there between the two black ones.
		{"taken twice in a moment", "4r1k1/p7/2r1P1pp/2R1Rp2/8/2P4P/1P4P1/7K b - - 0 1",
			"1000 -c6 220 -e6 60 +e6:r 20 -e5 140 -e6 20 +e6:R 20 -e6 100 -e8 180 +e6:r 140 -c5 120 +c8:R 3000", "", "c6e6 e5e6 e8e6 c5c8", pieceOnly},
		// What a pawn promoted to that was taken on arrival is known when it was there for two looks.
		{"a promotion taken while the next move is made", "2Q5/2p1k3/3p4/1Pq4p/8/8/5pK1/8 b - - 0 1",
			"1000 -f2 100 +f1:b 40 -f1 140 -g2 40 -c5 60 -b5 20 +b5:q +f1:K 200 -b5 -f1 120 +e1:K 20 +e5:q 3000", "", "f2f1b g2f1 c5b5 f1e1 b5e5", pieceOnly},
		// A ply that stood for 400 ms cannot have come after two others.
		{"a reply while the man is still in the air", "3R4/8/6k1/4Bpp1/2q2P1p/2P4P/6PK/8 w - - 0 1",
			"1000 -d8 60 +d7:R 100 -d7 20 +d6:R 180 -g6 -f4 80 -g5 60 +g5:P +h5:k 120 -g5 180 -h5 220 +g5:k 3000", "", "d8d6 g6h5 f4g5 h5g5", pieceOnly},
		// A man askew shows on two squares; it has not made two moves with another between.
		{"askew while the other slides", "6k1/1bq2pp1/2n1p1np/pBQ5/Pp2P3/1N2NP2/1P4PP/6K1 b - - 0 1",
			"1000 -c7 60 -c5 40 +c8:q +d8:q +c4:Q 60 -c8 60 -c4 40 +c3:Q 20 -c3 40 +c2:Q 140 -d8 200 +b6:q 100 -c2 140 +f2:Q 3000", "", "c7d8 c5c2 d8b6 c2f2", pieceOnly},
		// The square that goes on showing him when the other does not is where he stands.
		{"askew, and then he goes on", "8/8/8/8/4p1p1/3kB1P1/4RK1P/8 b - - 0 1",
			"1000 -d3 20 -e2 60 +c3:k 120 +d2:R 40 -c3 60 -d2 60 +b3:k +c4:k 60 -b3 20 +d4:R 80 -c4 140 +c3:k 60 -e4 160 -d4 120 +e4:R 3000", "", "d3c3 e2d2 c3c4 d2d4 c4c3 d4e4", pieceOnly},
		// The man comes down for the third time while the reply begins: that time counts.
		{"a promotion by gesture, and the reply at once", "4r1k1/1P5p/3q1ppB/3n4/3Q2P1/2p4P/6P1/1R5K w - - 0 1",
			"1000 -b7 120 +b8:Q 510 -b8 260 +b8:R 170 -b8 490 +b8:R 20 -b8 20 +b8:R -e8 230 -b8 20 +b8:r 4000", "", "b7b8r e8b8", acuities[1:2]},
		{"askew while the other moves", "6k1/4qp2/6p1/8/p7/3Q2PP/P4P1K/8 b - - 0 1",
			"1000 -e7 -h2 80 +e6:q +f6:q 60 -e6 60 +g2:K 40 -f6 100 +c6:q -d3 160 +f3:Q 3000", "", "e7f6 h2g2 f6c6 d3f3", pieceOnly},
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
