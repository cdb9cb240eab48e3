package picture

import (
	"image"
	"math"
	"strconv"
	"strings"

	"golang.org/x/image/vector"

	"github.com/boardd/boardd/rules"
)

// shape is a man on a square: how much of each pixel its line, its fill and the details in it cover, from 0 to levels.
type shape struct{ line, fill, detail [square * square]uint8 }

// shapes are the six men, by role; nil for none.
var shapes = func() (all [8]*shape) {
	for role, o := range outlines {
		all[role] = o.shape()
	}
	return all
}()

// outline is a man in a square of 100 by 100, y downwards: paths of M, L, C and Z as in SVG, turning clockwise; those in fill
// are one body, those in detail are drawn into it.
type outline struct{ fill, detail string }

var outlines = map[rules.Role]outline{
	rules.Pawn: {
		fill: "M50 15 C59 15 66 22 66 31 C66 37 63 42 59 45 L66 50 L60 54 C61 63 66 70 74 75 C78 78 80 82 80 88 L20 88 C20 82 22 78 26 75 " +
			"C34 70 39 63 40 54 L34 50 L41 45 C37 42 34 37 34 31 C34 22 41 15 50 15 Z",
		detail: "M27 77 L73 77 L75 80 L25 80 Z",
	},
	rules.Knight: {
		fill: "M43 11 L51 19 C70 23 82 42 80 88 L28 88 C28 74 40 66 47 56 C49 53 50 50 50 46 C45 52 37 53 32 56 C28 58 27 62 23 64 " +
			"C18 65 12 61 12 55 C12 51 16 47 19 42 C23 36 24 30 30 25 C33 22 36 20 39 19 C39 16 41 13 43 11 Z",
		detail: "M36 30 C39 30 40 32 40 34 C40 36 38 38 36 38 C34 38 32 36 32 34 C32 32 34 30 36 30 Z " +
			"M20 52 C22 52 23 53 23 55 C23 56 22 57 20 57 C19 57 18 56 18 55 C18 53 19 52 20 52 Z " +
			"M57 26 C70 33 75 54 74 82 L70 82 C71 56 66 38 55 29 Z M32 77 L66 77 L66 80 L31 80 Z",
	},
	rules.Bishop: {
		fill: "M50 7 C54 7 57 10 57 14 C57 17 56 19 54 21 C65 29 72 38 72 49 C72 57 68 63 62 67 L65 73 L60 77 C66 79 77 78 85 80 L85 88 " +
			"L15 88 L15 80 C23 78 34 79 40 77 L35 73 L38 67 C32 63 28 57 28 49 C28 38 35 29 46 21 C44 19 43 17 43 14 C43 10 46 7 50 7 Z",
		detail: "M48 32 L52 32 L52 40 L60 40 L60 44 L52 44 L52 55 L48 55 L48 44 L40 44 L40 40 L48 40 Z " +
			"M37 67 L63 67 L64 70 L36 70 Z M40 77 L60 77 L62 80 L38 80 Z",
	},
	rules.Rook: {
		fill: "M22 14 L35 14 L35 22 L44 22 L44 14 L56 14 L56 22 L65 22 L65 14 L78 14 L78 33 L68 42 L70 68 L79 76 L81 88 L19 88 L21 76 " +
			"L30 68 L32 42 L22 33 Z",
		detail: "M23 32 L77 32 L74 35 L26 35 Z M31 66 L69 66 L70 69 L30 69 Z M22 77 L78 77 L79 80 L21 80 Z M33 42 L67 42 L67 44 L33 44 Z",
	},
	rules.Queen: {
		fill: "M13 31 L29 58 L30 21 L43 55 L50 15 L57 55 L70 21 L71 58 L87 31 L78 67 C75 71 75 74 78 78 L81 88 L19 88 L22 78 C25 74 25 71 22 67 Z " +
			"M13 23 C17 23 19 26 19 29 C19 32 17 35 13 35 C9 35 7 32 7 29 C7 26 9 23 13 23 Z " +
			"M30 14 C34 14 36 17 36 20 C36 23 34 26 30 26 C26 26 24 23 24 20 C24 17 26 14 30 14 Z " +
			"M50 7 C54 7 56 10 56 13 C56 16 54 19 50 19 C46 19 44 16 44 13 C44 10 46 7 50 7 Z " +
			"M70 14 C74 14 76 17 76 20 C76 23 74 26 70 26 C66 26 64 23 64 20 C64 17 66 14 70 14 Z " +
			"M87 23 C91 23 93 26 93 29 C93 32 91 35 87 35 C83 35 81 32 81 29 C81 26 83 23 87 23 Z",
		detail: "M23 66 C40 62 60 62 77 66 L76 69 C60 65 40 65 24 69 Z M23 78 C40 74 60 74 77 78 L78 81 C60 77 40 77 22 81 Z",
	},
	rules.King: {
		fill: "M50 25 C56 25 59 29 58 35 C67 28 90 28 90 47 C90 56 81 61 78 67 C75 71 75 74 78 78 L81 88 L19 88 L22 78 C25 74 25 71 22 67 " +
			"C19 61 10 56 10 47 C10 28 33 28 42 35 C41 29 44 25 50 25 Z M46 6 L54 6 L54 11 L60 11 L60 18 L54 18 L54 28 L46 28 L46 18 L40 18 L40 11 L46 11 Z",
		detail: "M50 36 C54 44 54 52 51 60 L49 60 C46 52 46 44 50 36 Z M18 47 C18 40 28 38 36 42 L35 44 C29 42 22 43 22 48 C22 53 28 57 31 60 L29 62 C25 58 18 53 18 47 Z " +
			"M64 42 C72 38 82 40 82 47 C82 53 75 58 71 62 L69 60 C72 57 78 53 78 48 C78 43 71 42 65 44 Z " +
			"M23 66 C40 62 60 62 77 66 L76 69 C60 65 40 65 24 69 Z M23 78 C40 74 60 74 77 78 L78 81 C60 77 40 77 22 81 Z",
	},
}

