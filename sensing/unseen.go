package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// shadows explains two plies of which the first was never seen: its man was taken on arrival.
func (t *Tracker) shadows(h *hypothesis, now int64, depth int) {
	x := h.held(h.turn())
	if x == noMan || depth+1 >= maxCatchUp {
		return
	}
	for i := range h.men[:h.away] {
		y := h.men[i].man
		if h.men[i].at >= 64 || !h.displaced(y) || !h.alive(y) || h.color(y) == h.turn() || h.carries(y) {
			continue
		}
		for _, first := range h.node.legal() {
			if first.From() != h.node.home[x] || first.IsCastling() || !h.promotesSo(x, first) {
				continue
			}
			// y took it where it stands now, or, as a pawn, in passing.
			if at := h.at(y); first.To() != at && !(h.node.piece[x].Role() == rules.Pawn && between(first.From(), first.To(), at)) {
				continue
			}
			if v := h.node.who[first.Victim()]; v != noMan && h.at(v) < 64 {
				continue
			}
			c := h.node.child(first)
			for _, second := range c.legal() {
				if second.IsCastling() || c.who[second.From()] != y || second.To() != h.at(y) || second.Victim() != first.To() {
					continue
				}
				n := t.advance(h, h.node, first, now)
				if n == nil || !n.set(away{man: x, at: offBoard, since: now}) {
					continue
				}
				if n = t.advance(n, c, second, now); n == nil {
					continue
				}
				n.pay(opPly)
				n.pay(opPly)
				if h.men[i].air > 1 || !t.atOnce(h, now) {
					n.pay(opShadow)
				}
				t.closeUnder(n, now, depth+2)
			}
		}
	}
}

// silent explains a man long in the air as having taken a victim that never went off: only boards that see no colour miss that.
// With the man that took it in turn in the air too, others miss both.
func (t *Tracker) silent(h *hypothesis, now int64) {
	m := h.held(h.turn())
	if m == noMan || now-h.find(m).since < silentAfterMs {
		return
	}
	taker := h.held(h.turn().Other())
	if t.o.Acuity != board.Presence && taker == noMan {
		return
	}
	for _, mv := range h.node.legal() {
		if h.node.who[mv.From()] != m || !h.mayMiss(mv) {
			continue
		}
		n, v := t.copy(h), h.node.who[mv.Victim()]
		if !n.set(away{man: v, at: offBoard, since: now}) || !n.set(away{man: m, at: mv.To(), since: now}) {
			continue
		}
		if n = t.advance(n, n.node, mv, now); n == nil {
			continue
		}
		n.pay(opPly)
		n.pay(opSilent)
		n.unseen = n.node
		if taker != noMan && now-h.find(taker).since >= silentAfterMs && h.shows(t.o.Acuity, taker) == h.shows(t.o.Acuity, v) {
			t.retaken(n, taker, m, now)
		}
		if t.o.Acuity == board.Presence {
			t.closeUnder(n, now, maxCatchUp-1)
		}
	}
}

// retaken lets man m, which has come to its square unseen, be taken there as unseen by another in the air.
func (t *Tracker) retaken(h *hypothesis, taker, m manID, now int64) {
	s := h.node.move.To()
	for _, mv := range h.node.legal() {
		if h.node.who[mv.From()] != taker || mv.To() != s || mv.IsCastling() || !h.promotesSo(taker, mv) {
			continue
		}
		n := t.copy(h)
		if !n.set(away{man: m, at: offBoard, since: now}) || !n.set(away{man: taker, at: s, since: now}) {
			continue
		}
		if n = t.advance(n, n.node, mv, now); n == nil {
			continue
		}
		n.pay(opPly)
		t.closeUnder(n, now, maxCatchUp-1)
	}
}
