package text_test

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/driver/text"
)

func TestCheck(t *testing.T) {
	t.Parallel()
	event := text.Rule{Kind: "event", Regex: `(?P<sign>[+-])(?P<sq>..)`}
	for _, c := range []struct {
		want string // what the error begins with
		do   func(*text.Options)
	}{
		{"", func(*text.Options) {}},
		{"input: no rule", func(o *text.Options) { o.Input = nil }},
		{"input: more than", func(o *text.Options) { o.Input = make([]text.Rule, 65) }},
		{"baud: -1", func(o *text.Options) { o.Baud = -1 }},
		{"dtr: \"high\" is none of keep, on, off", func(o *text.Options) { o.DTR = "high" }},
		{"rts: ", func(o *text.Options) { o.RTS = "1" }},
		{"settle_ms: ", func(o *text.Options) { o.SettleMs = -1 }},
		{"every_ms: ", func(o *text.Options) { o.EveryMs = 1 << 40 }},
		{"start_send[1]: \"GG\" is not hex", func(o *text.Options) { o.StartSend = []string{"x", "hex:GG"} }},
		{"poll_send: ", func(o *text.Options) { o.PollSend = "hex:1" }},
		{"ignore[0]: not a regular expression", func(o *text.Options) { o.Ignore = []string{"("} }},
		{"boot[0]: ", func(o *text.Options) { o.Boot = []string{"["} }},
		{"framing.mode: ", func(o *text.Options) { o.Framing.Mode = "packet" }},
		{"framing.fixed_len: ", func(o *text.Options) { o.Framing.Mode = "fixed" }},
		{"framing.end: ", func(o *text.Options) { o.Framing.Mode = "delimited" }},
		{"framing.start: a del", func(o *text.Options) { o.Framing = text.Framing{Mode: "delimited", End: "0A"} }},
		{"framing.start: \"zz\"", func(o *text.Options) { o.Framing.Start = "zz" }},
		{"framing.fixed_len: bitboard of 64 squares wants messages of 8 bytes", func(o *text.Options) { o.Input[0] = text.Rule{Kind: "bitboard"} }},
		{"framing.fixed_len: planes of 64 squares wants messages of 16 bytes", func(o *text.Options) {
			o.Input[0] = text.Rule{Kind: "planes"}
			o.Framing = text.Framing{Mode: "fixed", FixedLen: 8}
		}},
		{"board.order: ", func(o *text.Options) { o.Board.Order = "a1b2" }},
		{"board.squares[1]: ", func(o *text.Options) { o.Board.Squares = []string{"a1", "a1"} }},
		{"board.squares[0]: ", func(o *text.Options) { o.Board.Squares = []string{"i1"} }},
		{"board.byte_rows: ", func(o *text.Options) { o.Board.ByteRows = "1-8" }},
		{"board.first_bit: ", func(o *text.Options) { o.Board.FirstBit = "0" }},
		{"board.active: ", func(o *text.Options) { o.Board.Active = "low" }},
		{"board.rotate180: ", func(o *text.Options) { o.Board.Rotate180 = "true" }},
		{"input[0].kind: ", func(o *text.Options) { o.Input[0].Kind = "moves" }},
		{"input[0].do: ", func(o *text.Options) { o.Input[0].Do = "drop" }},
		{"input[0].vote: ", func(o *text.Options) { o.Input[0].Vote = 99 }},
		{"input[0].regex: event needs the group sign with sq, or ", func(o *text.Options) { o.Input[0].Regex = "x" }},
		{"input[0].regex: event needs a regular", func(o *text.Options) { o.Input[0].Regex = "" }},
		{"input[0].regex: not a", func(o *text.Options) { o.Input[0].Regex = "(" }},
		{"input[0].start: ", func(o *text.Options) { o.Input[0].Start = "(" }},
		{"input[0].do: an event without", func(o *text.Options) { o.Input[0].Regex = "(?P<sq>..)" }},
		{"assume: a board that tells moves", func(o *text.Options) { o.Input[0] = text.Rule{Kind: "move", Regex: "(?P<uci>....)"} }},
		{"assume: \"end\"", func(o *text.Options) { o.Assume = "end" }},
		{"board.squares: hex wants whole bytes", func(o *text.Options) {
			o.Input[0] = text.Rule{Kind: "hex", Regex: "(.)"}
			o.Board.Squares = []string{"a1"}
		}},
		{"output.leds: ", func(o *text.Options) { o.Output.Leds = "ws2812" }},
		{"output.leds_each: ", func(o *text.Options) { o.Output.Leds = "squares_text" }},
		{"output.leds_each: ", func(o *text.Options) { o.Output.Leds, o.Output.LedsEach = "move_text", "{from}" }},
		{"output.leds_prefix: ", func(o *text.Options) { o.Output.LedsPrefix = "hex:F" }},
		{"acuity: \"fine\"", func(o *text.Options) { o.Acuity = "fine" }},
		{"acuity: the rules of input tell only presence", func(o *text.Options) { o.Acuity = "piece" }},
		{"", func(o *text.Options) { o.Acuity = "presence" }},
		{"ids: ", func(o *text.Options) { o.IDs = map[string]string{"1": "X"} }},
		{"ids: ", func(o *text.Options) { o.IDs = map[string]string{"1": "KQ"} }},
	} {
		o := text.Options{Input: []text.Rule{event}, Event: text.Signs{Place: "+", Lift: "-"}}
		c.do(&o)
		err := o.Check()
		switch {
		case c.want == "" && err != nil:
			t.Errorf("%v", err)
		case c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), c.want) || strings.Contains(err.Error(), "\n")):
			t.Errorf("%v, want %s…", err, c.want)
		}
		// What is refused does not bring the machine down.
		m := text.New(o)
		m.Step(0, []byte("+e2\n1 2 3\nEFFF\n"))
		m.Step(10_000, nil)
	}
}
