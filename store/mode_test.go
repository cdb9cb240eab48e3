//go:build unix

package store

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/boardd/boardd/game"
)

// Games and names are for the user and the group alone, whatever SQLite does of itself. The rights of a file that is there are left to
// whoever set them.
func TestFilesAreNotForEverybody(t *testing.T) {
	t.Parallel()
	modes := func(dir string) map[string]os.FileMode {
		m := map[string]os.FileMode{}
		for _, name := range []string{File, File + "-wal", File + "-shm", "boardd.lock"} {
			i, err := os.Stat(filepath.Join(dir, name))
			if err != nil {
				t.Fatal(err)
			}
			m[name] = i.Mode().Perm()
		}
		return m
	}
	dir := t.TempDir()
	s := opened(t, dir)
	if err := s.Commit([]game.Batch{resyncs("a", 1, 3)}); err != nil {
		t.Fatal(err)
	}
	for name, mode := range modes(dir) {
		if mode&^0o640 != 0 || mode&0o600 != 0o600 { // a umask may take the group's right away
			t.Errorf("%s has mode %v", name, mode)
		}
	}

	wide := t.TempDir()
	path := filepath.Join(wide, File)
	if err := os.WriteFile(path, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.Chmod(path, 0o664); err != nil {
		t.Fatal(err)
	}
	if err := opened(t, wide).Commit([]game.Batch{resyncs("a", 1, 3)}); err != nil {
		t.Fatal(err)
	}
	if m := modes(wide); m[File] != 0o664 {
		t.Errorf("a file that was there has mode %v now", m[File])
	}
}
