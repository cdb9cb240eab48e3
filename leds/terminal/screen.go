// Package terminal is a display in a terminal: the board with its pieces, each square tinted by its light, and beside it
// lines of text. Where the cursor cannot be moved (a pipe, a dumb terminal) it writes plain lines instead.
package terminal

import (
	"fmt"
	"io"
	"slices"
	"strings"
	"sync"
	"unicode"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Colors is what the terminal can show.
type Colors uint8

// No colours (lights are then signs around the piece), the palette of 256, or 24 bits.
const (
	NoColors Colors = iota
	Palette256
	TrueColor
)

// Options of a Screen. The zero value is plain lines without colour.
type Options struct {
	Moves  bool // the cursor can be moved: the board is drawn; else plain lines
	Colors Colors
	ASCII  bool                       // pieces are letters
	Size   func() (width, height int) // of the terminal; nil: 80 by 24
}

// Tone is how a line of the stream is set off.
type Tone uint8

// The tones of a line.
const (
	Normal Tone = iota
	Faint
	Bright
	Alarm
)

// Men is what stands on the board, as far as it is known.
type Men struct {
	Pieces  [64]rules.Piece
	Unknown rules.Bitboard // something stands there, and nobody knows what
}

// Screen is the terminal. It is a board.Lights, and safe for concurrent use.
type Screen struct {
	mu     sync.Mutex
	out    io.Writer
	opt    Options
	err    error // of the last write
	frame  board.Frame
	men    Men
	title  string
	foot   []string
	stream []line
	closed bool

	drawn         []string // lines as they stand on the terminal
	width, height int
	told          board.Frame // plain: lights that were told
}

type line struct {
	text string
	tone Tone
}

var _ board.Lights = (*Screen)(nil)

// New is a screen on out.
func New(out io.Writer, o Options) *Screen {
	if o.Size == nil {
		o.Size = func() (int, int) { return 80, 24 }
	}
	return &Screen{out: out, opt: o}
}

// Show draws the lights.
func (s *Screen) Show(f board.Frame) error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.frame = f
	if !s.opt.Moves {
		s.tellLights()
	}
	return s.draw()
}

// SetMen draws what stands on the board.
func (s *Screen) SetMen(m Men) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.men = m
	_ = s.draw()
}

// SetTitle draws the line above the board. Plain: it is written once.
func (s *Screen) SetTitle(text string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text = s.printable(text)
	if !s.opt.Moves && text != s.title {
		s.write(text + "\n")
	}
	s.title = text
	_ = s.draw()
}

// SetFoot draws the lines below the board. Plain: a line is written when it is new.
func (s *Screen) SetFoot(lines ...string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	lines = slices.Clone(lines)
	for i, l := range lines {
		l = s.printable(l)
		lines[i] = l
		if !s.opt.Moves && l != "" && (i >= len(s.foot) || s.foot[i] != l) {
			s.write(l + "\n")
		}
	}
	s.foot = lines
	_ = s.draw()
}

// keep is how many lines of the stream are kept: more than fit beside the board.
const keep = 64

// Say adds a line to the stream.
func (s *Screen) Say(text string, t Tone) {
	s.mu.Lock()
	defer s.mu.Unlock()
	text = s.printable(text)
	if !s.opt.Moves {
		s.write(text + "\n")
		return
	}
	s.stream = append(s.stream, line{text, t})
	if len(s.stream) > keep {
		s.stream = append(s.stream[:0], s.stream[len(s.stream)-keep:]...)
	}
	_ = s.draw()
}

// Close leaves the lights dark, and the cursor below what was drawn.
func (s *Screen) Close() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed {
		return s.err
	}
	s.frame = board.Frame{}
	err := s.draw()
	if s.opt.Moves && s.drawn != nil {
		s.write(fmt.Sprintf("\x1b[%d;1H\x1b[?25h\n", len(s.drawn)))
	}
	s.closed = true
	return err
}

// Closed reports whether Close was called: nothing is drawn any more.
func (s *Screen) Closed() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.closed
}

// printable takes the power out of text that comes from files: no control character reaches the terminal.
func (s *Screen) printable(text string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) || s.opt.ASCII && r > unicode.MaxASCII {
			return '?'
		}
		return r
	}, text)
}

func (s *Screen) write(text string) {
	if _, err := io.WriteString(s.out, text); err != nil {
		s.err = err
	}
}

// draw writes the lines that have changed, all at once.
func (s *Screen) draw() error {
	if !s.opt.Moves || s.closed {
		return s.err
	}
	var b strings.Builder
	b.WriteString("\x1b[?2026h") // terminals that know it show the whole at once
	w, h := s.opt.Size()
	if w != s.width || h != s.height || s.drawn == nil {
		s.width, s.height, s.drawn = w, h, nil
		b.WriteString("\x1b[?25l\x1b[2J")
	}
	lines := s.compose()
	for len(lines) < len(s.drawn) {
		lines = append(lines, "") // the foot has become shorter
	}
	empty := b.Len()
	for i, l := range lines {
		if i >= len(s.drawn) || s.drawn[i] != l {
			fmt.Fprintf(&b, "\x1b[%d;1H%s\x1b[K", i+1, l)
		}
	}
	if s.drawn != nil && b.Len() == empty {
		return s.err
	}
	// The cursor rests below, where a typed key or a line of another program breaks nothing.
	fmt.Fprintf(&b, "\x1b[%d;1H\x1b[?2026l", min(len(lines)+1, max(1, h)))
	s.drawn = lines
	s.err = nil
	s.write(b.String())
	return s.err
}

// tellLights writes which squares are lit, when they are others than those told last: blinking says nothing new, and dim
// lights only repeat the last move.
func (s *Screen) tellLights() {
	new := false
	for i, c := range s.frame {
		new = new || bright(c) && c != s.told[i]
	}
	if !new {
		return
	}
	s.told = s.frame
	var words []string
	for i, c := range s.frame {
		if bright(c) {
			words = append(words, rules.Square(i).String()+" "+name(c))
		}
	}
	s.write("lights: " + strings.Join(words, ", ") + "\n")
}
