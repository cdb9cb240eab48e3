package scan

import "testing"

// BenchmarkStep is what the engine costs beside the sensor: a scan on which nothing has changed, and one that brings a change.
func BenchmarkStep(b *testing.B) {
	for _, kind := range []struct {
		name    string
		o       Options
		changes bool
	}{
		{"quiet", Options{}, false},
		{"quiet matrix", Options{Traits: Traits{Matrix: true}}, false},
		{"quiet analog", Options{Traits: Traits{Analog: true}, Threshold: 100_000, Release: 90_000, Color: true}, false},
		{"change", Options{}, true},
		{"change of a matrix", Options{Traits: Traits{Matrix: true}}, true},
		{"change of an analog", Options{Traits: Traits{Analog: true}, Threshold: 100_000, Release: 90_000, Color: true}, true},
	} {
		b.Run(kind.name, func(b *testing.B) {
			kind.o.Map, kind.o.PeriodMs = rows(), 1
			m := NewMachine(kind.o)
			m.Start(0)
			r := Reading{Bits: startBits}
			m.Step(0, &r, nil)
			b.ReportAllocs()
			for now := int64(1); b.Loop(); now++ {
				if m.checked = now; kind.changes {
					r.Bits ^= 1 << 12
					r.Levels[12] ^= 500_000
				}
				if in, next := m.Step(now, &r, nil); next.Do != Read || kind.changes && len(in) == 0 {
					b.Fatalf("%v at %d, %d inputs", next, now, len(in))
				}
			}
		})
	}
}
