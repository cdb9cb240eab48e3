package main

import (
	"errors"
	"fmt"
	"io"
	"io/fs"
	"math"
	"slices"
	"time"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/bus"
	"github.com/boardd/boardd/driver/gpiomatrix"
	"github.com/boardd/boardd/driver/hc165"
	"github.com/boardd/boardd/driver/hc595gpio"
	"github.com/boardd/boardd/driver/mcp23017"
	"github.com/boardd/boardd/driver/mcp23s17"
	"github.com/boardd/boardd/driver/muxadc"
	"github.com/boardd/boardd/driver/muxgpio"
	"github.com/boardd/boardd/driver/pca9555"
	"github.com/boardd/boardd/driver/pcf8574"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
	"github.com/boardd/boardd/rules"
)

// openSensor opens the sensor of a home-made board on this computer.
func openSensor(b *config.Board) (scan.Sensor, error) { return thisComputer.sensor(b) }

// sockets are what sensors and buttons are plugged into.
type sockets struct {
	i2c     func(path string) (i2c.BusCloser, error)
	spi     func(path string, hz int64, mode int) (spiConn, error)
	outputs func(pins.Options) (pins.Outputs, error)
	inputs  func(pins.Options) (pins.Inputs, error)
	alert   func(pins.Options) (pins.Alert, error)
	// switches are shared with lights; nil: sensors have theirs alone.
	switches *switches
	wait     func(time.Duration) // nil: in earnest
	warn     func(note string)   // hears what ought to be changed in the configuration; may be nil
}

type spiConn interface {
	spi.Conn
	io.Closer
}

var thisComputer = sockets{
	i2c: bus.OpenI2C,
	spi: func(path string, hz int64, mode int) (spiConn, error) {
		c, err := bus.OpenSPI(path, hz, mode)
		if err != nil {
			return nil, err // and no device that is nil
		}
		return c, nil
	},
	outputs: pins.OpenOutputs, inputs: pins.OpenInputs, alert: pins.OpenAlert, switches: &shared,
}

// opening is a sensor being opened: what is open already is closed when something else cannot be opened.
type opening struct {
	*sockets
	b    *config.Board
	open []io.Closer
	err  error
}

// sensor opens the sensor of a home-made board.
func (s sockets) sensor(b *config.Board) (scan.Sensor, error) {
	o := opening{sockets: &s, b: b}
	sensor, err := o.build()
	if err = errors.Join(o.err, err); err == nil {
		return sensor, nil
	}
	if o.err != nil {
		err = o.err // the first thing that failed says it all
	}
	for _, c := range o.open {
		_ = c.Close()
	}
	return nil, err
}

// keep notes what must be closed again should the rest fail; after the first error nothing more is opened.
func keep[T io.Closer](o *opening, open func() (T, error)) (c T) {
	if o.err != nil {
		return c
	}
	if c, o.err = open(); o.err == nil {
		o.open = append(o.open, c)
	}
	return c
}

func (o *opening) i2cBus() i2c.BusCloser {
	s := &o.b.Sensor
	return keep(o, func() (i2c.BusCloser, error) {
		if s.MuxAddress == 0 || o.switches == nil {
			return o.i2c(s.Bus)
		}
		x, closer, err := o.switches.use(s.Bus, uint16(s.MuxAddress), o.i2c)
		if err != nil {
			return nil, err
		}
		return &switchedBus{Bus: x.bus, Switch: x.Switch, Closer: closer}, nil
	})
}

func (o *opening) spiPort(device string, most int64, mode int) spiConn {
	return keep(o, func() (spiConn, error) { return o.spi(device, min(o.b.Sensor.SpeedHz, most), mode) })
}

// lines are the options of lines that a board drives or reads.
func (o *opening) lines(activeLow bool, lines ...config.Pin) pins.Options {
	return pins.Options{Chip: o.b.Sensor.Chip, Lines: config.Names(lines...), ActiveLow: activeLow, Warn: o.warn}
}

func (o *opening) driven(opt pins.Options) pins.Outputs {
	return keep(o, func() (pins.Outputs, error) { return o.outputs(opt) })
}

// read opens lines that are read as the configuration says.
func (o *opening) read(lines ...config.Pin) pins.Inputs {
	opt := o.lines(o.b.Sensor.ActiveLow, lines...)
	opt.Pull, _ = pins.ParsePull(o.b.Sensor.Pull)
	return keep(o, func() (pins.Inputs, error) { return o.inputs(opt) })
}

