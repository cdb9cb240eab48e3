package game

import (
	"fmt"
	"slices"
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

// byClass are the verbs that a table knows.
var byClass = [...][]string{
	Safe:    {"announce", "identify", "led_brightness", "lights"},
	Play:    {"choose", "claim", "draw", "flip", "move", "new_game", "pause", "promotion", "resign", "resume", "takeback"},
	Arbiter: {"accept", "clock_set", "edit", "mode", "names", "result", "setup", "truncate"},
}

// Verbs are all verbs that a table knows, in the order of their classes.
var Verbs = slices.Concat(byClass[:]...)

// VerbClass is the class of a verb; ok is false for verbs that this table does not know. promotion is Play here, and Safe while
// one is pending (Snapshot.Pending): the door decides.
func VerbClass(verb string) (c Class, ok bool) {
	for c, verbs := range byClass {
		if slices.Contains(verbs, verb) {
			return Class(c), true
		}
	}
	return 0, false
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
