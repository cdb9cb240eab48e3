// Package chardev writes to the device file of a kernel driver for LEDs: /dev/leds0 of the overlay ws2812-pio on a Raspberry Pi 5, which
// takes four bytes a LED, red, green, blue and white (https://github.com/raspberrypi/linux/pull/6551).
package chardev

import (
	"fmt"
	"io"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/chain"
	"github.com/boardd/boardd/leds/order"
)

// Options of a Display. What is not set has its default.
type Options struct {
	Layout order.Layout
	White  bool // the LEDs have white of their own, as the overlay's rgbw says
	Gamma  int  // of chain.Options
	MaxMA  int  // of chain.Options
}

// Display is one chain.
type Display struct {
	device io.Writer
	chain  *chain.Chain
	buffer []byte
}

var _ board.Lights = (*Display)(nil)

// New makes a display of a device of which each Write is one frame from the first LED on. It sends nothing yet.
func New(device io.Writer, o Options) (*Display, error) {
	c, err := chain.New(chain.Options{Layout: o.Layout, Gamma: o.Gamma, MaxMA: o.MaxMA, White: o.White})
	if err != nil {
		return nil, fmt.Errorf("leds-chardev: %w", err)
	}
	return &Display{device, c, make([]byte, 4*c.Count())}, nil
}

// Show writes a frame.
func (d *Display) Show(f board.Frame) error { return d.write(d.chain.Frame(f)) }

// ShowLEDs writes the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error { return d.write(d.chain.Lights(leds)) }

func (d *Display) write(lights []chain.Light) error {
	for i, l := range lights {
		copy(d.buffer[4*i:], []byte{l.R, l.G, l.B, l.W})
	}
	if n, err := d.device.Write(d.buffer); err != nil {
		return fmt.Errorf("leds-chardev: %w", err)
	} else if n < len(d.buffer) {
		return fmt.Errorf("leds-chardev: the device took %d of %d LEDs: does num_leds of its overlay say %d?", n/4, d.chain.Count(), d.chain.Count())
	}
	return nil
}

// Close darkens the display; the device stays open.
func (d *Display) Close() error { return d.Show(board.Frame{}) }
