package sensing

import "github.com/boardd/boardd/rules"

// wait charges for the time up to now: everything that stands open grows less likely, up to its cap. slow is how long the
// board may take to say a thing.
func (h *hypothesis) wait(now int64, slow int64) {
	idling := false
	for i := range h.men[:h.away] {
		x := &h.men[i]
		home := h.node.home[x.man]
		switch ms := now - x.since; {
		case x.at == home && h.masked(x): // the piece that was put there says that the ply was another promotion
			h.charge(&x.paid, ms, rateDisplaced, capDisplaced)
		case x.at == home || home == offBoard && x.at >= 64 || h.pends(x):
		case x.at == inHand:
			h.charge(&x.paid, ms, rateCarry, capCarry)
		case h.kings != "" && h.node.piece[x.man].Role() == rules.King:
		case h.debtOf(x) != 0 || h.rookAhead(x):
			h.charge(&x.paid, ms, rateDebt, capDebt)
		case x.slid && h.idleSince != 0 && !idling:
			idling = true // priced below; only one man can be the ply that is not taken
		default:
			h.charge(&x.paid, ms, rateDisplaced, capDisplaced)
		}
	}
	for i := range h.ghosts {
		if g := &h.ghosts[i]; g.used {
			h.charge(&g.paid, now-g.since, rateGhost, capGhost)
		}
		if o := &h.owed[i]; o.used {
			h.charge(&o.paid, now-o.since-slow, rateOwed, capOwed)
		}
	}
	if h.idleSince != 0 {
		h.charge(&h.idlePaid, now-h.idleSince-slow, rateIdle, capIdle)
	}
}

// rookAhead reports that a man is a rook that castling brings where it stands, and that its king is still to follow: in Chess960
// it may have come over its king, which no move of its own can do.
func (h *hypothesis) rookAhead(x *away) bool {
	if p := h.node.piece[x.man]; p.Role() != rules.Rook || p.Color() != h.turn() || x.at >= 64 {
		return false
	}
	for _, mv := range h.node.legal() {
		if !mv.IsCastling() || h.node.who[mv.To()] != x.man {
			continue
		}
		if _, rook := mv.Castling(); rook == x.at {
			k := h.at(h.node.who[mv.From()])
			return k == mv.From() || k == inHand
		}
	}
	return false
}

func (h *hypothesis) charge(paid *int32, ms, rate int64, most int32) {
	if ms <= 0 || *paid >= most {
		return
	}
	due := most
	if ms*rate/1000 < int64(most) {
		due = int32(ms * rate / 1000)
	}
	if due > *paid {
		h.cost += due - *paid
		*paid = due
	}
}
