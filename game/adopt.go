package game

import (
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

const (
	restMs      = 1500 // illegal_move, desync, doubt are said after so long without a change (design.md §2)
	standMs     = 4000 // an earlier position stands so long for a takeback that nothing else explains
	maxBack     = 20   // plies
	backMs      = 1000 // men that went back stand so long for a takeback
	promotionMs = 4000 // a promotion stands after so long without a change
	correctMs   = 5000 // a press may come so long before its ply is settled
	pressMs     = 2000 // a clock press waits so long for the ply that it belongs to
)

// adopt brings the game to what the tracker is sure of; true means that the tracker was told something.
func (t *Table) adopt(r *sensing.Report) bool {
	g := t.game
	if t.guide != nil {
		if p := g.line.Position(); r.Settled && t.tr.Picture() == t.opt.see(&p) {
			t.guide = nil
			t.tr.Rewind(t.line())
			return true
		}
		if t.guided(r) {
			return false
		}
		t.guide = nil
	}
	firm := r.Line[:r.Firm]
	if n := len(t.sure); n > len(firm) && common(r.Line, t.sure) == n {
		firm = r.Line[:n]
	}
	if n := len(firm); n == len(r.Line) && n > len(g.moves) && t.astray(r) {
		firm = firm[:n-1] // the mover's hand has not done with it
	}
	keep := common(g.moves, firm)
	if r.Lifted.Len()+len(r.Missing) > handful || len(r.Extra)+len(r.Displaced) > handful {
		firm = firm[:keep] // men are being cleared away or put up: nothing of it is play
	}
	if t.wentBack(r, keep) || t.standsBack(r) {
		return true
	}
	if keep == len(firm) && keep < len(g.moves) {
		keep = max(keep, min(t.tr.Supports(g.moves), len(g.moves)))
	}
	if keep < len(g.moves) {
		reason := t.reason(r)
		if reason == "board" && t.opt.NoTakeback {
			t.confirm(t.line())
			return true
		}
		t.takeBack(len(g.moves)-keep, reason)
	}
	if len(firm) > len(g.moves) {
		t.become(firm, r.PlacedAt, "corrected")
	}
	return false
}

// wentBack takes back plies whose men have all gone back and rest there: a ply that has been said stands as long as it can be
// believed, but the board shows otherwise.
func (t *Table) wentBack(r *sensing.Report, keep int) bool {
	g := t.game
	if !r.Match || keep < len(r.Line) || keep >= len(g.moves) {
		return false
	}
	if p := g.line.Position(); t.tr.Picture() == t.opt.see(&p) || !t.rested(r, backMs) {
		return false
	}
	if t.opt.NoTakeback {
		t.confirm(t.line())
		return true
	}
	t.tr.Rewind(clone(r.Line))
	t.takeBack(len(g.moves)-keep, "board")
	return true
}

// standsBack takes back to an earlier position of the game that the board has shown for long, when nothing that is thought to have
// been played since explains it: however the men came there, the players see where they stand.
func (t *Table) standsBack(r *sensing.Report) bool {
	g, n := t.game, len(t.game.moves)
	if r.Match || n < 2 || len(r.Due) > 0 || t.doubt != nil || t.opt.NoTakeback || !t.rested(r, standMs) {
		return false
	}
	picture := t.tr.Picture()
	for k := n; k > max(0, n-maxBack); k-- {
		p := g.line.At(k)
		if picture != t.opt.see(&p) {
			continue
		}
		if k == n {
			return false
		}
		t.tr.Rewind(clone(g.moves[:k]))
		t.takeBack(n-k, "board")
		return true
	}
	return false
}

// astray reports whether another man of the side that made the last ply stands where it should not: half of a castling that is
// not legal looks like a rook's move.
func (t *Table) astray(r *sensing.Report) bool {
	p := t.position(r.Line)
	for _, d := range r.Displaced {
		if d.Piece.Color() != p.Turn() {
			return true
		}
	}
	if len(r.Extra) > 0 {
		for _, s := range squares(r.Lifted) {
			if p.At(s).Color() != p.Turn() {
				return true
			}
		}
	}
	return false
}

// guided reports whether the board still shows what a command took back.
func (t *Table) guided(r *sensing.Report) bool {
	n := len(t.game.moves)
	return common(r.Line, t.guide) > n || t.tr.Supports(t.guide[:n+1]) > n
}

// pressed commits the ply of the player who has pressed the clock: by 6.2.1 it is completed.
func (t *Table) pressed(r *sensing.Report) bool {
	p := &t.clock.waiting
	if !p.open {
		return false
	}
	if t.now > p.t+pressMs || t.guide != nil {
		p.open = false
		return false
	}
	n := len(t.game.moves)
	if len(r.Displaced) > 0 || len(r.Missing) > 0 || len(r.Extra) > 0 {
		return false
	}
	for i := len(r.Line) - 1; i >= n; i-- {
		before := t.position(r.Line[:i])
		if before.Turn() != p.by {
			continue
		}
		last := i == len(r.Line)-1
		if last && (len(r.Debts) > 0 || r.Contested) {
			return false // not done, or he might have played something else: that is asked
		}
		p.open = false
		line := clone(r.Line[:i+1])
		if t.prompt.square != rules.NoSquare && t.prompt.ply == i {
			line = t.settled(r)
		}
		if i < r.Firm && common(r.Line[:r.Firm], line) == i+1 {
			return false
		}
		t.confirm(line)
		return true
	}
	return false
}

// prompt is a promotion whose piece is not known yet.
type prompt struct {
	square rules.Square // NoSquare: none
	ply    int          // index of the promotion in the line
	move   rules.Move   // as the tracker has it
	steps  int          // by gesture
	line   []rules.Move // up to the promotion
	before int          // exchanges before the table was resumed

	exchanges int   // all of them
	until     int64 // 0: only an answer settles it
}

var promotions = [...]rules.Role{rules.Queen, rules.Rook, rules.Bishop, rules.Knight}

func promotionIndex(r rules.Role) int {
	for i, p := range promotions {
		if p == r {
			return i
		}
	}
	return -1
}

// choice is the piece that the prompt stands on: each exchange after the first goes one step on from the default (design.md §8).
func (p *prompt) choice(first rules.Role) rules.Role {
	return promotions[(promotionIndex(first)+p.steps)%len(promotions)]
}

// promoted is the move that promotes to another piece.
func (t *Table) promoted(before []rules.Move, m rules.Move, to rules.Role) (rules.Move, bool) {
	p := t.position(before)
	var buf [256]rules.Move
	for _, other := range p.LegalMoves(buf[:0]) {
		if other.From() == m.From() && other.To() == m.To() && other.Promotion() == to {
			return other, true
		}
	}
	return m, false
}

// settled is the line up to the prompted promotion, with the piece that the prompt stands on.
func (t *Table) settled(r *sensing.Report) []rules.Move {
	line := clone(r.Line[:t.prompt.ply+1])
	line[t.prompt.ply], _ = t.promoted(line[:t.prompt.ply], line[t.prompt.ply], t.prompt.choice(t.promotion))
	return line
}

// sameSquares reports the same move but for the promotion's piece.
func sameSquares(a, b rules.Move) bool { return a.From() == b.From() && a.To() == b.To() }

// prompted reports whether the line still has the promotion that is asked about.
func (t *Table) prompted(r *sensing.Report) bool {
	p := &t.prompt
	return p.square != rules.NoSquare && p.ply < len(r.Line) && sameSquares(r.Line[p.ply], p.move) && p.ply >= len(t.game.moves)
}

// settleUnder settles a promotion on top of which the opponent has completed a ply.
func (t *Table) settleUnder(r *sensing.Report) bool {
	p := &t.prompt
	if !t.prompted(r) || len(r.Line) <= p.ply+1 || r.Firm <= p.ply {
		return false
	}
	if p.steps == 0 && promotionIndex(t.promotion) == 0 {
		return false // the tracker's own choice: a queen unless only another piece explains the later plies
	}
	line := t.settled(r)
	p.square = rules.NoSquare
	if line[len(line)-1] == r.Line[len(line)-1] {
		return false
	}
	t.confirm(line)
	return true
}

// promotionDue asks for the piece, follows the gesture, and settles when time has come.
func (t *Table) promotionDue(r *sensing.Report) bool {
	p := &t.prompt
	if r.Promotion == rules.NoSquare || r.Promotion > 63 || t.guide != nil {
		// Under a reply that is not firm yet, what was chosen must not be forgotten: settleUnder needs it.
		if t.guide != nil || !t.prompted(r) || len(r.Line) <= p.ply+1 {
			p.square = rules.NoSquare
		}
		p.until = 0
		return false
	}
	ply := len(r.Line) - 1
	for ply >= 0 && (r.Line[ply].To() != r.Promotion || r.Line[ply].Promotion() == rules.NoRole) {
		ply--
	}
	if ply < len(t.game.moves) {
		p.square = rules.NoSquare
		return false
	}
	if !t.prompted(r) || p.ply != ply {
		*p = prompt{square: r.Promotion, ply: ply, move: r.Line[ply], line: clone(r.Line[:ply+1])}
		body := &PromotionPending{Square: r.Promotion}
		for i := range promotions {
			body.Choices = append(body.Choices, promotions[i].String())
		}
		if t.promotionTimes(r) {
			left := r.LastChange + promotionMs - t.now
			body.DeadlineMs = &left
		}
		t.emit(body)
	}
	// With other men in the air the tracker may be of two minds for a moment about what has come down there.
	if n := p.before + r.Exchanges; n > p.exchanges || r.Lifted&^r.Promotion.Bit() == 0 {
		p.exchanges, p.steps = n, max(n-1, 0)
	}
	p.until = 0
	if !t.promotionTimes(r) {
		return false
	}
	p.until = r.LastChange + promotionMs
	if !t.rested(r, promotionMs) {
		return false
	}
	line := t.settled(r)
	p.square = rules.NoSquare
	t.confirm(line)
	return true
}

// promotionTimes reports whether time settles it: where the board shows what stands there, an unknown man or the pawn itself
// waits for an answer (4.4.4).
func (t *Table) promotionTimes(r *sensing.Report) bool {
	return t.opt.Acuity.See(rules.NewPiece(rules.White, rules.Queen)) != 'Q' && len(r.Debts) == 0
}

// choose settles an open prompt by word.
func (t *Table) choosePiece(r rules.Role) bool {
	rep := t.tr.Report()
	if !t.prompted(&rep) {
		return false
	}
	line := clone(rep.Line[:t.prompt.ply+1])
	m, ok := t.promoted(line[:t.prompt.ply], line[t.prompt.ply], r)
	if !ok {
		return false
	}
	line[t.prompt.ply] = m
	t.prompt.square = rules.NoSquare
	t.confirm(line)
	return true
}
