package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"log/slog"
	"math"
	"os"
	"strconv"
	"strings"
	"time"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/bus"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/leds/apa102"
	"github.com/boardd/boardd/leds/chardev"
	"github.com/boardd/boardd/leds/hc595"
	"github.com/boardd/boardd/leds/ht16k33"
	"github.com/boardd/boardd/leds/matrix"
	"github.com/boardd/boardd/leds/max7219"
	"github.com/boardd/boardd/leds/mcp23017"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/leds/terminal"
	ledsvirtual "github.com/boardd/boardd/leds/virtual"
	"github.com/boardd/boardd/leds/ws2812"
	"github.com/boardd/boardd/rules"
)

// display is the lights of one board.
type display struct {
	board  string
	runner *leds.Runner
	screen *terminal.Screen // set for a display in the terminal, which draws the men too
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
	case "ht16k33", "max7219", "mcp23017", "hc595", "gpio-matrix":
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

// wiredLights are LEDs that are wired in some order.
type wiredLights interface {
	board.Lights
	ShowLEDs([]board.RGB) error // in the order in which they are wired
}

// hardware opens what LEDs are wired to.
type hardware struct {
	i2c  func(path string) (i2c.BusCloser, error)
	spi  func(path string, hz int64) (spiDevice, error)
	pins func(pins.Options) (pins.Outputs, error)
	file func(path string) (io.WriteCloser, error)

	switches *switches
}

type spiDevice interface {
	conn.Conn
	io.Closer
}

// machine is the hardware of this computer.
var machine = hardware{
	i2c: bus.OpenI2C,
	spi: func(path string, hz int64) (spiDevice, error) {
		s, err := bus.OpenSPI(path, hz, 0)
		if err != nil {
			return nil, err
		}
		return limitedSPI{s, spiBuffer()}, nil
	},
	pins: pins.OpenOutputs,
	file: func(path string) (io.WriteCloser, error) {
		f, err := os.OpenFile(path, os.O_WRONLY, 0)
		if err != nil {
			return nil, err
		}
		return fromStart{f}, nil
	},
	switches: &shared,
}

// limitedSPI knows how much the kernel sends at once.
type limitedSPI struct {
	*bus.SPI
	most int
}

func (l limitedSPI) MaxTxSize() int { return l.most }

// spiBuffer is the size of the kernel's buffer for SPI transfers: 4096 where nobody says otherwise.
func spiBuffer() int {
	text, err := os.ReadFile("/sys/module/spidev/parameters/bufsiz")
	if n, bad := strconv.Atoi(strings.TrimSpace(string(text))); err == nil && bad == nil && n > 0 {
		return n
	}
	return 4096
}

// fromStart writes always from the beginning: a device of LEDs counts on from where the last frame ended otherwise.
type fromStart struct{ *os.File }

func (f fromStart) Write(b []byte) (int, error) { return f.WriteAt(b, 0) }

// isWired reports whether a display is LEDs that are wired in some order.
func isWired(driver string) bool {
	switch driver {
	case "", "none", "virtual", "terminal":
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

// openLights opens the LEDs of a board. Close of the second result lets go of the hardware.
func openLights(l *config.LEDs, hw hardware) (lights wiredLights, closer io.Closer, err error) {
	layout, err := layoutOf(l)
	if err != nil {
		return nil, nil, err
	}
	defer func() {
		if err != nil && closer != nil {
			err = errors.Join(err, closer.Close())
			lights, closer = nil, nil
		}
	}()
	gamma, colors := int(math.Round(10*l.Gamma)), strings.ToUpper(l.Colors)
	switch path := l.DevicePath(); l.Driver {
	case "ws2812":
		o := ws2812.Options{Layout: layout, Colors: colors, Bits: int(l.Bits), Gamma: gamma, MaxMA: int(l.MaxMA)}
		s, err := hw.spi(path, o.Hz())
		if err != nil {
			return nil, nil, err
		}
		lights, err = ws2812.New(s, o)
		return lights, s, err
	case "apa102":
		s, err := hw.spi(path, orElse(l.SpeedHz, apa102.DefaultHz))
		if err != nil {
			return nil, nil, err
		}
		lights, err = apa102.New(s, apa102.Options{Layout: layout, Colors: colors, Gamma: gamma, MaxMA: int(l.MaxMA)})
		return lights, s, err
	case "leds-chardev":
		if colors != "" && colors != "RGB" && colors != "RGBW" {
			return nil, nil, fmt.Errorf(`colors %q: the kernel's driver takes "RGB" or "RGBW"`, l.Colors)
		}
		f, err := hw.file(path)
		if err != nil {
			return nil, nil, err
		}
		lights, err = chardev.New(f, chardev.Options{Layout: layout, White: colors == "RGBW", Gamma: gamma, MaxMA: int(l.MaxMA)})
		return lights, f, err
	case "ht16k33", "mcp23017":
		chips, wire, err := chipsAt(l, l.ChipAddresses(chipsOf(l, layout.Count)), hw)
		if err != nil {
			return nil, nil, err
		}
		if l.Driver == "mcp23017" {
			lights, err = mcp23017.New(chips, mcp23017.Options{Layout: layout, Ports: l.Ports, ActiveLow: l.ActiveLow})
			return lights, wire, err
		}
		o := ht16k33.Options{Layout: layout}
		if l.Wide {
			o.Rows = 16
		}
		lights, err = ht16k33.New(chips, o)
		return lights, wire, err
	case "max7219":
		s, err := hw.spi(path, orElse(l.SpeedHz, max7219.MaxHz/10))
		if err != nil {
			return nil, nil, err
		}
		lights, err = max7219.New(s, layout)
		return lights, s, err
	case "hc595":
		s, err := hw.spi(path, orElse(l.SpeedHz, hc595.DefaultHz))
		if err != nil {
			return nil, nil, err
		}
		if !l.Matrix {
			lights, err = hc595.New(s, layout, l.ActiveLow)
			return lights, s, err
		}
		registers, err := hc595.NewLines(s, (8+(layout.Count+7)/8+7)/8)
		if err != nil {
			return nil, s, err
		}
		lights, err = matrix.New(registers, matrix.Options{Layout: layout, RowsLow: l.RowsLow, ColumnsLow: l.ColsLow})
		return lights, s, err
	case "gpio-matrix":
		if n := len(l.Rows) * len(l.Cols); n != layout.Count {
			return nil, nil, fmt.Errorf("%d rows and %d columns are %d LEDs, not %d", len(l.Rows), len(l.Cols), n, layout.Count)
		}
		lines, err := hw.pins(pins.Options{Chip: l.Chip, Lines: config.Names(append(append([]config.Pin{}, l.Rows...), l.Cols...)...)})
		if err != nil {
			return nil, nil, err
		}
		lights, err = matrix.New(lines, matrix.Options{Layout: layout, Rows: len(l.Rows), RowsLow: l.RowsLow, ColumnsLow: l.ColsLow})
		return lights, lines, err
	}
	return nil, nil, fmt.Errorf("driver %q is not known", l.Driver)
}

// chipsAt are the chips of an I²C bus, directly or behind a switch.
func chipsAt(l *config.LEDs, addresses []int64, hw hardware) (chips []conn.Conn, closer io.Closer, err error) {
	path := l.DevicePath()
	if l.MuxAddress == 0 {
		wire, err := hw.i2c(path)
		if err != nil {
			return nil, nil, err
		}
		for _, a := range addresses {
			chips = append(chips, &i2c.Dev{Bus: wire, Addr: uint16(a)})
		}
		return chips, wire, nil
	}
	if len(addresses) != len(l.MuxChannels) {
		return nil, nil, fmt.Errorf("%d chips have %d mux_channels: give each its own", len(addresses), len(l.MuxChannels))
	}
	x, closer, err := hw.switches.use(path, uint16(l.MuxAddress), hw.i2c)
	if err != nil {
		return nil, nil, err
	}
	for i, a := range addresses {
		channel, err := x.Channel(int(l.MuxChannels[i]))
		if err != nil {
			return nil, nil, errors.Join(err, closer.Close())
		}
		chips = append(chips, &i2c.Dev{Bus: channel, Addr: uint16(a)})
	}
	return chips, closer, nil
}

func orElse(n, otherwise int64) int64 {
	if n == 0 {
		return otherwise
	}
	return n
}

// lazy are LEDs that are opened when they are first shown something, and anew after a fault: what was pulled out comes back.
type lazy struct {
	open   func() (wiredLights, io.Closer, error)
	lights wiredLights // nil while not open
	bus    io.Closer
}

func (z *lazy) Show(f board.Frame) error {
	if z.lights == nil {
		var err error
		if z.lights, z.bus, err = z.open(); err != nil {
			z.lights = nil
			return err
		}
	}
	err := z.lights.Show(f)
	if err != nil {
		_ = z.shut() // fails likewise
	}
	return err
}

// Close darkens the LEDs; those that are not open are so already, or cannot be reached.
func (z *lazy) Close() error {
	if z.lights == nil {
		return nil
	}
	return z.shut()
}

func (z *lazy) shut() error {
	err := errors.Join(z.lights.Close(), z.bus.Close())
	z.lights = nil
	return err
}

// imagined is hardware that there is not, for checks.
var imagined = hardware{
	i2c:  func(string) (i2c.BusCloser, error) { return nowhere{}, nil },
	spi:  func(string, int64) (spiDevice, error) { return nowhereSPI{}, nil },
	pins: func(pins.Options) (pins.Outputs, error) { return nowhere{}, nil },
	file: func(string) (io.WriteCloser, error) { return nowhere{}, nil },

	switches: new(switches),
}
