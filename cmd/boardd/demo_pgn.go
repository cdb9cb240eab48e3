package main

import (
	"errors"
	"fmt"
	"strings"

	"github.com/boardd/boardd/rules"
)

// playable is a game that hands can play.
type playable struct {
	title string
	start rules.Position
	moves []rules.Move
}

// maxPGN bounds what is read of a file.
const maxPGN = 1 << 20

// readPGN takes the main line of the first game of a PGN, as files are found: comments, variations, glyphs and move numbers
// are skipped, tags other than the players', FEN and Variant too. An illegal or unreadable move is an error that names it.
func readPGN(text string) (playable, error) {
	tags, movetext := splitPGN(text)
	g := playable{start: rules.Start()}
	variant := rules.Standard
	if name := strings.ToLower(tags["Variant"]); strings.Contains(name, "960") || strings.Contains(name, "fischer") {
		variant = rules.Chess960
	}
	if fen := tags["FEN"]; fen != "" {
		var err error
		if g.start, err = rules.ParsePosition(fen, variant); err != nil {
			return g, fmt.Errorf("PGN tag FEN: %w", err)
		}
		if faults := g.start.Faults(); len(faults) > 0 {
			return g, fmt.Errorf("PGN tag FEN: no game can begin here: %s", faults[0].Code)
		}
	} else if variant == rules.Chess960 {
		return g, errors.New("PGN of Chess960 without the tag FEN: its start is not known")
	}
	if tags["White"] != "" || tags["Black"] != "" {
		g.title = tags["White"] + " - " + tags["Black"]
	}
	pos := g.start
	for _, token := range movetext {
		m, err := pos.ParseSAN(token)
		if err != nil {
			return g, fmt.Errorf("PGN move %d%s %.20q: %w", pos.Fullmove(), dots(pos.Turn()), token, err)
		}
		g.moves = append(g.moves, m)
		pos.Play(m)
	}
	if len(g.moves) == 0 {
		return g, errors.New("the PGN holds no moves")
	}
	return g, nil
}

func dots(c rules.Color) string {
	if c == rules.White {
		return "."
	}
	return "..."
}

// splitPGN gives the tags of the first game and the moves of its main line.
func splitPGN(text string) (tags map[string]string, moves []string) {
	tags = map[string]string{}
	text = strings.TrimPrefix(text, "\ufeff")
	depth := 0 // of variations
	for text != "" {
		c := text[0]
		switch {
		case c == '{':
			text = after(text, "}")
		case c == ';', c == '%' && len(moves) == 0:
			text = after(text, "\n")
		case c == '[' && depth == 0:
			if len(moves) > 0 {
				return tags, moves // the next game
			}
			var name, value string
			name, value, text = readTag(text[1:])
			tags[name] = value
		case c == '(':
			depth++
			text = text[1:]
		case c == ')':
			depth = max(0, depth-1)
			text = text[1:]
		case strings.IndexByte(" \t\r\n.", c) >= 0:
			text = text[1:]
		default:
			n := strings.IndexAny(text, " \t\r\n{}();[")
			switch {
			case n < 0:
				n = len(text)
			case n == 0:
				n = 1 // a bracket that closes nothing
			}
			word := text[:n]
			text = text[n:]
			if depth > 0 {
				continue
			}
			switch move, ended := moveOf(word); {
			case ended && len(moves) > 0:
				return tags, moves
			case move != "":
				moves = append(moves, move)
			}
		}
	}
	return tags, moves
}

// readTag reads a tag pair behind its bracket: name, blank, value in quotes with backslashes before quotes inside it.
func readTag(text string) (name, value, rest string) {
	name, text, _ = strings.Cut(text, `"`)
	if line, next, broken := strings.Cut(name, "\n"); broken { // no value on this line
		return strings.TrimSpace(line), "", next + `"` + text
	}
	var b strings.Builder
	for i := 0; i < len(text); i++ {
		switch c := text[i]; {
		case c == '\\' && i+1 < len(text):
			i++
			b.WriteByte(text[i])
		case c == '"':
			return strings.TrimSpace(name), b.String(), after(text[i:], "]")
		case c == '\n':
			return strings.TrimSpace(name), b.String(), text[i:]
		default:
			b.WriteByte(c)
		}
	}
	return strings.TrimSpace(name), b.String(), ""
}

func after(text, end string) string {
	_, rest, _ := strings.Cut(text, end)
	return rest
}

// moveOf takes number, glyphs and old-fashioned zeros off a word of movetext; "" when no move is left. ended: it is a result.
func moveOf(word string) (move string, ended bool) {
	switch word {
	case "1-0", "0-1", "1/2-1/2", "*":
		return "", true
	case "e.p.", "ep", "}", "]":
		return "", false
	}
	if word[0] == '$' {
		return "", false
	}
	if rest := strings.TrimLeft(word, "0123456789"); rest == "" || rest[0] == '.' && rest != word {
		word = strings.TrimLeft(rest, ".")
	}
	word = strings.TrimRight(word, "!?")
	if strings.HasPrefix(word, "0-0") {
		word = strings.ReplaceAll(word, "0", "O")
	}
	return word, false
}
