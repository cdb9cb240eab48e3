package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// press is a player's press of the clock.
type press struct {
	open bool
	by   rules.Color
	t    int64
	ms   int64 // his time then
}

// clock is what is known of the players' clock.
type clock struct {
	known      bool
	reading    board.Reading
	shown      board.Reading // the one that said is of
	t          int64
	lever      board.Side // last known
	press      [2]press   // by colour: not yet charged to a ply
	waiting    press      // the last one, as long as its ply is not seen
	pressedNow bool       // in this step
	flag       [2]bool    // said
	fallen     *press     // a flag that may end the game
	said       *ClockView // as last shown
	ms         [2]int64
}

// colorOf is whose side of the clock it is: White sits at the left unless the board stands turned (protocols/dgt.md §7).
func (t *Table) colorOf(s board.Side, byColor bool) rules.Color {
	if (s == board.Right) != (t.turned && !byColor) {
		return rules.Black
	}
	return rules.White
}

func (t *Table) timesOf(r *board.Reading) (ms [2]int64) {
	ms[t.colorOf(board.Left, r.ByColor)] = r.LeftMs
	ms[t.colorOf(board.Right, r.ByColor)] = r.RightMs
	return ms
}

// read takes a reading: times, presses, flags.
func (t *Table) read(r board.Reading) {
	if r.Running > board.Right || r.Lever > board.Right || r.Flag > board.Right {
		return
	}
	c := &t.clock
	t.battery(0, r.BatteryLow, !r.BatteryLow, "clock")
	lever := r.Lever
	if lever == board.NoSide {
		lever = r.Running
	}
	was := c.lever
	if lever != board.NoSide {
		c.lever = lever
	}
	c.known, c.reading, c.t, c.ms = true, r, t.now, t.timesOf(&r)
	if was != board.NoSide && lever != board.NoSide && lever != was {
		by := t.colorOf(was, r.ByColor)
		t.onPress(press{open: true, by: by, t: t.now, ms: c.ms[by]})
	}
	for s := board.Left; s <= board.Right; s++ {
		by := t.colorOf(s, r.ByColor)
		fell := r.Flag == s
		if fell && !c.flag[by] {
			t.onFlag(by)
		}
		c.flag[by] = fell
	}
}

// onPress charges a press to the ply that it completes: one that is still to be seen, or one that is made already.
func (t *Table) onPress(p press) {
	c := &t.clock
	c.pressedNow = true
	if t.game == nil || t.game.over() || !t.online {
		return
	}
	c.waiting = p
	g := t.game
	n := len(g.moves)
	pos := g.line.Position()
	r := t.tr.Report()
	shown := len(r.Line) - common(r.Line, g.moves) // plies on the board that are not committed
	switch {
	case pos.Turn() != p.by && n > 0 && !g.final[n-1]:
		g.charge(n-1, p.ms)
		c.waiting.open = shown >= 2
	case pos.Turn() == p.by && shown == 0 && n > 1 && !g.final[n-2] && g.startedT+g.at[n-1]+pressMs >= t.now:
		g.charge(n-2, p.ms) // the opponent was faster than the clock's report
		c.waiting.open = false
	case pos.Turn() != p.by && shown < 2:
		c.waiting.open = false // pressed without a move
	default:
		c.press[p.by] = p
	}
}

// pressButton is a player's press of a button that has no clock behind it: his ply is completed (6.2.1), and no time is charged.
func (t *Table) pressButton(by rules.Color) {
	c := &t.clock
	c.pressedNow = true
	if t.game != nil && !t.game.over() && t.online {
		c.waiting = press{open: true, by: by, t: t.now}
	}
}

func (g *play) charge(ply int, ms int64) {
	g.clk[ply], g.final[ply], g.record = &ms, true, nil
}

// charge is the time of a player for the ply that he completed last: from the reading that shows his press, else from the last
// reading; final says which.
func (c *clock) charge(by rules.Color, placed int64) (ms *int64, final bool) {
	p := &c.press[by]
	if p.open {
		p.open = false
		if p.t+correctMs >= placed {
			taken := p.ms
			return &taken, true
		}
	}
	if !c.known {
		return nil, false
	}
	left := c.ms[by]
	return &left, false
}

// uncharge frees the presses that had been charged to plies from one on.
func (c *clock) uncharge(g *play, from int) {
	for i := len(g.moves) - 1; i >= from; i-- {
		if p := g.line.At(i); g.final[i] {
			by := p.Turn()
			c.press[by] = press{open: true, by: by, t: g.startedT + g.at[i], ms: *g.clk[i]}
		}
	}
}

func (t *Table) onFlag(by rules.Color) {
	if t.game == nil || t.game.over() || t.game.paused {
		return
	}
	t.emit(&FlagFallen{by})
	if t.opt.Mode == Observer {
		return // what follows is the arbiter's to say
	}
	t.clock.fallen = &press{open: true, by: by, t: t.now}
	// Mate on the board goes before the flag (5.1.1).
	if r := t.tr.Report(); t.online && r.Match && len(r.Line) > len(t.game.moves) && common(r.Line, t.game.moves) == len(t.game.moves) {
		if p := t.position(r.Line); p.State() == rules.Checkmate {
			t.confirm(clone(r.Line))
		}
	}
}

// flagged ends the game of a player whose flag has fallen, once what is on the board has been looked at (6.9).
func (t *Table) flagged() bool {
	f := t.clock.fallen
	t.clock.fallen = nil
	if f == nil || t.game.over() {
		return false
	}
	p := t.game.line.Position()
	result, reason := p.Lost(f.by), "flag"
	if result == "1/2-1/2" {
		reason = "flag_draw"
	}
	t.endGame(result, reason)
	return true
}

// view is the clock as it is worth showing again: when it starts, stops or is pressed, every 10 s, every second below 20 s.
func (t *Table) clockView() *ClockView {
	c := &t.clock
	if !c.known {
		return nil
	}
	ms := t.timesOf(&c.reading)
	v := &ClockView{WhiteMs: ms[rules.White], BlackMs: ms[rules.Black], T: c.t}
	if c.reading.Running != board.NoSide {
		by := t.colorOf(c.reading.Running, c.reading.ByColor)
		v.Running = &by
	}
	old := c.said
	if old != nil && same(old.Running, v.Running) {
		every := int64(10_000)
		if v.Running != nil && ms[*v.Running] < 20_000 {
			every = 1000
		}
		late := c.t - old.T
		went := [2]int64{old.WhiteMs - v.WhiteMs, old.BlackMs - v.BlackMs}
		if v.Running != nil {
			went[*v.Running] -= late
		}
		steady := max(went[0], -went[0], went[1], -went[1]) < 2000
		if *old == *v || steady && (late < every || v.Running == nil && went == [2]int64{}) {
			return old
		}
	}
	c.said, c.shown = v, c.reading
	return v
}

// same compares what two pointers point to.
func same[T comparable](a, b *T) bool {
	return a == b || a != nil && b != nil && *a == *b
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
