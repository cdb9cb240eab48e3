package leds

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"
	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds/virtual"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bubble is the clock of a synctest bubble.
type bubble struct{ start time.Time }

func (b bubble) Now() int64      { return time.Since(b.start).Milliseconds() }
func (b bubble) NewTimer() Timer { return bubbleTimer{b, time.NewTimer(time.Hour)} }

type bubbleTimer struct {
	bubble
	timer *time.Timer
}

func (t bubbleTimer) C() <-chan time.Time { return t.timer.C }
func (t bubbleTimer) Stop()               { t.timer.Stop() }
func (t bubbleTimer) Set(at int64) {
	t.timer.Stop()
	if at != 0 {
		t.timer.Reset(time.Duration(at-t.Now()) * time.Millisecond)
	}
}

// run runs a Runner in a bubble of fake time beside the test's steps, and gives what was shown.
func run(t *testing.T, lights *virtual.Display, log *slog.Logger, steps func(r *Runner)) []board.Frame {
	t.Helper()
	r := NewRunner(lights, Options{Clock: bubble{time.Now()}, Log: log})
	ctx, cancel := context.WithCancel(t.Context())
	done := make(chan error)
	go func() { done <- r.Run(ctx) }()
	synctest.Wait()
	steps(r)
	synctest.Wait()
	cancel()
	if err := <-done; err != nil {
		t.Fatal(err)
	}
	frames, closed := lights.Frames()
	if !closed || len(frames) == 0 || frames[len(frames)-1] != (board.Frame{}) {
		t.Error("the display was not left dark and closed")
	}
	return frames
}

// after lets fake time pass.
func after(ms int64) {
	<-time.After(time.Duration(ms) * time.Millisecond)
	synctest.Wait()
}

func TestRunnerSendsOnlyChanges(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lights := virtual.New()
		count := func() int { f, _ := lights.Frames(); return len(f) }
		run(t, lights, nil, func(r *Runner) {
			if count() != 1 {
				t.Errorf("%d frames before the first view, want one dark", count())
			}
			last := view("e4", func(v *game.View) { v.Last = &game.Shown{From: sq("e2"), To: sq("e4")} })
			r.Show(last)
			after(1)
			r.Show(view("e4", func(v *game.View) { v.Last = last.Last })) // another view that looks the same
			after(60_000)
			if count() != 2 {
				t.Errorf("%d frames after a minute of the same light, want 2", count())
			}
			r.Show(view("", func(v *game.View) { v.Put = set("e2") }))
			after(10_000)
			if n := count() - 2; n < 19 || n > 21 {
				t.Errorf("%d frames in ten seconds of slow blinking, want 20", n)
			}
			r.Show(view("", nil))
			after(idleMs)
		})
	})
}

func TestRunnerTakesTheNewestView(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lights := virtual.New()
		frames := run(t, lights, nil, func(r *Runner) {
			for q := range 64 {
				r.Show(view("", func(v *game.View) { v.Targets = 1 << q }))
			}
		})
		want := board.Frame{63: white}
		if got := frames[len(frames)-2]; got != want {
			t.Errorf("last lit frame is %v", named(got))
		}
	})
}

func TestRunnerRetriesAFailingDisplay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var text bytes.Buffer
		lights := virtual.New()
		lights.Fail(errors.New("bus is gone"))
		frames := run(t, lights, slog.New(slog.NewTextHandler(&text, nil)), func(r *Runner) {
			r.Show(view("", func(v *game.View) { v.Targets = set("e4") }))
			after(30_000)
			lights.Fail(nil)
			after(longRetryMs)
		})
		if len(frames) != 2 || frames[0] != (lit{"e4": white}).frame() {
			t.Errorf("%d frames, the first is %v", len(frames), named(frames[0]))
		}
		if out := text.String(); strings.Count(out, "bus is gone") != 1 || strings.Count(out, "work again") != 1 {
			t.Errorf("said:\n%s", out)
		}
	})
}

