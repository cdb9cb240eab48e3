// Package ws2812 drives chains of WS2812B and SK6812 LEDs from the data line (MOSI) of an SPI bus, whose bits are made so short that
// three or four of them are one bit of a LED: https://cdn-shop.adafruit.com/datasheets/WS2812B.pdf.
package ws2812

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
	Colors string // the order in which a LED takes its colours: GRB (default), RGB or any other, with W where it has white of its own
	Bits   int    // SPI bits to a bit: 3 (default, 2.4 MHz) or 4 (3.2 MHz)
	Gamma  int    // of chain.Options
	MaxMA  int    // of chain.Options
}

// Hz is the clock that the bus must have.
func (o Options) Hz() int64 {
	if o.Bits == 4 {
		return 3_200_000
	}
	return 2_400_000
}

const (
	leading = 3   // zero bytes before the data: the line may have been high until now
	resetUs = 300 // newer WS2812B take their data over after 280 µs of silence
)

// Display is one chain.
type Display struct {
	bus    conn.Conn
	chain  *chain.Chain
	colors []int // index in R, G, B, W of each colour in the order of sending
	bits   int
	table  [256][4]byte
	buffer []byte // a whole frame: a pause within it would be taken for its end
}

var _ board.Lights = (*Display)(nil)

// New makes a display on an SPI connection in mode 0 with the clock that Hz says. It sends nothing yet. A frame that the bus cannot
// send at once is an error.
func New(bus conn.Conn, o Options) (*Display, error) {
	if o.Colors == "" {
		o.Colors = "GRB"
	}
	if o.Bits == 0 {
		o.Bits = 3
	}
	if o.Bits != 3 && o.Bits != 4 {
		return nil, fmt.Errorf("ws2812: a bit is 3 or 4 SPI bits, not %d", o.Bits)
	}
	colors, err := parseColors(o.Colors)
	if err != nil {
		return nil, err
	}
	white := len(colors) == 4
	c, err := chain.New(chain.Options{Layout: o.Layout, Gamma: o.Gamma, MaxMA: o.MaxMA, White: white})
	if err != nil {
		return nil, fmt.Errorf("ws2812: %w", err)
	}
	reset := int(o.Hz() * resetUs / 8_000_000)
	size := leading + c.Count()*len(colors)*o.Bits + reset
	if l, ok := bus.(conn.Limits); ok && l.MaxTxSize() > 0 && size > l.MaxTxSize() {
		return nil, fmt.Errorf("ws2812: a frame of %d LEDs is %d bytes and the SPI driver takes %d at once: "+
			"add spidev.bufsiz=%d to /boot/firmware/cmdline.txt and boot again", c.Count(), size, l.MaxTxSize(), (size+4095)/4096*4096)
	}
	return &Display{bus: bus, chain: c, colors: colors, bits: o.Bits, table: encoding(o.Bits, white), buffer: make([]byte, size)}, nil
}

func parseColors(text string) (colors []int, err error) {
	seen := 0
	for _, r := range strings.ToUpper(text) {
		i := strings.IndexRune("RGBW", r)
		if i < 0 || seen>>i&1 != 0 {
			return nil, fmt.Errorf("ws2812: colours %q: use GRB, GRBW or another order of these letters", text)
		}
		seen |= 1 << i
		colors = append(colors, i)
	}
	if seen&7 != 7 {
		return nil, fmt.Errorf("ws2812: colours %q: use GRB, GRBW or another order of these letters", text)
	}
	return colors, nil
}

// encoding is what each byte of a LED becomes on the bus. SK6812, which the LEDs with white are, want a shorter one of 4 bits.
func encoding(bits int, white bool) (t [256][4]byte) {
	zero, one := uint32(0b100), uint32(0b110)
	if bits == 4 {
		zero, one = 0b1000, 0b1110
		if white {
			one = 0b1100
		}
	}
	for b := range t {
		var line uint32
		for i := 7; i >= 0; i-- {
			line <<= bits
			if b>>i&1 != 0 {
				line |= one
			} else {
				line |= zero
			}
		}
		for i := range bits {
			t[b][i] = byte(line >> (8 * (bits - 1 - i)))
		}
	}
	return t
}

// String names the display.
func (d *Display) String() string { return fmt.Sprintf("%d WS2812 on %s", d.chain.Count(), d.bus) }

// Show sends a frame.
func (d *Display) Show(f board.Frame) error { return d.send(d.chain.Frame(f)) }

// ShowLEDs sends the light of single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error { return d.send(d.chain.Lights(leds)) }

func (d *Display) send(lights []chain.Light) error {
	at := leading
	for _, l := range lights {
		levels := [4]uint8{l.R, l.G, l.B, l.W}
		for _, c := range d.colors {
			at += copy(d.buffer[at:], d.table[levels[c]][:d.bits])
		}
	}
	if err := d.bus.Tx(d.buffer, nil); err != nil {
		return fmt.Errorf("%s: %w", d, err)
	}
	return nil
}

// Close darkens the display; the bus stays open.
func (d *Display) Close() error { return d.Show(board.Frame{}) }
