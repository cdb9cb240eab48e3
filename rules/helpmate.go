package rules

// helpmate looks for a mate that both sides want: the positions that look nearest to one are followed first. It ends when a mate
// is found, when everything that can be reached has been looked at, or when it has seen as many positions as it may.
type helpmate struct {
	mater   Color
	plan    plan
	limit   int
	seen    []Position
	table   []int32      // index into seen plus one, by key, open addressing
	waiting [256][]int32 // what has not been followed yet, by its distance from a mate
	lowest  int          // no list before it holds anything
}

// plan is a way to guess which positions are near a mate.
type plan uint8

const (
	planPromote plan = iota // pawns first, the other side's too if they are needed to mate with
	planCapture             // fewer men of the other side first
	planPattern             // the patterns of knights and bishops, even if there are pawns
	plans
)

// findMate asks each plan in turn, with its part of the nodes. Any of them may find the end of what can be reached.
func (p *Position) findMate(c Color, nodes int) Answer {
	for plan := range plans {
		if a := newHelpmate(p, c, plan, nodes/int(plans)).search(); a != Unknown {
			return a
		}
	}
	return Unknown
}

func newHelpmate(p *Position, c Color, plan plan, limit int) *helpmate {
	size := 64
	for size < 2*limit {
		size *= 2
	}
	h := &helpmate{mater: c, plan: plan, limit: max(limit, 1), table: make([]int32, size)}
	h.add(p)
	return h
}

// add keeps a position that is new, and reports whether there was room for it.
func (h *helpmate) add(p *Position) bool {
	mask := uint64(len(h.table) - 1)
	at := p.Key() & mask
	for ; h.table[at] != 0; at = (at + 1) & mask {
		if h.seen[h.table[at]-1].Same(p) {
			return true
		}
	}
	if len(h.seen) == h.limit {
		return false
	}
	h.seen = append(h.seen, *p)
	h.table[at] = int32(len(h.seen))
	d := min(h.distance(p), len(h.waiting)-1)
	h.waiting[d] = append(h.waiting[d], int32(len(h.seen)-1))
	h.lowest = min(h.lowest, d)
	return true
}

func (h *helpmate) next() (p Position, ok bool) {
	for ; h.lowest < len(h.waiting); h.lowest++ {
		if list := h.waiting[h.lowest]; len(list) > 0 {
			h.waiting[h.lowest] = list[:len(list)-1]
			return h.seen[list[len(list)-1]], true
		}
	}
	return Position{}, false
}

func (h *helpmate) search() Answer {
	full := false
	for !full {
		p, ok := h.next()
		if !ok {
			return No
		}
		var buf [256]Move
		for _, m := range p.LegalMoves(buf[:0]) {
			q := p.After(m)
			if !q.HasLegalMove() {
				if q.turn != h.mater && q.InCheck() {
					return Yes
				}
				continue
			}
			if q.MaterialToMate(h.mater) && !h.add(&q) {
				full = true
			}
		}
	}
	return Unknown
}

// distance guesses how far a position is from a mate: first the men that mate, by promotion if need be, then a king without squares
// to go to. It decides nothing but the order in which positions are followed.
func (h *helpmate) distance(p *Position) int {
	us, them := h.mater, h.mater.Other()
	king := p.King(them)
	own, men := p.colors[us], p.colors[them]
	pawns, knights, bishops := own&p.roles[Pawn], own&p.roles[Knight], own&p.roles[Bishop]
	d := 0
	switch {
	case own&(p.roles[Rook]|p.roles[Queen]) != 0:
	case h.plan != planPattern && knights.Len()+bishops.Len() > 1 && (knights != 0 || bishops&darkSquares != 0 && bishops&^darkSquares != 0):
		for b := knights; b != 0; {
			d += 2 * kingDistance(b.Pop(), king)
		}
	case pawns != 0 && (h.plan != planPattern || knights|bishops == 0):
		d = 100 + p.pawnDistance(us, pawns)
	default:
		d = p.patternDistance(us, h.plan != planPromote)
		if h.plan == planCapture {
			d += 8 * men.Len()
		}
		return d
	}
	attacked := p.attacked(us, p.Occupied()&^king.Bit())
	flights := (kingAttacks[king&63] &^ attacked &^ men).Len()
	d += 4*flights + 2*max(0, kingDistance(p.King(us), king)-2) + 2*edgeDistance(king)
	if h.plan == planCapture {
		return d + 8*men.Len()
	}
	return d + men.Len() + 3*(men&(p.roles[Queen]|p.roles[Rook])).Len()
}

// kingDistance is the number of moves that a king alone on the board needs.
func kingDistance(a, b Square) int {
	f, r := a.File()-b.File(), a.Rank()-b.Rank()
	return max(f, -f, r, -r)
}

func edgeDistance(s Square) int {
	f, r := s.File(), s.Rank()
	return min(f, 7-f) + min(r, 7-r)
}

// pawnDistance is how far the foremost pawn of a side is from promotion, what stands in its way counted.
func (p *Position) pawnDistance(us Color, pawns Bitboard) int {
	best := 100
	for pawns != 0 {
		s := pawns.Pop()
		end := NewSquare(s.File(), 7-7*int(us))
		n := 4 * kingDistance(s, end)
		if b := (between[s&63][end&63] | end.Bit()) & p.Occupied(); b != 0 {
			n += 6*b.Len() + kingDistance(p.King(us), nearest(b, s, end))
		}
		best = min(best, n)
	}
	return best
}
