package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Due is a ply of Line that was made elsewhere and is not carried out on the board yet.
type Due struct {
	Ply  int            // its index in Line
	Lift rules.Bitboard // squares whose men are still to be taken off
	Put  rules.Bitboard // squares that are free and wait for a man
}

// Await says that the last ply of line is true though nobody has made it on this board: an opponent far away has. Its men still
// stand where they stood, which the board owes and which is no evidence for anything else. Until it is carried out it is not taken
// back, whatever hands do; from then on it is a ply like the others. Plies on top of it are understood meanwhile. Explanations whose
// line contradicts it are dropped; if none is left the tracker waits for its position or the one before.
func (t *Tracker) Await(line []rules.Move) {
	n := t.root.follow(line)
	if n.parent == nil || n.depth < len(line) {
		return
	}
	n.given, n.confirmed = true, true
	t.question = nil
	if t.held {
		end, due := t.beam[0].node, t.beam[0].due
		if !end.extends(n) {
			end = n
		}
		if due == nil || !n.extends(due) {
			due = n
		}
		t.holdFor(end, due)
		return
	}
	var kept []*hypothesis
	clear(t.made)
	t.made = t.made[:0]
	for _, h := range t.beam {
		switch {
		case h.node.extends(n): // hands were quicker than the message
			kept = append(kept, h)
		case h.node == n.parent:
			if c := t.copy(h); c.given(n, t.now, t.o.Acuity) {
				kept = append(kept, c)
			}
		}
	}
	if len(kept) == 0 {
		t.holdFor(n, n)
		return
	}
	last := t.beam
	t.fresh = nil
	for _, h := range kept {
		t.closeUnder(h, t.now, 0)
	}
	t.beam, t.fresh = t.fresh, nil
	t.prune()
	t.recycle(last)
}

// given makes n the line's end, its ply made elsewhere and the men where they are; false if an explanation cannot hold that.
func (h *hypothesis) given(n *node, now int64, a board.Acuity) bool {
	if h.due == nil {
		h.due = n
	}
	if !h.move(n, [3]manID{n.mover, n.rook, n.victim}, now) {
		return false
	}
	if x := h.find(n.mover); x != nil && n.move.Promotion() != rules.NoRole && a == board.PieceAcuity && x.face == 0 {
		x.face = board.Symbol(n.parent.piece[n.mover].Letter())
	}
	h.placed = &trail{up: h.placed, t: now}
	h.idleSince, h.idlePaid, h.exchanges, h.back = 0, 0, 0, false
	h.carry()
	return true
}

// open reports that n's ply, one of h's line, is still to be carried out.
func (h *hypothesis) open(n *node) bool { return h.due != nil && n.given && n.depth >= h.due.depth }

// carry notices that plies have been carried out.
func (h *hypothesis) carry() {
	for h.due != nil && h.carried(h.due) {
		done := h.due.depth
		h.due = nil
		for n := h.node; n != nil && n.depth > done; n = n.parent {
			if n.given {
				h.due = n
			}
		}
	}
}

// carried reports that the men of n's ply are where the line wants them.
func (h *hypothesis) carried(n *node) bool {
	for _, m := range [...]manID{n.mover, n.rook, n.victim} {
		if m == noMan {
			continue
		}
		x := h.find(m)
		if x == nil || !h.alive(m) && x.at >= 64 || x.at == h.node.home[m] && !h.masked(x) {
			continue
		}
		return false
	}
	return true
}

// pends reports that a man stands where it stood before an open ply.
func (h *hypothesis) pends(x *away) bool {
	if h.due == nil || x.at >= 64 {
		return false
	}
	for n := h.node; n != nil && n.depth >= h.due.depth; n = n.parent {
		if n.given && n.has(x.man) && x.at == n.parent.home[x.man] {
			return true
		}
	}
	return false
}

// carries reports that a man is one of those that an open ply moves.
func (h *hypothesis) carries(m manID) bool {
	if h.due == nil {
		return false
	}
	for n := h.node; n != nil && n.depth >= h.due.depth; n = n.parent {
		if n.given && n.has(m) {
			return true
		}
	}
	return false
}

// behind reports that a man still stands where it stood before an open ply: it can be taken where it should be.
func (h *hypothesis) behind(m manID) bool {
	x := h.find(m)
	return x != nil && h.pends(x)
}

// has reports that n's ply moves man m or takes it.
func (n *node) has(m manID) bool { return n.mover == m || n.rook == m || n.victim == m }

// takenUnseen reports that the man of an open ply has been in the air so long, and its victim looks so much like it, that it may
// have taken it and nothing was seen of that.
func (t *Tracker) takenUnseen(h *hypothesis, n *node, ms, now int64) bool {
	x, v := h.find(n.mover), h.find(n.victim)
	return x != nil && v != nil && x.at == inHand && now-x.since >= ms && v.at == h.node.home[n.mover] &&
		h.shows(t.o.Acuity, n.mover) == h.shows(t.o.Acuity, n.victim)
}

// overtaken settles an open capture of which nothing more was seen, now that it has been answered.
func (t *Tracker) overtaken(h *hypothesis, now int64) {
	n := h.due
	if n == nil || !t.takenUnseen(h, n, silentAfterMs, now) {
		return
	}
	if h.set(away{man: n.victim, at: offBoard, since: now}) && h.set(away{man: n.mover, at: h.node.home[n.mover], since: now}) {
		h.carry()
	}
}

// dues says what is still to be done of the open plies.
func (t *Tracker) dues(h *hypothesis, r *Report) {
	if h.due == nil {
		return
	}
	for n := h.node; n != nil && n.depth >= h.due.depth; n = n.parent {
		if !n.given || t.takenUnseen(h, n, doubtAfterMs, t.now) {
			continue
		}
		d := Due{Ply: n.depth - 1}
		for _, m := range [...]manID{n.mover, n.rook, n.victim} {
			if m == noMan {
				continue
			}
			x := h.find(m)
			if x == nil || !h.alive(m) && x.at >= 64 {
				continue
			}
			home := h.node.home[m]
			if x.at == n.parent.home[m] || x.at == home && h.masked(x) {
				d.Lift |= x.at.Bit()
			}
			if home < 64 && x.at != home && h.on(home) == noMan {
				d.Put |= home.Bit()
			}
		}
		if d.Lift|d.Put != 0 {
			r.Due = append([]Due{d}, r.Due...)
		}
	}
}

// owedSquares are where the board may differ from the end of the line because plies are still to be carried out.
func (h *hypothesis) owedSquares() (set rules.Bitboard) {
	if h.due == nil {
		return 0
	}
	for i := range h.men[:h.away] {
		if x := &h.men[i]; h.pends(x) {
			set |= x.at.Bit()
			if home := h.node.home[x.man]; home < 64 {
				set |= home.Bit()
			}
		}
	}
	return set
}
