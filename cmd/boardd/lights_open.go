package main

import (
	"errors"
	"fmt"
	"io"
	"math"
	"os"
	"strconv"
	"strings"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/bus"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/leds/apa102"
	"github.com/boardd/boardd/leds/chardev"
	"github.com/boardd/boardd/leds/hc595"
	"github.com/boardd/boardd/leds/ht16k33"
	"github.com/boardd/boardd/leds/matrix"
	"github.com/boardd/boardd/leds/max7219"
	"github.com/boardd/boardd/leds/mcp23017"
	"github.com/boardd/boardd/leds/ws2812"
)

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
