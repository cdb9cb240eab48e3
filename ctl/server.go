// Package ctl is the door for commands of this computer: a unix socket that only its owner and a group may use, with everything
// allowed. Requests and answers are lines of JSON. A request has a verb, the id of the board, which may be left out where there is
// one only, and the keys of the verb:
//
//	{"verb":"takeback","board":"table-07","plies":1}
//
// Besides the commands of docs/mqtt.md there are the verbs boards, state, and events, with since (a seq; left out: from now on),
// follow (until the next request, or the end of the connection) and arbiter (what only arbiters see). The answer is any number of lines with the key boards,
// state or event, and then one with the key reply, which ends it.
package ctl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

// Limits of a server.
const (
	maxLine    = commands.MaxBytes + 256 // of a request, in bytes
	maxClients = 32                      // at once
)

// Options of a Server. Feed is needed.
type Options struct {
	Feed     game.Feed
	State    func(game.StampedSnapshot) []byte        // the body of a state
	Event    func(*game.StampedEvent) ([]byte, error) // the body of an event
	Announce func()                                   // has the other doors say everything again; nil: there are none
	// ArbiterEvents is Feed.Events for what only arbiters see; nil: that is not given out.
	ArbiterEvents func(board string, from int64, max int) ([]game.StampedEvent, error)
	Log           *slog.Logger // default: none
}

// Deadlines of a connection.
const (
	idleFor  = 5 * time.Minute  // without a request
	writeFor = 5 * time.Second  // for a line: who reads slower is cut off
	doFor    = 10 * time.Second // for the answer of a board
	pauseFor = time.Second      // after a client could not be let in
)

// Server answers requests.
type Server struct{ opt Options }

// New makes a server that does not run yet.
func New(o Options) *Server {
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Server{o}
}

// Run answers who comes to l until ctx ends, and closes l.
func (s *Server) Run(ctx context.Context, l net.Listener) error {
	ctx, cancel := context.WithCancel(ctx)
	var clients sync.WaitGroup
	defer clients.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = l.Close() })
	defer stop()
	places := make(chan struct{}, maxClients)
	for {
		c, err := l.Accept()
		if ctx.Err() != nil {
			return nil
		}
		if err != nil { // no more files may be opened, for example: that passes
			s.opt.Log.Warn("nobody can be let in at the socket for commands", "err", err)
			pause := time.NewTimer(pauseFor)
			select {
			case <-pause.C:
			case <-ctx.Done():
				pause.Stop()
			}
			continue
		}
		select {
		case places <- struct{}{}:
			clients.Go(func() {
				defer func() { <-places }()
				s.serve(ctx, c)
			})
		default:
			_ = c.SetWriteDeadline(time.Now().Add(time.Second))
			_, _ = c.Write(line("reply", reply{Status: "error", Code: ptr(commands.RateLimited), Message: ptr("too many speak with boardd at once")}))
			_ = c.Close()
		}
	}
}

// serve answers one client until it hangs up, says too much, or does not listen.
func (s *Server) serve(ctx context.Context, c net.Conn) {
	defer c.Close()
	ctx, cancel := context.WithCancel(ctx)
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = c.Close() })
	defer stop()
	k := &client{Server: s, conn: c, asked: make(chan []byte), gone: make(chan struct{})}
	go k.listen(ctx)
	for {
		_ = c.SetReadDeadline(time.Now().Add(idleFor))
		text, ok := k.next(ctx)
		if !ok {
			return
		}
		_ = c.SetReadDeadline(time.Time{}) // who waits for an answer need not say anything
		whole := text[len(text)-1] == '\n'
		if k.say("reply", k.answer(ctx, text)) != nil || !whole && len(text) >= maxLine {
			return
		}
	}
}

// client is who asks.
type client struct {
	*Server
	conn  net.Conn
	asked chan []byte   // lines that it said
	gone  chan struct{} // closed when it says no more
	held  []byte        // a line that ended the answer to the one before
	err   error         // of writing
}

