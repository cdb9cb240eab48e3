package sensing

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// copy gives a new explanation that begins as h.
func (t *Tracker) copy(h *hypothesis) *hypothesis {
	var n *hypothesis
	if k := len(t.spare); k > 0 {
		n = t.spare[k-1]
		t.spare = t.spare[:k-1]
	} else {
		n = new(hypothesis)
	}
	*n = *h
	n.live = false
	t.made = append(t.made, n)
	return n
}

// recycle takes back the explanations of before, and those made for one change, that did not stay in the beam; now and then
// it forgets the plies that no explanation holds any more.
func (t *Tracker) recycle(before []*hypothesis) {
	for _, h := range before {
		h.live = false
	}
	for _, h := range t.beam {
		h.live = true
	}
	for _, list := range [...][]*hypothesis{before, t.made} {
		for _, h := range list {
			if !h.live && len(t.spare) < maxSpare {
				t.spare = append(t.spare, h)
			}
		}
	}
	clear(t.made)
	t.made = t.made[:0]
	if t.round++; t.round%sweepEvery != 0 {
		return
	}
	for _, h := range t.beam {
		h.node.mark(t.round)
	}
	t.told.mark(t.round)
	if t.question != nil {
		for _, n := range t.question.candidates {
			n.mark(t.round)
		}
	}
	t.root.mark(t.round)
	t.root.sweep(t.round)
}

func (t *Tracker) emit(h *hypothesis) { t.next = append(t.next, h) }

// hopeless reports that a cost is beyond what the beam will keep.
func (t *Tracker) hopeless(cost int32) bool {
	return len(t.fresh) > 0 && (cost > t.least+beamWindow || t.limited && cost > t.limit)
}

// keep takes an explanation for the next beam; of two that say the same, the likelier stays.
func (t *Tracker) keep(h *hypothesis) {
	if t.hopeless(h.cost) {
		return
	}
	if len(t.fresh) == 0 || h.cost < t.least {
		t.least = h.cost
	}
	h.sum()
	for i, o := range t.fresh {
		if h.hash == o.hash && h.same(o) {
			if h.cost < o.cost {
				t.fresh[i] = h
			}
			return
		}
	}
	t.fresh = append(t.fresh, h)
	if t.thinning && len(t.fresh) >= 2*beamWidth {
		t.thin()
	}
}

// thin drops what will not be in the beam, so that nothing is built upon it: in a tangle of hands that saves most of the work.
func (t *Tracker) thin() {
	t.costs = t.costs[:0]
	for _, h := range t.fresh {
		t.costs = append(t.costs, h.cost)
	}
	slices.Sort(t.costs)
	t.limit, t.limited = t.costs[beamWidth-1], true
	t.fresh = slices.DeleteFunc(t.fresh, func(h *hypothesis) bool { return h.cost > t.limit })
}

// prune sorts the beam, drops what is too unlikely, and counts costs from the likeliest.
func (t *Tracker) prune() {
	slices.SortStableFunc(t.beam, byCost)
	best := t.beam[0].cost
	for i, h := range t.beam {
		if i == beamWidth || h.cost-best > beamWindow {
			clear(t.beam[i:])
			t.beam = t.beam[:i]
			break
		}
		h.cost -= best
	}
}

// jump adds, when the whole picture is that of the best line's end, of what people were told, or of an earlier position of
// either, the explanation that all men are where they were then, however they came there.
func (t *Tracker) jump() {
	best := t.beam[0]
	if t.showing(best.node) {
		// Plies that were seen lead here: that the men stand as they once did says nothing against one of them.
		t.jumpTo(best, best.node, best.placed, 0)
		t.prune()
		return
	}
	t.jumpAlong(best, best.node, best.placed)
	if t.told != nil && !best.node.extends(t.told) {
		t.jumpAlong(best, t.told, t.trailOf(t.told))
	}
	t.prune()
}

func (t *Tracker) jumpAlong(best *hypothesis, n *node, placed *trail) {
	for k := 0; n != nil && k < memoryOfPlies; n, k = n.parent, k+1 {
		if t.showing(n) {
			t.jumpTo(best, n, placed, k)
		}
		if placed != nil {
			placed = placed.up
		}
		if best.open(n) {
			t.jumpBefore(best, n, placed)
			return
		}
	}
}

// jumpTo adds the explanation that all men stand where n, so many plies back, has them.
func (t *Tracker) jumpTo(best *hypothesis, n *node, placed *trail, back int) {
	h := atHome(n, placed)
	h.cost, h.uses = best.cost, best.uses
	h.payAs(opJump, costJump+min(int32(back)*costJumpPly, costJumpPlies))
	t.add(h)
}

