package sensing

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// question is a doubt while it is open. It stays the same one for as long as two of its candidates can be believed, however
// many plies come after them.
type question struct {
	id         int64
	kind       string
	base       *node   // what all candidates begin with
	candidates []*node // base itself among them: nothing was played
	squares    rules.Bitboard
	man        manID // of a missed capture: in the air since
	since      int64
}

// doubt is what nothing but further evidence can tell, nil if there is no such thing. firm is how many plies are sure.
func (t *Tracker) doubt(firm int) *Doubt {
	if t.lostSince != 0 {
		t.question = nil
		return nil
	}
	alive := t.alive(t.question, firm, doubtMargin+doubtSlack)
	if q := t.question; q != nil && count(alive) < 2 && !t.holding(q) {
		t.question = nil
	}
	rested := t.now-t.lastChange >= doubtAfterMs && !t.waitsForMan() || t.final || t.movesOn()
	if rested && t.deb.open == 0 {
		if q := t.rivals(firm); q != nil && !t.question.covers(q) || t.question == nil {
			if q == nil {
				q = t.missed()
			}
			if q != nil {
				t.doubtID++
				q.id = t.doubtID
			}
			t.question = q
		}
	}
	q := t.question
	if q == nil {
		return nil
	}
	d := &Doubt{ID: q.id, Kind: q.kind, Base: q.base.line(), Squares: q.squares, MovesOn: t.movesOn()}
	weights := t.weigh(q)
	for i, n := range q.candidates {
		d.Candidates = append(d.Candidates, Candidate{Moves: n.line()[q.base.depth:], Weight: weights[i]})
	}
	return d
}

// rivals gathers lines of which none is much likelier than another.
func (t *Tracker) rivals(firm int) *question {
	best := t.beam[0]
	q := &question{base: best.node, man: noMan}
	unseen, movesOn, most := false, t.movesOn(), maxCandidates
	if best.caught > 0 && best.node.depth < best.caught+mergePlies {
		most = maxMissed
	}
	for _, h := range t.beam {
		n := h.node
		if movesOn && h.caught > 0 && n.depth > h.caught {
			n = n.ancestor(h.caught)
		}
		if h.cost-best.cost >= doubtMargin || len(q.candidates) == most {
			break
		}
		base := common(q.base, n)
		if base.depth < firm || slices.Contains(q.candidates, n) {
			continue
		}
		q.base, q.candidates = base, append(q.candidates, n)
	}
	if len(q.candidates) < 2 {
		return nil
	}
	for _, h := range t.beam {
		unseen = unseen || h.unseen != nil && h.unseen.parent == q.base && slices.Contains(q.candidates, h.node)
	}
	q.kind, q.squares = doubtKind(q.base, q.candidates), differing(q.base, q.candidates)
	if unseen {
		q.kind = "missed_capture"
	}
	return q
}

// missed asks, where the board sees no colour, about a man that has long been in the air and may have taken another whose going
// no scan has seen.
func (t *Tracker) missed() *question {
	best := t.beam[0]
	x := &best.men[0]
	if t.o.Acuity != board.Presence || t.final || best.away != 1 || best.spotted() || x.at != inHand || !best.alive(x.man) ||
		best.color(x.man) != best.turn() || t.now-x.since < missedAfterMs || x.since <= t.empty {
		return nil
	}
	q := &question{kind: "missed_capture", base: best.node, candidates: []*node{best.node}, man: x.man, since: x.since}
	for _, mv := range best.node.legal() {
		if best.node.who[mv.From()] != x.man || !best.mayMiss(mv) {
			continue
		}
		// A capture of which something was seen has been weighed already.
		n := best.node.child(mv)
		if !slices.ContainsFunc(t.beam, func(h *hypothesis) bool { return h.node.extends(n) }) {
			q.candidates = append(q.candidates, n)
			q.squares |= mv.To().Bit()
		}
	}
	if len(q.candidates) == 1 {
		return nil
	}
	return q
}

// mayMiss reports that ply mv takes a man that still stands where it comes to stand, so that nothing more need be seen of it. Of
// promotions one stands for all.
func (h *hypothesis) mayMiss(mv rules.Move) bool {
	v := h.node.who[mv.Victim()]
	return !mv.IsCastling() && !mv.IsEnPassant() && v != noMan && h.at(v) == mv.To() &&
		(mv.Promotion() == rules.NoRole || mv.Promotion() == rules.Queen)
}

// holding reports that the man of a missed capture is still in the air, and nothing else was played.
func (t *Tracker) holding(q *question) bool {
	best := t.beam[0]
	if q.man == noMan || best.node != q.base || q.since <= t.empty {
		return false
	}
	x := best.find(q.man)
	return x != nil && x.at == inHand && x.since == q.since
}

