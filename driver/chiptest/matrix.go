package chiptest

import (
	"sync"
	"time"
)

// Matrix is a matrix of 64 contacts, wire row*8+column. With diodes (cathode to the row) current flows only from a column
// into a row that is pulled low; without them it takes any way through closed contacts, and shows ghosts.
type Matrix struct {
	Magnets  *Magnets
	NoDiodes bool
	Reversed bool // diodes the wrong way round: a row pulled low reads nothing
	// A column that is let go stays low for Tau by Clock, while its pull-up charges the wire. Without a Clock at once.
	Clock *Clock
	Tau   time.Duration

	mu     sync.Mutex
	rows   [8]Level
	low    uint8 // columns that are low now
	until  [8]time.Duration
	shorts int
}

// Row drives one row.
func (m *Matrix) Row(row int, l Level) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.rows[row] == l {
		return
	}
	m.discharge()
	m.rows[row] = l
	m.low = m.pulled()
}

// Rows drives all rows: low where the bit is set, else as idle says.
func (m *Matrix) Rows(low uint8, idle Level) {
	// One after the other, releasing before pulling, as a chip that switches its outputs at once would not short them.
	for r := range 8 {
		if low>>r&1 == 0 {
			m.Row(r, idle)
		}
	}
	for r := range 8 {
		if low>>r&1 != 0 {
			m.Row(r, Low)
		}
	}
}

// Column is what a column shows: Low where it is pulled to ground or has not yet recovered, else Float.
func (m *Matrix) Column(column int) Level {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.discharge()
	m.low = m.pulled()
	if m.low>>column&1 != 0 || m.Clock != nil && m.Clock.Now() < m.until[column] {
		return Low
	}
	return Float
}

// Columns has a bit set for each column that is low: what a port reads with its pull-ups on.
func (m *Matrix) Columns() uint8 {
	var low uint8
	for c := range 8 {
		if m.Column(c) == Low {
			low |= 1 << c
		}
	}
	return low
}

// Shorts is how often a row driven high met a row driven low through closed contacts: a fault that burns pins.
func (m *Matrix) Shorts() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shorts
}

// discharge notes that the columns that are low now need time to recover.
func (m *Matrix) discharge() {
	for c := range 8 {
		if m.low>>c&1 != 0 {
			m.until[c] = m.Clock.Now() + m.Tau
		}
	}
}

// pulled are the columns that a low row reaches.
func (m *Matrix) pulled() uint8 {
	var rows uint8
	for r, l := range m.rows {
		if l == Low {
			rows |= 1 << r
		}
	}
	if rows == 0 || m.Reversed && !m.NoDiodes {
		return 0
	}
	var contacts [8]uint8
	on := m.Magnets.sample(^uint64(0))
	for r := range contacts {
		contacts[r] = uint8(on >> (8 * r))
	}
	var columns uint8
	for {
		before, reached := columns, rows
		for r := range 8 {
			switch {
			case rows>>r&1 != 0:
				columns |= contacts[r]
			case m.NoDiodes && contacts[r]&columns != 0:
				reached |= 1 << r
			}
		}
		for r := range 8 {
			if rows>>r&1 == 0 && reached>>r&1 != 0 && m.rows[r] == High {
				m.shorts++
			}
		}
		if columns == before && reached == rows {
			return columns
		}
		rows = reached
	}
}

// MatrixOnChip is the world of a chip with a matrix on its 16 pins: rows on pins 0 to 7 and columns on 8 to 15, or the
// other way round.
type MatrixOnChip struct {
	*Matrix
	Swapped bool
}

// Drive implements World.
func (m MatrixOnChip) Drive(pins *[16]Level) {
	first := 0
	if m.Swapped {
		first = 8
	}
	for _, pull := range [2]bool{false, true} {
		for r := range 8 {
			if l := pins[first+r]; (l == Low) == pull {
				m.Row(r, l)
			}
		}
	}
}

// Level implements World. Rows that the chip does not drive float.
func (m MatrixOnChip) Level(pin int) Level {
	if m.Swapped {
		pin ^= 8
	}
	if pin < 8 {
		return Float
	}
	return m.Column(pin - 8)
}
