package leds

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// Compose is the light of all squares at a time (core milliseconds) for a view; a nil view is dark. The frame is turned
// back when the board stands turned, so that its squares are the display's own.
func Compose(v *game.View, now int64, s Style) board.Frame {
	p, _ := planFor(v, now, s)
	return p.render(now)
}

// NextChange is when the frame of this view will next differ if no other view comes: always later than now, 0 for never.
// A pattern that ends while a higher one hides it may give a time at which nothing changes.
func NextChange(v *game.View, now int64, s Style) int64 {
	p, until := planFor(v, now, s)
	next := until
	for i := range p {
		next = sooner(next, p[i].edge(now))
	}
	return next
}

// Times of the patterns in milliseconds.
const (
	checkMs = 2_000
	endMs   = 10_000
	idleMs  = 10 * 60_000
	turnMs  = 1_000 // each candidate of a doubt
	soloMs  = 2_000 // each square where only one may be lit: whole periods of slow and of fast
)

// plan says which pattern each square follows, as the display's squares.
type plan [64]light

// light is one square's pattern; the zero value is a dark square that nothing claims.
type light struct {
	blink   blink
	color   board.RGB // brightness already applied
	claimed bool      // a situation owns the square, even while it is dark
}

func (p *plan) render(now int64) (f board.Frame) {
	for i := range p {
		if p[i].blink.on(now) {
			f[i] = p[i].color
		}
	}
	return f
}

func (l light) edge(now int64) int64 {
	if l.color == (board.RGB{}) {
		return 0
	}
	return l.blink.edge(now)
}

// planFor lays the situations over each other, the highest first: a square belongs to the first one that claims it. until
// is when the plan itself ends by time alone, 0 for never.
func planFor(v *game.View, now int64, s Style) (p plan, until int64) {
	if v == nil || !v.LightsOn || v.Brightness <= 0 || now >= v.LastChange+idleMs {
		return p, 0
	}
	until = v.LastChange + idleMs
	b := builder{style: s, view: v, percent: min(v.Brightness, 100)}
	if s.Night {
		b.percent = min(b.percent, nightPercent)
	}

	// Whoever sits at an observed board gets nothing but help with setting up (laws: no advice during a game).
	observed := v.Mode == game.Observer
	if observed && !v.SettingUp {
		return plan{}, 0
	}
	if now < v.Identify { // which board is this: the long diagonals, which nothing else shows
		for i := range 8 {
			b.claim(rules.NewSquare(i, i), steady, s.Palette.Info)
			b.claim(rules.NewSquare(7-i, i), steady, s.Palette.Info)
		}
		return b.done(now, sooner(until, v.Identify))
	}
	remove, put := v.Remove, v.Put
	if s.OneByOne || s.OneSquare {
		remove, put = nextStep(v)
	}
	b.guide(remove, put)
	if observed {
		return b.done(now, until)
	}
	b.rank++
	if m := v.Illegal; m != nil {
		b.guide(b.standing(m.To), b.missing(m.From)|b.missing(m.Victim))
	}
	b.rank++
	if v.Promotion < rules.NoSquare {
		b.claim(v.Promotion, prompt(v.Choice), s.Palette.Info)
	}
	b.rank++
	if m := v.Debt; m != nil {
		b.guide(b.standing(m.From), b.missing(m.To))
	}
	b.rank++
	if n := int64(len(v.Doubtful)); n > 0 {
		turn := now / turnMs
		b.claim(v.Doubtful[turn%n], steady, s.Palette.Info)
		for _, q := range v.Doubtful {
			b.claim(q, dark, board.RGB{})
		}
		if n > 1 {
			until = sooner(until, (turn+1)*turnMs)
		}
	}
	b.rank++
	if r := v.Remote; r != nil {
		b.guide(r.Lift, r.Put)
	}
	b.rank++
	for t := v.Targets; t != 0; {
		b.claim(t.Pop(), steady, s.Palette.Info)
	}
	b.rank++
	if v.Check < rules.NoSquare && now < v.CheckT+checkMs {
		b.claim(v.Check, steady, s.Palette.Info)
		until = sooner(until, v.CheckT+checkMs)
	}
	b.rank++
	if v.Last != nil && s.LastMove && !s.NoDimming {
		b.claim(v.Last.To, steady, dimmed(s.Palette.Info))
		if !s.OneSquare {
			b.claim(v.Last.From, steady, dimmed(s.Palette.Info))
		}
	}
	b.rank++
	if e := v.End; e != nil && now < e.T+endMs {
		loser, winner := fast, steady
		if e.Draw {
			loser, winner = slow, slow
		}
		b.claim(e.Loser, loser, s.Palette.Info)
		b.claim(e.Winner, winner, s.Palette.Info)
		until = sooner(until, e.T+endMs)
	}
	b.rank++
	if (v.Trouble || s.Trouble) && !s.Night {
		for _, corner := range [...]rules.Square{0, 7, 56, 63} {
			if !b.plan[corner].claimed {
				b.claim(corner, flash, s.Palette.Info)
				break
			}
		}
	}
	return b.done(now, until)
}

