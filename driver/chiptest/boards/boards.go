// Package boards builds a simulated board for each driver of home-made boards, chips, wires, sensors and all, to test what is
// behind the drivers.
package boards

import (
	"fmt"
	"sync/atomic"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/gpiomatrix"
	"github.com/boardd/boardd/driver/hc165"
	"github.com/boardd/boardd/driver/hc595gpio"
	"github.com/boardd/boardd/driver/mcp23017"
	"github.com/boardd/boardd/driver/mcp23s17"
	"github.com/boardd/boardd/driver/muxadc"
	"github.com/boardd/boardd/driver/muxgpio"
	"github.com/boardd/boardd/driver/pca9555"
	"github.com/boardd/boardd/driver/pcf8574"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

// Board is a board on a simulated bench. The wire of a square is the number of the square: a1 is 0, b1 is 1, h8 is 63.
type Board struct {
	Name   string
	Sensor scan.Sensor
	Color  bool // the sensors tell the poles of the magnets
	// PeriodMs is how often such a board is read.
	PeriodMs int64
	// Cut takes the supply of one chip away, or gives it back; nil where that cannot be noticed.
	Cut func(off bool)

	clock   chiptest.Clock
	last    time.Duration
	lines   atomic.Int64
	i2c     chiptest.I2C
	spi     chiptest.SPI
	magnets chiptest.Magnets
	field   chiptest.Field
	matrix  chiptest.Matrix
	mux     chiptest.Mux
}

// Idle is what linear Hall sensors give without a magnet, and Swing how much a magnet adds or takes away, in microvolts.
const (
	Idle  = 1_650_000
	Swing = 300_000
)

// settle is what simulated wires need, and what the drivers give them.
const settle = 20 * time.Microsecond

// Lay puts men on the board: 1 a light one, -1 a dark one, 0 none.
func (b *Board) Lay(men [64]int8) {
	var on uint64
	for s, man := range men {
		if man != 0 {
			on |= 1 << s
		}
		b.field.Set(s, Idle+Swing*int32(man))
	}
	b.magnets.Set(on)
}

// Bounce lets contacts chatter for so many samples. Linear sensors have none.
func (b *Board) Bounce(wires uint64, samples int) { b.magnets.Bounce(wires, samples) }

// Cost is what a driver has asked of the system. Each transaction, and each setting or reading of GPIO lines, is a system call.
type Cost struct {
	I2C, SPI chiptest.Counts
	Lines    int64         // how often GPIO lines were set or read
	Time     time.Duration // of the buses, at 100 kHz and the driver's SPI clock, and of waiting for wires to settle
}

// Cost is what has been asked since the last call.
func (b *Board) Cost() Cost {
	c := Cost{b.i2c.Counts(), b.spi.Counts(), b.lines.Swap(0), b.clock.Now() - b.last}
	b.last = b.clock.Now()
	return c
}

// outputs are counted GPIO lines.
func (b *Board) outputs(set func(uint64) error) *chiptest.Outputs {
	return &chiptest.Outputs{OnSet: func(active uint64) error {
		b.lines.Add(1)
		return set(active)
	}}
}

// inputs are counted GPIO lines.
func (b *Board) inputs(get func() (uint64, error)) *chiptest.Inputs {
	return &chiptest.Inputs{OnGet: func() (uint64, error) {
		b.lines.Add(1)
		return get()
	}}
}

// All is one board of each kind, empty.
func All() ([]*Board, error) {
	kinds := []struct {
		name  string
		build func(*Board) error
	}{
		{"gpio-matrix", gpioMatrix},
		{"mcp23017", expanders},
		{"mcp23017, port A of eight", portA},
		{"mcp23017 behind a switch", switched},
		{"mcp23017, a matrix", chipMatrix},
		{"mcp23s17", onSPI},
		{"pca9555", pca},
		{"pcf8574", func(b *Board) error { return pcf(b, false) }},
		{"pcf8575", func(b *Board) error { return pcf(b, true) }},
		{"hc165", func(b *Board) error { return chain(b, true) }},
		{"hc165, no pin", func(b *Board) error { return chain(b, false) }},
		{"hc595-gpio, contacts", func(b *Board) error { return rows(b, false) }},
		{"hc595-gpio, Hall sensors", func(b *Board) error { return rows(b, true) }},
		{"mux-gpio, 74HC4067", func(b *Board) error { return switches(b, 4) }},
		{"mux-gpio, 74HC4051", func(b *Board) error { return switches(b, 8) }},
		{"mux-adc, MCP3008", mcp3008},
		{"mux-adc, two ADS1115", ads1115},
	}
	all := make([]*Board, len(kinds))
	for i, k := range kinds {
		b := &Board{Name: k.name, PeriodMs: 10}
		b.i2c.Clock, b.spi.Clock = &b.clock, &b.clock
		b.matrix.Magnets, b.matrix.Clock, b.matrix.Tau = &b.magnets, &b.clock, settle
		b.mux.Clock, b.mux.Tau = &b.clock, settle
		if err := k.build(b); err != nil {
			return nil, fmt.Errorf("%s: %w", k.name, err)
		}
		b.Lay([64]int8{})
		all[i] = b
	}
	return all, nil
}

// supply is a chip whose supply can be cut.
type supply interface {
	Off()
	On()
}

// cut gives the board a Cut for a chip.
func (b *Board) cut(c supply) {
	b.Cut = func(off bool) {
		if off {
			c.Off()
		} else {
			c.On()
		}
	}
}

// reeds are the contacts from a wire on.
func (b *Board) reeds(first int) chiptest.Reeds {
	return chiptest.Reeds{Magnets: &b.magnets, First: first}
}

func (b *Board) port(cs int, hz int64, mode spi.Mode) (spi.Conn, error) {
	return b.spi.Port(cs).Connect(physic.Frequency(hz)*physic.Hertz, mode, 8)
}

func gpioMatrix(b *Board) error {
	drive := b.outputs(func(active uint64) error {
		b.matrix.Rows(uint8(active), chiptest.Float)
		return nil
	})
	sense := b.inputs(func() (uint64, error) { return uint64(b.matrix.Columns()), nil })
	b.Sensor = gpiomatrix.New(drive, sense, gpiomatrix.Options{Settle: 2 * settle, Wait: b.clock.Wait})
	return nil
}

func expanders(b *Board) (err error) {
	o := mcp23017.Options{}
	for i := range 4 {
		o.Addresses = append(o.Addresses, uint16(0x20+i))
		c := chiptest.NewMCP23017(b.reeds(16 * i))
		b.i2c.Attach(o.Addresses[i], c)
		b.cut(c)
	}
	b.Sensor, err = mcp23017.New(&b.i2c, o)
	return err
}

func portA(b *Board) (err error) {
	o := mcp23017.Options{Ports: mcp23017.OnlyA}
	for i := range 8 {
		o.Addresses = append(o.Addresses, uint16(0x20+i))
		c := chiptest.NewMCP23017(b.reeds(8 * i))
		b.i2c.Attach(o.Addresses[i], c)
		b.cut(c)
	}
	b.Sensor, err = mcp23017.New(&b.i2c, o)
	return err
}

func switched(b *Board) (err error) {
	sw := &chiptest.TCA9548A{}
	b.i2c.Attach(0x70, sw)
	b.cut(sw)
	o := mcp23017.Options{}
	for i := range 4 {
		o.Addresses, o.Channels = append(o.Addresses, 0x20), append(o.Channels, i)
		sw.Attach(i, 0x20, chiptest.NewMCP23017(b.reeds(16*i)))
	}
	if o.Switch, err = tca9548a.New(&b.i2c, 0x70); err != nil {
		return err
	}
	b.Sensor, err = mcp23017.New(&b.i2c, o)
	return err
}

func chipMatrix(b *Board) (err error) {
	c := chiptest.NewMCP23017(chiptest.MatrixOnChip{Matrix: &b.matrix})
	b.i2c.Attach(0x20, c)
	b.cut(c)
	b.Sensor, err = mcp23017.New(&b.i2c, mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, Settle: settle, Wait: b.clock.Wait})
	return err
}

