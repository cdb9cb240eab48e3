// Package pca9555 reads boards with four PCA9555 or TCA9555 port expanders on I²C, a line for each square. The PCA9535 and
// TCA9535 are the same without resistors inside: the board must bring its own. Data sheets: NXP PCA9555, Texas Instruments
// SCPS200.
package pca9555

import (
	"fmt"
	"io"

	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

// Options say how a board is built.
type Options struct {
	Addresses []uint16         // 0x20 to 0x27, in the order of their wires
	Switch    *tca9548a.Switch // nil: none
	Channels  []int            // with a switch: the channel of each chip
	// ActiveHigh: a pin at the supply is a magnet. Otherwise one at 0 V is.
	ActiveHigh bool
}

// Registers, of which port 1 has the next.
const (
	input    = 0x00
	output   = 0x02
	polarity = 0x04
	config   = 0x06
)

// settings are what the chips must hold. The pins are inputs, so that outputs do nothing: they are 0 as a mark, because all
// else is as after power-on, and because 0 V does no harm to a contact if a pin should ever become an output.
var settings = [...]struct{ reg, value byte }{{output, 0x00}, {polarity, 0x00}, {config, 0xFF}}

// Sensor is a board. It is a scan.Sensor.
type Sensor struct {
	o      Options
	places tca9548a.Places
	chips  []tca9548a.Chip
	w      [3]byte
	r      [2]byte
}

// New is a board on a bus. It takes the bus over, and closes it if that can be closed. It does not speak to it yet.
func New(bus i2c.Bus, o Options) (*Sensor, error) {
	s := &Sensor{o: o, places: tca9548a.Places{Bus: bus, Addresses: o.Addresses, Switch: o.Switch, Channels: o.Channels}}
	var err error
	s.chips, err = s.places.Chips("PCA9555", []int{4}, func(a uint16) bool { return a >= 0x20 && a <= 0x27 })
	if err != nil {
		return nil, err
	}
	return s, nil
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{} }

// Setup implements scan.Sensor.
func (s *Sensor) Setup() error {
	s.places.Forget()
	for i := range s.chips {
		for j := range settings {
			x := settings[len(settings)-1-j] // inputs first
			s.w = [3]byte{x.reg, x.value, x.value}
			if err := s.chips[i].Tx(s.w[:], nil); err != nil {
				return err
			}
		}
	}
	return s.Check()
}

// Check implements scan.Sensor: it reads all settings of all chips.
func (s *Sensor) Check() error {
	for i := range s.chips {
		c := &s.chips[i]
		for _, x := range settings {
			if err := s.read(c, x.reg); err != nil {
				return err
			}
			for port, is := range s.r {
				if is != x.value {
					return fmt.Errorf("%v has lost its settings (register %02X holds %02X, not %02X): was its power cut?", c, int(x.reg)+port, is, x.value)
				}
			}
		}
	}
	return s.places.Check()
}

func (s *Sensor) read(c *tca9548a.Chip, reg byte) error {
	s.w[0] = reg
	return c.Tx(s.w[:1], s.r[:])
}

// Read implements scan.Sensor.
func (s *Sensor) Read(r *scan.Reading) error {
	var ports [8]byte
	for i := range s.chips {
		if err := s.read(&s.chips[i], input); err != nil {
			return err
		}
		copy(ports[2*i:], s.r[:])
	}
	r.Bits = scan.BitsOf(ports, s.o.ActiveHigh)
	return nil
}

// Close implements scan.Sensor.
func (s *Sensor) Close() error {
	if c, ok := s.places.Bus.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
