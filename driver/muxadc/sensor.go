// Package muxadc reads boards with linear Hall sensors: analog switches (74HC4051, 74HC4067) bring them to the inputs of a
// converter, an MCP3008 or ADS1115. It says what the voltages are; what of that is a man, and of which colour, the scan engine
// and the calibration say.
package muxadc

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// Converter measures voltages.
type Converter interface {
	// Inputs is how many inputs there are.
	Inputs() int
	// Setup brings the converter from whatever state it is in to the one in which Measure works.
	Setup() error
	// Measure measures the first inputs, as many as there is room for, in microvolts.
	Measure(microvolts []int32) error
	// Check says whether the converter has lost its settings or cannot be reached.
	Check() error
	Close() error
}

// Options say how a board is built.
type Options struct {
	Address pins.Outputs // the address lines of the switches, S0 first
	// Lines is how many there are: 3 (8 channels on each of 8 inputs), 4 (16 on 4), 5 (32 on 2) or 6 (64 on 1).
	Lines  int
	Settle time.Duration       // how long an address stands before the inputs are measured
	Wait   func(time.Duration) // nil: time.Sleep
}

// Sensor is a board. It is a scan.Sensor. Wire n*channels + c is channel c on input n.
type Sensor struct {
	o         Options
	converter Converter
	channels  int
	inputs    [8]int32
}

// New is a board on a converter. It takes the converter and the lines over, and closes them. It does not use them yet.
func New(c Converter, o Options) (*Sensor, error) {
	switch {
	case c == nil || o.Address == nil:
		return nil, errors.New("mux-adc: a converter or the address lines are missing")
	case o.Lines < 3 || o.Lines > 6:
		return nil, fmt.Errorf("mux-adc: wants 3 to 6 address lines, not %d", o.Lines)
	case c.Inputs() < scan.Wires>>o.Lines:
		return nil, fmt.Errorf("mux-adc: %d address lines need %d inputs, and the converter has %d", o.Lines, scan.Wires>>o.Lines, c.Inputs())
	case o.Settle < 0:
		return nil, fmt.Errorf("mux-adc: a time to settle of %v", o.Settle)
	}
	if o.Wait == nil {
		o.Wait = time.Sleep
	}
	return &Sensor{o: o, converter: c, channels: 1 << o.Lines}, nil
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{Analog: true} }

// Setup implements scan.Sensor.
func (s *Sensor) Setup() error {
	if err := s.o.Address.Set(0); err != nil {
		return fmt.Errorf("mux-adc: address lines: %w", err)
	}
	return s.converter.Setup()
}

// Check implements scan.Sensor.
func (s *Sensor) Check() error { return s.converter.Check() }

// dead is what a linear Hall sensor with a supply never falls below, in microvolts: without a magnet it gives half its supply.
const dead = 100_000

// Read implements scan.Sensor. When all sensors are at 0 V they have no supply, and that is an error.
func (s *Sensor) Read(r *scan.Reading) error {
	alive := false
	in := s.inputs[:scan.Wires/s.channels]
	for i := range s.channels {
		address := i ^ i>>1 // one line at a time, see muxgpio.Gray
		if err := s.o.Address.Set(uint64(address)); err != nil {
			return fmt.Errorf("mux-adc: address lines: %w", err)
		}
		s.o.Wait(s.o.Settle)
		if err := s.converter.Measure(in); err != nil {
			return err
		}
		for n, uv := range in {
			r.Levels[n*s.channels+address] = uv
			alive = alive || uv >= dead
		}
	}
	if !alive {
		return errors.New("mux-adc: all sensors are at 0 V: check their supply, and the converter's")
	}
	return nil
}

// Close implements scan.Sensor.
func (s *Sensor) Close() error { return cmp.Or(s.o.Address.Close(), s.converter.Close()) }
