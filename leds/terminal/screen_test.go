package terminal

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// glass is as much of a terminal as a Screen uses: a grid of cells with colours, and a cursor.
type glass struct {
	t             rapid.TB
	width, height int
	cells         [][]pixel
	row, col      int
	sgr           string
	hidden        bool
}

type pixel struct {
	char rune
	sgr  string
}

func newGlass(t rapid.TB, width, height int) *glass {
	g := &glass{t: t, width: width, height: height}
	g.clear()
	return g
}

func (g *glass) clear() {
	g.cells = make([][]pixel, g.height)
	for i := range g.cells {
		g.cells[i] = make([]pixel, g.width)
		for j := range g.cells[i] {
			g.cells[i][j].char = ' '
		}
	}
}

func (g *glass) Write(p []byte) (int, error) {
	for rest := p; len(rest) > 0; {
		if !bytes.HasPrefix(rest, []byte("\x1b[")) {
			r, n := utf8.DecodeRune(rest)
			rest = rest[n:]
			g.put(r)
			continue
		}
		end := bytes.IndexFunc(rest[2:], func(r rune) bool { return r >= '@' && r <= '~' })
		if end < 0 {
			g.t.Fatalf("unfinished escape %q", rest)
		}
		args, final := string(rest[2:2+end]), rest[2+end]
		rest = rest[3+end:]
		g.control(args, final)
	}
	return len(p), nil
}

func (g *glass) put(r rune) {
	if r == '\n' {
		g.row++
		if g.row > g.height {
			g.t.Fatal("the screen scrolls")
		}
		return
	}
	if r < ' ' || g.row >= g.height || g.col >= g.width {
		g.t.Fatalf("%q written at line %d column %d of %d by %d", r, g.row, g.col, g.width, g.height)
	}
	g.cells[g.row][g.col] = pixel{r, g.sgr}
	g.col++
}

func (g *glass) control(args string, final byte) {
	switch {
	case final == 'H':
		if _, err := fmt.Sscanf(args, "%d;%d", &g.row, &g.col); err != nil {
			g.t.Fatalf("cursor to %q", args)
		}
		g.row, g.col = g.row-1, g.col-1
	case final == 'K':
		for c := g.col; c < g.width; c++ {
			g.cells[g.row][c] = pixel{char: ' '}
		}
	case final == 'J' && args == "2":
		g.clear()
	case final == 'm' && args == "0":
		g.sgr = ""
	case final == 'm':
		g.sgr += "[" + args + "]"
	case args == "?25":
		g.hidden = final == 'l'
	case args == "?2026":
	default:
		g.t.Fatalf("escape %q %c", args, final)
	}
}

