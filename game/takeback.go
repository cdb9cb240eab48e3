package game

import (
	"fmt"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// doTakeback takes plies back; the board may still show them.
func (t *Table) doTakeback(c *board.Command) *refusal {
	plies := c.Plies
	if plies == 0 {
		plies = 1
	}
	if plies < 1 || plies > 20 {
		return refuse("bad_value", "plies: a whole number from 1 to 20")
	}
	if t.opt.NoTakeback {
		return refuse("forbidden", "moves are not taken back at this board")
	}
	g := t.game
	if g == nil || g.plies() < plies {
		return refuse("nothing_to_take_back", "%s", takeable(g, plies))
	}
	if g.over() && !g.byLaw() {
		return refuse("nothing_to_take_back", "the game is over: %s %s", g.result, g.reason)
	}
	t.audit(c)
	if len(g.moves) < plies { // an illegal ply that stood goes too
		t.cut(g.plies()-plies, "command")
		t.retrack()
		return nil
	}
	line := t.line()
	if t.guide != nil && common(t.guide, line) == len(line) {
		line = t.guide // the board still shows what went before
	}
	t.sure = nil
	t.takeBack(plies, "command")
	t.guide, t.asked = line, t.now
	t.resolve(t.game.moves)
	t.prompt.square, t.illegal = rules.NoSquare, nil
	return nil
}

// takeable says in words why so many plies of a game cannot be taken back.
func takeable(g *play, plies int) string {
	switch {
	case g == nil || g.plies() == 0:
		return "there is nothing to take back"
	case g.plies() == 1:
		return fmt.Sprintf("1 ply can be taken back, not %d", plies)
	}
	return fmt.Sprintf("%d plies can be taken back, not %d", g.plies(), plies)
}
