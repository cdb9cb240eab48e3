package game

import (
	"strconv"

	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// play is the game on the table.
type play struct {
	id       string
	startedT int64
	start    string // FEN
	earlier  []stretch
	stretch

	white, black, timeControl string
	event, site, round, table string
	paused                    bool

	result, reason string // "*" and "" while it goes on
	endT           int64
	irregular      bool
	asked          bool        // by a command: its position is still to be set up
	stood          bool        // its start has been on the board (kept in observer mode only)
	claim          rules.Claim // said last
	offer          *rules.Color
	checkT         int64

	record *Record // nil when the game has changed since
}

// stretch are plies that follow one another by the laws. A game has more than one when an illegal ply stands: it is the last of its
// stretch in uci and san, and not in line.
type stretch struct {
	line     *rules.Line
	moves    []rules.Move // those of line
	uci, san []string
	clk      []*int64
	final    []bool // the ply's clk is from the reading that shows its press
	at       []int64
}

// before is how many plies stand before the stretch that is played now.
func (g *play) before() (n int) {
	for i := range g.earlier {
		n += len(g.earlier[i].uci)
	}
	return n
}

// plies is how many plies stand.
func (g *play) plies() int { return g.before() + len(g.moves) }

func (g *play) lastEarlier() *stretch {
	if n := len(g.earlier); n > 0 {
		return &g.earlier[n-1]
	}
	return nil
}

// first is the line from the game's start.
func (g *play) first() *rules.Line {
	if len(g.earlier) > 0 {
		return g.earlier[0].line
	}
	return g.line
}

func (g *play) over() bool { return g.result != "*" }

// byLaw reports whether the position itself ended the game: then taking back the last ply opens it again.
func (g *play) byLaw() bool {
	switch g.reason {
	case "checkmate", "stalemate", "dead", "fivefold", "75moves":
		return true
	}
	return false
}

// Record is the game as it stands; the same pointer as long as nothing changes.
func (g *play) asRecord() *Record {
	if g.record == nil {
		start := g.line.Start()
		r := &Record{
			ID: g.id, StartedT: g.startedT, StartFEN: g.start, White: g.white, Black: g.black, TimeControl: g.timeControl,
			Event: g.event, Site: g.site, Round: g.round, Table: g.table,
			Variant: start.Variant().String(), UCI: []string{}, SAN: []string{}, ClkMs: []*int64{}, AtMs: []int64{},
			Result: g.result, Reason: g.reason, Irregular: g.irregular,
		}
		for i := range len(g.earlier) + 1 {
			s := &g.stretch
			if i < len(g.earlier) {
				s = &g.earlier[i]
			}
			if i > 0 {
				led := s.line.Start()
				r.Stood = append(r.Stood, Stood{Ply: len(r.UCI), FEN: led.FEN()})
			}
			r.UCI, r.SAN = append(r.UCI, s.uci...), append(r.SAN, s.san...)
			r.ClkMs, r.AtMs = append(r.ClkMs, s.clk...), append(r.AtMs, s.at...)
		}
		g.record = r
	}
	return g.record
}

// clone copies, and makes an empty slice of nil, so that JSON has [].
func clone[T any](s []T) []T { return append(make([]T, 0, len(s)), s...) }

// common is how many plies two lines share from the beginning.
func common(a, b []rules.Move) int {
	n := min(len(a), len(b))
	for i := range n {
		if a[i] != b[i] {
			return i
		}
	}
	return n
}

// line is a copy of the plies that stand.
func (t *Table) line() []rules.Move { return clone(t.game.moves) }

// begin closes the game before and starts one, with plies that were made before it was watched.
func (t *Table) begin(start rules.Position, c *newGame, before []rules.Move) {
	t.closeGame()
	t.count++
	g := &play{
		id: t.opt.Games + "-" + strconv.Itoa(t.count), startedT: t.now, start: start.FEN(), stretch: stretch{line: rules.NewLine(start)},
		result: "*", irregular: len(start.Faults()) > 0,
	}
	if c != nil {
		g.white, g.black, g.timeControl = c.white, c.black, c.timeControl
		g.event, g.site, g.round, g.table = c.event, c.site, c.round, c.table
	}
	for _, m := range before {
		p := g.line.Position()
		if !p.IsLegal(m) {
			break
		}
		g.push(m, nil, 0)
	}
	t.game = g
	armed := t.mirror
	if t.arming < 0 {
		armed = nil
	}
	t.forget()
	if t.mirror = armed; armed == nil && t.tr != nil {
		t.mirror = t.turnedToo(start)
	}
	t.emit(&GameStart{
		StartFEN: g.start, White: orNull(g.white), Black: orNull(g.black), TimeControl: orNull(g.timeControl),
		Variant: start.Variant().String(), Moves: clone(g.uci),
	})
}

// forget drops what was asked and found in the game before.
func (t *Table) forget() {
	t.arming, t.jumped, t.retracted, t.asked = -1, false, 0, t.now
	t.mirror, t.misset, t.asSetUp = nil, false, false
	t.sure, t.guide, t.doubt, t.illegal, t.desync, t.kings = nil, nil, nil, nil, false, ""
	t.prompt, t.recalled = prompt{square: rules.NoSquare}, nil
	t.clock.press = [2]press{}
}

// closeGame puts the game away; one without a result is abandoned.
func (t *Table) closeGame() {
	if t.game == nil {
		return
	}
	if !t.game.over() {
		t.endGame("*", "abandoned")
	}
	t.past = append(t.past, t.game.asRecord())
	t.game = nil
}

// endGame says a result; "*" closes the game without one.
func (t *Table) endGame(result, reason string) {
	g := t.game
	g.result, g.reason, g.endT, g.record = result, reason, t.now, nil
	t.doubt, t.illegal, t.desync, t.kings = nil, nil, false, ""
	t.prompt.square = rules.NoSquare
	t.emit(&GameEnd{Result: result, Reason: reason, PGN: g.asRecord().pgn(g.first(), ""), StartedT: g.startedT})
}

// push makes a legal ply.
func (g *play) push(m rules.Move, clk *int64, at int64) {
	p := g.line.Position()
	g.uci, g.san = append(g.uci, p.UCI(m)), append(g.san, p.SAN(m))
	g.line.Play(m)
	g.moves, g.clk, g.final, g.at = append(g.moves, m), append(g.clk, clk), append(g.final, false), append(g.at, at)
	g.record = nil
}

// commit makes a ply of the game and says what follows from it: first the move, then check, then the end of the game.
func (t *Table) commit(m rules.Move, placed int64) bool {
	g := t.game
	p := g.line.Position()
	if g.over() || !p.IsLegal(m) {
		return false
	}
	by := p.Turn()
	clk, final := t.clock.charge(by, placed)
	t.make(m, max(placed-g.startedT, 0), clk, final)
	return true
}

// make makes a legal ply of a game that goes on and says what follows from it. at is when it was made, from the game's start.
func (t *Table) make(m rules.Move, at int64, clk *int64, final bool) {
	g := t.game
	p := g.line.Position()
	by := p.Turn()
	var captured *string
	if victim := p.At(m.Victim()); victim != rules.NoPiece && !m.IsCastling() {
		letter := string(rune(victim.Role().Letter()))
		captured = &letter
	}
	g.push(m, clk, at)
	g.final[len(g.final)-1] = final
	t.retracted, t.jumped, t.oriented = 0, false, t.oriented || !t.remote
	after := g.line.Position()
	state := after.State()
	t.emit(&Moved{
		By: by, UCI: g.uci[len(g.uci)-1], SAN: g.san[len(g.san)-1], FEN: after.FEN(), Captured: captured,
		Check: after.InCheck(), Mate: state == rules.Checkmate, ClkMs: clk, PlacedMs: at, EnPassant: m.IsEnPassant(), Remote: t.remote,
	})
	if g.offer != nil && *g.offer != by {
		g.offer = nil
		t.emit(&DrawDeclined{By: by, How: "move"}) // 9.1.2.1: touching a piece with intent refuses
	}
	if state == rules.Check {
		g.checkT = t.now
		if t.opt.Mode != Observer {
			t.emit(&Check{By: by, King: after.King(after.Turn()), Checkers: squares(after.Checkers())})
		}
	}
	t.outcome(by)
}

// outcome ends the game when the position or the line does (5.1.1, 5.2.1, 5.2.2, 9.6), and says a draw that may be claimed.
func (t *Table) outcome(mover rules.Color) {
	g := t.game
	o := g.line.Outcome()
	if o == rules.NoOutcome {
		claim := g.line.Claimable()
		if claim != g.claim && claim != rules.NoClaim {
			t.emit(&DrawClaimable{claim.String()})
		}
		g.claim = claim
		return
	}
	g.claim = rules.NoClaim
	switch o {
	case rules.Checkmated:
		t.endGame(won(mover), "checkmate")
	case rules.Stalemated:
		t.endGame("1/2-1/2", "stalemate")
	default:
		reasons := map[rules.Outcome]string{rules.Dead: "dead", rules.Fivefold: "fivefold", rules.SeventyFive: "75moves"}
		if t.opt.Mode == Observer {
			t.emit(&ResultProposed{Result: "1/2-1/2", Reason: reasons[o]}) // the arbiter's to say
			return
		}
		t.endGame("1/2-1/2", reasons[o])
	}
}

func won(c rules.Color) string {
	if c == rules.White {
		return "1-0"
	}
	return "0-1"
}

// takeBack withdraws the last n plies. A game that its position had ended goes on.
func (t *Table) takeBack(n int, reason string) {
	g := t.game
	to := len(g.moves) - n
	undone := clone(g.uci[to:])
	if reason == "corrected" {
		t.clock.uncharge(g, to) // the clock was pressed all the same, for the move that is to come
	}
	g.line.Undo(n)
	g.moves, g.uci, g.san = g.moves[:to], g.uci[:to], g.san[:to]
	g.clk, g.final, g.at = g.clk[:to], g.final[:to], g.at[:to]
	g.result, g.reason, g.endT, g.record, g.offer = "*", "", 0, nil, nil
	g.claim = rules.NoClaim
	if len(t.sure) > to {
		t.sure = nil
	}
	if reason == "board" {
		t.retracted += n
	}
	p := g.line.Position()
	t.emit(&Takeback{ToPly: g.before() + to, Reason: reason, Undone: undone, FEN: p.FEN()})
}

// become makes the game's plies those of a line.
func (t *Table) become(line []rules.Move, placed []int64, reason string) {
	keep := common(t.game.moves, line)
	if n := len(t.game.moves) - keep; n > 0 {
		t.takeBack(n, reason)
	}
	for i := keep; i < len(line) && !t.game.over(); i++ {
		at := t.now
		if i < len(placed) {
			at = placed[i]
		}
		if !t.commit(line[i], at) {
			return
		}
	}
}

// position is where a line from the game's start leads; plies that are not legal end it.
func (t *Table) position(line []rules.Move) rules.Position {
	n := common(t.game.moves, line)
	p := t.game.line.At(n)
	for _, m := range line[n:] {
		if !p.IsLegal(m) {
			break
		}
		p.Play(m)
	}
	return p
}

// goingBack reports whether every man that is astray stands where it came from by the last plies of the line: the next to be taken
// back.
func goingBack(r *sensing.Report) bool {
	for _, d := range r.Displaced {
		back := false
		for _, m := range r.Line[max(0, len(r.Line)-2):] {
			back = back || m.From() == d.At && m.Target() == d.Home
		}
		if !back {
			return false
		}
	}
	return true
}

// reason says why plies go: the pieces went back, or were seen better.
func (t *Table) reason(r *sensing.Report) string {
	if common(r.Line, t.game.moves) == len(r.Line) && (r.Match || goingBack(r)) {
		return "board"
	}
	return "corrected"
}

const reopenMs = 5000 // so long after its end a game may turn out to have ended otherwise

// reopen looks at a game that is over: only taking back or correcting the ply that ended it counts.
func (t *Table) reopen(r *sensing.Report) bool {
	g := t.game
	n := len(g.moves)
	if !g.byLaw() || n == 0 {
		return false
	}
	if common(r.Line, g.moves) != n-1 {
		return false
	}
	switch {
	case len(r.Line) == n-1 && r.Match && !t.opt.NoTakeback && t.rested(r, restMs):
		t.tr.Rewind(clone(r.Line))
		t.takeBack(1, "board")
		return true
	case len(r.Line) >= n && r.Firm >= n && t.now <= g.endT+reopenMs: // later the men are only put away
		t.become(clone(r.Line[:r.Firm]), clone(r.PlacedAt), "corrected")
		return true
	}
	return false
}
