package rules

import (
	"strings"
	"testing"
)

func TestPGN(t *testing.T) {
	t.Parallel()
	game := func(fen string, v Variant, moves string) *Line {
		l := NewLine(position(t, fen, v))
		playSAN(t, l, strings.Fields(moves)...)
		return l
	}
	unknown := func(result string) string {
		return "[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[Result \"" + result + "\"]\n"
	}
	for _, c := range []struct {
		name string
		game PGN
		want string
	}{
		{"nothing", PGN{}, unknown("*") + "\n*\n\n"},
		{"a short game with all tags", PGN{
			Event: "Club", Site: "Home", Date: "2026.07.31", Round: "3.1", White: "Anna", Black: "Ben", Result: "1-0",
			Tags: []Tag{{"TimeControl", "900+10"}, {"Termination", "normal"}},
			Line: game(StartFEN, Standard, "e4 e5 Bc4 Nc6 Qh5 Nf6 Qxf7#"),
		}, `[Event "Club"]
[Site "Home"]
[Date "2026.07.31"]
[Round "3.1"]
[White "Anna"]
[Black "Ben"]
[Result "1-0"]
[TimeControl "900+10"]
[Termination "normal"]

1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7# 1-0

`},
		{"quotes, backslashes and control characters (CR-33, CorentinGS/chess#114)", PGN{White: "A \"B\" C", Black: "back\\slash\nand\tmore\x7f", Event: "Zürich"},
			"[Event \"Zürich\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round \"?\"]\n[White \"A \\\"B\\\" C\"]\n" +
				"[Black \"back\\\\slash and more \"]\n[Result \"*\"]\n\n*\n\n"},
		{"names of tags that PGN does not allow, or that are written anyway", PGN{
			Tags: []Tag{{"a b", "x"}, {"", "x"}, {"Event", "x"}, {"é", "x"}, {"FEN", "kept"}, {"ECO", "B01"}},
		}, unknown("*") + "[FEN \"kept\"]\n[ECO \"B01\"]\n\n*\n\n"},
		{"Black to move first, wrong tags overruled", PGN{
			Result: "1/2-1/2", Line: game("4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7", Standard, "dxe3 Ke2 Ke7"),
			Tags: []Tag{{"FEN", "something else"}, {"SetUp", "0"}},
		}, unknown("1/2-1/2") + "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 7\"]\n\n7... dxe3 8. Ke2 Ke7 1/2-1/2\n\n"},
		{"Black to move, no moves", PGN{Line: game("4k3/8/8/8/8/8/8/4K2R b K - 3 9", Standard, "")},
			unknown("*") + "[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/4K2R b K - 3 9\"]\n\n*\n\n"},
		{"Chess960", PGN{Line: game("4k3/8/8/8/8/8/8/5KR1 w G - 0 1", Chess960, "O-O Kd7")},
			unknown("*") + "[Variant \"Chess960\"]\n[SetUp \"1\"]\n[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. O-O Kd7 *\n\n"},
	} {
		if got := c.game.String(); got != c.want {
			t.Errorf("%s:\n got %q\nwant %q", c.name, got, c.want)
		}
	}
}

// TestPGNWraps checks that no line of movetext reaches 80 characters, that lines are not broken early, and that the words
// put together are the game.
func TestPGNWraps(t *testing.T) {
	t.Parallel()
	l := NewLine(Start())
	for range 60 {
		playSAN(t, l, "Nf3", "Nf6", "Ng1", "Ng8")
	}
	text := PGN{Line: l, Result: "1/2-1/2"}.String()
	head, moves, _ := strings.Cut(text, "\n\n")
	if strings.Count(head, "\n") != 6 || !strings.HasSuffix(moves, "\n\n") {
		t.Fatalf("not two parts: %q", text)
	}
	lines := strings.Split(strings.TrimSuffix(moves, "\n\n"), "\n")
	for i, line := range lines {
		if len(line) > 79 || strings.TrimSpace(line) != line {
			t.Errorf("line of %d characters: %q", len(line), line)
		}
		if i > 0 {
			word, _, _ := strings.Cut(line, " ")
			if len(lines[i-1])+1+len(word) <= 79 {
				t.Errorf("broken too early before %q", word)
			}
		}
	}
	words := strings.Fields(moves)
	if len(words) != 240+120+1 || words[0] != "1." || words[len(words)-1] != "1/2-1/2" || words[len(words)-2] != "Ng8" {
		t.Errorf("%d words, the last %q", len(words), words[len(words)-3:])
	}
}
