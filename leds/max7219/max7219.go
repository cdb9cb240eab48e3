// Package max7219 drives LEDs of one colour by MAX7219 chips in a row on an SPI bus, 64 a chip:
// https://www.analog.com/media/en/technical-documentation/data-sheets/MAX7219-MAX7221.pdf.
package max7219

import (
	"fmt"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

// Registers of the chip.
const (
	firstDigit = 0x01
	decode     = 0x09
	intensity  = 0x0a // 0 to 15
	scanLimit  = 0x0b
	shutdown   = 0x0c // 1 is on
	test       = 0x0f
)

// MaxHz is the fastest clock of the chip.
const MaxHz = 10_000_000

// Display is one chip, or several of which each passes on what is not for it. LED n of a chip is bit n%8 of row n/8.
type Display struct {
	bus    conn.Conn
	layout order.Layout
	ready  bool
	lit    bool // some LED is
	level  int  // 1 to 16
	rows   [8][]byte
	buffer []byte
}

var _ board.Lights = (*Display)(nil)

// New makes a display on an SPI connection in mode 0, whose select line takes over each transfer. It has as many chips as the LEDs
// want, the one next to the computer first. It sends nothing yet.
func New(bus conn.Conn, layout order.Layout) (*Display, error) {
	chips := (layout.Count + 63) / 64
	if chips == 0 {
		return nil, fmt.Errorf("max7219: there are no LEDs")
	}
	d := &Display{bus: bus, layout: layout, buffer: make([]byte, 2*chips)}
	for i := range d.rows {
		d.rows[i] = make([]byte, chips)
	}
	return d, nil
}

// Show sends a frame: the rows that have changed.
func (d *Display) Show(f board.Frame) error { return d.ShowLEDs(d.layout.Spread(f)) }

// ShowLEDs sends the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error {
	lit, level := order.Lit(leds, 16)
	var rows [8][]byte
	for i := range rows {
		rows[i] = make([]byte, len(d.rows[i]))
	}
	any := false
	for i, on := range lit[:min(len(lit), d.layout.Count)] {
		if on {
			rows[i/8%8][i/64] |= 1 << (i % 8)
			any = true
		}
	}
	switch {
	case !any && d.ready:
		level = d.level // nobody sees how bright it would be
	case any && !d.lit:
		d.ready = false // what a chip without supply has forgotten it does not say: it is set up with each light after darkness
	}
	d.lit = any
	if err := d.send(rows, level); err != nil {
		d.ready = false // begun anew with the next frame
		return fmt.Errorf("max7219 on %s: %w", d.bus, err)
	}
	d.ready = true
	return nil
}

func (d *Display) send(rows [8][]byte, level int) error {
	if !d.ready {
		if err := d.start(level); err != nil {
			return err
		}
	}
	if level != d.level {
		if err := d.all(intensity, byte(level-1)); err != nil {
			return err
		}
		d.level = level
	}
	for i, row := range rows {
		if string(row) == string(d.rows[i]) && d.ready {
			continue
		}
		if err := d.write(firstDigit+byte(i), row); err != nil {
			return err
		}
		copy(d.rows[i], row)
	}
	return nil
}

// start sets the chips up: they are dark until all is set, and what they show then comes with the rows.
func (d *Display) start(level int) error {
	for _, w := range [][2]byte{{test, 0}, {shutdown, 1}, {scanLimit, 7}, {decode, 0}, {intensity, byte(level - 1)}} {
		if err := d.all(w[0], w[1]); err != nil {
			return err
		}
	}
	d.level = level
	return nil
}

// all tells all chips the same.
func (d *Display) all(register, value byte) error {
	values := make([]byte, len(d.buffer)/2)
	for i := range values {
		values[i] = value
	}
	return d.write(register, values)
}

// write gives each chip its value in one transfer; what is for the last chip goes first.
func (d *Display) write(register byte, values []byte) error {
	for i := range values {
		at := len(d.buffer) - 2*(i+1)
		d.buffer[at], d.buffer[at+1] = register, values[i]
	}
	return d.bus.Tx(d.buffer, nil)
}

// Close darkens the display and shuts the chips down; the bus stays open.
func (d *Display) Close() error {
	err := d.Show(board.Frame{})
	if err == nil {
		err = d.all(shutdown, 0)
	}
	d.ready = false
	return err
}