// add puts an explanation beside those of the beam.
func (t *Tracker) add(h *hypothesis) {
	h.sum()
	if i := slices.IndexFunc(t.beam, h.same); i >= 0 {
		t.beam[i].cost = min(t.beam[i].cost, h.cost)
	} else {
		t.beam = append(t.beam, h)
	}
}

// jumpBefore adds, when the picture is that before the open ply n, the explanation that nothing of it is carried out.
func (t *Tracker) jumpBefore(best *hypothesis, n *node, placed *trail) {
	if n.parent == nil || !t.showing(n.parent) {
		return
	}
	h := atHome(n.parent, placed)
	h.cost, h.uses = best.cost, best.uses
	h.pay(opJump)
	if h.given(n, t.now, t.o.Acuity) {
		t.add(h)
	}
}

// lose notices that play has stopped making sense: too many squares are against the best explanation for too long. Then
// the tracker waits for a position it knows.
func (t *Tracker) lose() {
	best := t.beam[0]
	switch n := best.unexplained(t.o.Acuity, &t.deb.settled, t.frozen()); {
	case best.kings != "" || n < lostSquares:
		t.lostSince = 0
	case t.lostSince == 0:
		t.lostSince = t.now
		if n < lostAtOnce {
			break
		}
		fallthrough
	case n >= lostAtOnce || t.now-t.lostSince >= lostAfterMs:
		t.giveUp()
	}
}

// giveUp waits for the position that people were told, or else for what is firm.
func (t *Tracker) giveUp() {
	t.lostSince = 0
	n := t.beam[0].node.ancestor(t.firm())
	if t.told != nil && t.told.depth > n.depth {
		n = t.told
	}
	t.hold(n)
}

// Supports is how many plies of line, from its beginning, at least one surviving explanation still contains.
func (t *Tracker) Supports(line []rules.Move) (plies int) {
	n := t.root.follow(line)
	t.told = n
	if t.lostSince != 0 {
		return n.depth
	}
	limit := t.beam[0].cost + withdrawMargin
	for _, h := range t.beam {
		if h.cost <= limit {
			plies = max(plies, common(h.node, n).depth)
		}
	}
	return plies
}

// Confirm says that line is true (a command, a clock press, a choice): explanations that contradict it are dropped. Plies beyond
// it stay open. If none agrees, the tracker starts anew from line's end and compares with what the board shows.
func (t *Tracker) Confirm(line []rules.Move) {
	n := t.root.follow(line)
	n.confirmed = true
	if q := t.question; q != nil && q.man != noMan && q.base == n {
		t.empty = q.since
	}
	agree := slices.DeleteFunc(slices.Clone(t.beam), func(h *hypothesis) bool { return !h.node.extends(n) })
	if len(agree) == 0 {
		agree = t.silently(n)
	}
	if len(agree) > 0 {
		t.beam = agree
		t.prune()
		return
	}
	if n.parent != nil && n.move.Promotion() != rules.NoRole {
		if t.repromote(n) {
			return
		}
	}
	t.hold(n)
}

// repromote keeps the explanations of n's line with another promoted piece.
func (t *Tracker) repromote(n *node) bool {
	var kept []*hypothesis
	for _, h := range t.beam {
		if h.node.depth < n.depth {
			continue
		}
		a := h.node.ancestor(n.depth)
		if a.parent != n.parent || a.move.From() != n.move.From() || a.move.To() != n.move.To() {
			continue
		}
		m := n
		for _, mv := range h.node.line()[n.depth:] {
			if !m.pos.IsLegal(mv) {
				m = nil
				break
			}
			m = m.child(mv)
		}
		if m == nil {
			continue
		}
		c := t.copy(h)
		c.node = m
		if t.o.Acuity == board.PieceAcuity {
			face := c.face(n.mover)
			switch face {
			case 0:
				face = board.Symbol(a.piece[n.mover].Letter())
			case board.Symbol(n.piece[n.mover].Letter()):
				face = 0
			}
			if !c.set(away{man: n.mover, at: c.at(n.mover), face: face, since: t.now}) {
				continue
			}
		}
		kept = append(kept, c)
	}
	if len(kept) == 0 {
		return false
	}
	t.beam = kept
	t.prune()
	return true
}

// Rewind says that the game stands at line's end whatever the board shows; the tracker waits until it shows that.
func (t *Tracker) Rewind(line []rules.Move) { t.hold(t.root.follow(line)) }

func byCost(a, b *hypothesis) int { return int(a.cost - b.cost) }
