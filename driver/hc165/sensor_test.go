package hc165_test

import (
	"errors"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/conntest"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spitest"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/hc165"
	"github.com/boardd/boardd/driver/scan"
)

var _ scan.Sensor = (*hc165.Sensor)(nil)

func connect(t *testing.T, p spi.Port, mode spi.Mode) spi.Conn {
	t.Helper()
	c, err := p.Connect(hc165.MaxHz*physic.Hertz, mode, 8)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type bench struct {
	*hc165.Sensor
	bus     chiptest.SPI
	chain   *chiptest.HC165
	load    *chiptest.Outputs
	magnets chiptest.Magnets
	port    *chiptest.Port
}

// newBench is a chain loaded by a pin.
func newBench(t *testing.T, loop bool, mode spi.Mode) *bench {
	t.Helper()
	b := &bench{}
	b.magnets.Set(chiptest.Start)
	b.chain = &chiptest.HC165{Magnets: &b.magnets, LoadCS: -1, Loop: loop}
	b.bus.Attach(b.chain)
	b.load = &chiptest.Outputs{OnSet: b.chain.Load}
	b.port = b.bus.Port(0)
	var err error
	if b.Sensor, err = hc165.New(connect(t, b.port, mode), hc165.Options{Load: b.load, Loop: loop}); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBytes(t *testing.T) {
	t.Parallel()
	zeros := make([]byte, 6)
	w := append([]byte{0xA5, 0x1E}, zeros...)
	for name, c := range map[string]struct {
		loop bool
		ops  []conntest.IO
		want uint64
	}{
		// The chip next to MISO has rank 1, D4 of the second is open.
		"plain": {false, []conntest.IO{{W: w, R: make([]byte, 8)}, {W: w, R: []byte{0x00, 0x10, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00}}}, chiptest.Start &^ (1 << 12)},
		"loop": {true, []conntest.IO{
			{W: append(w, 0, 0), R: append(make([]byte, 8), 0xA5, 0x1E)},
			{W: append(w, 0, 0), R: append([]byte{0xFE}, append(make([]byte, 7), 0xA5, 0x1E)...)},
		}, ^uint64(0xFE)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := &spitest.Playback{Playback: conntest.Playback{DontPanic: true, Ops: c.ops}}
			var pulses []uint64
			load := &chiptest.Outputs{OnSet: func(active uint64) error { pulses = append(pulses, active); return nil }}
			s, err := hc165.New(connect(t, p, hc165.Mode), hc165.Options{Load: load, Loop: c.loop})
			if err != nil {
				t.Fatal(err)
			}
			chiptest.Setup(t, s)
			chiptest.Reads(t, s, c.want)
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if len(pulses) != 4 || pulses[0] != 1 || pulses[1] != 0 || pulses[3] != 0 {
				t.Errorf("load pulses %v", pulses)
			}
		})
	}
}

func TestSoundAndCost(t *testing.T) { // counts allocations, so nothing may run beside it
	for _, loop := range []bool{false, true} {
		b := newBench(t, loop, hc165.Mode)
		chiptest.Sound(t, b.Sensor, &b.magnets)
		b.bus.Counts()
		chiptest.Reads(t, b, chiptest.Start)
		want := chiptest.Counts{Transactions: 1, Bytes: 8}
		if loop {
			want.Bytes = 10
		}
		if got := b.bus.Counts(); got != want {
			t.Errorf("a scan is %+v, want %+v", got, want)
		}
	}
}

// The mode matters: in mode 1 the Pi would read after the chips have shifted.
func TestModes(t *testing.T) {
	t.Parallel()
	for mode, right := range map[spi.Mode]bool{spi.Mode0: true, spi.Mode1: false, spi.Mode2: true, spi.Mode3: true} {
		b := newBench(t, false, mode)
		b.magnets.Set(1 << 20)
		var r scan.Reading
		if err := b.Read(&r); err != nil {
			t.Fatal(err)
		}
		if (r.Bits == 1<<20) != right {
			t.Errorf("%v reads %016x", mode, r.Bits)
		}
	}
}

func TestLoadedBySecondSelectLine(t *testing.T) {
	t.Parallel()
	var bus chiptest.SPI
	var magnets chiptest.Magnets
	chain := &chiptest.HC165{Magnets: &magnets, LoadCS: 0}
	bus.Attach(chain)
	first, second := bus.Port(0), bus.Port(1)
	s, err := hc165.New(connect(t, second, hc165.Mode), hc165.Options{LoadPort: connect(t, first, hc165.Mode)})
	if err != nil {
		t.Fatal(err)
	}
	chiptest.Setup(t, s)
	for wire := range 64 {
		magnets.Set(1 << wire)
		chiptest.Reads(t, s, 1<<wire)
	}
	bus.Fail(syscall.EIO)
	var r scan.Reading
	chiptest.OneLine(t, s.Read(&r), "74HC165: loading", "input/output error")
	if err := s.Close(); err != nil || !first.Closed() || !second.Closed() {
		t.Errorf("closes with %v, ports closed: %v %v", err, first.Closed(), second.Closed())
	}
}

// A chain that is looped never passes off a supply that is gone, or a wire that is off, as pieces.
func TestLoopFindsABrokenChain(t *testing.T) {
	t.Parallel()
	for _, idle := range []byte{0x00, 0xFF} {
		b := newBench(t, true, hc165.Mode)
		b.bus.Idle(idle)
		chiptest.Setup(t, b)
		var r scan.Reading
		b.chain.Off()
		chiptest.OneLine(t, b.Read(&r), "74HC165", "supply")
		chiptest.OneLine(t, b.Check(), "74HC165", "supply")
		b.chain.On()
		chiptest.Setup(t, b)
		chiptest.Reads(t, b, chiptest.Start)
		for n := 1; n < 8; n++ {
			b.chain.Broken = n
			chiptest.OneLine(t, b.Read(&r), "74HC165", "chain")
		}
		b.chain.Broken = 0
		chiptest.Reads(t, b, chiptest.Start)
	}
}

func TestErrorsOfPortAndPin(t *testing.T) {
	t.Parallel()
	b := newBench(t, false, hc165.Mode)
	chiptest.Setup(t, b)
	var r scan.Reading
	b.bus.Fail(syscall.EIO)
	chiptest.OneLine(t, b.Read(&r), "74HC165", "input/output error")
	chiptest.Reads(t, b, chiptest.Start)
	for _, at := range []uint64{1, 0} {
		b.load.OnSet = func(active uint64) error {
			if active == at {
				return errors.New("line is gone")
			}
			return nil
		}
		chiptest.OneLine(t, b.Read(&r), "74HC165: loading", "line is gone")
		chiptest.OneLine(t, b.Setup(), "74HC165: loading", "line is gone")
	}
	if err := b.Close(); err != nil || !b.load.Closed || !b.port.Closed() {
		t.Errorf("closes with %v, line closed: %v, port closed: %v", err, b.load.Closed, b.port.Closed())
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	c := (&chiptest.SPI{}).Port(0)
	load := &chiptest.Outputs{}
	_, err := hc165.New(nil, hc165.Options{Load: load})
	chiptest.OneLine(t, err, "no SPI port")
	_, err = hc165.New(c, hc165.Options{})
	chiptest.OneLine(t, err, "one of the two")
	_, err = hc165.New(c, hc165.Options{Load: load, LoadPort: c})
	chiptest.OneLine(t, err, "one of the two")
}
