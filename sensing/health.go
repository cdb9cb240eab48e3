package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// WeakKind is what is wrong with a square's sensor.
type WeakKind uint8

// The kinds: the square blinks by itself; it does not change when men come and go; a man was set down there and is not seen.
const (
	Flicker WeakKind = iota + 1
	Stuck
	NeverSeen
)

var weakNames = [...]string{"", "flicker", "stuck", "never_seen"}

// String is the code that events carry.
func (k WeakKind) String() string {
	if int(k) < len(weakNames) {
		return weakNames[k]
	}
	return ""
}

// WeakSquare is a square whose sensor is not to be trusted. Count is how often that was seen of late.
type WeakSquare struct {
	Square rules.Square
	Kind   WeakKind
	Count  int
}

const (
	blinkMs     = 100 // off and on again, or on and off: no hand is so quick
	weakCount   = 3   // blinks that mark a square
	weakBoard   = 3   // … or so many squares that blink within burstMs: the magnets are weak all over
	burstMs     = 2000
	forgetMs    = 90_000 // one blink is forgotten after so long without another
	stuckCount  = 2      // comings and goings that a square did not show
	plyMs       = 3000   // a ply may show so long before the one that it answers was complete
	standingMs  = 10_000 // a square that has shown the wrong thing for so long may be stuck
	vanishMs    = 600    // a man that goes so soon after it was set down may have slid where the sensor does not see it
	vanishedMs  = 1500   // … and when nothing more has come for so long, that is told
	vanishAskMs = 5000   // … and only after this long is it a doubt, or a man that is missing
	unseenMs    = 1200   // so long a man is in the air before it is taken to be down unseen
)

// Prices by how doubtful a square is, see Tracker.trust: a healthy one, one that has blinked twice, three times, more often.
var (
	costBlind     = [...]int32{9000, 6000, 3000, 600} // a man that stays is not seen any more
	costMeant     = [...]int32{costWeak, 1200, 2000, 3500}
	costFilled    = [...]int32{costGhost, 4500, 3000, 1000}
	costEmptied   = [...]int32{costNothing, 3700, 2500, 800}
	costVanished  = int32(4500)                         // a man that has just been set down is not seen any more
	costTaken     = int32(2000)                         // … that the opponent may be taking
	costUnseen    = [...]int32{7500, 3500, 1000}        // by how stuck the square is: a man is set down there and not seen
	costUnseenOff = [...]int32{costLateLift, 1500, 500} // … or leaves it
)

// health is what is known of every square's sensor.
type health struct {
	blinks  [64]int32 // of late, as of blinked
	blinked [64]int64
	named   rules.Bitboard // that blink

	changed [64]int64      // last settled change
	clean   rules.Bitboard // no hand can have had to do with that change
	missed  [64]int32      // comings and goings since then
	counted *node          // up to here comings and goings are counted

	lost     [64]int32 // men set down and not seen, of late, as of lostAt
	lostAt   [64]int64
	vanished rules.Square // the square that changed last, when a man vanished there; else NoSquare
}

func newHealth() (h health) {
	for s := range h.changed {
		h.changed[s], h.blinked[s], h.lostAt[s] = longAgo, longAgo, longAgo
	}
	h.vanished = rules.NoSquare
	return h
}

// recent is how often a square has blinked and is not forgiven yet.
func (h *health) recent(s rules.Square, now int64) int32 { return left(h.blinks[s], now-h.blinked[s]) }

// left is what remains of a count that nothing was added to for so long.
func left(n int32, ms int64) int32 { return int32(max(0, int64(n)-ms/forgetMs)) }

// blink counts one.
func (h *health) blink(s rules.Square, now int64) {
	n := h.recent(s, now)
	if n == 0 {
		h.named &^= s.Bit()
	}
	h.blinks[s], h.blinked[s] = min(n+1, 99), now
	if n+1 >= weakCount {
		h.named |= s.Bit()
	}
	var burst rules.Bitboard
	for q := range rules.NoSquare {
		if now-h.blinked[q] < burstMs {
			burst |= q.Bit()
		}
	}
	if burst.Len() >= weakBoard {
		h.named |= burst
	}
}

// trust is the row of the prices by which a square's evidence counts.
func (t *Tracker) trust(s rules.Square) int32 {
	n := t.health.recent(s, t.now)
	if n > 0 && t.health.named.Has(s) {
		n = max(n, weakCount)
	}
	return max(0, min(n-1, int32(len(costMeant))-1)) // one blink is a hand's, for all that is known
}

// stuck is 2 for a square known not to change, 1 for one that may not.
func (t *Tracker) stuck(h *hypothesis, s rules.Square) int {
	seen := t.deb.settled[s] != board.Empty
	switch {
	case t.health.missed[s] >= stuckCount:
		return 2
	case t.health.missed[s] > 0, seen != (h.on(s) != noMan) && t.now-t.health.changed[s] > standingMs:
		return 1
	}
	return 0
}

