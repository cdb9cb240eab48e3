package daemon

import (
	"errors"
	"log/slog"
	"sync"
	"testing"
	"time"

	"github.com/boardd/boardd/game"
)

// faultyDisk is a disk in memory that fails or stands still when told.
type faultyDisk struct {
	*Memory
	mu     sync.Mutex
	err    error
	still  chan struct{} // writes wait until it is closed
	writes int
}

func (f *faultyDisk) set(err error, still chan struct{}) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.err, f.still = err, still
}

func (f *faultyDisk) wait() error {
	f.mu.Lock()
	still := f.still
	f.mu.Unlock()
	if still != nil {
		<-still
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	f.writes++
	return f.err
}

func (f *faultyDisk) Commit(b []Batch) error {
	if err := f.wait(); err != nil {
		return err
	}
	return f.Memory.Commit(b)
}

func (f *faultyDisk) Replace(epochs []game.NewEpoch, b []Batch) error {
	if err := f.wait(); err != nil {
		return err
	}
	for _, e := range epochs {
		f.begin(e.Board, e.After)
		f.Memory.mu.Lock()
		s := f.boards[e.Board]
		s.epoch, s.events, s.order = e.Epoch, nil, nil
		f.Memory.mu.Unlock()
	}
	return f.Memory.Commit(b)
}

func (f *faultyDisk) Delivered(consumer, board, epoch string, seq int64) { f.Ack(consumer, board, seq) }
func (f *faultyDisk) Store() string                                      { return game.StoreOK }

// guarded is a daemon's commit loop around a guard.
func guarded(t *testing.T, f *faultyDisk) (g *Guard, commit func(...Batch)) {
	t.Helper()
	g = &Guard{Disk: f, Log: slog.New(slog.DiscardHandler), Patience: 30 * time.Millisecond}
	t.Cleanup(func() { _ = g.Close(10 * time.Second) })
	return g, func(b ...Batch) {
		t.Helper()
		deadline := time.Now().Add(10 * time.Second)
		for g.Commit(b) != nil {
			if time.Now().After(deadline) {
				t.Fatal("the guard never gives up")
			}
		}
	}
}

func TestGuardGoesOnWithoutItsDisk(t *testing.T) {
	t.Parallel()
	for _, still := range []bool{false, true} {
		t.Run(map[bool]string{false: "errors", true: "stands still"}[still], func(t *testing.T) {
			t.Parallel()
			f := &faultyDisk{Memory: NewMemory()}
			g, commit := guarded(t, f)
			commit(batch("a", 1, 2))
			first := g.Epoch("a")
			for _, e := range g.Outbox("x", 10) {
				g.Ack("x", e.Board, e.Seq)
			}
			awake := make(chan struct{})
			if still {
				f.set(nil, awake)
			} else {
				f.set(errors.New("no space left on device"), nil)
			}
			commit(batch("a", 3))
			if g.Store() != game.StoreFailed {
				t.Fatal(g.Store())
			}
			second := g.Epoch("a")
			if second == first {
				t.Error("memory goes on with the epoch of the disk")
			}
			commit(batch("a", 4, 5), batch("b", 1))
			got := g.Outbox("x", 10)
			if len(got) != 4 || got[0].Seq != 3 || got[0].Epoch != second || got[3].Board != "b" {
				t.Fatalf("outbox %+v", got)
			}
			g.Ack("x", "a", 4)
			if _, err := g.Events("a", 2, 9); err == nil || errors.Is(err, game.ErrGone) {
				t.Errorf("what the disk still has: %v", err)
			}

			f.set(nil, nil)
			close(awake)
			until(t, "the disk is used again", func() bool { return g.Store() == game.StoreOK })
			if g.Epoch("a") != second || f.Epoch("a") != second {
				t.Error("the disk has another epoch than memory had")
			}
			got = g.Outbox("x", 10)
			if len(got) != 2 || got[0].Seq != 5 || got[0].Epoch != second || got[1].Board != "b" {
				t.Errorf("outbox %+v", got)
			}
			commit(batch("a", 6))
			if events, err := g.Events("a", 3, 9); err != nil || len(events) != 4 {
				t.Errorf("%+v, %v", events, err)
			}
		})
	}
}

// A disk that is only slow for a moment changes nothing.
func TestGuardIsPatient(t *testing.T) {
	t.Parallel()
	f := &faultyDisk{Memory: NewMemory()}
	g, commit := guarded(t, f)
	g.Patience = 10 * time.Second
	awake := make(chan struct{})
	f.set(nil, awake)
	go func() {
		until(t, "somebody waits", func() bool { g.mu.Lock(); defer g.mu.Unlock(); return g.trying != nil })
		close(awake)
	}()
	first := g.Epoch("a")
	commit(batch("a", 1))
	commit(batch("a", 2))
	if g.Store() != game.StoreOK || f.Epoch("a") != first || f.after("a") != 2 {
		t.Errorf("%s, %d", g.Store(), f.after("a"))
	}
}

func TestGuardEndsWhileItsDiskStandsStill(t *testing.T) {
	t.Parallel()
	f := &faultyDisk{Memory: NewMemory()}
	g, commit := guarded(t, f)
	awake := make(chan struct{})
	defer close(awake)
	f.set(nil, awake)
	commit(batch("a", 1))
	began := time.Now()
	if err := g.Close(20 * time.Millisecond); err == nil || time.Since(began) > 5*time.Second {
		t.Errorf("%v after %v", err, time.Since(began))
	}
}
