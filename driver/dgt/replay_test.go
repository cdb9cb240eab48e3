package dgt_test

import (
	"math/rand/v2"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
)

// MD-49, MD-50 and the others of the protocol notes: what a scan really says, in its order, without a dump before it.
func TestRawUpdates(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, bytes, want string }{
		{"MD-49 b3c4, the victim never seen gone", "8E 00 05 22 04 8E 00 05 29 00", "c4=B b3=."},
		{"a2a3 in one scan", "8E 00 05 28 01 8E 00 05 30 00", "a3=P a2=."},
		{"capture, the victim lifted first", "8E 00 05 12 00 8E 00 05 19 00 8E 00 05 12 04", "c6=. b5=. c6=B"},
		{"capture by pushing", "8E 00 05 0B 00 8E 00 05 12 07", "d7=. c6=p"},
		{"castling", "8E 00 05 3C 00 8E 00 05 3E 05 8E 00 05 3F 00 8E 00 05 3D 02", "e1=. g1=K h1=. f1=R"},
		{"a man slid over f5 of a board turned round", "8E 00 05 2B 00 8E 00 05 22 09 8E 00 05 22 00 8E 00 05 1A 09", "d3=. c4=n c4=. c5=n"},
		{"set down before it is seen lifted", "8E 00 05 12 07 8E 00 05 0A 00", "c6=p c7=."},
		{"en passant on a board turned round", "8E 00 05 1F 00 8E 00 05 16 07 8E 00 05 1E 00", "h5=. g6=p g5=."},
		{"put back and moved again", "8E 00 05 0C 00 8E 00 05 14 01 8E 00 05 14 00 8E 00 05 1C 01", "e7=. e6=P e6=. e5=P"},
		{"a pawn off d4, then the kings to d5 and e4: 1-0", "8E 00 05 23 00 8E 00 05 06 00 8E 00 05 3E 00 8E 00 05 1B 0B 8E 00 05 24 05",
			"d4=. g8=. g1=. d5=k e4=K"},
		{"the start position of a board turned round", "86 00 43 02 03 04 05 06 04 03 02 01 01 01 01 01 01 01 01" + strings.Repeat("00", 32) +
			"07 07 07 07 07 07 07 07 08 09 0A 0B 0C 0A 09 08", "RNBKQBNR/PPPPPPPP/......../......../......../......../pppppppp/rnbkqbnr"},
		{"MD-50 c1c4 in seven pieces", "8E 00 05 22 00 8E 00 05 32 06 8E 00 05 2A 06 8E 00 05 3A 00 8E 00 05 32 00 8E 00 05 22 06 8E 00 05 2A 00",
			"c4=. c2=Q c3=Q c1=. c2=. c4=Q c3=."},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, dgt.NewRaw(dgt.Options{}), nil)
			b.step(7, unhex(t, c.bytes))
			b.want("raw", "", "online:true@7 "+strings.ReplaceAll(c.want, " ", "@7 ")+"@7")
		})
	}
}

// captureInputs runs a capture with its times through a machine, chunked by seed (0: a line at once), and writes down
// what the core would hear.
func captureInputs(t *testing.T, m *dgt.Machine, name string, seed uint64) (said []string, last board.Picture) {
	t.Helper()
	r := rand.New(rand.NewPCG(seed, 1))
	at := int64(0)
	for i, line := range capture(t, name) {
		if i > 0 {
			at += int64(dgt.CaptureGapMs(line))
		}
		for len(line) > 0 {
			n := len(line)
			if seed > 0 {
				n = 1 + r.IntN(n)
			}
			inputs, _, _ := m.Step(at, line[:n])
			line = line[n:]
			for _, in := range inputs {
				said = append(said, show(in))
				switch in.Kind {
				case board.Scan:
					last = in.Picture
				case board.Change:
					last[in.Square] = in.Symbol
				}
			}
		}
	}
	return said, last
}

func TestCaptures(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, last string
		turned     bool
		inputs     int
	}{
		{"capture1", "r.....k./p.p..rpR/.p...BQ./..p.p.../....P.../...P...P/bPn...P./......K.", false, 1 + 455},
		{"capture2", "..R...../....bppk/.p.p...Q/.....R.P/....P.../.....P../r....q.P/.......K", true, 1 + 805},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			want, last := captureInputs(t, dgt.NewRaw(dgt.Options{}), c.name, 0)
			if len(want) != c.inputs {
				t.Errorf("%d inputs, want %d: every line says something", len(want), c.inputs)
			}
			if c.turned {
				last = last.Turned()
			}
			if last.String() != c.last {
				t.Errorf("the last board is\n%v, want\n%s", last, c.last)
			}
			for seed := range uint64(4) {
				got, _ := captureInputs(t, dgt.NewRaw(dgt.Options{}), c.name, seed)
				if !slices.Equal(got, want) {
					t.Errorf("chunking %d: %s", seed, firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
				}
				// A live machine to whose questions nobody answers hears the same.
				got, _ = captureInputs(t, dgt.New(dgt.Options{}), c.name, seed)
				if !slices.Equal(got, want) {
					t.Errorf("live, chunking %d: %s", seed, firstDifference(strings.Join(got, "\n"), strings.Join(want, "\n")))
				}
			}
		})
	}
}

// FuzzMachine: whatever comes and whenever, there is no panic, wakes are in the future, and what is written is a
// harmless command, one at a time.
func FuzzMachine(f *testing.F) {
	f.Add(unhex(f, startDump), uint16(10))
	f.Add(unhex(f, "8E 00 05 34 00 93 00 05 01 08 8D 00 0A 20 03 02 20 03 02 08"), uint16(300))
	f.Add(unhex(f, "A0 00 0C 64 7F 7F 00 00 00 00 00 00 8E 00 05 34 0E 86 00 43"), uint16(3000))
	f.Fuzz(func(t *testing.T, in []byte, gap uint16) {
		m := dgt.New(dgt.Options{})
		now, wake, wrote := int64(0), int64(1), int64(-100)
		step := func(bytes []byte) {
			inputs, out, next := m.Step(now, bytes)
			if wake = next; wake <= now {
				t.Fatalf("at %d: wake %d", now, wake)
			}
			if len(out) > 1 || len(out) == 1 && (!strings.Contains("@ABEKLMU", string(out)) || now-wrote < 100) {
				t.Fatalf("at %d: wrote % x after %d ms", now, out, now-wrote)
			}
			if len(out) > 0 {
				wrote = now
			}
			for _, i := range inputs {
				if i.T != now || i.Kind == board.Change && (i.Square > 63 || !board.PieceAcuity.Valid(i.Symbol)) {
					t.Fatalf("at %d: said %+v", now, i)
				}
			}
		}
		step(nil)
		for i, b := range in {
			next := now
			if i%8 == 0 {
				next += int64(gap)
			}
			for wake <= next {
				now = wake
				step(nil)
			}
			now = next
			step([]byte{b})
		}
		for range 200 {
			now = wake
			step(nil)
		}
	})
}
