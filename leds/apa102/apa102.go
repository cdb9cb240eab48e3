// Package apa102 drives chains of APA102 and SK9822 LEDs, which have a clock line of their own, from an SPI bus:
// https://cpldcpu.com/2014/11/30/understanding-the-apa102-superled/.
package apa102

import (
	"fmt"
	"strings"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/chain"
	"github.com/boardd/boardd/leds/order"
)

// Options of a Display. What is not set has its default.
type Options struct {
	Layout order.Layout
	Colors string // the order in which a LED takes its colours: BGR (default) or any other
	Gamma  int    // of chain.Options
	MaxMA  int    // of chain.Options
}

// DefaultHz is a clock that long chains still follow; the bus may be set to 1 to 8 MHz.
const DefaultHz = 4_000_000

// full says that the LED is as bright as its colours. The chip's own brightness flickers at some hundred hertz.
const full = 0xe0 | 31

// Display is one chain.
type Display struct {
	bus    conn.Conn
	chain  *chain.Chain
	colors [3]int // index in R, G, B of each colour in the order of sending
	buffer []byte
}

var _ board.Lights = (*Display)(nil)

// New makes a display on an SPI connection in mode 0 or 3. It sends nothing yet.
func New(bus conn.Conn, o Options) (*Display, error) {
	if o.Colors == "" {
		o.Colors = "BGR"
	}
	d := &Display{bus: bus}
	seen := 0
	for i, r := range strings.ToUpper(o.Colors) {
		at := strings.IndexRune("RGB", r)
		if at < 0 || len(o.Colors) != 3 {
			return nil, fmt.Errorf("apa102: colours %q: use BGR or another order of these letters", o.Colors)
		}
		d.colors[i], seen = at, seen|1<<at
	}
	if seen != 7 {
		return nil, fmt.Errorf("apa102: colours %q: use BGR or another order of these letters", o.Colors)
	}
	var err error
	if d.chain, err = chain.New(chain.Options{Layout: o.Layout, Gamma: o.Gamma, MaxMA: o.MaxMA}); err != nil {
		return nil, fmt.Errorf("apa102: %w", err)
	}
	// Each LED passes the data on half a clock late, and needs as many more clocks after the data; SK9822 take their data over with
	// another four zero bytes.
	n := d.chain.Count()
	d.buffer = make([]byte, 4+4*n+4+(n+15)/16)
	if l, ok := bus.(conn.Limits); ok && l.MaxTxSize() > 0 && len(d.buffer) > l.MaxTxSize() {
		return nil, fmt.Errorf("apa102: a frame of %d LEDs is %d bytes and the SPI driver takes %d at once: "+
			"add spidev.bufsiz=4096 to /boot/firmware/cmdline.txt and boot again", n, len(d.buffer), l.MaxTxSize())
	}
	return d, nil
}

// String names the display.
func (d *Display) String() string { return fmt.Sprintf("%d APA102 on %s", d.chain.Count(), d.bus) }

// Show sends a frame.
func (d *Display) Show(f board.Frame) error { return d.send(d.chain.Frame(f)) }

// ShowLEDs sends the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error { return d.send(d.chain.Lights(leds)) }

func (d *Display) send(lights []chain.Light) error {
	for i, l := range lights {
		led := d.buffer[4+4*i:]
		led[0] = full
		levels := [3]uint8{l.R, l.G, l.B}
		for j, c := range d.colors {
			led[1+j] = levels[c]
		}
	}
	if err := d.bus.Tx(d.buffer, nil); err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	return nil
}

// Close darkens the display; the bus stays open.
func (d *Display) Close() error { return d.Show(board.Frame{}) }
