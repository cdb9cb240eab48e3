package laws

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/boardd/boardd/rules"
)

// event is what of an event's JSON people are told.
type event struct {
	Type       string      `json:"type"`
	By         string      `json:"by"`
	UCI        texts       `json:"uci"`
	SAN        string      `json:"san"`
	Captured   string      `json:"captured"`
	EnPassant  bool        `json:"en_passant"`
	Check      bool        `json:"check"`
	Mate       bool        `json:"mate"`
	Article    string      `json:"article"`
	Reason     string      `json:"reason"`
	Squares    squares     `json:"squares"`
	Square     square      `json:"square"`
	Square2    square      `json:"square2"`
	Must       []string    `json:"must"`
	Choices    []string    `json:"choices"`
	Kind       string      `json:"kind"`
	Candidates []candidate `json:"candidates"`
	Missing    []seen      `json:"missing"`
	Extra      []seen      `json:"extra"`
	Result     string      `json:"result"`
	Reply      *string     `json:"reply"`
	StartFEN   string      `json:"start_fen"`
	Moves      []string    `json:"moves"`
	Refused    []string    `json:"refused"`
	Undone     []string    `json:"undone"`
	Source     string      `json:"source"`
	How        string      `json:"how"`
	Verb       string      `json:"verb"`
}

type candidate struct {
	SAN []string `json:"san"`
}

// seen is a man that is missing, or what a square shows and should not.
type seen struct {
	Square square `json:"square"`
	Piece  string `json:"piece"`
	Symbol string `json:"symbol"`
}

// texts is a text or a list of them.
type texts []string

func (t *texts) UnmarshalJSON(data []byte) error {
	if len(data) > 0 && data[0] == '[' {
		return json.Unmarshal(data, (*[]string)(t))
	}
	var one *string
	err := json.Unmarshal(data, &one)
	if one != nil {
		*t = texts{*one}
	}
	return err
}

func (t texts) first() string { return strings.Join(t[:min(1, len(t))], "") }

// square is a square's name, "" for none.
type square string

func (s square) value() rules.Square {
	v, _ := rules.ParseSquare(string(s))
	return v
}

type squares []square

func (list squares) values() (out []rules.Square) {
	for _, s := range list {
		if v := s.value(); v != rules.NoSquare {
			out = append(out, v)
		}
	}
	return out
}

// Event is what an event says to people: a sentence or two without full stop, "" for an event that says nothing. The event is
// the JSON object that doors publish, or a body of it with its type; players' names are not used.
func (l *Language) Event(object []byte) (string, error) {
	var e event
	if err := json.Unmarshal(object, &e); err != nil {
		return "", fmt.Errorf("event: %w", err)
	}
	return l.event(&e), nil
}

func (l *Language) event(e *event) string {
	by := args{"side": sideOf(e.By)}
	switch e.Type {
	case "move":
		return l.moved(e)
	case "game_start":
		return l.started(e)
	case "takeback":
		return l.takenBack(e)
	case "illegal_move":
		return l.sentence("illegal", args{"side": sideOf(e.By), "way": l.way(e.UCI.first()),
			"why": l.because(e.Reason, e.Squares.values(), nil), "article": code(e.Article)})
	case "promotion_pending":
		return l.sentence("promotion.ask", args{"square": e.Square.value(), "pieces": rolesOf(e.Choices)})
	case "doubt":
		return l.doubt(e)
	case "resolved":
		if len(e.UCI) == 0 {
			return l.sentence("resolved.nothing", nil)
		}
		return l.sentence("resolved", args{"moves": moves(e.UCI)})
	case "desync":
		return l.desync(e)
	case "resync", "board_online", "board_offline":
		return l.sentence(e.Type, nil)
	case "touch_move":
		return l.touched(e)
	case "result_proposed":
		return l.sentence("result_proposed", args{"result": l.result(e.Result)})
	case "game_end":
		return l.End(e.Result, e.Reason)
	case "check", "flag_fallen", "draw_offer":
		return l.sentence(e.Type, by)
	case "draw_declined":
		if e.How == "move" {
			return l.sentence("draw_declined.move", by)
		}
		return l.sentence("draw_declined", by)
	case "draw_claimable":
		return l.sentence("draw_claimable", args{"why": l.Claim(e.Kind)})
	case "illegal_standing":
		if e.Reply == nil {
			return l.sentence("illegal_standing.clock", args{"side": sideOf(e.By), "way": l.way(e.UCI.first())})
		}
		return l.sentence("illegal_standing.reply", args{"side": sideOf(e.By), "way": l.way(e.UCI.first()), "reply": l.way(*e.Reply)})
	case "king_captured":
		return l.sentence("king_captured", args{"side": sideOf(e.By), "square": e.Square.value()})
	case "setup":
		return l.settingUp(e)
	case "low_battery":
		return l.sentence(l.known("low_battery.", e.Source), nil)
	case "weak_square":
		return l.sentence(l.known("weak_square.", e.Kind), args{"square": e.Square.value()})
	case "command":
		if e.By != "" {
			return l.sentence("command.by", args{"by": code(e.By), "verb": code(plainWords(e.Verb))})
		}
		return l.sentence("command", args{"verb": code(plainWords(e.Verb))})
	}
	return ""
}

func sideOf(text string) rules.Color {
	if text == "black" {
		return rules.Black
	}
	return rules.White
}

