package main

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
	"syscall"
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

// fullDisk takes nothing while it is full.
type fullDisk struct {
	*daemon.Memory
	full atomic.Bool
}

func (f *fullDisk) Commit(b []daemon.Batch) error {
	if f.full.Load() {
		return syscall.ENOSPC
	}
	return f.Memory.Commit(b)
}

func (f *fullDisk) Replace(_ []game.NewEpoch, b []daemon.Batch) error { return f.Commit(b) }
func (f *fullDisk) Delivered(_, _, _ string, _ int64)                 {}
func (f *fullDisk) Store() string                                     { return game.StoreOK }

// A disk that takes no more events is told by the lights, and so is that it takes them again.
func TestLightsTellOfAFullDisk(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		disk := &fullDisk{Memory: daemon.NewMemory()}
		log := slog.New(slog.DiscardHandler)
		clock := daemon.NewRunning(1)
		house, err := daemon.New(daemon.Options{
			Journal: &daemon.Guard{Disk: disk, Log: log}, Log: log, Clock: clock,
			Boards: []daemon.Board{{Info: game.BoardInfo{ID: "a"}, Table: game.NewTable(game.Options{Acuity: board.PieceAcuity})}},
		})
		if err != nil {
			t.Fatal(err)
		}
		f := &flashing{}
		d := display{board: "a", runner: leds.NewRunner(f, leds.Options{Clock: ledClock{clock}})}
		x := &trouble{displays: []display{d}}
		ctx, cancel := context.WithCancel(t.Context())
		var all sync.WaitGroup
		for _, run := range []func(context.Context) error{house.Run, d.runner.Run, func(ctx context.Context) error { return x.follow(ctx, house) }} {
			all.Go(func() { _ = run(ctx) })
		}
		quiet := func() bool { // whether nothing lights up for a while, after things have come to rest
			on := true
			_, _ = house.Do(ctx, "a", &board.Command{Verb: "lights", On: &on}) // an event for the disk
			<-time.After(time.Minute)
			f.count()
			<-time.After(11 * time.Second)
			return f.count() == 0
		}
		d.runner.Show(&game.View{
			Placement: board.EmptyPicture(), Mode: "casual", Status: "playing", LightsOn: true, Brightness: 100,
			Promotion: rules.NoSquare, Check: rules.NoSquare,
		})
		for i, full := range []bool{false, true, false} {
			disk.full.Store(full)
			if quiet() == full {
				t.Errorf("step %d: a full disk is %v, and the lights say otherwise (store %s)", i, full, house.Store())
			}
		}
		cancel()
		all.Wait()
	})
}
