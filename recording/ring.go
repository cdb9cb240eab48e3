package recording

import (
	"bufio"
	"cmp"
	"compress/gzip"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/boardd/boardd/board"
)

// RingOptions say what a Ring keeps. What is 0 has its default.
type RingOptions struct {
	Dir      string        // folder of one board, made if it is not there
	Keep     time.Duration // pieces that began longer ago are removed; default 24 h
	MaxBytes int64         // all pieces together, as they lie on the disk; default 64 MB
	Piece    time.Duration // how long a piece lasts at least; default 5 minutes
}

// A piece that cannot end at a quiet moment ends at any once it is so many times as long as it should be.
const patience = 4

// pieces is how many parts of MaxBytes there are: no piece is larger than one of them, and one is kept free for the next.
const pieces = 16

// Due says whether a Ring wants a new piece to begin.
type Due int32

// When a piece is to begin.
const (
	NotDue Due = iota
	DueQuiet
	DueNow
)

// errNoPiece says that nothing can be written before a piece is opened.
var errNoPiece = errors.New("write a recording: no piece is open")

// Ring keeps what a board said of late: a folder of pieces, each a recording that can be replayed alone, numbered from 1. The
// newest is plain text, so that who is killed loses only what was not flushed; the others are packed. It is a tape for one
// goroutine, knows no clock, and goes on after any error when the next piece is opened.
type Ring struct {
	opt    RingOptions
	closed []Piece // oldest first
	number int     // of the newest
	file   *os.File
	path   string
	out    *Writer
	size   int64 // of the newest, about
	t      int64 // of its last line
}

// OpenRing goes on with a folder; what a killed daemon left open there is packed. now is the time of day.
func OpenRing(o RingOptions, now time.Time) (*Ring, error) {
	if o.Keep <= 0 {
		o.Keep = 24 * time.Hour
	}
	if o.MaxBytes <= 0 {
		o.MaxBytes = 64 << 20
	}
	if o.Piece <= 0 {
		o.Piece = 5 * time.Minute
	}
	if err := os.MkdirAll(o.Dir, 0o750); err != nil {
		return nil, err
	}
	r := &Ring{opt: o}
	list, err := Pieces(o.Dir)
	if err != nil {
		return nil, err
	}
	halves, _ := filepath.Glob(filepath.Join(o.Dir, "*"+half))
	for _, name := range halves {
		_ = os.Remove(name)
	}
	for _, p := range list {
		r.number = max(r.number, p.Number)
		r.keep(p.Path)
	}
	return r, r.Prune(now)
}

// Open ends the piece before and begins another, whose opening line says when. What is too old or too much is removed. After an
// error no piece is open.
func (r *Ring) Open(o Opening) error {
	if err := r.end(); err != nil {
		return err
	}
	path := filepath.Join(r.opt.Dir, pieceName(r.number+1, o.Since))
	f, err := os.OpenFile(path, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o640)
	if err != nil {
		return err
	}
	r.file, r.path, r.size, r.t = f, path, 0, 0
	r.out = NewWriter(writerFunc(func(b []byte) (int, error) {
		n, err := f.Write(b)
		r.size += int64(n)
		return n, err
	}))
	if err = r.out.Open(o); err == nil {
		err = r.out.Flush()
	}
	if err != nil { // not even the opening line: as if nothing had been there
		r.file, r.out = nil, nil
		_ = f.Close()
		_ = os.Remove(path)
		return err
	}
	r.number++
	return r.Prune(o.Since)
}

type writerFunc func([]byte) (int, error)

func (f writerFunc) Write(b []byte) (int, error) { return f(b) }

// Input is Writer.Input, with the time counted from the beginning of the piece.
func (r *Ring) Input(in board.Input) error {
	r.t = in.T
	return r.write(func(w *Writer) error { return w.Input(in) })
}

// Bytes is Writer.Bytes, with the time counted from the beginning of the piece.
func (r *Ring) Bytes(t int64, b []byte) error {
	r.t = t
	return r.write(func(w *Writer) error { return w.Bytes(t, b) })
}

// Flush brings everything written to the file: who is killed after it has lost nothing.
func (r *Ring) Flush() error { return r.write((*Writer).Flush) }

// write ends the piece where it cannot be written: what stands in the file by then is whole but for its last line.
func (r *Ring) write(do func(*Writer) error) error {
	if r.out == nil {
		return errNoPiece
	}
	err := do(r.out)
	if err != nil {
		_ = r.end()
	}
	return err
}

// Due says whether the piece is so long or so large that another should begin.
func (r *Ring) Due() Due {
	most := r.opt.MaxBytes / pieces
	piece := r.opt.Piece.Milliseconds()
	switch {
	case r.out == nil || r.size > most || r.t >= patience*piece:
		return DueNow
	case r.t >= piece || r.size > most/2:
		return DueQuiet
	}
	return NotDue
}

