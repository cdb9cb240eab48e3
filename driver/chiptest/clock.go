package chiptest

import (
	"sync"
	"time"
)

// Clock is the time of a simulated bench. Chips and wires take their time by it; nobody waits in earnest.
// The zero Clock starts at 0 and can be used.
type Clock struct {
	mu  sync.Mutex
	now time.Duration
}

// Wait lets time pass. It is what a driver under test takes for waiting.
func (c *Clock) Wait(d time.Duration) {
	if c == nil || d <= 0 {
		return
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += d
}

// Now is how much time has passed; 0 for ever on a nil Clock.
func (c *Clock) Now() time.Duration {
	if c == nil {
		return 0
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}
