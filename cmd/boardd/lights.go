package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"os"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/leds/terminal"
	ledsvirtual "github.com/boardd/boardd/leds/virtual"
	"github.com/boardd/boardd/rules"
)

// display is the lights of one board.
type display struct {
	board  string
	runner *leds.Runner
	screen *terminal.Screen // set for a display in the terminal, which draws the men too
	own    *ownLights       // set for lights of the board's own
	start  rules.Position
}

// displays builds the lights of all boards that have some. LEDs are opened when they are first shown something.
func (m *Main) displays(clock *daemon.Running) (all []display, err error) {
	if err := checkLights(&m.Config); err != nil {
		return nil, err
	}
	began := time.Now()
	for i := range m.Config.Boards {
		b := &m.Config.Boards[i]
		d := display{board: b.ID, start: rules.Start()}
		wired, err := ordered(m.Config.Node.Data, b)
		if err != nil {
			return nil, usagef("board %s: leds: %w", b.ID, err)
		}
		style := styleOf(&wired)
		var lights board.Lights
		switch b.LEDs.Driver {
		case "", "none":
			continue
		case "virtual":
			lights = ledsvirtual.New()
		case "board":
			d.own = &ownLights{board: b.ID}
			style.OneSquare = serialBoards[b.Driver].corners || b.LEDs.PerSquare == "corners"
			lights = d.own
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
			lights = &lazy{open: func() (wiredLights, io.Closer, error) { return openLights(&wired, machine) }}
		}
		from, to, _ := b.LEDs.Night.Minutes()
		d.runner = leds.NewRunner(lights, leds.Options{
			Clock: ledClock{clock}, Real: func() int64 { return time.Since(began).Milliseconds() }, Log: m.Log.With("board", b.ID),
			Style: style, Night: leds.Hours{From: from, To: to}, Minute: minuteOfDay, Repeat: b.LEDs.Driver == "ws2812",
		})
		all = append(all, d)
	}
	return all, nil
}

func minuteOfDay() int {
	now := time.Now()
	return 60*now.Hour() + now.Minute()
}

// styleOf is how a board's lights are to be shown, as far as it does not change.
func styleOf(l *config.LEDs) leds.Style {
	s := leds.Style{
		Palette:  leds.Palette{Remove: l.Palette.Remove.RGB(), Put: l.Palette.Put.RGB(), Info: l.Palette.Info.RGB()},
		LastMove: l.LastMove, OneByOne: l.Guidance == "one",
	}
	switch l.Driver {
	case "board", "ht16k33", "max7219", "mcp23017", "hc595", "gpio-matrix":
		s.NoDimming = true
	}
	if isWired(l.Driver) {
		layout, err := layoutOf(l)
		s.OneSquare = err == nil && layout.Shared
	}
	return s
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

// ownLights are lights that a board has of its own: its driver shows them, over the line that the board is read from.
type ownLights struct {
	board string
	house interface { // set before anything is shown
		Light(board string, f board.Frame)
	}
}

// Show hands over the frame. It never fails: a board that is away shows the newest one when it is back.
func (l *ownLights) Show(f board.Frame) error {
	l.house.Light(l.board, f)
	return nil
}

// Close has nothing to let go of: the daemon ends after the lights, and writes what was shown last.
func (l *ownLights) Close() error { return nil }

// isWired reports whether a display is LEDs that are wired in some order.
func isWired(driver string) bool {
	switch driver {
	case "", "none", "virtual", "terminal", "board":
		return false
	}
	return true
}

// layoutOf is how the LEDs lie.
func layoutOf(l *config.LEDs) (order.Layout, error) {
	o := order.Options{Start: l.Start, Files: l.Along == "file", Serpentine: l.Serpentine}
	switch l.PerSquare {
	case "four":
		o.PerSquare = order.Four
	case "corners":
		o.PerSquare = order.Corners
	}
	if len(l.Table) > 0 {
		table, err := order.ParseTable(l.Table)
		if err != nil {
			return order.Layout{}, fmt.Errorf("table: %w", err)
		}
		o.Table = table
	}
	return order.New(o)
}

// checkLights finds what is wrong with the LEDs of a configuration beyond single keys. No hardware is touched.
func checkLights(c *config.Config) error {
	var faults error
	used := map[string]string{}
	for i := range c.Boards {
		b := &c.Boards[i]
		if !isWired(b.LEDs.Driver) {
			continue
		}
		l, err := ordered(c.Node.Data, b)
		if errors.Is(err, fs.ErrPermission) { // whoever only checks may not read what the daemon may
			l, err = b.LEDs, nil
		}
		var lights wiredLights
		if err == nil {
			var closer io.Closer
			if lights, closer, err = openLights(&l, imagined); err == nil {
				err = closer.Close()
			}
		}
		if err != nil {
			faults = errors.Join(faults, usagef("board %s: leds: %w", b.ID, err))
			continue
		}
		for _, place := range placesOf(&l, lights) {
			if other, taken := used[place]; taken {
				faults = errors.Join(faults, usagef("board %s: leds: %s has the lights of board %s already", b.ID, place, other))
			}
			used[place] = b.ID
		}
	}
	return faults
}

// placesOf are the devices and chips that LEDs have for themselves.
func placesOf(l *config.LEDs, lights wiredLights) (places []string) {
	switch l.Driver {
	case "gpio-matrix":
		for _, line := range config.Names(append(append([]config.Pin{}, l.Rows...), l.Cols...)...) {
			places = append(places, "line "+line)
		}
	case "ht16k33", "mcp23017":
		layout, _ := layoutOf(l)
		for i, a := range l.ChipAddresses(chipsOf(l, layout.Count)) {
			place := fmt.Sprintf("%s address %#02x", l.DevicePath(), a)
			if l.MuxAddress != 0 {
				place = fmt.Sprintf("%s switch %#02x channel %d address %#02x", l.DevicePath(), l.MuxAddress, l.MuxChannels[i], a)
			}
			if l.Driver == "mcp23017" {
				for _, port := range l.Ports {
					places = append(places, fmt.Sprintf("%s port %c", place, port))
				}
				continue
			}
			places = append(places, place)
		}
	default:
		places = append(places, l.DevicePath())
	}
	return places
}

// chipsOf is how many chips so many LEDs want.
func chipsOf(l *config.LEDs, count int) int {
	each := 64
	if l.Wide {
		each = 128
	}
	return (count + each - 1) / each
}
