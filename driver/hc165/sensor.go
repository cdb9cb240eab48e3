// Package hc165 reads boards with a chain of eight 74HC165 shift registers on SPI, a line for each square. Data sheet: Nexperia
// 74HC165.
package hc165

import (
	"cmp"
	"errors"
	"fmt"
	"io"

	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// How the port must be opened: the clock in Hz, which leaves room for long wires, and the mode. The chips shift at the rising
// edge of the clock; in mode 2 the Pi reads at the falling one, half a clock away from it.
const (
	MaxHz = 1_000_000
	Mode  = 2
)

// Options say how a board is built. The inputs need resistors of their own.
type Options struct {
	// The load pins (PL) of all chips go to a GPIO line, which loads when it is active (active low), or to the select line
	// of a second SPI port. One of the two must be given.
	Load     pins.Outputs
	LoadPort spi.Conn
	// Loop: the serial input (DS) of the chip that is farthest from MISO goes to MOSI. Every reading then shows whether all
	// eight chips have passed it on.
	Loop bool
	// ActiveHigh: an input at the supply is a magnet. Otherwise one at 0 V is.
	ActiveHigh bool
}

// mark is what goes round the chain when it is looped, at both levels and with single bits.
var mark = [2]byte{0xA5, 0x1E}

// Sensor is a board. It is a scan.Sensor.
type Sensor struct {
	o     Options
	conn  spi.Conn
	w, r  [8 + len(mark)]byte
	dummy *[1]byte
}

// New is a board on an SPI port. It takes over the port and what loads the chips, and closes them. It does not speak to them yet.
func New(conn spi.Conn, o Options) (*Sensor, error) {
	switch {
	case conn == nil:
		return nil, errors.New("74HC165: there is no SPI port")
	case (o.Load == nil) == (o.LoadPort == nil):
		return nil, errors.New("74HC165: the load pins need a GPIO line or a second SPI port, one of the two")
	}
	s := &Sensor{o: o, conn: conn, dummy: new([1]byte)}
	copy(s.w[:], mark[:])
	return s, nil
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{} }

// Setup implements scan.Sensor. The chips have no settings.
func (s *Sensor) Setup() error { return s.Check() }

// Check implements scan.Sensor. With Loop it shows whether the chain is whole; without, only that the port works.
func (s *Sensor) Check() error { return s.transfer() }

// Read implements scan.Sensor.
func (s *Sensor) Read(r *scan.Reading) error {
	if err := s.transfer(); err != nil {
		return err
	}
	// Byte 0 is the chip nearest to MISO, bit 7 its input D7.
	r.Bits = scan.BitsOf([8]byte(s.r[:8]), s.o.ActiveHigh)
	return nil
}

// transfer loads the inputs into the chips and shifts them out.
func (s *Sensor) transfer() error {
	if err := s.load(); err != nil {
		return fmt.Errorf("74HC165: loading: %w", err)
	}
	n := 8
	if s.o.Loop {
		n = len(s.r)
	}
	if err := s.conn.Tx(s.w[:n], s.r[:n]); err != nil {
		return fmt.Errorf("74HC165: %w", err)
	}
	if back := [2]byte(s.r[8:]); s.o.Loop && back != mark {
		return fmt.Errorf("74HC165: the chain is broken: %x went in and %x came out: check its supply, its clock and the wires from chip to chip", mark, back)
	}
	return nil
}

func (s *Sensor) load() error {
	if s.o.LoadPort != nil {
		// The select line is low, and the chips load, as long as this byte takes.
		return s.o.LoadPort.Tx(s.dummy[:], nil)
	}
	if err := s.o.Load.Set(1); err != nil {
		return err
	}
	return s.o.Load.Set(0)
}

// Close implements scan.Sensor.
func (s *Sensor) Close() error {
	var errs []error
	if s.o.Load != nil {
		errs = append(errs, s.o.Load.Close())
	}
	for _, c := range []spi.Conn{s.conn, s.o.LoadPort} {
		if c, ok := c.(io.Closer); ok {
			errs = append(errs, c.Close())
		}
	}
	return cmp.Or(errs...) // the first that failed: an error is one line
}
