package calibration

import (
	"math/bits"
	"slices"
	"strings"
	"sync"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// candidate is the wire of each square.
type candidate [64]uint8

// wires are the wires of some squares.
func (c *candidate) wires(b rules.Bitboard) (w uint64) {
	for b != 0 {
		if i := c[b.Pop()]; i < scan.Wires {
			w |= 1 << i
		}
	}
	return w
}

// squares are the squares of some wires.
func (c *candidate) squares(w uint64) (b rules.Bitboard) {
	for s, i := range c {
		if i < scan.Wires && w>>i&1 == 1 {
			b |= rules.Square(s).Bit()
		}
	}
	return b
}

// square is the square of a wire, or NoSquare.
func (c *candidate) square(wire int) rules.Square {
	if i := slices.Index(c[:], uint8(wire)); i >= 0 {
		return rules.Square(i)
	}
	return rules.NoSquare
}

// pattern is a way of wiring that boards are found with, in words.
type pattern struct {
	wire  candidate
	words string
}

// patterns are all ways of wiring that are tried: every generator of scan, seen from every side, with the chips of 16 wires in any
// order, their two ports exchanged or not, and the pins of each port from either end.
var patterns = sync.OnceValue(func() (all []pattern) {
	known := map[candidate]bool{}
	orders := permutations(4)
	for _, flips := range []int{0, 8, 7, 15} {
		for _, order := range orders {
			for _, generator := range scan.Generators {
				if generator == "table" {
					continue
				}
				for turn := range 8 {
					l := scan.Layout{Generator: generator, Swap: turn >= 4, Mirror: turn%2 == 1, Rotate: turn / 2 % 2 * 180}
					m, err := l.Map()
					if err != nil {
						continue
					}
					var c candidate
					for wire, s := range m {
						c[s] = uint8((order[wire/16]*16 + wire%16) ^ flips)
					}
					if !known[c] {
						known[c] = true
						all = append(all, pattern{c, words(&l, order, flips)})
					}
				}
			}
		}
	}
	return all
})

// words describe a pattern to the one who has soldered it.
func words(l *scan.Layout, order []int, flips int) string {
	text := []string{map[string]string{
		"rows":      "row by row",
		"snake":     "in a snake",
		"quadrants": "by quarters of the board",
		"pairs":     "by pairs of ranks around each chip",
	}[l.Generator]}
	switch {
	case l.Swap && l.Mirror && l.Rotate == 0:
		text = append(text, "rotated by 90 degrees to the left")
	case l.Swap && l.Mirror:
		text = append(text, "rotated by 90 degrees to the right")
	case l.Swap:
		text = append(text, "along the files (mirrored at a diagonal)")
	case l.Mirror && l.Rotate == 0:
		text = append(text, "mirrored left to right")
	case l.Mirror:
		text = append(text, "mirrored front to back")
	case l.Rotate != 0:
		text = append(text, "rotated by 180 degrees")
	}
	if !slices.Equal(order, []int{0, 1, 2, 3}) {
		var names []string
		for _, n := range order {
			names = append(names, decimal(n+1))
		}
		text = append(text, "the groups of 16 wires in the order "+strings.Join(names, " "))
	}
	if flips&8 != 0 {
		text = append(text, "their two ports exchanged")
	}
	if flips&7 != 0 {
		text = append(text, "the pins of each port from the other end")
	}
	return strings.Join(text, ", ")
}

func permutations(n int) (all [][]int) {
	var extend func(head []int)
	extend = func(head []int) {
		if len(head) == n {
			all = append(all, slices.Clone(head))
			return
		}
		for i := range n {
			if !slices.Contains(head, i) {
				extend(append(head, i))
			}
		}
	}
	extend(nil)
	return all
}

// odds is how many wires may be on or off in the start position against a pattern that is still believed in: three dead squares
// and a few others.
const odds = 6

// fitting are the patterns that all evidence allows, the configured map first.
func fitting(k *knowledge) (fit []candidate) {
	fits := func(c *candidate) bool {
		if bits.OnesCount64((k.start^c.wires(outer))&^k.flicker) > odds {
			return false
		}
		for s, seen := range k.seen {
			if seen != 0 && (c[s] >= scan.Wires || seen>>c[s]&1 == 0) {
				return false
			}
		}
		return true
	}
	if k.opt.Configured != nil {
		if c, ok := inverse(k.opt.Configured); ok && fits(&c) {
			fit = append(fit, c)
		}
	}
	for _, p := range patterns() {
		if fits(&p.wire) && (len(fit) == 0 || p.wire != fit[0]) {
			fit = append(fit, p.wire)
		}
	}
	return fit
}

// inverse is the wire of each square, if each has one.
func inverse(m *scan.Map) (c candidate, ok bool) {
	if m.Validate(0) != nil {
		return c, false
	}
	for wire, s := range m {
		if s < 64 {
			c[s] = uint8(wire)
		}
	}
	return c, true
}

// split is how well the wire of a square tells the patterns apart that fit: the more the better, 1 for not at all.
func (k *knowledge) split(s rules.Square) int {
	var n [scan.Wires]int
	for i := range k.fits {
		n[k.fits[i][s]]++
	}
	left := 0
	for _, n := range n {
		left += n * n
	}
	return 1 + len(k.fits)*len(k.fits) - left
}

// telling are the squares, not asked for yet, whose wire tells the patterns apart that fit.
func (k *knowledge) telling() (b rules.Bitboard) {
	for s := range rules.Square(64) {
		if len(k.fits) > 1 && !k.tried.Has(s) && k.split(s) > 1 {
			b |= s.Bit()
		}
	}
	return b
}

// ports are the groups of 8 wires on which a pattern is not seen to hold yet, as wires. A group on which two squares were silent
// is not asked for again.
func (k *knowledge) ports(c *candidate) (open uint64) {
	for port := range 8 {
		group := uint64(0xff) << (8 * port)
		mine := c.squares(group)
		heard := mine & k.tried &^ k.silent
		if heard == 0 && (mine&k.silent).Len() < 2 {
			open |= group
		}
	}
	return open
}

// nextByPattern tells the patterns apart, then sees each group of 8 wires and everything that is odd once.
func (k *knowledge) nextByPattern() (step, bool) {
	c := &k.fits[0]
	good := func(rules.Square) int { return 1 }
	open, odd := c.squares(k.ports(c))&^k.tried, k.suspects(c)
	if telling := k.telling(); telling != 0 {
		open, odd, good = telling, 0, k.split
	}
	if k.hand != rules.NoSquare {
		for _, some := range []rules.Bitboard{odd & middle, open & middle} {
			if s, ok := k.liftOf(some, good); ok {
				return step{AskPut, s.square}, true
			}
		}
	}
	for _, some := range []rules.Bitboard{odd & outer, open & outer} {
		if s, ok := k.liftOf(some&k.standing, good); ok {
			return s, true
		}
	}
	if (odd|open)&middle != 0 && k.hand == rules.NoSquare {
		return k.liftOf(k.standing&outer&^k.silent, good)
	}
	return step{}, false
}
