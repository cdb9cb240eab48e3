package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

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
				due := t.placePrice(h, at, m, s)
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
	g := spot{square: s, symbol: sym, owner: noMan, since: at}
	if at-n.lastPlace < askewMs && neighbours(s, n.lastPlaceOn) && t.shownOn(n, n.lastPlaceOn) == sym {
		g.owner, g.beside = n.on(n.lastPlaceOn), n.lastPlaceOn
	}
	if !addSpot(&n.ghosts, g) {
		return
	}
	if price := costFilled[t.trust(s)]; g.owner != noMan {
		n.payAs(opAskew, min(price, costAskew))
	} else {
		n.payAs(opGhost, price)
	}
	t.emit(n)
}

// shownOn is what h wants a square to show.
func (t *Tracker) shownOn(h *hypothesis, s rules.Square) board.Symbol {
	if m := h.on(s); m != noMan {
		return h.shows(t.o.Acuity, m)
	}
	return board.Empty
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
		return sym, h.node.promotes(m, s) || h.color(m) != h.turn() && h.nearsPromotion(m, s)
	}
	return sym, m == h.node.mover && h.node.move.Promotion() != rules.NoRole && s == h.node.home[m]
}

// nearsPromotion reports that pawn m could promote on s by its manner, whatever stands there: a promotion set down before its turn.
func (h *hypothesis) nearsPromotion(m manID, s rules.Square) bool {
	home, last, step := h.node.home[m], 7, 1
	if h.color(m) == rules.Black {
		last, step = 0, -1
	}
	d := s.File() - home.File()
	return home < 64 && s.Rank() == last && home.Rank() == last-step && d >= -1 && d <= 1
}

// foreign reports that a man shows itself as one of the other colour.
func (h *hypothesis) foreign(m manID, face board.Symbol) bool {
	q, known := rules.PieceFromLetter(byte(face))
	return known && q.Color() != h.color(m)
}

func (t *Tracker) placePrice(h *hypothesis, at int64, m manID, s rules.Square) (due bill) {
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
		if x == nil || x.lift == onItsWay && h.color(m) != h.turn() && !x.early {
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
		if x := h.find(m); x != nil && x.via < 64 && at-x.since >= liftedMs {
			return just(opLifted)
		}
		return due
	case h.color(m) == h.turn() && n.passes(m, s):
		return due
	case n.rook == m || n.victim == m:
		return just(opHomeAgain)
	}
	if h.color(m) != h.turn() {
		switch {
		case t.atOnce(h, at) && h.liftedAt(m, at) && n.pos.Attackers(s, h.color(m)).Has(home):
			return due // he takes who is gone from where he came meanwhile: nobody has looked
		case t.hasty(h, m, s):
			return just(opHasty)
		case h.underWay(h.turn()) && h.strides(m, s):
			return just(opStride)
		}
	}
	// The way back, or another ply of the same man.
	for a, k := n, 0; a.parent != nil && k < 6; a, k = a.parent, k+1 {
		if a.parent.home[m] == s {
			return just(opHomeAgain)
		}
	}
	if n.parent != nil && m == n.mover && n.parent.reaches(m, s) {
		return just(opCorrected)
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
		if _, ok := h.complete(h.node, mv); ok && h.node.child(mv).reaches(m, s) {
			return true
		}
	}
	return false
}

// atOnce reports that a man of the side to move has been lifted in the very look of the sensors that is being explained, and that
// they see no more than that.
func (t *Tracker) atOnce(h *hypothesis, at int64) bool {
	x := h.held(h.turn())
	return t.o.Acuity == board.Presence && x != noMan && h.liftedAt(x, at)
}

func (h *hypothesis) liftedAt(m manID, at int64) bool {
	x := h.find(m)
	return x != nil && x.at == inHand && x.since == at
}

// underWay reports that a man of a colour is in the air or on a square that is not his home.
func (h *hypothesis) underWay(c rules.Color) bool {
	for i := range h.men[:h.away] {
		if x := &h.men[i]; h.alive(x.man) && h.color(x.man) == c && h.displaced(x.man) {
			return true
		}
	}
	return false
}

// strides reports that man m, whose turn it is not, could go to the empty square s by its manner.
func (h *hypothesis) strides(m manID, s rules.Square) bool {
	n := h.node
	home := n.home[m]
	if home >= 64 || n.who[s] != noMan {
		return false
	}
	c := h.color(m)
	if n.piece[m].Role() != rules.Pawn {
		return n.pos.Attackers(s, c).Has(home)
	}
	if s.File() != home.File() {
		return false
	}
	step, first := 1, 1
	if c == rules.Black {
		step, first = -1, 6
	}
	switch s.Rank() - home.Rank() {
	case step:
		return true
	case 2 * step:
		return home.Rank() == first && n.who[rules.NewSquare(s.File(), home.Rank()+step)] == noMan
	}
	return false
}

func (t *Tracker) settleOn(h *hypothesis, at int64, m manID, s rules.Square, face board.Symbol, due bill) {
	n := t.copy(h)
	n.settle(due)
	if n.promoting(t.o.Acuity) && m == n.node.mover && s == n.node.home[m] && n.held(n.turn()) == noMan {
		n.exchanges++ // else it may be the man that takes the new piece
	}
	x := away{man: m, at: s, face: face, since: at, early: due.has(opHasty) || due.has(opStride)}
	if o := n.find(m); o != nil {
		x.slid = o.slid
		if o.at == inHand {
			x.air = int32(max(1, min(at-o.since, 1<<20)))
		}
	}
	if !n.set(x) {
		return
	}
	if m == n.node.rook && s == n.node.home[m] {
		n.completed(at)
	}
	n.lastPlace, n.lastPlaceOn, n.lastPlaced = at, s, n.color(m)
	n.rests[n.lastPlaced] = s
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
			try(m, t.placePrice(h, at, m, s))
		}
	}
	if m := h.node.mover; m != noMan {
		try(m, t.placePrice(h, at, m, s))
	}
}