// moves are half-moves in notation, one after another.
func moves(list []string) code { return code(strings.Join(list, " ")) }

var roles = map[string]rules.Role{
	"pawn": rules.Pawn, "knight": rules.Knight, "bishop": rules.Bishop, "rook": rules.Rook, "queen": rules.Queen, "king": rules.King,
}

// rolesOf reads the names of pieces; what a pawn may become if there are none.
func rolesOf(names []string) (list []rules.Role) {
	for _, n := range names {
		if r, ok := roles[n]; ok {
			list = append(list, r)
		}
	}
	if len(list) == 0 {
		return []rules.Role{rules.Queen, rules.Rook, rules.Bishop, rules.Knight}
	}
	return list
}

func (l *Language) moved(e *event) string {
	ply, ok := readPly(e.UCI.first(), e.SAN)
	text := l.isolate(e.SAN)
	if ok {
		if len(e.Captured) == 1 {
			victim, _ := rules.PieceFromLetter(e.Captured[0])
			ply.Captured = victim.Role()
		}
		ply.EnPassant, ply.Check, ply.Mate = e.EnPassant, e.Check, e.Mate
		text = l.move(ply)
	}
	return l.sentence("move.by", args{"side": sideOf(e.By), "move": text})
}

func (l *Language) started(e *event) string {
	key := "game_start"
	if e.StartFEN != rules.StartFEN && e.StartFEN != "startpos" {
		key = "game_start.other"
	}
	more := ""
	if n := len(e.Moves); n > 0 {
		more = l.text("game_start.moves", args{"n": n})
	}
	return capital(l.parts(l.text(key, nil), more))
}

// takenBack tells the moves as long as they are few.
func (l *Language) takenBack(e *event) string {
	key := "takeback"
	if n := len(e.Undone); n > 6 {
		return l.sentence("takeback.many", args{"n": n})
	}
	if e.Reason == "corrected" {
		key = "takeback.corrected"
	}
	return l.sentence(key, args{"moves": moves(e.Undone)})
}

// doubt asks what happened. More than four ways are too many to be told.
func (l *Language) doubt(e *event) string {
	if key := "doubt." + e.Kind; l.say[key] != "" {
		return l.sentence(key, nil)
	}
	var ways []string
	for _, c := range e.Candidates {
		if len(c.SAN) > 0 && len(ways) < 4 {
			ways = append(ways, l.isolate(strings.Join(c.SAN, " ")))
		}
	}
	if len(ways) < 2 {
		return l.sentence("doubt", nil)
	}
	return l.sentence("doubt.ways", args{"ways": l.list(ways, l.or)})
}

// desync names the men as long as they are few.
func (l *Language) desync(e *event) string {
	text := l.sentence("desync", nil)
	if len(e.Missing) > 0 {
		text += l.pause + l.text("desync.missing", args{"men": l.few(e.Missing)})
	}
	if len(e.Extra) > 0 {
		text += l.pause + l.text("desync.extra", args{"men": l.few(e.Extra)})
	}
	return text
}

func (l *Language) few(list []seen) string {
	if len(list) > 4 {
		return l.text("men", args{"n": len(list)})
	}
	var names []string
	for _, s := range list {
		names = append(names, l.text("man.on", args{"man": l.seen(s), "square": s.Square.value()}))
	}
	return strings.Join(names, l.comma)
}

// seen is a man by its FEN letter, or what a square shows. Boards that see only colours say b for what is black, and those that
// know their pieces for the black bishop.
func (l *Language) seen(s seen) string {
	letter := s.Piece
	switch s.Symbol {
	case "w":
		return l.text("something.white", nil)
	case "b":
		return l.text("something.black", nil)
	case "":
	default:
		letter = s.Symbol
	}
	if len(letter) == 1 {
		if p, ok := rules.PieceFromLetter(letter[0]); ok {
			text, _ := l.bend(man{p.Role(), true, p.Color()}, "")
			return text
		}
	}
	return l.text("something", nil)
}

// touched says what a touch obliges to (4.3): the moves that are left tell whether to move the man, to take it, or both.
func (l *Language) touched(e *event) string {
	one, two := e.Square.value(), e.Square2.value()
	a := args{"square": one, "square2": two}
	if len(e.Must) == 0 {
		return l.sentence("touch_move.free", a)
	}
	moves, takes := true, true
	for _, uci := range e.Must {
		from, to, _, err := rules.SplitUCI(uci)
		if err != nil {
			continue
		}
		moves = moves && (from == one || from == two)
		takes = takes && (to == one || to == two)
		if from == two {
			a = args{"square": two, "square2": one}
		}
	}
	switch {
	case moves && takes && two != rules.NoSquare:
		return l.sentence("touch_move.both", a)
	case takes:
		return l.sentence("touch_move.take", a)
	}
	return l.sentence("touch_move.move", a)
}

func (l *Language) settingUp(e *event) string {
	if len(e.Refused) > 0 {
		why := l.Fault(e.Refused[0])
		if why == "" {
			why = l.text("fault.other", nil)
		}
		return l.sentence("setup.refused", args{"why": why})
	}
	if e.StartFEN != rules.StartFEN {
		return l.sentence("setup.position", args{"fen": code(e.StartFEN)})
	}
	return l.sentence("wait.start", nil)
}
