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

// trouble brings to the lights that something beside the boards is in trouble.
type trouble struct {
	displays []display
	mu       sync.Mutex
	is       [2]bool
}

func (t *trouble) set(what int, is bool) {
	t.mu.Lock()
	defer t.mu.Unlock()
	t.is[what] = is
	for _, d := range t.displays {
		d.runner.SetTrouble(t.is[brokerTrouble] || t.is[storeTrouble])
	}
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
