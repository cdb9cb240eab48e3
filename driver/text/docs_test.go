package text_test

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/text"
)

// table gives the rows of the table of docs/boards.md whose first heading is head, by their cells.
func table(t *testing.T, head string) (rows [][]string) {
	t.Helper()
	page, err := os.ReadFile("../../docs/boards.md")
	if err != nil {
		t.Fatal(err)
	}
	_, after, ok := strings.Cut(string(page), "\n| "+head+" |")
	if !ok {
		t.Fatalf("docs/boards.md has no table of %s", head)
	}
	for i, line := range strings.Split(after, "\n") {
		if i > 0 && !strings.HasPrefix(line, "|") {
			return rows
		}
		if i < 2 {
			continue // the headings, and the line below them
		}
		var cells []string
		for cell := range strings.SplitSeq(strings.Trim(line, "|"), "|") {
			cells = append(cells, strings.Trim(cell, " `"))
		}
		rows = append(rows, cells)
	}
	return rows
}

// The table of presets in docs/boards.md says what the presets are.
func TestPresetsAreTold(t *testing.T) {
	t.Parallel()
	var want, got []string
	for _, name := range text.Presets() {
		o := preset(t, name)
		lights := "–"
		if o.Output.Leds != "" {
			lights = "yes"
		}
		want = append(want, fmt.Sprint(name, " ", o.Baud, " ", o.Sees(), " ", o.ResolutionMs(), " ms ", lights))
	}
	for _, row := range table(t, "preset") {
		if len(row) != 7 {
			t.Fatalf("%q", row)
		}
		got = append(got, strings.Join([]string{row[0], row[2], row[3], row[5], row[6]}, " "))
	}
	if !slices.Equal(got, want) {
		t.Errorf("docs/boards.md:\n%s\nwant\n%s", strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

func TestKindsAreTold(t *testing.T) {
	t.Parallel()
	var got []string
	for _, row := range table(t, "kind") {
		got = append(got, row[0])
	}
	if !slices.Equal(got, text.Kinds()) {
		t.Errorf("docs/boards.md has the kinds %v, want %v", got, text.Kinds())
	}
}
