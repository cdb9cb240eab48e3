package rules

import (
	"strings"
	"testing"
)

func TestJudgeSAN(t *testing.T) {
	t.Parallel()
	const castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	for _, c := range []struct{ name, fen, moves, san, uci, want string }{
		{"legal", StartFEN, "", "Nf3", "g1f3", "legal g1f3"},
		{"too far for a pawn", StartFEN, "", "e5", "e2e5", "pawn_moves_forward 3.7.1 3.7.1 e2"},
		{"nothing to take", StartFEN, "", "exd3", "e2d3", "pawn_captures_nothing 3.7.3 3.7.3 d3"},
		{"no pawn on that file", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "e4", "", "no_such_piece 3.10.2 3.10.2"},
		{"no such piece", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "Qd4", "", "no_such_piece 3.10.2 3.10.2"},
		{"blocked", StartFEN, "", "Bc4", "f1c4", "path_blocked 3.5 3.5 e2"},
		{"the pinned one is meant", "4k3/8/8/8/1b6/2N5/8/N3K3 w - - 0 1", "", "Nd5", "c3d5", "exposes_king 3.9.2 3.9.2 b4"},
		{"in check", "4k3/8/8/8/8/8/4r3/R3K3 w - - 0 1", "", "Ra8", "a1a8", ""},
		{"promotion missing", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "a8", "a7a8", "promotion_missing 3.7.5.1 3.7.3.3 a8"},
		{"promotion to a king", "8/P6k/8/8/8/8/8/K7 w - - 0 1", "", "a8=K", "a7a8k", "promotion_piece_impossible 3.7.5.1 3.7.3.3 a8"},
		{"a rook's check", "4k3/8/8/8/8/4r3/8/R3K3 w Q - 0 1", "", "Rb1", "a1b1", "leaves_king_in_check 3.9.2 3.9.2 e3"},
		{"castling", castle, "", "O-O", "e1g1", "legal e1g1"},
		{"castling after the king moved away", castle, "Ke2 Ke7", "O-O", "e2g2", "castling_king_moved 3.8.2.1.1 3.8.2.1 e2 ply 1"},
		{"castling after the king moved and came back", castle, "Ke2 Ke7 Ke1 Ke8", "O-O-O", "e1c1", "castling_king_moved 3.8.2.1.1 3.8.2.1 e1 ply 1"},
		{"castling without a rook", "4k3/8/8/8/8/8/8/4K3 w - - 0 1", "", "O-O", "e1g1", "castling_rook_missing 3.8.2.1.2 3.8.2.1 e1"},
		{"960 castling to the next square", "960 4k3/8/8/8/8/6r1/8/5K1R w H - 0 1", "", "O-O", "f1h1", "castling_into_attack 3.8.2.2.1 3.8.2.2 g3"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			fen, chess960 := strings.CutPrefix(c.fen, "960 ")
			v := Standard
			if chess960 {
				v = Chess960
			}
			l := NewLine(position(t, fen, v))
			playSAN(t, l, strings.Fields(c.moves)...)
			p := l.Position()
			uci, verdict, err := l.JudgeSAN(c.san)
			if got := verdictText(&p, verdict); err != nil || uci != c.uci || c.want != "" && got != c.want {
				t.Errorf("%q, %v\n got %s\nwant %q %s", uci, err, got, c.uci, c.want)
			}
		})
	}
	l := NewLine(position(t, "4k3/8/8/8/8/8/8/R4RK1 w - - 0 1", Standard))
	for _, bad := range []string{"Rd1", "", "hello", "Nf9"} {
		if _, v, err := l.JudgeSAN(bad); err == nil {
			t.Errorf("%q is judged %v", bad, v)
		}
	}
}
