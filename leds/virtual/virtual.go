// Package virtual is a display without hardware: it keeps the last frames that it was shown.
package virtual

import (
	"errors"
	"sync"

	"github.com/boardd/boardd/board"
)

// keep is how many frames a Display remembers: a daemon may run for years.
const keep = 1024

// Display keeps frames. It is safe for concurrent use.
type Display struct {
	mu      sync.Mutex
	frames  []board.Frame
	fault   error
	closed  bool
	changed chan struct{}
}

var _ board.Lights = (*Display)(nil)

// New is a display that is dark.
func New() *Display { return &Display{changed: make(chan struct{}, 1)} }

var errClosed = errors.New("the display is closed")

// Show keeps a frame, or fails as Fail asked for.
func (d *Display) Show(f board.Frame) error {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.tell()
	if d.closed {
		return errClosed
	}
	if d.fault == nil {
		if len(d.frames) == keep {
			d.frames = append(d.frames[:0], d.frames[1:]...)
		}
		d.frames = append(d.frames, f)
	}
	return d.fault
}

// Close darkens the display: a dark frame is kept if it was lit.
func (d *Display) Close() error {
	d.mu.Lock()
	defer d.mu.Unlock()
	defer d.tell()
	if n := len(d.frames); !d.closed && n > 0 && d.frames[n-1] != (board.Frame{}) {
		d.frames = append(d.frames, board.Frame{})
	}
	d.closed = true
	return nil
}

func (d *Display) tell() {
	select {
	case d.changed <- struct{}{}:
	default:
	}
}

// Fail lets every Show from now on fail with err, or work again when err is nil.
func (d *Display) Fail(err error) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.fault = err
}

// Frames are the last frames, the newest last, and whether the display is closed.
func (d *Display) Frames() (frames []board.Frame, closed bool) {
	d.mu.Lock()
	defer d.mu.Unlock()
	return append([]board.Frame(nil), d.frames...), d.closed
}

// Changed has a value after Show or Close was called since it was last received from.
func (d *Display) Changed() <-chan struct{} { return d.changed }