func TestRunnerReportsADisplayThatCannotBeDarkened(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lights := virtual.New()
		lights.Fail(errors.New("bus is gone"))
		ctx, cancel := context.WithCancel(t.Context())
		cancel()
		if err := NewRunner(lights, Options{Clock: bubble{time.Now()}}).Run(ctx); err == nil {
			t.Error("no error")
		}
	})
}

// counting counts what is sent to a display of its own kind.
type counting struct {
	board.Lights
	frames []board.Frame
	at     []int64
	now    func() int64
	closed int
	panics bool
}

func (c *counting) Show(f board.Frame) error {
	c.frames, c.at = append(c.frames, f), append(c.at, c.now())
	if c.panics && f != (board.Frame{}) {
		panic("a display's fault")
	}
	return nil
}

func (c *counting) Close() error { c.closed++; return nil }

// Two boards of a process that come to blink at different times blink together.
func TestBoardsBlinkInPhase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := bubble{time.Now()}
		ctx, cancel := context.WithCancel(t.Context())
		var done []chan error
		var displays []*counting
		for i, pause := range []int64{337, 1291} {
			d := &counting{now: clock.Now}
			r := NewRunner(d, Options{Clock: clock})
			end := make(chan error, 1)
			go func() { end <- r.Run(ctx) }()
			after(pause)
			r.Show(view("a1", func(v *game.View) { v.Remove, v.Put = set("a1"), 1<<(20+i) }))
			displays, done = append(displays, d), append(done, end)
		}
		after(10_000)
		cancel()
		for _, end := range done {
			if err := <-end; err != nil {
				t.Error(err)
			}
		}
		var edges [2][]int64
		for i, d := range displays {
			for n := 1; n < len(d.at); n++ {
				if d.at[n] > 4000 && d.at[n] < 11_000 {
					edges[i] = append(edges[i], d.at[n])
				}
			}
		}
		if len(edges[0]) < 30 || !slices.Equal(edges[0], edges[1]) {
			t.Errorf("edges at %v and %v", edges[0], edges[1])
		}
	})
}

func TestRunnerDarkensAfterAPanic(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := &counting{panics: true, now: func() int64 { return 0 }}
		r := NewRunner(d, Options{Clock: bubble{time.Now()}})
		r.Show(view("", func(v *game.View) { v.Targets = set("e4") }))
		func() {
			defer func() {
				if recover() == nil {
					t.Error("no panic")
				}
			}()
			_ = r.Run(t.Context())
		}()
		if n := len(d.frames); n < 2 || d.frames[n-1] != (board.Frame{}) || d.closed != 1 {
			t.Errorf("%d frames, closed %d times", len(d.frames), d.closed)
		}
	})
}

func TestRepeatedFrames(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		clock := bubble{time.Now()}
		d := &counting{now: clock.Now}
		r := NewRunner(d, Options{Clock: clock, Repeat: true})
		ctx, cancel := context.WithCancel(t.Context())
		end := make(chan error, 1)
		go func() { end <- r.Run(ctx) }()
		after(5000)
		r.Show(view("", func(v *game.View) { v.Targets = set("e4") }))
		after(600)
		r.Show(view("", func(v *game.View) { v.Targets = set("e5") }))
		after(60_000)
		cancel()
		<-end
		want := []int64{0, 1000, 5000, 5600, 6600, 65_600}
		if !slices.Equal(d.at, want) || d.frames[4] != d.frames[3] {
			t.Errorf("sent at %v, want %v", d.at, want)
		}
	})
}

