package calibration

import (
	"math/bits"

	"github.com/boardd/boardd/driver/scan"
)

// front makes, from readings, the wires that differ from the empty board, and knows for how long they have not changed.
type front struct {
	rest      uint64             // digital: what the empty board read
	zero      *[scan.Wires]int32 // analog: what it read; nil before it is known
	threshold int32              // analog

	last    scan.Reading
	on      uint64 // wires on which a man is seen, without those that flicker
	flicker uint64 // wires that do not come to rest
	at      int64  // when on last changed
	calm    int64  // when on last was still
	began   bool
	turns   [scan.Wires]uint16 // changes of each wire since then

	count    int // readings since the last change
	sum      [scan.Wires]int64
	low, top [scan.Wires]int32
}

// see takes a reading. Analog wires have a hysteresis of a quarter of the threshold.
func (f *front) see(now int64, r *scan.Reading, analog bool) {
	all := f.bits(r, analog)
	on := all &^ f.flicker
	if !f.began {
		f.began, f.at, f.calm, f.on = true, now, now, on
	}
	for change := on ^ f.on; change != 0; change &= change - 1 {
		f.turns[bits.TrailingZeros64(change)]++
	}
	if on != f.on {
		f.on, f.at, f.count = on, now, 0
	}
	f.last = *r
	if f.count == 0 || analog && f.count >= 200 { // a new average: the men may have been moved a little
		f.count = 0
		f.sum, f.low, f.top = [scan.Wires]int64{}, r.Levels, r.Levels
	}
	f.count++
	for i, l := range r.Levels {
		f.sum[i] += int64(l)
		f.low[i], f.top[i] = min(f.low[i], l), max(f.top[i], l)
	}
}

// again looks at the last reading with what is known of the empty board now.
func (f *front) again(analog bool) {
	f.on = f.bits(&f.last, analog) &^ f.flicker
}

func (f *front) bits(r *scan.Reading, analog bool) uint64 {
	if !analog {
		return r.Bits ^ f.rest
	}
	if f.zero == nil {
		return 0
	}
	var on uint64
	for i, l := range r.Levels {
		limit := f.threshold
		if f.on>>i&1 == 1 {
			limit -= limit / 4
		}
		if d := l - f.zero[i]; d >= limit || -d >= limit {
			on |= 1 << i
		}
	}
	return on
}

// rested begins the time of rest and the average of levels anew.
func (f *front) rested(now int64) { f.at, f.count = now, 0 }

// still reports whether nothing has changed for long enough.
func (f *front) still(now int64) bool { return f.began && now-f.at >= Rest }

// settle leaves out wires that do not come to rest: those that go on changing while nothing else does. A reed that chatters under a
// hand is at rest sooner.
func (f *front) settle(now int64) {
	if f.still(now) {
		f.calm, f.turns = now, [scan.Wires]uint16{}
		return
	}
	if now-f.calm < Patience {
		return
	}
	var restless uint64
	for i, n := range f.turns {
		if n >= 6 {
			restless |= 1 << i
		}
	}
	if bits.OnesCount64(restless|f.flicker) <= 16 {
		f.flicker |= restless
		f.on &^= restless
	}
	f.calm, f.turns = now, [scan.Wires]uint16{}
}

// average is the mean level of each wire since the last change, and by how much the most restless wire has moved about it.
func (f *front) average() (mean [scan.Wires]int32, noise int32) {
	n := int64(max(1, f.count))
	for i, s := range f.sum {
		mean[i] = int32(s / n)
		if f.count > 0 {
			noise = max(noise, f.top[i]-f.low[i])
		}
	}
	return mean, noise
}
