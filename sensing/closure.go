package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// closeUnder adds to the beam what h may have become by now: plies that the men's places complete, plies taken back or
// replaced. h itself stays, for the hand may not be done.
func (t *Tracker) closeUnder(h *hypothesis, now int64, depth int) {
	if t.hopeless(h.cost) {
		return
	}
	h.carry()
	if depth < maxCatchUp {
		t.advances(h, now, depth)
		t.retracts(h, now, depth)
		t.shadows(h, now, depth)
		t.promotes(h, now, depth)
		t.answers(h, now, depth)
	}
	if t.o.Acuity == board.PieceAcuity {
		h.misfit()
	}
	if !t.together {
		h.linger(now)
	}
	t.kings(h, now)
	t.keep(h)
}

// complete reports whether the men stand as ply mv of n leaves them; debt is set when only the castling rook or the pawn taken
// en passant is still to follow. The homes that count are n's, which need not be the end of h's line.
func (h *hypothesis) complete(n *node, mv rules.Move) (debt, ok bool) {
	m := n.who[mv.From()]
	if h.carries(m) {
		return false, false // it has a ply to catch up with first
	}
	if mv.IsCastling() {
		king, rook := mv.Castling()
		r := n.who[mv.To()]
		if h.at(m) != king {
			return false, false
		}
		home := h.at(r) == rook
		if king == mv.From() || squareApart(king, mv.From()) {
			// The king's place alone does not show castling: the rook must be home, and have moved.
			return false, home && (h.displacedIn(n, r) || h.displacedIn(n, m))
		}
		return !home, true
	}
	if h.at(m) != mv.To() {
		return false, false
	}
	if v := n.who[mv.Victim()]; v != noMan && h.at(v) < 64 && !h.behind(v) {
		return mv.IsEnPassant() && h.at(v) == mv.Victim(), mv.IsEnPassant()
	}
	return false, h.promotesSo(m, mv)
}

// promotesSo reports that ply mv of man m is no promotion, or one to what he shows himself as: to a queen where that is not known.
func (h *hypothesis) promotesSo(m manID, mv rules.Move) bool {
	if mv.Promotion() == rules.NoRole {
		return true
	}
	if q, known := rules.PieceFromLetter(byte(h.face(m))); known && q.Role() != rules.Pawn && !h.foreign(m, h.face(m)) {
		return mv.Promotion() == q.Role()
	}
	return mv.Promotion() == rules.Queen
}

// squareApart reports that a king's step from a to b is also an ordinary king's move.
func squareApart(a, b rules.Square) bool {
	d := a.File() - b.File()
	return a.Rank() == b.Rank() && (d == 1 || d == -1)
}

func (h *hypothesis) displacedIn(n *node, m manID) bool { return h.at(m) != n.home[m] }

// linger prices that h does not take a ply that its men complete.
func (h *hypothesis) linger(now int64) {
	could, price := false, false
	for _, mv := range h.node.legal() {
		if !h.stirred(h.node, mv) {
			continue
		}
		if _, ok := h.complete(h.node, mv); ok {
			could = true
			if x := h.find(h.node.who[mv.From()]); x != nil && !x.slid {
				x.slid, price = true, true
			}
		}
	}
	switch {
	case !could:
		h.idleSince, h.idlePaid = 0, 0
	case h.idleSince == 0:
		h.idleSince, h.idlePaid = now, 0
		if price {
			h.pay(opNotYet)
		}
	}
}

// misfit prices that h does not take the piece which stands where a pawn was promoted for what it was promoted to.
func (h *hypothesis) misfit() {
	x := h.find(h.node.mover)
	if x == nil || x.slid || x.at != h.node.home[x.man] || !h.masked(x) {
		return
	}
	x.slid = true
	h.pay(opMasked)
}

func (t *Tracker) advances(h *hypothesis, now int64, depth int) {
	for _, mv := range h.node.legal() {
		if !h.stirred(h.node, mv) {
			continue
		}
		debt, ok := h.complete(h.node, mv)
		if !ok {
			continue
		}
		n := t.advance(h, h.node, mv, now)
		if n == nil {
			continue
		}
		n.pay(opPly)
		if debt {
			n.pay(opDebt)
		}
		if o := n.astray(h.turn()); o != noMan && o != n.node.rook {
			n.pay(opBusy)
		}
		t.closeUnder(n, now, depth+1)
	}
}

