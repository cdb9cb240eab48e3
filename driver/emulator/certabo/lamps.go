package certabo

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// quietMs is how long nothing must have come for the bytes of a pattern begun to be forgotten.
const quietMs = 500

// Lamps are the lights of these boards, the Sentio's too: 64 of one colour, or 81 coloured ones at the corners of squares.
type Lamps struct {
	color   bool
	got     []byte
	heard   int64
	single  [8]byte
	corners [81]board.RGB
	tally   Tally
}

// Tally counts what the lights have met.
type Tally struct {
	Patterns  int // taken
	Forgotten int // begun and not ended
	Foreign   int // bytes that begin no coloured pattern
}

// NewLamps makes dark lights.
func NewLamps(color bool) *Lamps { return &Lamps{color: color} }

// Take takes bytes and gives how many patterns they end.
func (l *Lamps) Take(now int64, in []byte) (patterns int) {
	if len(in) == 0 {
		return 0
	}
	if len(l.got) > 0 && now-l.heard > quietMs {
		l.got = l.got[:0]
		l.tally.Forgotten++
	}
	l.heard = now
	for _, c := range in {
		if l.byte(c) {
			patterns++
			l.tally.Patterns++
		}
	}
	return patterns
}

// byte takes one byte and reports whether it ends a pattern.
func (l *Lamps) byte(c byte) bool {
	l.got = append(l.got, c)
	n := len(l.got)
	if !l.color {
		if n < 8 {
			return false
		}
		copy(l.single[:], l.got)
		l.got = l.got[:0]
		return true
	}
	switch {
	case n == 1 && c != 0xFF, n == 2 && c != 0x55:
		l.got = l.got[:0]
		l.tally.Foreign += n
	case n == 247:
		whole := l.got
		l.got = l.got[:0]
		if whole[245] != '\r' || whole[246] != '\n' {
			l.tally.Foreign += n
			return false
		}
		for i := range l.corners {
			l.corners[i] = board.RGB{R: whole[2+3*i], G: whole[3+3*i], B: whole[4+3*i]}
		}
		return true
	}
	return false
}

// Answer is what the board says to a pattern.
func (l *Lamps) Answer() string {
	if l.color {
		return "D"
	}
	return "L"
}

// Single are the eight bytes of lights of one colour as they are shown.
func (l *Lamps) Single() [8]byte { return l.single }

// Corners are the coloured lights as they are shown.
func (l *Lamps) Corners() [81]board.RGB { return l.corners }

// Tally is what the lights have met.
func (l *Lamps) Tally() Tally { return l.tally }

// Lit is what the lights show of each square. With coloured ones a square is lit as its four corners are in common; one between two lit
// squares is then lit too, for their corners are its own.
func (l *Lamps) Lit() (f board.Frame) {
	for s := range rules.NoSquare {
		file, rank := int(s.File()), int(s.Rank())
		if !l.color {
			if l.single[7-rank]>>file&1 == 1 {
				f[s] = board.RGB{R: 255, G: 255, B: 255}
			}
			continue
		}
		i := rank*9 + 7 - file
		f[s] = l.corners[i]
		for _, j := range [...]int{i + 1, i + 9, i + 10} {
			c := l.corners[j]
			f[s] = board.RGB{R: min(f[s].R, c.R), G: min(f[s].G, c.G), B: min(f[s].B, c.B)}
		}
	}
	return f
}
