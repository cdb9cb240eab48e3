package main

import (
	"context"
	"sync"

	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/game"
)

// What may be in trouble beside a board.
const (
	brokerTrouble = iota
	storeTrouble
)

// troubles says it in words.
var troubles = [...]string{brokerTrouble: "the broker is not reached", storeTrouble: "the disk takes no games"}

// trouble brings to the lights, and to whoever asks, that something beside the boards is in trouble.
type trouble struct {
	displays []display
	changed  chan struct{} // says that words may give something else; room for one
	mu       sync.Mutex
	is       [len(troubles)]bool
}

func newTrouble(displays []display) *trouble {
	return &trouble{displays: displays, changed: make(chan struct{}, 1)}
}

func (t *trouble) set(what int, is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.is[what] = is
	for _, d := range t.displays {
		d.runner.SetTrouble(t.is[brokerTrouble] || t.is[storeTrouble])
	}
	select {
	case t.changed <- struct{}{}:
	default:
	}
}

// words are what is in trouble now.
func (t *trouble) words() (all []string) {
	t.mu.Lock()
	defer t.mu.Unlock()
	for what, is := range t.is {
		if is {
			all = append(all, troubles[what])
		}
	}
	return all
}

// follow watches the store until ctx ends.
func (t *trouble) follow(ctx context.Context, house *daemon.Daemon) error {
	changed, cancel := house.Watch()
	defer cancel()
	failed := false
	for {
		if now := house.Store() == game.StoreFailed; now != failed {
			failed = now
			t.set(storeTrouble, failed)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}
