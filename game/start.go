package game

import (
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

const (
	startMs   = 1000 // the start position stands so long for a new game
	kingsMs   = 5000 // kings in the centre stand so long for their result
	rewindMax = 4    // so many plies taken back to the start position are still the same game
)

// newGame is what a command may say of a new game.
type newGame struct{ white, black, timeControl, event, site, round, table string }

// startPosition watches for the start position: to begin a game, to begin the next, and to find the board turned. told means
// that the tracker has been told something; waits, that the game before is as good as over and nothing more is taken into it.
func (t *Table) startPosition(r *sensing.Report) (told, waits bool) {
	picture := t.tr.Picture()
	if t.turnedStart(r, picture) {
		return true, false
	}
	if t.opt.Mode == Observer {
		// A start position ends and begins nothing there, and takes nothing back that was not taken back ply by ply.
		first := t.firstPosition()
		if g := t.game; g != nil && !g.stood {
			start := g.line.Start()
			g.stood = picture == t.opt.see(&start)
		}
		return false, t.game != nil && t.jumped && len(t.game.moves) > rewindMax && picture == t.opt.see(&first)
	}
	t.misplaced(r, picture)
	if r.Settled && t.setUpByHand(picture) {
		return true, false
	}
	first := t.firstPosition()
	stands := r.Start && picture == t.opt.see(&first) && !t.playedInto(r, &first) && !t.awaits(r, picture)
	g := t.game
	own := false // the game began there
	if g != nil {
		start := g.line.Start()
		own = start.Key() == first.Key()
	}
	switch {
	case g == nil:
		return t.setUp(r, first, stands), false
	case !stands:
		return false, false
	case own && !g.over() && len(g.moves) == 0 && t.retracted <= rewindMax:
		return false, false
	case g.asked && !g.over() && r.StartSince <= max(g.startedT, t.stoodThere()):
		return false, false // it stood there already when another position was asked for: that one is yet to be set up
	}
	rewound := own && !g.over() && !t.jumped && len(g.moves)+t.retracted <= rewindMax
	if since := max(r.StartSince, g.endT); t.now < since+startMs {
		t.want(since + startMs)
		return false, !rewound
	}
	if rewound && t.opt.NoTakeback {
		return false, false
	}
	if rewound && len(r.Line) == 0 {
		t.tr.Rewind(nil)
		t.takeBack(len(g.moves), "board")
		return true, false
	}
	t.begin(first, nil, nil)
	t.tr.Restart(first)
	return true, false
}

// stoodThere is until when a start position that stands now may have stood there from before the table was resumed.
func (t *Table) stoodThere() int64 {
	if t.seenAt == 0 && !t.unseen || len(t.game.moves) > 0 {
		return 0
	}
	return t.seenAt + t.opt.SettleMs + 60
}

// playedInto reports whether play has led to another position that only looks like the first one: king and rook of Chess960 that
// change places in castling leave every square as it was to a board that cannot tell them apart.
func (t *Table) playedInto(r *sensing.Report, first *rules.Position) bool {
	if t.game == nil || t.game.over() || !r.Match || len(r.Line) == 0 {
		return false
	}
	p := t.position(r.Line)
	for s := range rules.Square(64) {
		if p.At(s) != first.At(s) {
			return true
		}
	}
	return false
}

// firstPosition is what a set-up must show: the initial position, or in Chess960 the game's own.
func (t *Table) firstPosition() rules.Position {
	if t.game != nil {
		if p := t.game.line.Start(); p.Variant() == rules.Chess960 {
			return p
		}
	}
	return rules.Start()
}

// setUp waits for the first game. Its start is tracked from the moment at which the position stands, so that a first move made
// within the second is not lost.
func (t *Table) setUp(r *sensing.Report, first rules.Position, stands bool) bool {
	switch {
	case stands && t.arming != r.StartSince:
		t.tr.Restart(first)
		t.mirror = t.turnedToo(first)
		again := t.tr.Report()
		t.arming = again.StartSince
		return again.Start
	case stands && t.now >= r.StartSince+startMs:
		t.begin(first, nil, nil)
		return true
	case stands:
		t.want(r.StartSince + startMs)
	case t.arming >= 0 && (r.Firm > 0 || t.mirror != nil && t.mirror.begun()):
		since := t.arming
		t.begin(first, nil, nil)
		t.game.startedT = since
		return true
	}
	return false
}

// turnedStart finds a start position set up on a board that stands turned round. A presence board cannot tell, and a game on its
// way is never turned.
func (t *Table) turnedStart(r *sensing.Report, picture board.Picture) bool {
	if !r.Settled || t.opt.Acuity == board.Presence || t.opt.Orientation == "white" || t.opt.Orientation == "black" {
		return false
	}
	g := t.game
	fresh := g == nil || len(g.moves) == 0 && !g.over()
	first := t.firstPosition()
	seen := t.opt.see(&first)
	stands := picture == seen.Turned() && picture != seen
	if fresh && g != nil && !stands {
		own := g.line.Start()
		seen = t.opt.see(&own)
		stands = picture == seen.Turned() && picture != seen
	}
	if !stands {
		if fresh && picture == seen {
			t.oriented = true
		}
		return false
	}
	if !fresh && (t.opt.Mode == Observer || !t.rested(r, startMs)) {
		return false
	}
	t.turnBoard()
	return true
}

// turnBoard reads the board the other way round from now on.
func (t *Table) turnBoard() {
	t.turned, t.oriented, t.jumped = !t.turned, true, true
	t.observe(board.Input{Kind: board.Scan, Picture: t.raw})
}

// kingsInCentre follows the kings that the players put in the centre to agree on a result; while they stand there, nothing else
// counts.
func (t *Table) kingsInCentre(r *sensing.Report) bool {
	if r.Kings == "" || t.opt.Mode == Observer {
		t.kings = ""
		return false
	}
	if t.kings != r.Kings {
		t.withdrawKings(r)
		t.kings = r.Kings
		t.emit(&ResultProposed{Result: r.Kings, Reason: "kings"})
	}
	if t.now >= r.KingsSince+kingsMs {
		t.endGame(r.Kings, "kings")
		return true
	}
	t.want(r.KingsSince + kingsMs)
	return true
}

// withdrawKings takes back what looked like king moves on the way to the centre.
func (t *Table) withdrawKings(r *sensing.Report) {
	g := t.game
	n := 0
	for i := len(g.moves) - 1; i >= 0 && n < 4; i, n = i-1, n+1 {
		p := g.line.At(i)
		if p.At(g.moves[i].From()).Role() != rules.King || g.moves[i].IsCastling() || g.startedT+g.at[i] < r.KingsSince-kingsMs {
			break
		}
	}
	if n > 0 {
		t.takeBack(n, "corrected")
		t.confirm(t.line())
	}
}

func (t *Table) doNewGame(c *board.Command) *refusal {
	if !validName(c.White) || !validName(c.Black) {
		return refuse("bad_value", "names have at most %d characters", nameMax)
	}
	if !validTimeControl(c.TimeControl) {
		return refuse("bad_value", "time_control is that of PGN, such as 900+10, not %.40q", c.TimeControl)
	}
	variant := t.opt.Variant
	if c.Variant != "" {
		v, err := rules.ParseVariant(c.Variant)
		if err != nil {
			return refuse("bad_value", "variant is standard or chess960, not %.40q", c.Variant)
		}
		variant = v
	}
	start := rules.Start()
	if c.StartFEN != "" && c.StartFEN != "startpos" {
		p, no := t.positionOf("start_fen", c.StartFEN, variant, c.Force)
		if no != nil {
			return no
		}
		start = p
	} else if variant == rules.Chess960 {
		if t.game == nil {
			return refuse("bad_value", "chess960 needs a start_fen")
		}
		start = t.game.line.Start()
	}
	if t.game != nil && !t.game.over() && t.game.plies() > 0 && !c.Force {
		return refuse("game_in_progress", "game %s has %d plies and no result; force closes it", t.game.id, t.game.plies())
	}
	t.audit(c)
	t.begin(start, &newGame{white: c.White, black: c.Black, timeControl: c.TimeControl}, nil)
	t.game.asked = true
	t.tr.Restart(start)
	return nil
}

// validTimeControl reads PGN's TimeControl: periods with : between, each ?, -, 40/9000, 900, 900+10 or *180.
func validTimeControl(s string) bool {
	if s == "" || s == "?" || s == "-" {
		return true
	}
	if len(s) > nameMax {
		return false
	}
	for _, period := range strings.Split(s, ":") {
		period = strings.TrimPrefix(period, "*")
		if moves, rest, ok := strings.Cut(period, "/"); ok {
			if !digits(moves) {
				return false
			}
			period = rest
		}
		base, inc, plus := strings.Cut(period, "+")
		if !digits(base) || plus && !digits(inc) {
			return false
		}
	}
	return true
}

func digits(s string) bool { return s != "" && len(s) <= 6 && strings.Trim(s, "0123456789") == "" }
