package scan

import "testing"

// FuzzBitsOf: every wire is its pin, whichever level is active.
func FuzzBitsOf(f *testing.F) {
	f.Add([]byte{0xFF, 0xEF, 0, 0, 0, 0, 0xFF, 0xFF}, true)
	f.Add([]byte{}, false)
	f.Fuzz(func(t *testing.T, b []byte, high bool) {
		var pins [8]byte
		copy(pins[:], b)
		got := BitsOf(pins, high)
		for wire := range Wires {
			if pin := pins[wire/8]>>(wire%8)&1 != 0; got>>wire&1 != 0 != (pin == high) {
				t.Fatalf("wire %d of %x (active high: %v) in %016x", wire, pins, high, got)
			}
		}
	})
}
