package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// layout is how the terminal is divided.
type layout struct {
	cell  int // columns of a square
	rows  int // lines of a square
	panel int // columns beside the board
	foot  int // lines below it
}

const (
	margin = 3 // the ranks' numbers
	gutter = 3
)

// layout fits the screen: large squares where they leave room for the foot, and the rest for the stream.
func (s *Screen) layout() layout {
	l := layout{cell: 4, rows: 2}
	if s.height < 2+2*8+1+2 || s.width < 60 {
		l = layout{cell: 3, rows: 1}
	}
	l.panel = max(0, s.width-margin-8*l.cell-gutter)
	l.foot = max(0, min(len(s.foot), s.height-2-8*l.rows-2))
	return l
}

// compose makes every line of the screen, at most as many as fit, the last one included: nothing scrolls.
func (s *Screen) compose() []string {
	l := s.layout()
	lines := append([]string{s.paint(s.clip(s.title, s.width), Bright)}, s.board(l)...)
	if l.panel > 0 {
		for i, said := range s.newest(len(lines)-2, l.panel) {
			lines[2+i] += strings.Repeat(" ", gutter) + s.paint(said.text, said.tone)
		}
	}
	lines = append(lines, "")
	for _, f := range s.foot[:l.foot] {
		lines = append(lines, s.clip(f, s.width))
	}
	return lines[:min(len(lines), max(1, s.height))]
}

// board draws a line above the board, the ranks, and the files' letters. Large coloured squares reach half a line above and
// below the line of their men, so that those stand in the middle.
func (s *Screen) board(l layout) []string {
	halves := l.rows == 2 && s.opt.Colors != NoColors && !s.opt.ASCII
	lines := []string{""}
	if halves {
		lines[0] = s.edge(l, 8, 7)
	}
	for rank := 7; rank >= 0; rank-- {
		lines = append(lines, s.rank(l, rank, true))
		switch {
		case halves:
			lines = append(lines, s.edge(l, rank, rank-1))
		case l.rows == 2:
			lines = append(lines, s.rank(l, rank, false))
		}
	}
	letters := strings.Repeat(" ", margin)
	for f := range 8 {
		letters += center(string(rune('a'+f)), l.cell)
	}
	return append(lines, letters)
}

// rank draws a line of a rank, with or without its men.
func (s *Screen) rank(l layout, rank int, men bool) string {
	var b strings.Builder
	if men {
		b.WriteString(" " + string(rune('1'+rank)) + " ")
	} else {
		b.WriteString(strings.Repeat(" ", margin))
	}
	for file := range 8 {
		q := rules.NewSquare(file, rank)
		text := strings.Repeat(" ", l.cell)
		if men {
			text = s.cell(q, l.cell)
		}
		if s.opt.Colors != NoColors {
			text = s.background(s.shade(file, rank)) + s.foreground(s.ink(q)) + text
		}
		b.WriteString(text)
	}
	return b.String() + s.plain()
}

// edge draws the line in which one rank ends and the next one begins; ranks 8 and -1 are outside the board.
func (s *Screen) edge(l layout, above, below int) string {
	var b strings.Builder
	b.WriteString(strings.Repeat(" ", margin))
	for file := range 8 {
		half := "▀"
		if above > 7 {
			half = "▄"
			b.WriteString(s.foreground(s.shade(file, below)))
		} else {
			b.WriteString(s.foreground(s.shade(file, above)))
			if below >= 0 {
				b.WriteString(s.background(s.shade(file, below)))
			}
		}
		b.WriteString(strings.Repeat(half, l.cell))
	}
	return b.String() + s.plain()
}

// shade is the colour of a square with its light on it.
func (s *Screen) shade(file, rank int) board.RGB {
	base := darkSquare
	if (file+rank)%2 == 1 {
		base = lightSquare
	}
	return lit(base, s.frame[rules.NewSquare(file, rank)])
}

var glyphs = map[rules.Role]string{rules.Pawn: "♟", rules.Knight: "♞", rules.Bishop: "♝", rules.Rook: "♜", rules.Queen: "♛", rules.King: "♚"}

// cell is the man of a square; without colours, the light is a pair of signs around it.
func (s *Screen) cell(q rules.Square, width int) string {
	man := s.man(q)
	if s.opt.Colors == NoColors {
		left, right := signs(s.frame[q])
		if man == " " {
			man = "."
		}
		man = left + man + right
	}
	return center(man, width)
}

func (s *Screen) man(q rules.Square) string {
	p := s.men.Pieces[q]
	switch {
	case s.men.Unknown.Has(q) && s.opt.ASCII:
		return "?"
	case s.men.Unknown.Has(q):
		return "●"
	case p == rules.NoPiece:
		return " "
	case s.opt.ASCII || s.opt.Colors == NoColors:
		return p.String()
	}
	return glyphs[p.Role()]
}

func (s *Screen) ink(q rules.Square) board.RGB {
	if p := s.men.Pieces[q]; s.men.Unknown.Has(q) {
		return unknownMan
	} else if p != rules.NoPiece && p.Color() == rules.Black {
		return blackMan
	}
	return whiteMan
}

// signs stand for the three colours of the lights: take off, put here, look here; a dim light is a dot.
func signs(c board.RGB) (left, right string) {
	switch name(c) {
	case "":
		return " ", " "
	case "orange":
		return "<", ">"
	case "blue":
		return "(", ")"
	case "dim":
		return "'", "'"
	}
	return "[", "]"
}

// name is the word for a light, "" for a dark square.
func name(c board.RGB) string {
	switch top := max(c.R, c.G, c.B); {
	case top == 0:
		return ""
	case c.R == top && c.B < top/2:
		return "orange"
	case c.B == top && c.R < top/2:
		return "blue"
	case top < 32:
		return "dim"
	}
	return "white"
}

func bright(c board.RGB) bool { n := name(c); return n != "" && n != "dim" }

// newest is the end of the stream that fits into so many lines of so many columns; longer texts go on in the next line.
func (s *Screen) newest(height, width int) (lines []line) {
	for _, said := range s.stream {
		for _, text := range wrap(said.text, width) {
			lines = append(lines, line{text, said.tone})
		}
	}
	return lines[max(0, len(lines)-height):]
}

// wrap breaks a text at blanks into lines of at most width columns, those after the first one indented; words that are longer
// are broken anywhere.
func wrap(text string, width int) (lines []string) {
	indent := ""
	if width > 20 {
		indent = "  "
	}
	rest := []rune(text)
	for len(rest) > width {
		cut := width
		for at := width; at > width/2; at-- {
			if rest[at] == ' ' {
				cut = at
				break
			}
		}
		lines = append(lines, strings.TrimRight(string(rest[:cut]), " "))
		rest = []rune(indent + strings.TrimLeft(string(rest[cut:]), " "))
	}
	return append(lines, string(rest))
}

// clip cuts a text that is too long, and says so.
func (s *Screen) clip(text string, width int) string {
	if utf8.RuneCountInString(text) <= width {
		return text
	}
	if width <= 0 {
		return ""
	}
	more := "…"
	if s.opt.ASCII {
		more = "~"
	}
	return string([]rune(text)[:width-1]) + more
}

func center(text string, width int) string {
	free := max(0, width-utf8.RuneCountInString(text))
	return strings.Repeat(" ", free/2) + text + strings.Repeat(" ", free-free/2)
}
