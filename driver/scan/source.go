package scan

import (
	"cmp"
	"context"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/boardd/boardd/board"
)

// Counters count what has happened to the scans of a board, for people who look after it. They may be read at any time.
type Counters struct {
	Scans       atomic.Int64 // scans that gave a reading
	Late        atomic.Int64 // scans left out because the one before took too long
	Reread      atomic.Int64 // readings with so much news that they were read again
	Dropped     atomic.Int64 // readings that were not confirmed by a second one
	FailedReads atomic.Int64 // reads that ended with an error
	FailedScans atomic.Int64 // scans of which both reads did
	SetUps      atomic.Int64 // times the sensor was set up
	Lost        atomic.Int64 // times its registers were not as they had been set
	Ghosts      atomic.Int64 // readings with contacts that cannot be told from ghosts

	// Asked is the core time, from 1, at which the sensor was asked for what it has not answered yet; 0 while it owes nothing.
	Asked atomic.Int64
}

// Clock is the core's time.
type Clock interface {
	Now() int64
	NewTimer() Timer
}

// Timer is a timer of a Clock.
type Timer interface {
	C() <-chan time.Time
	Set(at int64)
	Stop()
}

// Source is the goroutine that owns a sensor.
type Source struct {
	Open    func(context.Context) (Sensor, error)
	Options Options // Traits and Alarm are taken from the sensor
}

// Run opens the sensor and gives what it says, until ctx ends or the sensor has failed for good: then Run may be called again.
func (s *Source) Run(ctx context.Context, clock Clock, give func(board.Input)) (err error) {
	counters := cmp.Or(s.Options.Counters, &Counters{})
	asked := func() { counters.Asked.Store(max(clock.Now(), 1)) }
	answered := func() { counters.Asked.Store(0) }
	asked()
	defer answered() // after Close
	sensor, err := s.Open(ctx)
	answered()
	if err != nil {
		return err
	}
	defer func() {
		asked()
		if closed := sensor.Close(); closed != nil && err == nil {
			err = fmt.Errorf("close: %w", closed) // of a sensor that is gone it says nothing new
		}
		if ctx.Err() != nil {
			err = nil
		}
	}()
	o := s.Options
	o.Traits = sensor.Traits()
	var changed <-chan struct{}
	if a, ok := sensor.(Alarm); ok {
		changed = a.Changed()
		o.Alarm = changed != nil
	}
	timer := clock.NewTimer()
	defer timer.Stop()
	m := NewMachine(o)
	next := m.Start(clock.Now())
	var reading Reading
	for {
		if !wait(ctx, clock, timer, next, changed) {
			return nil
		}
		asked()
		switch next.Do {
		case SetUp:
			err = sensor.Setup()
		case Check:
			err = sensor.Check()
		case Read:
			err = sensor.Read(&reading)
		case Stop:
			return next.Err
		}
		answered()
		var inputs []board.Input
		inputs, next = m.Step(clock.Now(), &reading, err)
		for _, in := range inputs {
			give(in)
		}
	}
}

// wait is over when the time has come, or the alarm; it is false when ctx has ended.
func wait(ctx context.Context, clock Clock, timer Timer, next Next, changed <-chan struct{}) bool {
	if !next.Alarm {
		changed = nil
	}
	for clock.Now() < next.At {
		timer.Set(next.At)
		select {
		case <-ctx.Done():
			return false
		case <-timer.C():
		case <-changed:
			return true
		}
	}
	return ctx.Err() == nil
}
