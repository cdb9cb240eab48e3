// Package picture draws a chessboard as a PNG: small, and quick enough for a Raspberry Pi Zero to draw one after each move.
package picture

import (
	"bytes"
	"image"
	"image/color"
	"image/png"

	"golang.org/x/image/font"
	"golang.org/x/image/font/basicfont"
	"golang.org/x/image/math/fixed"

	"github.com/boardd/boardd/rules"
)

// Scene is what is drawn. It can be compared.
type Scene struct {
	Men      [64]rules.Piece
	Turned   bool         // Black sits below
	From, To rules.Square // the last move, tinted; rules.NoSquare for none
	Check    rules.Square // the king in check, framed; rules.NoSquare for none
}

// Measures in pixels.
const (
	square = 48
	border = 18
	frame  = 4
	// Size is the width and height of a picture.
	Size = 8*square + 2*border
)

// Grounds of a square.
const (
	light = iota
	dark
	lightLast
	darkLast
	checked
	grounds
)

// levels is how finely an edge is shaded.
const levels = 8

var (
	ground = [grounds]color.RGBA{
		light: {0xef, 0xe6, 0xd2, 0xff}, dark: {0xb0, 0x8c, 0x6a, 0xff}, lightLast: {0xf4, 0xdf, 0x7a, 0xff}, darkLast: {0xcf, 0xa9, 0x3f, 0xff},
		checked: {0xff, 0x5a, 0x00, 0xff},
	}
	rim    = color.RGBA{0x3b, 0x33, 0x2c, 0xff}
	letter = color.RGBA{0xd9, 0xcd, 0xb8, 0xff}
	line   = color.RGBA{0x16, 0x16, 0x18, 0xff}
	fill   = [2]color.RGBA{rules.White: {0xfb, 0xfa, 0xf6, 0xff}, rules.Black: {0x4b, 0x4c, 0x54, 0xff}}
	detail = [2]color.RGBA{rules.White: line, rules.Black: {0xe2, 0xe2, 0xe6, 0xff}}
)

// The palette: rim and letter, then shades from each ground to the line, from the line to each fill, from each fill to its detail.
const (
	rimIndex = iota
	letterIndex
	groundIndex
	fillIndex   = groundIndex + grounds*(levels+1)
	detailIndex = fillIndex + 2*(levels+1)
	colors      = detailIndex + 2*(levels+1)
)

var palette = func() color.Palette {
	p := make(color.Palette, colors)
	p[rimIndex], p[letterIndex] = rim, letter
	for n := range levels + 1 {
		for g := range grounds {
			p[groundIndex+g*(levels+1)+n] = mix(ground[g], line, n)
		}
		for side := range 2 {
			p[fillIndex+side*(levels+1)+n] = mix(line, fill[side], n)
			p[detailIndex+side*(levels+1)+n] = mix(fill[side], detail[side], n)
		}
	}
	return p
}()

func mix(a, b color.RGBA, n int) color.RGBA {
	part := func(a, b uint8) uint8 { return uint8((int(a)*(levels-n) + int(b)*n) / levels) }
	return color.RGBA{part(a.R, b.R), part(a.G, b.G), part(a.B, b.B), 0xff}
}

// Draw is the picture, in colours of a small palette.
func Draw(s Scene) *image.Paletted {
	img := image.NewPaletted(image.Rect(0, 0, Size, Size), palette)
	for q := range rules.Square(64) {
		col, row := q.File(), 7-q.Rank()
		if s.Turned {
			col, row = 7-col, 7-row
		}
		g := dark
		if (q.File()+q.Rank())%2 == 1 {
			g = light
		}
		if q == s.From || q == s.To {
			g += lightLast - light
		}
		tile(img, border+col*square, border+row*square, g, q == s.Check, s.Men[q])
	}
	coordinates(img, s.Turned)
	return img
}

func tile(img *image.Paletted, left, top, g int, check bool, man rules.Piece) {
	m := shapes[man.Role()]
	side := int(man.Color())
	for y := range square {
		for x := range square {
			at := g
			if check && (x < frame || y < frame || x >= square-frame || y >= square-frame) {
				at = checked
			}
			i := groundIndex + at*(levels+1)
			if m != nil {
				switch k := y*square + x; {
				case m.detail[k] > 0 && m.fill[k] == levels:
					i = detailIndex + side*(levels+1) + int(m.detail[k])
				case m.fill[k] > 0:
					i = fillIndex + side*(levels+1) + int(m.fill[k])
				default:
					i += int(m.line[k])
				}
			}
			img.SetColorIndex(left+x, top+y, uint8(i))
		}
	}
}

// coordinates writes a to h below and 1 to 8 at the left.
func coordinates(img *image.Paletted, turned bool) {
	d := font.Drawer{Dst: img, Src: image.NewUniform(letter), Face: basicfont.Face7x13}
	for i := range 8 {
		n := i
		if turned {
			n = 7 - i
		}
		d.Dot = fixed.P(border+i*square+square/2-3, Size-5)
		d.DrawString(string(rune('a' + n)))
		d.Dot = fixed.P(6, border+(7-i)*square+square/2+5)
		d.DrawString(string(rune('1' + n)))
	}
}

// PNG is the picture as a file.
func PNG(s Scene) ([]byte, error) {
	var b bytes.Buffer
	e := png.Encoder{CompressionLevel: png.DefaultCompression}
	err := e.Encode(&b, Draw(s))
	return b.Bytes(), err
}