func (g *glass) String() string {
	var lines []string
	for _, row := range g.cells {
		var b strings.Builder
		for _, c := range row {
			b.WriteRune(c.char)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return strings.TrimRight(strings.Join(lines, "\n"), "\n")
}

func start() (m Men) {
	p := rules.Start()
	for q := range rules.NoSquare {
		m.Pieces[q] = p.At(q)
	}
	return m
}

func square(name string) rules.Square {
	q, _ := rules.ParseSquare(name)
	return q
}

type lights map[string]board.RGB

func frame(l lights) (f board.Frame) {
	for name, c := range l {
		f[square(name)] = c
	}
	return f
}

func TestSmallScreenWithoutColors(t *testing.T) {
	t.Parallel()
	g := newGlass(t, 62, 14)
	s := New(g, Options{Moves: true, Size: func() (int, int) { return g.width, g.height }})
	m := start()
	m.Pieces[square("e2")] = rules.NoPiece
	m.Unknown = square("e3").Bit()
	s.SetTitle("a demo")
	s.SetMen(m)
	s.SetFoot("watch here", "and there")
	s.Say("move e4", Bright)
	if err := s.Show(frame(lights{"e3": {R: 63, G: 16}, "e2": {G: 22, B: 63}, "a1": {R: 63, G: 63, B: 63}, "h1": {R: 15, G: 15, B: 15}})); err != nil {
		t.Fatal(err)
	}
	want := `a demo

 8  r  n  b  q  k  b  n  r    move e4
 7  p  p  p  p  p  p  p  p
 6  .  .  .  .  .  .  .  .
 5  .  .  .  .  .  .  .  .
 4  .  .  .  .  .  .  .  .
 3  .  .  .  . <●> .  .  .
 2  P  P  P  P (.) P  P  P
 1 [R] N  B  Q  K  B  N 'R'
    a  b  c  d  e  f  g  h

watch here
and there`
	if got := g.String(); got != want {
		t.Errorf("got\n%s\nwant\n%s", got, want)
	}
}

func TestLargeScreen(t *testing.T) {
	t.Parallel()
	g := newGlass(t, 80, 24)
	s := New(g, Options{Moves: true, Colors: TrueColor})
	s.SetMen(start())
	for i := range 40 {
		s.Say(fmt.Sprintf("line %d", i), Normal)
	}
	if err := s.Show(frame(lights{"e4": {R: 63, G: 16}})); err != nil {
		t.Fatal(err)
	}
	text := g.String()
	for _, want := range []string{"♜   ♞   ♝   ♛   ♚", "line 39", "line 23", " 1  "} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
	if strings.Contains(text, "line 22") {
		t.Error("an old line is still there")
	}
	// e4 is the fifth file from column 3; the men of the fifth rank from above stand on line 10.
	bg := func(line, col int) string {
		at := g.cells[line][col].sgr
		at = at[strings.LastIndex(at, "[48"):]
		return at[:strings.Index(at, "]")]
	}
	if lit, dark := bg(10, 3+4*4), bg(10, 3+6*4); lit == dark || bg(9, 3+4*4+3) != lit {
		t.Errorf("e4 is %s, g4 %s", lit, dark)
	}
	if err := s.Show(board.Frame{}); err != nil {
		t.Fatal(err)
	}
	if bg(10, 3+4*4) != bg(10, 3+6*4) {
		t.Error("e4 is still lit")
	}
}

// Drawing only what has changed leaves the same picture as drawing everything, on terminals of any size that change.
func TestRedraw(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		opt := Options{
			Moves: true, ASCII: rapid.Bool().Draw(t, "ascii"),
			Colors: rapid.SampledFrom([]Colors{NoColors, Palette256, TrueColor}).Draw(t, "colors"),
		}
		g := newGlass(t, rapid.IntRange(1, 100).Draw(t, "width"), rapid.IntRange(1, 40).Draw(t, "height"))
		if g.width < margin+8*3 {
			g.width += margin + 8*3 // narrower than the board is not drawn well
		}
		g.clear()
		opt.Size = func() (int, int) { return g.width, g.height }
		s := New(g, opt)
		var lines []string
		var last board.Frame
		for range rapid.IntRange(1, 20).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				last = board.Frame{}
				last[rapid.IntRange(0, 63).Draw(t, "square")] = board.RGB{R: rapid.Byte().Draw(t, "r"), B: rapid.Byte().Draw(t, "b")}
				if err := s.Show(last); err != nil {
					t.Fatal(err)
				}
			case 1:
				m := start()
				m.Unknown = rules.Bitboard(rapid.Uint64().Draw(t, "unknown"))
				s.SetMen(m)
			case 2:
				lines = append(lines, rapid.String().Draw(t, "line"))
				s.Say(lines[len(lines)-1], Tone(rapid.IntRange(0, 3).Draw(t, "tone")))
			case 3:
				s.SetFoot(rapid.SliceOfN(rapid.String(), 0, 4).Draw(t, "foot")...)
			case 4:
				s.SetTitle(rapid.String().Draw(t, "title"))
			}
		}
		fresh := newGlass(t, g.width, g.height)
		again := New(fresh, opt)
		again.frame, again.men, again.title, again.foot, again.stream = s.frame, s.men, s.title, s.foot, s.stream
		if err := again.Show(s.frame); err != nil {
			t.Fatal(err)
		}
		if s.drawn != nil && g.String() != fresh.String() {
			t.Fatalf("step by step\n%s\nat once\n%s", g, fresh)
		}
		if err := s.Close(); err != nil {
			t.Fatal(err)
		}
		if g.hidden {
			t.Fatal("the cursor stays hidden")
		}
	})
}

func TestPlainLines(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	s := New(&out, Options{})
	s.SetTitle("a demo")
	s.SetMen(start())
	s.SetFoot("watch here", "hands: e4")
	s.SetFoot("watch here", "hands: e5")
	blink := frame(lights{"e5": {R: 63, G: 16}, "e2": {G: 22, B: 63}})
	for range 5 { // blinking is one line
		if err := errors.Join(s.Show(blink), s.Show(frame(lights{"e2": blink[square("e2")]})), s.Show(board.Frame{})); err != nil {
			t.Fatal(err)
		}
	}
	s.Say("move e4\x1b[2J\r\nevil", Bright)
	if err := errors.Join(s.Show(frame(lights{"e1": {R: 63, G: 63, B: 63}})), s.Close()); err != nil {
		t.Fatal(err)
	}
	want := "a demo\nwatch here\nhands: e4\nhands: e5\nlights: e2 blue, e5 orange\nmove e4?[2J??evil\nlights: e1 white\n"
	if out.String() != want {
		t.Errorf("got\n%s\nwant\n%s", out.String(), want)
	}
}

type broken struct{}

func (broken) Write([]byte) (int, error) { return 0, errors.New("gone") }

func TestATerminalThatIsGoneIsSaid(t *testing.T) {
	t.Parallel()
	if err := New(broken{}, Options{Moves: true}).Show(board.Frame{1: {R: 9}}); err == nil {
		t.Error("no error")
	}
	if err := New(broken{}, Options{}).Show(board.Frame{1: {R: 9}}); err == nil {
		t.Error("plain: no error")
	}
}

func TestNearest256(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		rgb  board.RGB
		want int
	}{
		{board.RGB{}, 16}, {board.RGB{R: 255, G: 255, B: 255}, 231}, {board.RGB{R: 255, G: 64}, 202},
		{board.RGB{G: 90, B: 255}, 27}, {board.RGB{R: 128, G: 128, B: 128}, 244}, {board.RGB{R: 95, G: 135, B: 175}, 67},
	} {
		if got := nearest256(c.rgb); got != c.want {
			t.Errorf("%v: %d, want %d", c.rgb, got, c.want)
		}
	}
}
