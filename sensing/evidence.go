package sensing

import "github.com/boardd/boardd/rules"

// between reports that c lies on the straight line from a to b.
func between(a, b, c rules.Square) bool {
	df, dr := sign(b.File()-a.File()), sign(b.Rank()-a.Rank())
	for f, r := a.File()+df, a.Rank()+dr; f >= 0 && f < 8 && r >= 0 && r < 8; f, r = f+df, r+dr {
		switch rules.NewSquare(f, r) {
		case b:
			return false
		case c:
			return true
		}
		if df == 0 && dr == 0 {
			break
		}
	}
	return false
}

func sign(n int) int {
	switch {
	case n < 0:
		return -1
	case n > 0:
		return 1
	}
	return 0
}

// onItsWay is the lift price of a man that was not at home when it was lifted.
const onItsWay = -1

// lift gives the explanations of square s going empty.
func (t *Tracker) lift(h *hypothesis, at int64, s rules.Square) {
	if m := h.on(s); m != noMan {
		t.blind(h, at, s)
		if n := t.take(h, at, s, m); n != nil {
			t.emit(n)
		}
		return
	}
	n := t.copy(h)
	switch {
	case n.owes(s) != nil:
		*n.owes(s) = spot{}
	case n.ghost(s) != nil:
		if n.outlasts(n.ghost(s), at-sameMomentMs-t.o.Resolution) {
			n.payAs(opGhost, costGhost-costAskew)
		}
		*n.ghost(s) = spot{}
	default:
		n.payAs(opNothing, costEmptied[t.trust(s)])
	}
	t.emit(n)
}

// outlasts reports that a square went on showing the man who stood askew beside it when he had left, before a time: it was not he.
func (h *hypothesis) outlasts(g *spot, at int64) bool {
	if g.owner == noMan || h.at(g.owner) == g.beside {
		return false
	}
	x := h.find(g.owner)
	return x == nil || x.at != inHand || x.since < at
}

// take is h with the man on s taken up, nil if that is more than an explanation can hold.
func (t *Tracker) take(h *hypothesis, at int64, s rules.Square, m manID) *hypothesis {
	due := t.liftPrice(h, at, s, m)
	n, price := t.copy(h), due.sum
	n.settle(due)
	via, slid := rules.NoSquare, n.slid(m)
	if n.displaced(m) {
		price, via = onItsWay, s
		slid = slid && n.rests[n.color(m)] == s
	}
	to := inHand
	if !n.alive(m) {
		to = offBoard // a captured man leaves the board again
	}
	if n.node.move.IsEnPassant() && m == n.node.victim && s == n.node.move.Victim() {
		n.completed(at)
	}
	o := n.find(m)
	if !n.set(away{man: m, at: to, via: via, early: o != nil && o.early, slid: slid, face: n.face(m), lift: price, since: at}) {
		return nil
	}
	return n
}

// completed says that the last ply has only now been made: its rook is home, or the pawn taken en passant has left.
func (h *hypothesis) completed(at int64) {
	if h.placed != nil {
		h.placed = &trail{up: h.placed.up, t: max(at, h.placed.t)}
	}
}

