package recording

import (
	"bufio"
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/boardd/boardd/board"
)

// Writer writes recordings, one line for each thing a board's core was told. It is not safe for concurrent use.
type Writer struct {
	out  *bufio.Writer
	open bool
	t    int64
}

// NewWriter writes to w; Flush brings what is buffered there.
func NewWriter(w io.Writer) *Writer { return &Writer{out: bufio.NewWriter(w)} }

// Open begins a recording.
func (w *Writer) Open(o Opening) error {
	if !o.HasAcuity && o.Driver == "" {
		return errors.New("open a recording: neither acuity nor driver")
	}
	w.open, w.t = true, 0
	return w.line(o.line())
}

// Input writes what the core was told. A Wake is not written: the core asks for the same ones again.
func (w *Writer) Input(in board.Input) error { return w.entry(Entry{Input: in}) }

// Bytes writes what a driver's port read at t; none at all says that the port was opened then.
func (w *Writer) Bytes(t int64, b []byte) error {
	return w.entry(Entry{Input: board.Input{T: t}, Bytes: append([]byte{}, b...)})
}

// Flush brings everything written to the underlying writer.
func (w *Writer) Flush() error { return w.out.Flush() }

func (w *Writer) entry(e Entry) error {
	line := e.format()
	switch {
	case line == nil:
		return nil
	case !w.open:
		return errors.New("write a recording: it was not opened")
	case e.Input.T < w.t:
		return fmt.Errorf("write a recording: t falls from %d to %d", w.t, e.Input.T)
	}
	w.t = e.Input.T
	return w.line(line)
}

func (w *Writer) line(v any) error {
	var text bytes.Buffer
	enc := json.NewEncoder(&text)
	enc.SetEscapeHTML(false)
	if err := enc.Encode(v); err != nil {
		return fmt.Errorf("write a recording: %w", err)
	}
	if text.Len() > MaxLine {
		return fmt.Errorf("write a recording: a line of %d bytes", text.Len())
	}
	_, err := w.out.Write(text.Bytes())
	return err
}
