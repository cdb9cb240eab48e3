package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// promotes finds out late what a pawn was promoted to, on boards that cannot see it: the man stands where only another piece
// can have gone.
func (t *Tracker) promotes(h *hypothesis, now int64, depth int) {
	if t.o.Acuity == board.PieceAcuity || h.mask&h.node.promoted == 0 {
		return
	}
	for i := range h.men[:h.away] {
		x := &h.men[i]
		if x.at >= 64 || h.node.promoted>>x.man&1 == 0 || !h.alive(x.man) || h.color(x.man) != h.turn() || h.node.reaches(x.man, x.at) {
			continue
		}
		for _, role := range [...]rules.Role{rules.Queen, rules.Rook, rules.Bishop, rules.Knight} {
			n := h.node.repromote(x.man, role)
			if n == nil || n == h.node || !n.reaches(x.man, x.at) {
				continue
			}
			b := t.copy(h)
			b.node = n
			b.pay(opRepromote)
			t.closeUnder(b, now, depth+1)
			break // the others are far rarer
		}
	}
}

// answers finds out late what the last ply promoted to, on boards that cannot see it: the reply is legal only if it was another
// piece. That is likelier when the man was exchanged there more than once, as those do who choose by it.
func (t *Tracker) answers(h *hypothesis, now int64, depth int) {
	n := h.node
	if t.o.Acuity == board.PieceAcuity || n.move.Promotion() == rules.NoRole || n.confirmed || n.parent == nil || !h.unsettled() {
		return
	}
	for _, role := range [...]rules.Role{rules.Queen, rules.Rook, rules.Bishop, rules.Knight} {
		o := n.repromote(n.mover, role)
		if o == nil || o == n {
			continue
		}
		for _, mv := range o.legal() {
			if !h.stirred(o, mv) || n.pos.IsLegal(mv) {
				continue
			}
			debt, ok := h.complete(o, mv)
			if !ok {
				continue
			}
			b := t.copy(h)
			if b = t.advance(b, o, mv, now); b == nil {
				continue
			}
			if h.exchanges > 1 {
				b.pay(opExchange)
			} else {
				b.pay(opRepromote)
			}
			b.pay(opPly)
			if debt {
				b.pay(opDebt)
			}
			t.closeUnder(b, now, depth+1)
		}
	}
}
