package files

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
)

// Replace puts text in the place of a file, whole or not at all, also where the power fails meanwhile. The error names that file and
// not the one that was written first, whose name is another each time: who says an error only once would say it for ever.
func Replace(path string, text []byte, mode fs.FileMode) error {
	f, err := os.CreateTemp(filepath.Dir(path), ".whole-*")
	if err != nil {
		return of(path, err)
	}
	_, err = f.Write(text)
	if err = cmp.Or(err, f.Chmod(mode), f.Sync(), f.Close()); err == nil {
		err = os.Rename(f.Name(), path)
	}
	if err != nil {
		_ = os.Remove(f.Name())
		return of(path, err)
	}
	return nil
}

func of(path string, err error) error {
	var p *fs.PathError
	var l *os.LinkError
	switch {
	case errors.As(err, &p):
		err = p.Err
	case errors.As(err, &l):
		err = l.Err
	}
	return fmt.Errorf("%s: %w", path, err)
}
