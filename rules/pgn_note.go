package rules

import (
	"fmt"
	"strconv"
	"strings"
)

// joined puts one comment behind another.
func joined(a, b string) string {
	if a == "" || b == "" {
		return a + b
	}
	return a + " " + b
}

// say adds a comment to a note, and takes the clock out of it.
func (n *Note) say(text string) {
	before, rest, found := strings.Cut(text, "[%clk ")
	if value, after, closed := strings.Cut(rest, "]"); found && closed {
		if ms, ok := parseClock(strings.TrimSpace(value)); ok {
			n.Clock, n.HasClock = ms, true
			text = joined(strings.TrimSpace(before), strings.TrimSpace(after))
		}
	}
	n.Comment = joined(n.Comment, text)
}

// parseClock reads hours, minutes and seconds with colons between, seconds with up to three decimals.
func parseClock(text string) (ms int64, ok bool) {
	whole, fraction, _ := strings.Cut(text, ".")
	parts := strings.Split(whole, ":")
	if len(parts) > 3 || len(fraction) > 3 {
		return 0, false
	}
	for _, part := range parts {
		n, err := strconv.ParseUint(part, 10, 16)
		if err != nil {
			return 0, false
		}
		ms = ms*60 + int64(n)
	}
	ms *= 1000
	if fraction != "" {
		n, err := strconv.ParseUint((fraction + "00")[:3], 10, 16)
		if err != nil {
			return 0, false
		}
		ms += int64(n)
	}
	return ms, true
}

// clockText writes a clock as PGN does: 1:29:58, with a fraction only where there is one.
func clockText(ms int64) string {
	ms = max(ms, 0)
	s := ms / 1000
	text := fmt.Sprintf("%d:%02d:%02d", s/3600, s/60%60, s%60)
	if f := ms % 1000; f != 0 {
		text += strings.TrimRight(fmt.Sprintf(".%03d", f), "0")
	}
	return text
}

// stood begins the comment that holds the moves behind the last legal one.
const stood = "illegal move that stood:"

// takeStood finds that comment again.
func (g *PGN) takeStood() {
	last := &g.Comment
	if n := len(g.Notes); n > 0 {
		last = &g.Notes[n-1].Comment
	}
	if before, moves, found := strings.Cut(*last, stood); found && len(g.Stood) == 0 {
		*last, g.Stood = strings.TrimSpace(before), strings.Fields(moves)
	}
}

// comment is a comment as words that may be wrapped. A brace would end it, so it is written as a bracket.
func comment(words []string, text string) []string {
	fields := strings.Fields(strings.NewReplacer("}", ")", "{", "(").Replace(text))
	if len(fields) == 0 {
		return words
	}
	fields[0] = "{" + fields[0]
	fields[len(fields)-1] += "}"
	return append(words, fields...)
}

// noteWords is what follows a ply: glyphs, a comment with the clock before it, variations. said reports a comment or variation,
// behind which the number of the move is written again.
func (n *Note) noteWords(words []string, before Position) (all []string, said bool) {
	for _, g := range n.NAGs {
		words = append(words, "$"+strconv.Itoa(int(g)))
	}
	count := len(words)
	switch clock := "[%clk " + clockText(n.Clock) + "]"; {
	case n.HasClock && strings.TrimSpace(n.Comment) == "":
		words = append(words, "{"+clock+"}")
	case n.HasClock:
		words = comment(words, n.Comment)
		words[count] = "{" + clock + " " + words[count][1:]
	default:
		words = comment(words, n.Comment)
	}
	for _, v := range n.Variations {
		inner := moveWords(comment(nil, v.Comment), before, v.Moves, v.Notes)
		if len(inner) == 0 {
			continue
		}
		inner[0] = "(" + inner[0]
		inner[len(inner)-1] += ")"
		words = append(words, inner...)
	}
	return words, len(words) > count
}

// moveWords is moves with their numbers, one token a word, as far as they are legal.
func moveWords(words []string, p Position, moves []Move, notes []Note) []string {
	again := true // the number of the move is to be written, Black's too
	for i, m := range moves {
		if !p.IsLegal(m) {
			break
		}
		switch {
		case p.turn == White:
			words = append(words, strconv.Itoa(p.Fullmove())+".")
		case again:
			words = append(words, strconv.Itoa(p.Fullmove())+"...")
		}
		words = append(words, p.SAN(m))
		again = false
		if i < len(notes) {
			words, again = notes[i].noteWords(words, p)
		}
		p.Play(m)
	}
	return words
}
