package hand

import (
	"cmp"
	"math/rand/v2"
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Sensor is how a board looks at its squares.
type Sensor struct {
	Acuity     board.Acuity
	PeriodMs   int64   // between two looks at the same square
	BounceRate float64 // contacts that bounce: 1 to 3 extra toggles, 2 to 9 ms apart
	// Sequential: the squares are looked at one after another over the whole period, a8 to h1, as DGT boards do; otherwise
	// all at once. What is seen in one sequential scan says nothing about the order of the hand.
	Sequential bool
}

// Sensor is a plain board of an acuity: reed switches or Hall sensors as the table has them; piece boards look every 20 ms
// and do not bounce.
func (t Table) Sensor(a board.Acuity) Sensor {
	if a == board.PieceAcuity {
		return Sensor{Acuity: a, PeriodMs: 20}
	}
	return Sensor{Acuity: a, PeriodMs: t.Period, BounceRate: t.BounceRate}
}

// DGT is a board that knows its pieces and needs a quarter of a second for one scan.
func DGT() Sensor { return Sensor{Acuity: board.PieceAcuity, PeriodMs: 250, Sequential: true} }

// reading is one square's contact from a moment on.
type reading struct {
	t      int64
	symbol board.Symbol
}

// read is what the sensor reports of touches that are sorted by time.
func (s Sensor) read(start *rules.Position, acts []act, dice *rand.Rand) (in []board.Input) {
	period := max(1, s.PeriodMs)
	phase := dice.Int64N(period)
	var contact [64][]reading
	for _, a := range acts {
		contact[a.sq] = append(contact[a.sq], reading{a.t, s.Acuity.See(a.piece)})
	}
	for q := range rules.NoSquare {
		last := s.Acuity.See(start.At(q))
		readings := s.bounce(contact[q], last, dice)
		look := phase
		if s.Sequential {
			look += int64(turn(q)) * period / 64
		}
		for i, r := range readings {
			t := look + ceilDiv(r.t-look, period)*period
			if i+1 < len(readings) && readings[i+1].t <= t || r.symbol == last {
				continue // gone before anybody looked, or nothing new
			}
			last = r.symbol
			in = append(in, board.Input{T: t, Kind: board.Change, Square: q, Symbol: last})
		}
	}
	slices.SortStableFunc(in, func(a, b board.Input) int {
		return cmp.Or(cmp.Compare(a.T, b.T), cmp.Compare(turn(a.Square), turn(b.Square)))
	})
	return in
}

// bounce adds the toggles of contacts that do not close or open cleanly, as far as the next touch leaves time for them.
func (s Sensor) bounce(clean []reading, before board.Symbol, dice *rand.Rand) (all []reading) {
	for i, r := range clean {
		all = append(all, r)
		if s.BounceRate > 0 && r.symbol != before && dice.Float64() < s.BounceRate {
			t := r.t
			for n := 1 + dice.IntN(3); n > 0; n-- {
				back := t + 2 + dice.Int64N(8)
				again := back + 2 + dice.Int64N(8)
				if i+1 < len(clean) && again >= clean[i+1].t {
					break
				}
				all = append(all, reading{back, before}, reading{again, r.symbol})
				t = again
			}
		}
		before = r.symbol
	}
	return all
}

// turn is a square's place in a scan from a8 to h1.
func turn(q rules.Square) int { return (7-q.Rank())*8 + q.File() }

// ceilDiv rounds up; a square touched before its first look is seen at that look.
func ceilDiv(a, b int64) int64 {
	if a <= 0 {
		return 0
	}
	return (a + b - 1) / b
}
