// Package mcp23017 reads boards with MCP23017 port expanders on I²C: four chips with a line for each square, eight chips
// that use one port each, or one chip with a matrix on its two ports. Data sheet: Microchip DS20001952.
//
// The pins GPA7 and GPB7 are meant to be outputs: an input that changes while the chip is read can disturb the bus. Boards
// use them as inputs all the same, so a change counts here only when a second reading agrees with it. That reading brings the
// chip's settings with it, so a chip that has lost them is found before it can say anything wrong.
package mcp23017

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

// Ports are the pins of each chip that are read.
type Ports uint8

const (
	Both  Ports = iota // 16 wires a chip, port A first
	OnlyA              // 8 wires a chip; port B is left alone, and may have lights
	OnlyB
)

// ParsePorts reads AB, A or B.
func ParsePorts(word string) (p Ports, ok bool) {
	switch word {
	case "AB":
		return Both, true
	case "A":
		return OnlyA, true
	case "B":
		return OnlyB, true
	}
	return Both, false
}

// Options say how a board is built.
type Options struct {
	Addresses []uint16         // 0x20 to 0x27, in the order of their wires
	Switch    *tca9548a.Switch // nil: none
	Channels  []int            // with a switch: the channel of each chip
	Ports     Ports
	// ActiveHigh: a pin at the supply is a magnet. Otherwise one at 0 V is.
	ActiveHigh bool
	// NoPullUps leaves the chip's resistors of 100 kΩ off, for boards that have their own.
	NoPullUps bool
	// Interrupt is the line to which the INT pins of all chips go, active when it is low. It may be nil.
	Interrupt pins.Alert

	// Matrix: there is one chip; port A drives the rows, low or not at all, and port B reads the columns. Diodes point to
	// the rows. Swap exchanges the ports. A wire is row*8 + column.
	Matrix bool
	Swap   bool
	Settle time.Duration       // matrix: how long a row is driven before the columns are read, beside the bus's own time
	Wait   func(time.Duration) // nil: time.Sleep
}

// Registers, port A, with IOCON.BANK = 0; port B has the next address.
const (
	iodir   = 0x00
	ipol    = 0x02
	gpinten = 0x04
	iocon   = 0x0A
	gppu    = 0x0C
	gpio    = 0x12
	olat    = 0x14
	all     = 0x16 // how many there are
	set     = 0x0E // how many of them Setup writes, from 0

	ioconBANK1 = 0x05 // where IOCON is with BANK = 1; with BANK = 0 it is GPINTENB
	ioMirror   = 0x40 // both INT pins are one
	ioODR      = 0x04 // and pull low only
)

// tries is how often a chip is read until two readings agree.
const tries = 4

// Sensor is a board. It is a scan.Sensor and, with an interrupt line, a scan.Alarm.
type Sensor struct {
	o      Options
	places tca9548a.Places
	chips  []tca9548a.Chip

	want  [all]byte // what the registers must hold
	care  [all]byte // bits of them that matter
	last  [8]byte   // ports as accepted last; in a matrix the columns of each row
	known bool
	lost  error // a chip has lost its settings: what it says may look right by chance

	w [1 + set]byte
	r [all]byte
}

// New is a board on a bus. It takes the bus over, and closes it if that can be closed. It does not speak to it yet.
func New(bus i2c.Bus, o Options) (*Sensor, error) {
	s := &Sensor{o: o, places: tca9548a.Places{Bus: bus, Addresses: o.Addresses, Switch: o.Switch, Channels: o.Channels}}
	numbers := []int{4}
	switch {
	case o.Matrix && (o.Ports != Both || o.Interrupt != nil || o.ActiveHigh || o.NoPullUps):
		return nil, errors.New("MCP23017: a matrix needs both ports, pull-ups and contacts that close to 0 V, and cannot interrupt")
	case o.Swap && !o.Matrix:
		return nil, errors.New("MCP23017: swap is for a matrix")
	case o.Settle < 0:
		return nil, fmt.Errorf("MCP23017: a time to settle of %v", o.Settle)
	case o.Matrix:
		numbers = []int{1}
	case o.Ports > OnlyB:
		return nil, fmt.Errorf("MCP23017: ports %d", o.Ports)
	case o.Ports != Both:
		numbers = []int{8}
	}
	var err error
	if s.chips, err = s.places.Chips("MCP23017", numbers, func(a uint16) bool { return a >= 0x20 && a <= 0x27 }); err != nil {
		return nil, err
	}
	if s.o.Wait == nil {
		s.o.Wait = time.Sleep
	}
	s.settings()
	return s, nil
}

