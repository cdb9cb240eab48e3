package virtual

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// bubble is the clock of a synctest bubble, running ten times as fast as its time.
type bubble struct{ start time.Time }

func (b bubble) Now() int64      { return 5000 + time.Since(b.start).Milliseconds()*10 }
func (b bubble) NewTimer() Timer { return &bubbleTimer{b, time.NewTimer(time.Hour)} }

type bubbleTimer struct {
	bubble
	timer *time.Timer
}

func (t *bubbleTimer) C() <-chan time.Time { return t.timer.C }
func (t *bubbleTimer) Stop()               { t.timer.Stop() }
func (t *bubbleTimer) Set(at int64) {
	t.timer.Reset(time.Duration((at-t.Now()+9)/10) * time.Millisecond)
}

func TestInputsComeAtTheirTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inputs := make(chan board.Input, 8)
		for _, at := range []int64{100, 100, 1000, 400} {
			inputs <- board.Input{T: at, Kind: board.Change, Square: 12, Symbol: board.Empty}
		}
		close(inputs)
		clock := bubble{time.Now()}
		var got []board.Input
		var at []int64
		b := Board{Start: board.EmptyPicture(), Inputs: inputs}
		if err := b.Run(t.Context(), clock, func(in board.Input) { got, at = append(got, in), append(at, clock.Now()) }); err != nil {
			t.Fatal(err)
		}
		if !got[0].Online || got[0].Kind != board.Link || got[1].Kind != board.Scan || got[1].Picture != board.EmptyPicture() {
			t.Errorf("begins with %+v", got[:2])
		}
		if want := []int64{5000, 5000, 5100, 5100, 6000, 6000}; !slices.Equal(at, want) {
			t.Errorf("given at %v, want %v", at, want)
		}
		for i, in := range got {
			if in.T != at[i] {
				t.Errorf("input %d is stamped %d and came at %d", i, in.T, at[i])
			}
		}
	})
}

func TestALateInputKeepsItsTime(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		inputs := make(chan board.Input, 1)
		clock := bubble{time.Now()}
		done := make(chan []int64)
		go func() {
			var got []int64
			b := Board{Inputs: inputs}
			_ = b.Run(t.Context(), clock, func(in board.Input) { got = append(got, in.T) })
			done <- got
		}()
		<-time.After(time.Second)
		inputs <- board.Input{T: 300}
		inputs <- board.Input{T: 200} // falls: takes the time before it
		close(inputs)
		if got, want := <-done, []int64{5000, 5000, 5300, 5300}; !slices.Equal(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	})
}

func TestRunEndsWhileItWaits(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		in   []board.Input
	}{{"for an input", nil}, {"for an input's time", []board.Input{{T: 3_600_000}}}} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				inputs := make(chan board.Input, 1)
				for _, in := range c.in {
					inputs <- in
				}
				ctx, cancel := context.WithCancel(t.Context())
				given := 0
				done := make(chan error)
				go func() {
					b := Board{Inputs: inputs}
					done <- b.Run(ctx, bubble{time.Now()}, func(board.Input) { given++ })
				}()
				synctest.Wait()
				cancel()
				if err := <-done; err != nil || given != 2 {
					t.Errorf("%v after %d inputs", err, given)
				}
			})
		})
	}
}
