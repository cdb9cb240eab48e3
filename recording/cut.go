package recording

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"time"
)

// Splice writes pieces of a Ring, one after another, as few recordings: a piece that goes on where the one before ended becomes
// part of its recording.
type Splice struct {
	out   *Writer
	open  bool
	run   string
	at    int64 // of the recording that is open
	shift int64 // from times of the piece to those of the recording
	again int   // lines still to be left out
	t     int64
	Recs  int // recordings so far
	Lines int // lines so far, without the opening ones
}

// NewSplice writes to out.
func NewSplice(out *Writer) *Splice { return &Splice{out: out} }

// Add writes the next line.
func (s *Splice) Add(e Entry) error {
	if o := e.Opening; o != nil {
		if s.open && o.Run != "" && o.Run == s.run && o.Lost == 0 && o.At-s.at >= s.t {
			s.shift, s.again = o.At-s.at, o.Again
			return nil
		}
		s.open, s.run, s.at, s.shift, s.again, s.t = true, o.Run, o.At, 0, 0, 0
		s.Recs++
		return s.out.Open(*o)
	}
	if s.again > 0 {
		s.again--
		return nil
	}
	if e.Input.T += s.shift; e.Input.T > MaxT {
		return fmt.Errorf("pieces that are %d ms long together are none of boardd's", e.Input.T)
	}
	s.t = e.Input.T
	s.Lines++
	return s.out.entry(e)
}

// Break says that pieces are missing before the next one.
func (s *Splice) Break() { s.open = false }

// Part is what Cut has cut out.
type Part struct {
	Recordings, Lines int
	From, To          time.Time // of the first piece's beginning and of the last line; as far as the computer knew
}

// ErrNothing says that a folder has no recordings.
var ErrNothing = errors.New("nothing has been recorded")

// Cut writes the last of what a Ring has recorded: whole pieces, from the one in which the time begins that is asked for, counted
// back from the last line. It may be used while the ring is written.
func Cut(dir string, last time.Duration, w io.Writer) (Part, error) {
	list, err := heads(dir)
	if err != nil {
		return Part{}, err
	}
	end := list[len(list)-1]
	length, err := end.length()
	if err != nil {
		return Part{}, err
	}
	from := len(list) - 1
	for from > 0 && before(list[from], end, length) < last {
		from--
	}
	part := Part{From: list[from].opening.Since, To: end.opening.Since.Add(length)}
	out := NewWriter(w)
	s := NewSplice(out)
	for i, h := range list[from:] {
		if i > 0 && h.Number != list[from+i-1].Number+1 {
			s.Break()
		}
		if err := h.each(s.Add); err != nil {
			return part, err
		}
	}
	part.Recordings, part.Lines = s.Recs, s.Lines
	return part, out.Flush()
}

// before is how long before the end of all a piece begins. The clock of one run is believed before the time of day.
func before(h, end head, length time.Duration) time.Duration {
	if h.opening.Run == end.opening.Run {
		return time.Duration(end.opening.At-h.opening.At)*time.Millisecond + length
	}
	return end.opening.Since.Sub(h.opening.Since) + length
}

// head is a piece with its opening line.
type head struct {
	Piece
	opening *Opening
}

// heads reads the opening lines of a folder; one at least, or it is an error.
func heads(dir string) (list []head, err error) {
	all, err := Pieces(dir)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, ErrNothing
	}
	for _, p := range all {
		h := head{Piece: p}
		first := func(e Entry) error {
			h.opening = e.Opening
			return io.EOF
		}
		if err := h.each(first); err != nil && !errors.Is(err, fs.ErrNotExist) { // it may have been removed since
			return nil, err
		}
		if h.opening != nil {
			list = append(list, h)
		}
	}
	if err == nil && len(list) == 0 {
		err = ErrNothing
	}
	return list, err
}

func (h head) length() (time.Duration, error) {
	t := int64(0)
	err := h.each(func(e Entry) error {
		t = e.Input.T
		return nil
	})
	return time.Duration(t) * time.Millisecond, err
}

// each gives the lines of a piece until do has an error; io.EOF is none. A piece may become packed meanwhile.
func (p Piece) each(do func(Entry) error) error {
	f, err := os.Open(p.Path)
	if errors.Is(err, fs.ErrNotExist) && p.Open() {
		f, err = os.Open(p.Path + ".gz")
	}
	if err != nil {
		return err
	}
	defer f.Close()
	r := NewReader(f)
	for {
		e, err := r.Next()
		var bad *LineError
		switch {
		case err == io.EOF:
			return nil
		case errors.As(err, &bad):
			continue // a line that is still being written, or was when the disk was full or boardd was killed
		case err != nil:
			return fmt.Errorf("%s: %w", p.Path, err)
		}
		if err := do(e); err == io.EOF {
			return nil
		} else if err != nil {
			return err
		}
	}
}

// Begun is a piece of a Ring with its opening line.
type Begun struct {
	Piece
	Opening *Opening
}

// Each gives the lines of a piece, the opening line first, until do has an error; io.EOF is none. Lines that cannot be read are passed over.
func (b Begun) Each(do func(Entry) error) error { return b.each(do) }

// LastRun lists the pieces of the run that has written to a folder last; ErrNothing when there are none.
func LastRun(dir string) (list []Begun, err error) {
	all, err := heads(dir)
	if err != nil {
		return nil, err
	}
	run := all[len(all)-1].opening.Run
	for _, h := range all {
		if h.opening.Run == run {
			list = append(list, Begun{h.Piece, h.opening})
		}
	}
	return list, nil
}
