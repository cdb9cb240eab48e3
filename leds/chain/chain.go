// Package chain is what chains of coloured LEDs have in common, whatever their chip: squares become LEDs, eyes are allowed for (gamma),
// and the current stays within what the supply gives.
package chain

import (
	"fmt"
	"math/big"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

// Light is what one LED is told. W is 0 where the LEDs have no white of their own.
type Light struct{ R, G, B, W uint8 }

// Options of a Chain. What is not set has its default.
type Options struct {
	Layout order.Layout
	Gamma  int  // in tenths, 10 to 40: how much weaker than said weak light is; default 22, and 10 is none
	MaxMA  int  // most current in mA, of the LEDs' chips too; default 700
	White  bool // the LEDs have white of their own, which then gives what is common to red, green and blue
}

// Chain makes lights of frames.
type Chain struct {
	layout order.Layout
	gamma  [256]uint8
	maxMA  int
	white  bool
}

// The current of a LED of the WS2812B kind, from its data sheet; others need no more.
const (
	chipMA    = 1  // of a dark LED
	channelMA = 20 // of one colour at its full
)

// New makes a chain. A limit that the dark chips alone exceed is an error.
func New(o Options) (*Chain, error) {
	if o.Gamma == 0 {
		o.Gamma = 22
	}
	if o.MaxMA == 0 {
		o.MaxMA = 700
	}
	switch {
	case o.Layout.Count == 0:
		return nil, fmt.Errorf("the chain has no LEDs")
	case o.Gamma < 10 || o.Gamma > 40:
		return nil, fmt.Errorf("gamma is 1.0 to 4.0")
	case o.MaxMA <= o.Layout.Count*chipMA:
		return nil, fmt.Errorf("%d mA are not enough: %d dark LEDs need %d mA", o.MaxMA, o.Layout.Count, o.Layout.Count*chipMA)
	}
	return &Chain{o.Layout, gammaTable(o.Gamma), o.MaxMA, o.White}, nil
}

// Count is the number of LEDs.
func (c *Chain) Count() int { return c.layout.Count }

// Frame is the light of all LEDs for a frame.
func (c *Chain) Frame(f board.Frame) []Light { return c.Lights(c.layout.Spread(f)) }

// Lights is the light of LEDs in the order in which they are wired; those that are not named are dark, and those beyond the chain are
// left out.
func (c *Chain) Lights(leds []board.RGB) []Light {
	out := make([]Light, c.layout.Count)
	for i := range min(len(leds), len(out)) {
		out[i] = c.light(leds[i])
	}
	c.limit(out)
	return out
}

// light allows for the eye. What is lit stays visible: where nothing would be left, the strongest colours stay at their least.
func (c *Chain) light(in board.RGB) Light {
	l := Light{R: c.gamma[in.R], G: c.gamma[in.G], B: c.gamma[in.B]}
	if top := max(in.R, in.G, in.B); top > 0 && l == (Light{}) {
		for _, p := range [...]struct {
			said uint8
			to   *uint8
		}{{in.R, &l.R}, {in.G, &l.G}, {in.B, &l.B}} {
			if p.said == top {
				*p.to = 1
			}
		}
	}
	if c.white {
		l.W = min(l.R, l.G, l.B)
		l.R, l.G, l.B = l.R-l.W, l.G-l.W, l.B-l.W
	}
	return l
}

// limit weakens all LEDs by the same factor until the current is within the limit.
func (c *Chain) limit(lights []Light) {
	sum := total(lights)
	budget := (c.maxMA - len(lights)*chipMA) * 255 / channelMA // in steps of colour
	if sum <= budget {
		return
	}
	weaker := func(x uint8) uint8 { return uint8(int(x) * budget / sum) }
	for i, l := range lights {
		lights[i] = Light{weaker(l.R), weaker(l.G), weaker(l.B), weaker(l.W)}
	}
}

// Milliamps is the current that the LEDs need, rounded up.
func Milliamps(lights []Light) int {
	return len(lights)*chipMA + (total(lights)*channelMA+254)/255
}

func total(lights []Light) (sum int) {
	for _, l := range lights {
		sum += int(l.R) + int(l.G) + int(l.B) + int(l.W)
	}
	return sum
}

// gammaTable is 255·(x/255)^(tenths/10), rounded. It is computed in whole numbers, so that it is the same on every machine: y is right
// when (y-½)^10·255^(tenths-10) ≤ x^tenths.
func gammaTable(tenths int) (t [256]uint8) {
	power := func(base, exp int) *big.Int {
		return new(big.Int).Exp(big.NewInt(int64(base)), big.NewInt(int64(exp)), nil)
	}
	full, half := power(255, tenths-10), power(2, 10)
	y := 0
	for x := range t {
		want := power(x, tenths)
		want.Mul(want, half)
		for y < 255 {
			next := power(2*(y+1)-1, 10)
			if next.Mul(next, full).Cmp(want) > 0 {
				break
			}
			y++
		}
		t[x] = uint8(y)
	}
	return t
}
