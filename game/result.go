package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// doResign ends the game for the side that resigns.
func (t *Table) doResign(c *board.Command) *refusal {
	g, no := t.running()
	if no != nil {
		return no
	}
	by, ok := parseColor(c.Side)
	if !ok {
		return refuse("bad_value", "side: white or black")
	}
	t.audit(c)
	p := g.line.Position()
	t.endGame(p.Lost(by), "resign")
	return nil
}

// doDraw offers a draw, accepts or declines it (9.1).
func (t *Table) doDraw(c *board.Command) *refusal {
	g, no := t.running()
	if no != nil {
		return no
	}
	by, ok := parseColor(c.Side)
	if !ok && c.Side != "" {
		return refuse("bad_value", "side: white or black")
	}
	switch c.Action {
	case "offer":
		if !ok {
			return refuse("bad_value", "side: white or black; an offer needs it")
		}
		if g.offer != nil && *g.offer == by {
			return nil // it stands
		}
		t.audit(c)
		if g.offer != nil && g.plies() >= 2 {
			t.endGame("1/2-1/2", "agreement") // both want it
			return nil
		}
		g.offer = &by
		t.emit(&DrawOffer{by})
	case "accept", "decline":
		if g.offer == nil || ok && *g.offer == by {
			return refuse("bad_value", "the opponent has not offered a draw")
		}
		if c.Action == "accept" && g.plies() < 2 {
			return refuse("bad_value", "a draw is agreed only after both have moved") // 5.2.3
		}
		t.audit(c)
		other := g.offer.Other()
		g.offer = nil
		if c.Action == "accept" {
			t.endGame("1/2-1/2", "agreement")
		} else {
			t.emit(&DrawDeclined{By: other, How: "command"})
		}
	default:
		return refuse("bad_value", "action: offer, accept or decline")
	}
	return nil
}

// doClaim claims a draw (9.2, 9.3): the position has stood three times or fifty moves have gone by, or will with the move that the
// player has written down and not made.
func (t *Table) doClaim(c *board.Command) *refusal {
	g, no := t.running()
	if no != nil {
		return no
	}
	side, ok := parseColor(c.Side)
	if !ok || c.Kind != "threefold" && c.Kind != "fifty" {
		return refuse("bad_value", "side: white or black; kind: threefold or fifty")
	}
	p := g.line.Position()
	if p.Turn() != side {
		return refuse("bad_value", "only the side to move may claim") // 9.2, 9.3
	}
	halfmove, count := p.Halfmove(), g.line.Count()
	if len(c.UCI) > 0 {
		m, err := p.ParseUCI(c.UCI[0])
		if err != nil || len(c.UCI) > 1 {
			return refuse("bad_value", "uci: one legal move, written down and not made")
		}
		g.line.Play(m)
		after := g.line.Position()
		halfmove, count = after.Halfmove(), g.line.Count()
		g.line.Undo(1)
	}
	if c.Kind == "threefold" && count < 3 || c.Kind == "fifty" && halfmove < 100 {
		return refuse("bad_value", "not so: the position has stood %d times, %d plies without capture or pawn move", count, halfmove)
	}
	t.audit(c)
	if t.opt.Mode == Observer {
		t.emit(&ResultProposed{Result: "1/2-1/2", Reason: c.Kind}) // the arbiter's to say
		return nil
	}
	t.endGame("1/2-1/2", c.Kind)
	return nil
}

func parseColor(s string) (rules.Color, bool) {
	switch s {
	case "white":
		return rules.White, true
	case "black":
		return rules.Black, true
	}
	return 0, false
}
