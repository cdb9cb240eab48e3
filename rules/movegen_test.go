package rules

import (
	"slices"
	"testing"
)

const kiwipete = "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1"

func TestNothingIsAllocated(t *testing.T) {
	// Not parallel: other tests' allocations would be counted.
	p := position(t, kiwipete, Standard)
	buf := make([]Move, 0, 256)
	for _, c := range []struct {
		name string
		f    func()
	}{
		{"LegalMoves", func() { buf = p.LegalMoves(buf[:0]) }},
		{"Play", func() {
			for _, m := range buf {
				q := p
				q.Play(m)
			}
		}},
		{"After", func() {
			for _, m := range buf {
				_ = p.After(m)
			}
		}},
		{"HasLegalMove", func() { p.HasLegalMove() }},
		{"IsLegal", func() { p.IsLegal(buf[3]) }},
		{"State", func() { p.State() }},
		{"Key", func() { p.Key() }},
		{"Perft", func() { Perft(p, 2) }},
	} {
		if n := testing.AllocsPerRun(100, c.f); n != 0 {
			t.Errorf("%s allocates %v times", c.name, n)
		}
	}
}

// TestGenerationIsTotal asks for the moves of positions that no game reaches.
func TestGenerationIsTotal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fen string
		moves     []string // all there are; nil: not asked
		not       []string // never
	}{
		{"kings side by side", "8/8/8/3kK3/8/8/8/8 w - - 0 1", []string{"e5f4", "e5f5", "e5f6"}, []string{"e5d5"}},
		{"both kings in check", "4k3/8/8/8/4Rr2/8/8/4K2r w - - 0 1", nil, []string{"e4e8", "e1f1"}},
		{"a pawn on its first rank only captures", "4k3/8/8/8/8/8/1p6/P3K3 w - - 0 1",
			[]string{"a1b2", "e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}, nil},
		{"a pawn on its last rank", "P3k3/8/8/8/8/8/8/4K3 w - - 0 1", []string{"e1d1", "e1d2", "e1e2", "e1f1", "e1f2"}, nil},
		{"black pawns on both end ranks", "p3k3/8/8/8/8/8/8/p3K3 b - - 0 1", []string{"e8d7", "e8d8", "e8e7", "e8f7", "e8f8"}, nil},
		{"a pawn attacks the king", "8/4k3/3P4/8/8/8/8/4K3 w - - 0 1", nil, []string{"d6e7"}},
		{"three checkers", "4r2k/8/8/8/7b/8/2n5/4K3 w - - 0 1", []string{"e1d1", "e1d2", "e1f1"}, nil},
		{"a king among queens", "QQQQQQQk/QQQQQQQ1/8/8/8/8/8/K7 w - - 0 1", nil, []string{"g8h8", "g7h8"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p := position(t, c.fen, Standard)
			var got []string
			for _, m := range p.LegalMoves(nil) {
				got = append(got, p.UCI(m))
			}
			if c.moves != nil && !sameSet(got, c.moves) {
				t.Errorf("moves %v, want %v", got, c.moves)
			}
			for _, bad := range c.not {
				if slices.Contains(got, bad) {
					t.Errorf("%s is among the moves", bad)
				}
			}
			perftByMaking(t, p, 2)
		})
	}
}

func sameSet(a, b []string) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// TestBufferGrows gives LegalMoves less room than it needs, in a position with more moves than any that a game reaches, and
// something in front that must stay.
func TestBufferGrows(t *testing.T) {
	t.Parallel()
	p := position(t, "Q1QQ3k/Q4QQ1/Q6Q/1Q2Q3/3Q2Q1/Q4Q2/3Q3Q/KQ2Q3 w - - 0 1", Standard)
	all := p.LegalMoves(make([]Move, 0, 512))
	if len(all) != 228 || Perft(p, 1) != 228 {
		t.Fatalf("%d moves, want 228", len(all))
	}
	first := newMove(1, 2, NoRole, kindQuiet)
	got := p.LegalMoves([]Move{first})
	if got[0] != first || !slices.Equal(got[1:], all) {
		t.Errorf("a small buffer ends up with %d moves", len(got))
	}
}

// TestSliders compares the tables with a walk over the board, for many patterns of blockers.
func TestSliders(t *testing.T) {
	t.Parallel()
	seed := uint64(7)
	for s := range NoSquare {
		for range 500 {
			seed ^= seed << 13
			seed ^= seed >> 7
			seed ^= seed << 17
			for _, occupied := range []Bitboard{Bitboard(seed), Bitboard(seed & (seed >> 9)), Bitboard(seed | seed>>9)} {
				if got, want := rookAttacks(s, occupied), walk(s, rookSteps, occupied); got != want {
					t.Fatalf("rook on %v with %#x: %#x, want %#x", s, occupied, got, want)
				}
				if got, want := bishopAttacks(s, occupied), walk(s, bishopSteps, occupied); got != want {
					t.Fatalf("bishop on %v with %#x: %#x, want %#x", s, occupied, got, want)
				}
			}
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		a, b, between string
		line          int
	}{
		{"a1", "h8", "b2 c3 d4 e5 f6 g7", 8},
		{"e1", "e4", "e2 e3", 8},
		{"e4", "f5", "", 7},
		{"a1", "b3", "", 0},
		{"h3", "f3", "g3", 8},
		{"c3", "c3", "", 0},
	} {
		a, b := square(t, c.a), square(t, c.b)
		var want Bitboard
		if c.between != "" {
			want = set(t, c.between)
		}
		for _, pair := range [][2]Square{{a, b}, {b, a}} {
			if got := between[pair[0]][pair[1]]; got != want {
				t.Errorf("between %v: %#x, want %#x", pair, got, want)
			}
			if got := line[pair[0]][pair[1]].Len(); got != c.line {
				t.Errorf("line through %v has %d squares, want %d", pair, got, c.line)
			}
		}
	}
}

func BenchmarkPerft(b *testing.B) {
	for _, c := range []struct {
		name, fen string
		depth     int
	}{{"start", StartFEN, 5}, {"kiwipete", kiwipete, 4}} {
		b.Run(c.name, func(b *testing.B) {
			p := position(b, c.fen, Standard)
			var leaves uint64
			for b.Loop() {
				leaves += Perft(p, c.depth)
			}
			b.ReportMetric(float64(leaves)/b.Elapsed().Seconds()/1e6, "Mleaves/s")
		})
	}
}

func BenchmarkLegalMoves(b *testing.B) {
	p := position(b, kiwipete, Standard)
	buf := make([]Move, 0, 256)
	b.ReportAllocs()
	for b.Loop() {
		buf = p.LegalMoves(buf[:0])
	}
}

func BenchmarkPlay(b *testing.B) {
	p := position(b, kiwipete, Standard)
	moves := p.LegalMoves(nil)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		q := p
		q.Play(moves[i%len(moves)])
	}
}

func BenchmarkKey(b *testing.B) {
	p := Start()
	for b.Loop() {
		p.Key()
	}
}
