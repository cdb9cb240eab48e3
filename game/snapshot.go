package game

import (
	"reflect"
	"slices"

	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// shown is what has been said last.
type shown struct {
	snapshot *Snapshot
	view     *View
}

// news gives the snapshot and the view if they say anything new.
func (t *Table) news() (*Snapshot, *View) {
	r := t.tr.Report()
	r.LastChange = max(r.LastChange, t.asked)
	s, v := t.snapshot(&r), t.view(&r)
	t.guiding = v.Remove|v.Put != 0
	if old := t.shown.snapshot; old != nil && old.equal(s) {
		s = nil
	} else {
		t.shown.snapshot = s
	}
	if old := t.shown.view; old != nil && old.equal(v) {
		v = nil
	} else {
		t.shown.view = v
	}
	return s, v
}

func (t *Table) status() string {
	g := t.game
	switch {
	case g == nil && t.opt.Mode == Observer:
		return "idle"
	case g == nil:
		return "setup"
	case g.over():
		return "finished"
	case g.paused:
		return "paused"
	case t.desync:
		return "desync"
	}
	return "playing"
}

func (t *Table) snapshot(r *sensing.Report) *Snapshot {
	s := &Snapshot{
		Seq: t.seq, ArbiterSeq: t.arbiterSeq, T: t.now, Status: t.status(), Mode: t.opt.Mode, Online: t.online, Clock: t.clockView(),
		DefaultPromotion: t.promotion.String(), LEDBrightness: t.brightness, LightsOn: t.lightsOn, Pending: t.pending(r),
		WeakSquares: t.weakSquares(), Kept: t.kept(),
	}
	if t.oriented {
		s.Orientation = "white"
		if t.turned {
			s.Orientation = "black"
		}
	}
	if n := len(t.past); n > 0 {
		s.LastGame = t.past[n-1]
	}
	g := t.game
	if g == nil {
		return s
	}
	s.Game = g.asRecord()
	s.Kept.Due = dues(r)
	p := g.line.Position()
	s.FEN, s.InCheck = p.FEN(), p.InCheck()
	if !g.over() {
		turn := p.Turn()
		s.Turn, s.DrawOffer = &turn, g.offer
	}
	if n := len(g.moves); n > 0 {
		before := g.line.At(n - 1)
		by := before.Turn()
		s.LastSAN, s.LastUCI, s.LastBy = g.san[n-1], g.uci[n-1], &by
	} else if e := g.lastEarlier(); e != nil {
		by := p.Turn().Other()
		s.LastSAN, s.LastUCI, s.LastBy = e.san[len(e.san)-1], e.uci[len(e.uci)-1], &by
	}
	s.Match = t.online && t.tr.Picture() == t.opt.see(&p)
	s.ProvisionalUCI = t.provisional(r)
	return s
}

// provisional is the ply that the board shows and that is not firm yet.
func (t *Table) provisional(r *sensing.Report) string {
	n := len(t.game.moves)
	if t.game.over() || t.game.paused || t.guide != nil || len(r.Line) <= n || common(r.Line, t.game.moves) < n {
		return ""
	}
	p := t.position(r.Line[:len(r.Line)-1])
	return p.UCI(r.Line[len(r.Line)-1])
}

func (t *Table) pending(r *sensing.Report) *Pending {
	if t.game == nil || t.game.over() || t.game.paused || t.guide != nil {
		return nil
	}
	switch {
	case t.prompt.square != rules.NoSquare:
		return &Pending{"promotion", []rules.Square{t.prompt.square}, t.prompt.until}
	case t.doubt != nil:
		return &Pending{"doubt", squares(t.doubt.squares), 0}
	case len(r.Debts) > 0 && r.Debts[0].Kind == sensing.RookDebt:
		return &Pending{"rook", []rules.Square{r.Debts[0].From, r.Debts[0].To}, 0}
	case len(r.Debts) > 0:
		return &Pending{"victim", []rules.Square{r.Debts[0].From}, 0}
	case len(r.Due) > 0:
		c := carry(r)
		return &Pending{"remote", squares(c.Lift | c.Put), 0}
	}
	return nil
}

// equal reports whether two snapshots say the same; when is not said. It is asked at each step.
func (s *Snapshot) equal(o *Snapshot) bool {
	return s.Seq == o.Seq && s.Match == o.Match && s.ProvisionalUCI == o.ProvisionalUCI && s.Pending.equal(o.Pending) &&
		s.ArbiterSeq == o.ArbiterSeq && s.Status == o.Status && s.Mode == o.Mode && s.Game.equal(o.Game) && s.LastGame.equal(o.LastGame) &&
		same(s.Turn, o.Turn) && s.FEN == o.FEN && s.LastSAN == o.LastSAN && s.LastUCI == o.LastUCI && same(s.LastBy, o.LastBy) &&
		s.InCheck == o.InCheck && same(s.DrawOffer, o.DrawOffer) && s.Orientation == o.Orientation &&
		slices.Equal(s.WeakSquares, o.WeakSquares) && s.Online == o.Online && s.Clock.equal(o.Clock) &&
		s.DefaultPromotion == o.DefaultPromotion && s.LEDBrightness == o.LEDBrightness && s.LightsOn == o.LightsOn && s.Kept.equal(&o.Kept)
}

// equal: a record that has not changed is the same one, and one that has is told from the other at its plies.
func (r *Record) equal(o *Record) bool {
	return r == o || r != nil && o != nil && len(r.UCI) == len(o.UCI) && reflect.DeepEqual(r, o)
}

func (c *ClockView) equal(o *ClockView) bool {
	if c == o || c == nil || o == nil {
		return c == o
	}
	return c.WhiteMs == o.WhiteMs && c.BlackMs == o.BlackMs && c.T == o.T && same(c.Running, o.Running)
}
