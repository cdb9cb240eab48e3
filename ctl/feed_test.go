package ctl

import (
	"context"
	"fmt"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// fakeFeed has boards with events that a test gives it.
type fakeFeed struct {
	mu       sync.Mutex
	ids      []string
	events   map[string][]game.StampedEvent
	first    map[string]int64 // the oldest that is kept
	done     []board.Command
	answer   func(c *board.Command) (game.Reply, error)
	watchers map[chan struct{}]bool
}

func newFeed(ids ...string) *fakeFeed {
	return &fakeFeed{ids: ids, events: map[string][]game.StampedEvent{}, first: map[string]int64{}, watchers: map[chan struct{}]bool{}}
}

func (f *fakeFeed) Boards() (list []game.BoardInfo) {
	for _, id := range f.ids {
		list = append(list, game.BoardInfo{ID: id, Name: "Board " + id, Driver: "virtual", Acuity: board.Presence})
	}
	return list
}

func (f *fakeFeed) Latest(id string) (game.StampedSnapshot, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, b := range f.ids {
		if b == id {
			n, a := len(f.events[id]), len(f.events[game.Stream(id, true)])
			return game.StampedSnapshot{Snapshot: &game.Snapshot{Seq: int64(n), ArbiterSeq: int64(a), Status: "playing"}, Board: id}, n > 0
		}
	}
	return game.StampedSnapshot{}, false
}

func (f *fakeFeed) View(string) (*game.View, time.Time) { return nil, time.Time{} }

func (f *fakeFeed) Watch() (<-chan struct{}, func()) {
	c := make(chan struct{}, 1)
	f.mu.Lock()
	defer f.mu.Unlock()
	f.watchers[c] = true
	return c, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, c)
	}
}

func (f *fakeFeed) watched() int {
	f.mu.Lock()
	defer f.mu.Unlock()
	return len(f.watchers)
}

func (f *fakeFeed) Outbox(string, int) []game.StampedEvent { return nil }
func (f *fakeFeed) Ack(string, string, int64)              {}

func (f *fakeFeed) Events(stream string, from int64, limit int) ([]game.StampedEvent, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	from = max(from, 1)
	if from < f.first[stream] {
		return nil, fmt.Errorf("event %d: %w", from, game.ErrGone)
	}
	list := f.events[stream]
	from = min(from-1, int64(len(list)))
	return list[from:min(int64(len(list)), from+int64(limit))], nil
}

func (f *fakeFeed) Do(_ context.Context, _ string, c *board.Command) (game.Reply, error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.done = append(f.done, *c)
	if f.answer != nil {
		return f.answer(c)
	}
	return game.Reply{Command: c, Status: "ok", Seq: 7}, nil
}

// say has n events happen.
func (f *fakeFeed) say(stream string, n int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for range n {
		f.events[stream] = append(f.events[stream], game.StampedEvent{Event: game.Event{Seq: int64(len(f.events[stream]) + 1), Type: "check"}, Board: stream})
	}
	for c := range f.watchers {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}
