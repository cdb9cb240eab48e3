package leds

import "github.com/boardd/boardd/rules"

// blink is how a square is lit over time. All squares of a kind are in phase, because the phase hangs on the time alone.
type blink uint8

const (
	dark   blink = iota
	steady       // look here
	slow         // put something here: 1 Hz
	fast         // take this off: 2.5 Hz
	flash        // trouble: one short flash every 5 s
	pulse1       // promotion prompt: as many short pulses as the piece is steps from the queen
	pulse2
	pulse3
	pulse4
)

// prompt is the row of pulses for a piece that a pawn may become, dark for any other.
func prompt(piece rules.Role) blink {
	switch piece {
	case rules.Queen:
		return pulse1
	case rules.Rook:
		return pulse2
	case rules.Bishop:
		return pulse3
	case rules.Knight:
		return pulse4
	}
	return dark
}

// train is a row of flashes that repeats: count flashes of on milliseconds, one every step, in a period.
type train struct{ period, step, on, count int64 }

// The rows keep to three flashes in any second. The four kinds of prompt share period and step, so that going on to the
// next piece never squeezes flashes together.
var trains = [...]train{
	slow:   {1000, 1000, 500, 1},
	fast:   {400, 400, 200, 1},
	flash:  {5000, 5000, 150, 1},
	pulse1: {2800, 400, 150, 1},
	pulse2: {2800, 400, 150, 2},
	pulse3: {2800, 400, 150, 3},
	pulse4: {2800, 400, 150, 4},
}

// on reports whether the square is lit at a time.
func (b blink) on(now int64) bool {
	if b <= steady {
		return b == steady
	}
	t := trains[b]
	at := now % t.period
	return at/t.step < t.count && at%t.step < t.on
}

// edge is when the square next goes on or off, 0 for never.
func (b blink) edge(now int64) int64 {
	if b <= steady {
		return 0
	}
	t := trains[b]
	at := now % t.period
	start := now - at
	switch n := at / t.step; {
	case n >= t.count:
		return start + t.period
	case at%t.step < t.on:
		return start + n*t.step + t.on
	case n+1 < t.count:
		return start + (n+1)*t.step
	}
	return start + t.period
}
