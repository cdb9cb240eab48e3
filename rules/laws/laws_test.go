package laws

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/rules"
)

// TestEveryReasonHasASentence walks all reasons there are: String is empty beyond the last.
func TestEveryReasonHasASentence(t *testing.T) {
	t.Parallel()
	seen := map[string]rules.Reason{}
	n := 0
	for r := rules.NoReason + 1; r.String() != ""; r++ {
		n++
		text := Cause(rules.Cause{Reason: r, Squares: []rules.Square{rules.NewSquare(4, 3)}})
		if text == "" || strings.Contains(text, "%") {
			t.Errorf("%v: %q", r, text)
		}
		if other, ok := seen[text]; ok {
			t.Errorf("%v says the same as %v: %q", r, other, text)
		}
		seen[text] = r
	}
	if n != len(sentences) {
		t.Errorf("%d reasons, %d sentences", n, len(sentences))
	}
}

func TestSentences(t *testing.T) {
	t.Parallel()
	squares := func(names ...string) (list []rules.Square) {
		for _, n := range names {
			s, ok := rules.ParseSquare(n)
			if !ok {
				t.Fatal(n)
			}
			list = append(list, s)
		}
		return list
	}
	for _, c := range []struct {
		name  string
		cause rules.Cause
		want  string
	}{
		{"one square", rules.Cause{Reason: rules.LeavesInCheck, Squares: squares("e4")}, "the king would stay in check from e4"},
		{"two squares", rules.Cause{Reason: rules.LeavesInCheck, Squares: squares("e4", "b5")}, "the king would stay in check from e4 and b5"},
		{"three squares", rules.Cause{Reason: rules.CastlingBlocked, Squares: squares("b1", "c1", "d1")},
			"castling needs empty squares between king and rook; not empty: b1, c1 and d1"},
		{"nothing wrong", rules.Cause{}, ""},
	} {
		if got := Cause(c.cause); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
}

func TestEveryFaultHasASentence(t *testing.T) {
	t.Parallel()
	for _, code := range []string{
		rules.FaultKings, rules.FaultPawnRank, rules.FaultTooManyPawns, rules.FaultTooManyPieces, rules.FaultTooMuchMaterial,
		rules.FaultOppositeCheck, rules.FaultTooManyCheckers, rules.FaultImpossibleCheck, rules.FaultCastlingRights, rules.FaultEnPassant,
	} {
		if Fault(rules.Fault{Code: code}) == "" {
			t.Errorf("%s has no sentence", code)
		}
	}
	if got := Fault(rules.Fault{Code: "unheard-of"}); got != "" {
		t.Errorf("an unknown code says %q", got)
	}
}