// settings fills in want and care.
func (s *Sensor) settings() {
	io := byte(0)
	if s.o.Interrupt != nil {
		io = ioMirror | ioODR
	}
	s.want[iocon], s.want[iocon+1] = io, io
	s.care[iocon], s.care[iocon+1] = 0xFF, 0xFF
	for port := range 2 {
		if s.o.Ports == OnlyA && port == 1 || s.o.Ports == OnlyB && port == 0 {
			continue
		}
		for reg := iodir; reg < set; reg += 2 {
			s.care[reg+port] = 0xFF
		}
		s.want[iodir+port] = 0xFF
		if !s.o.NoPullUps {
			s.want[gppu+port] = 0xFF
		}
		if s.o.Interrupt != nil {
			s.want[gpinten+port] = 0xFF
		}
	}
	if s.o.Matrix {
		s.care[olat+s.drive()] = 0xFF
	}
}

// drive is the port of the rows: 0 is A.
func (s *Sensor) drive() int {
	if s.o.Swap {
		return 1
	}
	return 0
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{Matrix: s.o.Matrix} }

// Notes are what is worth saying of the board when it is started, a line each.
func (s *Sensor) Notes() []string {
	if s.o.Matrix {
		return []string{"MCP23017: column 7 is a pin (GPA7 or GPB7) that the maker calls an output only; if the bus has errors, give the columns an MCP23S17 or PCA9555"}
	}
	return []string{"MCP23017: wires 7, 15, 23, … are pins (GPA7, GPB7) that the maker calls outputs only; if the bus has errors, an MCP23S17 or PCA9555 is free of it"}
}

// Changed implements scan.Alarm. It is nil without an interrupt line.
func (s *Sensor) Changed() <-chan struct{} {
	if s.o.Interrupt == nil {
		return nil
	}
	return s.o.Interrupt.Changed()
}

// Setup implements scan.Sensor.
func (s *Sensor) Setup() error {
	s.known, s.lost = false, nil
	s.places.Forget()
	if s.o.Matrix {
		s.want[iodir+s.drive()] = 0xFF
	}
	for i := range s.chips {
		if err := s.setup(&s.chips[i]); err != nil {
			return err
		}
	}
	return s.Check()
}

func (s *Sensor) setup(c *tca9548a.Chip) error {
	// A program before us may have left BANK = 1, and SEQOP = 1 with which no row of registers can be written.
	if err := s.write(c, ioconBANK1, 0); err != nil {
		return err
	}
	if err := s.write(c, iocon, s.want[iocon]); err != nil {
		return err
	}
	if s.o.Matrix {
		if err := s.write(c, olat+byte(s.drive()), 0); err != nil {
			return err
		}
	}
	if s.o.Ports == Both {
		s.w[0] = iodir
		copy(s.w[1:], s.want[:set])
		return c.Tx(s.w[:], nil)
	}
	for reg := byte(s.o.Ports - OnlyA); reg < set; reg += 2 {
		if reg&^1 == iocon {
			continue
		}
		if err := s.write(c, reg, s.want[reg]); err != nil {
			return err
		}
	}
	return nil
}

func (s *Sensor) write(c *tca9548a.Chip, reg, value byte) error {
	s.w[0], s.w[1] = reg, value
	return c.Tx(s.w[:2], nil)
}

// Check implements scan.Sensor: it reads all settings of all chips.
func (s *Sensor) Check() error {
	for i := range s.chips {
		if err := s.whole(&s.chips[i], olat+2); err != nil {
			return err
		}
	}
	return s.places.Check()
}

