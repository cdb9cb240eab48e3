// Package ht16k33 drives LEDs of one colour by HT16K33 chips on an I²C bus, 64 or 128 a chip:
// https://www.holtek.com/webapi/116711/HT16K33Av102.pdf.
package ht16k33

import (
	"cmp"
	"fmt"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

// Options of a Display. What is not set has its default.
type Options struct {
	Layout order.Layout
	// Rows is how many of a chip's rows have LEDs: 8 (default) or 16. LED n of a chip is at common n/Rows and row n%Rows.
	Rows int
}

// Commands of the chip.
const (
	oscillatorOn = 0x21
	standby      = 0x20
	displayOn    = 0x81 // not blinking: blinking is in phase with other displays
	displayOff   = 0x80
	brightness   = 0xe0 // and 0 to 15
)

// Display is one chip or several.
type Display struct {
	chips  []chip
	layout order.Layout
	rows   int
}

type chip struct {
	bus    conn.Conn
	ready  bool // it is known to be set up and to show memory
	level  int  // 1 to 16
	memory [17]byte
}

// dark is a memory without light.
var dark [17]byte

var _ board.Lights = (*Display)(nil)

// New makes a display of chips, given as the connections to their addresses (0x70 to 0x77), the first LEDs first. It sends nothing yet.
func New(chips []conn.Conn, o Options) (*Display, error) {
	if o.Rows == 0 {
		o.Rows = 8
	}
	if o.Rows != 8 && o.Rows != 16 {
		return nil, fmt.Errorf("ht16k33: a chip has 8 or 16 rows of LEDs, not %d", o.Rows)
	}
	if n := (o.Layout.Count + 8*o.Rows - 1) / (8 * o.Rows); n == 0 || n != len(chips) {
		return nil, fmt.Errorf("ht16k33: %d LEDs in %d rows want %d chips, not %d", o.Layout.Count, o.Rows, n, len(chips))
	}
	d := &Display{layout: o.Layout, rows: o.Rows}
	for _, c := range chips {
		d.chips = append(d.chips, chip{bus: c})
	}
	return d, nil
}

// Show sends a frame: to each chip what has changed there.
func (d *Display) Show(f board.Frame) error { return d.ShowLEDs(d.layout.Spread(f)) }

// ShowLEDs sends the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error {
	lit, level := order.Lit(leds, 16)
	memories := make([][17]byte, len(d.chips))
	each := 8 * d.rows
	any := false
	for i, on := range lit[:min(len(lit), d.layout.Count)] {
		if on {
			n := i % each
			row := n % d.rows
			memories[i/each][1+2*(n/d.rows)+row/8] |= 1 << (row % 8)
			any = true
		}
	}
	var err error
	for i := range d.chips {
		if !any {
			level = max(d.chips[i].level, 1) // nobody sees how bright it would be
		}
		err = cmp.Or(err, d.chips[i].show(memories[i], level))
	}
	return err
}

func (c *chip) show(memory [17]byte, level int) error {
	if !c.ready || c.memory == dark && memory != dark {
		// A chip that has just got its supply is dark, and shows what is in its memory once it is on: that comes first. Whether it
		// was without supply meanwhile it does not say, so it is set up with each light after darkness.
		c.level, c.memory = level, memory
		if err := c.send([]byte{oscillatorOn}, c.memory[:], []byte{brightness | byte(level-1)}, []byte{displayOn}); err != nil {
			return err
		}
		c.ready = true
		return nil
	}
	if level != c.level {
		c.level = level
		if err := c.send([]byte{brightness | byte(level-1)}); err != nil {
			return err
		}
	}
	if memory != c.memory {
		c.memory = memory
		return c.send(c.memory[:])
	}
	return nil
}

// send sends one transfer after the other. A chip that does not answer is begun anew with the next frame.
func (c *chip) send(transfers ...[]byte) error {
	for _, t := range transfers {
		if err := c.bus.Tx(t, nil); err != nil {
			c.ready = false
			return fmt.Errorf("ht16k33 at %s: %w", c.bus, err)
		}
	}
	return nil
}

// Close darkens the display and lets the chips rest; the bus stays open.
func (d *Display) Close() (err error) {
	for i := range d.chips {
		c := &d.chips[i]
		c.memory = dark // from address 0 on
		err = cmp.Or(err, c.send(c.memory[:], []byte{displayOff}, []byte{standby}))
		c.ready = false
	}
	return err
}
