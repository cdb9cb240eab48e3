package text

import (
	"fmt"
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// needs are the groups of which a kind's expression must have all of one row. row comes with eight lines.
var needs = map[string][][]string{
	"bitboard": nil, "planes": nil, "new_game": nil,
	"hex": {{"data"}}, "rows_dec": {{"data"}}, "ids": {{"data"}}, "fen": {{"fen"}},
	"bits": {{"data"}, {"row"}}, "pieces": {{"data"}, {"row"}}, "matrix": {{"row"}},
	"event": {{"sign", "sq"}, {"sign", "file", "rank"}, {"sq"}, {"file", "rank"}},
	"move":  {{"uci"}, {"from", "to"}, {"castle"}},
}

func (c *checker) rules(p *program) {
	if len(p.o.Input) == 0 {
		c.fault("input", "no rule says how the board's messages are read: name a preset, or give [[board.text.input]]")
	}
	if len(p.o.Input) > mostRules {
		c.fault("input", "more than %d rules", mostRules)
		return
	}
	for i, r := range p.o.Input {
		if ready, ok := c.rule(fmt.Sprintf("input[%d].", i), r, p); ok {
			p.rules = append(p.rules, ready)
		}
	}
	books := slices.ContainsFunc(p.rules, func(r rule) bool { return r.Kind == "move" || r.Do == "to" })
	whole := slices.ContainsFunc(p.rules, func(r rule) bool { return slices.Contains([]string{"fen", "pieces", "ids", "new_game"}, r.Kind) })
	if books && !whole && p.o.Assume == "" {
		c.fault("assume", "a board that tells moves must say where the men stand too, or they must be assumed to stand at the \"start\"")
	}
}

func (c *checker) rule(key string, r Rule, p *program) (ready rule, ok bool) {
	before := c.err
	sets, known := needs[r.Kind]
	if !known {
		c.fault(key+"kind", "%q is none of %s", r.Kind, strings.Join(Kinds(), ", "))
		return ready, false
	}
	c.oneOf(key+"do", r.Do, "lift", "place", "to", "back")
	c.within(key+"count", int64(r.Count), 0, 16)
	c.within(key+"vote", int64(r.Vote), 0, mostVotes)
	ready = rule{Rule: r, group: map[string]int{}}
	if r.Start != "" {
		ready.start = c.regex(key+"start", r.Start)
	}
	if r.Kind == "bitboard" || r.Kind == "planes" {
		width := map[string]int{"bitboard": 8, "planes": 4}[r.Kind]
		if f := p.framing; f.mode == "line" || f.mode == "timeout" || f.fixed*width != len(p.squares) {
			c.fault("framing.fixed_len", "%s of %d squares wants messages of %d bytes, fixed or delimited", r.Kind, len(p.squares), len(p.squares)/width)
			return ready, false
		}
		return ready, true
	}
	if r.Regex == "" {
		c.fault(key+"regex", "%s needs a regular expression", r.Kind)
		return ready, false
	}
	if ready.re = c.regex(key+"regex", r.Regex); ready.re == nil {
		return ready, false
	}
	for i, name := range ready.re.SubexpNames() {
		if name != "" {
			ready.group[name] = i
		}
	}
	if len(ready.group) == 0 && ready.re.NumSubexp() == 1 && len(sets) > 0 && len(sets[0]) == 1 {
		ready.group[sets[0][0]] = 1
	}
	if r.Kind == "event" && r.Do == "back" {
		sets = nil
	}
	if len(sets) > 0 && !slices.ContainsFunc(sets, func(set []string) bool { return ready.has(set...) }) {
		c.fault(key+"regex", "%s needs the group %s", r.Kind, list(sets))
		return ready, false
	}
	if r.Kind == "event" && r.Do == "" && !ready.has("sign") && !ready.has("piece") {
		c.fault(key+"do", "an event without the group sign must do something: lift, place, to or back")
		return ready, false
	}
	if (r.Kind == "hex" || r.Kind == "rows_dec") && len(p.squares)%8 != 0 {
		c.fault("board.squares", "%s wants whole bytes: a multiple of 8 squares", r.Kind)
		return ready, false
	}
	return ready, c.err == before
}

func list(sets [][]string) string {
	var words []string
	for _, set := range sets {
		words = append(words, strings.Join(set, " with "))
	}
	return strings.Join(words, ", or ")
}

func (r *rule) has(groups ...string) bool {
	return !slices.ContainsFunc(groups, func(g string) bool { return r.group[g] == 0 })
}

// tells is how much of a man a rule tells.
func (r *rule) tells(o *Options) board.Acuity {
	switch r.Kind {
	case "planes":
		return board.ColorAcuity
	case "bits", "matrix":
		if o.Board.Tokens.White+o.Board.Tokens.Black != "" {
			return board.ColorAcuity
		}
	case "pieces", "fen", "ids", "move", "new_game":
		return board.PieceAcuity
	case "event":
		switch {
		case r.has("piece"), r.Do == "lift", r.Do == "to", r.Do == "back": // what was lifted was known before
			return board.PieceAcuity
		case r.has("sign") && o.Event.White+o.Event.Black != "":
			return board.ColorAcuity
		}
	}
	return board.Presence
}

func (c *checker) acuity(p *program) {
	p.acuity = board.PieceAcuity
	for i := range p.rules {
		p.acuity = min(p.acuity, p.rules[i].tells(&p.o))
	}
	if p.o.Acuity == "" {
		return
	}
	a, ok := board.ParseAcuity(p.o.Acuity)
	switch {
	case !ok:
		c.fault("acuity", "%q is none of presence, color, piece", p.o.Acuity)
	case a > p.acuity:
		c.fault("acuity", "the rules of input tell only %s", p.acuity)
	default:
		p.acuity = a
	}
}

func (c *checker) ids(ids map[string]string) {
	for _, id := range sorted(ids) {
		letter := ids[id]
		if len(letter) != 1 {
			c.fault("ids", "%q is no letter of a piece", letter)
			continue
		}
		if _, ok := rules.PieceFromLetter(letter[0]); !ok {
			c.fault("ids", "%q is no letter of a piece", letter)
		}
	}
}

func sorted(m map[string]string) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

func (c *checker) lights(o Output) lights {
	c.oneOf("output.leds", o.Leds, "bitmap8", "squares_bytes", "squares_text", "move_text")
	l := lights{encoder: o.Leds, each: o.LedsEach, every: o.LedsMs,
		prefix: c.bytes("output.leds_prefix", o.LedsPrefix), suffix: c.bytes("output.leds_suffix", o.LedsSuffix),
		off: c.bytes("output.leds_off", o.LedsOff)}
	if l.every == 0 {
		l.every = 100
	}
	switch {
	case o.Leds == "squares_text" && !strings.Contains(o.LedsEach, "{sq}"):
		c.fault("output.leds_each", "says no {sq}")
	case o.Leds == "move_text" && (!strings.Contains(o.LedsEach, "{from}") || !strings.Contains(o.LedsEach, "{to}")):
		c.fault("output.leds_each", "says no {from} and {to}")
	}
	return l
}