// whole reads the first n registers and compares them with what they must hold.
func (s *Sensor) whole(c *tca9548a.Chip, n int) error {
	s.w[0] = iodir
	if err := c.Tx(s.w[:1], s.r[:n]); err != nil {
		return err
	}
	for reg, is := range s.r[:n] {
		if (is^s.want[reg])&s.care[reg] != 0 {
			s.lost = fmt.Errorf("%v has lost its settings (register %02X holds %02X, not %02X): was its power cut?", c, reg, is, s.want[reg])
			return s.lost
		}
	}
	return nil
}

// Read implements scan.Sensor. When a chip is found to have lost its settings it fails until the next Setup.
func (s *Sensor) Read(r *scan.Reading) error {
	if s.lost != nil {
		return s.lost
	}
	if s.o.Matrix {
		if err := s.rows(); err != nil {
			return err
		}
		s.known = true
		r.Bits = scan.BitsOf(s.last, false) // the columns as read for each row
		return nil
	}
	for again := 0; ; again++ {
		if err := s.lines(); err != nil {
			return err
		}
		s.known = true
		// A change of one chip while another is read keeps the common line low: no edge would tell of it.
		if s.o.Interrupt == nil || again == tries {
			break
		}
		low, err := s.o.Interrupt.Get()
		if err != nil {
			return fmt.Errorf("MCP23017: interrupt line: %w", err)
		}
		if low == 0 {
			break
		}
	}
	r.Bits = scan.BitsOf(s.last, s.o.ActiveHigh)
	return nil
}

// lines reads the ports of all chips. Which pin has raised an interrupt is not asked: the chip tells only of the first.
func (s *Sensor) lines() error {
	reg, n := byte(gpio), 2
	switch s.o.Ports {
	case OnlyA:
		n = 1
	case OnlyB:
		reg, n = gpio+1, 1
	}
	for i := range s.chips {
		c := &s.chips[i]
		s.w[0] = reg
		if err := c.Tx(s.w[:1], s.r[:n]); err != nil {
			return err
		}
		now := [2]byte{s.r[0], s.r[n-1]}
		if err := s.confirm(c, reg, s.last[i*n:(i+1)*n], now); err != nil {
			return err
		}
	}
	return nil
}

// rows drives one row after the other and reads the columns.
func (s *Sensor) rows() error {
	c, drive := &s.chips[0], s.drive()
	sense := gpio + 1 - byte(drive)
	for row := range s.last {
		s.want[iodir+drive] = ^byte(1 << row)
		if err := s.write(c, iodir+byte(drive), s.want[iodir+drive]); err != nil {
			return err
		}
		s.o.Wait(s.o.Settle)
		s.w[0] = sense
		if err := c.Tx(s.w[:1], s.r[:1]); err != nil {
			return err
		}
		if err := s.confirm(c, sense, s.last[row:row+1], [2]byte{s.r[0]}); err != nil {
			return err
		}
	}
	return nil
}

// confirm takes what a chip has just said of the ports from reg on into last. If that is new it is read again, together with
// the settings, until two readings agree. Pins that do not come to rest stay as they were.
func (s *Sensor) confirm(c *tca9548a.Chip, reg byte, last []byte, now [2]byte) error {
	same := s.known
	for i := range last {
		same = same && now[i] == last[i]
	}
	if same {
		return nil
	}
	var moving [2]byte
	for range tries - 1 {
		if err := s.whole(c, olat+2); err != nil {
			return err
		}
		still := true
		for i := range last {
			again := s.r[int(reg)+i]
			moving[i], now[i] = again^now[i], again
			still = still && moving[i] == 0
		}
		if still {
			break
		}
	}
	for i := range last {
		if !s.known {
			moving[i] = 0 // there is nothing to keep
		}
		last[i] = now[i]&^moving[i] | last[i]&moving[i]
	}
	return nil
}

// Close implements scan.Sensor: it closes the bus and the interrupt line.
func (s *Sensor) Close() error {
	var errs []error
	if s.o.Interrupt != nil {
		errs = append(errs, s.o.Interrupt.Close())
	}
	if c, ok := s.places.Bus.(io.Closer); ok {
		errs = append(errs, c.Close())
	}
	return cmp.Or(errs...) // the first that failed: an error is one line
}
