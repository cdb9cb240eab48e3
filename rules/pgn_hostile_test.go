package rules

import (
	"strings"
	"testing"
	"time"
)

// TestPGNHostile: a text that nobody wrote by hand takes no longer than its length deserves, not a multiple of its square.
func TestPGNHostile(t *testing.T) {
	t.Parallel()
	const size = 1 << 20
	for _, c := range []struct{ name, lead, part string }{
		{"comments that are not closed", "", "{"},
		{"comments that are not closed, in tags", "", "[{\n"},
		{"comments before the first move", "", "{a}"},
		{"comments behind a move", "1. e4 ", "{a}"},
		{"comments behind a fault", "1. e5 ", "{a}"},
		{"comments and glyphs", "1. e4 ", "{a}$1"},
		{"moves with comments", "", "1. Nf3 {a}{b} Nf6 2. Ng1 Ng8 {c}"},
		{"remarks to the end of the line", "1. e4 ", ";a\n"},
		{"variations that open", "1. e4 ", "("},
		{"variations that close", "1. e4 ", ")"},
		{"variations", "1. e4 ", "(1. d4)"},
		{"null moves in variations", "1. e4 ", "(--"},
		{"tags that are not closed", "", "["},
		{"tags", "", "[a \"b\"]"},
		{"a tag that is said again", "", "[Event \"b\"]\n"},
		{"tags behind empty lines", "1. e5 ", "\n\n[ "},
		{"quotes", "[a \"", "\\\""},
		{"glyphs", "1. e4 ", "$1 "},
		{"results", "", "* "},
		{"empty lines", "1. e5", "\n"},
		{"a long word", "", "e"},
		{"a long number", "", "1"},
	} {
		begin := time.Now()
		text := c.lead + strings.Repeat(c.part, size/len(c.part))
		for _, err := range ParsePGN(text) {
			if err != nil && len(err.Error()) > 500 {
				t.Errorf("%s: an error of %d bytes", c.name, len(err.Error()))
			}
		}
		d := time.Since(begin)
		if d > 5*time.Second {
			t.Errorf("%s: %v", c.name, d)
		}
	}
}

// TestPGNManyComments: as many as anybody writes are joined; more are a fault of that game alone.
func TestPGNManyComments(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		n     int
		fault bool
	}{{maxComments, false}, {maxComments + 1, true}} {
		said := strings.Repeat("{a} ", c.n)
		n := 0
		for g, err := range ParsePGN("1. e4 " + said + "e5 " + said + "*\n\n[Event \"next\"]\n\n1. d4 " + said[:4] + "*") {
			n++
			switch {
			case n == 2 && (err != nil || g.Event != "next" || g.Notes[0].Comment != "a"):
				t.Errorf("%d comments: the next game is %v, %v", c.n, g, err)
			case n == 1 && c.fault != (err != nil):
				t.Errorf("%d comments: %v", c.n, err)
			case n == 1 && !c.fault && len(g.Notes[1].Comment) != 2*c.n-1:
				t.Errorf("%d comments: %q", c.n, g.Notes[1].Comment)
			}
		}
		if n != 2 {
			t.Errorf("%d comments: %d games", c.n, n)
		}
	}
}
