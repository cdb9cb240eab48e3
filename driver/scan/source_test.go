package scan

import (
	"context"
	"errors"
	"runtime"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// hurried is a clock that jumps to whatever is waited for, unless it is told to stand still.
type hurried struct {
	mu    sync.Mutex
	now   int64
	still bool
	set   chan int64 // hears what is waited for while it stands still
}

func (c *hurried) Now() int64 {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.now
}

func (c *hurried) NewTimer() Timer { return &hurriedTimer{c, make(chan time.Time, 1)} }

type hurriedTimer struct {
	clock *hurried
	c     chan time.Time
}

func (t *hurriedTimer) C() <-chan time.Time { return t.c }
func (t *hurriedTimer) Stop()               {}

func (t *hurriedTimer) Set(at int64) {
	t.clock.mu.Lock()
	defer t.clock.mu.Unlock()
	if t.clock.still {
		select {
		case t.clock.set <- at:
		default:
		}
		return
	}
	t.clock.now = max(t.clock.now, at)
	select {
	case t.c <- time.Time{}:
	default:
	}
}

// fake is a sensor whose reads a test answers.
type fake struct {
	read    func(n int, r *Reading) error
	setup   error
	close   error
	changed chan struct{}
	reads   int
	closed  int
}

func (f *fake) Traits() Traits           { return Traits{} }
func (f *fake) Setup() error             { return f.setup }
func (f *fake) Check() error             { return nil }
func (f *fake) Changed() <-chan struct{} { return f.changed }

func (f *fake) Read(r *Reading) error {
	f.reads++
	return f.read(f.reads, r)
}

func (f *fake) Close() error {
	f.closed++
	return f.close
}

// TestSourceRunsUntilItsSensorFails has GP-06: what goes wrong is told and not passed over.
func TestSourceRunsUntilItsSensorFails(t *testing.T) {
	t.Parallel()
	f := &fake{read: func(n int, r *Reading) error {
		if n > 10 {
			return errBus
		}
		r.Bits = uint64(n) / 5
		return nil
	}}
	count := &Counters{}
	s := Source{Open: func(context.Context) (Sensor, error) { return f, nil }, Options: Options{Map: rows(), PeriodMs: 10, Counters: count}}
	var got []board.Input
	err := s.Run(t.Context(), &hurried{}, func(in board.Input) { got = append(got, in) })
	if !errors.Is(err, errBus) || f.closed != 1 {
		t.Errorf("%v, closed %d times", err, f.closed)
	}
	const empty = "......../......../......../......../......../......../......../........"
	if want := "online=true scan " + empty + " a1x a1. b1x"; told(got) != want {
		t.Errorf("said %s, want %s", told(got), want)
	}
	if count.FailedScans.Load() != 3 || count.Scans.Load() != 10 || count.SetUps.Load() != 2 {
		t.Errorf("%d failed, %d scans, %d set-ups", count.FailedScans.Load(), count.Scans.Load(), count.SetUps.Load())
	}
	f.setup = errors.New("MCP23017 at 0x20: does not answer")
	if err := s.Run(t.Context(), &hurried{}, nil); !errors.Is(err, f.setup) || f.closed != 2 {
		t.Errorf("%v, closed %d times", err, f.closed)
	}
	s.Open = func(context.Context) (Sensor, error) { return nil, errBus }
	if err := s.Run(t.Context(), &hurried{}, nil); !errors.Is(err, errBus) {
		t.Error(err)
	}
}

// TestErrorsAreOneLine: a chip that is gone cannot be closed either, and that is not said once more.
func TestErrorsAreOneLine(t *testing.T) {
	t.Parallel()
	f := &fake{read: func(int, *Reading) error { return errBus }, close: errors.New("drive lines: no such device")}
	s := Source{Open: func(context.Context) (Sensor, error) { return f, nil }, Options: Options{Map: rows(), PeriodMs: 10}}
	want := "3 scans have failed, one after the other: " + errBus.Error()
	if err := s.Run(t.Context(), &hurried{}, nil); !errors.Is(err, errBus) || err.Error() != want {
		t.Errorf("%q, want %q", err, want)
	}
}

// TestSourceRunsOn has GP-07: nothing is lost to the garbage collector while it runs.
func TestSourceRunsOn(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	const n = 3000
	f := &fake{}
	f.read = func(n int, r *Reading) error {
		if n%300 == 0 {
			runtime.GC()
		}
		if r.Bits = uint64(n % 2); n == 3000 {
			cancel()
		}
		return nil
	}
	changes := 0
	s := Source{Open: func(context.Context) (Sensor, error) { return f, nil }, Options: Options{Map: rows(), PeriodMs: 10}}
	if err := s.Run(ctx, &hurried{}, func(board.Input) { changes++ }); err != nil || f.closed != 1 || changes < n {
		t.Errorf("%v, closed %d times, %d inputs", err, f.closed, changes)
	}
}

// TestSensorThatHangsIsSeenToBeAsked: whoever looks after a board sees that its sensor does not answer, and since when.
func TestSensorThatHangsIsSeenToBeAsked(t *testing.T) {
	t.Parallel()
	count := &Counters{}
	f := &fake{read: func(n int, r *Reading) error {
		if count.Asked.Load() == 0 {
			t.Errorf("read %d: nothing is asked", n)
		}
		if n > 20 {
			return errBus
		}
		return nil
	}}
	s := Source{Open: func(context.Context) (Sensor, error) {
		if count.Asked.Load() == 0 {
			t.Error("open: nothing is asked")
		}
		return f, nil
	}, Options: Options{Map: rows(), PeriodMs: 10, Counters: count}}
	err := s.Run(t.Context(), &hurried{now: 7}, func(board.Input) {
		if at := count.Asked.Load(); at != 0 {
			t.Errorf("asked since %d while an input is given", at)
		}
	})
	if !errors.Is(err, errBus) || count.Asked.Load() != 0 {
		t.Errorf("%v, asked since %d at the end", err, count.Asked.Load())
	}
}

func TestAlarmWakesTheSource(t *testing.T) {
	t.Parallel()
	clock := &hurried{set: make(chan int64, 1)}
	f := &fake{changed: make(chan struct{})}
	inputs := make(chan string, 10)
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	s := Source{Open: func(context.Context) (Sensor, error) { return f, nil }, Options: Options{Map: rows(), PeriodMs: 10}}
	f.read = func(n int, r *Reading) error {
		clock.mu.Lock()
		defer clock.mu.Unlock()
		clock.still = clock.now >= 500
		if n > 51 {
			r.Bits = 1
		}
		return nil
	}
	go func() {
		done <- s.Run(ctx, clock, func(in board.Input) { inputs <- told([]board.Input{in}) })
	}()
	<-inputs
	<-inputs
	if at := <-clock.set; at != 1000 {
		t.Errorf("the next scan is at %d", at)
	}
	f.changed <- struct{}{}
	select {
	case in := <-inputs:
		if !strings.HasPrefix(in, "a1x") {
			t.Errorf("said %s", in)
		}
	case <-time.After(10 * time.Second):
		t.Error("the alarm is not heard")
	}
	cancel()
	if err := <-done; err != nil || f.closed != 1 {
		t.Errorf("%v, closed %d times", err, f.closed)
	}
}