// silently gives the explanations in which the last ply of n's line is a capture that was not seen at all.
func (t *Tracker) silently(n *node) []*hypothesis {
	t.fresh = nil
	for _, h := range t.beam {
		if h.node == n.parent {
			t.silent(h, t.now)
		}
	}
	found := slices.DeleteFunc(t.fresh, func(h *hypothesis) bool { return !h.node.extends(n) })
	t.fresh = nil
	return found
}

// candidate is the number of the candidate that a line agrees with, -1 for none: the longest, for the line may be one that
// begins with another.
func (q *question) candidate(n *node) int {
	found := -1
	for i, c := range q.candidates {
		if n.extends(c) && (found < 0 || c.depth > q.candidates[found].depth) {
			found = i
		}
	}
	return found
}

// alive says which candidates of a question are within a margin of the likeliest line and do not deny what is sure.
func (t *Tracker) alive(q *question, firm int, margin int32) []bool {
	if q == nil {
		return nil
	}
	best := t.beam[0]
	alive := make([]bool, len(q.candidates))
	for _, h := range t.beam {
		if h.cost-best.cost >= margin {
			break
		}
		if i := q.candidate(h.node); i >= 0 && common(h.node, best.node).depth >= firm {
			alive[i] = true
		}
	}
	return alive
}

func count(list []bool) (n int) {
	for _, b := range list {
		if b {
			n++
		}
	}
	return n
}

// covers reports that another question asks no more than q does.
func (q *question) covers(o *question) bool {
	if q == nil {
		return false
	}
	first, more := -1, false
	for _, n := range o.candidates {
		i := q.candidate(n)
		if i < 0 {
			return false
		}
		more = more || first >= 0 && i != first
		first = i
	}
	return more
}

// weigh says how likely the candidates are, in thousandths.
func (t *Tracker) weigh(q *question) []int {
	weights := make([]int, len(q.candidates))
	sum := 0
	for i := range weights {
		weights[i] = 1
	}
	if q.man != noMan { // what the beam does not hold yet, as if it had been so all the time
		for i, n := range q.candidates {
			if n != q.base {
				weights[i] = likelihood(costPly + costSilent - capCarry)
			}
		}
	}
	for _, h := range t.beam {
		if i := q.candidate(h.node); i >= 0 {
			weights[i] = max(weights[i], likelihood(h.cost-t.beam[0].cost))
		}
	}
	for _, w := range weights {
		sum += w
	}
	for i := range weights {
		weights[i] = weights[i] * 1000 / sum
	}
	return weights
}

// contested reports that a line of at least as many plies as the likeliest, and another one, is nearly as likely.
func (t *Tracker) contested() bool {
	best := t.beam[0]
	for _, h := range t.beam[1:] {
		if h.cost-best.cost >= doubtMargin {
			break
		}
		if h.node.depth >= best.node.depth && !h.node.extends(best.node) {
			return true
		}
	}
	return false
}

// differing is the squares that some candidates touch and others do not.
func differing(base *node, candidates []*node) rules.Bitboard {
	some, all := rules.Bitboard(0), ^rules.Bitboard(0)
	for _, n := range candidates {
		var touched rules.Bitboard
		for ; n != base; n = n.parent {
			touched |= n.move.From().Bit() | n.move.Target().Bit()
		}
		some |= touched
		all &= touched
	}
	if some == all {
		return some
	}
	return some &^ all
}

func doubtKind(base *node, candidates []*node) string {
	sameFrom, sameTo, none := true, true, false
	var first rules.Move
	for _, n := range candidates {
		if n == base {
			none = true
			continue
		}
		move := n.ancestor(base.depth + 1).move
		if first == rules.NoMove {
			first = move
		}
		sameFrom = sameFrom && move.From() == first.From()
		sameTo = sameTo && move.Target() == first.Target()
	}
	capture := first != rules.NoMove && base.who[first.Victim()] != noMan && !first.IsCastling()
	switch {
	case none && capture:
		return "capture_or_putback"
	case none:
		return "line_ambiguous"
	case sameFrom && capture && !sameTo:
		return "victim_ambiguous"
	case sameTo && !sameFrom:
		return "source_ambiguous"
	}
	return "line_ambiguous"
}

// expTable is 1000·e^(-k/4), rounded, for k from 0 to 15: the core has no floating point.
var expTable = [...]int{1000, 779, 607, 472, 368, 287, 223, 174, 135, 105, 82, 64, 50, 39, 30, 24}

func likelihood(cost int32) int {
	k := int(cost) / 250
	if k >= len(expTable) {
		return 1
	}
	return expTable[max(k, 0)]
}
