package daemon

import (
	"cmp"
	"errors"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/boardd/boardd/game"
)

// Disk is a journal on a disk, which may fail, stand still, and come back.
type Disk interface {
	Journal
	// Replace makes the epochs those of their boards, forgets what is kept after the numbers where they begin, and commits the
	// batches, all at once.
	Replace(epochs []game.NewEpoch, batches []Batch) error
	// Delivered says that a consumer has had a board's events of an epoch up to seq from elsewhere.
	Delivered(consumer, board, epoch string, seq int64)
	// Store is that of game.Health.
	Store() string
}

// Guard is a journal that goes on without its disk. What the disk has not taken for Patience gets another epoch, in memory; when the
// disk is back it gets all that again, as long as memory has held it, and takes over.
type Guard struct {
	Disk     Disk
	Log      *slog.Logger
	Patience time.Duration // default 5 s

	changed func() // hears when Store may answer otherwise

	mu      sync.Mutex
	began   time.Time // of what is tried now; zero when nothing is
	trying  chan error
	last    map[string]int64 // by board: the last event that is safe on the disk
	memory  *Memory          // while the disk fails
	unsaved []Batch          // likewise: what it has missed
	events  int              // in unsaved
	retry   *time.Timer
	closed  bool
	ended   sync.WaitGroup
}

// errSlow says that the disk has not answered yet.
var errSlow = errors.New("the disk is slow")

// patienceStep is how long one call of Commit waits at most.
const patienceStep = time.Second

func (g *Guard) patience() time.Duration { return cmp.Or(g.Patience, 5*time.Second) }

// Commit gives batches to the disk, or keeps them in memory while that has failed.
func (g *Guard) Commit(batches []Batch) error {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.memory == nil {
		err := g.try(batches)
		if err == nil {
			return nil
		}
		if time.Since(g.began) < g.patience() {
			return err
		}
		g.fail(err)
	}
	g.keep(batches)
	return nil
}

// try gives the disk its time. It unlocks while it waits.
func (g *Guard) try(batches []Batch) error {
	if g.trying == nil {
		if g.began.IsZero() {
			g.began = time.Now()
		}
		done := make(chan error, 1)
		g.trying = done
		g.ended.Go(func() { done <- g.Disk.Commit(batches) })
	}
	limit := time.NewTimer(min(patienceStep, g.patience()))
	defer limit.Stop()
	trying := g.trying
	g.mu.Unlock()
	var err error
	select {
	case err = <-trying:
		g.mu.Lock()
		g.trying = nil
	case <-limit.C:
		g.mu.Lock()
		return errSlow
	}
	if err == nil {
		g.began = time.Time{}
		g.safe(batches)
	}
	return err
}

// safe notes what the disk has.
func (g *Guard) safe(batches []Batch) {
	if g.last == nil {
		g.last = map[string]int64{}
	}
	for i := range batches {
		for _, e := range batches[i].Events {
			g.last[batches[i].Board] = e.Seq
		}
	}
}

// fail goes on in memory.
func (g *Guard) fail(err error) {
	g.Log.Error("the disk does not take events: from now on they are kept in memory only, under another epoch, and published all the same", "err", err)
	g.memory = NewMemory()
	g.schedule()
	g.tell()
}

func (g *Guard) tell() {
	if g.changed != nil {
		go g.changed() // it may ask us
	}
}

// keep commits to memory, and notes it for the disk.
func (g *Guard) keep(batches []Batch) {
	for i := range batches {
		b := &batches[i]
		after := g.memory.after(b.Board)
		if after < 0 { // the first of this board
			switch {
			case len(b.Events) > 0:
				after = b.Events[0].Seq - 1
			case b.Snapshot != nil:
				after = b.Snapshot.Seq
			default:
				after = g.last[b.Board]
			}
			g.memory.begin(b.Board, after)
		}
		g.events += len(b.Events)
	}
	_ = g.memory.Commit(batches)
	g.unsaved = append(g.unsaved, batches...)
	for len(g.unsaved) > 1 && (g.events > MemoryLimit || len(g.unsaved) > MemoryLimit) {
		g.events -= len(g.unsaved[0].Events)
		g.unsaved = g.unsaved[1:]
	}
}

