package mqtt

import (
	"bytes"
	"encoding/json"
	"fmt"
	"regexp"
	"strings"
	"time"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

const (
	stampLayout = "2006-01-02T15:04:05.000Z07:00" // ts, at: milliseconds, always UTC
	startLayout = "2006-01-02T15:04:05Z07:00"     // started: whole seconds
	standardFEN = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
)

func stamp(t time.Time) string { return t.UTC().Format(stampLayout) }

// encode writes one JSON object without HTML escapes. Bodies hold nothing that cannot be written.
func encode(v any) []byte {
	var b bytes.Buffer
	e := json.NewEncoder(&b)
	e.SetEscapeHTML(false)
	if err := e.Encode(v); err != nil {
		panic(fmt.Sprintf("a body that JSON cannot say: %v", err)) // a fault of this file, found by its tests
	}
	return bytes.TrimSuffix(b.Bytes(), []byte("\n"))
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

type pendingBody struct {
	Kind       string         `json:"kind"`
	Squares    []rules.Square `json:"squares"`
	DeadlineMs *int64         `json:"deadline_ms"` // from the message's ts or t
}

func pendingOf(p *game.Pending, t int64) *pendingBody {
	if p == nil {
		return nil
	}
	b := &pendingBody{Kind: p.Kind, Squares: append([]rules.Square{}, p.Squares...)}
	if p.DeadlineMs != 0 {
		left := max(p.DeadlineMs-t, 0)
		b.DeadlineMs = &left
	}
	return b
}

type stateBody struct {
	V              int               `json:"v"`
	Node           string            `json:"node"`
	Board          string            `json:"board"`
	Epoch          string            `json:"epoch"`
	Seq            int64             `json:"seq"`
	TS             string            `json:"ts"`
	TSOK           bool              `json:"ts_ok"`
	Status         string            `json:"status"`
	Game           *string           `json:"game"`
	Ply            int               `json:"ply"`
	Turn           *rules.Color      `json:"turn"`
	LastSAN        *string           `json:"last_san"`
	LastUCI        *string           `json:"last_uci"`
	LastBy         *rules.Color      `json:"last_by"`
	FEN            *string           `json:"fen"`
	InCheck        bool              `json:"in_check"`
	Result         string            `json:"result"`
	Reason         *string           `json:"reason"`
	White          *string           `json:"white"`
	Black          *string           `json:"black"`
	Orientation    *string           `json:"orientation"`
	Pending        *pendingBody      `json:"pending"`
	Mode           string            `json:"mode"`
	Match          bool              `json:"match"`
	ProvisionalUCI *string           `json:"provisional_uci"`
	Text           *string           `json:"text"`
	WeakSquares    []game.WeakSquare `json:"weak_squares"`
	Battery        *int              `json:"battery"`
	Round          *string           `json:"round"`
	Table          *string           `json:"table"`
}

// stateOf is the body of the topic state: flat, every key there, null for what is not known.
func (d *Door) stateOf(s game.StampedSnapshot) []byte {
	s.Snapshot = shown(s.Snapshot)
	b := stateBody{
		V: 1, Node: d.opt.Node, Board: s.Board, Epoch: s.Epoch, Seq: s.Seq, TS: stamp(s.TS), TSOK: s.TSOK,
		Status: s.Status, Turn: s.Turn, LastSAN: orNull(s.LastSAN), LastUCI: orNull(s.LastUCI), LastBy: s.LastBy,
		FEN: orNull(s.FEN), InCheck: s.InCheck, Result: "*", Orientation: orNull(s.Orientation), Pending: pendingOf(s.Pending, s.T),
		Mode: s.Mode, Match: s.Match, ProvisionalUCI: orNull(s.ProvisionalUCI),
		Text: stateText(s.Snapshot, d.words(s.Board)), WeakSquares: append([]game.WeakSquare{}, s.WeakSquares...),
	}
	if g := s.Game; g != nil {
		b.Game, b.Ply, b.Reason = &g.ID, len(g.UCI), orNull(g.Reason)
		b.White, b.Black = d.name(g.White), d.name(g.Black)
		b.Round, b.Table = orNull(g.Round), orNull(g.Table)
		if g.Result != "" {
			b.Result = g.Result
		}
	}
	return encode(b)
}

// shown is what all may see of a snapshot. At an observed board the players are helped with nothing: what the board waits for, and
// that it is out of step, is the arbiter's to hear.
func shown(s *game.Snapshot) *game.Snapshot {
	if s.Mode != game.Observer {
		return s
	}
	open := *s
	open.Pending = nil
	if open.Status == "desync" {
		open.Status = "playing"
	}
	return &open
}

func (d *Door) name(s string) *string {
	if !d.opt.PublishNames {
		return nil
	}
	return orNull(s)
}

type gameBody struct {
	V           int      `json:"v"`
	Node        string   `json:"node"`
	Board       string   `json:"board"`
	Epoch       string   `json:"epoch"`
	Seq         int64    `json:"seq"`
	Game        *string  `json:"game"`
	Started     *string  `json:"started"`
	StartFEN    *string  `json:"start_fen"`
	Variant     *string  `json:"variant"`
	White       *string  `json:"white"`
	Black       *string  `json:"black"`
	Event       *string  `json:"event"` // the tournament
	Site        *string  `json:"site"`
	Round       *string  `json:"round"`
	Table       *string  `json:"table"`
	TimeControl *string  `json:"time_control"`
	UCI         []string `json:"uci"`
	SAN         []string `json:"san"`
	ClkMs       []*int64 `json:"clk_ms"`
	AtMs        []int64  `json:"at_ms"`
	Result      string   `json:"result"`
	Reason      *string  `json:"reason"`
	Irregular   bool     `json:"irregular"`
	PGN         *string  `json:"pgn"` // null while the game goes on

	Stood []game.Stood `json:"stood"` // illegal plies that stand
}

// gameOf is the body of the topics game and last_game: the whole game, one entry a ply in each list. Without a game the
// lists are empty, so that a consumer can still take the seq.
func (d *Door) gameOf(s game.StampedSnapshot, g *game.Record) []byte {
	b := gameBody{
		V: 1, Node: d.opt.Node, Board: s.Board, Epoch: s.Epoch, Seq: s.Seq, Result: "*",
		UCI: []string{}, SAN: []string{}, ClkMs: []*int64{}, AtMs: []int64{}, Stood: []game.Stood{},
	}
	if g != nil {
		began := s.TS.Add(time.Duration(g.StartedT-s.T) * time.Millisecond).UTC()
		started := began.Format(startLayout)
		start := g.StartFEN
		if start == standardFEN || start == "" {
			start = "startpos"
		}
		b.Game, b.Started, b.StartFEN, b.Variant = &g.ID, &started, &start, orNull(g.Variant)
		b.White, b.Black, b.TimeControl = d.name(g.White), d.name(g.Black), orNull(g.TimeControl)
		b.UCI, b.SAN = append(b.UCI, g.UCI...), append(b.SAN, g.SAN...)
		b.ClkMs, b.AtMs = append(b.ClkMs, g.ClkMs...), append(b.AtMs, g.AtMs...)
		b.Event, b.Site, b.Round, b.Table = orNull(g.Event), orNull(g.Site), orNull(g.Round), orNull(g.Table)
		b.Stood = append(b.Stood, g.Stood...)
		b.Reason, b.Irregular = orNull(g.Reason), g.Irregular
		if g.Result != "" {
			b.Result = g.Result
		}
		if g.Reason != "" {
			b.PGN = d.pgnOf(*g, date(began, s.TSOK))
		}
	}
	return encode(b)
}

func (d *Door) pgnOf(g game.Record, date string) *string {
	if !d.opt.PublishNames {
		g.White, g.Black = "", ""
	}
	pgn := g.PGN(date)
	return &pgn
}

// date is a day in PGN; "" while the computer's clock may be wrong.
func date(t time.Time, sure bool) string {
	if !sure {
		return ""
	}
	return t.UTC().Format("2006.01.02")
}

type settingsBody struct {
	V             int     `json:"v"`
	LEDBrightness int     `json:"led_brightness"`
	Lights        bool    `json:"lights"`
	Promotion     string  `json:"promotion"`
	Orientation   *string `json:"orientation"`
	Mode          string  `json:"mode"`
}

func settingsOf(s *game.Snapshot) []byte {
	return encode(settingsBody{1, s.LEDBrightness, s.LightsOn, s.DefaultPromotion, orNull(s.Orientation), s.Mode})
}

func statusOf(s *game.Snapshot) []byte {
	if s != nil && s.Online {
		return []byte("online")
	}
	return []byte("offline")
}

type liveBody struct {
	V           int            `json:"v"`
	Board       string         `json:"board"`
	T           int64          `json:"t"` // core time in milliseconds
	Placement   string         `json:"placement"`
	Lifted      []rules.Square `json:"lifted"`
	Provisional *string        `json:"provisional"`
	Pending     *pendingBody   `json:"pending"`
	Doubt       *int64         `json:"doubt"` // its id
}

// liveOf is the body of the topic live: what the sensors and the best guess say at this moment.
func liveOf(boardID string, v *game.View) []byte {
	b := liveBody{
		V: 1, Board: boardID, T: v.T, Placement: v.Placement.String(), Lifted: []rules.Square{},
		Provisional: orNull(v.Provisional), Pending: pendingOf(v.Pending, v.T),
	}
	for set := v.Lifted; set != 0; {
		b.Lifted = append(b.Lifted, set.Pop())
	}
	if v.DoubtID != 0 {
		b.Doubt = &v.DoubtID
	}
	if v.Mode == game.Observer {
		b.Pending, b.Doubt = nil, nil
	}
	return encode(b)
}

type boardBody struct {
	ID     string `json:"id"`
	Name   string `json:"name"`
	Driver string `json:"driver"`
	Acuity string `json:"acuity"`
}

func (d *Door) boardsOf(list []game.BoardInfo) []byte {
	b := struct {
		V      int         `json:"v"`
		Node   string      `json:"node"`
		Boards []boardBody `json:"boards"`
	}{1, d.opt.Node, []boardBody{}}
	for _, i := range list {
		b.Boards = append(b.Boards, boardBody{i.ID, i.Name, i.Driver, i.Acuity.String()})
	}
	return encode(b)
}

type replyBody struct {
	V       int     `json:"v"`
	ID      *string `json:"id"`
	Verb    string  `json:"verb"`
	Status  string  `json:"status"`
	Code    *string `json:"code"`
	Message *string `json:"message"`
	Seq     *int64  `json:"seq"`
}

// lateAfter is the age from which an event is marked late, so that automations do not act on a drained backlog.
const lateAfter = time.Minute

// eventOf is the body of the topics event, arbiter and resend.
func (d *Door) eventOf(stamped *game.StampedEvent) ([]byte, error) {
	e := *stamped
	e.Board, e.Arbiter = game.StreamOf(e.Board)
	late := d.opt.Now().Sub(e.TS) > lateAfter
	if end, ok := e.Body.(*game.GameEnd); ok {
		e.Body = d.dated(&e, *end)
	}
	body, err := e.JSON(e.Board, e.Epoch, stamp(e.TS), late)
	if err == nil && !d.opt.PublishNames {
		body, err = hideNames(body)
	}
	if err != nil {
		return nil, err
	}
	return withText(body, d.words(e.Board)), nil
}

// dated is the end of a game with the day of its start in the PGN, if that is known.
func (d *Door) dated(e *game.StampedEvent, end game.GameEnd) *game.GameEnd {
	latest, ok := d.feed.Latest(e.Board)
	if day := date(e.TS.Add(time.Duration(end.StartedT-e.T)*time.Millisecond), ok && latest.TSOK); day != "" {
		end.PGN = strings.Replace(end.PGN, `[Date "????.??.??"]`, `[Date "`+day+`"]`, 1)
	}
	return &end
}

var (
	nameKeys = map[string]bool{"white": true, "black": true}
	nameTag  = regexp.MustCompile(`(?m)^\[((?:White|Black)[A-Za-z]*) "(?:[^"\\]|\\.)*"\]`)
)

// hideNames sets the players' names to null wherever an event's keys hold them, and to "?" in the tags of its PGN. Order
// and all else stay as they are.
func hideNames(object []byte) ([]byte, error) {
	d := json.NewDecoder(bytes.NewReader(object))
	if _, err := d.Token(); err != nil {
		return nil, err
	}
	out := []byte{'{'}
	for d.More() {
		key, err := d.Token()
		if err != nil {
			return nil, err
		}
		var value json.RawMessage
		if err := d.Decode(&value); err != nil {
			return nil, err
		}
		name, _ := key.(string)
		var text string
		switch isText := json.Unmarshal(value, &text) == nil && value[0] == '"'; {
		case isText && nameKeys[name]:
			value = json.RawMessage("null")
		case isText && name == "pgn":
			value = encode(nameTag.ReplaceAllString(text, `[$1 "?"]`))
		case value[0] == '{':
			if value, err = hideNames(value); err != nil {
				return nil, err
			}
		}
		if len(out) > 1 {
			out = append(out, ',')
		}
		out = append(append(append(out, encode(name)...), ':'), value...)
	}
	return append(out, '}'), nil
}
