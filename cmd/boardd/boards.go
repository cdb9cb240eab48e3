package main

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"os"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/leds/terminal"
	ledsvirtual "github.com/boardd/boardd/leds/virtual"
	"github.com/boardd/boardd/rules"
)

// buildBoard makes the i-th board of the configuration: its table, and where its changes come from. The errors are faults of
// the configuration.
func buildBoard(c *config.Config, i int, speed float64) (daemon.Board, error) {
	b := &c.Boards[i]
	opening, err := configured(b, speed)
	if err != nil {
		return daemon.Board{}, err
	}
	opt, err := tableOptions(&opening)
	if err != nil {
		return daemon.Board{}, fmt.Errorf("board %s: %w", b.ID, err)
	}
	opt.Games = fmt.Sprintf("%s-%04x", time.Now().UTC().Format("20060102T150405Z"), rand.N(0x10000))
	opt.Brightness = max(int(b.LEDs.Brightness), 1)
	name := b.Name
	if name == "" {
		name = b.ID
	}
	out := daemon.Board{
		Info:    game.BoardInfo{ID: b.ID, Name: name, Driver: b.Driver, Acuity: opt.Acuity},
		Table:   game.NewTable(opt),
		Opening: opening,
	}
	switch b.Driver {
	case "dgt":
		out.NewDriver = newDriver(&opening)
		out.Source = daemon.Port(func(context.Context) (io.ReadWriteCloser, error) {
			p, err := port.Open(port.Options{Path: b.Port, LockDir: lockDir()})
			if err != nil {
				return nil, err
			}
			return p, nil
		})
	case "virtual":
		out.Source = sourceFunc(func(ctx context.Context, sink *daemon.Sink) error {
			start := rules.Start()
			v := virtual.Board{Start: projection(opt.Acuity, &start)}
			return v.Run(ctx, sink.Clock().Now(), sink.Input)
		})
	}
	return out, nil
}

// lockDir is where programs lock serial ports against each other, where there is such a place that we may write to.
func lockDir() string {
	const dir = "/run/lock"
	if s, err := os.Stat(dir); err == nil && s.IsDir() && (s.Mode().Perm()&0o002 != 0 || os.Getuid() == 0) {
		return dir
	}
	return ""
}

// display is the lights of one board.
type display struct {
	board  string
	runner *leds.Runner
	screen *terminal.Screen // set for a display in the terminal, which draws the men too
	start  rules.Position
}

// displays builds the lights of all boards that have some.
func (m *Main) displays(clock *daemon.Running) (all []display, err error) {
	began := time.Now()
	for i := range m.Config.Boards {
		b := &m.Config.Boards[i]
		d := display{board: b.ID, start: rules.Start()}
		var lights board.Lights
		switch b.LEDs.Driver {
		case "", "none":
			continue
		case "virtual":
			lights = ledsvirtual.New()
		case "terminal":
			out := m.Out
			if out == nil {
				out = io.Discard
			}
			d.screen = terminal.New(out, abilities(out, os.Getenv))
			d.screen.SetTitle("boardd: " + b.ID)
			lights = d.screen
			if m.Shared {
				m.Log = slog.New(beside{d.screen, m.Log.Handler()})
			}
		default:
			return nil, usagef("board %s: leds.driver %q is not known", b.ID, b.LEDs.Driver)
		}
		d.runner = leds.NewRunner(lights, leds.Options{
			Clock: ledClock{clock}, Real: func() int64 { return time.Since(began).Milliseconds() }, Log: m.Log.With("board", b.ID),
			Style: leds.Style{
				Palette:  leds.Palette{Remove: b.LEDs.Palette.Remove.RGB(), Put: b.LEDs.Palette.Put.RGB(), Info: b.LEDs.Palette.Info.RGB()},
				LastMove: b.LEDs.LastMove,
			},
		})
		all = append(all, d)
	}
	return all, nil
}

// follow brings a board's newest view to its lights.
func (d *display) follow(ctx context.Context, feed game.Feed) error {
	changed, cancel := feed.Watch()
	defer cancel()
	var last *game.View
	for {
		if v, _ := feed.View(d.board); v != nil && v != last {
			last = v
			if d.screen != nil {
				d.screen.SetMen(men(v, &d.start))
			}
			d.runner.Show(v)
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}
