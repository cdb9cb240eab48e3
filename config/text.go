package config

import "reflect"

// Text describes a home-made board that speaks over a serial line, as driver/text does. What is left out or empty is as the preset
// has it, and without one as the driver has it. Bytes to send are text, or hexadecimal after "hex:".
type Text struct {
	Preset    string      `toml:"preset" json:"preset,omitempty"`       // a public project's board that this one is like; "" for none
	Baud      int64       `toml:"baud" json:"baud,omitempty"`           // of the line
	DTR       string      `toml:"dtr" json:"dtr,omitempty"`             // keep on off
	RTS       string      `toml:"rts" json:"rts,omitempty"`             // keep on off
	SettleMs  int64       `toml:"settle_ms" json:"settle_ms,omitempty"` // after the port was opened, before anything is sent
	Framing   TextFraming `toml:"framing" json:"framing,omitzero"`
	StartSend []string    `toml:"start_send" json:"start_send,omitempty"`   // when the port was opened
	SendGapMs int64       `toml:"send_gap_ms" json:"send_gap_ms,omitempty"` // between two of them
	PollSend  string      `toml:"poll_send" json:"poll_send,omitempty"`     // asks where the men stand
	EveryMs   int64       `toml:"every_ms" json:"every_ms,omitempty"`       // how often
	StopSend  string      `toml:"stop_send" json:"stop_send,omitempty"`     // the last thing to be said
	SilenceMs int64       `toml:"silence_ms" json:"silence_ms,omitempty"`   // after which the board is gone
	Ignore    []string    `toml:"ignore" json:"ignore,omitempty"`           // regular expressions of lines that mean nothing
	Boot      []string    `toml:"boot" json:"boot,omitempty"`               // regular expressions of lines that say that the board has started
	Input     []TextRule  `toml:"input" json:"input,omitempty"`             // how messages are read, tried in order
	Board     TextLayout  `toml:"board" json:"board,omitzero"`
	Event     TextSigns   `toml:"event" json:"event,omitzero"`
	Output    TextOutput  `toml:"output" json:"output,omitzero"`
	Assume    string      `toml:"assume" json:"assume,omitempty"` // start: the men stand as for a new game when nothing says it
	IDs       []string    `toml:"ids" json:"ids,omitempty"`       // chips and their men, as "04 a1 b2 = K"
}

// TextFraming says where a message of a home-made board ends.
type TextFraming struct {
	Mode     string `toml:"mode" json:"mode,omitempty"`           // line fixed delimited timeout
	LineEnd  string `toml:"line_end" json:"line_end,omitempty"`   // any, or the characters themselves
	FixedLen int64  `toml:"fixed_len" json:"fixed_len,omitempty"` // bytes
	Start    string `toml:"start" json:"start,omitempty"`         // hexadecimal bytes
	End      string `toml:"end" json:"end,omitempty"`             // hexadecimal bytes
	GapMs    int64  `toml:"gap_ms" json:"gap_ms,omitempty"`       // of silence that end a message
	Delete   string `toml:"delete" json:"delete,omitempty"`       // characters that are taken out
}

// TextRule is one way of reading a message of a home-made board.
type TextRule struct {
	Kind      string `toml:"kind" json:"kind,omitempty"`           // one of driver/text's
	Regex     string `toml:"regex" json:"regex,omitempty"`         // with the groups of its kind
	Do        string `toml:"do" json:"do,omitempty"`               // lift place to back: of an event without a sign
	Start     string `toml:"start" json:"start,omitempty"`         // regular expression of the line before eight rows
	Separator string `toml:"separator" json:"separator,omitempty"` // between items
	Count     int64  `toml:"count" json:"count,omitempty"`         // numbers in a chip's id
	Vote      int64  `toml:"vote" json:"vote,omitempty"`           // messages of which the majority counts
}

// TextLayout says which square of a home-made board is which.
type TextLayout struct {
	Order     string     `toml:"order" json:"order,omitempty"`         // a8h1 a1h8 h1a8 h8a1, or one of them after filewise_
	Squares   []string   `toml:"squares" json:"squares,omitempty"`     // one by one
	ByteRows  string     `toml:"byte_rows" json:"byte_rows,omitempty"` // 8to1 1to8
	FirstBit  string     `toml:"first_bit" json:"first_bit,omitempty"` // lsb msb
	Active    string     `toml:"active" json:"active,omitempty"`       // 1 0: the bit of a man
	Rotate180 string     `toml:"rotate180" json:"rotate180,omitempty"` // yes no auto
	Tokens    TextTokens `toml:"tokens" json:"tokens,omitzero"`
}

// TextTokens are the characters that stand for what is on a square.
type TextTokens struct {
	Empty string `toml:"empty" json:"empty,omitempty"`
	White string `toml:"white" json:"white,omitempty"`
	Black string `toml:"black" json:"black,omitempty"`
	Any   string `toml:"any" json:"any,omitempty"`
}

// TextSigns are what an event's sign says.
type TextSigns struct {
	Place string `toml:"place" json:"place,omitempty"`
	Lift  string `toml:"lift" json:"lift,omitempty"`
	White string `toml:"white" json:"white,omitempty"`
	Black string `toml:"black" json:"black,omitempty"`
	Empty string `toml:"empty" json:"empty,omitempty"`
}

// TextOutput is what is said to a home-made board about lights and moves.
type TextOutput struct {
	Leds       string `toml:"leds" json:"leds,omitempty"`               // bitmap8 squares_bytes squares_text move_text
	LedsPrefix string `toml:"leds_prefix" json:"leds_prefix,omitempty"` // before the squares
	LedsEach   string `toml:"leds_each" json:"leds_each,omitempty"`     // {sq}, or {from} and {to}
	LedsSuffix string `toml:"leds_suffix" json:"leds_suffix,omitempty"` // after the squares
	LedsOff    string `toml:"leds_off" json:"leds_off,omitempty"`       // instead of no square
	LedsMs     int64  `toml:"leds_ms" json:"leds_ms,omitempty"`         // between two frames
	OK         string `toml:"ok" json:"ok,omitempty"`                   // the answer to a move
}

// noEmpty makes empty lists what lists are that were left out.
func noEmpty(v reflect.Value) {
	for i := range v.NumField() {
		switch f := v.Field(i); {
		case f.Kind() == reflect.Struct:
			noEmpty(f)
		case f.Kind() == reflect.Slice && f.Len() == 0:
			f.SetZero()
		}
	}
}
