package game

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Class is how far a command reaches; each door allows up to one (design.md §6).
type Class uint8

// The classes.
const (
	Safe Class = iota + 1
	Play
	Arbiter
)

// VerbClass is the class of a verb; ok is false for verbs that this table does not know. promotion is Play here, and Safe while
// one is pending (Snapshot.Pending): the door decides.
func VerbClass(verb string) (c Class, ok bool) {
	switch verb {
	case "announce", "identify", "led_brightness", "lights":
		return Safe, true
	case "choose", "claim", "draw", "flip", "move", "new_game", "pause", "promotion", "resign", "resume", "takeback":
		return Play, true
	case "accept", "clock_set", "edit", "mode", "names", "result", "setup", "truncate":
		return Arbiter, true
	}
	return 0, false
}

// Verbs are all verbs that a table knows, in the order of their classes.
var Verbs = []string{
	"announce", "identify", "led_brightness", "lights",
	"choose", "claim", "draw", "flip", "move", "new_game", "pause", "promotion", "resign", "resume", "takeback",
	"accept", "clock_set", "edit", "mode", "names", "result", "setup", "truncate",
}

const (
	answersMax = 256
	answersMs  = 10 * 60_000
	nameMax    = 64
)

// answer is a reply that is kept: the same id again gets it again, and nothing is done twice.
type answer struct {
	id    string
	t     int64
	reply Reply
}

// refusal is why a command is not done.
type refusal struct{ code, message string }

func refuse(code, format string, a ...any) *refusal { return &refusal{code, fmt.Sprintf(format, a...)} }

// command does a command and replies.
func (t *Table) command(c *board.Command) {
	for len(t.answers) > 0 && (t.answers[0].t+answersMs < t.now || len(t.answers) > answersMax) {
		t.answers = t.answers[1:]
	}
	if c.ID != "" {
		for _, a := range t.answers {
			if a.id == c.ID {
				again := a.reply
				again.Command, again.Status = c, "duplicate"
				t.out.Replies = append(t.out.Replies, again)
				return
			}
		}
	}
	reply := Reply{Command: c, Status: "ok"}
	if r := t.do(c); r != nil {
		reply.Status, reply.Code, reply.Message = "error", r.code, r.message
	} else {
		t.look()
	}
	reply.Seq = t.seq
	t.out.Replies = append(t.out.Replies, reply)
	if c.ID != "" && len(c.ID) <= nameMax {
		t.answers = append(t.answers, answer{c.ID, t.now, reply})
	}
}

func (t *Table) do(c *board.Command) *refusal {
	if _, known := VerbClass(c.Verb); !known {
		return refuse("unknown_verb", "there is no verb %.40q here", c.Verb)
	}
	if !validID(c.ID) || utf8.RuneCountInString(c.By) > 32 || !utf8.ValidString(c.By) {
		return refuse("bad_value", "id: at most 40 of A-Z a-z 0-9 . _ : -; by: at most 32 characters")
	}
	if c.IfSeq != nil && *c.IfSeq != t.seq {
		return refuse("stale", "if_seq %d, board is at %d", *c.IfSeq, t.seq)
	}
	if c.Game != "" && (t.game == nil || t.game.id != c.Game) {
		return refuse("stale", "game %.40q is not the one on the board", c.Game)
	}
	switch c.Verb {
	case "new_game":
		return t.doNewGame(c)
	case "takeback":
		return t.doTakeback(c)
	case "promotion":
		return t.doPromotion(c)
	case "choose":
		return t.doChoose(c)
	case "flip":
		return t.doFlip(c)
	case "resign":
		return t.doResign(c)
	case "draw":
		return t.doDraw(c)
	case "led_brightness":
		return t.doBrightness(c)
	case "lights":
		return t.doLights(c)
	case "identify":
		return t.doIdentify(c)
	case "claim":
		return t.doClaim(c)
	case "move":
		return t.doMove(c)
	case "pause":
		return t.doPause(c)
	case "resume":
		return t.doResume(c)
	case "accept":
		return t.doAccept(c)
	case "result":
		return t.doResult(c)
	case "setup":
		return t.doSetup(c)
	case "truncate":
		return t.doTruncate(c)
	case "edit":
		return t.doEdit(c)
	case "names":
		return t.doNames(c)
	case "clock_set":
		return t.doClockSet(c)
	case "mode":
		return t.doMode(c)
	}
	return nil // announce: the doors do it
}

func validID(id string) bool {
	if len(id) > 40 {
		return false
	}
	for i := range len(id) {
		b := id[i]
		if !(b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 'a' && b <= 'z' || strings.IndexByte("._:-", b) >= 0) {
			return false
		}
	}
	return true
}

// audit says that a command is done, before what comes of it.
func (t *Table) audit(c *board.Command) {
	t.emit(&CommandDone{Verb: c.Verb, ID: orNull(c.ID), By: orNull(c.By)})
}

// running is the game on its way, or why there is none.
func (t *Table) running() (*play, *refusal) {
	if t.game == nil || t.game.over() {
		return nil, refuse("stale", "no game is on its way")
	}
	return t.game, nil
}

func validName(s string) bool { return utf8.ValidString(s) && utf8.RuneCountInString(s) <= nameMax }

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
		return refuse("nothing_to_take_back", "%s can be taken back, not %d", takeable(g), plies)
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

// takeable says how many plies a game has, in words.
func takeable(g *play) string {
	switch {
	case g == nil || g.plies() == 0:
		return "nothing"
	case g.plies() == 1:
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", g.plies())
}

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

func (t *Table) doChoose(c *board.Command) *refusal {
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

func (t *Table) doFlip(c *board.Command) *refusal {
	turned := !t.turned
	switch c.Orientation {
	case "":
	case "white", "black":
		turned = c.Orientation == "black"
	default:
		return refuse("bad_value", "orientation: white or black")
	}
	if g := t.game; g != nil && !g.over() && g.plies() > 0 {
		return refuse("game_in_progress", "a board is not turned during a game")
	}
	if turned != t.turned && t.shows() {
		return refuse("forbidden", "the pieces of the start position show which way the board stands")
	}
	t.audit(c)
	t.oriented, t.fixed = true, true
	switch m := t.mirror; {
	case turned == t.turned:
		t.upright(nil)
	case m != nil && t.game != nil:
		t.turnReading()
	default:
		t.mirror = nil
		t.turnBoard()
	}
	return nil
}

// shows reports whether the board itself says which way it stands: by a start position whose sides it can tell apart. Turned round,
// it would be turned back at once.
func (t *Table) shows() bool {
	if t.opt.Acuity == board.Presence || t.opt.Orientation == "white" || t.opt.Orientation == "black" {
		return false
	}
	first := t.firstPosition()
	seen := t.opt.see(&first)
	return t.tr.Picture() == seen && seen != seen.Turned()
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

// button does what a button on the board says; names that are not known do nothing.
func (t *Table) button(name string) {
	switch name {
	case "new_game":
		t.command(&board.Command{Verb: name, By: "button", Force: true})
	case "takeback":
		t.command(&board.Command{Verb: name, By: "button"})
	case "promotion":
		if t.prompt.square != rules.NoSquare {
			t.choosePiece(t.prompt.choice(t.promotion))
		}
		return
	case "lights":
		on := !t.lightsOn
		t.command(&board.Command{Verb: name, By: "button", On: &on})
	case "clock_left", "clock_right":
		side := board.Left
		if name == "clock_right" {
			side = board.Right
		}
		t.pressButton(t.colorOf(side, false))
		return
	default:
		return
	}
	t.out.Replies = nil // nobody asked
}
