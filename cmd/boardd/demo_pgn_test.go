package main

import (
	"strings"
	"testing"
)

func TestReadPGN(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, text, moves, title string
	}{
		{"plain", "1. e4 e5 2. Nf3 *", "e2e4 e7e5 g1f3", ""},
		{"no blanks after numbers", "1.e4 e5 2.Nf3 Nc6", "e2e4 e7e5 g1f3 b8c6", ""},
		{"tags", "[Event \"a ] b\"]\n[White \"Anna \\\"A\\\"\"][Black \"Bo\"]\r\n\r\n1. d4", "d2d4", `Anna "A" - Bo`},
		{"a byte order mark", "\ufeff[White \"W\"]\n\n1. e4", "e2e4", "W - "},
		{"comments", "{first {e4} 1. e4 ; not e6\n {c5 (!)} e5", "e2e4 e7e5", ""},
		{"variations", "1. e4 (1. d4 d5 (1... Nf6 {x)}) 2. c4) 1... e5", "e2e4 e7e5", ""},
		{"glyphs", "1. e4! $1 e5?! 2. Nf3!? $14", "e2e4 e7e5 g1f3", ""},
		{"zeros for castling", "1. e4 e5 2. Nf3 Nf6 3. Be2 Be7 4. 0-0 0-0", "e2e4 e7e5 g1f3 g8f6 f1e2 f8e7 e1g1 e8g8", ""},
		{"en passant is said", "1. e4 a6 2. e5 d5 3. exd6 e.p. 1-0", "e2e4 a7a6 e4e5 d7d5 e5d6", ""},
		{"only the first game", "1. e4 1-0\n\n[White \"x\"]\n\n1. d4 0-1", "e2e4", ""},
		{"only the first game, without a result", "1. e4\n\n[White \"x\"]\n\n1. d4 0-1", "e2e4", ""},
		{"escaped lines", "% a tool wrote this\n1. e4", "e2e4", ""},
		{"another start", "[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=N Kd7", "a7a8n e8d7", ""},
		{"Chess960", "[Variant \"Chess960\"]\n[FEN \"1k6/8/8/8/8/8/8/1K4R1 w G - 0 1\"]\n\n1. O-O", "b1g1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			g, err := readPGN(c.text)
			if err != nil {
				t.Fatal(err)
			}
			var moves []string
			pos := g.start
			for _, m := range g.moves {
				moves = append(moves, pos.UCI(m))
				pos.Play(m)
			}
			if got := strings.Join(moves, " "); got != c.moves || g.title != c.title {
				t.Errorf("%q by %q", got, g.title)
			}
		})
	}
}

func TestReadPGNFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, text, want string }{
		{"empty", "", "holds no moves"},
		{"tags only", "[White \"x\"]", "holds no moves"},
		{"illegal move", "1. e4 e5 2. Ke3", `"Ke3": move 2.:`},
		{"not a move", "1. e4 hello", `"hello": move 1...:`},
		{"bad start", "[FEN \"8/8 w\"]\n\n1. e4", "tag FEN"},
		{"impossible start", "[FEN \"4k3/8/8/8/8/8/8/P3K3 w - - 0 1\"]\n\n1. Kd1", "pawn-rank"},
		{"Chess960 without a start", "[Variant \"Chess960\"]\n\n1. e4", "tag FEN"},
	} {
		if _, err := readPGN(c.text); err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// FuzzReadPGN: whatever is read can be played from its start, move by move.
func FuzzReadPGN(f *testing.F) {
	f.Add(builtIn)
	f.Add("[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=N (1. Kd1) {x} $3 Kd7 *")
	f.Add("]}){([%;")
	f.Fuzz(func(t *testing.T, text string) {
		g, err := readPGN(text)
		if err != nil {
			return
		}
		pos := g.start
		for i, m := range g.moves {
			if !pos.IsLegal(m) {
				t.Fatalf("ply %d is not legal", i)
			}
			pos.Play(m)
		}
	})
}