// lineWidth is that of the line around a man, in pixels outwards.
const lineWidth = 1.6

func (o *outline) shape() *shape {
	s := &shape{}
	cover(&s.fill, o.fill, 0, 0)
	cover(&s.detail, o.detail, 0, 0)
	const around = 16
	for i := range around {
		sin, cos := math.Sincos(2 * math.Pi * float64(i) / around)
		cover(&s.line, o.fill, float32(lineWidth*cos), float32(lineWidth*sin))
	}
	return s
}

// cover raises what a path covers, moved by so many pixels.
func cover(to *[square * square]uint8, path string, dx, dy float32) {
	z := vector.NewRasterizer(square, square)
	draw(z, path, func(x, y float32) (float32, float32) { return x*square/100 + dx, y*square/100 + dy })
	mask := image.NewAlpha(image.Rect(0, 0, square, square))
	z.Draw(mask, mask.Bounds(), image.Opaque, image.Point{})
	for i := range to {
		to[i] = max(to[i], uint8((int(mask.Pix[i])*levels+127)/255))
	}
}

// draw reads a path; what is no number counts as 0.
func draw(z *vector.Rasterizer, path string, place func(x, y float32) (float32, float32)) {
	var n []float32
	kind := byte(0)
	flush := func() {
		p := make([]float32, 0, len(n))
		for i := 0; i+1 < len(n); i += 2 {
			x, y := place(n[i], n[i+1])
			p = append(p, x, y)
		}
		switch {
		case kind == 'M' && len(p) == 2:
			z.MoveTo(p[0], p[1])
		case kind == 'L' && len(p) == 2:
			z.LineTo(p[0], p[1])
		case kind == 'C' && len(p) == 6:
			z.CubeTo(p[0], p[1], p[2], p[3], p[4], p[5])
		case kind == 'Z':
			z.ClosePath()
		}
		n = n[:0]
	}
	for _, w := range strings.Fields(path) {
		if c := w[0]; c >= 'A' {
			flush()
			kind, w = c, w[1:]
		}
		if w != "" {
			v, _ := strconv.ParseFloat(w, 32)
			n = append(n, float32(v))
		}
	}
	flush()
}
