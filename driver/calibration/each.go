package calibration

import (
	"math/bits"
	"slices"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// walk is the way of one man over all squares, from rank to rank without long ways.
var walk = func() (way []rules.Square) {
	for rank := range 8 {
		for i := range 8 {
			file := i
			if rank%2 == 1 {
				file = 7 - i
			}
			way = append(way, rules.NewSquare(file, rank))
		}
	}
	return way
}()

// nextByEach lifts every man of the start position, clears the board, and walks a man over all squares whose wire is not known then.
func (k *knowledge) nextByEach() (step, bool) {
	for s := range rules.Square(64) {
		if k.standing.Has(s) && outer.Has(s) && !k.tried.Has(s) && k.single[s] < 0 && !k.walking && !k.far() {
			return step{AskLift, s}, true
		}
	}
	if !k.walking {
		return step{kind: AskClear}, true
	}
	for _, s := range walk {
		if k.toWalk().Has(s) {
			return step{AskPut, s}, true
		}
	}
	return step{}, false
}

// far reports whether magnets are felt beside their squares, so that a lift among other men says little.
func (k *knowledge) far() bool { return bits.OnesCount64(k.start) > 32+odds }

// toWalk are the squares over which a man has still to walk.
func (k *knowledge) toWalk() (b rules.Bitboard) {
	for s := range rules.Square(64) {
		if !k.walked.Has(s) && bits.OnesCount64(k.seen[s]) != 1 && k.single[s] < 0 {
			b |= s.Bit()
		}
	}
	return b
}

// resolve gives each square its wire, from what each square was seen to set off.
func (k *knowledge) resolve() {
	k.single, k.shared = [64]int8{}, nil
	for s := range k.single {
		k.single[s] = -1
	}
	var owner [scan.Wires]rules.Square
	for w := range owner {
		owner[w] = rules.NoSquare
	}
	give := func(s rules.Square, w int) {
		owner[w], k.single[s] = s, int8(w)
	}
	for _, some := range []rules.Bitboard{outer &^ k.walked, ^(outer &^ k.walked)} {
		for b := some; b != 0; {
			s := b.Pop()
			if bits.OnesCount64(k.seen[s]) != 1 {
				continue
			}
			w := bits.TrailingZeros64(k.seen[s])
			if owner[w] == rules.NoSquare {
				give(s, w)
			} else {
				k.shared = append(k.shared, shared{s, owner[w], w})
			}
		}
	}
	for k.narrow(&owner, give) {
	}
	k.lastLift(&owner, give)
}

// narrow gives one more square that set off several wires its own: the only one that is left, else the wire in whose middle it lies.
func (k *knowledge) narrow(owner *[scan.Wires]rules.Square, give func(rules.Square, int)) bool {
	var left [64]uint64
	for s, seen := range k.seen {
		if k.single[s] >= 0 || bits.OnesCount64(seen) < 2 {
			continue
		}
		for b := seen; b != 0; b &= b - 1 {
			if w := bits.TrailingZeros64(b); owner[w] == rules.NoSquare {
				left[s] |= 1 << w
			}
		}
		if bits.OnesCount64(left[s]) == 1 {
			give(rules.Square(s), bits.TrailingZeros64(left[s]))
			return true
		}
	}
	if k.walking && k.toWalk() != 0 || !k.walking {
		return false
	}
	best, wire, least := rules.NoSquare, 0, 1<<20
	for s := range left {
		for b := left[s]; b != 0; b &= b - 1 {
			w, far := bits.TrailingZeros64(b), 0
			for t, seen := range k.seen {
				if seen>>w&1 == 1 {
					df, dr := s%8-t%8, s/8-t/8
					far += df*df + dr*dr
				}
			}
			if far < least {
				best, wire, least = rules.Square(s), w, far
			}
		}
	}
	if best == rules.NoSquare {
		return false
	}
	give(best, wire)
	return true
}

// lastLift knows the wire of the last man of the start position without a lift: the only one that was on and has no square yet.
func (k *knowledge) lastLift(owner *[scan.Wires]rules.Square, give func(rules.Square, int)) {
	rest := outer & k.standing &^ k.tried
	if rest.Len() != 1 || (k.silent&outer) != 0 || k.walking || len(k.shared) > 0 {
		return
	}
	var open []int
	for b := k.start; b != 0; b &= b - 1 {
		if w := bits.TrailingZeros64(b); owner[w] == rules.NoSquare {
			open = append(open, w)
		}
	}
	if len(open) == 1 && bits.OnesCount64(k.start) == 32 {
		give(rest.First(), open[0])
		k.seen[rest.First()] = 1 << open[0]
	}
}

// nearest is the pattern to which a map comes closest, and the squares that are not as it says.
func nearest(c *candidate) (p pattern, off rules.Bitboard) {
	off = ^rules.Bitboard(0)
	for _, q := range patterns() {
		var differ rules.Bitboard
		for s, w := range c {
			if w != q.wire[s] {
				differ |= rules.Square(s).Bit()
			}
		}
		if differ.Len() < off.Len() {
			p, off = q, differ
		}
	}
	return p, off
}

// exchanged are the pairs of squares that have each other's wire of a pattern.
func exchanged(c *candidate, p *pattern, off rules.Bitboard) (pairs [][2]rules.Square) {
	for b := off; b != 0; {
		s := b.Pop()
		t := rules.Square(slices.Index(p.wire[:], c[s]))
		if t < 64 && t > s && c[t] == p.wire[s] {
			pairs = append(pairs, [2]rules.Square{s, t})
		}
	}
	return pairs
}
