package hand

import (
	"slices"

	"github.com/boardd/boardd/rules"
)

// Times of the situations: those with which public algorithms were compared.
var (
	travelTime = Range{200, 700}  // lift to place
	captureGap = Range{100, 500}  // between the touches of a capture
	slideGap   = Range{30, 90}    // between two squares of a slide
	slideRest  = Range{50, 150}   // on each
	slideStop  = Range{450, 1200} // on the one where it stops
	overlapBy  = Range{60, 200}   // a reply is lifted so long before the move is complete
	quickTime  = Range{100, 200}  // blitz: lift to place, and to the next lift
	earlyBy    = Range{15, 40}    // seen on its goal so long before it is seen off its square
	brushTime  = Range{60, 140}   // a neighbour knocked on the way
	holding    = Range{300, 1000} // in the hand while adjusted
	wondering  = Range{400, 1000} // until the hand goes on
	unhurried  = Range{1500, 3000}
)

// calm is how plies are made that are not the matter.
var calm = Style{
	Carry: travelTime, OneMotionGap: captureGap,
	Capture: CaptureOrder{OwnFirst: 1, VictimFirst: 1}, Castle: CastleOrder{KingFirst: 1},
}

// simply is a situation of one ply and nothing else.
func simply(touches func(*player, rules.Move) episode) func(*player, rules.Move) bool {
	return func(p *player, m rules.Move) bool {
		p.make(m, touches(p, m))
		return true
	}
}

// then is a situation that goes on.
func then(first func(*player, rules.Move) bool, more ...func(*player) bool) func(*player, rules.Move) bool {
	return func(p *player, m rules.Move) bool {
		good := first(p, m)
		for _, f := range more {
			good = good && f(p)
		}
		return good
	}
}

// make writes down a ply whose hands begin now.
func (p *player) make(m rules.Move, e episode) {
	slices.SortStableFunc(e.acts, byTime)
	e.done = e.end()
	e.shift(p.clock - e.begin())
	p.finish(m, e, Manner{})
}

// meanwhile writes down touches that are no ply, and waits.
func (p *player) meanwhile(e episode, wait Range) {
	slices.SortStableFunc(e.acts, byTime)
	e.shift(p.clock - e.begin())
	p.write(e)
	p.last, p.settled = episode{}, e.end()
	p.clock = e.end() + p.pick(wait)
}

// carried is a man lifted and set down; if a victim stands there, nobody sees it leave.
func (p *player) carried(m rules.Move) (e episode) {
	e.lift(0, m.From())
	e.place(p.pick(travelTime), m.To(), p.pos.At(m.From()))
	return e
}

func (p *player) quick(m rules.Move) (e episode) {
	e.lift(0, m.From())
	e.place(p.pick(quickTime), m.To(), p.pos.At(m.From()))
	return e
}

// liftLost is a lift that shows only when the man is down.
func (p *player) liftLost(m rules.Move) (e episode) {
	e.lift(0, m.From())
	e.place(0, m.To(), p.pos.At(m.From()))
	return e
}

func (p *player) placedEarly(m rules.Move) (e episode) {
	e.place(0, m.To(), p.pos.At(m.From()))
	e.lift(p.pick(earlyBy), m.From())
	return e
}

// slid is a man dragged over every square on its way.
func (p *player) slid(m rules.Move) episode { return p.dragged(m, -1) }

// stopping is the same with a stop on one of them.
func (p *player) stopping(m rules.Move) episode {
	return p.dragged(m, p.dice.IntN(len(p.between(m.From(), m.To()))))
}

func (p *player) dragged(m rules.Move, stop int) (e episode) {
	man, t := p.pos.At(m.From()), int64(0)
	e.lift(0, m.From())
	for i, q := range p.between(m.From(), m.To()) {
		t += p.pick(slideGap)
		e.place(t, q, man)
		if i == stop {
			t += p.pick(slideStop)
		} else {
			t += p.pick(slideRest)
		}
		e.lift(t, q)
	}
	e.place(t+p.pick(slideGap), m.To(), man)
	return e
}

func (p *player) adjustOwn(m rules.Move) bool   { return p.adjustFirst(m, p.pos.Turn()) }
func (p *player) adjustOther(m rules.Move) bool { return p.adjustFirst(m, p.pos.Turn().Other()) }

func (p *player) adjustFirst(m rules.Move, side rules.Color) bool {
	q, ok := p.oneOf(p.pos.By(side) &^ m.From().Bit())
	if ok {
		p.meanwhile(p.aside(q, 0, p.pick(holding)), wondering)
		p.make(m, p.carried(m))
	}
	return ok
}

// nudging knocks a man beside the goal while the hand is on its way.
func (p *player) nudging(m rules.Move) bool {
	q, ok := p.oneOf(neighbours(m.To()) & p.pos.Occupied() &^ m.From().Bit())
	if !ok {
		return false
	}
	e := p.carried(m)
	down := e.end()
	t := 30 + p.dice.Int64N(down-50)
	e.lift(t, q)
	e.place(t+p.pick(brushTime), q, p.pos.At(q))
	p.make(m, e)
	return true
}