func onSPI(b *Board) error {
	o := mcp23s17.Options{}
	for i := range 4 {
		o.Addresses = append(o.Addresses, uint16(0x20+i))
		c := chiptest.NewMCP23S17(0, byte(i), b.reeds(16*i))
		b.spi.Attach(c)
		b.cut(c)
	}
	conn, err := b.port(0, mcp23s17.MaxHz, mcp23s17.Mode)
	if err != nil {
		return err
	}
	b.Sensor, err = mcp23s17.New(conn, o)
	return err
}

func pca(b *Board) (err error) {
	o := pca9555.Options{}
	for i := range 4 {
		o.Addresses = append(o.Addresses, uint16(0x20+i))
		c := chiptest.NewPCA9555(b.reeds(16*i), true)
		b.i2c.Attach(o.Addresses[i], c)
		b.cut(c)
	}
	b.Sensor, err = pca9555.New(&b.i2c, o)
	return err
}

func pcf(b *Board, wide bool) (err error) {
	o := pcf8574.Options{Wide: wide}
	n := 8
	if wide {
		n = 4
	}
	for i := range n {
		o.Addresses = append(o.Addresses, uint16(0x20+i))
		c := chiptest.NewPCF8574(b.reeds(64/n*i), wide)
		b.i2c.Attach(o.Addresses[i], c)
		b.cut(c)
	}
	b.Sensor, err = pcf8574.New(&b.i2c, o)
	return err
}