// Prune removes the oldest pieces, those that are too old and those for which there is no room. A time of day that cannot be
// right, of a computer that does not know it, makes nothing old.
func (r *Ring) Prune(now time.Time) error {
	room := r.opt.MaxBytes - r.opt.MaxBytes/pieces
	for _, p := range r.closed {
		room -= p.size
	}
	for len(r.closed) > 0 {
		p := r.closed[0]
		old := !p.Since.Before(firstDay) && now.Sub(p.Since) > r.opt.Keep
		if room >= 0 && !old {
			break
		}
		if e := os.Remove(p.Path); e != nil && !errors.Is(e, fs.ErrNotExist) {
			return e
		}
		room += p.size
		r.closed = r.closed[1:]
	}
	return nil
}

// firstDay is before any time at which this program can have run.
var firstDay = time.Date(2020, 1, 1, 0, 0, 0, 0, time.UTC)

// Close ends the newest piece.
func (r *Ring) Close() error { return r.end() }

func (r *Ring) end() error {
	if r.file == nil {
		return nil
	}
	err := cmp.Or(r.out.Flush(), r.file.Close())
	r.file, r.out = nil, nil
	r.keep(r.path)
	return err
}

// keep packs a piece that has ended. Where that cannot be, for want of room, it stays as it is.
func (r *Ring) keep(path string) {
	if filepath.Ext(path) != ".gz" {
		if packed, err := pack(path); err == nil {
			path = packed
		}
	}
	p, ok := pieceOf(path)
	info, err := os.Stat(path)
	if !ok || err != nil {
		return
	}
	p.size = info.Size()
	r.closed = append(r.closed, p)
}

// half ends the name of a file that is being packed.
const half = ".half"

// pack writes path.gz from path, whole lines only, and removes path.
func pack(path string) (packed string, err error) {
	in, err := os.Open(path)
	if err != nil {
		return "", err
	}
	defer in.Close()
	packed = path + ".gz"
	out, err := os.OpenFile(packed+half, os.O_CREATE|os.O_TRUNC|os.O_WRONLY, 0o640)
	if err != nil {
		return "", err
	}
	z := gzip.NewWriter(out)
	if err = cmp.Or(wholeLines(z, in), z.Close()); err == nil {
		err = out.Sync()
	}
	if err = cmp.Or(err, out.Close()); err == nil {
		err = os.Rename(packed+half, packed)
	}
	if err != nil {
		_ = os.Remove(packed + half)
		return "", err
	}
	return packed, os.Remove(path)
}

// wholeLines copies all but a last line that has no end: who wrote it was killed.
func wholeLines(out io.Writer, in io.Reader) error {
	lines := bufio.NewReaderSize(in, 1<<16)
	var held []byte // a line that is longer than the buffer, as far as it is known
	for {
		part, err := lines.ReadSlice('\n')
		switch {
		case err == nil:
			held = append(held, part...)
			if _, err := out.Write(held); err != nil {
				return err
			}
			held = held[:0]
		case err == bufio.ErrBufferFull && len(held) <= MaxLine:
			held = append(held, part...)
		case err == io.EOF, err == bufio.ErrBufferFull:
			return nil
		default:
			return err
		}
	}
}

// Piece is a file of a Ring.
type Piece struct {
	Path   string
	Number int
	Since  time.Time // when it began, as its name says
	size   int64
}

// Open reports whether the piece was being written when it was listed: it is plain text.
func (p Piece) Open() bool { return filepath.Ext(p.Path) != ".gz" }

const nameTime = "20060102T150405Z"

func pieceName(number int, since time.Time) string {
	return fmt.Sprintf("%08d-%s.jsonl", number, since.UTC().Format(nameTime))
}

func pieceOf(path string) (p Piece, ok bool) {
	p.Path = path
	var when string
	name := filepath.Base(path)
	if n, err := fmt.Sscanf(name, "%8d-%16s", &p.Number, &when); err != nil || n != 2 {
		return p, false
	}
	since, err := time.Parse(nameTime, when)
	plain := pieceName(p.Number, since)
	p.Since = since
	return p, err == nil && p.Number > 0 && (name == plain || name == plain+".gz")
}

// Pieces lists the pieces in a folder of a Ring, in their order. Other files there are passed over.
func Pieces(dir string) (list []Piece, err error) {
	files, err := os.ReadDir(dir)
	if err != nil {
		return nil, err
	}
	for _, f := range files {
		if p, ok := pieceOf(filepath.Join(dir, f.Name())); ok && f.Type().IsRegular() {
			list = append(list, p)
		}
	}
	// A packed piece beside its text is as good; which of them is there may change at any moment.
	slices.SortStableFunc(list, func(a, b Piece) int { return a.Number - b.Number })
	return slices.CompactFunc(list, func(a, b Piece) bool { return a.Number == b.Number }), nil
}
