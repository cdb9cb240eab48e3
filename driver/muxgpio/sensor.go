// Package muxgpio reads boards with analog switches between the squares and a few GPIO lines: four 74HC4067 of 16 channels, or
// eight 74HC4051 (CD4051) of 8. All switches have the same address lines. Data sheets: Nexperia 74HC4067, 74HC4051.
package muxgpio

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// Options say how a board is built.
type Options struct {
	Address pins.Outputs // the address lines, S0 first
	Commons pins.Inputs  // the common pins of the switches, active over a magnet
	// Switches is how many switches there are: 4 with 16 channels and four address lines, or 8 with 8 and three.
	Switches int
	Settle   time.Duration       // how long an address stands before the common pins are read
	Wait     func(time.Duration) // nil: time.Sleep
}

// Sensor is a board. It is a scan.Sensor. Wire n*channels + c is channel c of switch n.
type Sensor struct {
	o        Options
	channels int
	seen     [16]byte
}

// New is a board on GPIO lines. It takes them over, and closes them. It does not use them yet.
func New(o Options) (*Sensor, error) {
	switch {
	case o.Address == nil || o.Commons == nil:
		return nil, errors.New("mux-gpio: address lines or common lines are missing")
	case o.Switches != 4 && o.Switches != 8:
		return nil, fmt.Errorf("mux-gpio: wants 4 switches of 16 channels or 8 of 8, not %d", o.Switches)
	case o.Settle < 0:
		return nil, fmt.Errorf("mux-gpio: a time to settle of %v", o.Settle)
	}
	if o.Wait == nil {
		o.Wait = time.Sleep
	}
	return &Sensor{o: o, channels: scan.Wires / o.Switches}, nil
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{} }

// Setup implements scan.Sensor. Switches have no settings.
func (s *Sensor) Setup() error { return s.Check() }

// Check implements scan.Sensor: there is nothing to read back but whether the lines are still ours.
func (s *Sensor) Check() error {
	if err := s.o.Address.Set(0); err != nil {
		return fmt.Errorf("mux-gpio: address lines: %w", err)
	}
	if _, err := s.o.Commons.Get(); err != nil {
		return fmt.Errorf("mux-gpio: common lines: %w", err)
	}
	return nil
}

// Read implements scan.Sensor.
func (s *Sensor) Read(r *scan.Reading) error {
	for i := range s.channels {
		address := Gray(i)
		if err := s.o.Address.Set(uint64(address)); err != nil {
			return fmt.Errorf("mux-gpio: address lines: %w", err)
		}
		s.o.Wait(s.o.Settle)
		c, err := s.o.Commons.Get()
		if err != nil {
			return fmt.Errorf("mux-gpio: common lines: %w", err)
		}
		s.seen[address] = byte(c)
	}
	r.Bits = Decode(s.seen[:s.channels])
	return nil
}

// Close implements scan.Sensor.
func (s *Sensor) Close() error { return cmp.Or(s.o.Address.Close(), s.o.Commons.Close()) }

// Gray is the i-th address in an order in which only one line changes at a time, also from the last to the first. A switch
// that sees lines change one after the other never passes over a third channel.
func Gray(i int) int { return i ^ i>>1 }

// Decode makes wires of what the common pins showed at each address, bit n for switch n: wire n*channels + c is channel c of
// switch n. There are 8 or 16 addresses; the bits of switches that cannot be are dropped.
func Decode(seen []byte) uint64 {
	var bits uint64
	for c, common := range seen {
		for n := range scan.Wires / len(seen) {
			bits |= uint64(common>>n&1) << (n*len(seen) + c)
		}
	}
	return bits
}
