// Package laws says to people what the rules and the boards say in codes: why a move is refused, what is wrong with a position,
// which move was made, how a game ended, what a board waits for. It speaks English, Spanish, Russian, Persian, Korean and Thai.
//
// A Language is found with Match, by the tag or the Accept-Language header of whoever reads. It turns what doors publish into
// sentences: Event for an event's JSON, State for the state of a board, Cause and Fault for the laws' own answers. All of
// it is pure: the same codes give the same words.
//
// Each language is a table in a file of its own; docs/languages.md tells how to add one.
package laws

import (
	"strings"

	"golang.org/x/text/language"

	"github.com/boardd/boardd/rules"
)

// Language is one of the languages that boardd speaks: its words, how they bend, and its sentences. All methods are safe for
// concurrent use.
type Language struct {
	tag   language.Tag
	comma string // between the parts of a sentence
	pause string // between sentences on one line
	and   string // before the last of several
	or    string
	rtl   bool // read from the right: what is read from the left stands in isolates

	man    func(m man, form string) (string, bool)         // a piece in a grammatical form
	side   func(c rules.Color, form string) (string, bool) // White and Black as players, likewise
	attach func(text, form string) (string, bool)          // where the form depends on how a text ends; nil where it never does
	before map[string]string                               // what a form puts before a square; nil for nothing
	plural func(n int) int                                 // which of the words in {n?a|b} a number wants
	digits func(n int) string                              // nil for 0 to 9
	finish func(text string) string                        // the last touch to a sentence; nil for none

	say map[string]string // the sentences by key, see english.go
}

// languages are all there are. The first one is spoken to whoever understands none of them.
var languages = []*Language{&english, &spanish, &russian, &persian, &korean, &thai}

var matcher = func() language.Matcher {
	tags := make([]language.Tag, len(languages))
	for i, l := range languages {
		tags[i] = l.tag
	}
	return language.NewMatcher(tags)
}()

// Match finds the language for a reader. Each of wanted is a tag (es-MX, fa_IR) or an Accept-Language header; the first that
// leads to a language wins. Without any, it is English, and ok is false.
func Match(wanted ...string) (l *Language, ok bool) {
	for _, w := range wanted {
		tags, _, err := language.ParseAcceptLanguage(w)
		if err != nil || len(tags) == 0 {
			continue
		}
		if _, i, sure := matcher.Match(tags...); sure > language.No {
			return languages[i], true
		}
	}
	return languages[0], false
}

// Tags are the languages that there are, as BCP 47 tags: en es ru fa ko th.
func Tags() []string {
	var tags []string
	for _, l := range languages {
		tags = append(tags, l.String())
	}
	return tags
}

// String is the language's tag.
func (l *Language) String() string { return l.tag.String() }

// RightToLeft reports whether the language is written from the right. Squares and notation in its sentences stand in Unicode
// isolates; the paragraph's direction is the reader's to set.
func (l *Language) RightToLeft() bool { return l.rtl }

// Cause says why an attempt is refused: a clause without capital and full stop, "" for the zero Cause. With the position in
// which it was tried the attacking men are named; nil if it is not known.
func (l *Language) Cause(c rules.Cause, p *rules.Position) string {
	if c.Reason == rules.NoReason {
		return ""
	}
	return l.because(c.Reason.String(), c.Squares, p)
}

func (l *Language) because(reason string, squares []rules.Square, p *rules.Position) string {
	a := args{"squares": squares, "attack": ""}
	if len(squares) > 0 {
		a["attack"] = l.text("cause.attack", args{"men": l.menOn(squares, p)})
	}
	return l.text(l.known("reason.", reason), a)
}

// Legal says that an attempt is a legal move, and which draw may be claimed with it. attempt is how it was written.
func (l *Language) Legal(attempt, san string, claim rules.Claim) string {
	text := l.text("verdict.legal", args{"move": code(attempt), "san": code(san)})
	if claim != rules.NoClaim {
		text += l.pause + l.text("verdict.claim", args{"why": l.Claim(claim.String())})
	}
	return text
}

// Illegal says all that is known of why an attempt is refused, and what may be done about a check. by is the move of the game that
// is the cause, as on a score sheet, "" for none; p as in Cause.
func (l *Language) Illegal(attempt string, v rules.Verdict, by string, p *rules.Position) string {
	why := l.Cause(v.Cause, p)
	if by != "" {
		why += " (" + l.isolate(by) + ")"
	}
	text := l.text("verdict.illegal", args{"move": code(attempt), "article": code(v.Cause.Article), "why": why})
	var also []string
	for _, c := range v.Others {
		also = append(also, l.isolate(c.Article)+" ("+l.Cause(c, p)+")")
	}
	if len(also) > 0 {
		text += l.pause + l.text("verdict.also", args{"causes": l.list(also, l.and)})
	}
	if v.Check {
		if ways := l.Ways(v.Ways); ways != "" {
			text += l.pause + ways
		}
	}
	return text
}

// Ways says which ways out of check there are, "" for none.
func (l *Language) Ways(e rules.Escapes) string {
	var ways []string
	for _, name := range e.Names() {
		ways = append(ways, l.text("way."+name, nil))
	}
	if len(ways) == 0 {
		return ""
	}
	return l.text("verdict.ways", args{"ways": l.list(ways, l.or)})
}

// Fault says what is wrong with a position, by the fault's code: a clause without capital and full stop, "" for an unknown code.
func (l *Language) Fault(code string) string {
	if key := "fault." + code; l.say[key] != "" {
		return l.text(key, nil)
	}
	return ""
}

// Claim says for which draw a claim is possible (threefold, fifty), "" for none.
func (l *Language) Claim(kind string) string {
	if key := "claim." + kind; l.say[key] != "" {
		return l.text(key, nil)
	}
	return ""
}

// End says how a game ended, by the result as in PGN and the code of the reason, as in game_end.
func (l *Language) End(result, reason string) string {
	if result == "1/2-1/2" && reason == "resign" {
		reason = "resign_draw"
	}
	why := l.text(l.known("end.", reason), nil)
	if result == "*" {
		return capital(why)
	}
	return capital(l.text("end", args{"result": l.result(result), "why": why}))
}

func (l *Language) result(result string) string { return l.text(l.known("result.", result), nil) }

// known is the key of a code, or of what is said in place of a code from another version.
func (l *Language) known(group, code string) string {
	if key := group + code; l.say[key] != "" {
		return key
	}
	return group + "other"
}

// menOn are the men on squares, or the squares where the position is not known.
func (l *Language) menOn(squares []rules.Square, p *rules.Position) []any {
	var list []any
	for _, s := range squares {
		if p == nil || s >= rules.NoSquare || p.At(s) == rules.NoPiece {
			list = append(list, s)
		} else {
			list = append(list, manOn{man{role: p.At(s).Role()}, s})
		}
	}
	return list
}

func plainWords(code string) string { return strings.NewReplacer("_", " ", "-", " ").Replace(code) }