// advance is h with ply mv played after from, nil if an explanation cannot hold that.
func (t *Tracker) advance(h *hypothesis, from *node, mv rules.Move, now int64) *hypothesis {
	n := t.copy(h)
	t.overtaken(n, now)
	if h.owing(h.node) {
		n.pay(opDebtSkip)
	} else if t.o.Acuity == board.PieceAcuity && h.promoting(t.o.Acuity) {
		n.pay(opUnexchanged)
	}
	c := from.child(mv)
	placed := now
	if x := h.find(c.mover); x != nil {
		placed = x.since - int64(x.stood)
	}
	if x := h.find(c.rook); x != nil && x.at == c.home[c.rook] {
		placed = max(placed, x.since)
	}
	if x := n.find(c.victim); x != nil && x.at == inHand {
		if mv.IsEnPassant() {
			placed = max(placed, x.since)
		} else if x.via < 64 && x.via != mv.Victim() {
			n.pay(opTakenElsewhere)
		}
		x.at = offBoard
	}
	if mv.Promotion() != rules.NoRole && t.o.Acuity == board.PieceAcuity {
		if x := n.find(c.mover); x != nil {
			switch x.face {
			case 0:
				x.face = board.Symbol(from.piece[c.mover].Letter()) // the pawn still stands for the piece
			case board.Symbol(c.piece[c.mover].Letter()):
				x.face = 0
			}
		}
	}
	if !n.move(c, [3]manID{c.mover, c.rook, c.victim}, now) {
		return nil
	}
	if n.placed != nil && placed < n.placed.t-sameMomentMs-t.o.Resolution {
		n.pay(opEarly)
	}
	if due := t.onward(c, h.find(c.mover), n.placed); due > 0 {
		n.payAs(opOnward, due)
	}
	n.leftover(h.find(c.mover), c.pos.Turn())
	n.placed = &trail{up: n.placed, t: placed}
	n.idleSince, n.idlePaid, n.exchanges, n.back = 0, 0, 0, false
	return n
}

// leftover prices that an enemy man which was taken up, for all that was known as a victim, is not the victim of the ply that mover
// x has completed since.
func (h *hypothesis) leftover(mover *away, c rules.Color) {
	if mover == nil || mover.air == 0 {
		return
	}
	for i := range h.men[:h.away] {
		x := &h.men[i]
		if x.at != inHand || !h.alive(x.man) || h.color(x.man) != c || x.lift < 0 || x.lift >= costBystander || x.since-(mover.since-int64(mover.air)) < overdueMs {
			continue
		}
		h.payAs(opLeftover, costBystander+costOverdue-x.lift)
		x.lift = costBystander
	}
}

// onward is what it costs that ply c carries the man of its side's ply before, set down but a moment ago, on in the same direction,
// so fast that no hand can have lifted it: rather he slid all the way, and so did the man of the ply between. One that was never in the
// air was not even set down before. x is where he is now, before the times of the plies before.
func (t *Tracker) onward(c *node, x *away, before *trail) int32 {
	o, lifted := c.parent.parent, int32(liftedMs)
	if t.o.Acuity == board.PieceAcuity {
		lifted -= slowLookMs
	}
	if x == nil || o == nil || o.parent == nil || o.mover != c.mover || before == nil || before.up == nil || c.move.IsCastling() {
		return 0
	}
	if x.air >= lifted || x.since-before.up.t >= onwardMs {
		return 0
	}
	if x.air > 0 && (!between(o.move.From(), c.move.To(), o.move.To()) || !o.parent.reaches(c.mover, c.move.To())) {
		return 0
	}
	return min(costOnward, (lifted-x.air)*costOnwardMs)
}

// astray is a man of a colour that is in the air, or set down where a ply of its own could have been complete.
func (h *hypothesis) astray(c rules.Color) manID {
	for i := range h.men[:h.away] {
		if x := &h.men[i]; (x.at == inHand || x.slid && x.at < 64) && h.alive(x.man) && h.color(x.man) == c {
			return x.man
		}
	}
	return noMan
}

