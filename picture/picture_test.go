package picture

import (
	"bytes"
	"flag"
	"image"
	"image/png"
	"os"
	"path/filepath"
	"testing"

	"github.com/boardd/boardd/rules"
)

var update = flag.Bool("update", false, "write the golden pictures")

func scene(t testing.TB, fen, from, to, check string, turned bool) Scene {
	t.Helper()
	p, err := rules.ParsePosition(fen, rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	s := Scene{Turned: turned, From: rules.NoSquare, To: rules.NoSquare, Check: rules.NoSquare}
	for q := range rules.Square(64) {
		s.Men[q] = p.At(q)
	}
	for name, at := range map[string]*rules.Square{from: &s.From, to: &s.To, check: &s.Check} {
		if q, ok := rules.ParseSquare(name); ok {
			*at = q
		}
	}
	return s
}

// The golden pictures are to be looked at when they change: go test ./picture -update.
func TestGolden(t *testing.T) {
	t.Parallel()
	for name, s := range map[string]Scene{
		"start":            scene(t, rules.StartFEN, "", "", "", false),
		"check-turned":     scene(t, "rnb1kbnr/pppp1ppp/8/4p3/6Pq/5P2/PPPPP2P/RNBQKBNR w KQkq - 1 3", "d8", "h4", "e1", true),
		"../../docs/board": scene(t, "r1bqkb1r/pppp1Qpp/2n2n2/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 4", "h5", "f7", "e8", false), // of README.md
	} {
		got, err := PNG(s)
		if err != nil {
			t.Fatal(err)
		}
		if len(got) > 16<<10 {
			t.Errorf("%s has %d bytes", name, len(got))
		}
		file := filepath.Join("testdata", name+".png")
		if *update {
			if err := os.WriteFile(file, got, 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		// Pixels, not bytes: the compression is the library's. Edges may differ by the last bit of the processor's floating point.
		a, b := decode(t, got), decode(t, want)
		differ := 0
		for y := range Size {
			for x := range Size {
				if a.At(x, y) != b.At(x, y) {
					differ++
				}
			}
		}
		if differ > 20 {
			t.Errorf("%s: %d pixels differ from %s: look at both, and -update", name, differ, file)
		}
	}
}

func decode(t *testing.T, text []byte) image.Image {
	t.Helper()
	img, err := png.Decode(bytes.NewReader(text))
	if err != nil {
		t.Fatal(err)
	}
	if img.Bounds() != image.Rect(0, 0, Size, Size) {
		t.Fatalf("%v", img.Bounds())
	}
	return img
}

// ink is how many pixels of a square are not its ground.
func ink(img *image.Paletted, col, row int) (n int) {
	left, top := border+col*square, border+row*square
	g := img.ColorIndexAt(left, top)
	for y := range square {
		for x := range square {
			if img.ColorIndexAt(left+x, top+y) != g {
				n++
			}
		}
	}
	return n
}

func TestMenStandWhereTheyAre(t *testing.T) {
	t.Parallel()
	for _, turned := range []bool{false, true} {
		s := scene(t, "4k3/8/8/8/8/8/P7/4K3 w - - 0 1", "", "", "", turned)
		img := Draw(s)
		for q := range rules.Square(64) {
			col, row := q.File(), 7-q.Rank()
			if turned {
				col, row = 7-col, 7-row
			}
			if has := ink(img, col, row) > 300; has != (s.Men[q] != rules.NoPiece) {
				t.Errorf("turned %v: %v has a man: %v", turned, q, has)
			}
		}
	}
}

// Every man can be told from every other, of both sides, and keeps within its square.
func TestMenDiffer(t *testing.T) {
	t.Parallel()
	roles := []rules.Role{rules.Pawn, rules.Knight, rules.Bishop, rules.Rook, rules.Queen, rules.King}
	for i, a := range roles {
		m := shapes[a]
		if m == nil {
			t.Fatalf("%v has no shape", a)
		}
		for k := range square {
			for _, edge := range []int{k, (square-1)*square + k, k * square, k*square + square - 1} {
				if m.line[edge] > 0 {
					t.Errorf("%v touches the edge of its square", a)
				}
			}
		}
		for _, b := range roles[i+1:] {
			differ := 0
			for k := range m.line {
				if m.line[k] != shapes[b].line[k] {
					differ++
				}
			}
			if differ < 100 {
				t.Errorf("%v and %v differ in %d pixels", a, b, differ)
			}
		}
	}
}

func BenchmarkPNG(b *testing.B) {
	s := scene(b, rules.StartFEN, "", "", "", false)
	for b.Loop() {
		if _, err := PNG(s); err != nil {
			b.Fatal(err)
		}
	}
}
