package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// doChoose settles a doubt.
func (t *Table) doChoose(c *board.Command) *refusal {
	if c.Doubt == 0 {
		return refuse("bad_value", "doubt: which one, as its event says")
	}
	d := t.doubt
	if d == nil || d.id != c.Doubt {
		return refuse("stale", "doubt %d is not open", c.Doubt)
	}
	if c.N < 0 || c.N >= len(d.candidates) {
		return refuse("bad_value", "n: a whole number from 0 to %d", len(d.candidates)-1)
	}
	t.audit(c)
	switch d.kind {
	case "orientation":
		if c.N == 1 {
			t.turnReading()
		} else {
			t.upright(nil)
		}
		return nil
	case "setup":
		t.restart(d, c.N)
		return nil
	}
	t.confirm(append(clone(d.base), d.candidates[c.N]...))
	return nil
}

// doPromotion says what a pawn becomes: the one that waits, else the next.
func (t *Table) doPromotion(c *board.Command) *refusal {
	var role rules.Role
	for _, r := range promotions {
		if r.String() == c.Piece {
			role = r
		}
	}
	if role == rules.NoRole {
		return refuse("bad_value", "piece: queen, rook, bishop or knight")
	}
	t.audit(c)
	if t.prompt.square == rules.NoSquare || !t.choosePiece(role) {
		t.promotion = role
	}
	return nil
}
