// Package mcp23s17 reads boards with four MCP23S17 port expanders on one SPI select line, a line for each square. The chips
// know themselves by their address pins. Data sheet: Microchip DS20001952.
package mcp23s17

import (
	"errors"
	"fmt"
	"io"
	"slices"

	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/scan"
)

// How the port must be opened: the highest clock in Hz, and the mode.
const (
	MaxHz = 10_000_000
	Mode  = 0
)

// Options say how a board is built.
type Options struct {
	// Addresses are 0x20 to 0x27 for the address pins 0 to 7, in the order of the wires.
	Addresses []uint16
	// ActiveHigh: a pin at the supply is a magnet. Otherwise one at 0 V is.
	ActiveHigh bool
	// NoPullUps leaves the chip's resistors of 100 kΩ off, for boards that have their own.
	NoPullUps bool
}

// Registers with IOCON.BANK = 0, port A.
const (
	iodir = 0x00
	iocon = 0x0A
	gppu  = 0x0C
	gpio  = 0x12
	set   = 0x0E // how many of them Setup writes, from 0

	ioconBANK1 = 0x05 // where IOCON is with BANK = 1; with BANK = 0 it is GPINTENB
	ioHAEN     = 0x08 // look at the address pins
)

// Sensor is a board. It is a scan.Sensor.
type Sensor struct {
	o    Options
	conn spi.Conn
	want [set]byte
	w, r [2 + gpio + 2]byte
}

// New is a board on an SPI port. It takes the port over, and closes it if that can be closed. It does not speak to it yet.
func New(conn spi.Conn, o Options) (*Sensor, error) {
	switch {
	case conn == nil:
		return nil, errors.New("MCP23S17: there is no SPI port")
	case len(o.Addresses) != 4:
		return nil, fmt.Errorf("MCP23S17: wants 4 devices, not %d", len(o.Addresses))
	}
	for i, a := range o.Addresses {
		if a < 0x20 || a > 0x27 {
			return nil, fmt.Errorf("MCP23S17: there is none with the address %#02x", a)
		}
		if slices.Index(o.Addresses, a) != i {
			return nil, fmt.Errorf("MCP23S17: two have the address %#02x", a)
		}
	}
	s := &Sensor{o: o, conn: conn, want: [set]byte{iodir: 0xFF, iodir + 1: 0xFF, iocon: ioHAEN, iocon + 1: ioHAEN}}
	if !o.NoPullUps {
		s.want[gppu], s.want[gppu+1] = 0xFF, 0xFF
	}
	return s, nil
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{} }

// Setup implements scan.Sensor.
func (s *Sensor) Setup() error {
	// A chip that has just got its supply answers to address 0, whatever its pins say, or with older silicon to 4 when A2
	// is high. One that a program before us has used answers to its own, and may have IOCON elsewhere.
	for _, a := range [2]uint16{0x20, 0x24} {
		if err := s.restore(a); err != nil {
			return err
		}
	}
	for _, a := range s.o.Addresses {
		if err := s.restore(a); err != nil {
			return err
		}
	}
	for _, a := range s.o.Addresses {
		s.w[0], s.w[1] = byte(a<<1), iodir
		copy(s.w[2:], s.want[:])
		if err := s.tx(a, 2+set); err != nil {
			return err
		}
	}
	return s.Check()
}

// restore brings IOCON of whoever listens to an address to what it must be, whatever it was.
func (s *Sensor) restore(addr uint16) error {
	for _, reg := range [2]byte{ioconBANK1, iocon} {
		s.w[0], s.w[1], s.w[2] = byte(addr<<1), reg, ioHAEN
		if err := s.tx(addr, 3); err != nil {
			return err
		}
	}
	return nil
}

// tx sends the first n bytes of w and receives as many.
func (s *Sensor) tx(addr uint16, n int) error {
	if err := s.conn.Tx(s.w[:n], s.r[:n]); err != nil {
		return fmt.Errorf("MCP23S17 at %#02x: %w", addr, err)
	}
	return nil
}

// registers reads n of them from reg on and compares those that Setup has written.
func (s *Sensor) registers(addr uint16, reg byte, n int) ([]byte, error) {
	clear(s.w[:])
	s.w[0], s.w[1] = byte(addr<<1)|1, reg
	if err := s.tx(addr, 2+n); err != nil {
		return nil, err
	}
	got := s.r[2 : 2+n]
	for i := 0; i < n && int(reg)+i < set; i++ {
		if got[i] != s.want[int(reg)+i] {
			return nil, fmt.Errorf("MCP23S17 at %#02x has lost its settings or does not answer (register %02X reads %02X, not %02X): check its supply, its address pins and MISO",
				addr, int(reg)+i, got[i], s.want[int(reg)+i])
		}
	}
	return got, nil
}

// Check implements scan.Sensor: it reads all settings of all chips.
func (s *Sensor) Check() error {
	for _, a := range s.o.Addresses {
		if _, err := s.registers(a, iodir, set); err != nil {
			return err
		}
	}
	return nil
}

// Read implements scan.Sensor. SPI does not tell whether anybody answers, so every reading brings along the registers that
// differ from those of a chip without its settings, and is worth nothing when they are wrong.
func (s *Sensor) Read(r *scan.Reading) error {
	var ports [8]byte
	for i, a := range s.o.Addresses {
		got, err := s.registers(a, iocon, gpio+2-iocon)
		if err != nil {
			return err
		}
		copy(ports[2*i:], got[gpio-iocon:])
	}
	r.Bits = scan.BitsOf(ports, s.o.ActiveHigh)
	return nil
}

// Close implements scan.Sensor.
func (s *Sensor) Close() error {
	if c, ok := s.conn.(io.Closer); ok {
		return c.Close()
	}
	return nil
}
