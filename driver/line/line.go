// Package line keeps the serial lines of the boards of one process: each board finds its own, no two have the same, and a
// line that vanishes is missed.
package line

import (
	"errors"
	"fmt"
	"io"
	"slices"
	"sync"
	"time"

	"github.com/boardd/boardd/driver/port"
)

// Line is an open port that a board has. Beside what reading notices it is seen that the device has vanished, because not every
// adapter says so.
type Line struct {
	*port.Port
	lines   *Lines
	board   string
	path    string
	device  port.Device
	gone    chan struct{} // closed by watch when the device has vanished
	done    chan struct{} // closed by Close
	watched chan struct{} // closed when watch has ended
	once    sync.Once
	err     error
}

// Path is where the port was opened.
func (l *Line) Path() string { return l.path }

// misses is how often in a row a device must not be found to be gone: udev makes links anew sometimes.
const misses = 2

func (l *Line) watch() {
	defer close(l.watched)
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for missed := 0; ; {
		select {
		case <-l.done:
			return
		case <-ticker.C:
		}
		d, err := port.DeviceAt(l.path)
		if err == nil && d.Same(l.device) {
			missed = 0
			continue
		}
		if missed++; missed == misses {
			close(l.gone)
			l.Port.Close()
			return
		}
	}
}

// Read waits for bytes, as port.Port does, and says when the device has vanished.
func (l *Line) Read(b []byte) (int, error) {
	n, err := l.Port.Read(b)
	if errors.Is(err, io.ErrClosedPipe) {
		select {
		case <-l.gone:
			err = fmt.Errorf("serial port %s is gone: plug the board in again", l.path)
		default:
		}
	}
	return n, err
}

// Close closes the port and leaves it to others.
func (l *Line) Close() error {
	l.once.Do(func() {
		close(l.done)
		<-l.watched
		l.err = l.Port.Close()
		l.lines.mu.Lock()
		defer l.lines.mu.Unlock()
		l.lines.used = slices.DeleteFunc(l.lines.used, func(other *Line) bool { return other == l })
	})
	return l.err
}
