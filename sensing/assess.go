package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// firm is how many plies of the best line are sure.
func (t *Tracker) firm() int {
	best := t.beam[0]
	depth := best.node.depth
	if t.held {
		return depth
	}
	if t.lostSince != 0 {
		return 0
	}
	firm := depth
	for _, h := range t.beam[1:] {
		if c := common(h.node, best.node).depth; c < firm && h.cost < t.needed(depth-max(c, min(best.caught, depth-1)), h.rejoins(best, max(c, best.caught))) {
			firm = c
		}
	}
	for firm > 0 {
		n := best.node.ancestor(firm)
		if firm < depth || n.confirmed || !best.owing(n) && !best.promoting(t.o.Acuity) && best.owes(n.move.From()) == nil {
			break
		}
		firm--
	}
	return firm
}

// rejoins reports that two explanations, which have been two lines from a depth on, say the same of the board two plies later: nothing
// will tell them apart any more.
func (h *hypothesis) rejoins(o *hypothesis, depth int) bool {
	return h.hash == o.hash && h.node.depth-depth > 1 && o.node.depth-depth > 1
}

// needed is how much likelier a line must be than one that differs from it that many plies ago, and that has come to the same again
// or not.
func (t *Tracker) needed(ago int, rejoined bool) int32 {
	switch {
	case ago >= settledPlies:
		return 0 // it was said to be in doubt, and play has gone on: the likeliest it is
	case rejoined:
		return rejoinedMargin
	case ago > 1:
		return coveredMargin
	case t.final || t.now-t.lastChange >= limboMs:
		return doubtMargin
	}
	return firmMargin
}

// margin is by how much the likeliest line beats the next one.
func (t *Tracker) margin() int32 {
	for _, h := range t.beam[1:] {
		if h.node != t.beam[0].node {
			return min(h.cost-t.beam[0].cost, maxMargin)
		}
	}
	return maxMargin
}

// lineOf is n's line; it is made anew only when another one is asked for.
func (t *Tracker) lineOf(n *node) []rules.Move {
	if t.reported.node != n {
		t.reported.node, t.reported.line = n, n.line()
	}
	return t.reported.line
}

// timesOf lists a trail in the same way.
func (t *Tracker) timesOf(tr *trail, n int) []int64 {
	if t.reported.trail != tr || len(t.reported.times) != n {
		t.reported.trail, t.reported.times = tr, tr.list(n)
	}
	return t.reported.times
}

// Report is the present opinion. Its slices are valid until the next call to Observe.
func (t *Tracker) Report() Report {
	best := t.beam[0]
	n := best.node
	r := Report{
		Line: t.lineOf(n), Firm: t.firm(), Margin: t.margin(), PlacedAt: t.timesOf(best.placed, n.depth),
		Promotion: rules.NoSquare, LastChange: t.lastChange, Settled: t.deb.open == 0,
		Start: t.startSince >= 0, StartSince: t.startSince, Kings: best.kings, KingsSince: best.kingsAt,
	}
	if best.promoting(t.o.Acuity) {
		r.Promotion, r.Exchanges = n.move.To(), best.exchanges
	}
	t.debts(best, &r)
	r.Match, r.Weak = true, t.weak()
	frozen := t.frozen()
	for s := range t.deb.settled {
		sq := rules.Square(s)
		m := n.who[s]
		want := board.Empty
		if m != noMan {
			want = best.shows(t.o.Acuity, m)
		}
		if t.deb.settled[s] == want || frozen.Has(sq) {
			continue
		}
		r.Match = false
		if t.held {
			t.differ(best, sq, want, &r)
		}
	}
	if !t.held {
		t.dues(best, &r)
		t.whereabouts(best, &r)
		r.Doubt, r.Contested = t.doubt(r.Firm), t.contested()
	}
	return r
}

// differ notes a difference between the position waited for and the picture.
func (t *Tracker) differ(h *hypothesis, s rules.Square, want board.Symbol, r *Report) {
	if want != board.Empty {
		r.Missing = append(r.Missing, Man{s, h.node.piece[h.node.who[s]]})
	}
	if seen := t.deb.settled[s]; seen != board.Empty {
		r.Extra = append(r.Extra, Seen{s, seen})
	}
}

// whereabouts says which men are not at home.
func (t *Tracker) whereabouts(h *hypothesis, r *Report) {
	for i := range h.men[:h.away] {
		x := &h.men[i]
		home, debt := h.node.home[x.man], h.debtOf(x) != 0
		if h.pends(x) || x.at == inHand && h.alive(x.man) && h.carries(x.man) {
			continue // see Due
		}
		switch {
		case x.at == home || home == offBoard && x.at >= 64 || debt && x.at < 64:
		case home == offBoard:
			r.Extra = append(r.Extra, Seen{x.at, h.shows(t.o.Acuity, x.man)})
		case x.at == inHand:
			r.Lifted |= home.Bit()
		case x.at == offBoard:
			r.Missing = append(r.Missing, Man{home, h.node.piece[x.man]})
		default:
			r.Displaced = append(r.Displaced, Displaced{h.node.piece[x.man], home, x.at})
		}
	}
	if s := t.health.vanished; s < 64 && t.hidden(h, s) && !t.waitsForMan() {
		r.Missing = append(r.Missing, Man{s, h.node.piece[h.on(s)]})
	}
	frozen := t.frozen()
	for _, g := range h.ghosts {
		if g.used && !frozen.Has(g.square) {
			r.Extra = append(r.Extra, Seen{g.square, g.symbol})
		}
	}
}

func (t *Tracker) debts(h *hypothesis, r *Report) {
	n := h.node
	if n.parent == nil || !h.owing(n) {
		return
	}
	if n.rook != noMan && h.displaced(n.rook) {
		from := h.at(n.rook)
		if from >= 64 {
			from = n.move.To()
		}
		r.Debts = append(r.Debts, Debt{RookDebt, from, n.home[n.rook]})
		return
	}
	r.Debts = append(r.Debts, Debt{VictimDebt, n.move.Victim(), rules.NoSquare})
}
