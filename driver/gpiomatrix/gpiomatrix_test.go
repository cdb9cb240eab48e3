package gpiomatrix

import (
	"errors"
	"fmt"
	"slices"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/scan"
)

const us = time.Microsecond

// bench is a matrix with the lines of a Pi. Each call of the system takes some microseconds.
type bench struct {
	magnets chiptest.Magnets
	matrix  chiptest.Matrix
	clock   chiptest.Clock
	drive   chiptest.Outputs
	sense   chiptest.Inputs
	calls   []string
}

func newBench() *bench {
	b := &bench{}
	b.matrix = chiptest.Matrix{Magnets: &b.magnets, Clock: &b.clock}
	b.drive.OnSet = func(active uint64) error {
		b.clock.Wait(2 * us)
		b.calls = append(b.calls, fmt.Sprintf("set %02x", active))
		b.matrix.Rows(uint8(active), chiptest.Float)
		return nil
	}
	b.sense.OnGet = func() (uint64, error) {
		b.clock.Wait(2 * us)
		b.calls = append(b.calls, "get")
		return uint64(b.matrix.Columns()), nil
	}
	return b
}

func (b *bench) sensor(o Options) *Sensor {
	o.Wait = func(d time.Duration) {
		b.calls = append(b.calls, d.String())
		b.clock.Wait(d)
	}
	return New(&b.drive, &b.sense, o)
}

func (b *bench) read(t rapid.TB, s *Sensor) uint64 {
	t.Helper()
	r := scan.Reading{Bits: 0xDEAD}
	if err := s.Read(&r); err != nil {
		t.Fatal(err)
	}
	return r.Bits
}

func TestLinesAreDrivenOneAtATime(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		o    Options
		want []string
	}{
		{"plain", Options{}, []string{"set 01", "50µs", "get", "set 02", "50µs", "get", "set 04", "50µs", "get", "set 08", "50µs", "get",
			"set 10", "50µs", "get", "set 20", "50µs", "get", "set 40", "50µs", "get", "set 80", "50µs", "get", "set 00"}},
		{"let go between", Options{Settle: 5 * us, Release: 9 * us}, []string{"set 01", "5µs", "get", "set 00", "9µs", "set 02", "5µs", "get",
			"set 00", "9µs", "set 04", "5µs", "get", "set 00", "9µs", "set 08", "5µs", "get", "set 00", "9µs", "set 10", "5µs", "get",
			"set 00", "9µs", "set 20", "5µs", "get", "set 00", "9µs", "set 40", "5µs", "get", "set 00", "9µs", "set 80", "5µs", "get", "set 00"}},
	} {
		b := newBench()
		s := b.sensor(test.o)
		if err := s.Setup(); err != nil || !slices.Equal(b.calls, []string{"set 00"}) {
			t.Errorf("%s: setup: %v %v", test.name, b.calls, err)
		}
		b.calls = nil
		b.read(t, s)
		if !slices.Equal(b.calls, test.want) {
			t.Errorf("%s:\n%v, want\n%v", test.name, b.calls, test.want)
		}
	}
}

// TestWithDiodesEveryContactIsRead: whatever is closed, with a diode a square the reading is exactly that.
func TestWithDiodesEveryContactIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		b := newBench()
		b.matrix.Tau = time.Duration(rapid.IntRange(0, 40).Draw(t, "tau")) * us
		closed := rapid.Uint64().Draw(t, "closed")
		b.magnets.Set(closed)
		if got := b.read(t, b.sensor(Options{})); got != closed {
			t.Fatalf("%016x, want %016x", got, closed)
		}
		s := b.sensor(Options{Swap: true}) // the same lines, numbered the other way
		var turned uint64
		for w := range 64 {
			turned |= closed >> w & 1 << (w%8*8 + w/8)
		}
		if got := b.read(t, s); got != turned {
			t.Fatalf("swapped: %016x, want %016x", got, turned)
		}
	})
}

// TestWithoutDiodes: three corners of a rectangle show the fourth.
func TestWithoutDiodes(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.matrix.NoDiodes = true
	s := b.sensor(Options{})
	const a1, b1, a2, b2 = 1 << 0, 1 << 1, 1 << 8, 1 << 9
	for closed, want := range map[uint64]uint64{a1: a1, a1 | b1: a1 | b1, a1 | b2: a1 | b2, a1 | b1 | a2: a1 | b1 | a2 | b2} {
		b.magnets.Set(closed)
		if got := b.read(t, s); got != want {
			t.Errorf("%x reads %x, want %x", closed, got, want)
		}
	}
	if n := b.matrix.Shorts(); n != 0 {
		t.Errorf("%d shorts: idle lines were driven", n)
	}
}

func TestReversedDiodesAreReadWithSwap(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.matrix.Reversed = true
	b.magnets.Set(0xFFFF00000000FFFF)
	if got := b.read(t, b.sensor(Options{})); got != 0 {
		t.Errorf("%x through diodes that block", got)
	}
}

// TestColumnsNeedTimeToRecover: with long wires the row before shows through unless the wait is long enough.
func TestColumnsNeedTimeToRecover(t *testing.T) {
	t.Parallel()
	b := newBench()
	b.matrix.Tau = 100 * us
	b.magnets.Set(0xFF)
	if got := b.read(t, b.sensor(Options{})); got == 0xFF {
		t.Error("50 µs are enough for wires that need 100")
	}
	for _, o := range []Options{{Settle: 110 * us}, {Release: 80 * us}} {
		b.clock.Wait(time.Second)
		if got := b.read(t, b.sensor(o)); got != 0xFF {
			t.Errorf("%+v: %x", o, got)
		}
	}
}

func TestErrorsOfLines(t *testing.T) {
	t.Parallel()
	broken := errors.New("no such device")
	b := newBench()
	s := b.sensor(Options{})
	good := b.sense.OnGet
	b.sense.OnGet = func() (uint64, error) { return 0xFF, broken }
	if err := s.Read(new(scan.Reading)); !errors.Is(err, broken) {
		t.Error(err)
	}
	b.sense.OnGet = good
	n := 0
	set := b.drive.OnSet
	b.drive.OnSet = func(a uint64) error {
		if n++; n == 3 {
			return broken
		}
		return set(a)
	}
	if err := s.Read(new(scan.Reading)); !errors.Is(err, broken) {
		t.Error(err)
	}
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil || !b.drive.Closed || !b.sense.Closed {
		t.Error("lines stay open", err)
	}
}

func TestWaitIsNeverTooShort(t *testing.T) {
	t.Parallel()
	for _, d := range []time.Duration{0, 20 * us, 50 * us, 200 * us} {
		began := time.Now()
		if wait(d); time.Since(began) < d {
			t.Errorf("%v was over after %v", d, time.Since(began))
		}
	}
}
