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

// vote says what stands on a square by its last reads. Chips are misread now and then, single reads miss them, and squares
// without a man show random numbers, other ones each time (section 3). So:
//
//   - a chip of the table is its piece;
//   - a chip that is not in the table is an unknown man when most reads have the same one, and noise otherwise;
//   - unless it looks like the chip that was there, with errors: such a read says nothing;
//   - what most reads say is so; if there is no such thing all stays as it was.
type vote struct {
	reads []Chip // in no order
	said  board.Symbol
	held  Chip // the last chip of the table that was there for most reads
}

func (v *vote) of(t Table) board.Symbol {
	most := len(v.reads)/2 + 1
	nothing := 0
	for i, c := range v.reads {
		same := 0
		p, known := t[c]
		for _, d := range v.reads[i:] {
			if d == c || known && t[d] == p {
				same++
			}
		}
		switch {
		case known:
			if same >= most {
				v.said, v.held = board.Symbol(p.Letter()), c
				return v.said
			}
		case c.blank():
			nothing++
		case same >= most:
			v.said = board.Unknown
			return v.said
		case c[0] != v.held[0] || c[1] != v.held[1]: // chips of one batch begin alike
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
	n     int // frames taken, at most as many as are kept
	next  int // where the next read goes
	keep  int
}

func newBallot(keep int) ballot {
	b := ballot{keep: keep}
	b.clear()
	return b
}

func (b *ballot) clear() {
	b.n, b.next = 0, 0
	for s := range b.votes {
		b.votes[s] = vote{reads: make([]Chip, b.keep), said: board.Empty}
	}
}

// take counts a frame in. ok is false until there are as many as are counted.
func (b *ballot) take(f *Frame, t Table) (pic board.Picture, ok bool) {
	b.n = min(b.n+1, b.keep)
	for s := range b.votes {
		v := &b.votes[s]
		v.reads[b.next] = f[s]
		if b.n == b.keep {
			pic[s] = v.of(t)
		}
	}
	b.next = (b.next + 1) % b.keep
	return pic, b.n == b.keep
}
