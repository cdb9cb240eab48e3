package main

import (
	"encoding/json"
	"fmt"
	"net"
	"slices"
	"strings"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/mqtt"
	"github.com/boardd/boardd/rules"
)

// published is an event as a subscriber reads it: what the demo shows and checks comes from the broker like everybody's.
type published struct {
	Type    string
	Ply     int
	UCI     plies
	SAN     string
	ToPly   int `json:"to_ply"`
	Reason  string
	Article string
	Square  string
	Squares []string
	Missing []struct{ Square, Piece string }
	Extra   []struct{ Square, Symbol string }
	King    string
	Kind    string
	Result  string
	Verb    string
}

// plies are the moves of an event: one as a string, or several in a list.
type plies []string

func (p *plies) UnmarshalJSON(text []byte) error {
	var one string
	if json.Unmarshal(text, &one) == nil {
		*p = plies{one}
		return nil
	}
	return json.Unmarshal(text, (*[]string)(p))
}

func (p plies) String() string { return strings.Join(p, " ") }

// witness listens at the broker and keeps the moves that stand.
type witness struct {
	client paho.Client
	screen *terminal.Screen
	news   chan struct{} // capacity 1: something came

	mu    sync.Mutex
	moves []string // UCI of the present game
}

// listen subscribes to a board's events.
func listen(address, topic string, s *terminal.Screen) (*witness, error) {
	w := &witness{screen: s, news: make(chan struct{}, 1)}
	o := paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("demo-witness").SetConnectTimeout(5 * time.Second)
	o.SetConnectionLostHandler(func(_ paho.Client, err error) { s.Say("the demo has lost the broker: "+err.Error(), terminal.Alarm) })
	w.client = paho.NewClient(o)
	if t := w.client.Connect(); t.Wait() && t.Error() != nil {
		return nil, fmt.Errorf("listen at the demo's own broker: %w", t.Error())
	}
	if t := w.client.Subscribe(topic, 1, func(_ paho.Client, m paho.Message) { w.hear(m.Payload()) }); t.Wait() && t.Error() != nil {
		w.close()
		return nil, fmt.Errorf("listen at the demo's own broker: %w", t.Error())
	}
	return w, nil
}

func (w *witness) close() { w.client.Disconnect(250) }

func (w *witness) hear(payload []byte) {
	var e published
	if err := json.Unmarshal(payload, &e); err != nil {
		w.screen.Say("an event is no JSON: "+err.Error(), terminal.Alarm)
		return
	}
	w.mu.Lock()
	switch e.Type {
	case "game_start":
		w.moves = nil
	case "move":
		w.moves = append(w.moves[:min(len(w.moves), max(0, e.Ply-1))], e.UCI.String())
	case "takeback":
		w.moves = w.moves[:min(len(w.moves), max(0, e.ToPly))]
	}
	w.mu.Unlock()
	w.screen.Say(e.line())
	select {
	case w.news <- struct{}{}:
	default:
	}
}

// standing are the moves that were published and not taken back.
func (w *witness) standing() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.Clone(w.moves)
}

// line is an event in a line of a stream.
func (e *published) line() (text string, tone terminal.Tone) {
	say := func(format string, a ...any) string {
		return strings.TrimRight(fmt.Sprintf("%-18s"+format, append([]any{e.Type}, a...)...), " ")
	}
	switch e.Type {
	case "move":
		number := fmt.Sprintf("%d.", (e.Ply+1)/2)
		if e.Ply%2 == 0 {
			number += ".."
		}
		return say("%5s %-8s %s", number, e.SAN, e.UCI), terminal.Bright
	case "takeback":
		return say("to ply %d: %s", e.ToPly, e.Reason), terminal.Alarm
	case "illegal_move":
		return say("%s %s %s", e.UCI, e.Article, e.Reason), terminal.Alarm
	case "desync":
		var squares []string
		for _, m := range e.Missing {
			squares = append(squares, m.Piece+m.Square)
		}
		for _, x := range e.Extra {
			squares = append(squares, x.Symbol+x.Square)
		}
		return say("%s", strings.Join(squares, " ")), terminal.Alarm
	case "doubt":
		return say("%s, %d squares", e.Kind, len(e.Squares)), terminal.Alarm
	case "resolved":
		return say("%s", e.UCI), terminal.Normal
	case "promotion_pending":
		return say("on %s", e.Square), terminal.Normal
	case "check":
		return say("king on %s", e.King), terminal.Normal
	case "game_end", "result_proposed":
		return say("%s %s", e.Result, e.Reason), terminal.Bright
	case "draw_claimable":
		return say("%s", e.Kind), terminal.Normal
	case "command":
		return say("%s", e.Verb), terminal.Faint
	}
	return e.Type, terminal.Faint
}

// men tells what the board shows: the sensors say where something stands, the best explanation what it is.
func men(v *game.View, start *rules.Position) (m terminal.Men) {
	pos := *start
	if v.FEN != "" {
		if p, err := rules.ParsePosition(v.FEN, start.Variant()); err == nil {
			pos = p
		}
	}
	for q := range rules.NoSquare {
		symbol, piece := v.Placement[q], pos.At(q)
		switch {
		case symbol == board.Empty:
		case v.Acuity == board.PieceAcuity && symbol != board.Unknown:
			m.Pieces[q], _ = rules.PieceFromLetter(byte(symbol))
		case piece != rules.NoPiece && v.Acuity.See(piece) == symbol:
			m.Pieces[q] = piece
		default:
			m.Unknown |= q.Bit()
		}
	}
	return m
}

// narrator says below the board what the hands are doing, as the board hears it.
type narrator struct {
	demo *demo

	mu    sync.Mutex
	begun bool
	begin int64
	list  []caption
}

// began is the core time at which the board's inputs begin.
func (n *narrator) began() int64 {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.begin
}

func (n *narrator) expect(base int64, list []caption) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for _, c := range list {
		n.list = append(n.list, caption{c.t + base, c.text})
	}
}

// hear is told of an input at core time t, and says the newest caption until then.
func (n *narrator) hear(t int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.begun {
		n.begun, n.begin = true, t
	}
	text, due := "", false
	for len(n.list) > 0 && n.list[0].t <= t-n.begin {
		text, due = n.list[0].text, true
		n.list = n.list[1:]
	}
	if due {
		n.say(text)
	}
}

func (n *narrator) say(text string) {
	host, port, _ := net.SplitHostPort(n.demo.address)
	n.demo.screen.SetFoot(
		"Hands:  "+text,
		"Lights: fast blinking = take off, slow blinking = put here, steady = look here",
		"Watch:  mosquitto_sub -h "+host+" -p "+port+" -t '"+mqtt.DefaultRoot+"/#' -v",
	)
}
