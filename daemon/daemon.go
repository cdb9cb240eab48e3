// Package daemon is the loop around the tables: one goroutine a board feeds its core and never waits for anybody, one
// goroutine a process brings what happened into the journal, and what is safe there goes to the doors. It is, beside the
// ports of drivers, the only code that reads a clock.
package daemon

import (
	"context"
	"fmt"
	"log/slog"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// Board is one board of the daemon.
type Board struct {
	Info      game.BoardInfo
	Table     Table
	Source    Source
	NewDriver func() board.Driver // decodes what a Port reads; nil for a source that decodes for itself
	Resumed   bool                // the table goes on from before a stop: the board is away until its source says otherwise

	// Tapes get everything the core receives, after the opening line Opening. Each is written to by a goroutine of its own and
	// flushed when the daemon ends.
	Tapes   []Tape
	Opening recording.Opening
}

// Options of a Daemon. What is not set has its default.
type Options struct {
	Boards  []Board
	Clock   Clock        // default: NewRunning(1)
	Journal Journal      // default: NewMemory()
	Log     *slog.Logger // default: none
	// Synced says whether the wall clock is believed to be right; default: always.
	Synced func() bool
}

// Daemon runs boards and implements game.Feed. All its methods are safe for concurrent use.
type Daemon struct {
	clock   Clock
	journal Journal
	log     *slog.Logger
	synced  func() bool
	run     string // tells this run from others in recordings
	seats   []*seat
	byID    map[string]*seat
	queue   *queue
	stopped chan struct{}

	mu       sync.RWMutex
	latest   map[string]game.StampedSnapshot
	watchers map[chan struct{}]bool
}

var _ game.Feed = (*Daemon)(nil)

// New makes a daemon that does not run yet. Two boards of one id are an error.
func New(o Options) (*Daemon, error) {
	d := &Daemon{
		clock: o.Clock, journal: o.Journal, log: o.Log, synced: o.Synced, byID: map[string]*seat{},
		queue: newQueue(), run: newEpoch(), stopped: make(chan struct{}),
		latest: map[string]game.StampedSnapshot{}, watchers: map[chan struct{}]bool{},
	}
	if d.clock == nil {
		d.clock = NewRunning(1)
	}
	if d.journal == nil {
		d.journal = NewMemory()
	}
	if d.log == nil {
		d.log = slog.New(slog.DiscardHandler)
	}
	if g, ok := d.journal.(*Guard); ok {
		g.changed = d.signal
	}
	if d.synced == nil {
		d.synced = func() bool { return true }
	}
	for _, b := range o.Boards {
		if d.byID[b.Info.ID] != nil {
			return nil, fmt.Errorf("two boards have the id %q", b.Info.ID)
		}
		s := newSeat(d, b)
		d.seats = append(d.seats, s)
		d.byID[b.Info.ID] = s
	}
	return d, nil
}

// Run runs all boards until ctx ends, then brings what has happened into the journal and returns. It is called once.
func (d *Daemon) Run(ctx context.Context) error {
	var boards, writer sync.WaitGroup
	writer.Go(d.commit)
	for _, s := range d.seats {
		boards.Go(func() { s.run(ctx) })
	}
	boards.Wait()
	<-ctx.Done() // also when no board is left that works: the doors still answer
	d.queue.close()
	writer.Wait()
	close(d.stopped)
	return nil
}

// Light gives the frame that a board's own lights are to show. It never waits, and only the newest counts; a board that is away
// shows it when it is back. A board that has no lights of its own, or is none of the daemon's, does nothing with it.
func (d *Daemon) Light(id string, f board.Frame) {
	if s := d.byID[id]; s != nil {
		s.light(f)
	}
}

// retryCommit is how long a journal that failed is left alone.
const retryCommit = 100 * time.Millisecond

// commit is the journal's goroutine: it takes all that is waiting, makes it safe as one, and only then tells anybody.
func (d *Daemon) commit() {
	for {
		waiting, open := d.queue.take()
		if len(waiting) > 0 {
			d.commitAll(waiting)
		}
		if !open {
			return
		}
	}
}

func (d *Daemon) commitAll(waiting []pending) {
	batches := make([]Batch, 0, len(waiting))
	synced := d.synced()
	for _, p := range waiting {
		if p.Synced = synced; len(p.Events) > 0 || p.Snapshot != nil || len(p.Answers) > 0 {
			batches = append(batches, p.Streams()...)
		}
	}
	for failed := 0; len(batches) > 0; failed++ {
		err := d.journal.Commit(batches)
		if err == nil {
			break
		}
		if failed == 0 {
			d.log.Error("the journal cannot write: events wait", "err", err)
		}
		if d.queue.waitClosed(retryCommit) {
			d.log.Error("events are lost: the journal could not write until the end", "err", err, "batches", len(batches))
			return
		}
	}
	d.mu.Lock()
	for _, b := range batches {
		if b.Snapshot != nil {
			d.latest[b.Board] = game.StampedSnapshot{
				Snapshot: b.Snapshot, Board: b.Board, Epoch: d.journal.Epoch(b.Board),
				TS: b.Zero.Add(time.Duration(b.Snapshot.T) * time.Millisecond), TSOK: synced,
			}
		}
	}
	d.mu.Unlock()
	if len(batches) > 0 {
		d.signal()
	}
	for _, p := range waiting {
		p.answer()
	}
}
