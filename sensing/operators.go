package sensing

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// operator is one thing that an explanation may say has happened, and pays for.
type operator uint8

const (
	opSecondOwn operator = iota
	opCastlePair
	opVictim
	opLastMoved
	opNextBack
	opSlidOn
	opSoonVictim
	opBystander
	opOverdue
	opAbandoned
	opExchange
	opNothing
	opQuickOther
	opQuickSame
	opHaste
	opAdjust
	opSecondMind
	opHomeAgain
	opCorrected
	opElsewhere
	opDetour
	opLifted
	opForeign
	opHasty
	opStride
	opReturn
	opStray
	opLateLift
	opLateScan
	opUnseenOff
	opGhost
	opAskew
	opMasked
	opBlind
	opUnseen
	opMeant
	opIgnored
	opPly
	opOnward
	opNotYet
	opDebt
	opBusy
	opEarly
	opLeftover
	opDebtSkip
	opUnexchanged
	opSilent
	opShadow
	opTakenElsewhere
	opRetract
	opRetractMore
	opRepromote
	opRevise
	opJump
	opKings
	operators // how many there are
)

// chance is what an operator happens once in so many of.
type chance uint8

const (
	perLift chance = iota
	perPlace
	perPly
	perBlink // an excursion too short to settle
)

// prices are those of costs.go.
var prices = [operators]int32{
	costSecondOwn, costCastlePair, costVictim, costLastMoved, costNextBack, costSlidOn, 0, costBystander, costOverdue, costAbandoned, costExchange, costNothing,
	costQuickOther, costQuickSame, costHaste,
	costAdjust, costSecondMind, costHomeAgain, costCorrected, costElsewhere, costDetour, costLifted, costForeign, costHasty, costStride, costReturn, costStray, costLateLift,
	costLateScan, costLateLift, costGhost, costAskew, costMasked, costBlind[0], costUnseen[0], costWeak, costIgnored,
	costPly, costOnward, costNotYet, costDebt, costBusy, costEarly, costBystander, costDebtSkip, costUnexchanged, costSilent, costShadow, costTakenElsewhere, costRetract, costRetractMore,
	costRepromote, costRevise, costJump, costKings,
}

// use is one operator that an explanation paid for, and those before it.
type use struct {
	before *use
	op     operator
}

// pay charges an explanation for an operator.
func (h *hypothesis) pay(op operator) { h.payAs(op, prices[op]) }

// payAs charges for an operator whose price depends on more than itself.
func (h *hypothesis) payAs(op operator, price int32) {
	h.cost += price
	if h.uses != nil {
		h.uses = &use{h.uses, op}
	}
}

// bill is what one lift or place costs, before it is known which explanation pays.
type bill struct {
	sum int32
	n   uint8
	ops [3]operator
}

func just(op operator) (b bill) {
	b.add(op)
	return b
}

func (b *bill) add(op operator) { b.addAs(op, prices[op]) }

func (b *bill) addAs(op operator, price int32) {
	b.sum += price
	if int(b.n) < len(b.ops) {
		b.ops[b.n] = op
		b.n++
	}
}

// has reports that an operator is on the bill.
func (b *bill) has(op operator) bool { return slices.Contains(b.ops[:b.n], op) }

// settle charges a bill.
func (h *hypothesis) settle(b bill) {
	h.cost += b.sum
	if h.uses != nil {
		for _, op := range b.ops[:b.n] {
			h.uses = &use{h.uses, op}
		}
	}
}

// Use is how often the true explanation of a recording said that one thing happened, out of how many times it might have.
type Use struct {
	Name          string
	Price         int32 // in milli-nats; where it varies, the dearest
	Used, Chances int
}

// counts are the chances so far.
type counts [perBlink + 1]int

// Count makes the tracker remember what its explanations pay for, for Uses. It grows with the game: a tool's, not the daemon's.
func (t *Tracker) Count() {
	for _, h := range t.beam {
		h.uses = &use{}
	}
	t.counting = new(counts)
}

