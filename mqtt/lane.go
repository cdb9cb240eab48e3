package mqtt

import (
	"context"
	"fmt"
	"strings"
	"time"

	"golang.org/x/time/rate"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

// lane is the way of one board's commands: a queue that the connection's receive path fills without ever waiting, and a
// goroutine that empties it. Boards do not wait for each other.
type lane struct {
	board   string // "" for the node itself
	queue   chan message
	limit   *rate.Limiter
	scolded time.Time // when rate_limited was last replied
}

// message is what came in on cmd/<verb>.
type message struct {
	board   string // as the topic says; "" for the node's own
	verb    string
	payload []byte // at most one byte more than may be
}

// reply is one message for a topic reply.
type reply struct {
	topic string
	body  []byte
	at    time.Time
}

const (
	queueLength = 64
)

func newLane(board string) *lane {
	return &lane{board: board, queue: make(chan message, queueLength), limit: rate.NewLimiter(5, 10)}
}

// accept puts a message into its lane, or counts why not. It is called on the receive path: it never waits.
func (d *Door) accept(topic string, payload []byte, retained bool) {
	m, ok := d.route(topic)
	if !ok {
		return
	}
	if retained {
		d.count.Retained.Add(1) // left there by somebody, perhaps long ago: never a wish of now
		return
	}
	m.payload = append([]byte(nil), payload[:min(len(payload), commands.MaxBytes+1)]...)
	l := d.lanes[m.board]
	if l == nil {
		l = d.lanes[""]
	}
	select {
	case l.queue <- m:
	default:
		d.count.Overflow.Add(1)
	}
}

// route reads <node>/<board>/cmd/<verb> and <node>/cmd/<verb>.
func (d *Door) route(topic string) (m message, ok bool) {
	rest, ok := strings.CutPrefix(topic, d.base)
	if !ok {
		return m, false
	}
	if verb, own := strings.CutPrefix(rest, "cmd/"); own && !strings.Contains(verb, "/") {
		return message{verb: verb}, true
	}
	id, rest, _ := strings.Cut(rest, "/")
	verb, ok := strings.CutPrefix(rest, "cmd/")
	return message{board: id, verb: verb}, ok && !strings.Contains(verb, "/")
}

func (d *Door) work(ctx context.Context, l *lane) {
	for {
		select {
		case <-ctx.Done():
			return
		case m := <-l.queue:
			d.handle(ctx, l, m)
		}
	}
}

// handle answers one message, unless the same lane was told that it asks too much a moment ago.
func (d *Door) handle(ctx context.Context, l *lane, m message) {
	r, no := commands.Decode(m.verb, m.payload)
	now := d.opt.Now()
	if !l.limit.AllowN(now, 1) || !d.limit.AllowN(now, 1) {
		d.count.RateLimited.Add(1)
		if since := now.Sub(l.scolded); since >= 0 && since < time.Second {
			return
		}
		l.scolded = now
		d.refuse(l, &r, commands.Refuse(commands.RateLimited, "at most 5 commands a second for a board and 50 for the node"))
		return
	}
	if no == nil {
		no = d.admit(l, m, &r)
	}
	if no != nil {
		if c := d.count.of(no.Code); c != nil {
			c.Add(1)
		}
		d.refuse(l, &r, no)
		return
	}
	switch {
	case r.Verb == "announce":
		d.send(l, errand{all: true, board: l.board, id: r.ID, verb: r.Verb})
	case r.Verb == "resend":
		d.resend(l, &r)
	default:
		d.do(ctx, l, &r)
	}
}

// admit says whether this door lets the command through.
func (d *Door) admit(l *lane, m message, r *commands.Request) *commands.Refusal {
	if m.board != l.board {
		return commands.Refuse(commands.BadValue, "there is no such board")
	}
	if l.board == "" && r.Verb != "announce" {
		return commands.Refuse(commands.UnknownVerb, "the node itself knows only announce; boards take theirs on <node>/<board>/cmd/<verb>")
	}
	needed, ok := verbClass(r.Verb)
	if !ok {
		return commands.Refuse(commands.UnknownVerb, "no such verb")
	}
	if r.Verb == "promotion" && d.promoting(l.board) {
		needed = game.Safe // an answer to what the board asks
	}
	if needed > d.class {
		return commands.Refuse(commands.Forbidden, fmt.Sprintf("%s needs mqtt.commands = %q", r.Verb, classNames[needed]))
	}
	return nil
}

func (d *Door) promoting(board string) bool {
	s, ok := d.feed.Latest(board)
	return ok && s.Pending != nil && s.Pending.Kind == "promotion" && s.Mode != game.Observer // there only the arbiter was asked
}

// do gives the command to the board and replies what it answers.
func (d *Door) do(ctx context.Context, l *lane, r *commands.Request) {
	ctx, cancel := context.WithTimeout(ctx, d.pace.do)
	defer cancel()
	answer, err := d.feed.Do(ctx, l.board, &r.Command)
	if err != nil {
		d.opt.Logger.Warn("MQTT: a command got no answer", "board", l.board, "verb", r.Verb, "err", err)
		d.refuse(l, r, commands.Refuse(commands.Internal, "the board did not answer; look at its state before asking again"))
		return
	}
	d.answer(l.board, r.ID, r.Verb, answer.Status, answer.Code, answer.Message, &answer.Seq)
}

// resend looks whether the events are still there; the publishing goroutine fetches and sends them bit by bit.
func (d *Door) resend(l *lane, r *commands.Request) {
	if r.From == 0 {
		d.count.BadValue.Add(1)
		d.refuse(l, r, commands.Refuse(commands.BadValue, "from: the first seq that is wanted is needed"))
		return
	}
	if _, err := d.feed.Events(l.board, r.From, 1); err != nil {
		d.refuse(l, r, unread(err))
		return
	}
	if r.Max == 0 {
		r.Max = commands.MaxResend
	}
	d.send(l, errand{board: l.board, from: r.From, max: r.Max, id: r.ID, verb: r.Verb})
}

func (d *Door) send(l *lane, e errand) {
	select {
	case d.errands <- e:
	default:
		d.count.RateLimited.Add(1)
		d.answer(l.board, e.id, e.verb, "error", commands.RateLimited, "too much is asked for already", nil)
	}
}

func (d *Door) refuse(l *lane, r *commands.Request, no *commands.Refusal) {
	d.answer(l.board, r.ID, r.Verb, "error", no.Code, no.Message, nil)
}

// answer queues a reply. seq nil stands for the board's newest.
func (d *Door) answer(board, id, verb, status, code, message string, seq *int64) {
	topic := d.base + "reply"
	if board != "" {
		topic = d.base + board + "/reply"
		if s, ok := d.feed.Latest(board); seq == nil && ok {
			seq = &s.Seq
		}
	}
	r := reply{topic, encode(replyBody{1, orNull(id), verb, status, orNull(code), orNull(message), seq}), d.opt.Now()}
	select {
	case d.replies <- r:
	default:
		d.count.Unanswered.Add(1)
	}
}

// classOff is the class of a door that lets nothing through; the others are game's.
const classOff game.Class = 0

var classNames = [...]string{classOff: "off", game.Safe: "safe", game.Play: "play", game.Arbiter: "arbiter"}

// doorClass reads the value of mqtt.commands.
func doorClass(word string) (game.Class, bool) {
	for c, name := range classNames {
		if name == word {
			return game.Class(c), true
		}
	}
	return classOff, false
}

// verbClass is the class that a verb needs. resend is the door's own: the game knows no past events.
func verbClass(verb string) (game.Class, bool) {
	if verb == "resend" {
		return game.Safe, true
	}
	return game.VerbClass(verb)
}
