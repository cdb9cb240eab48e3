package rules

import (
	"fmt"
	"iter"
	"strconv"
	"strings"
)

// PGNError says what is wrong with a game of a PGN text.
type PGNError struct {
	Game int    // which game of the text, from 1
	Line int    // which line of the text, from 1
	Text string // the word or tag in question
	Why  string
	Err  error // a *MoveError, *FENError or *KingsError where there is one
}

// Error is one line.
func (e *PGNError) Error() string {
	return fmt.Sprintf("PGN line %d, game %d: %.40q: %s", e.Line, e.Game, e.Text, e.Why)
}

// Unwrap gives the error of the move or position.
func (e *PGNError) Unwrap() error { return e.Err }

// ParsePGN reads the games of a text in turn, as files are found rather than as PGN's export form wants them: comments of both kinds,
// variations, glyphs as numbers or signs, [%clk], escaped lines, moves as ParseSAN reads them, a missing result. A game with a fault
// comes with a *PGNError and what was read of it before; reading goes on at the next game. Moves that are not legal are
// faults. In variations a null move (--, Z0) ends what is kept.
func ParsePGN(text string) iter.Seq2[PGN, error] {
	return func(yield func(PGN, error) bool) {
		r := pgnReader{text: strings.TrimPrefix(text, "\ufeff"), line: 1}
		for r.next(); r.token.kind != 0; {
			g, err := r.game()
			if err != nil {
				r.skipGame()
			}
			if !yield(g, err) {
				return
			}
		}
	}
}

// game reads one game.
func (r *pgnReader) game() (g PGN, err error) {
	r.games++
	r.said = 0
	start, variant := StartFEN, Standard
	startLine, lead := r.token.line, ""
tags:
	for r.token.kind == '[' || r.token.kind == '{' {
		if r.token.kind == '{' {
			if r.said++; r.said > maxComments {
				return g, r.fault(manyComments, nil)
			}
			lead = joined(lead, r.token.text)
			r.next()
			continue
		}
		name, value, ok := splitTag(r.token.text)
		if !ok {
			return g, r.fault("a tag is a name and a text in quotes, as in [Event \"Club\"]", nil)
		}
		if name == "Event" && g.Event != "" {
			break tags // of the next game: this one has no moves
		}
		switch name {
		case "FEN":
			start, startLine = value, r.token.line
		case "Variant":
			if v := strings.ToLower(value); strings.Contains(v, "960") || strings.Contains(v, "fischer") {
				variant = Chess960
			}
		case "SetUp":
		default:
			g.setTag(name, value)
		}
		r.next()
	}
	p, err := ParsePosition(start, variant)
	if err != nil {
		return g, &PGNError{r.games, startLine, start, "the tag FEN names no position: " + err.Error(), err}
	}
	if variant == Chess960 && start == StartFEN {
		return g, &PGNError{r.games, startLine, "Variant", "Chess960 needs the tag FEN: its start is not known", nil}
	}
	g.Line = NewLine(p)
	g.Comment = lead
	v, result, err := r.moves(p, 0, &g.Comment)
	for _, m := range v.Moves {
		g.Line.Play(m)
	}
	g.Notes = v.Notes
	g.takeStood()
	if g.Result == "" {
		g.Result = result
	}
	return g, err
}

// setTag keeps a tag; of one that comes twice the first.
func (g *PGN) setTag(name, value string) {
	field := map[string]*string{"Event": &g.Event, "Site": &g.Site, "Date": &g.Date, "Round": &g.Round, "White": &g.White, "Black": &g.Black, "Result": &g.Result}[name]
	if field == nil {
		g.Tags = append(g.Tags, Tag{name, value})
	} else if *field == "" {
		*field = value
	}
}

// maxDepth is how deep variations may lie in one another.
const maxDepth = 64

// maxComments is how many comments are joined between two moves: without an end to it, time would grow with the square of their number.
const maxComments = 256

const manyComments = "there are more than 256 comments between two moves"

