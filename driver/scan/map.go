package scan

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/boardd/boardd/rules"
)

// Map is the square of each wire; rules.NoSquare where a wire is not connected to one.
type Map [Wires]rules.Square

// Layout is how somebody wired a board, in few words. Where there are none, Table holds the square of each wire.
type Layout struct {
	Generator string               // one of Generators
	Table     [Wires]rules.Square  // for the generator "table"
	Swap      bool                 // then files become ranks: b1 is a2
	Mirror    bool                 // then file a becomes file h
	Rotate    int                  // then the whole is turned by 0, 90, 180 or 270 degrees to the right, seen from above
	Overrides map[int]rules.Square // then single wires, whatever was said of them; rules.NoSquare takes a wire off its square
}

// Generators are the names of the ways of wiring that have one. As they stand, wire 0 is a1.
//
//   - rows: a1 to h1, a2 to h2, and so on. A matrix whose rows are ranks, or a port a rank.
//   - snake: as rows, but ranks 2, 4, 6 and 8 run from h to a.
//   - quadrants: 16 wires a quarter of the board, row by row: that of a1, that of e1, that of a5, that of e5.
//   - pairs: 16 wires two ranks, as the pins of a DIP package lie when both are wired along it: the files a to h of the first are
//     the wires 0 8 1 9 2 10 3 11, those of the second 15 7 14 6 13 5 12 4.
//   - table: as Layout.Table says.
var Generators = []string{"rows", "snake", "quadrants", "pairs", "table"}

// pairs is the file and the rank within the pair of each of 16 wires.
var pairs = func() (p [16]rules.Square) {
	for file, wire := range [8]int{0, 8, 1, 9, 2, 10, 3, 11} {
		p[wire] = rules.NewSquare(file, 0)
	}
	for file, wire := range [8]int{15, 7, 14, 6, 13, 5, 12, 4} {
		p[wire] = rules.NewSquare(file, 1)
	}
	return p
}()

// Map is the map of a layout. It fails on words that are not known, not on squares that are missing or there twice: see Validate.
func (l *Layout) Map() (m Map, err error) {
	for wire := range m {
		switch i := rules.Square(wire); l.Generator {
		case "rows":
			m[wire] = i
		case "snake":
			m[wire] = i
			if i.Rank()%2 == 1 {
				m[wire] = rules.NewSquare(7-i.File(), i.Rank())
			}
		case "quadrants":
			q, n := wire/16, wire%16
			m[wire] = rules.NewSquare(q%2*4+n%4, q/2*4+n/4)
		case "pairs":
			m[wire] = pairs[wire%16] + rules.Square(wire/16*16)
		case "table":
			m[wire] = l.Table[wire]
		default:
			return m, fmt.Errorf("%q: use %s", l.Generator, strings.Join(Generators, ", "))
		}
	}
	if l.Rotate%90 != 0 || l.Rotate < 0 || l.Rotate > 270 {
		return m, fmt.Errorf("rotate %d: use 0, 90, 180 or 270", l.Rotate)
	}
	for wire, s := range m {
		if s < 64 {
			m[wire] = l.turn(s)
		}
	}
	for wire, s := range l.Overrides {
		if wire < 0 || wire >= Wires {
			return m, fmt.Errorf("wire %d: wires are 0 to %d", wire, Wires-1)
		}
		m[wire] = s
	}
	return m, nil
}

// turn is where a square comes by the symmetries of the layout.
func (l *Layout) turn(s rules.Square) rules.Square {
	file, rank := s.File(), s.Rank()
	if l.Swap {
		file, rank = rank, file
	}
	if l.Mirror {
		file = 7 - file
	}
	for range l.Rotate / 90 {
		file, rank = rank, 7-file
	}
	return rules.NewSquare(file, rank)
}

// Missing are the squares that no wire has.
func (m *Map) Missing() rules.Bitboard {
	all := ^rules.Bitboard(0)
	for _, s := range m {
		if s < 64 {
			all &^= s.Bit()
		}
	}
	return all
}

// Validate says which squares have no wire, but for those of dead, and which have more than one.
func (m *Map) Validate(dead rules.Bitboard) error {
	var faults []string
	if missing := m.Missing() &^ dead; missing != 0 {
		faults = append(faults, "no wire for "+names(missing))
	}
	for s := range rules.Square(64) {
		var wires []string
		for wire, t := range m {
			if t == s {
				wires = append(wires, fmt.Sprint(wire))
			}
		}
		if len(wires) > 1 {
			faults = append(faults, fmt.Sprintf("%s is on the wires %s", s, strings.Join(wires, " and ")))
		}
	}
	if len(faults) == 0 {
		return nil
	}
	return errors.New(strings.Join(faults, "; "))
}

// names are squares in words, at most ten of them.
func names(b rules.Bitboard) string {
	var list []string
	for b != 0 {
		list = append(list, b.Pop().String())
	}
	if n := len(list); n > 10 {
		list = append(slices.Clip(list[:9]), fmt.Sprintf("and %d more", n-9))
	}
	return strings.Join(list, " ")
}

// ParseSquare reads the name of a square, or - for none.
func ParseSquare(name string) (rules.Square, error) {
	s, ok := rules.ParseSquare(name)
	if !ok && name != rules.NoSquare.String() {
		return s, fmt.Errorf("%.20q is no square: use a1 to h8, or - for none", name)
	}
	return s, nil
}