// chips are addresses and channels, and the switch before them if there is one.
func (o *opening) chips(b i2c.Bus) (addresses []uint16, sw *tca9548a.Switch, channels []int) {
	s := &o.b.Sensor
	for _, a := range s.Addresses {
		addresses = append(addresses, uint16(a))
	}
	for _, c := range s.MuxChannels {
		channels = append(channels, int(c))
	}
	if x, ok := b.(*switchedBus); ok {
		sw = x.Switch
	} else if s.MuxAddress != 0 && o.err == nil {
		sw, o.err = tca9548a.New(b, uint16(s.MuxAddress))
	}
	return addresses, sw, channels
}

func (o *opening) build() (scan.Sensor, error) {
	s := &o.b.Sensor
	settle := time.Duration(s.SettleUs) * time.Microsecond
	// After an error of o nothing is built: what a driver would be given is not there.
	built := func(build func() (scan.Sensor, error)) (scan.Sensor, error) {
		if o.err != nil {
			return nil, nil
		}
		return build()
	}
	switch o.b.Driver {
	case "gpio-matrix":
		drive := o.lines(s.Drive == "low", s.Rows...)
		drive.Float = true
		sense := s.Cols
		if s.Swap {
			drive.Lines, sense = config.Names(s.Cols...), s.Rows
		}
		rows := o.driven(drive)
		cols := o.read(sense...)
		return built(func() (scan.Sensor, error) {
			return gpiomatrix.New(rows, cols, gpiomatrix.Options{
				Settle: settle, Release: time.Duration(s.ReleaseUs) * time.Microsecond, Swap: s.Swap, Wait: o.wait,
			}), nil
		})
	case "mcp23017":
		b := o.i2cBus()
		addresses, sw, channels := o.chips(b)
		opt := mcp23017.Options{
			Addresses: addresses, Switch: sw, Channels: channels, ActiveHigh: !s.ActiveLow, NoPullUps: s.Pull == "off",
			Matrix: s.Matrix, Swap: s.Swap, Wait: o.wait,
		}
		opt.Ports, _ = mcp23017.ParsePorts(s.Ports)
		if s.Matrix {
			opt.Settle = settle
		}
		if s.Int != "" {
			line := o.lines(true, s.Int)
			line.Pull = pins.PullUp
			opt.Interrupt = keep(o, func() (pins.Alert, error) { return o.alert(line) })
		}
		return built(func() (scan.Sensor, error) { return mcp23017.New(b, opt) })
	case "mcp23s17":
		port := o.spiPort(s.Bus, mcp23s17.MaxHz, mcp23s17.Mode)
		addresses, _, _ := o.chips(nil)
		return built(func() (scan.Sensor, error) {
			return mcp23s17.New(port, mcp23s17.Options{Addresses: addresses, ActiveHigh: !s.ActiveLow, NoPullUps: s.Pull == "off"})
		})
	case "pca9555":
		b := o.i2cBus()
		addresses, sw, channels := o.chips(b)
		return built(func() (scan.Sensor, error) {
			return pca9555.New(b, pca9555.Options{Addresses: addresses, Switch: sw, Channels: channels, ActiveHigh: !s.ActiveLow})
		})
	case "pcf8574":
		b := o.i2cBus()
		addresses, sw, channels := o.chips(b)
		return built(func() (scan.Sensor, error) {
			return pcf8574.New(b, pcf8574.Options{Addresses: addresses, Switch: sw, Channels: channels, Wide: s.Wide, ActiveHigh: !s.ActiveLow})
		})
	case "hc165":
		opt := hc165.Options{Loop: s.ReadBack, ActiveHigh: !s.ActiveLow}
		port := o.spiPort(s.Bus, hc165.MaxHz, hc165.Mode)
		if s.LoadBus != "" {
			opt.LoadPort = o.spiPort(s.LoadBus, hc165.MaxHz, hc165.Mode)
		} else {
			opt.Load = o.driven(o.lines(true, s.Load))
		}
		return built(func() (scan.Sensor, error) { return hc165.New(port, opt) })
	case "hc595-gpio":
		port := o.spiPort(s.Bus, hc595gpio.MaxHz, hc595gpio.Mode)
		cols := o.read(s.Cols...)
		return built(func() (scan.Sensor, error) {
			return hc595gpio.New(port, hc595gpio.Options{Columns: cols, RowsHigh: s.Drive == "high", ReadBack: s.ReadBack, Settle: settle, Wait: o.wait})
		})
	case "mux-gpio":
		address := o.driven(o.lines(false, s.Select...))
		commons := o.read(s.Inputs...)
		return built(func() (scan.Sensor, error) {
			return muxgpio.New(muxgpio.Options{Address: address, Commons: commons, Switches: len(s.Inputs), Settle: settle, Wait: o.wait})
		})
	case "mux-adc":
		converter := o.converter()
		address := o.driven(o.lines(false, s.Select...))
		return built(func() (scan.Sensor, error) {
			return muxadc.New(converter, muxadc.Options{Address: address, Lines: len(s.Select), Settle: settle, Wait: o.wait})
		})
	}
	return nil, fmt.Errorf("driver %q reads no home-made board", o.b.Driver)
}

