package dgt_test

import (
	"testing"

	"github.com/boardd/boardd/driver/emulator/dgt"
)

// FuzzBoard: whatever a program writes, the board goes on: no panic, wakes that are later, and what it says has the highest bit
// in the first byte of a message alone.
func FuzzBoard(f *testing.F) {
	f.Add(unhex(f, "4B 4D 45 42 2B 03 03 09 00"), byte(1))
	f.Add(unhex(f, "87 08 01 10 87 08 01 10 85 08 01 0E 86 08 01 0F 8D 08 01 16"), byte(3))
	f.Add(unhex(f, "60 04 01 34 24 00 49 4A 2B FF 03 0C 00 60 00 00 2B 00 00"), byte(2))
	f.Fuzz(func(t *testing.T, in []byte, kind byte) {
		b := dgt.New(dgt.Options{Model: dgt.Model(kind % 4), Clock: dgt.ClockType(kind / 4 % 3)})
		now, left, length := int64(0), 0, 0
		step := func(in []byte) int64 {
			out, wake := b.Step(now, in)
			if wake != 0 && wake <= now {
				t.Fatalf("at %d: wake %d", now, wake)
			}
			for _, c := range out {
				switch {
				case left == 0 && c < 0x80, left > 0 && c >= 0x80:
					t.Fatalf("at %d: byte %02X with %d of its message to come", now, c, left)
				case left == 0:
					left = -2 // the two bytes of the length
				case left < 0:
					if left++; left == 0 {
						left = length + int(c) - 3
					}
					length = int(c) << 7
				default:
					left--
				}
			}
			return wake
		}
		wake := step(nil)
		for i := 0; i < len(in); i += 3 {
			wake = step(in[i:min(i+3, len(in))])
			if wake != 0 {
				now = wake
			}
		}
		for range 1000 {
			if wake == 0 {
				return
			}
			now = wake
			wake = step(nil)
		}
	})
}
