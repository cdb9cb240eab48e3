package game

import (
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// look makes up the table's mind. What it tells the tracker may raise the next question at once, so it looks again, but never
// for ever.
func (t *Table) look() {
	for range 8 {
		t.wake = 0
		if !t.online || t.unseen {
			if t.game != nil && !t.game.over() {
				t.flagged()
			}
			t.clock.pressedNow = false
			return
		}
		r := t.tr.Report()
		if t.waking && !r.Settled {
			break // what was open before the stop is looked at when all of the board has been seen
		}
		t.waking = false
		r.Firm = min(r.Firm, len(r.Line))
		r.LastChange = max(r.LastChange, t.asked)
		t.sayWeak(&r)
		if !t.consider(&r) {
			break
		}
	}
	t.clock.pressedNow = false
	t.want(t.tr.NextWake())
	t.want(t.identify)
}

// consider looks at one report; true means that the tracker has been told something and a new report is due.
func (t *Table) consider(r *sensing.Report) bool {
	if t.game != nil && t.game.paused {
		return false // nothing that hands do now is play
	}
	switch told, waits := t.startPosition(r); {
	case told:
		return true
	case waits || t.game == nil:
		return false
	}
	if t.game.over() {
		return t.reopen(r)
	}
	if t.kingsInCentre(r) {
		return false
	}
	if d := t.doubt; d != nil && d.kind == "" && (r.Doubt == nil || r.Doubt.ID != d.seen) && !t.recall(d, r) {
		t.resolve(r.Line)
	}
	if told, waits := t.orient(r); told || waits {
		return told
	}
	if s := t.illegal; s != nil && s.replied && !r.Match {
		t.find(r) // what is played now belongs to the other line
		return false
	}
	if t.pressed(r) || t.settleUnder(r) || t.adopt(r) {
		return true
	}
	if t.flagged() || t.game.over() {
		return false
	}
	if t.promotionDue(r) {
		return true
	}
	t.ask(r)
	t.find(r)
	return false
}

// confirm tells the tracker that a line is true.
func (t *Table) confirm(line []rules.Move) {
	t.sure = line
	t.tr.Confirm(line)
}

// want asks for a wake; times that are not in the future are ignored.
func (t *Table) want(at int64) {
	if at > t.now && (t.wake == 0 || at < t.wake) {
		t.wake = at
	}
}

// rested reports whether nothing has changed for so long, and asks for a wake if not yet.
func (t *Table) rested(r *sensing.Report, ms int64) bool {
	if !r.Settled {
		return false
	}
	if t.now >= r.LastChange+ms {
		return true
	}
	t.want(r.LastChange + ms)
	return false
}
