package game

import (
	"context"
	"errors"
	"strings"
	"time"

	"github.com/boardd/boardd/board"
)

// Batch is what one step of a board changed: a journal keeps it as a whole or not at all.
type Batch struct {
	Board    string
	T        int64 // core time of the step
	Events   []Event
	Snapshot *Snapshot // nil if nothing of it changed
	Answers  []Reply   // to commands with an id, duplicates left out: the same id again gets the same answer, also after a restart
	Zero     time.Time // time of day at core time 0, as known when the batch was made
	Synced   bool      // Zero is believed to be right
}

// NewEpoch is another numbering of a board's events: those after a number have it.
type NewEpoch struct {
	Board, Epoch string
	After        int64
}

// arbiters ends the names of the streams of events that only arbiters see. No board's id has a slash.
const arbiters = "/arbiter"

// Streams parts a batch whose events belong to two numberings: the board's own, and that of what only the arbiter sees, which is kept
// and delivered as the events of a board named by Stream.
func (b Batch) Streams() []Batch {
	own, secret := b, Batch{Board: Stream(b.Board, true), T: b.T, Zero: b.Zero, Synced: b.Synced}
	own.Events = nil
	for _, e := range b.Events {
		if e.Arbiter {
			secret.Events = append(secret.Events, e)
		} else {
			own.Events = append(own.Events, e)
		}
	}
	if len(secret.Events) == 0 {
		return []Batch{b}
	}
	if len(own.Events)+len(own.Answers) == 0 && own.Snapshot == nil {
		return []Batch{secret}
	}
	return []Batch{own, secret}
}

// Stream is the name under which a board's events are kept: its own, or for the arbiter.
func Stream(board string, arbiter bool) string {
	if arbiter {
		return board + arbiters
	}
	return board
}

// StreamOf says which board's events a stream holds, and whether only the arbiter sees them.
func StreamOf(stream string) (board string, arbiter bool) { return strings.CutSuffix(stream, arbiters) }

// Health says how a Feed keeps its events. A Feed may implement it.
type Health interface {
	// Store is one of the words StoreOK and so on.
	Store() string
}

// How a store does.
const (
	StoreOK     = "ok"
	StoreLow    = "low"    // it works, and the disk is nearly full
	StoreFailed = "failed" // it cannot write: events are kept in memory, under another epoch
	StoreMemory = "memory" // there is none: nothing outlasts the process
)

// StampedEvent is an event as the journal has committed it: only such events leave the process.
type StampedEvent struct {
	Event
	Board, Epoch string
	TS           time.Time
}

// StampedSnapshot is a snapshot whose last event is committed.
type StampedSnapshot struct {
	*Snapshot
	Board, Epoch string
	TS           time.Time
	TSOK         bool // the wall clock is believed to be right
}

// BoardInfo is what does not change while the daemon runs.
type BoardInfo struct {
	ID, Name, Driver string
	Acuity           board.Acuity
}

// Feed is what a door (MQTT, the page) may ask of the daemon. All methods are safe for concurrent use and none but Do waits.
type Feed interface {
	Boards() []BoardInfo
	// Latest is the newest committed snapshot of a board; ok is false before the first.
	Latest(board string) (s StampedSnapshot, ok bool)
	// View is the newest view of a board with the wall-clock time that its core time 0 stands for; nil before the first.
	View(board string) (v *View, zero time.Time)
	// Watch gives a channel of capacity one that is signalled whenever an event, a snapshot or a view is new; cancel ends it.
	Watch() (changed <-chan struct{}, cancel func())
	// Outbox gives up to max committed events that a consumer has not acknowledged, oldest first, of all boards. Those for
	// arbiters are among them, and have a Stream of their own as their board.
	Outbox(consumer string, max int) []StampedEvent
	// Ack says that the consumer has delivered the events of a board, or of a stream, up to seq.
	Ack(consumer, board string, seq int64)
	// Events gives committed events of a board from seq on, at most max, also of epochs that have ended; ErrGone when from is no
	// longer kept.
	Events(board string, from int64, max int) ([]StampedEvent, error)
	// Do runs a command and returns its reply once what it changed is committed.
	Do(ctx context.Context, board string, c *board.Command) (Reply, error)
}

// ErrGone says that events asked for are no longer kept.
var ErrGone = errors.New("these events are no longer kept")
