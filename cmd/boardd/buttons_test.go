package main

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boardd/boardd/driver/pins"
)

// pressed are buttons that a test presses.
type pressed struct {
	levels  atomic.Uint64
	changed chan struct{}
	opt     pins.Options
}

func (p *pressed) Get() (uint64, error) { return p.levels.Load(), nil }

func (p *pressed) Changed() <-chan struct{} { return p.changed }

func (p *pressed) Close() error { return nil }

func (p *pressed) set(levels uint64) {
	p.levels.Store(levels)
	select {
	case p.changed <- struct{}{}:
	default:
	}
}

// TestButtonsOfABoard: a button starts a new game, another held for two seconds ends the daemon; lines that cannot be had do not
// stop the board.
func TestButtonsOfABoard(t *testing.T) {
	t.Parallel()
	p := &pressed{changed: make(chan struct{}, 1)}
	opened := make(chan bool, 1)
	m := &Main{Speed: 10, Config: parsed(t, `
[node]
name = "n"
[mqtt]
listen = "127.0.0.1:0"
[[board]]
id = "b"
driver = "virtual"
[board.buttons]
new_game = 17
shutdown = "GPIO3"
[[board]]
id = "c"
driver = "virtual"
[board.buttons]
lights = 22
`), buttonLines: func(o pins.Options) (pins.Alert, error) {
		if o.Lines[0] == "GPIO22" {
			return nil, errors.New("line GPIO22 of gpiochip0 is in use by \"fan\"")
		}
		p.opt = o
		opened <- true
		return p, nil
	}}
	book, stop := living(t, m)
	if !eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" }) {
		return
	}
	seen := read(t, book.value("address"), "n")
	select {
	case <-opened:
	case <-time.After(20 * time.Second):
		t.Fatal("the lines are not opened")
	}
	if !slices.Equal(p.opt.Lines, []string{"GPIO17", "GPIO3"}) || !p.opt.ActiveLow || p.opt.Pull != pins.PullUp || p.opt.Chip != "auto" {
		t.Errorf("%+v", p.opt)
	}
	begun := func() (n int) {
		for _, e := range seen.events(t, "b/event") {
			if e.Type == "game_start" {
				n++
			}
		}
		return n
	}
	eventually(t, "the first game", 20*time.Second, func() bool { return begun() == 1 })
	p.set(1)
	eventually(t, "a game by the button", 20*time.Second, func() bool { return begun() == 2 })
	p.set(0)
	eventually(t, "the other board", 20*time.Second, func() bool { return seen.last("c/status") == "online" })
	if !strings.Contains(book.String(), `in use by \"fan\"`) && !strings.Contains(book.String(), `in use by \\\"fan\\\"`) {
		t.Errorf("nothing is said of the line in use:\n%s", book)
	}
	p.set(2)
	// Whoever reads boardd's own broker may hear of its end only by the connection's.
	eventually(t, "boardd ends by the button", 20*time.Second, func() bool { return strings.Contains(book.String(), "boardd ends") })
	if err := stop(); err != nil {
		t.Error(err)
	}
}
