package daemon

import (
	"log/slog"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/recording"
)

// recorderLimit is how many lines may wait for the disk.
const recorderLimit = 4096

// recorder writes a board's recording in a goroutine of its own, so that a slow disk stalls no board. When it cannot keep up
// or write, the recording stops there: one with a hole would tell a story that did not happen.
type recorder struct {
	out     *recording.Writer
	log     *slog.Logger
	lines   chan line
	stopped bool // no more lines, seen from the board's goroutine
}

type line struct {
	opening *recording.Opening
	input   board.Input
	bytes   []byte
}

func newRecorder(out *recording.Writer, log *slog.Logger) *recorder {
	return &recorder{out: out, log: log, lines: make(chan line, recorderLimit)}
}

func (r *recorder) open(o recording.Opening) { r.put(line{opening: &o}) }
func (r *recorder) Input(in board.Input)     { r.put(line{input: in}) }
func (r *recorder) Bytes(t int64, b []byte) {
	r.put(line{input: board.Input{T: t}, bytes: append([]byte{}, b...)})
}

func (r *recorder) put(l line) {
	if r.stopped {
		return
	}
	select {
	case r.lines <- l:
	default:
		r.stopped = true
		r.log.Error("recording stopped: the disk is too slow")
	}
}

// run writes until the board has ended, and then what is left. It flushes whenever there is nothing to do.
func (r *recorder) run(done <-chan struct{}) {
	failed := false
	write := func(l line) {
		if failed {
			return
		}
		err := r.line(l)
		if err == nil && len(r.lines) == 0 {
			err = r.out.Flush()
		}
		if err != nil {
			failed = true
			r.log.Error("recording stopped", "err", err)
		}
	}
	for {
		select {
		case l := <-r.lines:
			write(l)
		case <-done:
			for len(r.lines) > 0 {
				write(<-r.lines)
			}
			return
		}
	}
}

func (r *recorder) line(l line) error {
	switch {
	case l.opening != nil:
		return r.out.Open(*l.opening)
	case l.bytes != nil:
		return r.out.Bytes(l.input.T, l.bytes)
	}
	return r.out.Input(l.input)
}
