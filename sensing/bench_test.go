package sensing

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// clubGame is Morphy's at the opera, played by hands that are in no hurry.
func clubGame(tb testing.TB, a board.Acuity) hand.Performance {
	tb.Helper()
	pos := rules.Start()
	var moves []rules.Move
	for _, u := range strings.Fields("e2e4 e7e5 g1f3 d7d6 d2d4 c8g4 d4e5 g4f3 d1f3 d6e5 f1c4 g8f6 f3b3 d8e7 b1c3 c7c6 c1g5 b7b5 " +
		"c3b5 c6b5 c4b5 b8d7 e1c1 a8d8 d1d7 d8d7 h1d1 e7e6 b5d7 f6d7 b3b8 d7b8 d1d8") {
		m, err := pos.ParseUCI(u)
		if err != nil {
			tb.Fatal(err)
		}
		moves = append(moves, m)
		pos.Play(m)
	}
	club, ok := hand.Styles().Style("club")
	if !ok {
		tb.Fatal("no style club")
	}
	return hand.Play(club, hand.Styles().Sensor(a), rules.Start(), moves, 1858)
}

// read gives a performance to a tracker, and every wake that it asks for; it counts the steps in which a square settled.
func read(t *Tracker, perf *hand.Performance) (settled int) {
	step := func(in board.Input) {
		was := t.deb.settled
		t.Observe(in)
		if t.deb.settled != was {
			settled++
		}
		t.Report()
	}
	for _, in := range perf.Inputs {
		for w := t.NextWake(); w != 0 && w <= in.T; w = t.NextWake() {
			step(board.Input{Kind: board.Wake, T: w})
		}
		step(in)
	}
	return settled
}

var benchAcuities = []board.Acuity{board.Presence, board.ColorAcuity, board.PieceAcuity}

// midgame is a tracker with several explanations, and the scan that shows nothing new.
func midgame(tb testing.TB, a board.Acuity) (*Tracker, board.Input) {
	tb.Helper()
	perf := clubGame(tb, a)
	perf.Inputs = perf.Inputs[:len(perf.Inputs)*2/3]
	t := New(Options{Acuity: a, SettleMs: DefaultSettleMs}, rules.Start())
	read(t, &perf)
	in := board.Input{Kind: board.Scan, T: t.now + 1000}
	t.Observe(board.Input{T: in.T})
	in.Picture = t.Picture()
	return t, in
}

func TestUnchangedScanInAGame(t *testing.T) {
	for _, a := range benchAcuities {
		tr, in := midgame(t, a)
		if n := testing.AllocsPerRun(2000, func() {
			in.T += 10
			tr.Observe(in)
		}); n != 0 {
			t.Errorf("%v: %v allocations a scan", a, n)
		}
	}
}

func BenchmarkUnchangedScanInAGame(b *testing.B) {
	for _, a := range benchAcuities {
		b.Run(a.String(), func(b *testing.B) {
			tr, in := midgame(b, a)
			b.ReportAllocs()
			for b.Loop() {
				in.T += 10
				tr.Observe(in)
			}
		})
	}
}

// BenchmarkSettledChange reads a whole game: ns/settled is the time of a settled change, with its report and with all the
// looks at the time until the next.
func BenchmarkSettledChange(b *testing.B) {
	for _, a := range benchAcuities {
		b.Run(a.String(), func(b *testing.B) {
			perf := clubGame(b, a)
			b.ReportAllocs()
			settled := 0
			for b.Loop() {
				settled += read(New(Options{Acuity: a, SettleMs: DefaultSettleMs}, rules.Start()), &perf)
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(settled), "ns/settled")
		})
	}
}
