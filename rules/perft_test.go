package rules

import (
	"bufio"
	"compress/gzip"
	"io"
	"os"
	"strconv"
	"strings"
	"testing"
)

// perftLine is a position with the numbers of leaves at depths 1, 2, ….
type perftLine struct {
	fen    string
	counts []depthCount
}

type depthCount struct {
	depth  int
	leaves uint64
}

// largest is the largest tree of a line within a limit, or else its smallest depth.
func (l perftLine) largest(limit uint64) depthCount {
	want := l.counts[0]
	for _, c := range l.counts {
		if c.leaves <= limit && c.leaves > want.leaves {
			want = c
		}
	}
	return want
}

// perftFiles says for each file the largest tree that is counted on a line, by plain go test and with BOARDD_TEST=full; on
// every line at least the smallest depth is counted. With BOARDD_PERFT=all every depth of every line is counted.
var perftFiles = []struct {
	name        string
	variant     Variant
	plain, full uint64
}{
	{"classic.epd", Standard, 4_500_000, 20_000_000},
	{"suite.epd", Standard, 60_000, 700_000},
	{"tricky.epd", Standard, 60_000, 1_000_000},
	{"random.epd.gz", Standard, 900, 60_000},
	{"chess960.epd.gz", Chess960, 2_000, 60_000},
	{"chess960-tricky.epd", Chess960, 60_000, 9_000_000},
	{"unreachable.epd", Standard, 60_000, 20_000_000},
}

// full is set by make test: then nothing that a test needs may be missing.
var full = os.Getenv("BOARDD_TEST") == "full"

func TestPerft(t *testing.T) {
	t.Parallel()
	for _, f := range perftFiles {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			limit, every := f.plain, os.Getenv("BOARDD_PERFT") == "all"
			if full {
				limit = f.full
			}
			lines, leaves := readPerft(t, f.name), uint64(0)
			for _, l := range lines {
				p := position(t, l.fen, f.variant)
				wants := l.counts
				if !every {
					wants = []depthCount{l.largest(limit)}
				}
				for _, want := range wants {
					if got := Perft(p, want.depth); got != want.leaves {
						t.Errorf("%s: depth %d has %d leaves, want %d", l.fen, want.depth, got, want.leaves)
					}
					leaves += want.leaves
				}
			}
			t.Logf("%d positions, %d leaves", len(lines), leaves)
		})
	}
}

// TestPerftByMaking counts without the shortcut of the last ply: every move of the tree is made in place, and every position
// it leads to is asked whether its parts agree.
func TestPerftByMaking(t *testing.T) {
	t.Parallel()
	limit := uint64(3_000)
	if full {
		limit = 20_000
	}
	for _, f := range perftFiles {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			for i, l := range readPerft(t, f.name) {
				if strings.HasSuffix(f.name, ".gz") && i%40 != 0 {
					continue // the long lists are samples of the same kinds
				}
				want := l.largest(limit)
				if got := perftByMaking(t, position(t, l.fen, f.variant), want.depth); got != want.leaves {
					t.Errorf("%s: depth %d has %d leaves, want %d", l.fen, want.depth, got, want.leaves)
				}
			}
		})
	}
}

func perftByMaking(t *testing.T, p Position, depth int) uint64 {
	checkConsistent(t, &p)
	if depth == 0 {
		return 1
	}
	sound := len(p.Faults()) == 0
	var n uint64
	for _, m := range p.LegalMoves(nil) {
		q := p.After(m)
		if f := q.Faults(); sound && len(f) != 0 {
			t.Fatalf("%s: %s leads to a position with faults %v", p.FEN(), p.UCI(m), f)
		}
		n += perftByMaking(t, q, depth-1)
	}
	return n
}

// checkConsistent compares the board with its sets, and the position with what its FEN says.
func checkConsistent(t *testing.T, p *Position) {
	t.Helper()
	checkSets(t, p)
	q, err := ParsePosition(p.FEN(), p.variant)
	if err != nil {
		t.Fatalf("%s: %v", p.FEN(), err)
	}
	if !q.Same(p) || q.Key() != p.Key() || q.FEN() != p.FEN() || q.badRights {
		t.Fatalf("%s read again is %s", p.FEN(), q.FEN())
	}
}

// checkSets compares the board with its sets.
func checkSets(t *testing.T, p *Position) {
	t.Helper()
	var colors [2]Bitboard
	var roles [King + 1]Bitboard
	for s, piece := range p.board {
		if piece != NoPiece {
			colors[piece.Color()] |= Square(s).Bit()
			roles[piece.Role()] |= Square(s).Bit()
		}
	}
	if colors != p.colors || roles != p.roles {
		t.Fatalf("%s: the sets do not fit the board", p.FEN())
	}
}

func TestDivideAddsUp(t *testing.T) {
	t.Parallel()
	p := position(t, kiwipete, Standard)
	var sum uint64
	for _, c := range Divide(p, 3) {
		sum += c.Count
	}
	if want := Perft(p, 3); sum != want || want != 97862 {
		t.Errorf("parts add up to %d, the whole is %d, want 97862", sum, want)
	}
	if got := Divide(p, 0); got != nil {
		t.Errorf("depth 0 divides into %v", got)
	}
	if got := Perft(p, 0); got != 1 {
		t.Errorf("depth 0 has %d leaves", got)
	}
}

// position reads a FEN that must be good.
func position(t testing.TB, fen string, v Variant) Position {
	t.Helper()
	p, err := ParsePosition(fen, v)
	if err != nil {
		t.Fatalf("%s: %v", fen, err)
	}
	return p
}

// open reads a file of the house's testdata, unpacked if it is gzipped.
func open(t testing.TB, name string) io.Reader {
	t.Helper()
	f, err := os.Open("../testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { f.Close() })
	if !strings.HasSuffix(name, ".gz") {
		return f
	}
	z, err := gzip.NewReader(f)
	if err != nil {
		t.Fatal(err)
	}
	return z
}

func readPerft(t testing.TB, name string) (lines []perftLine) {
	t.Helper()
	for sc := bufio.NewScanner(open(t, "perft/"+name)); sc.Scan(); {
		parts := strings.Split(sc.Text(), ";")
		l := perftLine{fen: strings.TrimSpace(parts[0])}
		for _, part := range parts[1:] {
			d, n, _ := strings.Cut(strings.TrimSpace(part), " ")
			depth, err := strconv.Atoi(strings.TrimPrefix(d, "D"))
			leaves, err2 := strconv.ParseUint(n, 10, 64)
			if err != nil || err2 != nil {
				t.Fatalf("%s: %q", name, sc.Text())
			}
			l.counts = append(l.counts, depthCount{depth, leaves})
		}
		lines = append(lines, l)
	}
	if len(lines) < 5 {
		t.Fatalf("%s has only %d lines", name, len(lines))
	}
	return lines
}
