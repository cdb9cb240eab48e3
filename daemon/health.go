package daemon

import (
	"context"
	"sync"
)

// Health is how a board does, as far as its loop knows.
type Health struct {
	Online bool   // the board answers
	Failed bool   // the loop has failed, and this board stands still
	Fault  string // why the board cannot be read; "" while nothing is known against it
}

// health is a Health that the loop and the source of a board write.
type health struct {
	mu sync.Mutex
	is Health
}

// change changes it and reports whether that made a difference.
func (h *health) change(how func(*Health)) bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.is
	how(&h.is)
	return h.is != before
}

// note changes what is known of the board's health and tells whoever watches.
func (s *seat) note(how func(*Health)) {
	if s.health.change(how) {
		s.daemon.signal()
	}
}

// Health is how a board does; Watch tells of changes. A board that there is not is not online.
func (d *Daemon) Health(board string) Health {
	s := d.byID[board]
	if s == nil {
		return Health{}
	}
	s.health.mu.Lock()
	defer s.health.mu.Unlock()
	return s.health.is
}

// Ping asks each board's loop for a sign of life and names the boards whose loop has given none when ctx ended. A loop that has ended
// owes none.
func (d *Daemon) Ping(ctx context.Context) (silent []string) {
	answered := make([]bool, len(d.seats))
	var asking sync.WaitGroup
	for i, s := range d.seats {
		asking.Go(func() {
			select {
			case <-s.pings: // the loop offers one whenever it waits
				answered[i] = true
			case <-s.done:
				answered[i] = true
			case <-ctx.Done():
			}
		})
	}
	asking.Wait()
	for i, s := range d.seats {
		if !answered[i] {
			silent = append(silent, s.board.Info.ID)
		}
	}
	return silent
}
