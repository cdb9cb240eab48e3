package recording

import (
	"encoding/hex"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// kinds are the keys of which a line has one.
var kinds = []string{"sq", "board", "cmd", "link", "clock", "button", "battery", "hex", "end"}

// parseLine reads a line that is not an opening one; o is the opening of its recording.
func parseLine(keys map[string]json.RawMessage, o *Opening) (e Entry, err error) {
	if isNull(keys["t"]) {
		return e, errors.New("a line needs its time t in milliseconds")
	}
	if err := read(keys, "t", &e.Input.T); err != nil {
		return e, errors.New("t is not a whole number of milliseconds")
	}
	if e.Input.T < 0 || e.Input.T > MaxT {
		return e, fmt.Errorf("t is %d: 0 to %d", e.Input.T, int64(MaxT))
	}
	kind := ""
	for _, k := range kinds {
		if isNull(keys[k]) {
			continue
		}
		if kind != "" {
			return e, fmt.Errorf("%s and %s in one line: one thing a line", kind, k)
		}
		kind = k
	}
	in := &e.Input
	switch kind {
	case "sq":
		in.Kind = board.Change
		in.Square, in.Symbol, err = parseChange(keys, o)
	case "board":
		in.Kind = board.Scan
		in.Picture, err = parsePicture(keys, o)
	case "cmd":
		in.Kind = board.Cmd
		in.Command = new(board.Command)
		if err = read(keys, "cmd", in.Command); err == nil && in.Command.Verb == "" {
			err = errors.New("cmd has no verb")
		}
	case "link":
		in.Kind = board.Link
		in.Online, err = parseLink(keys)
	case "clock":
		in.Kind = board.Clock
		in.Reading, err = parseReading(keys["clock"])
	case "button":
		in.Kind = board.Button
		if err = read(keys, "button", &in.ButtonName); err == nil && in.ButtonName == "" {
			err = errors.New("button has no name")
		}
	case "battery":
		in.Kind = board.Battery
		in.Percent, in.Charging, err = parseBattery(keys)
	case "hex":
		e.Bytes, err = parseHex(keys, o)
	case "end":
		in.Kind = board.End
		if string(keys["end"]) != "true" {
			err = errors.New("end is true or absent")
		}
	}
	return e, err
}

func parseChange(keys map[string]json.RawMessage, o *Opening) (rules.Square, board.Symbol, error) {
	var square, symbol string
	if err := read(keys, "sq", &square); err != nil {
		return 0, 0, err
	}
	if err := read(keys, "to", &symbol); err != nil {
		return 0, 0, err
	}
	s, ok := rules.ParseSquare(square)
	if !ok {
		return 0, 0, fmt.Errorf("sq is %q: a1 to h8", square)
	}
	if len(symbol) != 1 {
		return 0, 0, fmt.Errorf("to is %q: one symbol", symbol)
	}
	for _, a := range o.acuities() {
		if a.Valid(board.Symbol(symbol[0])) {
			return s, board.Symbol(symbol[0]), nil
		}
	}
	return 0, 0, fmt.Errorf("to is %q: not a symbol of this board", symbol)
}

func parsePicture(keys map[string]json.RawMessage, o *Opening) (p board.Picture, err error) {
	var text string
	if err := read(keys, "board", &text); err != nil {
		return p, err
	}
	for _, a := range o.acuities() {
		if p, err = board.ParsePicture(text, a); err == nil {
			return p, nil
		}
	}
	return p, err
}

// acuities are those a recording's symbols may have: any if only its driver knows.
func (o *Opening) acuities() []board.Acuity {
	if o.HasAcuity {
		return []board.Acuity{o.Acuity}
	}
	return []board.Acuity{board.PieceAcuity, board.ColorAcuity, board.Presence}
}

func parseLink(keys map[string]json.RawMessage) (bool, error) {
	var word string
	if err := read(keys, "link", &word); err != nil {
		return false, err
	}
	if word != "up" && word != "down" {
		return false, fmt.Errorf("link is %q: up or down", word)
	}
	return word == "up", nil
}

func parseHex(keys map[string]json.RawMessage, o *Opening) ([]byte, error) {
	if o.Driver == "" {
		return nil, errors.New("hex in a recording whose opening line names no driver")
	}
	var text string
	if err := read(keys, "hex", &text); err != nil {
		return nil, err
	}
	b, err := hex.DecodeString(strings.Join(strings.Fields(text), ""))
	if err != nil {
		return nil, errors.New("hex is not pairs of hexadecimal digits")
	}
	return b, nil
}

// battery is the board's own battery in a line.
type battery struct {
	Percent  int  `json:"percent"`
	Charging bool `json:"charging,omitempty"`
}

func parseBattery(keys map[string]json.RawMessage) (percent int, charging bool, err error) {
	line := battery{Percent: -1}
	if err := read(keys, "battery", &line); err != nil {
		return 0, false, err
	}
	if line.Percent < 0 || line.Percent > 100 {
		return 0, false, errors.New("battery has a percent from 0 to 100")
	}
	return line.Percent, line.Charging, nil
}

// format is the line of an entry; nil for one that a recording does not hold.
func (e *Entry) format() any {
	in := &e.Input
	if e.Bytes != nil {
		return struct {
			T   int64  `json:"t"`
			Hex string `json:"hex"`
		}{in.T, spaced(e.Bytes)}
	}
	switch in.Kind {
	case board.Change:
		return struct {
			T  int64  `json:"t"`
			Sq string `json:"sq"`
			To string `json:"to"`
		}{in.T, in.Square.String(), string(rune(in.Symbol))}
	case board.Scan:
		return struct {
			T     int64  `json:"t"`
			Board string `json:"board"`
		}{in.T, in.Picture.String()}
	case board.Cmd:
		return struct {
			T   int64          `json:"t"`
			Cmd *board.Command `json:"cmd"`
		}{in.T, in.Command}
	case board.Link:
		word := "down"
		if in.Online {
			word = "up"
		}
		return struct {
			T    int64  `json:"t"`
			Link string `json:"link"`
		}{in.T, word}
	case board.Clock:
		return struct {
			T     int64 `json:"t"`
			Clock any   `json:"clock"`
		}{in.T, formatReading(in.Reading)}
	case board.Button:
		return struct {
			T      int64  `json:"t"`
			Button string `json:"button"`
		}{in.T, in.ButtonName}
	case board.Battery:
		return struct {
			T       int64   `json:"t"`
			Battery battery `json:"battery"`
		}{in.T, battery{in.Percent, in.Charging}}
	case board.End:
		return struct {
			T   int64 `json:"t"`
			End bool  `json:"end"`
		}{in.T, true}
	}
	return nil
}

// spaced writes bytes as protocol pages do: pairs of digits with blanks between.
func spaced(b []byte) string {
	var out strings.Builder
	for i, c := range b {
		if i > 0 {
			out.WriteByte(' ')
		}
		fmt.Fprintf(&out, "%02x", c)
	}
	return out.String()
}
