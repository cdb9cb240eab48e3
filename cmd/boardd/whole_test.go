package main

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestWriteWhole(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "game.pgn")
	for _, text := range []string{"one", "another"} {
		if err := writeWhole(path, text); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
	}
	for what, path := range map[string]string{"no folder": filepath.Join(dir, "none", "game.pgn"), "a folder in the way": dir} {
		first, second := writeWhole(path, "x"), writeWhole(path, "x")
		if first == nil || second == nil || first.Error() != second.Error() {
			t.Errorf("%s: %v, then %v", what, first, second)
		}
		if what == "no folder" && !errors.Is(first, fs.ErrNotExist) {
			t.Error(first)
		}
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) != 1 {
		t.Errorf("left behind: %v, %v", left, err)
	}
}
