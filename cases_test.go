package boardd_test

import (
	"bufio"
	"encoding/json"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestEveryCaseHasATest: what others met with boards on serial lines is tried here too, in a test that says which case it is.
func TestEveryCaseHasATest(t *testing.T) {
	t.Parallel()
	mark := regexp.MustCompile(`\b[A-Z]{2}-\d{2}\b`)
	tested := map[string]bool{}
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, "_test.go") || path == "cases_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, id := range mark.FindAllString(string(text), -1) {
			tested[id] = true
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	file, err := os.Open("testdata/cases/serial.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	cases := 0
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var c struct{ ID, Source string }
		if err := json.Unmarshal(lines.Bytes(), &c); err != nil {
			t.Fatal(err)
		}
		cases++
		if !tested[c.ID] {
			t.Errorf("%s (%s) has no test", c.ID, c.Source)
		}
	}
	if cases != 24 {
		t.Errorf("%d cases", cases)
	}
}

// SE-17: the serial library's lists of ports open every line of the computer, at a speed of their own.
func TestNobodyListsPortsByOpeningThem(t *testing.T) {
	t.Parallel()
	err := filepath.WalkDir(".", func(path string, d fs.DirEntry, err error) error {
		if err != nil || d.IsDir() || !strings.HasSuffix(path, ".go") || path == "cases_test.go" {
			return err
		}
		text, err := os.ReadFile(path)
		for _, word := range []string{"GetPortsList", "serial/enumerator"} {
			if strings.Contains(string(text), word) {
				t.Errorf("%s uses %s: take port.Candidates", path, word)
			}
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
}
