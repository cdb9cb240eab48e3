package sensing

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// settling feeds raw samples to a debouncer as a tracker does, and writes what settles: "95 e4x@10" is e4 filled at 10, told at
// 95; "40 e4x~@10-20" an excursion from 10 to 20 that settled nowhere; "95 e4.@10 b@20-30" a man that was there on the way.
type settling struct {
	debouncer
	now int64
	out []string
}

func newSettling(settle int64) *settling {
	d := &settling{debouncer: debouncer{settle: settle}}
	d.reset(projection(board.Presence, rules.Start()))
	return d
}

func (d *settling) until(t int64) {
	for d.open != 0 {
		w := d.wake(d.now)
		if w == 0 || w > t {
			break
		}
		d.now = w
		d.tell(d.take(d.now, false))
	}
	d.now = t
	d.tell(d.take(d.now, false))
}

func (d *settling) tell(changes []change) {
	for _, c := range changes {
		if c.weak {
			d.out = append(d.out, fmt.Sprintf("%d %s%c~@%d-%d", d.now, c.square, c.seen, c.t, c.until))
		} else {
			d.out = append(d.out, fmt.Sprintf("%d %s%c@%d", d.now, c.square, c.to, c.t))
			if p := c.passed; p.symbol != 0 {
				d.out[len(d.out)-1] += fmt.Sprintf(" %c@%d-%d", p.symbol, p.came, p.went)
			}
		}
	}
}

func TestDebounce(t *testing.T) {
	t.Parallel()
	bouncing := "0 e2." // e2 for 300 ms, every 10 ms
	for i := 1; i <= 30; i++ {
		bouncing += fmt.Sprintf(" %d e2%c", 10*i, "x."[(i+1)%2])
	}
	tests := []struct {
		name    string
		settle  int64
		samples string // time, square and symbol; samples of one time are one instant
		want    string
	}{
		{"clean", 25, "0 e2. 500 e4x", "25 e2.@0, 525 e4x@500"},
		{"bounces, counted from the first sample", 25, "0 e2. 6 e2x 11 e2.", "36 e2.@0"},
		{"the same again is no news", 25, "0 e2. 10 e2. 20 e2.", "25 e2.@0"},
		{"settles exactly in time", 25, "0 e2. 25 e2x", "25 e2.@0, 50 e2x@25"},
		{"one too early for it", 25, "0 e2. 24 e2x", "49 e2.~@0-24"},
		{"a board that debounces itself", 0, "0 e2. 1 e2x", "0 e2.@0, 1 e2x@1"},
		{"too short to settle", 25, "0 e4x 10 e4.", "35 e4x~@0-10"},
		{"short and then for good", 25, "0 e4x 10 e4. 40 e4x", "35 e4x~@0-10, 65 e4x@40"},
		{"a man between two", 25, "0 e2. 10 e2b 20 e2. 30 e2w", "55 e2w@0 b@10-20"},
		{"… who leaves the square empty", 25, "0 e2. 10 e2b 20 e2.", "45 e2.@0 b@10-20"},
		{"… and who is seen again for good", 25, "0 e2b 10 e2. 20 e2b", "45 e2b@0"},
		{"no man, for all that is known", 25, "0 e2. 10 e2? 20 e2.", "45 e2.@0"},
		{"first sample first, though it settles last", 25, "0 e2. 10 e4x 20 e2x 30 e2.", "55 e2.@0, 55 e4x@10"},
		{"one that settles earlier waits for nobody later", 25, "0 e2. 10 e4x 20 e4. 30 e4x", "25 e2.@0, 55 e4x@10"},
		{"men up before men down in one instant", 25, "0 a3x 0 b3x 0 h2. 0 g2.", "25 g2.@0, 25 h2.@0, 25 a3x@0, 25 b3x@0"},
		{"a bouncing square holds others back for 60 ms, not more", 25, bouncing + " 301 a3x", ""},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			d := newSettling(tt.settle)
			f := strings.Fields(tt.samples)
			if tt.want == "" { // a3 was filled at 5 while e2 bounces
				f = slices.Insert(f[:len(f)-2], 2, "5", "a3x")
				tt.want = "90 a3x@5, 325 e2.@0"
			}
			for i := 0; i < len(f); i += 2 {
				at, err := strconv.ParseInt(f[i], 10, 64)
				s, ok := rules.ParseSquare(f[i+1][:2])
				if err != nil || !ok {
					t.Fatal(f[i], f[i+1])
				}
				if at > d.now {
					d.until(at - 1)
					d.now = at
					d.tell(d.take(at, tt.settle == 0))
				}
				d.see(at, s, board.Symbol(f[i+1][2]))
				if tt.settle == 0 {
					d.tell(d.take(at, true))
				}
			}
			d.until(d.now + 1000)
			if got := strings.Join(d.out, ", "); got != tt.want {
				t.Errorf("\n got %s\nwant %s", got, tt.want)
			}
		})
	}
}

