package terminal

import (
	"fmt"
	"math"

	"github.com/boardd/boardd/board"
)

// Colours of the drawn board: grey squares, on which all lights and both sides' men stand out.
var (
	lightSquare = board.RGB{R: 148, G: 158, B: 168}
	darkSquare  = board.RGB{R: 98, G: 109, B: 121}
	whiteMan    = board.RGB{R: 255, G: 255, B: 255}
	blackMan    = board.RGB{R: 12, G: 14, B: 20}
	unknownMan  = board.RGB{R: 236, G: 214, B: 120}
)

// What a dim light makes of a square. It would be too weak to be seen on a screen, and white stands on grey already.
var (
	dimOnLight = board.RGB{R: 150, G: 150, B: 60}
	dimOnDark  = board.RGB{R: 104, G: 104, B: 24}
)

// lit is a square with its light on it. An eye sees a quarter of the power as more than half as bright, which is what the
// exponent is for; a screen has no light of its own to add, so the light covers the square's colour.
func lit(base, light board.RGB) board.RGB {
	top := max(light.R, light.G, light.B)
	switch {
	case top == 0:
		return base
	case name(light) == "dim" && base == lightSquare:
		return dimOnLight
	case name(light) == "dim":
		return dimOnDark
	}
	cover := math.Pow(float64(top)/255, 0.4)
	mix := func(b, l uint8) uint8 {
		full := float64(l) / float64(top) * 255
		return uint8(float64(b)*(1-cover) + full*cover)
	}
	return board.RGB{R: mix(base.R, light.R), G: mix(base.G, light.G), B: mix(base.B, light.B)}
}

func (s *Screen) background(c board.RGB) string { return s.sgr(48, c) }
func (s *Screen) foreground(c board.RGB) string { return s.sgr(38, c) }

// plain ends what colours began.
func (s *Screen) plain() string {
	if s.opt.Colors == NoColors {
		return ""
	}
	return "\x1b[0m"
}

func (s *Screen) sgr(ground int, c board.RGB) string {
	if s.opt.Colors == TrueColor {
		return fmt.Sprintf("\x1b[%d;2;%d;%d;%dm", ground, c.R, c.G, c.B)
	}
	return fmt.Sprintf("\x1b[%d;5;%dm", ground, nearest256(c))
}

// nearest256 is the colour of the 6×6×6 cube or of the greys that comes closest.
func nearest256(c board.RGB) int {
	level := func(x uint8) (step, value int) {
		if x < 48 {
			return 0, 0
		}
		if x < 115 {
			return 1, 95
		}
		n := (int(x) - 35) / 40
		return n, 55 + 40*n
	}
	r, rv := level(c.R)
	g, gv := level(c.G)
	b, bv := level(c.B)
	mean := (int(c.R) + int(c.G) + int(c.B)) / 3
	grey := min(23, max(0, (mean-3)/10))
	gray := 8 + 10*grey
	off := func(x, y, z int) int {
		dx, dy, dz := x-int(c.R), y-int(c.G), z-int(c.B)
		return dx*dx + dy*dy + dz*dz
	}
	if off(gray, gray, gray) < off(rv, gv, bv) {
		return 232 + grey
	}
	return 16 + 36*r + 6*g + b
}

// paint sets a line off by its tone.
func (s *Screen) paint(text string, t Tone) string {
	if s.opt.Colors == NoColors || text == "" {
		return text
	}
	switch t {
	case Faint:
		return "\x1b[2m" + text + "\x1b[0m"
	case Bright:
		return "\x1b[1m" + text + "\x1b[0m"
	case Alarm:
		return s.foreground(board.RGB{R: 255, G: 120, B: 60}) + text + "\x1b[0m"
	}
	return text
}
