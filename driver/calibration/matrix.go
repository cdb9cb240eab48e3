package calibration

import (
	"math/bits"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// matrix is what is known of the lines of a matrix, whose wire is row*8 + column.
type matrix struct {
	across bool    // rows of the matrix are files of the board
	file   [8]int8 // the line of each file, -1 if it is not known
	rank   [8]int8
	guess  [2]rules.Bitboard // files and ranks (bit n) whose line is what was left over
}

// corners reports whether three wires are corners of a rectangle, and which is the one between the others: that of a1. inRow is the
// one in its row, inColumn the one in its column.
func corners(on uint64) (between, inRow, inColumn int, ok bool) {
	if bits.OnesCount64(on) != 3 {
		return 0, 0, 0, false
	}
	for b := on; b != 0; b &= b - 1 {
		w := bits.TrailingZeros64(b)
		row, column := on&(0xff<<(w&^7))&^(1<<w), on&(0x0101010101010101<<(w&7))&^(1<<w)
		if row != 0 && column != 0 {
			return w, bits.TrailingZeros64(row), bits.TrailingZeros64(column), true
		}
	}
	return 0, 0, 0, false
}

// rectangle reports whether four wires are the corners of one.
func rectangle(on uint64) bool {
	if bits.OnesCount64(on) != 4 {
		return false
	}
	for b := on; b != 0; b &= b - 1 {
		if _, _, _, ok := corners(on &^ (b & -b)); !ok {
			return false
		}
	}
	return true
}

// ghosts judges three men on a1, b1 and a2.
func (k *knowledge) ghosts(on uint64) {
	switch _, _, _, ok := corners(on); {
	case ok:
	case rectangle(on):
		k.fatal = true
		k.say(true, "The matrix has no diodes, or some are shorted: with men on a1, b1 and a2, b2 reads full too.",
			"Put one diode into the line of each square, all the same way round. Without them most positions cannot be told apart, and no software can mend that.")
	case on == 0:
		k.fatal = true
		k.say(true, "With men on a1, b1 and a2 nothing reacts.",
			"The diodes may all be the wrong way round: then exchange rows and columns in [board.sensor]. Else look at the pins of rows and columns, and try a magnet by hand at a sensor.")
	}
}

// learn finds the lines that the evidence tells. It fails when the wires are not those of lines in some order.
func (m *matrix) learn(k *knowledge) bool {
	for i := range 8 {
		m.file[i], m.rank[i] = -1, -1
	}
	rows, columns := lines(k.start)
	m.across = columns > rows
	if rows == columns {
		return false
	}
	if a1, inRow, inColumn, ok := corners(k.corner); ok {
		b1, a2 := inRow, inColumn
		if m.across {
			b1, a2 = a2, b1
		}
		if !m.note(0, a1) || !m.note(1, b1) || !m.note(8, a2) {
			return false
		}
	}
	for s, seen := range k.seen {
		if seen != 0 && (bits.OnesCount64(seen) != 1 || !m.note(rules.Square(s), bits.TrailingZeros64(seen))) {
			return false
		}
	}
	m.leftOver(m.file[:], 0, []int{0, 1, 2, 3, 4, 5, 6, 7}, 0xff)
	full := m.full(k.start)
	m.leftOver(m.rank[:], 1, []int{0, 1, 6, 7}, full)
	m.leftOver(m.rank[:], 1, []int{2, 3, 4, 5}, ^full)
	return true
}

// lines is how well the start position looks like four full and four empty rows, and columns: 64 is perfect.
func lines(on uint64) (rows, columns int) {
	for i := range 8 {
		r, c := bits.OnesCount64(on>>(8*i)&0xff), bits.OnesCount64(on>>i&0x0101010101010101)
		rows += max(r, 8-r)
		columns += max(c, 8-c)
	}
	return rows, columns
}

// full are the lines of ranks (bit n) that have men in the start position.
func (m *matrix) full(on uint64) (full uint8) {
	for i := range 8 {
		line := on >> (8 * i) & 0xff
		if m.across {
			line = on >> i & 0x0101010101010101
		}
		if bits.OnesCount64(line) > 4 {
			full |= 1 << i
		}
	}
	return full
}

// split is the lines of a wire.
func (m *matrix) split(wire int) (file, rank int8) {
	if m.across {
		return int8(wire / 8), int8(wire % 8)
	}
	return int8(wire % 8), int8(wire / 8)
}

// agrees reports whether a wire can be that of a square.
func (m *matrix) agrees(s rules.Square, wire int) bool {
	file, rank := m.split(wire)
	return free(m.file[:], s.File(), file, m.guess[0]) && free(m.rank[:], s.Rank(), rank, m.guess[1])
}

// free reports whether line can be that of the i-th file or rank.
func free(known []int8, i int, line int8, guess rules.Bitboard) bool {
	for j, l := range known {
		if guess>>j&1 == 0 && (j == i && l >= 0 && l != line || j != i && l == line) {
			return false
		}
	}
	return true
}

// note adds a square with its wire.
func (m *matrix) note(s rules.Square, wire int) bool {
	if !m.agrees(s, wire) {
		return false
	}
	m.file[s.File()], m.rank[s.Rank()] = m.split(wire)
	return true
}

// leftOver gives the last of a group the last line of those that the group can have.
func (m *matrix) leftOver(known []int8, kind int, group []int, lines uint8) {
	last, n := 0, 0
	for _, i := range group {
		if known[i] < 0 {
			last, n = i, n+1
			continue
		}
		lines &^= 1 << known[i]
	}
	for _, l := range known {
		if l >= 0 {
			lines &^= 1 << l
		}
	}
	if n == 1 && bits.OnesCount8(lines) == 1 {
		known[last] = int8(bits.TrailingZeros8(lines))
		m.guess[kind] |= 1 << last
	}
}

// wires is the wire of each square, scan.Wires for none.
func (m *matrix) wires() (c candidate) {
	for s := range c {
		file, rank := m.file[s%8], m.rank[s/8]
		switch {
		case file < 0 || rank < 0:
			c[s] = scan.Wires
		case m.across:
			c[s] = uint8(file*8 + rank)
		default:
			c[s] = uint8(rank*8 + file)
		}
	}
	return c
}

// square is the square of a wire, as far as it is known.
func (m *matrix) square(wire int) rules.Square {
	c := m.wires()
	for s, w := range c {
		if int(w) == wire {
			return rules.Square(s)
		}
	}
	return rules.NoSquare
}

// open is how many files, ranks of the start position and ranks between them are not known.
func (m *matrix) open() (files, outside, between int) {
	for i := range 8 {
		if m.file[i] < 0 {
			files++
		}
		if m.rank[i] < 0 && i >= 2 && i < 6 {
			between++
		} else if m.rank[i] < 0 {
			outside++
		}
	}
	return files, outside, between
}

// nextByMatrix looks for the line of every file and rank, then at everything that is odd.
func (k *knowledge) nextByMatrix() (step, bool) {
	m := &k.matrix
	_, _, between := m.open()
	all := m.wires()
	odd := k.suspects(&all)
	worth := func(s rules.Square) (n int) {
		if m.file[s.File()] < 0 {
			n++
		}
		if m.rank[s.Rank()] < 0 {
			n++
		}
		return n
	}
	if k.hand != rules.NoSquare {
		here := rules.Bitboard(0x0101010101010101) << k.from.File()
		for _, some := range []rules.Bitboard{here, ^rules.Bitboard(0)} {
			if s, ok := k.liftOf(some&middle&^k.tried, worth); ok && m.rank[s.square.Rank()] < 0 && between > 0 {
				return step{AskPut, s.square}, true
			}
		}
		if s, ok := k.liftOf(odd&middle, func(rules.Square) int { return 1 }); ok {
			return step{AskPut, s.square}, true
		}
	}
	if s, ok := k.liftOf(k.standing&outer&^k.tried, worth); ok {
		return s, true
	}
	if s, ok := k.liftOf(odd&k.standing&outer, func(rules.Square) int { return 1 }); ok {
		return s, true
	}
	open := odd & middle
	for b := middle &^ k.tried; b != 0; {
		if s := b.Pop(); m.rank[s.Rank()] < 0 {
			open |= s.Bit()
		}
	}
	if open != 0 && k.hand == rules.NoSquare {
		return k.liftOf(k.standing&outer&^k.tried, func(rules.Square) int { return 1 })
	}
	return step{}, false
}
