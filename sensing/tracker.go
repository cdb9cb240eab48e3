// Package sensing turns what a board's sensors said into moves: it keeps several explanations of what the hands did, each a
// line of legal plies and the men as they physically stand, and says which is likeliest and how much of it is sure.
package sensing

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options say what board is read.
type Options struct {
	Acuity     board.Acuity
	SettleMs   int64 // a square that keeps a symbol this long is settled; 0 for boards that debounce themselves
	Resolution int64 // order of changes within so many milliseconds means nothing (a DGT scan: 250); 0 for boards read at once
}

// DefaultSettleMs suits reed switches and Hall sensors: contacts bounce for less than 10 ms.
const DefaultSettleMs = 25

// Tracker reads one board through one game. It is not safe for concurrent use.
type Tracker struct {
	o    Options
	now  int64
	deb  debouncer
	root *node

	beam  []*hypothesis // likeliest first
	next  []*hypothesis // what one change leads to, not closed yet
	fresh []*hypothesis // closed and merged, not pruned yet
	least int32         // the least cost in fresh

	thinning bool // of fresh no more is wanted than the beam holds
	limited  bool // so much is there already: what costs more than limit is hopeless
	limit    int32
	costs    []int32       // scratch
	made     []*hypothesis // made since the last recycling
	spare    []*hypothesis
	round    uint32 // changes so far

	reported struct { // the line of the last report
		node  *node
		line  []rules.Move
		trail *trail
		times []int64
	}

	lastChange int64
	together   bool // of the same moment more is to come: no hand has rested yet
	final      bool // the recording has ended: what is not in doubt is firm

	held       bool // waiting until the board shows the position of held's line (set-up, takeback by command, play gone astray)
	lostSince  int64
	overlooked bool  // see Overlook
	told       *node // the line that was asked about last: what people were told

	start      board.Picture // the standard start position as this board shows it
	startSince int64         // since when it is shown, -1 for not

	health   health
	doubtID  int64     // of the last question
	counting *counts   // nil when nobody counts
	question *question // the open one, nil if none
	empty    int64     // of men lifted before it is known that they have taken nobody
}

// New tracks from a position with which the board is taken to agree until a scan says otherwise.
func New(o Options, start rules.Position) *Tracker {
	t := &Tracker{o: o, health: newHealth()}
	t.deb.settle = o.SettleMs
	t.start = projection(o.Acuity, rules.Start())
	t.startSince, t.empty = -1, -1
	t.deb.reset(projection(o.Acuity, start))
	t.Restart(start)
	return t
}

// projection is how a board of an acuity shows a position.
func projection(a board.Acuity, pos rules.Position) (p board.Picture) {
	for s := range p {
		p[s] = a.See(pos.At(rules.Square(s)))
	}
	return p
}

// Restart begins a new game from a position, the sensors being taken as they are: if they show something else, the tracker
// waits until they agree.
func (t *Tracker) Restart(start rules.Position) {
	t.root = newRoot(start)
	t.final, t.told = false, nil
	t.hold(t.root)
}

// hold drops all explanations but n's line with all men at home, and waits until the board shows that.
func (t *Tracker) hold(n *node) {
	var due *node
	if len(t.beam) > 0 {
		if due = t.beam[0].due; due != nil && !n.extends(due) {
			due = nil
		}
	}
	t.holdFor(n, due)
}

// holdFor is hold where the ply of due, one of n's line or nil, may still have to be carried out.
func (t *Tracker) holdFor(n, due *node) {
	home := atHome(n, t.trailOf(n))
	home.due = due
	if len(t.beam) > 0 {
		home.uses = t.beam[0].uses
	}
	t.beam = []*hypothesis{home}
	t.held = true
	t.question = nil
	t.health.counted, t.health.vanished = n, rules.NoSquare
	t.lostSince = 0
	t.meet()
}

// trailOf gives times for a line that was not seen being played: all of them now.
func (t *Tracker) trailOf(n *node) (tr *trail) {
	for range n.depth {
		tr = &trail{up: tr, t: t.now}
	}
	return tr
}

