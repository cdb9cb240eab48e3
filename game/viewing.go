package game

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// view is what lights and live pages show now.
func (t *Table) view(r *sensing.Report) *View {
	v := &View{
		T: t.now, Placement: t.tr.Picture(), Acuity: t.opt.Acuity, Lifted: r.Lifted, Mode: t.opt.Mode, Status: t.status(),
		Pending: t.pending(r), Promotion: rules.NoSquare, Check: rules.NoSquare, Trouble: !t.online,
		LightsOn: t.lightsOn, Brightness: t.brightness, LastChange: r.LastChange, Turned: t.turned,
	}
	if t.identify > t.now {
		v.Identify, v.LastChange = t.identify, t.now
	}
	g := t.game
	if g == nil {
		v.SettingUp = true
		first := t.firstPosition()
		t.compare(v, r, &first)
		return v
	}
	p := g.line.Position()
	v.FEN = p.FEN()
	if n := len(g.moves); n > 0 {
		m := g.moves[n-1]
		v.Last = &Shown{From: m.From(), To: m.Target(), Victim: rules.NoSquare}
	}
	if g.over() {
		v.End = t.ending(&p)
		if g.byLaw() {
			v.Remote = carry(r) // the last move is still to be seen on the board
		}
		return v
	}
	if t.guide != nil || g.paused {
		t.compare(v, r, &p)
		return v
	}
	end := t.position(r.Line)
	v.FEN, v.Provisional = end.FEN(), t.provisional(r)
	if p.InCheck() {
		v.Check, v.CheckT = p.King(p.Turn()), g.checkT
	}
	if v.SettingUp = t.opt.Mode == Observer && !g.stood && len(g.moves) == 0; t.desync || v.SettingUp {
		t.compare(v, r, &end)
	}
	v.Remote = carry(r)
	if s := t.illegal; s != nil && s.said {
		v.Illegal = &Shown{From: s.from, To: s.to, Victim: s.victim}
	} else if s == nil {
		v.Illegal = t.wrongMan(r)
	}
	if len(r.Debts) > 0 {
		d := r.Debts[0]
		v.Debt = &Shown{From: d.From, To: d.To, Victim: rules.NoSquare}
	}
	if t.prompt.square != rules.NoSquare {
		v.Promotion, v.Choice = t.prompt.square, t.prompt.choice(t.promotion)
	}
	if t.doubt != nil {
		v.DoubtID, v.Doubtful = t.doubt.id, squares(t.doubt.squares)
	}
	if t.opt.Mode == Training && r.Lifted.Len() == 1 {
		v.Targets = targets(&end, r.Lifted.First())
	}
	return v
}

// compare marks what to take off and what to put where, once the board has been at rest; from then on it follows the hands that
// put it right.
func (t *Table) compare(v *View, r *sensing.Report, want *rules.Position) {
	if t.online && !t.guiding && !t.rested(r, restMs) {
		return
	}
	seen := t.opt.see(want)
	for s := range rules.Square(64) {
		if seen[s] == v.Placement[s] {
			continue
		}
		if v.Placement[s] != board.Empty {
			v.Remove |= s.Bit()
		}
		if seen[s] != board.Empty {
			v.Put |= s.Bit()
		}
	}
	if v.Remove|v.Put != 0 {
		v.Wanted = seen
	}
}

// targets are the squares where a lifted man may go.
func targets(p *rules.Position, from rules.Square) (set rules.Bitboard) {
	var buf [256]rules.Move
	for _, m := range p.LegalMoves(buf[:0]) {
		if m.From() == from {
			set |= m.Target().Bit()
		}
	}
	return set
}

func (t *Table) ending(p *rules.Position) *End {
	e := &End{T: t.game.endT, Winner: p.King(rules.White), Loser: p.King(rules.Black), Draw: t.game.result == "1/2-1/2"}
	switch t.game.result {
	case "0-1":
		e.Winner, e.Loser = e.Loser, e.Winner
	case "*":
		return nil
	}
	return e
}

// equal reports whether two views show the same; when is not shown. It is asked at each step, so nothing is reflected on.
func (v *View) equal(o *View) bool {
	return v.Placement == o.Placement && v.LastChange == o.LastChange && v.Lifted == o.Lifted && v.FEN == o.FEN &&
		v.Provisional == o.Provisional && v.Acuity == o.Acuity && v.Mode == o.Mode && v.Status == o.Status &&
		v.Pending.equal(o.Pending) && v.DoubtID == o.DoubtID && v.Remove == o.Remove && v.Put == o.Put && v.Wanted == o.Wanted &&
		v.SettingUp == o.SettingUp && same(v.Remote, o.Remote) && same(v.Illegal, o.Illegal) && same(v.Debt, o.Debt) &&
		v.Promotion == o.Promotion && v.Choice == o.Choice && slices.Equal(v.Doubtful, o.Doubtful) && v.Targets == o.Targets &&
		v.Check == o.Check && v.CheckT == o.CheckT && same(v.Last, o.Last) && same(v.End, o.End) && v.Identify == o.Identify &&
		v.Trouble == o.Trouble && v.LightsOn == o.LightsOn && v.Brightness == o.Brightness && v.Turned == o.Turned
}

func (p *Pending) equal(o *Pending) bool {
	if p == nil || o == nil {
		return p == o
	}
	return p.Kind == o.Kind && p.DeadlineMs == o.DeadlineMs && slices.Equal(p.Squares, o.Squares)
}