// retracts takes the last ply back when its man is where it came from, and replaces it when the men stand as another ply
// of the same side would have left them.
func (t *Tracker) retracts(h *hypothesis, now int64, depth int) {
	n := h.node
	p := n.parent
	if p == nil || h.open(n) {
		return
	}
	back := h.at(n.mover) == p.home[n.mover]
	if n.move.IsCastling() && p.home[n.mover] == n.home[n.mover] {
		back = h.at(n.rook) == p.home[n.rook]
	}
	if back {
		if b := t.retract(h, now); b != nil {
			if h.back {
				b.pay(opRetractMore)
			} else {
				b.pay(opRetract)
			}
			b.back = true
			t.closeUnder(b, now, depth+1)
		}
		return
	}
	if !h.unsettled() {
		return
	}
	for _, mv := range p.legal() {
		if m := p.who[mv.From()]; mv == n.move || m != n.mover && m != n.rook && !h.stirred(p, mv) {
			continue
		}
		if n.confirmed && mv.From() == n.move.From() && mv.To() == n.move.To() {
			continue // what it was promoted to has been said, whatever stands for it
		}
		debt, ok := h.complete(p, mv)
		if !ok {
			continue
		}
		b := t.retract(h, now)
		if b == nil {
			continue
		}
		if b = t.advance(b, p, mv, now); b == nil {
			continue
		}
		if t.o.Acuity == board.PieceAcuity && mv.From() == n.move.From() && mv.To() == n.move.To() {
			b.pay(opExchange) // the pawn was exchanged only now
			b.placed = &trail{up: b.placed.up, t: h.placed.t}
		} else {
			b.pay(opRevise)
			b.pay(opPly)
		}
		if debt {
			b.pay(opDebt)
		}
		t.closeUnder(b, now, depth+1)
	}
}

// retract is h with its last ply taken back, nil if an explanation cannot hold that.
func (t *Tracker) retract(h *hypothesis, now int64) *hypothesis {
	b := t.copy(h)
	n := h.node
	face := b.face(n.mover)
	at := b.at(n.mover)
	if !b.move(n.parent, [3]manID{n.mover, n.rook, n.victim}, now) {
		return nil
	}
	stood := int32(0)
	if b.placed != nil {
		if at == n.home[n.mover] {
			stood = int32(min(now-b.placed.t, 1<<20))
		}
		b.placed = b.placed.up
	}
	if x := b.find(n.mover); x != nil {
		x.stood = stood
	}
	b.idleSince, b.idlePaid, b.exchanges = 0, 0, 0
	if n.move.Promotion() != rules.NoRole && t.o.Acuity == board.PieceAcuity {
		// The man is a pawn again; what it shows may be the piece.
		switch face {
		case board.Symbol(n.parent.piece[n.mover].Letter()):
			face = 0
		case 0:
			face = board.Symbol(n.piece[n.mover].Letter())
		}
		if !b.set(away{man: n.mover, at: at, face: face, stood: stood, since: now}) {
			return nil
		}
	}
	return b
}

// unsettled reports that some man is not where the line wants it, or does not look as it should.
func (h *hypothesis) unsettled() bool {
	for i := range h.men[:h.away] {
		if x := &h.men[i]; x.at < 64 || h.alive(x.man) {
			return true
		}
	}
	return false
}

var centre = rules.NewSquare(3, 3).Bit() | rules.NewSquare(4, 3).Bit() | rules.NewSquare(3, 4).Bit() | rules.NewSquare(4, 4).Bit()

// kings notices both kings in the centre, which no play can lead to: the players tell the result. King moves on the way there
// are withdrawn.
func (t *Tracker) kings(h *hypothesis, now int64) {
	w, b := h.node.who[h.node.pos.King(rules.White)], h.node.who[h.node.pos.King(rules.Black)]
	if h.at(w) >= 64 || h.at(b) >= 64 || !centre.Has(h.at(w)) || !centre.Has(h.at(b)) {
		h.kings = ""
		return
	}
	if h.kings != "" {
		return
	}
	for range 2 {
		n := h.node
		if n.parent == nil || n.confirmed || n.mover != w && n.mover != b || now-h.placed.t > kingsWithinMs {
			break
		}
		b := t.retract(h, now)
		if b == nil {
			break
		}
		*h = *b
	}
	h.kings, h.kingsAt = kingsResult(h.at(w), h.at(b)), now
	h.pay(opKings)
}

// kingsResult reads the convention of electronic boards: both kings on light centre squares, White has won; on dark ones,
// Black; one on each, a draw.
func kingsResult(w, b rules.Square) string {
	light := func(s rules.Square) bool { return (s.File()+s.Rank())%2 == 1 }
	switch {
	case light(w) && light(b):
		return "1-0"
	case !light(w) && !light(b):
		return "0-1"
	}
	return "1/2-1/2"
}