// meet ends the waiting when the board shows the position waited for, or an earlier one of the line.
func (t *Tracker) meet() {
	t.watchStart()
	if !t.held {
		return
	}
	due := t.beam[0].due
	for n, k := t.beam[0].node, 0; n != nil && k < memoryOfPlies; n, k = n.parent, k+1 {
		if due != nil && n.depth < due.depth-1 {
			return // no hand takes back what was made elsewhere
		}
		if t.showing(n) {
			home := atHome(n, t.trailOf(n))
			if due != nil && n.depth < due.depth {
				home.given(due, t.now, t.o.Acuity)
			}
			home.uses = t.beam[0].uses
			t.beam[0] = home
			t.held = false
			return
		}
	}
}

func (t *Tracker) watchStart() {
	switch {
	case t.deb.settled != t.start:
		t.startSince = -1
	case t.startSince < 0:
		t.startSince = t.lastChange
	}
}

// Observe takes a Change, Scan or Wake in board squares that are already turned; other kinds only advance time.
func (t *Tracker) Observe(in board.Input) {
	t.advanceTo(in.T)
	switch in.Kind {
	case board.Change:
		if in.Square < 64 {
			t.deb.see(t.now, in.Square, in.Symbol)
		}
	case board.Scan:
		for s, sym := range in.Picture {
			t.deb.see(t.now, rules.Square(s), sym)
		}
		t.overlooked = t.overlooked && t.deb.open != 0 // else nothing has happened meanwhile
	}
	t.digest(t.deb.take(t.now, t.o.SettleMs == 0))
}

// advanceTo settles in their order the squares whose time comes before now.
func (t *Tracker) advanceTo(now int64) {
	for t.deb.open != 0 {
		w := t.deb.wake(t.now)
		if w == 0 || w >= now {
			break
		}
		t.now = max(t.now, w)
		t.digest(t.deb.take(t.now, false))
	}
	t.now = max(t.now, now)
}

// Flush settles open bounces: the recording ends here, and what is not in doubt is firm.
func (t *Tracker) Flush() {
	t.digest(t.deb.take(t.now, true))
	t.final = true
}

// Picture is what the settled sensors say.
func (t *Tracker) Picture() board.Picture { return t.deb.settled }

// NextWake is when the tracker's opinion may change by time alone; 0 for never.
func (t *Tracker) NextWake() int64 {
	w := t.deb.wake(t.now)
	step := int64(0)
	switch quiet := t.now - t.lastChange; {
	case t.held:
	case quiet < 3000:
		step = 50
	case quiet < 12000:
		step = 250
	}
	if step > 0 {
		if next := t.now - t.now%step + step; w == 0 || next < w {
			w = next
		}
	}
	return w
}

// digest gives settled changes to the explanations, then lets time pass to now.
func (t *Tracker) digest(changes []change) {
	if len(changes) > 0 && t.overlooked {
		if t.overlooked = false; !t.held && t.caughtUp(changes) {
			return
		}
	}
	for i := range changes {
		c := &changes[i]
		if t.counting != nil {
			t.counting.count(c)
		}
		t.lastChange = t.now
		if t.held {
			continue
		}
		t.elapse(c.t)
		if i+1 < len(changes) {
			t.inTurn(c, &changes[i+1])
		}
		t.notice(c)
		t.together = i+1 < len(changes) && changes[i+1].t-c.t <= t.o.Resolution
		t.explain(c)
		t.together = false
	}
	if len(changes) > 0 {
		t.meet()
		if !t.held {
			t.jump()
		}
	}
	if !t.held {
		t.elapse(t.now)
		t.prune()
		if t.health.counted != t.beam[0].node {
			t.count()
		}
		t.missMan()
		t.lose()
	}
}

