package terminal

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
)

func TestWrap(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text  string
		width int
		want  string
	}{
		{"", 30, ""},
		{"short", 30, "short"},
		{"a text that is longer than one line of it is", 24, "a text that is longer|  than one line of it is"},
		{"awordthatislongerthananyofthelines", 24, "awordthatislongerthanany|  ofthelines"},
		{"narrow panels have no indent", 8, "narrow|panels|have no|indent"},
		{"ab", 1, "a|b"},
	} {
		if got := strings.Join(wrap(c.text, c.width), "|"); got != c.want {
			t.Errorf("%q in %d: %q, want %q", c.text, c.width, got, c.want)
		}
	}
}

func TestWrapLosesNothing(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[a-z…]{0,12}( [a-z]{0,30}){0,12}`).Draw(t, "text")
		width := rapid.IntRange(1, 60).Draw(t, "width")
		bare := func(s string) string { return strings.ReplaceAll(s, " ", "") }
		lines := wrap(text, width)
		for _, l := range lines {
			if n := len([]rune(l)); n > width {
				t.Fatalf("%q has %d columns of %d", l, n, width)
			}
		}
		if got := bare(strings.Join(lines, "")); got != bare(text) {
			t.Fatalf("%q became %q", text, got)
		}
	})
}

// The squares of the last move must be seen in every palette, beside squares without a light.
func TestDimLightsAreSeen(t *testing.T) {
	t.Parallel()
	dim := board.RGB{R: 6, G: 6, B: 6}
	seen := map[int]string{}
	for name, c := range map[string]board.RGB{
		"light": lightSquare, "dark": darkSquare, "light, dim": lit(lightSquare, dim), "dark, dim": lit(darkSquare, dim),
	} {
		n := nearest256(c)
		if seen[n] != "" {
			t.Errorf("%s and %s are both colour %d", name, seen[n], n)
		}
		seen[n] = name
	}
}