func (o *opening) converter() (c muxadc.Converter) {
	s := &o.b.Sensor
	if s.ADC == "mcp3008" {
		port := o.spiPort(s.Bus, muxadc.MCP3008MaxHz, muxadc.MCP3008Mode)
		if o.err == nil {
			c, o.err = muxadc.NewMCP3008(port, microvolts(s.VrefMv))
		}
		return c
	}
	b := o.i2cBus()
	addresses, sw, channels := o.chips(b)
	if o.err == nil {
		c, o.err = muxadc.NewADS1115(b, muxadc.ADS1115Options{Addresses: addresses, Switch: sw, Channels: channels, Wait: o.wait})
	}
	return c
}

// microvolts is a voltage of the configuration, which is checked to be small.
func microvolts(mv int64) int32 { return int32(min(max(mv, 0), 10_000)) * 1000 }

// wireMap is the map that a configuration gives by itself.
func wireMap(b *config.Board) (m scan.Map, err error) {
	c := &b.Map
	l := scan.Layout{Generator: c.Generator, Swap: c.Swap, Mirror: c.Mirror, Rotate: int(c.Rotate), Overrides: map[int]rules.Square{}}
	for wire := range l.Table {
		l.Table[wire] = rules.NoSquare
		if wire < len(c.Squares) {
			if l.Table[wire], err = scan.ParseSquare(c.Squares[wire]); err != nil {
				return m, err
			}
		}
	}
	for _, text := range c.Overrides {
		if wire, square, ok := config.Override(text); ok {
			l.Overrides[wire] = square
		}
	}
	if m, err = l.Map(); err != nil {
		return m, err
	}
	dead := rules.Bitboard(0)
	if slices.Contains(m[:], rules.NoSquare) { // somebody has said that a wire has no square: then a square has no wire
		dead = m.Missing()
	}
	return m, m.Validate(dead)
}

// checkMaps finds squares that have several wires, or none, and descriptions of serial boards that do not hold together.
func checkMaps(c *config.Config) error {
	for i := range c.Boards {
		b := &c.Boards[i]
		if !config.IsHomeMade(b.Driver) || b.Map.Generator == "calibrated" {
			continue
		}
		if _, err := wireMap(b); err != nil {
			return usagef("board %s: map: %w", b.ID, err)
		}
	}
	return checkTexts(c)
}

// scanOptions are those of the engine, by the configuration and what calibration has found.
func scanOptions(b *config.Board, data string) (o scan.Options, err error) {
	s := &b.Sensor
	o = scan.Options{
		Zero: microvolts(s.ZeroMv), Threshold: microvolts(s.ThresholdMv), Release: microvolts(s.ReleaseMv),
		Color: s.Acuity == "color", PeriodMs: 1000 / max(s.ScanHz, 1), Diodes: s.Diodes,
	}
	if b.Driver == "mux-adc" && s.ActiveLow {
		o.Inverted = math.MaxUint64
	}
	c, err := scan.ReadCalibration(scan.CalibrationPath(data, b.ID))
	known := err == nil && c.Wiring == b.Wiring()
	if known { // what is true of a wire is true of it whatever square it is said to be
		o.Levels = c.Levels
		o.Inverted ^= c.Inverted
		o.Diodes = true // a matrix in which three men show a fourth is not calibrated
	}
	if b.Map.Generator != "calibrated" {
		o.Map, err = wireMap(b)
		return o, err
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return o, errors.New(`this board is not calibrated: run "boardd calibrate", or say in [board.map] which wire is which square`)
	case err != nil:
		return o, err
	case !known:
		return o, errors.New(`the wiring is no longer the one that was calibrated: run "boardd calibrate" again`)
	}
	o.Map = c.Map
	return o, nil
}