// caughtUp is digest for a picture that shows what was played while nobody watched.
func (t *Tracker) caughtUp(changes []change) bool {
	if !t.catchUp() {
		return false
	}
	for _, c := range changes {
		t.health.changed[c.square] = c.t
	}
	t.lastChange = t.now
	t.meet()
	return true
}

// inTurn puts two men who came down in the same moment in the order of their turns: what one look of the sensors has seen says
// nothing of which was first.
func (t *Tracker) inTurn(a, b *change) {
	if a.t != b.t || a.weak || b.weak || a.from != board.Empty || b.from != board.Empty {
		return
	}
	best := t.beam[0]
	m := best.held(best.turn())
	if m == noMan || t.goes(best, m, a) || !t.goes(best, m, b) {
		return
	}
	*a, *b = *b, *a
}

// goes reports that change c may be man m completing a ply.
func (t *Tracker) goes(h *hypothesis, m manID, c *change) bool {
	_, ok := t.fits(h, m, c.square, c.to)
	return ok && h.node.reaches(m, c.square)
}

func (t *Tracker) elapse(now int64) {
	for _, h := range t.beam {
		h.wait(now, t.o.Resolution)
	}
}

// explain lets every explanation account for one change.
func (t *Tracker) explain(c *change) {
	clear(t.made) // what was made between two changes is in the beam, or nowhere
	t.made = t.made[:0]
	t.fresh = t.fresh[:0]
	for _, h := range t.beam {
		t.silent(h, c.t)
		t.unfelt(h, c)
	}
	last := t.beam
	before := append(last[:len(last):len(last)], t.fresh...)
	after := before
	switch {
	case c.weak && c.from == board.Empty: // a man touched the square in passing
		after = t.glimpsed(after, passage{c.seen, c.t, c.until}, c)
	case c.weak:
		after = t.either(t.step(t.step(after, c.t, c.square, board.Empty), c.until, c.square, c.to), after, c)
	default:
		if c.from != board.Empty {
			after = t.step(after, c.t, c.square, board.Empty)
		}
		if c.passed.symbol != 0 {
			after = t.glimpsed(after, c.passed, c)
		}
		if c.to != board.Empty {
			after = t.step(after, max(c.t, c.passed.went), c.square, c.to)
		}
	}
	t.fresh = nil
	if len(after) == 0 { // more went wrong at once than any explanation can hold
		t.giveUp()
		return
	}
	t.beam = after
	t.prune()
	t.recycle(last)
}

// glimpsed gives the explanations of the empty square of c showing p for a moment too short to settle.
func (t *Tracker) glimpsed(from []*hypothesis, p passage, c *change) []*hypothesis {
	meant := t.step(t.step(from, p.came, c.square, p.symbol), p.went, c.square, board.Empty)
	if _, known := rules.PieceFromLetter(byte(p.symbol)); known && t.o.Acuity == board.PieceAcuity {
		for _, h := range from {
			h.pay(opIgnored)
		}
	}
	return t.either(meant, from, c)
}

// either joins the explanations to which an excursion of c meant something, and those to which it meant nothing.
func (t *Tracker) either(meant, nothing []*hypothesis, c *change) []*hypothesis {
	for _, h := range meant {
		h.payAs(opMeant, costMeant[t.trust(c.square)])
	}
	t.fresh = nil
	for _, h := range meant {
		t.keep(h)
	}
	for _, h := range nothing {
		t.keep(h)
	}
	return t.fresh
}

// step gives the explanations of square s coming to show sym, closed and merged.
func (t *Tracker) step(from []*hypothesis, at int64, s rules.Square, sym board.Symbol) []*hypothesis {
	t.next = t.next[:0]
	for _, h := range from {
		if sym == board.Empty {
			t.lift(h, at, s)
		} else {
			t.place(h, at, s, sym)
		}
	}
	slices.SortStableFunc(t.next, byCost)
	t.fresh = nil
	t.thinning = true
	for _, h := range t.next {
		t.closeUnder(h, at, 0)
	}
	t.thinning, t.limited = false, false
	return t.fresh
}
