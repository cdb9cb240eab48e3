package text

import (
	"encoding/hex"
	"fmt"
	"regexp"
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Bounds of what may be configured.
const (
	longestFrame = 4096      // bytes of a message
	longestWait  = 3_600_000 // milliseconds
	mostRules    = 64
	mostVotes    = 9
)

// Check is nil, or one line that begins with the key that is wrong, as [board.text] names it.
func (o Options) Check() error {
	_, err := compile(o)
	return err
}

// Sees is the board's acuity: the coarsest of what its rules tell, or what Acuity says.
func (o Options) Sees() board.Acuity {
	p, _ := compile(o)
	return p.acuity
}

// program is Options made ready. Of faulty options it holds what is not at fault.
type program struct {
	o                Options
	framing          framing
	start            [][]byte
	poll, stop, ok   []byte
	ignore, boot     []*regexp.Regexp
	rules            []rule
	squares          []rules.Square // in the order in which they come
	lowBit, inverted bool
	acuity           board.Acuity
	lights           lights
}

// rule is a Rule made ready.
type rule struct {
	Rule
	re, start *regexp.Regexp
	group     map[string]int
}

// checker keeps the first fault.
type checker struct{ err error }

func (c *checker) fault(key, format string, args ...any) {
	if c.err == nil {
		c.err = fmt.Errorf("%s: "+format, append([]any{key}, args...)...)
	}
}

func (c *checker) oneOf(key, value string, words ...string) {
	if value != "" && !slices.Contains(words, value) {
		c.fault(key, "%q is none of %s", value, strings.Join(words, ", "))
	}
}

func (c *checker) within(key string, value, low, high int64) {
	if value < low || value > high {
		c.fault(key, "%d is not within %d and %d", value, low, high)
	}
}

func (c *checker) regex(key, text string) *regexp.Regexp {
	re, err := regexp.Compile("(?i)" + text)
	if err != nil {
		c.fault(key, "not a regular expression: %v", err)
		return nil
	}
	return re
}

func (c *checker) regexes(key string, texts []string) (all []*regexp.Regexp) {
	for i, text := range texts {
		if re := c.regex(fmt.Sprintf("%s[%d]", key, i), text); re != nil {
			all = append(all, re)
		}
	}
	return all
}

// hexMark begins bytes in hexadecimal where text is expected.
const hexMark = "hex:"

func (c *checker) bytes(key, text string) []byte {
	if digits, ok := strings.CutPrefix(text, hexMark); ok {
		return c.hex(key, digits)
	}
	return []byte(text)
}

func (c *checker) hex(key, digits string) []byte {
	b, err := hex.DecodeString(strings.Join(strings.Fields(digits), ""))
	if err != nil {
		c.fault(key, "%q is not hexadecimal", digits)
		return nil
	}
	if len(b) > longestFrame {
		c.fault(key, "too long")
		return nil
	}
	return b
}

// esp is what ESP32 boards say when they start.
var esp = []string{`^ets [A-Z][a-z]{2} `, `^rst:0x`}

func compile(o Options) (program, error) {
	c := &checker{}
	p := program{o: o}
	c.within("baud", int64(o.Baud), 0, 4_000_000)
	c.oneOf("dtr", o.DTR, "keep", "on", "off")
	c.oneOf("rts", o.RTS, "keep", "on", "off")
	for _, ms := range []struct {
		key   string
		value int64
	}{
		{"settle_ms", o.SettleMs}, {"send_gap_ms", o.SendGapMs}, {"every_ms", o.EveryMs}, {"silence_ms", o.SilenceMs},
		{"framing.gap_ms", o.Framing.GapMs}, {"output.leds_ms", o.Output.LedsMs},
	} {
		c.within(ms.key, ms.value, 0, longestWait)
	}
	for i, text := range o.StartSend {
		p.start = append(p.start, c.bytes(fmt.Sprintf("start_send[%d]", i), text))
	}
	p.poll = c.bytes("poll_send", o.PollSend)
	p.stop = c.bytes("stop_send", o.StopSend)
	p.ok = c.bytes("output.ok", o.Output.OK)
	p.ignore = c.regexes("ignore", o.Ignore)
	boot := o.Boot
	if boot == nil {
		boot = esp
	}
	p.boot = c.regexes("boot", boot)
	p.framing = c.framing(o.Framing)
	p.squares = c.layout(o.Board)
	p.lowBit = o.Board.FirstBit != "msb"
	p.inverted = o.Board.Active == "0"
	p.lights = c.lights(o.Output)
	c.oneOf("assume", o.Assume, "start")
	c.rules(&p)
	c.acuity(&p)
	c.ids(o.IDs)
	return p, c.err
}

func (c *checker) framing(f Framing) framing {
	c.oneOf("framing.mode", f.Mode, "line", "fixed", "delimited", "timeout")
	c.within("framing.fixed_len", int64(f.FixedLen), 0, 1024)
	r := framing{mode: f.Mode, lineEnd: f.LineEnd, fixed: f.FixedLen, gap: f.GapMs, delete: f.Delete,
		start: c.hex("framing.start", f.Start), end: c.hex("framing.end", f.End)}
	if r.lineEnd == "any" {
		r.lineEnd = ""
	}
	if r.mode == "" {
		r.mode = "line"
	}
	if r.gap == 0 {
		r.gap = 50
		if r.mode == "line" {
			r.gap = 1000
		}
	}
	switch {
	case r.mode == "fixed" && r.fixed == 0:
		c.fault("framing.fixed_len", "a fixed message needs its length")
		r.fixed = 1
	case r.mode == "delimited" && len(r.end) == 0:
		c.fault("framing.end", "a delimited message needs the bytes that end it")
		r.end = []byte{'\n'}
	case r.mode == "delimited" && r.fixed == 0 && len(r.start) == 0:
		c.fault("framing.start", "a delimited message needs the bytes that begin it, or fixed_len")
		r.start = []byte{'\n'}
	}
	return r
}

// orders are the eight ways through a board: the first corner, and whether ranks or files are gone along.
var orders = map[string]struct{ file, rank, along int }{
	"a8h1": {0, 7, 0}, "a1h8": {0, 0, 0}, "h1a8": {7, 0, 0}, "h8a1": {7, 7, 0},
	"filewise_a8h1": {0, 7, 1}, "filewise_a1h8": {0, 0, 1}, "filewise_h1a8": {7, 0, 1}, "filewise_h8a1": {7, 7, 1},
}

func (c *checker) layout(l Layout) (squares []rules.Square) {
	c.oneOf("board.byte_rows", l.ByteRows, "8to1", "1to8")
	c.oneOf("board.first_bit", l.FirstBit, "lsb", "msb")
	c.oneOf("board.active", l.Active, "0", "1")
	c.oneOf("board.rotate180", l.Rotate180, "auto", "no", "yes")
	order := l.Order
	if order == "" {
		order = "a8h1"
		if l.ByteRows == "1to8" {
			order = "a1h8"
		}
	}
	way, ok := orders[order]
	if !ok {
		c.fault("board.order", "%q is no order: try a8h1, a1h8, h1a8, h8a1, or one of them after filewise_", order)
	}
	for i := range 64 {
		step := [2]int{i % 8, i / 8} // along the first line, and from line to line
		squares = append(squares, rules.NewSquare(abs(way.file-step[way.along]), abs(way.rank-step[1-way.along])))
	}
	if len(l.Squares) > 0 {
		squares = squares[:0]
		var seen rules.Bitboard
		for i, name := range l.Squares {
			s, ok := rules.ParseSquare(name)
			if !ok || seen&s.Bit() != 0 {
				c.fault(fmt.Sprintf("board.squares[%d]", i), "%q is no square, or named twice", name)
				continue
			}
			seen |= s.Bit()
			squares = append(squares, s)
		}
	}
	if l.Rotate180 == "yes" {
		for i := range squares {
			squares[i] = squares[i].Flip()
		}
	}
	return squares
}

func abs(n int) int { return max(n, -n) }
