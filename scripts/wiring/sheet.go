package main

import (
	"fmt"
	"html"
	"strings"
)

// Colours of wires, the same on every sheet.
const (
	plain   = "#37474f"
	supply  = "#c62828" // 3.3 V and 5 V
	ground  = "#212121"
	data    = "#1565c0"
	clock   = "#6a1b9a"
	control = "#2e7d32" // chip select, load, row
)

// sheet is one drawing.
type sheet struct {
	w, h int
	body strings.Builder
}

func newSheet(w, h int) *sheet { return &sheet{w: w, h: h} }

func (s *sheet) add(format string, a ...any) { fmt.Fprintf(&s.body, format+"\n", a...) }

// String is the drawing as SVG.
func (s *sheet) String() string {
	return fmt.Sprintf(`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" width="%d" height="%d" font-family="sans-serif" font-size="12">
<rect width="%d" height="%d" rx="6" fill="#fafafa"/>
%s</svg>
`, s.w, s.h, s.w, s.h, s.w, s.h, s.body.String())
}

// wire goes through points, x and y in turn.
func (s *sheet) wire(color string, points ...int) {
	var list []string
	for i := 0; i+1 < len(points); i += 2 {
		list = append(list, fmt.Sprintf("%d,%d", points[i], points[i+1]))
	}
	s.add(`<polyline points="%s" fill="none" stroke="%s" stroke-width="1.6"/>`, strings.Join(list, " "), color)
}

// dot joins wires that cross.
func (s *sheet) dot(x, y int, color string) {
	s.add(`<circle cx="%d" cy="%d" r="3" fill="%s"/>`, x, y, color)
}

// text is anchored at its start, middle or end.
func (s *sheet) text(x, y int, anchor, text string) {
	s.add(`<text x="%d" y="%d" text-anchor="%s" fill="#212121">%s</text>`, x, y, anchor, html.EscapeString(text))
}

// note is smaller and paler.
func (s *sheet) note(x, y int, anchor, text string) {
	s.add(`<text x="%d" y="%d" text-anchor="%s" fill="#546e7a" font-size="11">%s</text>`, x, y, anchor, html.EscapeString(text))
}

func (s *sheet) title(text string) {
	s.add(`<text x="16" y="24" fill="#212121" font-size="15" font-weight="bold">%s</text>`, html.EscapeString(text))
}

// box is a chip or a part with a name.
func (s *sheet) box(x, y, w, h int, fill, name string) {
	s.add(`<rect x="%d" y="%d" width="%d" height="%d" rx="4" fill="%s" stroke="%s"/>`, x, y, w, h, fill, plain)
	s.add(`<text x="%d" y="%d" text-anchor="middle" fill="#212121" font-weight="bold">%s</text>`, x+w/2, y+18, html.EscapeString(name))
}

// toGround ends a wire that comes from above at ground.
func (s *sheet) toGround(x, y int) {
	s.wire(ground, x, y, x, y+8)
	for i, half := range []int{9, 6, 3} {
		s.wire(ground, x-half, y+8+4*i, x+half, y+8+4*i)
	}
}

// toSupply ends a wire that comes from below at a voltage.
func (s *sheet) toSupply(x, y int, volts string) {
	s.wire(supply, x, y, x, y-8)
	s.wire(supply, x-8, y-8, x+8, y-8)
	s.add(`<text x="%d" y="%d" text-anchor="middle" fill="%s" font-size="11">%s</text>`, x, y-12, supply, volts)
}

// upright is a resistor between (x, y) and (x, y+40).
func (s *sheet) upright(x, y int, value string) {
	s.wire(plain, x, y, x, y+8)
	s.add(`<rect x="%d" y="%d" width="10" height="24" fill="#fff" stroke="%s"/>`, x-5, y+8, plain)
	s.wire(plain, x, y+32, x, y+40)
	s.note(x+9, y+24, "start", value)
}

// lying is a resistor between (x, y) and (x+44, y).
func (s *sheet) lying(x, y int, value string) {
	s.wire(plain, x, y, x+8, y)
	s.add(`<rect x="%d" y="%d" width="28" height="10" fill="#fff" stroke="%s"/>`, x+8, y-5, plain)
	s.wire(plain, x+36, y, x+44, y)
	s.note(x+22, y-9, "middle", value)
}

// reed is an open contact between (x, y) and (x, y+30).
func (s *sheet) reed(x, y int) {
	s.wire(plain, x, y, x, y+7)
	s.wire(plain, x, y+8, x+8, y+22)
	s.wire(plain, x, y+23, x, y+30)
	s.dot(x, y+7, plain)
	s.dot(x, y+23, plain)
}

// capacitor lies between (x, y) and (x, y+26); its upper plate is positive.
func (s *sheet) capacitor(x, y int, value string) {
	s.wire(plain, x, y, x, y+10)
	s.wire(plain, x-10, y+10, x+10, y+10)
	s.add(`<rect x="%d" y="%d" width="20" height="4" fill="%s"/>`, x-10, y+14, plain)
	s.wire(plain, x, y+18, x, y+26)
	s.text(x-16, y+10, "middle", "+")
	s.note(x+14, y+17, "start", value)
}