func (t *Tracker) liftPrice(h *hypothesis, at int64, s rules.Square, m manID) (due bill) {
	c := h.color(m)
	if x := h.find(m); x != nil && h.displaced(m) {
		if h.rests[c] == s || h.debtOf(x) != 0 || !h.alive(m) || h.pends(x) {
			return due // on its way
		}
		return just(opAbandoned)
	}
	switch {
	case h.promoting(t.o.Acuity) && m == h.node.mover:
		return just(opExchange)
	case c == h.turn():
		if tr := h.placed; tr != nil && tr.up != nil && at-tr.up.t < hasteMs {
			due.add(opHaste)
		}
		if o := h.begun(c); o != noMan {
			if h.mayCastle(m, o) {
				due.add(opCastlePair)
			} else {
				due.add(opSecondOwn)
			}
		}
	case h.takeable(s):
		due.add(opVictim)
		if soon := h.justMoved(m, at); soon > 0 {
			due.addAs(opSoonVictim, int32(soon)*costSoonVictim)
		}
	case m == h.node.mover || m == h.node.rook:
		if soon := h.justMoved(m, at); soon > soonMs-gripMs || soon > 0 && h.held(h.turn()) == noMan {
			due.add(opSlidOn)
		} else if h.back {
			due.add(opNextBack)
		} else {
			due.add(opLastMoved)
		}
	default:
		due.add(opBystander)
		if m := h.held(h.turn()); m != noMan && at-h.find(m).since >= overdueMs {
			due.add(opOverdue)
		}
	}
	if at-h.lastPlace < handMs && h.lastPlaceOn != s && t.o.Resolution == 0 {
		if c == h.lastPlaced {
			due.add(opQuickSame)
		} else {
			due.add(opQuickOther)
		}
	}
	return due
}

// justMoved is how many of the soonMs milliseconds after m was moved are left, 0 or less for none.
func (h *hypothesis) justMoved(m manID, at int64) int64 {
	if m != h.node.mover && m != h.node.rook || h.placed == nil {
		return 0
	}
	return h.placed.t + soonMs - at
}

// held is a living man of a colour that is in the air, noMan if there is none.
func (h *hypothesis) held(c rules.Color) manID {
	for i := range h.men[:h.away] {
		if x := &h.men[i]; x.at == inHand && h.alive(x.man) && h.color(x.man) == c {
			return x.man
		}
	}
	return noMan
}

// begun is the man with which the side to move has begun its ply: in the air, or set down where the ply could be complete.
func (h *hypothesis) begun(c rules.Color) manID {
	if m := h.held(c); m != noMan || h.idleSince == 0 {
		return m
	}
	for i := range h.men[:h.away] {
		if x := &h.men[i]; x.slid && h.color(x.man) == c {
			return x.man
		}
	}
	return noMan
}

// astrayBeside is another man of m's colour that was set down where it could have completed a ply.
func (h *hypothesis) astrayBeside(m manID) manID {
	for i := range h.men[:h.away] {
		if x := &h.men[i]; x.slid && x.at < 64 && x.man != m && h.alive(x.man) && h.color(x.man) == h.color(m) {
			return x.man
		}
	}
	return noMan
}

func (h *hypothesis) mayCastle(a, b manID) bool {
	for _, mv := range h.node.legal() {
		if mv.IsCastling() {
			k, r := h.node.who[mv.From()], h.node.who[mv.To()]
			if k == a && r == b || k == b && r == a {
				return true
			}
		}
	}
	return false
}

func (h *hypothesis) takeable(s rules.Square) bool {
	for _, mv := range h.node.legal() {
		if !mv.IsCastling() && mv.Victim() == s {
			return true
		}
	}
	return false
}

// reaches reports whether a legal ply of n puts man m on s; castling counts for king and rook.
func (n *node) reaches(m manID, s rules.Square) bool {
	home := n.home[m]
	for _, mv := range n.legal() {
		if mv.From() == home && mv.Target() == s {
			return true
		}
		if mv.IsCastling() && mv.To() == home {
			if _, rook := mv.Castling(); rook == s {
				return true
			}
		}
	}
	return false
}

// passes reports whether a legal ply of n slides man m over s: in check it may not stop on all squares of its way.
func (n *node) passes(m manID, s rules.Square) bool {
	if n.piece[m].Role() == rules.Knight || n.who[s] != noMan {
		return false
	}
	for _, mv := range n.legal() {
		if mv.From() == n.home[m] && !mv.IsCastling() && between(mv.From(), mv.To(), s) {
			return true
		}
	}
	return false
}

// promotes reports whether a legal ply of n takes man m to s as a promotion.
func (n *node) promotes(m manID, s rules.Square) bool {
	for _, mv := range n.legal() {
		if mv.From() == n.home[m] && mv.To() == s && mv.Promotion() != rules.NoRole {
			return true
		}
	}
	return false
}