// Nobody is told twice, out of order or late; in the end what settled is what the squares say.
func TestDebounceHoldsNothingBack(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		settle := rapid.SampledFrom([]int64{1, 10, 25, 40}).Draw(t, "settle")
		d := newSettling(settle)
		squares := []rules.Square{0, 12, 20, 28, 63}
		raw := d.raw
		told := d.settled
		lastMove := map[rules.Square]int64{}
		now := int64(0)
		check := func(at int64) {
			for _, c := range d.take(at, false) {
				if c.from != told[c.square] || !c.weak && c.from == c.to || c.weak && c.seen == c.from {
					t.Fatalf("at %d: %+v, told before %c", at, c, told[c.square])
				}
				if c.t > lastMove[c.square] || at < lastMove[c.square]+settle {
					t.Fatalf("at %d: %+v, which moved at %d", at, c, lastMove[c.square])
				}
				if at > lastMove[c.square]+settle+holdBounceMs {
					t.Fatalf("at %d: %+v, held since %d", at, c, lastMove[c.square]+settle)
				}
				told[c.square] = c.to
			}
			if !slices.IsSortedFunc(d.debouncer.out, func(a, b change) int { return int(a.t - b.t) }) {
				t.Fatalf("out of order: %+v", d.debouncer.out)
			}
		}
		for range rapid.IntRange(1, 60).Draw(t, "samples") {
			next := now + rapid.SampledFrom([]int64{0, 1, 3, 10, 30, 200}).Draw(t, "pause")
			for w := d.wake(now); w != 0 && w <= next; w = d.wake(now) {
				if w <= now {
					t.Fatalf("at %d it wants to be woken at %d", now, w)
				}
				now = w
				check(now)
			}
			now = next
			s := rapid.SampledFrom(squares).Draw(t, "square")
			sym := rapid.SampledFrom([]board.Symbol{board.Empty, board.Something}).Draw(t, "symbol")
			if d.see(now, s, sym) != (raw[s] != sym) {
				t.Fatal("news is not news")
			}
			if raw[s] != sym {
				raw[s], lastMove[s] = sym, now
			}
			check(now)
		}
		for w := d.wake(now); w != 0; w = d.wake(now) {
			now = w
			check(now)
		}
		if d.settled != raw || told != raw {
			t.Fatal("the end is not what the squares say")
		}
	})
}

// A scan says no more than the changes in it, and one that says nothing new costs nothing.
func TestScansAndChanges(t *testing.T) {
	t.Parallel()
	for _, a := range []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity} {
		one, other := New(Options{Acuity: a, SettleMs: 25}, rules.Start()), New(Options{Acuity: a, SettleMs: 25}, rules.Start())
		p := rules.Start()
		now := int64(1000)
		picture := projection(a, p)
		for _, uci := range strings.Fields("e2e4 d7d5 e4d5 d8d5 b1c3 d5a5") {
			m, err := p.ParseUCI(uci)
			if err != nil {
				t.Fatal(err)
			}
			p.Play(m)
			for _, men := range []board.Picture{lifted(picture, projection(a, p)), projection(a, p)} {
				for s := range men {
					if men[s] != picture[s] {
						wakeUntil(one, now)
						one.Observe(board.Input{T: now, Kind: board.Change, Square: rules.Square(s), Symbol: men[s]})
					}
				}
				picture = men
				wakeUntil(other, now)
				other.Observe(board.Input{T: now, Kind: board.Scan, Picture: picture})
				now += 700
			}
			now += 2000
		}
		wakeUntil(one, now)
		wakeUntil(other, now)
		r, q := one.Report(), other.Report()
		if !slices.Equal(r.Line, q.Line) || r.Firm != q.Firm || r.LastChange != q.LastChange || !slices.Equal(r.PlacedAt, q.PlacedAt) || len(r.Line) != 6 {
			t.Errorf("%s: changes say %+v, scans %+v", a, r, q)
		}
	}
}

// lifted is the first picture without the men that the second wants otherwise.
func lifted(from, to board.Picture) board.Picture {
	for s := range from {
		if from[s] != to[s] {
			from[s] = board.Empty
		}
	}
	return from
}

func TestUnchangedScanIsFree(t *testing.T) {
	tr := New(Options{Acuity: board.PieceAcuity, SettleMs: 25}, rules.Start())
	in := board.Input{T: 60_000, Kind: board.Scan, Picture: projection(board.PieceAcuity, rules.Start())}
	if n := testing.AllocsPerRun(200, func() {
		in.T += 10
		tr.Observe(in)
	}); n != 0 {
		t.Errorf("%v allocations", n)
	}
}

func BenchmarkUnchangedScan(b *testing.B) {
	tr := New(Options{Acuity: board.PieceAcuity, SettleMs: 25}, rules.Start())
	in := board.Input{T: 60_000, Kind: board.Scan, Picture: projection(board.PieceAcuity, rules.Start())}
	b.ReportAllocs()
	for b.Loop() {
		in.T += 10
		tr.Observe(in)
	}
}
