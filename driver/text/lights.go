package text

import (
	"bytes"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// lights say how a frame is written to the board.
type lights struct {
	encoder             string
	prefix, suffix, off []byte
	each                string
	every               int64
}

// lit reports whether the board can be given light now.
func (m *Machine) lit() bool {
	return m.p.lights.encoder != "" && m.online && len(m.queue) == 0
}

// light is the newest frame, when it is time for one and it looks different from the last.
func (m *Machine) light() []byte {
	if !m.dirty || !m.lit() || m.now < m.nextLeds {
		return nil
	}
	m.dirty = false
	f := m.frame
	if m.p.o.Board.Rotate180 == "yes" {
		for i := range 32 {
			f[i], f[63-i] = f[63-i], f[i]
		}
	}
	b := m.p.lights.encode(&f)
	if bytes.Equal(b, m.shown) || len(b) == 0 && m.p.lights.encoder == "move_text" {
		return nil
	}
	m.shown = bytes.Clone(b)
	m.nextLeds = m.now + m.p.lights.every
	return b
}

// encode writes a frame (protocols/diy-serial.md section 2d). Boards of this kind have lights of one colour.
func (l *lights) encode(f *board.Frame) []byte {
	var squares []rules.Square
	for s := range rules.Square(64) {
		if f[s] != (board.RGB{}) {
			squares = append(squares, s)
		}
	}
	switch l.encoder {
	case "bitmap8":
		b := make([]byte, 8)
		for _, s := range squares {
			b[7-s.Rank()] |= 1 << s.File()
		}
		return b
	case "squares_bytes":
		return l.framed(squares, func(s rules.Square) []byte { return []byte{byte(s.Rank()<<4 | s.File())} })
	case "squares_text":
		return l.framed(squares, func(s rules.Square) []byte { return []byte(strings.ReplaceAll(l.each, "{sq}", s.String())) })
	case "move_text":
		return l.move(f, squares)
	}
	return nil
}

func (l *lights) framed(squares []rules.Square, one func(rules.Square) []byte) []byte {
	if len(squares) == 0 && len(l.off) > 0 {
		return bytes.Clone(l.off)
	}
	b := bytes.Clone(l.prefix)
	for _, s := range squares {
		b = append(b, one(s)...)
	}
	return append(b, l.suffix...)
}

// move is a man to be taken from one square to another: one that is lit in the colour of what is to be removed, redder than
// blue, and one in that of what is to be put there.
func (l *lights) move(f *board.Frame, squares []rules.Square) []byte {
	if len(squares) != 2 {
		return nil
	}
	from, to := squares[0], squares[1]
	if f[from].R < f[from].B {
		from, to = to, from
	}
	if f[from].R <= f[from].B || f[to].R >= f[to].B {
		return nil
	}
	return []byte(strings.NewReplacer("{from}", from.String(), "{to}", to.String()).Replace(l.each))
}
