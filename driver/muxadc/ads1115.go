package muxadc

import (
	"encoding/binary"
	"fmt"
	"io"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/driver/tca9548a"
)

// ADS1115Options say which converters there are.
type ADS1115Options struct {
	Addresses []uint16         // one or two of 0x48 to 0x4B; two measure at the same time
	Switch    *tca9548a.Switch // nil: none
	Channels  []int            // with a switch: the channel of each
	Wait      func(time.Duration)
}

// ADS1115 is one or two converters with four inputs of 16 bits each. The inputs of the second are 4 to 7. Data sheet: Texas
// Instruments SBAS444.
type ADS1115 struct {
	wait   func(time.Duration)
	places tca9548a.Places
	chips  []tca9548a.Chip
	config [2]uint16 // what was written last
	w      [3]byte
	r      [2]byte
}

const (
	conversion = 0 // registers
	config     = 1

	ready   = 0x8000 // as written: start
	single  = 0x83E3 // one measurement, ±4.096 V, 860 a second, no comparator
	input0  = 0x4000 // input 0 against ground
	nextMux = 0x1000 // from one input to the next
	perChip = 4      // inputs of a chip

	convert = 1300 * time.Microsecond // a measurement, when the chip's clock is a tenth slow
	again   = 200 * time.Microsecond
	tries   = 5
)

// NewADS1115 is one or two converters on a bus. It takes the bus over.
func NewADS1115(bus i2c.Bus, o ADS1115Options) (*ADS1115, error) {
	a := &ADS1115{wait: o.Wait, places: tca9548a.Places{Bus: bus, Addresses: o.Addresses, Switch: o.Switch, Channels: o.Channels}}
	var err error
	if a.chips, err = a.places.Chips("ADS1115", []int{1, 2}, func(x uint16) bool { return x >= 0x48 && x <= 0x4B }); err != nil {
		return nil, err
	}
	if a.wait == nil {
		a.wait = time.Sleep
	}
	return a, nil
}

// Inputs implements Converter.
func (a *ADS1115) Inputs() int { return perChip * len(a.chips) }

// Setup implements Converter: it measures once with each chip.
func (a *ADS1115) Setup() error {
	a.places.Forget()
	for i := range a.chips {
		if err := a.start(i, 0); err != nil {
			return err
		}
	}
	a.wait(convert)
	for i := range a.chips {
		if err := a.finish(i); err != nil {
			return err
		}
	}
	return a.places.Check()
}

// Check implements Converter: the settings must be those of the last measurement.
func (a *ADS1115) Check() error {
	for i := range a.chips {
		if _, err := a.idle(i); err != nil {
			return err
		}
	}
	return a.places.Check()
}

// Measure implements Converter.
func (a *ADS1115) Measure(microvolts []int32) error {
	if len(microvolts) > a.Inputs() {
		return fmt.Errorf("ADS1115: there are no %d inputs", len(microvolts))
	}
	for in := range perChip {
		started := false
		for i := range a.chips {
			if perChip*i+in < len(microvolts) {
				if err := a.start(i, in); err != nil {
					return err
				}
				started = true
			}
		}
		if !started {
			return nil
		}
		a.wait(convert)
		for i := range a.chips {
			if perChip*i+in < len(microvolts) {
				if err := a.finish(i); err != nil {
					return err
				}
				microvolts[perChip*i+in] = DecodeADS1115(a.r)
			}
		}
	}
	return nil
}

// start begins a measurement.
func (a *ADS1115) start(chip, input int) error {
	a.config[chip] = single | input0 + uint16(input)*nextMux
	a.w[0] = config
	binary.BigEndian.PutUint16(a.w[1:], a.config[chip])
	return a.chips[chip].Tx(a.w[:], nil)
}

// finish waits for the measurement, if it is not done yet, and reads it into r. What is read before that would be the input
// before.
func (a *ADS1115) finish(chip int) error {
	for try := 0; ; try++ {
		done, err := a.idle(chip)
		switch {
		case err != nil:
			return err
		case done:
			a.w[0] = conversion
			return a.chips[chip].Tx(a.w[:1], a.r[:])
		case try == tries:
			return fmt.Errorf("%v does not finish a measurement", &a.chips[chip])
		}
		a.wait(again)
	}
}

// idle says whether the chip is done. Settings that are not those of the last measurement are an error.
func (a *ADS1115) idle(chip int) (bool, error) {
	a.w[0] = config
	if err := a.chips[chip].Tx(a.w[:1], a.r[:]); err != nil {
		return false, err
	}
	is := binary.BigEndian.Uint16(a.r[:])
	if (is^a.config[chip])&^ready != 0 {
		return false, fmt.Errorf("%v has lost its settings (%04X, not %04X): was its power cut?", &a.chips[chip], is, a.config[chip])
	}
	return is&ready != 0, nil
}

// Close implements Converter.
func (a *ADS1115) Close() error {
	if c, ok := a.places.Bus.(io.Closer); ok {
		return c.Close()
	}
	return nil
}

// DecodeADS1115 is the voltage in a conversion register, in microvolts: one step is 125.
func DecodeADS1115(in [2]byte) int32 {
	return int32(int16(binary.BigEndian.Uint16(in[:]))) * 125
}
