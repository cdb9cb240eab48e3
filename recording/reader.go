package recording

import (
	"bufio"
	"bytes"
	"compress/gzip"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/boardd/boardd/board"
)

// Reader reads recordings line by line, in bounded memory, whatever the file's length.
type Reader struct {
	in      *bufio.Reader
	buf     []byte
	line    int
	opening *Opening // of the recording the lines belong to; nil while there is none
	skip    bool     // lines belong to no recording, and that was said
	t       int64    // of the last line
	ended   bool     // the recording had its end line
	fault   error    // what ended the file, given again on each further call
}

// LineError says what is wrong with one line. Reading goes on after it.
type LineError struct {
	Line int // from 1
	Err  error
}

// Error is "line N: what is wrong".
func (e *LineError) Error() string { return fmt.Sprintf("line %d: %v", e.Line, e.Err) }

// Unwrap gives what is wrong without the number.
func (e *LineError) Unwrap() error { return e.Err }

// NewReader reads plain or gzip JSON lines, told apart by the first two bytes.
func NewReader(r io.Reader) *Reader {
	in := unmarked(bufio.NewReaderSize(r, 1<<16))
	if string(peek(in, 2)) == "\x1f\x8b" {
		if z, err := gzip.NewReader(in); err != nil {
			return &Reader{fault: fmt.Errorf("unpack: %w", err)}
		} else {
			in = unmarked(bufio.NewReaderSize(z, 1<<16))
		}
	}
	return &Reader{in: in}
}

// unmarked passes over the mark that editors of some systems put before a text in UTF-8.
func unmarked(in *bufio.Reader) *bufio.Reader {
	if mark := "\xef\xbb\xbf"; string(peek(in, len(mark))) == mark {
		_, _ = in.Discard(len(mark))
	}
	return in
}

func peek(in *bufio.Reader, n int) []byte {
	head, _ := in.Peek(n)
	return head
}

// Next is the next entry. A malformed line gives a *LineError, and the next call goes on after it; io.EOF ends the file; any
// other error is the file's own (broken gzip, a failed disk, a line longer than MaxLine) and ends it too.
func (r *Reader) Next() (Entry, error) {
	for {
		text, err := r.readLine()
		if err != nil {
			return Entry{}, err
		}
		if text = bytes.TrimSpace(text); len(text) == 0 {
			continue
		}
		e, err := r.parse(text)
		if err == errSkipped {
			continue
		}
		if err != nil {
			return Entry{}, &LineError{r.line, err}
		}
		e.Line = r.line
		return e, nil
	}
}

var errSkipped = errors.New("line of no recording")

func (r *Reader) parse(text []byte) (Entry, error) {
	keys := map[string]json.RawMessage{}
	if err := json.Unmarshal(text, &keys); err != nil {
		if bytes.HasPrefix(text, []byte(`{"recording"`)) {
			return Entry{}, r.lost(err)
		}
		return Entry{}, fmt.Errorf("not a line of JSON: %w", err)
	}
	if _, opens := keys["recording"]; opens {
		o, err := parseOpening(keys)
		if err != nil {
			return Entry{}, r.lost(err)
		}
		r.opening, r.skip, r.t, r.ended = o, false, 0, false
		return Entry{Opening: o}, nil
	}
	if r.opening == nil {
		if r.skip {
			return Entry{}, errSkipped
		}
		r.skip = true
		return Entry{}, errors.New(`no recording begins before this line: an opening line {"recording":1,…} comes first`)
	}
	e, err := parseLine(keys, r.opening)
	switch {
	case err != nil:
		return Entry{}, err
	case r.ended:
		return Entry{}, errors.New("after the recording's end line")
	case e.Input.T < r.t:
		return Entry{}, fmt.Errorf("t falls from %d to %d", r.t, e.Input.T)
	}
	r.t = e.Input.T
	r.ended = e.Bytes == nil && e.Input.Kind == board.End
	return e, nil
}

// lost says that an opening line cannot be used: the lines after it belong to no recording, and that is said once, here.
func (r *Reader) lost(err error) error {
	r.opening, r.skip = nil, true
	return fmt.Errorf("opening line refused, its recording is skipped: %w", err)
}

// readLine gives the next line without its end. One that is longer than MaxLine ends the file: there may be no end to it.
func (r *Reader) readLine() ([]byte, error) {
	if r.fault != nil {
		return nil, r.fault
	}
	r.buf = r.buf[:0]
	r.line++
	for {
		part, err := r.in.ReadSlice('\n')
		if len(r.buf)+len(part) > MaxLine+1 {
			r.fault = fmt.Errorf("line %d: longer than %d bytes: this is no recording, the rest is not read", r.line, MaxLine)
			return nil, r.fault
		}
		r.buf = append(r.buf, part...)
		if err == bufio.ErrBufferFull {
			continue
		}
		if err != nil {
			r.fault = err
			if err != io.EOF {
				r.fault = fmt.Errorf("line %d: read: %w", r.line, err)
			}
		}
		if err != nil && len(bytes.TrimSpace(r.buf)) == 0 {
			return nil, r.fault
		}
		return r.buf, nil
	}
}
