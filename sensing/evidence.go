package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

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
		*n.ghost(s) = spot{}
	default:
		n.payAs(opNothing, costEmptied[t.trust(s)])
	}
	t.emit(n)
}

// take is h with the man on s taken up, nil if that is more than an explanation can hold.
func (t *Tracker) take(h *hypothesis, at int64, s rules.Square, m manID) *hypothesis {
	due := t.liftPrice(h, at, s, m)
	n, price := t.copy(h), due.sum
	n.settle(due)
	via, slid := rules.NoSquare, n.slid(m)
	if n.displaced(m) {
		price, via = onItsWay, s
		slid = slid && n.lastPlaceOn == s
	}
	to := inHand
	if !n.alive(m) {
		to = offBoard // a captured man leaves the board again
	}
	if n.node.move.IsEnPassant() && m == n.node.victim && s == n.node.move.Victim() {
		n.completed(at)
	}
	if !n.set(away{man: m, at: to, via: via, slid: slid, face: n.face(m), lift: price, since: at}) {
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
		if h.lastPlaceOn == s || h.debtOf(x) != 0 || !h.alive(m) || h.pends(x) {
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

// promotes reports whether a legal ply of n takes man m to s as a promotion.
func (n *node) promotes(m manID, s rules.Square) bool {
	for _, mv := range n.legal() {
		if mv.From() == n.home[m] && mv.To() == s && mv.Promotion() != rules.NoRole {
			return true
		}
	}
	return false
}

// place gives the explanations of square s coming to show sym.
func (t *Tracker) place(h *hypothesis, at int64, s rules.Square, sym board.Symbol) {
	if m := h.on(s); m != noMan {
		t.again(h, m, s, sym)
		// Or something stands there already: it must have gone without being seen to.
		if h = t.take(h, at, s, m); h == nil {
			return
		}
	}
	if g := h.ghost(s); g != nil {
		n := t.copy(h)
		*n.ghost(s) = spot{}
		h = n
	}
	for i := range h.men[:h.away] {
		if m := h.men[i].man; h.men[i].at == inHand {
			if face, ok := t.fits(h, m, s, sym); ok {
				due := t.placePrice(h, m, s)
				if h.foreign(m, face) {
					due.add(opForeign)
				}
				t.settleOn(h, at, m, s, face, due)
			}
		}
	}
	t.returning(h, at, s, sym)
	t.lateLift(h, at, s, sym)
	n := t.copy(h)
	if addSpot(&n.ghosts, spot{square: s, symbol: sym, since: at}) {
		if price := costFilled[t.trust(s)]; at-n.lastPlace < askewMs && neighbours(s, n.lastPlaceOn) {
			n.payAs(opAskew, min(price, costAskew))
		} else {
			n.payAs(opGhost, price)
		}
		t.emit(n)
	}
}

func neighbours(a, b rules.Square) bool {
	df, dr := a.File()-b.File(), a.Rank()-b.Rank()
	return df >= -1 && df <= 1 && dr >= -1 && dr <= 1
}

// fits reports whether man m may be what shows as sym on s, and under which face.
func (t *Tracker) fits(h *hypothesis, m manID, s rules.Square, sym board.Symbol) (face board.Symbol, ok bool) {
	p := h.node.piece[m]
	switch t.o.Acuity {
	case board.Presence:
		return 0, true
	case board.ColorAcuity:
		return 0, board.ColorAcuity.See(p) == sym
	}
	if sym == board.Symbol(p.Letter()) {
		return 0, true
	}
	if sym == board.Unknown || h.face(m) == sym {
		return sym, true
	}
	// A piece stands for a pawn that promotes, or that has just promoted: of its own colour, or what was at hand.
	q, known := rules.PieceFromLetter(byte(sym))
	if !known || q.Role() == rules.King || q.Role() == rules.Pawn && q.Color() != p.Color() {
		return 0, false
	}
	if p.Role() == rules.Pawn {
		return sym, h.node.promotes(m, s)
	}
	return sym, m == h.node.mover && h.node.move.Promotion() != rules.NoRole && s == h.node.home[m]
}

// foreign reports that a man shows itself as one of the other colour.
func (h *hypothesis) foreign(m manID, face board.Symbol) bool {
	q, known := rules.PieceFromLetter(byte(face))
	return known && q.Color() != h.color(m)
}

func (t *Tracker) placePrice(h *hypothesis, m manID, s rules.Square) (due bill) {
	n := h.node
	home := n.home[m]
	switch {
	case home == offBoard:
		return just(opStray)
	case s == home:
		if h.promoting(t.o.Acuity) && m == n.mover {
			return due
		}
		x := h.find(m)
		if x == nil || x.lift == onItsWay && h.color(m) != h.turn() {
			return just(opHomeAgain)
		}
		if m == n.rook && h.placed != nil && x.since <= h.placed.t {
			return just(opHomeAgain) // it was in the air when its king came down
		}
		if x.lift == onItsWay {
			return just(opSecondMind)
		}
		due.addAs(opAdjust, max(costHomeAgain, costAdjust-x.lift))
		return due
	case h.color(m) == h.turn() && n.reaches(m, s):
		if o := h.astrayBeside(m); o != noMan && !h.mayCastle(m, o) {
			return just(opElsewhere) // only one of them can be the ply
		}
		if x := h.find(m); x != nil && x.via < 64 && !between(home, s, x.via) {
			return just(opDetour)
		}
		return due
	case n.rook == m || n.victim == m:
		return just(opHomeAgain)
	}
	if h.color(m) != h.turn() && t.hasty(h, m, s) {
		return just(opHasty)
	}
	// The way back, or the same ply corrected.
	for a, k := n, 0; a.parent != nil && k < 6; a, k = a.parent, k+1 {
		if a.parent.home[m] == s {
			return just(opHomeAgain)
		}
	}
	if n.parent != nil && m == n.mover && n.parent.reaches(m, s) {
		return just(opHomeAgain)
	}
	return just(opElsewhere)
}

// hasty reports that the opponent's man m on s would be a reply to the ply that the men complete and h does not take so yet.
func (t *Tracker) hasty(h *hypothesis, m manID, s rules.Square) bool {
	if h.idleSince == 0 {
		return false
	}
	for _, mv := range h.node.legal() {
		if !h.stirred(h.node, mv) {
			continue
		}
		if _, ok := h.complete(h.node, mv, t.o.Acuity); ok && h.node.child(mv).reaches(m, s) {
			return true
		}
	}
	return false
}

func (t *Tracker) settleOn(h *hypothesis, at int64, m manID, s rules.Square, face board.Symbol, due bill) {
	n := t.copy(h)
	n.settle(due)
	if n.promoting(t.o.Acuity) && m == n.node.mover && s == n.node.home[m] {
		n.exchanges++
	}
	if !n.set(away{man: m, at: s, slid: n.slid(m), face: face, since: at}) {
		return
	}
	if m == n.node.rook && s == n.node.home[m] {
		n.completed(at)
	}
	n.lastPlace, n.lastPlaceOn, n.lastPlaced = at, s, n.color(m)
	t.emit(n)
}

// returning lets a captured man come back to where it was taken: a takeback.
func (t *Tracker) returning(h *hypothesis, at int64, s rules.Square, sym board.Symbol) {
	for a, k := h.node, 0; a.parent != nil && k < 8; a, k = a.parent, k+1 {
		v := a.victim
		if v == noMan || h.at(v) != offBoard || a.move.Victim() != s {
			continue
		}
		if face, ok := t.fits(h, v, s, sym); ok {
			t.settleOn(h, at, v, s, face, just(opReturn))
		}
	}
}

// lateLift lets a man arrive that was not seen to leave.
func (t *Tracker) lateLift(h *hypothesis, at int64, s rules.Square, sym board.Symbol) {
	late := just(opLateLift)
	if t.o.Resolution > 0 {
		late = just(opLateScan)
	}
	var seen rules.Bitboard
	try := func(m manID, extra bill) {
		from := h.at(m)
		if from >= 64 || from == s || seen.Has(from) {
			return
		}
		face, ok := t.fits(h, m, s, sym)
		if !ok {
			return
		}
		seen |= from.Bit()
		n := t.copy(h)
		n.settle(extra)
		off, owed := t.unseenOff(h, from)
		if owed && !addSpot(&n.owed, spot{square: from, since: at}) {
			return
		}
		due := late
		if off < late.sum {
			due = bill{}
			due.addAs(opUnseenOff, off)
		}
		t.settleOn(n, at, m, s, face, due)
	}
	for _, mv := range h.node.legal() {
		if mv.Target() == s {
			try(h.node.who[mv.From()], bill{})
		}
		if mv.IsCastling() {
			if _, rook := mv.Castling(); rook == s {
				try(h.node.who[mv.To()], bill{})
			}
		}
	}
	// Men on their way go on, and the man that has just moved moves on or back.
	for i := range h.men[:h.away] {
		if m := h.men[i].man; h.alive(m) && h.displaced(m) {
			try(m, t.placePrice(h, m, s))
		}
	}
	if m := h.node.mover; m != noMan {
		try(m, t.placePrice(h, m, s))
	}
}
