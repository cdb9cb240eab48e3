package leds

import (
	"fmt"
	"html"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// picture is a moment at a real table that docs/lights.md shows.
type picture struct {
	name   string
	fen    string // "" for the start position
	acuity board.Acuity
	mode   string
	hands  string
	change func(s *sitting) // what else there is, for what no hands bring about
	align  int64            // the strips begin at a multiple of it
	spanMs int64
}

var pictures = []picture{
	{name: "illegal", hands: "1000 -e2 400 +e5 3000", align: 2000, spanMs: 4000},
	{name: "guidance", hands: "1000 -c1 300 +d3 300 -g8 300 +h5:n 3000", acuity: board.PieceAcuity, align: 2000, spanMs: 4000},
	{name: "promotion", fen: "8/4P1k1/8/8/8/8/P5K1/8 w - - 0 1", hands: "-e7 900 +e8 500 -e8 500 +e8 500 -e8 500 +e8 500", align: 2800, spanMs: 5600},
	{name: "castling", fen: "r3k2r/pppq1ppp/2npbn2/4p3/4P3/2NPBN2/PPPQBPPP/R3K2R w KQkq - 0 9", hands: "1000 -e1 400 +g1 1600", align: 2000, spanMs: 4000},
	{name: "en-passant", fen: "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 2", hands: "1000 -e5 400 +d6 1600", align: 2000, spanMs: 4000},
	{name: "doubt", fen: "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", change: func(s *sitting) {
		s.wait(1000)
		s.men[sq("d4")] = rules.NoPiece
		s.step(board.Input{Kind: board.Scan, Picture: s.picture()})
		s.wait(3000)
	}, align: 2000, spanMs: 4000},
	{name: "remote", fen: "r1bqkbnr/pppp1ppp/2n5/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 3 3", hands: "1000", change: func(s *sitting) {
		v := *s.view // what the command move will put here
		v.Remote = &game.Carry{Lift: set("g8"), Put: set("f6")}
		s.view = &v
	}, align: 2000, spanMs: 4000},
	{name: "targets", mode: game.Training, hands: "1000 -g1 300", align: 2000, spanMs: 4000},
	{name: "check", fen: "4k3/8/8/8/8/8/8/R3K3 w Q - 0 1", hands: "1000 -a1 400 +a8 1000", align: 1, spanMs: 4000},
	{name: "last-move", hands: "1000 -e2 400 +e4 3000", align: 2000, spanMs: 4000},
	{name: "mate", fen: "rnbqkb1r/pppp1ppp/5n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4", hands: "1000 -f7 300 -h5 400 +f7 1500", align: 2000, spanMs: 4000},
	{name: "draw", fen: "7k/8/5K2/8/8/8/8/6Q1 w - - 0 1", hands: "1000 -g1 400 +g6 1500", align: 2000, spanMs: 4000},
	{name: "trouble", hands: "1000", change: func(s *sitting) {
		s.step(board.Input{Kind: board.Link})
		s.wait(500)
	}, align: 5000, spanMs: 10_000},
}

// The pictures of docs/lights.md are what the lights show at a table; go test ./leds -update draws them anew.
func TestPictures(t *testing.T) {
	t.Parallel()
	folder := filepath.Join("..", "docs", "lights")
	page, err := os.ReadFile(filepath.Join("..", "docs", "lights.md"))
	if err != nil {
		t.Fatal(err)
	}
	var names []string
	for _, p := range pictures {
		s := sit(t, game.Options{Acuity: p.acuity, Mode: p.mode}, p.fen)
		s.hands(p.hands)
		if p.change != nil {
			p.change(s)
		}
		compareGolden(t, filepath.Join(folder, p.name+".svg"), p.draw(t, s))
		if !strings.Contains(string(page), "lights/"+p.name+".svg") {
			t.Errorf("docs/lights.md does not show %s.svg", p.name)
		}
		names = append(names, p.name+".svg")
	}
	files, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, f := range files {
		if !slices.Contains(names, f.Name()) {
			t.Errorf("docs/lights/%s is nobody's picture", f.Name())
		}
	}
}

// course is the light of one square over time: parts of it from a time on, in milliseconds.
type course struct {
	square rules.Square
	blink  blink
	color  board.RGB // its strongest
	from   []int64
	lit    []bool
}

// courses follow the frames of a view.
func (p *picture) courses(s *sitting) (all []course) {
	start := s.now
	if p.align > 1 {
		start = (s.now + p.align - 1) / p.align * p.align
	}
	plan, _ := planFor(s.view, start, s.style)
	for q := range rules.NoSquare {
		c := course{square: q, blink: plan[q].blink}
		for at := start; at < start+p.spanMs; {
			l := Compose(s.view, at, s.style)[q]
			if lit := l != (board.RGB{}); len(c.lit) == 0 || lit != c.lit[len(c.lit)-1] {
				c.from, c.lit = append(c.from, at-start), append(c.lit, lit)
			}
			if int(l.R)+int(l.G)+int(l.B) > int(c.color.R)+int(c.color.G)+int(c.color.B) {
				c.color = l
			}
			next := NextChange(s.view, at, s.style)
			if next == 0 {
				break
			}
			at = next
		}
		if c.color != (board.RGB{}) {
			all = append(all, c)
		}
	}
	return all
}

func (c *course) dim() bool { return max(c.color.R, c.color.G, c.color.B) < 128 }

// Measures of a picture.
const (
	cell   = 40
	margin = 18
	side   = 8*cell + margin
	strip  = 200
)

// words are what a light asks for.
var words = map[blink]string{
	steady: "look here", slow: "put a piece here", fast: "take this off", flash: "trouble",
	pulse1: "queen", pulse2: "rook", pulse3: "bishop", pulse4: "knight",
}

// Some squares mean something else at times.
var otherWords = map[string]map[blink]string{
	"mate":  {fast: "has lost", steady: "has won"},
	"draw":  {slow: "draw"},
	"check": {steady: "in check"},
	"doubt": {steady: "which one?", dark: "which one?"},
}

func (p *picture) draw(t *testing.T, s *sitting) string {
	t.Helper()
	all := p.courses(s)
	if len(all) == 0 {
		t.Fatalf("%s: nothing is lit; %s", p.name, s.log())
	}
	var b strings.Builder
	out := func(format string, args ...any) { fmt.Fprintf(&b, format+"\n", args...) }
	width, height := side+strip+2*margin, side+margin
	out(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12">`, width, height, width, height)
	out(`<style>`)
	for _, c := range all {
		if len(c.lit) < 2 {
			continue
		}
		var frames []string
		for i := range c.from {
			opacity := 0
			if c.lit[i] {
				opacity = 1
			}
			frames = append(frames, fmt.Sprintf("%s%%{opacity:%d}", decimal(c.from[i]*1000/p.spanMs, 10), opacity))
		}
		out(`@keyframes %s{%s}.%s{animation:%s %dms step-end infinite}`, c.square, strings.Join(frames, ""), c.square, c.square, p.spanMs)
	}
	out(`@media (prefers-reduced-motion:reduce){rect{animation:none!important}}</style>`)
	out(`<rect width="%d" height="%d" rx="6" fill="#dfe3e8"/>`, width, height)
	for q := range rules.NoSquare {
		fill := "#6f7782"
		if (q.File()+q.Rank())%2 == 1 {
			fill = "#98a1ab"
		}
		x, y := corner(q)
		out(`<rect x="%d" y="%d" width="%d" height="%d" fill="%s"/>`, x, y, cell, cell, fill)
	}
	for i := range 8 {
		out(`<text x="%d" y="%d" fill="#444" text-anchor="middle">%d</text>`, margin/2+1, i*cell+cell/2+10, 8-i)
		out(`<text x="%d" y="%d" fill="#444" text-anchor="middle">%c</text>`, margin+i*cell+cell/2, side+6, 'a'+i)
	}
	for _, c := range all {
		x, y := corner(c.square)
		top := max(c.color.R, c.color.G, c.color.B)
		fill, glow := fmt.Sprintf("#%02x%02x%02x", bright(c.color.R, top), bright(c.color.G, top), bright(c.color.B, top)), "0.95"
		if c.dim() {
			glow = "0.5"
		}
		out(`<rect class="%s" x="%d" y="%d" width="%d" height="%d" rx="5" fill="%s" fill-opacity="%s"/>`, c.square, x+2, y+2, cell-4, cell-4, fill, glow)
	}
	for q, m := range s.men {
		if m != rules.NoPiece {
			x, y := corner(rules.Square(q))
			fill, line := "#fff", "#111"
			if m.Color() == rules.Black {
				fill, line = "#111", "#fff"
			}
			out(`<g transform="translate(%d %d) scale(.8)" fill="%s" stroke="%s" stroke-width="1.6" stroke-linejoin="round">%s</g>`, x+2, y+3, fill, line, shapes[m.Role()])
		}
	}
	// Strips: when each square is lit.
	x0, y := side+margin, margin
	const most = 7
	for i, c := range all {
		if i == most {
			out(`<text x="%d" y="%d" fill="#444">… and %d more</text>`, x0, y+4, len(all)-most)
			break
		}
		word := words[c.blink]
		if w, ok := otherWords[p.name][c.blink]; ok {
			word = w
		}
		if c.dim() {
			word = "last move"
		}
		out(`<text x="%d" y="%d" fill="#111"><tspan font-weight="bold">%s</tspan> %s</text>`, x0, y+4, c.square, html.EscapeString(word))
		y += 11
		out(`<rect x="%d" y="%d" width="%d" height="12" fill="#333"/>`, x0, y, strip)
		top := max(c.color.R, c.color.G, c.color.B)
		for j := range c.from {
			end := p.spanMs
			if j+1 < len(c.from) {
				end = c.from[j+1]
			}
			if c.lit[j] {
				from, to := c.from[j]*strip/p.spanMs, end*strip/p.spanMs
				glow := ""
				if c.dim() {
					glow = ` fill-opacity="0.5"`
				}
				out(`<rect x="%d" y="%d" width="%d" height="12" fill="#%02x%02x%02x"%s/>`, int64(x0)+from, y, max(to-from, 2),
					bright(c.color.R, top), bright(c.color.G, top), bright(c.color.B, top), glow)
			}
		}
		out(`<rect x="%d" y="%d" width="%d" height="12" fill="none" stroke="#333"/>`, x0, y, strip)
		y += 31
	}
	out(`<text x="%d" y="%d" fill="#666" text-anchor="end">%s seconds</text>`, x0+strip, side+6, strings.TrimSuffix(decimal(p.spanMs/100, 10), ".0"))
	out(`</svg>`)
	return b.String()
}

func corner(q rules.Square) (x, y int) { return margin + q.File()*cell, 8 + (7-q.Rank())*cell }

// bright is a part of a colour as if the light had its full power.
func bright(part, top uint8) int { return int(part) * 255 / int(top) }

// decimal writes tenths.
func decimal(n, unit int64) string { return fmt.Sprintf("%d.%d", n/unit, n%unit) }

// shapes are the men, each in a square of 45.
var shapes = [...]string{
	rules.Pawn:   `<path d="M13 37c1-6 6-7 6-13h7c0 6 5 7 6 13z"/><circle cx="22.5" cy="18" r="6.5"/>`,
	rules.Knight: `<path d="M14 37c0-8 8-9 8-16l-6 3-4-1-1-4 6-8 1-4 4 3c9 1 12 9 11 27z"/>`,
	rules.Bishop: `<path d="M13 37c1-5 5-5 6-9-6-5-4-12 3.5-18 7.5 6 9.5 13 3.5 18 1 4 5 4 6 9z"/><circle cx="22.5" cy="8" r="2.5"/>`,
	rules.Rook:   `<path d="M12 37v-4l4-3V18l-3-3V9h5v3h3V9h3v3h3V9h5v6l-3 3v12l4 3v4z"/>`,
	rules.Queen:  `<path d="M14 37l-5-23 7 9 2-13 4.5 12L27 10l2 13 7-9-5 23z"/>`,
	rules.King:   `<path d="M14 37l-2-9c-6-7 1-16 9-10v-4h-4v-3h4V7h3v4h4v3h-4v4c8-6 15 3 9 10l-2 9z"/>`,
}
