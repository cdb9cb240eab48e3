package main

import (
	"cmp"
	"context"
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
	Type  string
	Ply   int
	UCI   plies
	SAN   string
	ToPly int `json:"to_ply"`
	Text  string
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

// line is an event in a line of a stream: a move with its number, all else in the words that were published with it.
func (e *published) line() (text string, tone terminal.Tone) {
	switch e.Type {
	case "move":
		number := fmt.Sprintf("%d.", (e.Ply+1)/2)
		if e.Ply%2 == 0 {
			number += ".."
		}
		return fmt.Sprintf("%5s %-8s %s", number, e.SAN, e.UCI), terminal.Bright
	case "game_start", "game_end", "result_proposed":
		tone = terminal.Bright
	case "takeback", "illegal_move", "illegal_standing", "king_captured", "desync", "doubt", "weak_square", "board_offline":
		tone = terminal.Alarm
	case "command", "setup", "board_online":
		tone = terminal.Faint
	}
	return cmp.Or(e.Text, e.Type), tone
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
	demo  *demo
	times chan int64 // core times that the board has come to

	mu    sync.Mutex
	begun bool
	begin int64
	list  []caption

	told   string // line of the hands
	lights string // line of the lights
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

// run says the captions as the board comes to their times.
func (n *narrator) run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case t := <-n.times:
			n.hear(t)
		}
	}
}

// starts is told the core time at which the hands' time begins.
func (n *narrator) starts(t int64) {
	n.mu.Lock()
	n.begun, n.begin = true, t
	n.mu.Unlock()
	n.hear(t)
}

// hear is told of an input at core time t, and says the newest caption until then.
func (n *narrator) hear(t int64) {
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.begun {
		return
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

// ending is told how the game ended, nil while it goes on: then the lights mean something else.
func (n *narrator) ending(e *game.End) {
	n.mu.Lock()
	defer n.mu.Unlock()
	text := legend
	switch {
	case e != nil && e.Draw:
		text = "Lights: both kings blink slowly = a draw"
	case e != nil:
		text = "Lights: the king that blinks has lost, the one that shines has won"
	}
	if n.lights != text {
		n.lights = text
		n.foot()
	}
}

// finish says how the demo went, in the place where the hands were told.
func (n *narrator) finish(summary string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.told = summary
	n.foot()
}

func (n *narrator) say(text string) {
	n.told = "Hands:  " + text
	n.foot()
}

const legend = "Lights: fast blinking = take off, slow blinking = put here, steady = look here"

// foot has the command without the picture, which is no text, and short enough for 80 columns: 127.0.0.1 goes without saying.
func (n *narrator) foot() {
	host, port, _ := net.SplitHostPort(n.demo.address)
	at := "-h " + host + " -p " + port
	if host == "127.0.0.1" {
		at = "-p " + port
	}
	watch := "Watch:  mosquitto_sub " + at + " -t '" + mqtt.DefaultRoot + "/#' -T '" + mqtt.DefaultRoot + "/+/+/image' -v"
	n.demo.screen.SetFoot(n.told, cmp.Or(n.lights, legend), watch)
}