func chain(b *Board, pin bool) error {
	c := &chiptest.HC165{Magnets: &b.magnets, LoadCS: -1, Loop: true}
	b.spi.Attach(c)
	b.cut(c)
	o := hc165.Options{Loop: true}
	if pin {
		o.Load = b.outputs(c.Load)
	} else {
		c.LoadCS = 1
		second, err := b.port(1, hc165.MaxHz, hc165.Mode)
		if err != nil {
			return err
		}
		o.LoadPort = second
	}
	conn, err := b.port(0, hc165.MaxHz, hc165.Mode)
	if err != nil {
		return err
	}
	b.Sensor, err = hc165.New(conn, o)
	return err
}

func rows(b *Board, high bool) error {
	c := &chiptest.HC595{ReadBack: true, Outputs: func(rows byte) {
		if high { // a transistor feeds the sensors of a row, which pull columns low
			b.matrix.Rows(rows, chiptest.Float)
		} else {
			b.matrix.Rows(^rows, chiptest.High)
		}
	}}
	b.spi.Attach(c)
	b.cut(c)
	conn, err := b.port(0, hc595gpio.MaxHz, hc595gpio.Mode)
	if err != nil {
		return err
	}
	columns := b.inputs(func() (uint64, error) { return uint64(b.matrix.Columns()), nil })
	b.Sensor, err = hc595gpio.New(conn, hc595gpio.Options{
		Columns: columns, RowsHigh: high, ReadBack: true, Settle: settle, Wait: b.clock.Wait})
	return err
}

func switches(b *Board, n int) (err error) {
	b.Sensor, err = muxgpio.New(muxgpio.Options{
		Address: b.outputs(b.mux.SetAddress), Commons: b.inputs(b.mux.Commons(&b.magnets, 64/n)),
		Switches: n, Settle: settle, Wait: b.clock.Wait,
	})
	return err
}

// analog finishes a board of linear sensors with 3 address lines.
func (b *Board) analog(c muxadc.Converter) (err error) {
	b.Color = true
	b.Sensor, err = muxadc.New(c, muxadc.Options{
		Address: b.outputs(b.mux.SetAddress), Lines: 3, Settle: settle, Wait: b.clock.Wait})
	return err
}

// input is what the inputs of a converter see, from an input on.
func (b *Board) input(first int) func(int) int32 {
	return func(n int) int32 { return b.field.At(8*(first+n) + b.mux.Channel()) }
}

func mcp3008(b *Board) error {
	chip := &chiptest.MCP3008{Reference: 2 * Idle, Input: b.input(0)}
	b.spi.Attach(chip)
	b.cut(chip)
	conn, err := b.port(0, muxadc.MCP3008MaxHz, muxadc.MCP3008Mode)
	if err != nil {
		return err
	}
	c, err := muxadc.NewMCP3008(conn, 2*Idle)
	if err != nil {
		return err
	}
	return b.analog(c)
}

func ads1115(b *Board) error {
	b.PeriodMs = 100
	addresses := []uint16{0x48, 0x49}
	for i, a := range addresses {
		chip := chiptest.NewADS1115(&b.clock, b.input(4*i))
		b.i2c.Attach(a, chip)
		b.cut(chip)
	}
	c, err := muxadc.NewADS1115(&b.i2c, muxadc.ADS1115Options{Addresses: addresses, Wait: b.clock.Wait})
	if err != nil {
		return err
	}
	return b.analog(c)
}
