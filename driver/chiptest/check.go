package chiptest

import (
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/scan"
)

// Start are the wires of the start position when rank 1 is on the first ones.
const Start = 0xFFFF_0000_0000_FFFF

// TB is a test, or a check of a property.
type TB interface {
	Helper()
	Errorf(format string, args ...any)
	Fatalf(format string, args ...any)
}

// Setup sets a sensor up, or fails the test.
func Setup(t TB, s scan.Sensor) {
	t.Helper()
	if err := s.Setup(); err != nil {
		t.Fatalf("setting up: %v", err)
	}
}

// Reads fails the test unless a sensor reads these wires.
func Reads(t TB, s scan.Sensor, want uint64) {
	t.Helper()
	var r scan.Reading
	if err := s.Read(&r); err != nil {
		t.Fatalf("reading: %v", err)
	}
	if r.Bits != want {
		t.Fatalf("reads %016x, want %016x", r.Bits, want)
	}
}

// Sound checks that a sensor reads whatever lies on its wires, that its checks find nothing, and that a reading asks for no
// memory. Nothing may run beside it.
func Sound(t *testing.T, s scan.Sensor, magnets *Magnets) {
	t.Helper()
	Setup(t, s)
	rapid.Check(t, func(t *rapid.T) {
		on := rapid.Uint64().Draw(t, "on")
		magnets.Set(on)
		Reads(t, s, on)
		if rapid.Bool().Draw(t, "check") {
			if err := s.Check(); err != nil {
				t.Fatalf("a check finds %v", err)
			}
		}
	})
	for wire := range 64 { // each by itself
		magnets.Set(1 << wire)
		Reads(t, s, 1<<wire)
	}
	var r scan.Reading
	if n := testing.AllocsPerRun(50, func() {
		magnets.Flip(1 << 12)
		if err := s.Read(&r); err != nil {
			t.Error(err)
		}
	}); n != 0 {
		t.Errorf("a reading allocates %v times", n)
	}
	magnets.Set(Start)
	Reads(t, s, Start)
}

// OneLine fails the test unless there is an error of one line with these words.
func OneLine(t TB, err error, words ...string) {
	t.Helper()
	if err == nil {
		t.Fatalf("no error, want one with %q", words)
	}
	for _, w := range words {
		if !strings.Contains(err.Error(), w) {
			t.Errorf("the error %q does not say %q", err, w)
		}
	}
	if strings.Contains(err.Error(), "\n") {
		t.Errorf("the error has more than one line: %q", err)
	}
}