// count notes the chances that a settled change is.
func (n *counts) count(c *change) {
	if c.weak {
		n[perBlink]++
		return
	}
	if c.from != board.Empty {
		n[perLift]++
	}
	if c.to != board.Empty {
		n[perPlace]++
	}
}

// Uses is what the likeliest explanation that has exactly these plies paid for since Count. It reports false when none is left
// that has.
func (t *Tracker) Uses(plies []rules.Move) ([]Use, bool) {
	n := t.root.follow(plies)
	if t.counting == nil || n.depth != len(plies) {
		return nil, false
	}
	for _, h := range t.beam {
		if h.node != n || h.uses == nil {
			continue
		}
		list := make([]Use, operators)
		for op := range list {
			known := names[op]
			list[op] = Use{Name: known.name, Price: prices[op], Chances: t.counting[known.per]}
			if known.per == perPly {
				list[op].Chances = len(plies)
			}
		}
		for u := h.uses; u.before != nil; u = u.before {
			list[u.op].Used++
		}
		return list, true
	}
	return nil, false
}

var names = [operators]struct {
	name string
	per  chance
}{
	opSecondOwn: {"second own man", perLift}, opCastlePair: {"king and rook", perLift}, opVictim: {"enemy man that may be taken", perLift},
	opLastMoved: {"man that has just moved", perLift}, opNextBack: {"next to go back", perLift}, opSlidOn: {"slid on", perLift}, opSoonVictim: {"taken at once", perLift},
	opBystander: {"bystander", perLift}, opOverdue: {"bystander, a ply overdue", perLift}, opAbandoned: {"left behind, taken up", perLift}, opExchange: {"exchange of a promotion", perPly},
	opNothing: {"empty square goes empty", perLift}, opQuickOther: {"quick, the other hand", perLift}, opQuickSame: {"quick, the same hand", perLift},
	opHaste: {"no time for an answer", perLift}, opAdjust: {"put back", perPlace}, opSecondMind: {"put back, second mind", perPlace},
	opHomeAgain: {"home again", perPlace}, opCorrected: {"goes on after its ply", perPlace}, opElsewhere: {"where it may not go", perPlace}, opDetour: {"by a detour", perPlace}, opLifted: {"lifted on its way", perPlace},
	opForeign: {"foreign man promotes", perPlace}, opHasty: {"hasty reply", perPlace}, opStride: {"reply slides", perPlace}, opReturn: {"captured man returns", perPlace},
	opStray: {"captured man elsewhere", perPlace}, opLateLift: {"lift comes late", perPlace}, opLateScan: {"lift comes late, slow scan", perPlace},
	opUnseenOff: {"leaves unseen", perPlace}, opGhost: {"filled by nobody", perPlace}, opAskew: {"askew", perPlace}, opMasked: {"promoted to another piece", perPly},
	opBlind: {"not seen any more", perLift}, opUnseen: {"set down unseen", perPly}, opMeant: {"blink that meant something", perBlink}, opIgnored: {"blink of a man ignored", perBlink},
	opPly: {"ply", perPly}, opOnward: {"goes straight on", perPly}, opNotYet: {"not yet", perPly}, opDebt: {"debt", perPly}, opBusy: {"another man in the air", perPly},
	opEarly: {"set down early", perPly}, opLeftover: {"taken up, not taken", perPly}, opDebtSkip: {"debt skipped", perPly}, opUnexchanged: {"pawn not exchanged", perPly}, opSilent: {"silent capture", perPly}, opShadow: {"shadow", perPly},
	opTakenElsewhere: {"taken elsewhere", perPly},
	opRetract:        {"taken back", perPly}, opRetractMore: {"taken back, one more", perPly}, opRepromote: {"other promotion", perPly},
	opRevise: {"revised", perPly}, opJump: {"jump", perPly}, opKings: {"kings in the centre", perPly},
}