// schedule asks the disk again in a while.
func (g *Guard) schedule() {
	if g.closed {
		return
	}
	g.retry = time.AfterFunc(g.patience(), func() {
		g.mu.Lock()
		if g.closed {
			g.mu.Unlock()
			return
		}
		g.ended.Add(1)
		g.mu.Unlock()
		defer g.ended.Done()
		g.mend()
	})
}

// mend gives the disk all it has missed.
func (g *Guard) mend() {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.trying != nil {
		select {
		case <-g.trying: // what it says counts no more: what was tried is in unsaved too
			g.trying = nil
		default:
			g.schedule()
			return
		}
	}
	epochs := g.memory.epochs()
	missed := g.unsaved
	g.unsaved, g.events = nil, 0
	put := func(write func() error) bool {
		g.mu.Unlock()
		err := write()
		g.mu.Lock()
		if err == nil {
			g.safe(missed)
			return true
		}
		g.unsaved = append(missed, g.unsaved...)
		for i := range missed {
			g.events += len(missed[i].Events)
		}
		g.schedule()
		return false
	}
	if !put(func() error { return g.Disk.Replace(epochs, missed) }) {
		return
	}
	for len(g.unsaved) > 0 && !g.closed {
		missed = g.unsaved
		g.unsaved, g.events = nil, 0
		if !put(func() error { return g.Disk.Commit(missed) }) {
			return
		}
	}
	if g.closed {
		return
	}
	g.memory.delivered(g.Disk.Delivered)
	g.memory, g.began = nil, time.Time{}
	g.Log.Info("the disk takes events again: nothing that memory held is missing there")
	g.tell()
}

// journal is the one that counts now.
func (g *Guard) journal() Journal {
	g.mu.Lock()
	defer g.mu.Unlock()
	if g.memory != nil {
		return g.memory
	}
	return g.Disk
}

// Epoch says which numbering of a board's events is in use.
func (g *Guard) Epoch(board string) string { return g.journal().Epoch(board) }

// Outbox gives what a consumer has not acknowledged. While the disk fails it is asked nothing: what it still holds comes when it is back.
func (g *Guard) Outbox(consumer string, max int) []game.StampedEvent {
	return g.journal().Outbox(consumer, max)
}

// Ack says that a consumer has events.
func (g *Guard) Ack(consumer, board string, seq int64) { g.journal().Ack(consumer, board, seq) }

// Events gives events from a number on. What only the disk has cannot be had while it fails; it is not gone.
func (g *Guard) Events(board string, from int64, max int) ([]game.StampedEvent, error) {
	j := g.journal()
	list, err := j.Events(board, from, max)
	_, secret := game.StreamOf(board)
	if _, ok := j.(*Memory); ok && (errors.Is(err, game.ErrGone) || errors.Is(err, ErrNoBoard) && !secret) {
		return nil, fmt.Errorf("event %d of %s is on the disk, which fails: ask again when store is ok", from, board)
	}
	return list, err
}

// Store says how the disk does.
func (g *Guard) Store() string {
	g.mu.Lock()
	failed := g.memory != nil
	g.mu.Unlock()
	if failed {
		return game.StoreFailed
	}
	return g.Disk.Store()
}

// Close ends what waits for the disk: at most limit is spent on a disk that stands still. It does not close the disk.
func (g *Guard) Close(limit time.Duration) error {
	g.mu.Lock()
	g.closed = true
	lost := 0
	if g.memory != nil {
		lost = len(g.unsaved)
	}
	if g.retry != nil {
		g.retry.Stop()
	}
	g.mu.Unlock()
	done := make(chan struct{})
	go func() { g.ended.Wait(); close(done) }()
	t := time.NewTimer(limit)
	defer t.Stop()
	select {
	case <-done:
	case <-t.C:
		return errors.New("the disk does not answer")
	}
	if lost > 0 {
		return errors.New("the disk has failed: the last events and moves were published and are not kept")
	}
	return nil
}