func TestNightHours(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		h      Hours
		minute int
		want   bool
	}{
		{Hours{22 * 60, 7 * 60}, 21*60 + 59, false}, {Hours{22 * 60, 7 * 60}, 22 * 60, true}, {Hours{22 * 60, 7 * 60}, 0, true},
		{Hours{22 * 60, 7 * 60}, 7*60 - 1, true}, {Hours{22 * 60, 7 * 60}, 7 * 60, false}, {Hours{60, 120}, 90, true},
		{Hours{60, 120}, 120, false}, {Hours{}, 0, false},
	} {
		if got := c.h.Has(c.minute); got != c.want {
			t.Errorf("%v at %d: %v", c.h, c.minute, got)
		}
	}
	synctest.Test(t, func(t *testing.T) {
		clock := bubble{time.Now()}
		d := &counting{now: clock.Now}
		r := NewRunner(d, Options{Clock: clock, Night: Hours{22 * 60, 7 * 60}, Minute: func() int { return (21*60 + 58 + int(clock.Now()/60_000)) % (24 * 60) }})
		ctx, cancel := context.WithCancel(t.Context())
		end := make(chan error, 1)
		go func() { end <- r.Run(ctx) }()
		r.Show(view("", func(v *game.View) { v.Targets = set("e4") }))
		after(5 * 60_000)
		cancel()
		<-end
		night := board.RGB{R: 12, G: 12, B: 12}
		if len(d.frames) < 3 || d.frames[len(d.frames)-3] != (lit{"e4": white}).frame() || d.frames[len(d.frames)-2] != (lit{"e4": night}).frame() ||
			d.at[len(d.at)-2] != 120_000 {
			t.Errorf("sent at %v", d.at)
		}
	})
}

func TestTroubleBesideTheBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		lights := virtual.New()
		frames := run(t, lights, nil, func(r *Runner) {
			r.Show(view("", nil))
			after(1)
			r.SetTrouble(true)
			r.SetTrouble(true)
			after(5100)
			r.SetTrouble(false)
			after(60_000)
		})
		flashes := 0
		for _, f := range frames {
			if f == (lit{"a1": white}).frame() {
				flashes++
			}
		}
		if flashes != 2 || len(frames) > 5 {
			t.Errorf("%d flashes in %d frames", flashes, len(frames))
		}
	})
}

// A display that does not return keeps nobody waiting but itself.
func TestABlockedDisplayDoesNotBlockTheBoard(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := blocked{make(chan struct{})}
		r := NewRunner(b, Options{Clock: bubble{time.Now()}})
		ctx, cancel := context.WithCancel(t.Context())
		end := make(chan error, 1)
		go func() { end <- r.Run(ctx) }()
		synctest.Wait()
		for range 1000 {
			r.Show(view("", func(v *game.View) { v.Targets = set("e4") }))
			r.SetTrouble(true)
		}
		cancel()
		close(b.until)
		<-end
	})
}

type blocked struct{ until chan struct{} }

func (b blocked) Show(board.Frame) error { <-b.until; return nil }
func (b blocked) Close() error           { return nil }

// Whatever frames come, however fast, no square lights up more than three times in any second, and what is held back comes.
func TestGuard(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		var g guard
		now := rapid.Int64Range(0, 5000).Draw(t, "start")
		var rises []int64
		was := false
		wanted := board.Frame{9: white}
		for range rapid.IntRange(1, 60).Draw(t, "frames") {
			f := wanted
			if rapid.Bool().Draw(t, "dark") {
				f = board.Frame{}
			}
			shown, _ := g.pass(f, now)
			if shown[9] != (board.RGB{}) && shown != f {
				t.Fatal("the guard lights what nobody asked for")
			}
			lit := shown[9] != (board.RGB{})
			if lit && !was {
				rises = append(rises, now)
			}
			was = lit
			now += rapid.Int64Range(1, 300).Draw(t, "pause")
		}
		for i := 3; i < len(rises); i++ {
			if rises[i]-rises[i-3] < 1000 {
				t.Fatalf("four flashes at %v", rises[i-3:i+1])
			}
		}
		shown, held := g.pass(wanted, now)
		if (shown != wanted) != (held != 0) || held != 0 && held <= now {
			t.Fatalf("held until %d at %d, shown %v", held, now, named(shown))
		}
		if held != 0 {
			if shown, _ := g.pass(wanted, held); shown != wanted {
				t.Fatal("still dark when the guard said that it may light up")
			}
		}
	})
}
