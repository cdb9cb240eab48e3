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

const identifyMs = 5000

// doIdentify lets the board show which one it is.
func (t *Table) doIdentify(c *board.Command) *refusal {
	t.audit(c)
	t.identify = t.now + identifyMs
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

// maxClockMs is more than any clock shows.
const maxClockMs = 100 * 3600_000

// doClockSet sets what is believed of the clock, until the clock on the table says otherwise, and orders that it be set.
func (t *Table) doClockSet(c *board.Command) *refusal {
	k := &t.clock
	bad := func(ms *int64, least int64) bool { return ms != nil && (*ms < least || *ms > maxClockMs) }
	side, named := parseColor(c.Side)
	switch {
	case c.WhiteMs == nil && c.BlackMs == nil && c.AddMs == nil:
		return refuse("bad_value", "white_ms, black_ms, add_ms: one of them is needed")
	case bad(c.WhiteMs, 0), bad(c.BlackMs, 0), bad(c.AddMs, -maxClockMs), c.Side != "" && !named:
		return refuse("bad_value", "times are 0 to 100 hours in milliseconds; side: white or black")
	case !k.known && (c.WhiteMs == nil || c.BlackMs == nil):
		return refuse("bad_value", "no clock is known: white_ms and black_ms are needed")
	}
	t.audit(c)
	ms := k.ms
	if running := k.reading.Running; k.known && running != board.NoSide {
		by := t.colorOf(running, k.reading.ByColor)
		ms[by] = max(ms[by]-(t.now-k.t), 0)
	}
	for by, given := range [...]*int64{rules.White: c.WhiteMs, rules.Black: c.BlackMs} {
		if given != nil {
			ms[by] = *given
		}
		if c.AddMs != nil && (!named || rules.Color(by) == side) {
			ms[by] = min(max(ms[by]+*c.AddMs, 0), maxClockMs)
		}
		k.flag[by] = k.flag[by] && ms[by] == 0
	}
	k.reading.LeftMs, k.reading.RightMs = ms[t.colorOf(board.Left, k.reading.ByColor)], ms[t.colorOf(board.Right, k.reading.ByColor)]
	running := k.reading.Running
	if k.reading.ByColor && t.turned && running != board.NoSide {
		running = board.Left + board.Right - running
	}
	k.known, k.t, k.ms = true, t.now, ms
	t.out.Clock = &board.ClockOrder{
		Kind: board.SetClock, LeftMs: ms[t.colorOf(board.Left, false)], RightMs: ms[t.colorOf(board.Right, false)], Run: running,
	}
	return nil
}
