package main

import (
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"

	"github.com/boardd/boardd/config"
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

var (
	testName   = regexp.MustCompile("`((?:Test|Fuzz|Benchmark)[A-Z]\\w*)(…?)`")
	testMade   = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz|Benchmark)\w+)\(`)
	sourceName = regexp.MustCompile("`([a-z0-9_]+(?:/[A-Za-z0-9_.-]+)+\\.(?:go|md|sh|toml|yaml|jsonl|service|rules))`")
)

// TestNamesInTheDocs: tests and files of this repository that the documents name are there.
func TestNamesInTheDocs(t *testing.T) {
	t.Parallel()
	var made []string
	err := filepath.WalkDir(filepath.Join("..", ".."), func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") {
			return err
		}
		text, err := os.ReadFile(path)
		for _, m := range testMade.FindAllStringSubmatch(string(text), -1) {
			made = append(made, m[1])
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	for _, page := range pages(t) {
		text, err := os.ReadFile(filepath.Join("..", "..", page))
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range testName.FindAllStringSubmatch(string(text), -1) {
			if !slices.ContainsFunc(made, func(name string) bool { return name == m[1] || m[2] != "" && strings.HasPrefix(name, m[1]) }) {
				t.Errorf("%s: there is no test %s", page, m[1])
			}
		}
		for _, m := range sourceName.FindAllStringSubmatch(string(text), -1) {
			if _, err := os.Stat(filepath.Join("..", "..", m[1])); err != nil {
				t.Errorf("%s: there is no %s", page, m[1])
			}
		}
	}
}

// TestReadmeNamesEveryDriver: who looks for a board finds its driver, and who looks for a page finds it.
func TestReadmeNamesEveryDriver(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile(filepath.Join("..", "..", "README.md"))
	if err != nil {
		t.Fatal(err)
	}
	for _, d := range config.Drivers {
		if !strings.Contains(string(text), "`"+d+"`") {
			t.Errorf("README.md has no driver %s", d)
		}
	}
	for _, page := range pages(t) {
		if page != "README.md" && !strings.Contains(string(text), "]("+page) {
			t.Errorf("README.md does not lead to %s", page)
		}
	}
}
