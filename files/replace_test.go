package files

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"testing"
)

func TestReplace(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "game.pgn")
	for _, text := range []string{"one", "another"} {
		if err := Replace(path, []byte(text), 0o640); err != nil {
			t.Fatal(err)
		}
		if got, err := os.ReadFile(path); err != nil || string(got) != text {
			t.Errorf("%q, %v", got, err)
		}
		if info, err := os.Stat(path); err != nil || info.Mode().Perm() != 0o640 {
			t.Errorf("mode %v, %v", info.Mode(), err)
		}
	}
	for what, path := range map[string]string{"no folder": filepath.Join(dir, "none", "game.pgn"), "a folder in the way": dir} {
		first, second := Replace(path, []byte("x"), 0o600), Replace(path, []byte("x"), 0o600)
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
