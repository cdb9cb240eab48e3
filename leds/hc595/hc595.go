// Package hc595 lights LEDs of one colour at the outputs of a chain of 74HC595 shift registers on an SPI bus, whose select line takes
// the outputs over (RCLK): https://www.ti.com/lit/ds/symlink/sn74hc595.pdf. Display has one output for each LED; Lines drives a matrix
// of rows and columns with package leds/matrix.
package hc595

import (
	"fmt"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

// DefaultHz is a clock that long wires still follow.
const DefaultHz = 1_000_000

// Lines are the outputs of a chain, from QA of the register next to the computer on.
type Lines struct {
	bus    conn.Conn
	buffer []byte
}

// NewLines makes the outputs of a chain of so many registers, at most 8, on an SPI connection in mode 0.
func NewLines(bus conn.Conn, registers int) (*Lines, error) {
	if registers < 1 || registers > 8 {
		return nil, fmt.Errorf("hc595: a chain of lines has 1 to 8 registers, not %d", registers)
	}
	return &Lines{bus, make([]byte, registers)}, nil
}

// Set drives output i high where bit i is set, else low.
func (l *Lines) Set(high uint64) error {
	for i := range l.buffer {
		l.buffer[len(l.buffer)-1-i] = byte(high >> (8 * i)) // what goes first ends in the last register
	}
	if err := l.bus.Tx(l.buffer, nil); err != nil {
		return fmt.Errorf("hc595 on %s: %w", l.bus, err)
	}
	return nil
}

// Display has one output for each LED. LED n is output n%8 of register n/8.
type Display struct {
	bus    conn.Conn
	layout order.Layout
	invert byte
	buffer []byte
}

var _ board.Lights = (*Display)(nil)

// New makes a display on an SPI connection in mode 0. activeLow says that an output lights its LED when it is at 0 V. It sends
// nothing yet.
func New(bus conn.Conn, layout order.Layout, activeLow bool) (*Display, error) {
	if layout.Count == 0 {
		return nil, fmt.Errorf("hc595: there are no LEDs")
	}
	d := &Display{bus: bus, layout: layout, buffer: make([]byte, (layout.Count+7)/8)}
	if activeLow {
		d.invert = 0xff
	}
	return d, nil
}

// Show sends a frame.
func (d *Display) Show(f board.Frame) error { return d.ShowLEDs(d.layout.Spread(f)) }

// ShowLEDs sends the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error {
	lit, _ := order.Lit(leds, 1)
	last := len(d.buffer) - 1
	for i := range d.buffer {
		d.buffer[i] = d.invert
	}
	for i, on := range lit[:min(len(lit), d.layout.Count)] {
		if on {
			d.buffer[last-i/8] ^= 1 << (i % 8) // what goes first ends in the last register
		}
	}
	if err := d.bus.Tx(d.buffer, nil); err != nil {
		return fmt.Errorf("hc595 on %s: %w", d.bus, err)
	}
	return nil
}

// Close darkens the display; the bus stays open.
func (d *Display) Close() error { return d.Show(board.Frame{}) }
