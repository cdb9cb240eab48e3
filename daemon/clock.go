package daemon

import (
	"sync"
	"time"
)

// Clock is the only time in the daemon. Core time counts whole milliseconds from the daemon's start and never falls, whatever
// happens to the wall clock.
type Clock interface {
	Now() int64
	// Wall is the time of day now; it may jump.
	Wall() time.Time
	NewTimer() Timer
}

// Timer is a timer of a Clock. It is for one goroutine.
type Timer interface {
	// C gets a value once Now has reached the time that was set.
	C() <-chan time.Time
	// Set replaces what was set before; 0 sets nothing.
	Set(at int64)
	Stop()
}

// Running is a clock that runs by itself.
type Running struct {
	start time.Time
	speed float64
}

// NewRunning starts a clock. A speed of 50 lets it run fifty times as fast as the time of day, also in what Wall says; 0 is 1.
func NewRunning(speed float64) *Running {
	if speed <= 0 {
		speed = 1
	}
	return &Running{time.Now(), speed}
}

// Now is the core time.
func (c *Running) Now() int64 { return int64(float64(time.Since(c.start)) * c.speed / 1e6) }

// Wall is the time of day; of a fast clock, what it would be had it run since the start.
func (c *Running) Wall() time.Time {
	if c.speed == 1 {
		return time.Now()
	}
	return c.start.Add(time.Duration(float64(time.Since(c.start)) * c.speed))
}

// NewTimer makes a timer that is not set.
func (c *Running) NewTimer() Timer {
	t := time.NewTimer(time.Hour)
	t.Stop()
	return &runningTimer{c, t}
}

type runningTimer struct {
	clock *Running
	timer *time.Timer
}

func (t *runningTimer) C() <-chan time.Time { return t.timer.C }
func (t *runningTimer) Stop()               { t.timer.Stop() }

func (t *runningTimer) Set(at int64) {
	t.timer.Stop()
	if at == 0 {
		return
	}
	wait := time.Duration(float64(at)*1e6/t.clock.speed) - time.Since(t.clock.start)
	t.timer.Reset(max(wait+time.Microsecond, 0)) // never a moment too early
}

// Manual is a clock for tests: it moves when told.
type Manual struct {
	mu     sync.Mutex
	now    int64
	zero   time.Time
	timers map[*manualTimer]bool
}

// NewManual stands at core time 0 and at zero of the day.
func NewManual(zero time.Time) *Manual {
	return &Manual{zero: zero, timers: map[*manualTimer]bool{}}
}

// Advance moves the clock on by so many milliseconds and lets timers go off.
func (c *Manual) Advance(ms int64) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.now += ms
	for t := range c.timers {
		t.fire()
	}
}

// Now is the core time.
func (c *Manual) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

// Wall is the time of day.
func (c *Manual) Wall() time.Time { return c.zero.Add(time.Duration(c.Now()) * time.Millisecond) }

// NewTimer makes a timer that is not set.
func (c *Manual) NewTimer() Timer {
	c.mu.Lock()
	defer c.mu.Unlock()
	t := &manualTimer{clock: c, c: make(chan time.Time, 1)}
	c.timers[t] = true
	return t
}

type manualTimer struct {
	clock *Manual
	c     chan time.Time
	at    int64
}

func (t *manualTimer) C() <-chan time.Time { return t.c }

func (t *manualTimer) Set(at int64) {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	select {
	case <-t.c:
	default:
	}
	t.at = at
	t.fire()
}

// fire sends if the time has come; the clock is locked.
func (t *manualTimer) fire() {
	if t.at != 0 && t.at <= t.clock.now {
		t.at = 0
		t.c <- t.clock.zero.Add(time.Duration(t.clock.now) * time.Millisecond)
	}
}

func (t *manualTimer) Stop() {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	t.at = 0
	delete(t.clock.timers, t)
}