// tryIllegal sets the man down where it may not go, and from there where it may.
func (p *player) tryIllegal(m rules.Move) bool {
	_, q, ok := p.impossible(m)
	if !ok {
		return false
	}
	e := p.carried(m)
	t := e.end()
	man := p.pos.At(m.From())
	e.acts[1].sq = q
	t += p.pick(unhurried)
	e.lift(t, q)
	e.place(t+p.pick(travelTime), m.To(), man)
	p.make(m, e)
	return true
}

func (p *player) wrongSideFirst(m rules.Move) bool {
	from, to, ok := p.wrongSide()
	if ok {
		p.meanwhile(p.thereAndBack(from, to, 0, p.pick(unhurried)), unhurried)
		p.make(m, p.carried(m))
	}
	return ok
}

func (p *player) takebackFirst(m rules.Move) bool {
	other, ok := p.other(m)
	if ok {
		p.meanwhile(p.takeback(other, 0), unhurried)
		p.make(m, p.carried(m))
	}
	return ok
}

func (p *player) ownFirst(m rules.Move) (e episode) {
	e.lift(0, m.From())
	t := p.pick(captureGap)
	e.lift(t, m.To())
	e.place(t+p.pick(captureGap), m.To(), p.pos.At(m.From()))
	return e
}

func (p *player) victimFirst(m rules.Move) (e episode) {
	e.lift(0, m.To())
	t := p.pick(captureGap)
	e.lift(t, m.From())
	e.place(t+p.pick(travelTime), m.To(), p.pos.At(m.From()))
	return e
}

// captureAdjusted adjusts the victim, every second time the capturer too, before it captures.
func (p *player) captureAdjusted(m rules.Move) bool {
	p.meanwhile(p.aside(m.To(), 0, p.pick(holding)), wondering)
	if p.dice.IntN(2) == 0 {
		p.meanwhile(p.aside(m.From(), 0, p.pick(holding)), wondering)
	}
	if p.dice.IntN(2) == 0 {
		p.make(m, p.ownFirst(m))
	} else {
		p.make(m, p.victimFirst(m))
	}
	return true
}

// undecided begins a capture, puts both men back, and makes a quiet move.
func (p *player) undecided(m rules.Move) bool {
	var e episode
	e.lift(0, m.From())
	t := p.pick(captureGap)
	e.lift(t, m.To())
	t += p.pick(travelTime)
	e.place(t, m.To(), p.pos.At(m.To()))
	e.place(t+p.pick(wondering), m.From(), p.pos.At(m.From()))
	p.meanwhile(e, unhurried)
	return p.next(quiet, func(m rules.Move) bool {
		p.make(m, p.carried(m))
		return true
	})
}

func (p *player) capturedEarly(m rules.Move) (e episode) {
	e.lift(0, m.To())
	t := p.pick(travelTime)
	e.place(t, m.To(), p.pos.At(m.From()))
	e.lift(t+p.pick(earlyBy), m.From())
	return e
}

func castles(how Castle) func(*player, rules.Move) bool {
	return simply(func(p *player, m rules.Move) (e episode) {
		p.castle(&e, m, Manner{Castle: how})
		return e
	})
}

func (p *player) passedMoveFirst(m rules.Move) (e episode) {
	e = p.carried(m)
	e.lift(e.end()+p.pick(captureGap), m.Victim())
	return e
}

func (p *player) passedVictimFirst(m rules.Move) (e episode) {
	e.lift(0, m.Victim())
	t := p.pick(captureGap)
	e.lift(t, m.From())
	e.place(t+p.pick(travelTime), m.To(), p.pos.At(m.From()))
	return e
}

func (p *player) passedBoth(m rules.Move) (e episode) {
	e.lift(0, m.From())
	t := p.pick(captureGap)
	e.lift(t, m.Victim())
	e.place(t+p.pick(captureGap), m.To(), p.pos.At(m.From()))
	return e
}

// next makes the first of the legal moves, in any order, that fits and that act can make.
func (p *player) next(fits func(*player, rules.Move) bool, act func(rules.Move) bool) bool {
	legal := p.pos.LegalMoves(nil)
	p.dice.Shuffle(len(legal), func(i, j int) { legal[i], legal[j] = legal[j], legal[i] })
	return slices.ContainsFunc(legal, func(m rules.Move) bool { return fits(p, m) && act(m) })
}

// reply is any move by calm hands.
func (p *player) reply() bool {
	p.clock += p.pick(unhurried)
	return p.next(func(_ *player, m rules.Move) bool { return m.Promotion() == rules.NoRole }, func(m rules.Move) bool {
		p.make(m, p.ply(m, Manner{}))
		return true
	})
}

func (p *player) quickReply() bool {
	p.clock += p.pick(quickTime)
	return p.next(quiet, func(m rules.Move) bool {
		p.make(m, p.quick(m))
		return true
	})
}

// hasty is a quiet reply that is lifted before the ply before it is complete, and set down after.
func (p *player) hasty() bool {
	before := p.last
	return p.next(quiet, func(m rules.Move) bool {
		e := p.carried(m)
		if e.touched()&before.touched() != 0 {
			return false
		}
		lift := max(before.done-p.pick(overlapBy), before.begin()+1, p.settled+p.pick(reach))
		down := max(lift+p.pick(travelTime), before.done+p.pick(overlapBy))
		if lift >= before.done {
			return false
		}
		e = episode{}
		e.lift(0, m.From())
		e.place(down-lift, m.To(), p.pos.At(m.From()))
		p.clock = lift
		p.make(m, e)
		return true
	})
}
