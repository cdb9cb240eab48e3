// Package mcp23017 lights LEDs of one colour at the outputs of MCP23017 chips on an I²C bus, sixteen a chip, or eight where the other
// port has sensors: https://ww1.microchip.com/downloads/aemDocuments/documents/APID/ProductDocuments/DataSheets/MCP23017-Data-Sheet-DS20001952.pdf.
package mcp23017

import (
	"cmp"
	"fmt"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

// Options of a Display. What is not set has its default.
type Options struct {
	Layout    order.Layout
	Ports     string // AB (default), A or B: the ports that have LEDs, and their order
	ActiveLow bool   // an output lights its LED when it is at 0 V
}

// Registers of the chip with IOCON.BANK 0, of port A; port B's follow them.
const (
	ioDirection = 0x00 // 1 is an input
	outputLatch = 0x14
)

// Display is one chip or several. LED n of a chip is output n, from GPA0 on.
type Display struct {
	chips    []chip
	layout   order.Layout
	register byte // 0 where the first port is A, 1 where it is B
	swapped  bool // port B has the first LEDs
	ports    int
	invert   byte
}

type chip struct {
	bus   conn.Conn
	ready bool
	latch [2]byte // as sent last
}

var _ board.Lights = (*Display)(nil)

// New makes a display of chips, given as the connections to their addresses (0x20 to 0x27), the first LEDs first. It sends nothing yet.
func New(chips []conn.Conn, o Options) (*Display, error) {
	d := &Display{layout: o.Layout, ports: 1}
	switch o.Ports {
	case "", "AB":
		d.ports = 2
	case "BA":
		d.ports, d.swapped = 2, true
	case "A":
	case "B":
		d.register = 1
	default:
		return nil, fmt.Errorf("mcp23017: ports %q: use AB, BA, A or B", o.Ports)
	}
	if o.ActiveLow {
		d.invert = 0xff
	}
	if n := (o.Layout.Count + 8*d.ports - 1) / (8 * d.ports); n == 0 || n != len(chips) {
		return nil, fmt.Errorf("mcp23017: %d LEDs want %d chips, not %d", o.Layout.Count, n, len(chips))
	}
	for _, c := range chips {
		d.chips = append(d.chips, chip{bus: c})
	}
	return d, nil
}

// Show sends a frame: to each chip what has changed there.
func (d *Display) Show(f board.Frame) error { return d.ShowLEDs(d.layout.Spread(f)) }

// ShowLEDs sends the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error {
	lit, _ := order.Lit(leds, 1)
	latches := make([][2]byte, len(d.chips))
	each := 8 * d.ports
	for i := range latches {
		latches[i] = [2]byte{d.invert, d.invert}
	}
	for i, on := range lit[:min(len(lit), d.layout.Count)] {
		if on {
			port := i % each / 8
			if d.swapped {
				port = 1 - port
			}
			latches[i/each][port] ^= 1 << (i % 8)
		}
	}
	var err error
	for i := range d.chips {
		err = cmp.Or(err, d.show(&d.chips[i], latches[i]))
	}
	return err
}

func (d *Display) show(c *chip, latch [2]byte) error {
	if c.ready && latch == c.latch {
		return nil
	}
	// The latch first, so that nothing lights up by chance when the pins become outputs; and both each time, because a chip does not
	// say that it was without supply.
	for _, t := range [][]byte{
		append([]byte{outputLatch + d.register}, latch[:d.ports]...), append([]byte{ioDirection + d.register}, make([]byte, d.ports)...),
	} {
		if err := c.bus.Tx(t, nil); err != nil {
			c.ready = false
			return fmt.Errorf("mcp23017 at %s: %w", c.bus, err)
		}
	}
	c.ready, c.latch = true, latch
	return nil
}

// Close darkens the display; the bus stays open.
func (d *Display) Close() error {
	for i := range d.chips {
		d.chips[i].ready = false
	}
	return d.Show(board.Frame{})
}