// moves reads moves, and what is said about them, up to a result, the end of the variation, or the next game.
func (r *pgnReader) moves(p Position, depth int, lead *string) (v Variation, result string, err error) {
	before := p
	note := func() *Note { return &v.Notes[len(v.Notes)-1] }
	for ; ; r.next() {
		t := r.token
		switch t.kind {
		case 0, '[':
			if depth > 0 {
				r.ahead = t.kind == '['
				return v, "", r.fault("a variation is not closed", nil)
			}
			return v, "", nil
		case ')':
			if depth == 0 {
				return v, "", r.fault("no variation is open here", nil)
			}
			return v, "", nil
		case '!':
			return v, "", r.fault("a comment is not closed", nil)
		case '{':
			if r.said++; r.said > maxComments {
				return v, "", r.fault(manyComments, nil)
			}
			if len(v.Moves) == 0 {
				*lead = joined(*lead, t.text)
			} else {
				note().say(t.text)
			}
		case '(':
			if len(v.Moves) == 0 || depth == maxDepth {
				return v, "", r.fault("a variation follows the move that it replaces, and lies in no more than 64 others", nil)
			}
			r.next()
			var lead string
			inner, _, err := r.moves(before, depth+1, &lead)
			if err != nil {
				return v, "", err
			}
			inner.Comment = lead
			note().Variations = append(note().Variations, inner)
		default:
			word := t.text
			if isResult(word) {
				if depth > 0 {
					continue
				}
				r.next()
				return v, strings.ReplaceAll(word, "½", "1/2"), nil
			}
			if word[0] == '$' {
				n, err := strconv.ParseUint(word[1:], 10, 8)
				if err != nil {
					return v, "", r.fault("a glyph is $ and a number up to 255", nil)
				}
				if len(v.Moves) > 0 {
					note().NAGs = append(note().NAGs, uint8(n))
				}
				continue
			}
			move, glyph := splitGlyph(withoutNumber(word))
			if move == "" && glyph != 0 && len(v.Moves) > 0 {
				note().NAGs = append(note().NAGs, glyph)
			}
			if move == "--" || move == "Z0" {
				if depth == 0 {
					return v, "", r.fault("a move that is none has no place in a game", nil)
				}
				return v, "", r.skipVariation()
			}
			if !strings.ContainsAny(move, "abcdefghO0o") || isRemark(move) {
				continue // a number, a sign of who stands better
			}
			m, err := p.ParseSAN(move)
			if err != nil {
				return v, "", r.fault("move "+strconv.Itoa(p.Fullmove())+[2]string{".", "..."}[p.turn]+": "+err.(*MoveError).Why, err)
			}
			before = p
			p.Play(m)
			v.Moves = append(v.Moves, m)
			r.said = 0
			v.Notes = append(v.Notes, Note{})
			if glyph != 0 {
				note().NAGs = append(note().NAGs, glyph)
			}
		}
	}
}

// isResult reports whether a word of movetext ends a game.
func isResult(word string) bool {
	switch word {
	case "1-0", "0-1", "1/2-1/2", "½-½", "*":
		return true
	}
	return false
}

// isRemark reports whether a word is said about a move and is none.
func isRemark(word string) bool {
	switch word {
	case "e.p.", "ep", "ep.":
		return true
	}
	return false
}

// withoutNumber takes the number of a move off a word: 12.e4, 12...e5, 12.
func withoutNumber(word string) string {
	rest := strings.TrimLeft(word, "0123456789")
	if rest == "" {
		return ""
	}
	if rest[0] == '.' && rest != word || word[0] == '.' {
		return strings.TrimLeft(rest, ".")
	}
	return word
}

// glyphs are the signs behind moves, by their numbers.
var glyphs = [...]string{1: "!", 2: "?", 3: "!!", 4: "??", 5: "!?", 6: "?!"}

// splitGlyph takes a sign such as !? off a move.
func splitGlyph(word string) (move string, glyph uint8) {
	move = strings.TrimRight(word, "!?")
	for n, sign := range glyphs {
		if n > 0 && word[len(move):] == sign {
			return move, uint8(n)
		}
	}
	return move, 0
}
