package rules

import (
	"bufio"
	"strings"
	"testing"
)

// TestUnreachable has positions that only a look back refuses, each beside one that differs in what makes it possible.
func TestUnreachable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, want string }{
		{"a check by a pawn that has not moved", "8/8/8/8/8/3k4/4P3/7K b - - 0 1", "unreachable"},
		{"a check by a pawn that has", "8/8/8/8/3k4/4P3/8/7K b - - 0 1", ""},
		{"a bishop behind its pawns", "rnbqkbnr/pppppppp/8/8/8/4B3/PPPPPPPP/RN1QKBNR w KQkq - 0 1", "unreachable"},
		{"a bishop past a pawn that moved", "rnbqkbnr/pppppppp/8/8/8/3PB3/PPP1PPPP/RN1QKBNR b KQkq - 0 1", ""},
		{"a bishop that was a pawn", "rnbqkbnr/1ppppppp/8/8/8/4B3/1PPPPPPP/RN1QKBNR w KQkq - 0 1", ""},
		{"start, Black to move", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR b KQkq - 0 1", "unreachable"},
		{"a knight out, White to move", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R w KQkq - 0 1", "unreachable"},
		{"a knight out, Black to move", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq - 0 1", ""},
		{"knights exchanged", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w Kkq - 0 1", ""},
		{"a rook beside its place, Black to move", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKBR1 w Qkq - 0 1", ""},
		{"king and queen exchanged, where a game may begin", "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBKQBNR w - - 0 1", ""},
		{"king and queen exchanged in play", "rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBKQB1R b - - 0 1", "unreachable"},
		{"king and queen exchanged once a pawn has moved", "rnbqkbnr/pppppppp/8/8/8/3P4/PPP1PPPP/RNBKQBNR w kq - 0 1", ""},
		{"pawns doubled without a capture", "rnbqkbnr/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", "unreachable"},
		{"pawns doubled with one", "rnbqkb1r/pppppppp/8/8/8/P7/P1PPPPPP/RNBQKBNR w KQkq - 0 1", ""},
		{"a pawn behind where it can come from", "rnbqk2r/pppppppp/8/8/8/8/PP1PPPPP/RNBQKBNR w KQkq - 0 1", ""},
		{"two pawns before three that have not moved", "4k3/8/8/8/8/PP6/PPP5/4K3 w - - 0 1", "unreachable"},
		{"three pawns, each on its file", "4k3/8/8/8/8/PP6/2P5/4K3 w - - 0 1", ""},
		{"five pawns in a corner that needs more", "4k3/pppppppp/8/8/P7/PP6/PP6/RNBQKBNR w - - 0 1", "unreachable"},
		{"promoted without a capture", "rnbqkbnr/pppppppp/8/8/8/Q7/1PPPPPPP/RNBQKBNR b KQkq - 0 1", "too-much-material"},
		{"promoted with captures", "rnbqkbn1/ppppppp1/8/8/8/8/PPPPPPP1/QNBQKBNR b Kq - 0 1", ""},
		{"a check by a rook that could not come", "3qk3/3ppp2/8/8/8/8/8/4R1K1 w - - 0 1", ""},
		{"a check by a bishop that was hemmed in", "k7/8/8/8/8/8/PPP5/1BK5 b - - 0 1", ""},
		{"no last move", "8/8/8/8/8/8/5PPP/5k1K b - - 0 1", "unreachable"},
		{"rights given with the position", "4k3/8/8/8/8/8/8/4K2R b K - 0 1", ""},
		{"a check by the rook that has not moved", "8/8/8/8/8/8/7k/R3K2R b KQ - 0 1", "unreachable"},
		{"a check by the rook that has", "8/8/8/8/8/8/7k/R3K2R b Q - 0 1", ""},
		{"a check by the rook that castled", "5k2/8/8/8/8/8/6PP/5RK1 b - - 0 1", ""},
		{"a double check by a queen that was a pawn", "3Qk3/8/8/8/8/8/8/4R1K1 b - - 0 1", ""},
	} {
		p := position(t, c.fen, Standard)
		var codes []string
		for _, f := range p.Faults() {
			codes = append(codes, f.Code)
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %s: %q, want %q", c.name, c.fen, got, c.want)
		}
	}
}

// TestFirstPlies: nothing near the initial position of any variant is refused. The first plies are where little has been captured
// and most rules of counting are at their limit.
func TestFirstPlies(t *testing.T) {
	t.Parallel()
	starts := []Position{Start()}
	sc := bufio.NewScanner(open(t, "games/chess960.tsv.gz"))
	sc.Buffer(nil, 1<<20)
	for sc.Scan() {
		p := position(t, strings.Split(sc.Text(), "\t")[1], Chess960)
		if !p.initial() {
			t.Errorf("%s is no initial position", p.FEN())
		}
		starts = append(starts, p)
	}
	for i, p := range starts {
		depth := 1
		if i == 0 {
			depth = 3
		}
		perftSound(t, p, depth)
	}
}

func perftSound(t *testing.T, p Position, depth int) {
	if f := p.Faults(); len(f) != 0 {
		t.Fatalf("%s: %v", p.FEN(), f)
	}
	if depth == 0 {
		return
	}
	for _, m := range p.LegalMoves(nil) {
		perftSound(t, p.After(m), depth-1)
	}
}
