package buttons

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

var three = []Button{{Name: "new_game"}, {Name: "takeback"}, {Name: "shutdown", HoldMs: 2000}}

// TestPresses gives levels at times, "30:1" being line 0 active at 30 ms, and calls the machine when it asks for it.
func TestPresses(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name   string
		levels string
		want   string
	}{
		{"a press", "100:1 400:0", "130 new_game"},
		{"two presses", "100:1 200:0 300:1 400:0", "130 new_game 330 new_game"},
		{"bounce", "100:1 105:0 107:1 120:0 122:1 500:0 503:1 506:0", "152 new_game"},
		{"too short", "100:1 129:0", ""},
		{"just long enough", "100:1 130:0", "130 new_game"},
		{"two buttons", "100:1 110:3 300:0", "130 new_game 140 takeback"},
		{"held", "100:4 3000:0", "2100 shutdown"},
		{"held, then again", "100:4 3000:0 4000:4 7000:0", "2100 shutdown 6000 shutdown"},
		{"not held long enough", "100:4 2000:0 3000:0", ""},
		{"bounces while it is held", "100:4 1000:0 1010:4 2500:0", "2100 shutdown"},
		{"let go while it is held", "100:4 1000:0 1040:4 2500:0", ""},
		{"nothing", "100:0", ""},
	} {
		m := NewMachine(three, 30, 0, 0)
		var got []string
		var levels uint64
		wake := int64(0)
		step := func(now int64) {
			var pressed []string
			pressed, wake = m.Step(now, levels)
			for _, p := range pressed {
				got = append(got, fmt.Sprint(now, " ", p))
			}
			if wake != 0 && wake <= now {
				t.Fatalf("%s: wants to be woken at %d, it is %d", test.name, wake, now)
			}
		}
		for _, change := range strings.Fields(test.levels) {
			var at int64
			var to uint64
			if _, err := fmt.Sscanf(change, "%d:%d", &at, &to); err != nil {
				t.Fatal(err)
			}
			for wake != 0 && wake <= at {
				step(wake)
			}
			levels = to
			step(at)
		}
		for wake != 0 {
			step(wake)
		}
		if s := strings.Join(got, " "); s != test.want {
			t.Errorf("%s: got %q, want %q", test.name, s, test.want)
		}
	}
}

func TestButtonThatIsDownFromTheStartIsNotPressed(t *testing.T) {
	t.Parallel()
	m := NewMachine(three, 30, 0, 4)
	for now := int64(0); now < 5000; now += 10 {
		if p, _ := m.Step(now, 4); len(p) != 0 {
			t.Fatalf("%v at %d", p, now)
		}
	}
}

// TestPressesAreNeverMoreThanTheLineAllows: between two presses of a button the line was released for the time of debouncing.
func TestPressesAreNeverMoreThanTheLineAllows(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		m := NewMachine(three[:1], 20, 0, 0)
		now, last := int64(0), int64(-1000)
		for range 200 {
			now += rapid.Int64Range(1, 15).Draw(t, "ms")
			p, _ := m.Step(now, uint64(rapid.IntRange(0, 1).Draw(t, "level")))
			if len(p) > 0 {
				if now-last < 40 {
					t.Fatalf("presses at %d and %d", last, now)
				}
				last = now
			}
		}
	})
}

// clock is the real one.
type clock struct{ start time.Time }

func (c clock) Now() int64           { return time.Since(c.start).Milliseconds() }
func (c clock) NewTimer() scan.Timer { return &timer{c, time.NewTimer(time.Hour)} }

type timer struct {
	clock
	*time.Timer
}

func (t *timer) C() <-chan time.Time { return t.Timer.C }
func (t *timer) Stop()               { t.Timer.Stop() }
func (t *timer) Set(at int64) {
	t.Timer.Stop()
	if at != 0 {
		t.Timer.Reset(max(time.Until(t.start.Add(time.Duration(at)*time.Millisecond)), 0) + time.Microsecond)
	}
}

// keys are lines that a test presses.
type keys struct {
	mu      sync.Mutex
	levels  uint64
	err     error
	closed  bool
	changed chan struct{}
}

func (k *keys) Get() (uint64, error) {
	k.mu.Lock()
	defer k.mu.Unlock()
	return k.levels, k.err
}

func (k *keys) Close() error {
	k.closed = true
	return nil
}

func (k *keys) Changed() <-chan struct{} { return k.changed }

func (k *keys) set(levels uint64, err error) {
	k.mu.Lock()
	k.levels, k.err = levels, err
	k.mu.Unlock()
	k.changed <- struct{}{}
}

func TestSource(t *testing.T) {
	t.Parallel()
	k := &keys{changed: make(chan struct{})}
	s := Source{Open: func() (pins.Alert, error) { return k, nil }, Buttons: three, DebounceMs: 2}
	ctx, cancel := context.WithCancel(t.Context())
	presses := make(chan string, 10)
	done := make(chan error)
	run := func() {
		done <- s.Run(ctx, clock{time.Now()}, func(_ int64, name string) { presses <- name })
	}
	go run()
	k.set(0, nil) // it has seen all lines at rest
	for levels, want := range map[uint64]string{1: "new_game", 2: "takeback"} {
		k.set(levels, nil)
		select {
		case got := <-presses:
			if got != want {
				t.Errorf("%s, want %s", got, want)
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%s is not heard", want)
		}
	}
	gone := errors.New("no such device")
	k.set(0, gone)
	if err := <-done; !errors.Is(err, gone) || !k.closed {
		t.Errorf("%v, closed %v", err, k.closed)
	}
	k.levels, k.err, k.closed = 0, nil, false
	go run()
	k.set(0, nil)
	cancel()
	if err := <-done; err != nil || !k.closed {
		t.Errorf("%v, closed %v", err, k.closed)
	}
	s.Open = func() (pins.Alert, error) { return nil, gone }
	if err := s.Run(t.Context(), clock{}, nil); !errors.Is(err, gone) {
		t.Error(err)
	}
	if !slices.Equal(three, s.Buttons) {
		t.Error("changed")
	}
}
