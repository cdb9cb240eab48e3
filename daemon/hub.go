package daemon

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// ErrStopped says that the daemon, or this board, runs no more.
var ErrStopped = errors.New("the board runs no more")

// Boards lists the boards in the order in which they were configured.
func (d *Daemon) Boards() []game.BoardInfo {
	out := make([]game.BoardInfo, len(d.seats))
	for i, s := range d.seats {
		out[i] = s.board.Info
	}
	return out
}

// Latest is the newest snapshot whose last event is safe.
func (d *Daemon) Latest(board string) (game.StampedSnapshot, bool) {
	d.mu.RLock()
	defer d.mu.RUnlock()
	s, ok := d.latest[board]
	return s, ok
}

// View is the newest view, safe or not: it has no number.
func (d *Daemon) View(board string) (*game.View, time.Time) {
	s := d.byID[board]
	if s == nil {
		return nil, time.Time{}
	}
	return s.view.Load(), d.zero()
}

// zero is the time of day at core time 0.
func (d *Daemon) zero() time.Time {
	return d.clock.Wall().Add(-time.Duration(d.clock.Now()) * time.Millisecond)
}

// Watch gives a channel that holds one signal while something is new.
func (d *Daemon) Watch() (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	c <- struct{}{} // what was before counts as new
	d.mu.Lock()
	d.watchers[c] = true
	d.mu.Unlock()
	return c, func() {
		d.mu.Lock()
		delete(d.watchers, c)
		d.mu.Unlock()
	}
}

// signal tells every watcher and waits for none.
func (d *Daemon) signal() {
	d.mu.RLock()
	defer d.mu.RUnlock()
	for c := range d.watchers {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

// Outbox gives up to max events that are safe and that consumer has not acknowledged, of all boards in order.
func (d *Daemon) Outbox(consumer string, max int) []game.StampedEvent {
	return d.journal.Outbox(consumer, max)
}

// Ack says that consumer has delivered a board's events up to seq.
func (d *Daemon) Ack(consumer, board string, seq int64) { d.journal.Ack(consumer, board, seq) }

// Events gives events of a board from number from on; game.ErrGone when they are no longer kept, ErrNoBoard.
func (d *Daemon) Events(board string, from int64, max int) ([]game.StampedEvent, error) {
	if d.byID[board] == nil {
		return nil, fmt.Errorf("board %q: %w", board, ErrNoBoard)
	}
	return d.journal.Events(board, from, max)
}

// ArbiterEvents is Events of what only the arbiter of a board sees, in its own numbering. It is for doors that let nobody else in.
func (d *Daemon) ArbiterEvents(board string, from int64, max int) ([]game.StampedEvent, error) {
	if d.byID[board] == nil {
		return nil, fmt.Errorf("board %q: %w", board, ErrNoBoard)
	}
	list, err := d.journal.Events(game.Stream(board, true), from, max)
	if errors.Is(err, ErrNoBoard) { // there have been none
		return nil, nil
	}
	return list, err
}

// Store says how the journal does; see game.Health.
func (d *Daemon) Store() string {
	if h, ok := d.journal.(game.Health); ok {
		return h.Store()
	}
	return game.StoreMemory
}

// Do runs a command. A refusal is a reply; an error is ErrNoBoard, ErrStopped, or the end of ctx, after which the command may
// still be carried out.
func (d *Daemon) Do(ctx context.Context, id string, c *board.Command) (game.Reply, error) {
	s := d.byID[id]
	if s == nil {
		return game.Reply{}, fmt.Errorf("board %q: %w", id, ErrNoBoard)
	}
	own := *c
	r := &request{command: &own, reply: make(chan game.Reply, 1)}
	select {
	case s.commands <- r:
	case <-s.done:
		return game.Reply{}, fmt.Errorf("board %q: %w", id, ErrStopped)
	case <-ctx.Done():
		return game.Reply{}, ctx.Err()
	}
	ended := s.done
	for waiting := true; waiting; {
		select {
		case reply := <-r.reply:
			return reply, nil
		case <-ended:
			ended = nil
			waiting = r.taken // then its answer is on the way through the journal
		case <-d.stopped:
			waiting = false
		case <-ctx.Done():
			return game.Reply{}, ctx.Err()
		}
	}
	select { // it may have been answered with the last commit
	case reply := <-r.reply:
		return reply, nil
	default:
		return game.Reply{}, fmt.Errorf("board %q: %w", id, ErrStopped)
	}
}
