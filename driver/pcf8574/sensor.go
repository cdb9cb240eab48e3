// Package pcf8574 reads boards with eight PCF8574 or PCF8574A on I²C, or four PCF8575, a line for each square. The chips have
// no registers: a pin is pulled low, or left weakly high to be read. Data sheets: NXP PCF8574, Texas Instruments SCPS121
// (PCF8575).
package pcf8574

import (
	"io"

	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

// MaxHz is the fastest clock of a PCF8574; a PCF8575 takes four times that.
const MaxHz = 100_000

// Options say how a board is built. A contact closes to 0 V; that is a magnet unless ActiveHigh.
type Options struct {
	// Addresses are 0x20 to 0x27, or 0x38 to 0x3F for a PCF8574A, in the order of their wires.
	Addresses  []uint16
	Switch     *tca9548a.Switch // nil: none
	Channels   []int            // with a switch: the channel of each chip
	Wide       bool             // four PCF8575 with 16 pins
	ActiveHigh bool
}

// Sensor is a board. It is a scan.Sensor.
type Sensor struct {
	o      Options
	places tca9548a.Places
	chips  []tca9548a.Chip
	width  int // bytes a chip
	ones   *[2]byte
	r      [2]byte
}

// New is a board on a bus. It takes the bus over, and closes it if that can be closed. It does not speak to it yet.
func New(bus i2c.Bus, o Options) (*Sensor, error) {
	s := &Sensor{o: o, width: 1, ones: &[2]byte{0xFF, 0xFF},
		places: tca9548a.Places{Bus: bus, Addresses: o.Addresses, Switch: o.Switch, Channels: o.Channels}}
	kind, number := "PCF8574", 8
	if o.Wide {
		kind, number, s.width = "PCF8575", 4, 2
	}
	var err error
	s.chips, err = s.places.Chips(kind, []int{number}, func(a uint16) bool {
		return a >= 0x20 && a <= 0x27 || !o.Wide && a >= 0x38 && a <= 0x3F
	})
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
	return s.Check()
}

// Check implements scan.Sensor. What was written cannot be read back; but writing it again shows whether the chips are there,
// lets go a pin that something has pulled low, and does nothing otherwise.
func (s *Sensor) Check() error {
	for i := range s.chips {
		if err := s.chips[i].Tx(s.ones[:s.width], nil); err != nil {
			return err
		}
	}
	return s.places.Check()
}

// Read implements scan.Sensor.
func (s *Sensor) Read(r *scan.Reading) error {
	var ports [8]byte
	for i := range s.chips {
		if err := s.chips[i].Tx(nil, s.r[:s.width]); err != nil {
			return err
		}
		copy(ports[s.width*i:], s.r[:s.width])
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
