package certabo

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Frame is the chip that was read on each square, by rules.Square as wired.
type Frame [64]Chip

// FrameOf takes the ChipNumbers numbers of a line: a8 to h8 first, h1 last (protocols/certabo.md section 2).
func FrameOf(numbers []byte) (f Frame) {
	for i := range 64 {
		f[rules.NewSquare(i&7, 7-i>>3)] = Chip(numbers[i*5 : i*5+5])
	}
	return f
}

// votes is how many lines are counted, and most how many of them must agree.
const (
	votes = 3
	most  = 2
)

// vote says what stands on a square by its last reads. Chips are misread now and then, single reads miss them, and squares
// without a man show random numbers, other ones each time (section 3). So:
//
//   - a chip of the table is its piece;
//   - a chip that is not in the table is an unknown man when all reads have the same one, and noise otherwise;
//   - unless it looks like the chip that was there, with errors: such a read says nothing;
//   - what most reads say is so; if there is no such thing all stays as it was.
type vote struct {
	reads [votes]Chip // in no order
	said  board.Symbol
	held  Chip // the last chip of the table that was there for most reads
}

func (v *vote) of(t Table) board.Symbol {
	if c := v.reads[0]; v.reads == [votes]Chip{c, c, c} && t[c] == rules.NoPiece && !c.blank() {
		v.said = board.Unknown
		return v.said
	}
	nothing := 0
	for i, c := range v.reads {
		p, known := t[c]
		same := 0
		for _, d := range v.reads[i:] {
			if known && t[d] == p {
				same++
			}
		}
		switch {
		case same >= most:
			v.said, v.held = board.Symbol(p.Letter()), c
			return v.said
		case known:
		case c.blank(), c[0] != v.held[0] || c[1] != v.held[1]: // chips of one batch begin alike
			nothing++
		}
	}
	if nothing >= most {
		v.said, v.held = board.Empty, Chip{}
	}
	return v.said
}

// ballot is the votes of all squares.
type ballot struct {
	votes [64]vote
	n     int // lines taken, at most as many as are counted
	next  int // where the next read goes
}

// clear forgets all reads.
func (b *ballot) clear() {
	*b = ballot{}
	for s := range b.votes {
		b.votes[s].said = board.Empty
	}
}

// take counts a line in. ok is false until there are as many as are counted.
func (b *ballot) take(f *Frame, t Table) (pic board.Picture, ok bool) {
	b.n = min(b.n+1, votes)
	for s := range b.votes {
		v := &b.votes[s]
		v.reads[b.next] = f[s]
		if b.n == votes {
			pic[s] = v.of(t)
		}
	}
	b.next = (b.next + 1) % votes
	return pic, b.n == votes
}