// listen takes what the client says. What is longer than a line may be is its last.
func (k *client) listen(ctx context.Context) {
	defer close(k.gone)
	lines := bufio.NewReaderSize(k.conn, maxLine)
	for {
		text, err := lines.ReadSlice('\n')
		if len(text) > 0 && (err == nil || err == io.EOF || err == bufio.ErrBufferFull) {
			select {
			case k.asked <- append([]byte(nil), text...):
			case <-ctx.Done():
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// next is the next line; false when there will be none.
func (k *client) next(ctx context.Context) (text []byte, ok bool) {
	if text, k.held = k.held, nil; text != nil {
		return text, true
	}
	select {
	case text := <-k.asked:
		return text, true
	case <-k.gone:
	case <-ctx.Done():
	}
	return nil, false
}

// say writes one line of an answer.
func (k *client) say(key string, value any) error {
	if k.err == nil {
		_ = k.conn.SetWriteDeadline(time.Now().Add(writeFor))
		_, k.err = k.conn.Write(line(key, value))
	}
	return k.err
}

// line is an object with one key.
func line(key string, value any) []byte {
	text, err := json.Marshal(map[string]any{key: value})
	if err != nil {
		text, _ = json.Marshal(map[string]any{"reply": reply{Status: "error", Code: ptr(commands.Internal), Message: ptr(err.Error())}})
	}
	return append(text, '\n')
}

// reply ends an answer. What is not known is null.
type reply struct {
	Verb    string  `json:"verb"`
	Board   *string `json:"board"`
	ID      *string `json:"id"`
	Status  string  `json:"status"` // ok, error, duplicate
	Code    *string `json:"code"`
	Message *string `json:"message"`
	Seq     *int64  `json:"seq"`
}

func ptr[T any](v T) *T { return &v }

// answer does what a line asks for and gives the reply.
func (k *client) answer(ctx context.Context, text []byte) (r reply) {
	q, no := decode(text)
	r.Verb, r.Status = q.Verb, "ok"
	if q.ID != "" {
		r.ID = &q.ID
	}
	if q.Verb != "boards" {
		unknown := k.board(&q)
		if unknown == nil {
			r.Board = &q.board
		} else if no == nil {
			no = unknown
		}
	}
	if no == nil {
		no = k.do(ctx, &q, &r)
	}
	if no != nil {
		r.Status, r.Code, r.Message = "error", &no.Code, &no.Message
	}
	if s, ok := k.opt.Feed.Latest(q.board); ok && r.Seq == nil {
		r.Seq = &s.Seq
	}
	return r
}

// board finds the board that is meant.
func (k *client) board(q *question) *commands.Refusal {
	var ids []string
	for _, b := range k.opt.Feed.Boards() {
		if b.ID == q.board {
			return nil
		}
		ids = append(ids, b.ID)
	}
	switch {
	case q.board == "" && len(ids) == 1:
		q.board = ids[0]
		return nil
	case q.board == "":
		return commands.Refuse(commands.BadValue, "say which board: "+strings.Join(ids, ", "))
	}
	no := commands.Refuse(commands.BadValue, fmt.Sprintf("there is no board %.40q: there is %s", q.board, strings.Join(ids, ", ")))
	q.board = ""
	return no
}

func (k *client) do(ctx context.Context, q *question, r *reply) *commands.Refusal {
	switch q.Verb {
	case "boards":
		list := []boardBody{}
		for _, b := range k.opt.Feed.Boards() {
			list = append(list, boardBody{b.ID, b.Name, b.Driver, b.Acuity.String()})
		}
		_ = k.say("boards", list)
		return nil
	case "state":
		s, ok := k.opt.Feed.Latest(q.board)
		if !ok {
			return commands.Refuse(commands.Gone, "nothing is known of the board yet")
		}
		_ = k.say("state", json.RawMessage(k.opt.State(s)))
		return nil
	case "events":
		return k.events(ctx, q)
	case "resend":
		if q.From == 0 {
			return commands.Refuse(commands.BadValue, "from: the first seq that is wanted is needed")
		}
		limit := q.Max
		if limit == 0 {
			limit = commands.MaxResend
		}
		_, no := k.give(k.opt.Feed.Events, q.board, q.From, limit)
		return no
	case "announce":
		if k.opt.Announce != nil {
			k.opt.Announce()
		}
		return nil
	}
	ctx, cancel := context.WithTimeout(ctx, doFor)
	defer cancel()
	a, err := k.opt.Feed.Do(ctx, q.board, &q.Command)
	if err != nil {
		k.opt.Log.Warn("a command over the socket got no answer", "board", q.board, "verb", q.Verb, "err", err)
		return commands.Refuse(commands.Internal, "the board did not answer; look at its state before asking again")
	}
	r.Status, r.Seq = a.Status, &a.Seq
	if a.Code != "" {
		r.Code, r.Message = &a.Code, &a.Message
	}
	return nil
}

type boardBody struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Driver string `json:"driver"`
	Acuity string `json:"acuity"`
}

// events gives what has happened since, and with follow what happens, until the client asks something else or hangs up.
func (k *client) events(ctx context.Context, q *question) *commands.Refusal {
	fetch := k.opt.Feed.Events
	if q.arbiter {
		if fetch = k.opt.ArbiterEvents; fetch == nil {
			return commands.Refuse(commands.Forbidden, "what only arbiters see is not given out here")
		}
	}
	changed, cancel := k.opt.Feed.Watch()
	defer cancel()
	next := q.since + 1
	if !q.sinceSet {
		s, ok := k.opt.Feed.Latest(q.board)
		if ok && q.arbiter {
			next = s.ArbiterSeq + 1
		} else if ok {
			next = s.Seq + 1
		}
	}
	for {
		after, no := k.give(fetch, q.board, next, 1<<30)
		if no != nil || k.err != nil || !q.follow {
			return no
		}
		next = after
		select {
		case <-ctx.Done():
			return commands.Refuse(commands.Internal, "the daemon has ended")
		case <-k.gone:
			return nil
		case k.held = <-k.asked: // it wants to know something else now
			return nil
		case <-changed:
		}
	}
}

// page is how many events are fetched at once.
const page = 64

// give gives events from a number on and says which number comes next.
func (k *client) give(fetch func(string, int64, int) ([]game.StampedEvent, error), board string, from int64, limit int) (next int64, no *commands.Refusal) {
	for limit > 0 && k.err == nil {
		list, err := fetch(board, from, min(limit, page))
		if errors.Is(err, game.ErrGone) {
			return from, commands.Refuse(commands.Gone, err.Error())
		} else if err != nil {
			return from, commands.Refuse(commands.Internal, err.Error())
		}
		if len(list) == 0 {
			break
		}
		for i := range list {
			body, err := k.opt.Event(&list[i])
			if err != nil {
				return from, commands.Refuse(commands.Internal, err.Error())
			}
			if k.say("event", json.RawMessage(body)) != nil {
				return from, nil
			}
			from = list[i].Seq + 1
		}
		limit -= len(list)
	}
	return from, nil
}
