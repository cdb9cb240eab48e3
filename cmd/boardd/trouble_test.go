package main

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/rules"
)

// flashing counts how often anything lights up.
type flashing struct {
	mu  sync.Mutex
	lit int
}

func (f *flashing) Show(frame board.Frame) error {
	f.mu.Lock()
	defer f.mu.Unlock()
	if frame != (board.Frame{}) {
		f.lit++
	}
	return nil
}

func (f *flashing) Close() error { return nil }

func (f *flashing) count() (n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	n, f.lit = f.lit, 0
	return n
}

// The lights tell of trouble as long as the broker or the store is in trouble, whichever of them was mended first.
func TestTroubleOfBrokerAndStore(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := &flashing{}
		d := display{board: "a", runner: leds.NewRunner(f, leds.Options{Clock: ledClock{daemon.NewRunning(1)}})}
		ctx, cancel := context.WithCancel(t.Context())
		ended := make(chan error, 1)
		go func() { ended <- d.runner.Run(ctx) }()
		d.runner.Show(&game.View{
			Placement: board.EmptyPicture(), Mode: "casual", Status: "playing", LightsOn: true, Brightness: 100,
			Promotion: rules.NoSquare, Check: rules.NoSquare,
		})
		x := &trouble{displays: []display{d}}
		for i, step := range []struct {
			what    int
			is, lit bool
		}{
			{brokerTrouble, true, true},
			{storeTrouble, true, true},
			{brokerTrouble, false, true},
			{storeTrouble, false, false},
			{storeTrouble, true, true},
			{brokerTrouble, true, true},
			{storeTrouble, false, true},
			{brokerTrouble, false, false},
		} {
			x.set(step.what, step.is)
			<-time.After(time.Second)
			f.count()
			<-time.After(11 * time.Second)
			if n := f.count(); n > 0 != step.lit {
				t.Errorf("step %d: %d flashes", i, n)
			}
		}
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
	})
}
