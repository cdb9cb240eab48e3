package main

import (
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"unicode"
)

var linked = regexp.MustCompile(`\]\(([^)\s]+)\)`)

// anchor is what a heading is called in links.
func anchor(heading string) string {
	heading = strings.ToLower(strings.Trim(heading, "# "))
	return strings.Map(func(r rune) rune {
		switch {
		case r == ' ':
			return '-'
		case r == '-' || r == '_' || unicode.IsLetter(r) || unicode.IsDigit(r):
			return r
		}
		return -1
	}, heading)
}

// TestLinksOfTheDocs: what the documents link to is there.
func TestLinksOfTheDocs(t *testing.T) {
	t.Parallel()
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range linked.FindAllStringSubmatch(string(text), -1) {
			if strings.Contains(m[1], "://") {
				continue
			}
			file, heading, _ := strings.Cut(m[1], "#")
			target := filepath.Join("..", "..", filepath.Dir(page), file)
			if file == "" {
				target = filepath.Join("..", "..", page)
			}
			if _, err := os.Stat(target); err != nil {
				t.Errorf("%s leads to %s: %v", page, m[1], err)
				continue
			}
			if heading == "" {
				continue
			}
			there, err := os.ReadFile(target)
			if err != nil {
				t.Errorf("%s leads to %s: %v", page, m[1], err)
				continue
			}
			found := false
			for line := range strings.Lines(string(there)) {
				found = found || strings.HasPrefix(line, "#") && anchor(strings.TrimSpace(line)) == heading
			}
			if !found {
				t.Errorf("%s leads to %s: there is no such heading", page, m[1])
			}
		}
	}
}
