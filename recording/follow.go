package recording

import (
	"cmp"
	"compress/gzip"
	"errors"
	"io"
	"io/fs"
	"os"
)

// Follow reads the newest piece of a Ring from its beginning, then what is written to it, then the pieces after it, for a
// Reader. At the end of what there is it calls wait, and ends when that is false.
func Follow(dir string, wait func() bool) (io.ReadCloser, error) {
	f := &follower{dir: dir, wait: wait}
	list, err := heads(dir)
	if err != nil {
		return nil, err
	}
	newest := list[len(list)-1]
	return f, f.open(newest.Piece)
}

type follower struct {
	dir    string
	wait   func() bool
	number int // of the piece that is read
	file   *os.File
	from   io.Reader // file, unpacked
	last   bool      // there is a piece after this one, so nothing more is written to it
}

// Read implements io.Reader.
func (f *follower) Read(b []byte) (int, error) {
	for len(b) > 0 {
		n, err := f.from.Read(b)
		if n > 0 {
			return n, nil // what the error is, the next call says
		}
		if err != nil && err != io.EOF {
			return 0, err
		}
		next, err := f.next()
		switch {
		case err != nil:
			return 0, err
		case next == nil:
			if !f.wait() {
				return 0, io.EOF
			}
		case !f.last:
			f.last = true // what was written until then is read first
		default:
			if err := cmp.Or(f.file.Close(), f.open(*next)); err != nil {
				return 0, err
			}
			b[0] = '\n' // the last line of a piece may have no end
			return 1, nil
		}
	}
	return 0, nil
}

func (f *follower) next() (*Piece, error) {
	list, err := Pieces(f.dir)
	for _, p := range list {
		if p.Number > f.number {
			return &p, nil
		}
	}
	return nil, err
}

func (f *follower) open(p Piece) (err error) {
	f.file, err = os.Open(p.Path)
	if errors.Is(err, fs.ErrNotExist) && p.Open() {
		p.Path += ".gz"
		f.file, err = os.Open(p.Path)
	}
	if err != nil {
		return err
	}
	f.from, f.number, f.last = f.file, p.Number, false
	if !p.Open() {
		f.from, err = gzip.NewReader(f.file)
	}
	return err
}

// Close implements io.Closer.
func (f *follower) Close() error { return f.file.Close() }
