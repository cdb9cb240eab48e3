// Package order says which LEDs light which square: LEDs in rows or columns, straight or serpentine, from any corner, one or four a
// square, at the corners that squares share, or by a table.
package order

import (
	"fmt"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// PerSquare is how LEDs and squares meet.
type PerSquare uint8

// The ways in which LEDs and squares meet.
const (
	One     PerSquare = iota // 64 LEDs, one in each square
	Four                     // 256 LEDs, four in each square
	Corners                  // 81 LEDs at the corners of squares: neighbours share them
)

// Options is how the LEDs lie. The zero value is one LED a square, a1 to h1 first, each rank in the same direction.
type Options struct {
	PerSquare  PerSquare
	Start      string // corner of LED 0: a1 (also ""), h1, a8, h8
	Files      bool   // the LEDs run along files, not along ranks
	Serpentine bool   // every second line runs backwards
	// Table says for each LED which squares it lights, if there is one; the other options are ignored then.
	Table [][]rules.Square
}

// Layout is which LEDs light each square.
type Layout struct {
	Count  int       // of LEDs
	LEDs   [64][]int // by square, ascending
	Shared bool      // some LED belongs to more than one square: only one square can be shown at a time
}

// maxLEDs is more than any board has: four a square, and a frame around them.
const maxLEDs = 512

// New lays LEDs out.
func New(o Options) (Layout, error) {
	if o.Table != nil {
		return table(o.Table)
	}
	side := map[PerSquare]int{One: 8, Four: 16, Corners: 9}[o.PerSquare]
	if side == 0 {
		return Layout{}, fmt.Errorf("LEDs per square: %d is not known", o.PerSquare)
	}
	var right, top bool // where LED 0 is
	switch o.Start {
	case "", "a1":
	case "h1":
		right = true
	case "a8":
		top = true
	case "h8":
		right, top = true, true
	default:
		return Layout{}, fmt.Errorf("LED 0 is in a corner: a1, h1, a8 or h8, not %q", o.Start)
	}
	index := func(x, y int) int {
		if right {
			x = side - 1 - x
		}
		if top {
			y = side - 1 - y
		}
		line, at := y, x
		if o.Files {
			line, at = x, y
		}
		if o.Serpentine && line%2 == 1 {
			at = side - 1 - at
		}
		return line*side + at
	}
	l := Layout{Count: side * side, Shared: o.PerSquare == Corners}
	for q := range rules.NoSquare {
		x, y, wide := q.File(), q.Rank(), 2
		switch o.PerSquare {
		case One:
			wide = 1
		case Four:
			x, y = 2*x, 2*y
		}
		for dy := range wide {
			for dx := range wide {
				l.add(q, index(x+dx, y+dy))
			}
		}
	}
	return l, nil
}

// table lays LEDs out as a table says: each square needs one LED at least, a LED may be unused.
func table(squares [][]rules.Square) (Layout, error) {
	if len(squares) > maxLEDs {
		return Layout{}, fmt.Errorf("the table has %d LEDs: %d are the most", len(squares), maxLEDs)
	}
	l := Layout{Count: len(squares)}
	for i, list := range squares {
		for _, q := range list {
			if q >= rules.NoSquare {
				return Layout{}, fmt.Errorf("LED %d of the table lights a square that is not on the board", i)
			}
			l.add(q, i)
		}
		l.Shared = l.Shared || len(list) > 1
	}
	for q := range rules.NoSquare {
		if len(l.LEDs[q]) == 0 {
			return Layout{}, fmt.Errorf("no LED of the table lights %s", q)
		}
	}
	return l, nil
}

func (l *Layout) add(q rules.Square, led int) {
	at := len(l.LEDs[q])
	for at > 0 && l.LEDs[q][at-1] > led {
		at--
	}
	l.LEDs[q] = append(l.LEDs[q], 0)
	copy(l.LEDs[q][at+1:], l.LEDs[q][at:])
	l.LEDs[q][at] = led
}

// Spread gives the LEDs their light, in the order in which they are wired. A LED of several lit squares takes the most of each colour.
func (l *Layout) Spread(f board.Frame) []board.RGB {
	leds := make([]board.RGB, l.Count)
	for q, c := range f {
		for _, i := range l.LEDs[q] {
			leds[i] = board.RGB{R: max(leds[i].R, c.R), G: max(leds[i].G, c.G), B: max(leds[i].B, c.B)}
		}
	}
	return leds
}

// ParseTable reads the squares of each LED: "e4", several for a LED that they share ("d4 e4 d5 e5"), or "none".
func ParseTable(words []string) ([][]rules.Square, error) {
	list := make([][]rules.Square, len(words))
	for i, w := range words {
		if w == "none" {
			continue
		}
		squares, err := squaresOf(w)
		if err != nil {
			return nil, fmt.Errorf("LED %d: %w", i, err)
		}
		list[i] = squares
	}
	if _, err := table(list); err != nil {
		return nil, err
	}
	return list, nil
}

func squaresOf(text string) (list []rules.Square, err error) {
	for rest := text; ; {
		if len(rest) >= 2 {
			if q, ok := rules.ParseSquare(rest[:2]); ok {
				list = append(list, q)
				if rest = rest[2:]; rest == "" {
					return list, nil
				}
				if rest[0] == ' ' {
					rest = rest[1:]
					continue
				}
			}
		}
		return nil, fmt.Errorf(`%q: wants a square such as "e4", squares that share the LED such as "d4 e4 d5 e5", or "none"`, text)
	}
}

// Lit is the light of LEDs of one colour that are all as bright as each other: which are lit, and how brightly, from 1 (also where none
// is) to levels.
func Lit(leds []board.RGB, levels int) (lit []bool, level int) {
	lit, level = make([]bool, len(leds)), 1
	for i, c := range leds {
		top := int(max(c.R, c.G, c.B))
		lit[i] = top > 0
		level = max(level, (top*levels+254)/255)
	}
	return lit, level
}
