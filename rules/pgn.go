package rules

import (
	"cmp"
	"strconv"
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

// movetext is the moves with their numbers, one token a word.
func (g PGN) movetext() (words []string) {
	if g.Line == nil {
		return nil
	}
	for i := range g.Line.Len() {
		p := g.Line.At(i)
		switch {
		case p.Turn() == White:
			words = append(words, strconv.Itoa(p.Fullmove())+".")
		case i == 0:
			words = append(words, strconv.Itoa(p.Fullmove())+"...")
		}
		words = append(words, p.SAN(g.Line.Move(i)))
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
