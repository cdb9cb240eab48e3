package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// doPause stops the game: what hands do is not play until resume.
func (t *Table) doPause(c *board.Command) *refusal {
	g, no := t.running()
	if no != nil {
		return no
	}
	if g.paused {
		return nil
	}
	t.audit(c)
	t.resolve(g.moves)
	g.paused, t.illegal, t.kings, t.prompt.square = true, nil, "", rules.NoSquare
	if t.desync {
		t.desync = false
		t.emit(&Resync{})
	}
	return nil
}

// doResume goes on; if the board shows something else by now, the lights lead back first.
func (t *Table) doResume(c *board.Command) *refusal {
	g, no := t.running()
	if no != nil {
		return no
	}
	if !g.paused {
		return refuse("stale", "the game is not paused")
	}
	t.audit(c)
	g.paused = false
	r := t.tr.Report()
	due := dues(&r)
	t.retrack()
	t.owe(due)
	return nil
}
