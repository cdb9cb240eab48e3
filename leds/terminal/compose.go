package terminal

import (
	"strings"
	"unicode/utf8"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// layout is how the terminal is divided: each square is cell columns wide and rows high.
type layout struct {
	cell, rows int
	panel      int // columns beside the board
	foot       int // lines below it
}

const (
	margin = 3 // the ranks' numbers
	gutter = 3
)

// layout fits the screen: large squares from 21 lines on, and what is left for the stream.
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
	lines := []string{s.paint(s.clip(s.title, s.width), Bright), ""}
	squares := 8*l.rows + 1
	first := max(0, len(s.stream)-squares)
	for row := range squares {
		var b strings.Builder
		if row < 8*l.rows {
			s.boardRow(&b, l, 7-row/l.rows, row%l.rows)
		} else {
			b.WriteString(strings.Repeat(" ", margin))
			for f := range 8 {
				b.WriteString(center(string(rune('a'+f)), l.cell))
			}
		}
		if at := first + row; at < len(s.stream) && l.panel > 0 {
			b.WriteString(strings.Repeat(" ", gutter))
			b.WriteString(s.paint(s.clip(s.stream[at].text, l.panel), s.stream[at].tone))
		}
		lines = append(lines, b.String())
	}
	lines = append(lines, "")
	for _, f := range s.foot[:l.foot] {
		lines = append(lines, s.clip(f, s.width))
	}
	return lines[:min(len(lines), max(1, s.height))]
}

// boardRow draws one line of a rank; the men stand on its first line.
func (s *Screen) boardRow(b *strings.Builder, l layout, rank, sub int) {
	if sub == 0 {
		b.WriteString(" " + string(rune('1'+rank)) + " ")
	} else {
		b.WriteString(strings.Repeat(" ", margin))
	}
	for file := range 8 {
		q := rules.NewSquare(file, rank)
		text := strings.Repeat(" ", l.cell)
		if sub == 0 {
			text = s.cell(q, l.cell)
		}
		if s.opt.Colors == NoColors {
			b.WriteString(text)
			continue
		}
		base := darkSquare
		if (file+rank)%2 == 1 {
			base = lightSquare
		}
		b.WriteString(s.background(lit(base, s.frame[q])) + s.foreground(s.ink(q)) + text)
	}
	if s.opt.Colors != NoColors {
		b.WriteString("\x1b[0m")
	}
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
