package game

import (
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// positionOf reads a FEN that a command gives under a key; what cannot be reached by legal moves only with force.
func (t *Table) positionOf(key, fen string, v rules.Variant, force bool) (p rules.Position, no *refusal) {
	p, err := rules.ParsePosition(fen, v)
	if err != nil {
		return p, refuse("bad_value", "%s: %v", key, err)
	}
	if f := p.Faults(); len(f) > 0 && !force {
		return p, refuse("bad_value", "%s cannot be reached by legal moves (%s); force sets it all the same", key, f[0].Code)
	}
	return p, nil
}

// onTable is the game on the table, over or not.
func (t *Table) onTable() (*play, *refusal) {
	if t.game == nil {
		return nil, refuse("stale", "there is no game")
	}
	return t.game, nil
}

// retrack tells the tracker the game as people have put it: it waits until the board shows that, and until then differences are
// shown.
func (t *Table) retrack() {
	t.tr.Restart(t.game.line.Start())
	if len(t.game.moves) > 0 {
		t.confirm(t.line())
	}
	t.guide, t.mirror, t.illegal, t.asked = nil, nil, nil, t.now
	t.prompt.square = rules.NoSquare
}

// cut takes plies back until so many stand, also illegal ones that stood. A game that was over goes on.
func (t *Table) cut(plies int, reason string) {
	g := t.game
	for g.before() > plies {
		if len(g.moves) > 0 {
			t.takeBack(len(g.moves), reason)
		}
		e := g.earlier[len(g.earlier)-1]
		n := len(e.moves) // without the illegal one, which is not of its line
		illegal := clone(e.uci[n:])
		e.uci, e.san, e.clk, e.at, e.final = e.uci[:n], e.san[:n], e.clk[:n], e.at[:n], e.final[:n]
		g.earlier, g.stretch, g.record = g.earlier[:len(g.earlier)-1], e, nil
		p := g.line.Position()
		t.emit(&Takeback{ToPly: g.plies(), Reason: reason, Undone: illegal, FEN: p.FEN()})
	}
	if n := g.plies() - plies; n > 0 {
		t.takeBack(n, reason)
	}
	g.result, g.reason, g.endT, g.record = "*", "", 0, nil
}

// doAccept lets an illegal move stand by the arbiter's word (laws A.5, 7.5.5: it was found too late, or he was not called).
func (t *Table) doAccept(c *board.Command) *refusal {
	g, no := t.running()
	if no != nil {
		return no
	}
	if c.Seq == 0 {
		return refuse("bad_value", "seq: that of the illegal move's event")
	}
	s := t.illegal
	if s == nil || !s.said || s.seq != c.Seq {
		return refuse("stale", "illegal move %d does not stand on the board", c.Seq)
	}
	if s.onward == nil {
		return refuse("bad_value", "there is no position after %s: a king is gone", s.uci())
	}
	r := t.tr.Report()
	n := len(r.Line)
	for ; n >= 0; n-- {
		if p := t.position(r.Line[:n]); p.Key() == s.before.Key() {
			break
		}
	}
	if n < 0 {
		return refuse("stale", "the position in which %s was played is gone", s.uci())
	}
	t.audit(c)
	t.illegal, t.doubt, t.desync, t.guide, t.mirror, t.sure = nil, nil, false, nil, nil, nil
	t.prompt.square = rules.NoSquare
	if line := clone(r.Line[:n]); common(line, g.moves) < len(g.moves) || n > len(g.moves) {
		t.become(line, clone(r.PlacedAt), "corrected")
	}
	if g.over() {
		return nil
	}
	t.stood(s)
	return nil
}

// stood makes an illegal move a ply of the game, which goes on from where it led.
func (t *Table) stood(s *standing) {
	g := t.game
	by := s.piece.Color()
	clk, final := t.clock.charge(by, t.now)
	body := &Moved{By: by, UCI: s.uci(), ClkMs: clk, PlacedMs: t.now - g.startedT, Illegal: true}
	letter, dash := strings.ToUpper(string(rune(s.piece.Letter()))), "-"
	if s.piece.Role() == rules.Pawn {
		letter = ""
	}
	taken := s.before.At(s.to)
	if s.victim < 64 {
		taken = s.before.At(s.victim)
	}
	if taken != rules.NoPiece && taken.Color() != by {
		small := string(rune(taken.Role().Letter()))
		body.Captured, dash = &small, "x"
	}
	body.SAN = letter + s.from.String() + dash + s.to.String() // the long form: the short one only names legal moves

	led := s.after.Setup()
	if led.Halfmove++; s.piece.Role() == rules.Pawn || body.Captured != nil {
		led.Halfmove = 0
	}
	if by == rules.Black {
		led.Fullmove++
	}
	after, err := led.Position(s.after.Variant())
	if err != nil {
		after = s.after
	}
	e := g.stretch
	e.uci, e.san = append(clone(e.uci), body.UCI), append(clone(e.san), body.SAN)
	e.clk, e.final, e.at = append(clone(e.clk), clk), append(clone(e.final), final), append(clone(e.at), body.PlacedMs)
	g.earlier = append(g.earlier, e)
	g.stretch, g.record, g.claim, g.irregular = stretch{line: rules.NewLine(after)}, nil, rules.NoClaim, true
	t.tr = s.onward
	body.FEN, body.Check, body.Mate = after.FEN(), after.InCheck(), after.State() == rules.Checkmate
	t.emit(body)
	t.outcome(by)
}

var (
	resultWords = []string{"*", "1-0", "0-1", "1/2-1/2"}
	reasonWords = []string{
		"checkmate", "stalemate", "dead", "fivefold", "75moves", "threefold", "fifty", "agreement", "resign", "flag", "flag_draw",
		"arbiter", "kings", "forfeit", "abandoned",
	}
)

func (t *Table) doResult(c *board.Command) *refusal {
	if _, no := t.onTable(); no != nil {
		return no
	}
	reason := c.Reason
	if reason == "" {
		if reason = "arbiter"; c.Result == "*" {
			reason = "abandoned"
		}
	}
	if !slices.Contains(reasonWords, reason) {
		return refuse("bad_value", "reason: one of %s", strings.Join(reasonWords, ", "))
	}
	if !slices.Contains(resultWords, c.Result) || (c.Result == "*") != (reason == "abandoned") {
		return refuse("bad_value", "value: 1-0, 0-1, 1/2-1/2, or * with the reason abandoned")
	}
	t.audit(c)
	t.game.paused = false
	t.endGame(c.Result, reason)
	return nil
}

// doSetup goes on from another position, with the same players: the arbiter has restored it.
func (t *Table) doSetup(c *board.Command) *refusal {
	variant := t.opt.Variant
	if t.game != nil {
		start := t.game.line.Start()
		variant = start.Variant()
	}
	p, no := t.positionOf("fen", c.FEN, variant, c.Force)
	if no != nil {
		return no
	}
	if g := t.game; g != nil && !g.over() && g.plies() > 0 && !c.Force {
		return refuse("game_in_progress", "game %s has %d plies and no result; force closes it", g.id, g.plies())
	}
	t.audit(c)
	names := &newGame{}
	if t.game != nil {
		names = t.game.asNew()
	}
	t.begin(p, names, nil)
	t.game.asked = true
	t.tr.Restart(p)
	return nil
}

// asNew is what the next game takes over.
func (g *play) asNew() *newGame {
	return &newGame{g.white, g.black, g.timeControl, g.event, g.site, g.round, g.table}
}

// doTruncate cuts off what was no part of the game, such as men being put away, and may say how it ended.
func (t *Table) doTruncate(c *board.Command) *refusal {
	g, no := t.onTable()
	if no != nil {
		return no
	}
	if c.Ply == nil || *c.Ply < 0 || *c.Ply > g.plies() {
		return refuse("bad_value", "ply: how many stay, from 0 to %d", g.plies())
	}
	if c.Result != "" && !slices.Contains(resultWords, c.Result) {
		return refuse("bad_value", "result: *, 1-0, 0-1 or 1/2-1/2")
	}
	t.audit(c)
	t.resolve(nil)
	t.cut(*c.Ply, "command")
	t.retrack()
	if c.Result != "" && c.Result != "*" {
		t.endGame(c.Result, "arbiter")
	}
	return nil
}

// maxEdit is how many plies one command may put in.
const maxEdit = 600

// doEdit replaces the plies from one on.
func (t *Table) doEdit(c *board.Command) *refusal {
	g, no := t.onTable()
	if no != nil {
		return no
	}
	if c.FromPly <= g.before() || c.FromPly > g.plies()+1 {
		return refuse("bad_value", "from_ply: from %d to %d", g.before()+1, g.plies()+1)
	}
	if len(c.UCI) > maxEdit {
		return refuse("bad_value", "uci: at most %d plies", maxEdit)
	}
	from := c.FromPly - 1 - g.before()
	line := rules.NewLine(g.line.Start())
	for _, m := range g.moves[:from] {
		line.Play(m)
	}
	for i, uci := range c.UCI {
		p := line.Position()
		m, err := p.ParseUCI(uci)
		if err != nil || line.Outcome() != rules.NoOutcome {
			return refuse("bad_value", "uci: ply %d, %.10q, is not legal there", c.FromPly+i, uci)
		}
		line.Play(m)
	}
	t.audit(c)
	t.resolve(nil)
	old := stretch{moves: g.moves, clk: clone(g.clk), final: clone(g.final), at: clone(g.at)}
	same := from
	for same < min(len(g.moves), line.Len()) && g.moves[same] == line.Move(same) {
		same++
	}
	t.cut(g.before()+same, "command")
	for i := same; i < line.Len() && !g.over(); i++ {
		var at int64
		if i < len(old.at) {
			at = old.at[i]
		} else if i > 0 {
			at = g.at[i-1]
		}
		var clk *int64
		var final bool
		if i < len(old.clk) {
			clk, final = old.clk[i], old.final[i]
		}
		t.make(line.Move(i), at, clk, final)
	}
	t.retrack()
	return nil
}

func (t *Table) doNames(c *board.Command) *refusal {
	g, no := t.onTable()
	if no != nil {
		return no
	}
	keys := []struct {
		given string
		to    *string
	}{{c.White, &g.white}, {c.Black, &g.black}, {c.Event, &g.event}, {c.Site, &g.site}, {c.Round, &g.round}, {c.Table, &g.table}}
	given := false
	for _, k := range keys {
		if !validName(k.given) {
			return refuse("bad_value", "names have at most %d characters", nameMax)
		}
		given = given || k.given != ""
	}
	if !given {
		return refuse("bad_value", "white, black, event, site, round, table: one of them is needed; ? for not known")
	}
	t.audit(c)
	for _, k := range keys {
		switch k.given {
		case "":
		case "?":
			*k.to = ""
		default:
			*k.to = k.given
		}
	}
	g.record = nil
	return nil
}

func (t *Table) doMode(c *board.Command) *refusal {
	if c.Mode != Training && c.Mode != Casual && c.Mode != Observer {
		return refuse("bad_value", "mode: training, casual or observer")
	}
	t.audit(c)
	if c.Mode == t.opt.Mode {
		return nil
	}
	// Questions are open where they were asked: they are closed there, and asked anew.
	if t.game != nil {
		t.resolve(t.game.moves)
	}
	if t.desync {
		t.desync = false
		t.emit(&Resync{})
	}
	t.opt.Mode = c.Mode
	return nil
}
