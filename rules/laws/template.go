package laws

import (
	"fmt"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardd/boardd/rules"
)

// A sentence of a table holds placeholders:
//
//	{name}         a value
//	{name:form}    a value in a form that the language's grammar knows: a case, an article, a particle
//	{name?a|b|c}   a word that depends on a number, or on how many there are in a list
type args map[string]any

// code is a text of the machine's: SAN, UCI, FEN, the number of an article. It is read from the left in every language.
type code string

// man is a piece, of a colour or of any.
type man struct {
	role    rules.Role
	colored bool
	color   rules.Color
}

// manOn is a piece with its square.
type manOn struct {
	man
	square rules.Square
}

// sentence is a text that begins with a capital, unless it begins with what is the machine's.
func (l *Language) sentence(key string, a args) string {
	if inner, found := strings.CutPrefix(l.say[key], "{"); found {
		name, _, _ := strings.Cut(inner, "}")
		name, _, _ = strings.Cut(name, ":")
		if _, machine := a[name].(code); machine {
			return l.text(key, a)
		}
	}
	return capital(l.text(key, a))
}

// text puts values into a sentence of the table.
func (l *Language) text(key string, a args) string {
	text, err := l.fill(l.say[key], a)
	if err != nil {
		return fmt.Sprintf("[%s %s: %v]", l, key, err) // a fault of the tables, found by their tests
	}
	return text
}

func (l *Language) fill(sentence string, a args) (string, error) {
	var b strings.Builder
	for {
		before, rest, found := strings.Cut(sentence, "{")
		b.WriteString(before)
		if !found {
			break
		}
		inner, after, closed := strings.Cut(rest, "}")
		if !closed {
			return "", fmt.Errorf("no } after {%s", rest)
		}
		value, err := l.place(inner, a)
		if err != nil {
			return "", err
		}
		b.WriteString(value)
		sentence = after
	}
	if l.finish != nil {
		return l.finish(b.String()), nil
	}
	return b.String(), nil
}

// place is what stands for a placeholder.
func (l *Language) place(inner string, a args) (string, error) {
	i := strings.IndexAny(inner, ":?")
	if i < 0 {
		i = len(inner)
	}
	value, ok := a[inner[:i]]
	if !ok {
		return "", fmt.Errorf("no value for {%s}", inner)
	}
	if i < len(inner) && inner[i] == '?' {
		words := strings.Split(inner[i+1:], "|")
		n := l.choice(value)
		if n >= len(words) {
			return "", fmt.Errorf("{%s} wants a word number %d for %v", inner, n+1, value)
		}
		return words[n], nil
	}
	form := strings.TrimPrefix(inner[i:], ":")
	text, ok := l.bend(value, form)
	if !ok {
		return "", fmt.Errorf("{%s}: no such form of %v", inner, value)
	}
	return text, nil
}

// choice is which of several words a value wants.
func (l *Language) choice(value any) int {
	switch v := value.(type) {
	case int:
		return l.plural(v)
	case []rules.Square:
		return l.plural(max(len(v), 1))
	case []any:
		return l.plural(max(len(v), 1))
	}
	return 0
}

// bend is a value as a text in a form. The form of a list is that of each of its values, or of its end where it depends on that.
func (l *Language) bend(value any, form string) (string, bool) {
	if l.attach != nil && form != "" {
		text, ok := l.bend(value, "")
		if !ok {
			return "", false
		}
		return l.attach(text, form)
	}
	switch v := value.(type) {
	case man:
		return l.man(v, form)
	case manOn:
		text, ok := l.man(v.man, form)
		return l.text("man.on", args{"man": text, "square": v.square}), ok
	case rules.Color:
		return l.side(v, form)
	case []rules.Role:
		var list []string
		for _, r := range v {
			text, ok := l.man(man{role: r}, form)
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		return l.list(list, l.or), true
	case []any:
		var list []string
		for _, e := range v {
			if _, plain := e.(rules.Square); plain && l.attach == nil {
				list = append(list, l.before[form]+l.plain(e))
				continue
			}
			text, ok := l.bend(e, form)
			if !ok {
				return "", false
			}
			list = append(list, text)
		}
		return l.list(list, l.and), true
	}
	return l.plain(value), form == ""
}

// plain is a value that has no forms.
func (l *Language) plain(value any) string {
	switch v := value.(type) {
	case string:
		return v
	case code:
		return l.isolate(string(v))
	case rules.Square:
		return l.isolate(v.String())
	case []rules.Square:
		var list []string
		for _, s := range v {
			list = append(list, l.isolate(s.String()))
		}
		return l.list(list, l.and)
	case int:
		if l.digits != nil {
			return l.digits(v)
		}
		return strconv.Itoa(v)
	}
	return fmt.Sprint(value)
}

// Isolates keep a text's direction to itself (Unicode bidirectional algorithm, X5c): the first strong character decides it.
const (
	firstStrongIsolate = "\u2068"
	popIsolate         = "\u2069"
)

// isolate marks a text that is read from the left where the language is read from the right. Marks within it go: an
// isolate that is not closed would take in the rest of the sentence.
func (l *Language) isolate(text string) string {
	if !l.rtl || text == "" {
		return text
	}
	return firstStrongIsolate + strings.Map(func(r rune) rune {
		if unicode.Is(unicode.Bidi_Control, r) {
			return -1
		}
		return r
	}, text) + popIsolate
}

// list joins texts as a sentence does; last stands before the last one.
func (l *Language) list(texts []string, last string) string {
	if len(texts) < 2 {
		return strings.Join(texts, "")
	}
	n := len(texts) - 1
	return strings.Join(texts[:n], l.comma) + last + texts[n]
}

// parts joins parts of a sentence, leaving out the empty ones.
func (l *Language) parts(parts ...string) string {
	var some []string
	for _, p := range parts {
		if p != "" {
			some = append(some, p)
		}
	}
	return strings.Join(some, l.comma)
}

// capital makes the first letter a capital, unless a square stands there. Spanish questions begin with a sign.
func capital(text string) string {
	if rest, question := strings.CutPrefix(text, "¿"); question {
		return "¿" + capital(rest)
	}
	if _, square := rules.ParseSquare(text[:min(2, len(text))]); square || text == "" {
		return text
	}
	r, n := utf8.DecodeRuneInString(text)
	return string(unicode.ToUpper(r)) + text[n:]
}