// frozen is the squares known not to change: what they show says nothing.
func (t *Tracker) frozen() (set rules.Bitboard) {
	for s, n := range t.health.missed {
		if n >= stuckCount {
			set |= rules.Square(s).Bit()
		}
	}
	return set
}

// showing reports that the picture is that of n, frozen squares left out.
func (t *Tracker) showing(n *node) bool {
	want := projection(t.o.Acuity, n.pos)
	if t.deb.settled == want {
		return true
	}
	frozen := t.frozen()
	if frozen == 0 {
		return false
	}
	for s := range want {
		if t.deb.settled[s] != want[s] && !frozen.Has(rules.Square(s)) {
			return false
		}
	}
	return true
}

// notice looks at a change before it is explained.
func (t *Tracker) notice(c *change) {
	h, s := &t.health, c.square
	h.vanished = rules.NoSquare
	quick := c.t-h.changed[s] <= blinkMs
	clean := t.handless(t.beam[0], c)
	switch {
	case c.weak && clean:
		h.blink(s, t.now)
	case c.weak:
	case quick && h.clean.Has(s) && (clean || c.to == board.Empty):
		h.blink(s, t.now)
	case c.to == board.Empty && c.t-h.changed[s] <= vanishMs:
		h.vanished = s
	}
	if c.weak {
		return
	}
	h.changed[s], h.missed[s] = c.t, 0
	h.clean &^= s.Bit()
	if clean {
		h.clean |= s.Bit()
	}
}

// handless reports that no hand can have had to do with a change so short: no man in the air can go there or has just gone by.
func (t *Tracker) handless(h *hypothesis, c *change) bool {
	who := h.node.who[c.square]
	if who == noMan { // an empty square: men that slide by and that are set down askew fill it for a moment
		return h.held(rules.White) == noMan && h.held(rules.Black) == noMan && c.t-h.lastPlace > askewMs
	}
	if who == h.node.mover && h.placed != nil && c.t-h.placed.t < soonMs {
		return false
	}
	for i := range h.men[:h.away] {
		x := &h.men[i]
		switch {
		case x.man == who && x.at == inHand:
		case x.at != inHand || !h.alive(x.man):
		case h.color(x.man) == h.turn() && !h.node.reaches(x.man, c.square) && !h.node.passes(x.man, c.square):
		case h.color(x.man) == h.color(who):
		default:
			return false
		}
	}
	return true
}

// count compares what the firm plies made come and go with what the squares showed.
func (t *Tracker) count() {
	best := t.beam[0]
	end := best.node.ancestor(t.firm())
	base := common(end, t.health.counted)
	tr := best.placed
	for d := best.node.depth; d > end.depth && tr != nil; d-- {
		tr = tr.up
	}
	for n := end; n != base && tr != nil; n = n.parent {
		since := int64(longAgo) + 1 // the first ply: ever
		if tr = tr.up; tr != nil {
			since = tr.t - plyMs
		}
		if !n.given && !n.overlooked { // when it came is not when it is carried out
			t.expect(n, since)
		}
	}
	t.health.counted = end
}

// expect counts the squares that ply n should have changed and that have not since a time.
func (t *Tracker) expect(n *node, since int64) {
	one := func(s rules.Square) {
		if t.health.changed[s] < since {
			t.health.missed[s]++
		}
	}
	if n.move.IsCastling() {
		// In Chess960 one of the two may stay where it is, or come where the other stood.
		king, rook := n.move.Castling()
		before, after := n.move.From().Bit()|n.move.To().Bit(), king.Bit()|rook.Bit()
		for only := before ^ after; only != 0; {
			one(only.Pop())
		}
		return
	}
	one(n.move.From())
	if n.victim == noMan || n.move.IsEnPassant() {
		one(n.move.To())
	}
}

// blind lets the man on s stay there unseen when the square goes empty.
func (t *Tracker) blind(h *hypothesis, at int64, s rules.Square) {
	k := t.trust(s)
	price := costBlind[k]
	if h.lastPlaceOn == s && at-h.lastPlace <= vanishMs {
		if h.takeable(s) {
			price = min(price, costVanished+costTaken)
		} else {
			price = min(price, costVanished)
		}
	} else if k == 0 {
		return
	}
	n := t.copy(h)
	n.payAs(opBlind, price)
	t.emit(n)
}

// again lets man m, that stood on s unseen, be seen again.
func (t *Tracker) again(h *hypothesis, m manID, s rules.Square, sym board.Symbol) {
	if h.shows(t.o.Acuity, m) == sym {
		t.emit(t.copy(h))
	}
}