// builder fills a plan in the order of priority.
type builder struct {
	style   Style
	view    *game.View
	percent int
	plan    plan           // squares as the players see them
	rank    int            // of the situation at hand: 0 is the highest
	first   int            // rank of the highest situation that lights anything
	solo    []rules.Square // … and its squares, in the order of claiming
}

// claim gives a square to a pattern unless a higher one has it.
func (b *builder) claim(q rules.Square, how blink, color board.RGB) {
	if q >= rules.NoSquare || b.plan[q].claimed {
		return
	}
	b.plan[q] = light{how, b.scale(color), true}
	if how == dark || color == (board.RGB{}) {
		return
	}
	if len(b.solo) == 0 {
		b.first = b.rank
	}
	if b.rank == b.first {
		b.solo = append(b.solo, q)
	}
}

// guide is the grammar of every correction: fast means take this off, slow means put something here.
func (b *builder) guide(remove, put rules.Bitboard) {
	for remove != 0 {
		b.claim(remove.Pop(), fast, b.style.Palette.Remove)
	}
	for put != 0 {
		b.claim(put.Pop(), slow, b.style.Palette.Put)
	}
}

// standing is the square while a man stands on it, missing while none does: done parts of a correction go dark.
func (b *builder) standing(q rules.Square) rules.Bitboard {
	if q >= rules.NoSquare || b.view.Placement[q] == board.Empty {
		return 0
	}
	return q.Bit()
}

func (b *builder) missing(q rules.Square) rules.Bitboard {
	if q >= rules.NoSquare || b.view.Placement[q] != board.Empty {
		return 0
	}
	return q.Bit()
}

// scale applies the brightness; what is lit stays visible at the lowest setting.
func (b *builder) scale(c board.RGB) board.RGB {
	part := func(x uint8) uint8 {
		if x == 0 {
			return 0
		}
		return uint8(max(1, int(x)*b.percent/100))
	}
	return board.RGB{R: part(c.R), G: part(c.G), B: part(c.B)}
}

func dimmed(c board.RGB) board.RGB { return board.RGB{R: c.R / 4, G: c.G / 4, B: c.B / 4} }

// done is the plan as the display's squares, and when it ends by time alone.
func (b *builder) done(now, until int64) (plan, int64) {
	if n := int64(len(b.solo)); b.style.OneSquare && n > 0 {
		turn := now / soloMs
		q := b.solo[turn%n]
		only := b.plan[q]
		b.plan = plan{}
		b.plan[q] = only
		if n > 1 {
			until = sooner(until, (turn+1)*soloMs)
		}
	}
	if !b.view.Turned {
		return b.plan, until
	}
	var turned plan
	for i := range b.plan {
		turned[63-i] = b.plan[i]
	}
	return turned, until
}

// sooner is the earlier of two times of which 0 means never.
func sooner(a, b int64) int64 {
	if a == 0 || b != 0 && b < a {
		return b
	}
	return a
}
