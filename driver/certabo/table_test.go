package certabo_test

import (
	"errors"
	"io/fs"
	"maps"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/certabo"
)

func TestTableIsKept(t *testing.T) {
	t.Parallel()
	table := tableOf(t, setA, setB)
	if len(table) != 64 {
		t.Fatalf("%d chips", len(table))
	}
	path := certabo.PiecesPath(filepath.Join(t.TempDir(), "data"), "kitchen")
	if filepath.Base(path) != "kitchen-pieces.toml" || filepath.Base(filepath.Dir(path)) != "calibration" {
		t.Errorf("path %s", path)
	}
	if _, err := certabo.ReadTable(path); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("before: %v", err)
	}
	for range 2 { // also over an old file
		if err := table.Write(path); err != nil {
			t.Fatal(err)
		}
	}
	got, err := certabo.ReadTable(path)
	if err != nil || !maps.Equal(got, table) {
		t.Errorf("read %d chips, %v", len(got), err)
	}
	if left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".*")); err != nil || left != nil {
		t.Errorf("left behind: %q, %v", left, err)
	}
	again, err := certabo.TableOf(table.Letters())
	if err != nil || !maps.Equal(again, table) {
		t.Errorf("letters: %d chips, %v", len(again), err)
	}
}

func TestTableText(t *testing.T) {
	t.Parallel()
	table, err := certabo.ParseTable([]byte("[pieces]\nQ = [\"3 0 84 121 142\", \"3 0 84 9 9\"]\nk = ['3  0 84 107 52']\n"))
	if err != nil {
		t.Fatal(err)
	}
	text, err := table.Text()
	const want = "# Written by boardd calibrate: the numbers of the chips in each piece.\n" +
		"[pieces]\nQ = ['3 0 84 9 9', '3 0 84 121 142']\nk = ['3 0 84 107 52']\n"
	if err != nil || string(text) != want {
		t.Errorf("%v\n%s", err, text)
	}
}

func TestTableFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ text, says string }{
		{"[pieces]\nX = ['1 2 3 4 5']", "no piece"},
		{"[pieces]\nqueen = ['1 2 3 4 5']", "no piece"},
		{"[pieces]\nQ = ['1 2 3 4']", "five numbers"},
		{"[pieces]\nQ = ['1 2 3 4 256']", "five numbers"},
		{"[pieces]\nQ = ['1 2 3 4 -5']", "five numbers"},
		{"[pieces]\nQ = ['0 0 0 0 0']", "empty square"},
		{"[pieces]\nQ = ['1 2 3 4 5']\nq = ['1 2 3 4 5']", "twice"},
		{"[pieces]\nQ = ['1 2 3 4 5', '1 2 3 4 5']", "twice"},
		{"[piece]\nQ = []", ""},
		{"Q = [", ""},
	} {
		_, err := certabo.ParseTable([]byte(c.text))
		if err == nil || !strings.Contains(err.Error(), c.says) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%q: %v, want %q", c.text, err, c.says)
		}
	}
	path := filepath.Join(t.TempDir(), "x-pieces.toml")
	if err := os.WriteFile(path, []byte("[pieces]\nX = ['1 2 3 4 5']"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := certabo.ReadTable(path); err == nil || !strings.Contains(err.Error(), path) || !strings.Contains(err.Error(), "boardd calibrate") {
		t.Errorf("%v", err)
	}
	if _, err := certabo.ReadTable(filepath.Dir(path)); err == nil {
		t.Error("a folder is no table")
	}
}

func FuzzParseTable(f *testing.F) {
	f.Add("[pieces]\nQ = ['1 2 3 4 5']\n")
	f.Add("[pieces]\nQ = ['0 0 0 0 7', '255 255 255 255 255']\nk = []\n")
	f.Fuzz(func(t *testing.T, text string) {
		table, err := certabo.ParseTable([]byte(text))
		if err != nil {
			return
		}
		out, err := table.Text()
		if err != nil {
			t.Fatal(err)
		}
		again, err := certabo.ParseTable(out)
		if err != nil || !maps.Equal(again, table) {
			t.Fatalf("%v: %s", err, out)
		}
	})
}