// hidden reports that h has a man on s that the sensor does not show.
func (t *Tracker) hidden(h *hypothesis, s rules.Square) bool {
	return t.deb.settled[s] == board.Empty && h.on(s) != noMan
}

// unseenOff is the price of a man's leaving s unseen; owed is whether the square must still go empty.
func (t *Tracker) unseenOff(h *hypothesis, s rules.Square) (price int32, owed bool) {
	k := t.stuck(h, s)
	if !t.hidden(h, s) {
		return costUnseenOff[k], k == 0
	}
	if t.now-t.health.changed[s] >= vanishMs {
		k = 2
	}
	return costUnseenOff[k], false
}

// unfelt explains a man long in the air as having been set down where the sensor does not show it. On squares of which
// nothing bad is known that is believed only when the opponent's next man goes up.
func (t *Tracker) unfelt(h *hypothesis, c *change) {
	if c.weak {
		return
	}
	for i := range h.men[:h.away] {
		if x := &h.men[i]; x.at == inHand && h.alive(x.man) && h.color(x.man) == h.turn() && c.t-x.since >= unseenMs && !h.filledSince(x.since) {
			t.unfeltMan(h, x, c)
		}
	}
}

// filledSince reports that a square was filled by nobody since a time: a man in the air then was rather set down there.
func (h *hypothesis) filledSince(at int64) bool {
	for i := range h.ghosts {
		if g := &h.ghosts[i]; g.used && g.since >= at {
			return true
		}
	}
	return false
}

func (t *Tracker) unfeltMan(h *hypothesis, x *away, c *change) {
	o := h.on(c.square)
	reply := c.to == board.Empty && o != noMan && h.color(o) != h.turn() && !h.node.reaches(x.man, c.square) && h.aloft() <= 2
	for _, mv := range h.node.legal() {
		s := mv.To()
		if mv.IsCastling() {
			s, _ = mv.Castling()
		}
		if h.node.who[mv.From()] != x.man || s == c.square || mv.IsEnPassant() || !h.promotesSo(x.man, mv) {
			continue
		}
		v := h.node.who[s]
		k := t.stuck(h, s)
		if k == 0 && (!reply || v != noMan || t.deb.settled[s] != board.Empty) || h.on(s) != v || mv.IsCastling() && v != noMan {
			continue
		}
		n := t.copy(h)
		if g := n.ghost(s); g != nil {
			*g = spot{}
		}
		if v != noMan && !n.set(away{man: v, at: offBoard, since: c.t}) || !n.set(away{man: x.man, at: s, since: x.since}) {
			continue
		}
		if n = t.advance(n, n.node, mv, c.t); n == nil {
			continue
		}
		n.pay(opPly)
		n.payAs(opUnseen, costUnseen[k])
		t.closeUnder(n, c.t, maxCatchUp-1)
	}
}

// aloft is how many men are in the air when all others are at home; else more than can be.
func (h *hypothesis) aloft() int {
	for i := range h.men[:h.away] {
		if h.men[i].at != inHand {
			return maxAway + 1
		}
	}
	return h.away
}

// weak lists the weak squares.
func (t *Tracker) weak() (list []WeakSquare) {
	h := &t.health
	for s := range rules.NoSquare {
		if n := h.recent(s, t.now); n > 0 && h.named.Has(s) {
			list = append(list, WeakSquare{s, Flicker, int(n)})
		}
		if n := h.missed[s]; n >= stuckCount {
			list = append(list, WeakSquare{s, Stuck, int(n)})
		}
		if n := left(h.lost[s], t.now-h.lostAt[s]); n > 0 {
			list = append(list, WeakSquare{s, NeverSeen, int(n)})
		}
	}
	return list
}

// missMan notes, once, that a man just set down is not seen any more and that nothing has come since.
func (t *Tracker) missMan() {
	h := &t.health
	s := h.vanished
	if s < 64 && h.lostAt[s] < t.lastChange && t.now-t.lastChange >= vanishedMs && t.hiding() {
		h.lost[s], h.lostAt[s] = min(left(h.lost[s], t.now-h.lostAt[s])+1, 99), t.now
	}
}

// hiding reports that a man was just set down and is not seen any more, as far as a likely explanation goes.
func (t *Tracker) hiding() bool {
	s := t.health.vanished
	if s >= 64 || t.held {
		return false
	}
	for _, h := range t.beam {
		if h.cost < beamWindow/2 && t.hidden(h, s) {
			return true
		}
	}
	return false
}

// waitsForMan reports that too little time has passed to say that a man who vanished is missing, or to ask where he is.
func (t *Tracker) waitsForMan() bool { return t.now-t.lastChange < vanishAskMs && t.hiding() }
