package rules

import "strings"

// pgnReader cuts a PGN text into tokens and makes games of them.
type pgnReader struct {
	text  string
	at    int
	line  int
	games int
	token pgnToken // the one that is looked at
	ahead bool     // it belongs to the next game, though the last one had a fault
	open  bool     // no comment is closed from here on
	said  int      // comments since the last move
}

// pgnToken is a word, or what stands between brackets.
type pgnToken struct {
	kind byte // 0 at the end, w a word, { a comment, ! one that is not closed, [ a tag, ( and ) around a variation
	text string
	line int
	at   int // where a tag begins
}

func (r *pgnReader) fault(why string, err error) error {
	text := r.token.text
	if text == "" && r.token.kind != 0 {
		text = string(rune(r.token.kind))
	}
	return &PGNError{r.games, r.token.line, text, why, err}
}

// next goes on to the next token.
func (r *pgnReader) next() {
	for r.at < len(r.text) {
		c, line := r.text[r.at], r.line
		switch {
		case c == '\n':
			r.line++
			r.at++
		case strings.IndexByte(" \t\r\v\f", c) >= 0:
			r.at++
		case c == '%' && (r.at == 0 || r.text[r.at-1] == '\n'):
			r.until("\n")
		case c == ';':
			r.at++
			text, _ := r.until("\n")
			r.token = pgnToken{kind: '{', text: strings.Join(strings.Fields(text), " "), line: line}
			return
		case c == '{':
			r.at++
			if r.open = r.open || strings.IndexByte(r.text[r.at:], '}') < 0; r.open {
				r.token = pgnToken{kind: '!', text: "{", line: line}
				return
			}
			text, _ := r.until("}")
			r.token = pgnToken{kind: '{', text: strings.Join(strings.Fields(text), " "), line: line}
			return
		case c == '[':
			begin := r.at
			r.at++
			r.token = pgnToken{'[', r.tag(), line, begin}
			return
		case c == '(' || c == ')':
			r.at++
			r.token = pgnToken{kind: c, line: line}
			return
		case strings.IndexByte("}]<>", c) >= 0: // closes nothing, or is kept for the future by PGN
			r.at++
		default:
			n := r.wordLength()
			r.token = pgnToken{kind: 'w', text: r.text[r.at : r.at+n], line: line}
			r.at += n
			return
		}
	}
	r.token = pgnToken{line: r.line}
}

// wordLength is the length of the word that begins here; (Q) and the like belong to a move before them.
func (r *pgnReader) wordLength() int {
	rest := r.text[r.at:]
	n := strings.IndexAny(rest, " \t\r\n\v\f{}()[];<>")
	if n < 0 {
		return len(rest)
	}
	if tail := rest[n:]; len(tail) > 2 && tail[0] == '(' && tail[2] == ')' && strings.IndexByte("QRBN", tail[1]) >= 0 {
		for n += 3; n < len(rest) && strings.IndexByte("+#!?", rest[n]) >= 0; n++ {
		}
	}
	return n
}

// until takes the text up to an end, which is passed over if it is there.
func (r *pgnReader) until(end string) (text string, found bool) {
	text, _, found = strings.Cut(r.text[r.at:], end)
	passed := len(text)
	if found {
		passed += len(end)
	}
	r.line += strings.Count(r.text[r.at:r.at+passed], "\n")
	r.at += passed
	return text, found
}

// tag takes the text of a tag up to its bracket, not one in quotes, or up to the end of the line.
func (r *pgnReader) tag() string {
	begin, quoted := r.at, false
	for ; r.at < len(r.text); r.at++ {
		switch c := r.text[r.at]; {
		case c == '\n':
			return r.text[begin:r.at]
		case c == '\\' && quoted && r.at+1 < len(r.text) && r.text[r.at+1] != '\n':
			r.at++
		case c == '"':
			quoted = !quoted
		case c == ']' && !quoted:
			r.at++
			return r.text[begin : r.at-1]
		}
	}
	return r.text[begin:]
}

// splitTag reads the text of a tag: a name, and a value in quotes in which quotes and backslashes have a backslash before them.
func splitTag(text string) (name, value string, ok bool) {
	name, rest, ok := strings.Cut(text, `"`)
	name = strings.TrimSpace(name)
	if !ok || !tagName(name) {
		return "", "", false
	}
	var b strings.Builder
	for i := 0; i < len(rest); i++ {
		switch c := rest[i]; {
		case c == '\\' && i+1 < len(rest):
			i++
			b.WriteByte(rest[i])
		case c == '"':
			return name, b.String(), strings.TrimSpace(rest[i+1:]) == ""
		default:
			b.WriteByte(c)
		}
	}
	return "", "", false
}

// skipVariation goes to the end of the variation that is being read.
func (r *pgnReader) skipVariation() error {
	for depth := 1; ; {
		r.next()
		switch r.token.kind {
		case 0, '[':
			r.ahead = r.token.kind == '['
			return r.fault("a variation is not closed", nil)
		case '(':
			depth++
		case ')':
			if depth--; depth == 0 {
				return nil
			}
		}
	}
}

// skipGame goes to where the next game seems to begin, behind a fault: to a tag at the beginning of a line that is the tag Event or
// has an empty line before it.
func (r *pgnReader) skipGame() {
	if r.ahead {
		r.ahead = false
		return
	}
	for r.next(); r.token.kind != 0; r.next() {
		if r.token.kind != '[' {
			continue
		}
		before := strings.TrimRight(r.text[:r.token.at], " \t\r")
		above := strings.TrimRight(strings.TrimSuffix(before, "\n"), " \t\r")
		if strings.HasSuffix(before, "\n") && (strings.HasPrefix(r.token.text, "Event ") || strings.HasSuffix(above, "\n")) {
			return
		}
	}
}
