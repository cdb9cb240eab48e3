package rules

import (
	"cmp"
	"strings"
)

// PGN is a game to be written in PGN's export form. Empty tags become "?" or what PGN prescribes for the unknown.
type PGN struct {
	Event, Site  string
	Date         string // "2026.07.31", "?" for digits that are not known
	Round        string
	White, Black string
	Result       string // 1-0, 0-1, 1/2-1/2 or *, which is also what an empty one means
	Tags         []Tag  // further tags, written in this order behind the seven
	Line         *Line  // nil for a game without moves from the initial position
	Comment      string // what is said before the first move
	Notes        []Note // what is said about the plies, in their order; there may be fewer than plies

	// Stood are the texts of moves from an illegal one on that was left standing (A.5): the moves end before it, and these follow
	// in a comment. The result is kept.
	Stood []string
}

// Note is what is said about a ply.
type Note struct {
	NAGs       []uint8 // numeric annotation glyphs, 1 for a good move
	Clock      int64   // milliseconds that the mover's clock showed after the move, if HasClock
	HasClock   bool
	Comment    string // without [%clk]; runs of blanks are one
	Variations []Variation
}

// Variation is what could have been played instead of a ply.
type Variation struct {
	Comment string // before its first move
	Moves   []Move
	Notes   []Note // as in PGN
}

// Tag is one tag pair of a PGN. SetUp, FEN and Variant are made from the line and need not be given.
type Tag struct{ Name, Value string }

// pgnWidth is the longest line of movetext: PGN wants fewer than 80 characters.
const pgnWidth = 79

// String writes the game: the seven tags, further tags, SetUp and FEN for another start than the initial position, the moves
// wrapped before column 80, the result, and an empty line.
func (g PGN) String() string {
	var b strings.Builder
	result := cmp.Or(g.Result, "*")
	for _, t := range [...]Tag{
		{"Event", cmp.Or(g.Event, "?")}, {"Site", cmp.Or(g.Site, "?")}, {"Date", cmp.Or(g.Date, "????.??.??")},
		{"Round", cmp.Or(g.Round, "?")}, {"White", cmp.Or(g.White, "?")}, {"Black", cmp.Or(g.Black, "?")}, {"Result", result},
	} {
		writeTag(&b, t)
	}
	own := g.startTags()
	for _, t := range g.Tags {
		if tagName(t.Name) && !reserved(own, t.Name) {
			writeTag(&b, t)
		}
	}
	for _, t := range own {
		writeTag(&b, t)
	}
	b.WriteByte('\n')
	if !isResult(result) || result == "½-½" {
		result = "*" // a forfeit of both and the like: the tag says it, movetext has no sign for it
	}
	writeWrapped(&b, append(g.movetext(), result))
	b.WriteByte('\n')
	return b.String()
}

func (g PGN) startTags() (tags []Tag) {
	if g.Line == nil {
		return nil
	}
	p := g.Line.Start()
	if p.Variant() == Chess960 {
		tags = append(tags, Tag{"Variant", "Chess960"})
	}
	if fen := p.FEN(); fen != StartFEN {
		tags = append(tags, Tag{"SetUp", "1"}, Tag{"FEN", fen})
	}
	return tags
}

// reserved reports whether a tag is written anyway.
func reserved(own []Tag, name string) bool {
	switch name {
	case "Event", "Site", "Date", "Round", "White", "Black", "Result":
		return true
	}
	for _, t := range own {
		if t.Name == name {
			return true
		}
	}
	return false
}

// tagName reports whether a name is one that PGN allows: letters, digits and the underscore.
func tagName(name string) bool {
	for i := 0; i < len(name); i++ {
		c := name[i]
		if c != '_' && (c < '0' || c > '9') && (c < 'A' || c > 'Z') && (c < 'a' || c > 'z') {
			return false
		}
	}
	return name != ""
}

func writeTag(b *strings.Builder, t Tag) {
	b.WriteByte('[')
	b.WriteString(t.Name)
	b.WriteString(` "`)
	for _, r := range t.Value {
		switch {
		case r == '"' || r == '\\':
			b.WriteByte('\\')
		case r < ' ' || r == 0x7f: // a tag is one line
			r = ' '
		}
		b.WriteRune(r)
	}
	b.WriteString("\"]\n")
}

// movetext is all words between the tags and the result.
func (g PGN) movetext() []string {
	words := comment(nil, g.Comment)
	if g.Line != nil {
		words = moveWords(words, g.Line.Start(), g.Line.moves, g.Notes)
	}
	if len(g.Stood) > 0 {
		words = comment(words, stood+" "+strings.Join(g.Stood, " "))
	}
	return words
}

func writeWrapped(b *strings.Builder, words []string) {
	column := 0
	for _, w := range words {
		switch {
		case column == 0:
		case column+1+len(w) > pgnWidth:
			b.WriteByte('\n')
			column = 0
		default:
			b.WriteByte(' ')
			column++
		}
		b.WriteString(w)
		column += len(w)
	}
	b.WriteByte('\n')
}
