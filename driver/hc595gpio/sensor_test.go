package hc595gpio_test

import (
	"errors"
	"fmt"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/conntest"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spitest"
	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/hc595gpio"
	"github.com/boardd/boardd/driver/scan"
)

var _ scan.Sensor = (*hc595gpio.Sensor)(nil)

func connect(t *testing.T, p spi.Port) spi.Conn {
	t.Helper()
	c, err := p.Connect(hc595gpio.MaxHz*physic.Hertz, hc595gpio.Mode, 8)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

type bench struct {
	*hc595gpio.Sensor
	bus      chiptest.SPI
	clock    chiptest.Clock
	magnets  chiptest.Magnets
	matrix   chiptest.Matrix
	register *chiptest.HC595
	columns  *chiptest.Inputs
	port     *chiptest.Port
}

const tau = 100 * time.Microsecond

// newBench is a matrix of contacts, or with high rows one of Hall sensors whose rows get their supply in turn.
func newBench(t *testing.T, o hc595gpio.Options) *bench {
	t.Helper()
	b := &bench{}
	b.magnets.Set(chiptest.Start)
	b.matrix.Magnets, b.matrix.Clock, b.matrix.Tau = &b.magnets, &b.clock, tau
	b.register = &chiptest.HC595{ReadBack: o.ReadBack, Outputs: func(rows byte) {
		if o.RowsHigh { // the transistors turn a high row into sensors that pull columns low
			b.matrix.Rows(rows, chiptest.Float)
		} else {
			b.matrix.Rows(^rows, chiptest.High)
		}
	}}
	b.bus.Attach(b.register)
	b.columns = &chiptest.Inputs{OnGet: func() (uint64, error) { return uint64(b.matrix.Columns()), nil }}
	o.Columns = b.columns
	if o.Wait == nil {
		o.Wait = b.clock.Wait
	}
	b.port = b.bus.Port(0)
	var err error
	if b.Sensor, err = hc595gpio.New(connect(t, b.port), o); err != nil {
		t.Fatal(err)
	}
	return b
}

func TestBytes(t *testing.T) {
	t.Parallel()
	for _, high := range []bool{false, true} {
		t.Run(fmt.Sprint("rows high ", high), func(t *testing.T) {
			t.Parallel()
			sent := []byte{0xFF, 0xFE, 0xFF, 0xFE, 0xFF} // set-up and its check
			scanned := []byte{0xFE, 0xFD, 0xFB, 0xF7, 0xEF, 0xDF, 0xBF, 0x7F, 0xFF}
			sent = append(append(sent, scanned...), 0xFE, 0xFF, 0xFE, 0xFF)
			var ops []conntest.IO
			last := byte(0xA7)
			for _, b := range sent {
				if high {
					b = ^b
				}
				ops = append(ops, conntest.IO{W: []byte{b}, R: []byte{last}})
				last = b
			}
			p := &spitest.Playback{Playback: conntest.Playback{DontPanic: true, Ops: ops}}
			n, waits := 0, 0
			columns := &chiptest.Inputs{OnGet: func() (uint64, error) { n++; return 1 << (n - 1), nil }}
			s, err := hc595gpio.New(connect(t, p), hc595gpio.Options{Columns: columns, RowsHigh: high, ReadBack: true,
				Settle: 30 * time.Microsecond, Wait: func(d time.Duration) {
					if waits++; d != 30*time.Microsecond {
						t.Errorf("waits %v", d)
					}
				}})
			if err != nil {
				t.Fatal(err)
			}
			chiptest.Setup(t, s)
			chiptest.Reads(t, s, 0x8040_2010_0804_0201)
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			if err := p.Close(); err != nil {
				t.Error(err)
			}
			if waits != 8 || !s.Traits().Matrix {
				t.Errorf("waits %d times for eight rows, traits %+v", waits, s.Traits())
			}
		})
	}
}

func TestSoundAndCost(t *testing.T) { // counts allocations, so nothing may run beside it
	for _, o := range []hc595gpio.Options{{}, {RowsHigh: true}, {ReadBack: true}} {
		o.Settle = tau
		b := newBench(t, o)
		chiptest.Sound(t, b.Sensor, &b.magnets)
		b.bus.Counts()
		chiptest.Reads(t, b, chiptest.Start)
		if got, want := b.bus.Counts(), (chiptest.Counts{Transactions: 9, Bytes: 9}); got != want {
			t.Errorf("a scan is %+v, want %+v", got, want)
		}
		if b.matrix.Shorts() > 0 {
			t.Error("with diodes no row can meet another")
		}
	}
}

func TestTooShortASettleShowsTheRowBefore(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		b := newBench(t, hc595gpio.Options{Settle: tau / 2})
		row := rapid.IntRange(0, 6).Draw(rt, "row")
		b.magnets.Set(1 << (8 * row))
		chiptest.Setup(t, b)
		b.clock.Wait(time.Second)
		chiptest.Reads(rt, b, 1<<(8*row)|1<<(8*row+8))
	})
}

func TestWithoutDiodesRowsShort(t *testing.T) {
	t.Parallel()
	b := newBench(t, hc595gpio.Options{Settle: tau})
	b.matrix.NoDiodes = true
	chiptest.Setup(t, b)
	var r scan.Reading
	if err := b.Read(&r); err != nil {
		t.Fatal(err)
	}
	if b.matrix.Shorts() == 0 {
		t.Error("the simulation lets a high row meet a low one")
	}
}

func TestReadBackFindsALostRegister(t *testing.T) {
	t.Parallel()
	for _, idle := range []byte{0x00, 0xFF} {
		b := newBench(t, hc595gpio.Options{Settle: tau, ReadBack: true})
		b.bus.Idle(idle)
		chiptest.Setup(t, b)
		var r scan.Reading
		b.register.Off()
		chiptest.OneLine(t, b.Read(&r), "74HC595", "supply")
		chiptest.OneLine(t, b.Check(), "74HC595", "supply")
		chiptest.OneLine(t, b.Setup(), "74HC595", "supply")
		b.register.On()
		chiptest.Setup(t, b)
		b.register.Off()
		b.register.On() // between two scans
		chiptest.OneLine(t, b.Read(&r), "74HC595", "a7")
		chiptest.Setup(t, b)
		chiptest.Reads(t, b, chiptest.Start)
	}
}

func TestErrors(t *testing.T) {
	t.Parallel()
	b := newBench(t, hc595gpio.Options{Settle: tau})
	chiptest.Setup(t, b)
	var r scan.Reading
	b.bus.Fail(nil, nil, syscall.EIO)
	chiptest.OneLine(t, b.Read(&r), "74HC595", "input/output error")
	b.bus.Fail(syscall.EIO)
	chiptest.OneLine(t, b.Setup(), "74HC595")
	b.columns.OnGet = func() (uint64, error) { return 0, errors.New("line is gone") }
	chiptest.OneLine(t, b.Read(&r), "74HC595: columns: line is gone")
	if err := b.Close(); err != nil || !b.columns.Closed || !b.port.Closed() {
		t.Errorf("closes with %v", err)
	}
	for says, o := range map[string]hc595gpio.Options{"no columns": {}, "settle": {Columns: b.columns, Settle: -1}} {
		_, err := hc595gpio.New(b.port, o)
		chiptest.OneLine(t, err, says)
	}
	_, err := hc595gpio.New(nil, hc595gpio.Options{Columns: b.columns})
	chiptest.OneLine(t, err, "no SPI port")
}
