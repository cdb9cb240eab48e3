package muxgpio_test

import (
	"errors"
	"fmt"
	"math/bits"
	"slices"
	"testing"
	"time"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/muxgpio"
	"github.com/boardd/boardd/driver/scan"
)

var _ scan.Sensor = (*muxgpio.Sensor)(nil)

const tau = 20 * time.Microsecond

type bench struct {
	*muxgpio.Sensor
	clock   chiptest.Clock
	magnets chiptest.Magnets
	mux     chiptest.Mux
	address *chiptest.Outputs
	commons *chiptest.Inputs
}

func newBench(t *testing.T, switches int, settle time.Duration) *bench {
	t.Helper()
	b := &bench{}
	b.magnets.Set(chiptest.Start)
	b.mux.Clock, b.mux.Tau = &b.clock, tau
	b.address = &chiptest.Outputs{OnSet: b.mux.SetAddress}
	b.commons = &chiptest.Inputs{OnGet: b.mux.Commons(&b.magnets, 64/switches)}
	var err error
	b.Sensor, err = muxgpio.New(muxgpio.Options{Address: b.address, Commons: b.commons, Switches: switches, Settle: settle, Wait: b.clock.Wait})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func TestSound(t *testing.T) { // counts allocations, so nothing may run beside it
	for _, switches := range []int{4, 8} {
		b := newBench(t, switches, tau)
		chiptest.Sound(t, b.Sensor, &b.magnets)
		if b.mux.MostLines() != 1 {
			t.Errorf("%d switches: %d address lines change at once", switches, b.mux.MostLines())
		}
		if b.Traits() != (scan.Traits{}) {
			t.Errorf("traits %+v", b.Traits())
		}
	}
}

// The levels of the lines, one after the other.
func TestLevels(t *testing.T) {
	t.Parallel()
	for switches, want := range map[int][]uint64{
		8: {0, 1, 3, 2, 6, 7, 5, 4},
		4: {0, 1, 3, 2, 6, 7, 5, 4, 12, 13, 15, 14, 10, 11, 9, 8},
	} {
		var got []uint64
		var waited time.Duration
		address := &chiptest.Outputs{OnSet: func(a uint64) error { got = append(got, a); return nil }}
		commons := &chiptest.Inputs{OnGet: func() (uint64, error) { return 1 << (got[len(got)-1] % uint64(switches)), nil }}
		s, err := muxgpio.New(muxgpio.Options{Address: address, Commons: commons, Switches: switches, Settle: tau,
			Wait: func(d time.Duration) { waited += d }})
		if err != nil {
			t.Fatal(err)
		}
		chiptest.Setup(t, s)
		got = got[:0]
		var r scan.Reading
		if err := s.Read(&r); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(got, want) || waited != tau*time.Duration(len(want)) {
			t.Errorf("%d switches: addresses %v, waited %v", switches, got, waited)
		}
		for wire := range 64 {
			channels := 64 / switches
			if is, want := r.Bits>>wire&1 != 0, wire%channels%switches == wire/channels; is != want {
				t.Errorf("%d switches: wire %d is %v", switches, wire, is)
			}
		}
	}
}

func TestTooShortASettleShowsTheChannelBefore(t *testing.T) {
	t.Parallel()
	b := newBench(t, 8, tau/2)
	chiptest.Setup(t, b)
	b.magnets.Set(1)
	b.clock.Wait(time.Second)
	chiptest.Reads(t, b, 1|1<<1) // channel 1 comes after 0
}

func TestErrors(t *testing.T) {
	t.Parallel()
	b := newBench(t, 4, 0)
	chiptest.Setup(t, b)
	var r scan.Reading
	get := b.commons.OnGet
	b.commons.OnGet = func() (uint64, error) { return 0, errors.New("line is gone") }
	chiptest.OneLine(t, b.Read(&r), "mux-gpio: common lines: line is gone")
	chiptest.OneLine(t, b.Setup(), "mux-gpio: common lines: line is gone")
	b.commons.OnGet = get
	b.address.OnSet = func(uint64) error { return errors.New("line is gone") }
	chiptest.OneLine(t, b.Read(&r), "mux-gpio: address lines: line is gone")
	chiptest.OneLine(t, b.Check(), "mux-gpio: address lines: line is gone")
	b.address.CloseErr = errors.New("busy")
	if err := b.Close(); !errors.Is(err, b.address.CloseErr) || !b.commons.Closed {
		t.Errorf("closes with %v", err)
	}
	for says, o := range map[string]muxgpio.Options{
		"missing":  {Address: b.address, Switches: 4},
		"not 5":    {Address: b.address, Commons: b.commons, Switches: 5},
		"settle":   {Address: b.address, Commons: b.commons, Switches: 8, Settle: -1},
		"are miss": {Commons: b.commons, Switches: 4},
	} {
		_, err := muxgpio.New(o)
		chiptest.OneLine(t, err, "mux-gpio", says)
	}
}

func TestGray(t *testing.T) {
	t.Parallel()
	for _, n := range []int{8, 16} {
		seen := map[int]bool{}
		for i := range n {
			a := muxgpio.Gray(i)
			seen[a] = true
			if next := muxgpio.Gray((i + 1) % n); a >= n || bits.OnesCount(uint(a^next)) != 1 {
				t.Errorf("of %d: %d is followed by %d", n, a, next)
			}
		}
		if len(seen) != n {
			t.Errorf("of %d: only %d addresses", n, len(seen))
		}
	}
}

func FuzzDecode(f *testing.F) {
	f.Add([]byte{0x81, 0xFF, 0, 0, 0, 0, 0xFF, 0xFF})
	f.Add(fmt.Append(nil, "sixteen channels"))
	f.Fuzz(func(t *testing.T, b []byte) {
		seen := make([]byte, 8)
		if len(b) > 8 {
			seen = make([]byte, 16)
		}
		copy(seen, b)
		got := muxgpio.Decode(seen)
		for wire := range 64 {
			if got>>wire&1 != uint64(seen[wire%len(seen)]>>(wire/len(seen))&1) {
				t.Fatalf("wire %d of %x in %016x", wire, seen, got)
			}
		}
	})
}
