package chiptest_test

import (
	"bytes"
	"errors"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/chiptest"
)

// These tests hold the simulated chips against what their data sheets say, byte by byte: a driver that is tested with them is
// only as right as they are.

// talk is one transaction and what is expected to be read.
type talk struct{ w, r []byte }

func speak(t *testing.T, bus *chiptest.I2C, addr uint16, talks ...talk) {
	t.Helper()
	for i, x := range talks {
		got := make([]byte, len(x.r))
		if err := bus.Tx(addr, x.w, got); err != nil || !bytes.Equal(got, x.r) {
			t.Errorf("transaction %d, %x: reads %x, %v, want %x", i, x.w, got, err, x.r)
		}
	}
}

func TestMCP23017(t *testing.T) {
	t.Parallel()
	for name, talks := range map[string][]talk{
		"after power-on":              {{[]byte{0x00}, []byte{0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0}}},
		"pull-ups and polarity":       {{[]byte{0x0C, 0xFF, 0xFF}, nil}, {[]byte{0x12}, []byte{0xFE, 0x7F}}, {[]byte{0x02, 0x0F, 0xF0}, nil}, {[]byte{0x12}, []byte{0xF1, 0x8F}}},
		"outputs are the latch":       {{[]byte{0x00, 0x00, 0x00}, nil}, {[]byte{0x12, 0xA5, 0x5A}, nil}, {[]byte{0x12}, []byte{0xA5, 0x5A, 0xA5, 0x5A}}},
		"IOCON has two addresses":     {{[]byte{0x0B, 0x46}, nil}, {[]byte{0x0A}, []byte{0x46, 0x46}}},
		"the pointer goes round":      {{[]byte{0x15, 0x33, 0x0F}, nil}, {[]byte{0x15}, []byte{0x33, 0x0F, 0xFF}}},
		"SEQOP: to and fro in a pair": {{[]byte{0x0A, 0x20}, nil}, {[]byte{0x0C, 0xFF, 0xFF, 0xFF}, nil}, {[]byte{0x12}, []byte{0xFE, 0x7F, 0xFE}}},
		"BANK: port A from 00 on, port B from 10 on": {{[]byte{0x0A, 0x80}, nil}, {[]byte{0x06, 0xF0}, nil}, {[]byte{0x16, 0x0F}, nil},
			{[]byte{0x05}, []byte{0x80, 0xF0}}, {[]byte{0x15}, []byte{0x80, 0x0F}}, {[]byte{0x05, 0x00}, nil}, {[]byte{0x0C}, []byte{0xF0, 0x0F}}},
		"flags cannot be written": {{[]byte{0x0E, 0xFF, 0xFF, 0xFF, 0xFF}, nil}, {[]byte{0x0E}, []byte{0, 0, 0, 0}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var magnets chiptest.Magnets
			magnets.Set(0x8001)
			var bus chiptest.I2C
			bus.Attach(0x20, chiptest.NewMCP23017(chiptest.Reeds{Magnets: &magnets}))
			speak(t, &bus, 0x20, talks...)
		})
	}
}

func TestMCP23017Interrupts(t *testing.T) {
	t.Parallel()
	var magnets chiptest.Magnets
	var bus chiptest.I2C
	c := chiptest.NewMCP23017(chiptest.Reeds{Magnets: &magnets})
	bus.Attach(0x20, c)
	speak(t, &bus, 0x20, talk{[]byte{0x0C, 0xFF, 0xFF}, nil}, talk{[]byte{0x12}, []byte{0xFF, 0xFF}}, talk{[]byte{0x04, 0xFF, 0xFF}, nil})
	magnets.Set(1 << 8)
	c.Watch()
	magnets.Set(1<<8 | 1<<9) // the flag and the capture stay those of the first change
	c.Watch()
	if !c.Interrupt() {
		t.Error("no interrupt")
	}
	speak(t, &bus, 0x20, talk{[]byte{0x0E}, []byte{0x00, 0x01, 0x00, 0xFE, 0xFF, 0xFC, 0, 0}})
	if c.Interrupt() {
		t.Error("reading the port does not end the interrupt")
	}
	magnets.Set(0)
	if c.Watch(); !c.Interrupt() {
		t.Error("a release does not interrupt")
	}
}

func TestSmallExpanders(t *testing.T) {
	t.Parallel()
	var magnets chiptest.Magnets
	magnets.Set(0x8001)
	var bus chiptest.I2C
	bus.Attach(0x21, chiptest.NewPCA9555(chiptest.Reeds{Magnets: &magnets}, true))
	bus.Attach(0x38, chiptest.NewPCF8574(chiptest.Reeds{Magnets: &magnets}, false))
	bus.Attach(0x22, chiptest.NewPCF8574(chiptest.Reeds{Magnets: &magnets}, true))
	speak(t, &bus, 0x21, talk{[]byte{2}, []byte{0xFF, 0xFF}}, talk{[]byte{6}, []byte{0xFF, 0xFF}}, talk{[]byte{4}, []byte{0, 0}},
		talk{[]byte{0}, []byte{0xFE, 0x7F, 0xFE}}, talk{[]byte{5, 0xFF}, nil}, talk{[]byte{1}, []byte{0x80, 0xFE}})
	speak(t, &bus, 0x38, talk{nil, []byte{0xFE, 0xFE}}, talk{[]byte{0xF0}, nil}, talk{nil, []byte{0xF0}})
	speak(t, &bus, 0x22, talk{nil, []byte{0xFE, 0x7F, 0xFE}}, talk{[]byte{0xFF, 0x0F}, nil}, talk{nil, []byte{0xFE, 0x0F}})
}

func TestTCA9548A(t *testing.T) {
	t.Parallel()
	var bus chiptest.I2C
	var sw chiptest.TCA9548A
	bus.Attach(0x70, &sw)
	var magnets [2]chiptest.Magnets
	for i := range magnets {
		magnets[i].Set(1 << i)
		sw.Attach(i, 0x38, chiptest.NewPCF8574(chiptest.Reeds{Magnets: &magnets[i]}, false))
	}
	if err := bus.Tx(0x38, nil, make([]byte, 1)); !errors.Is(err, syscall.EREMOTEIO) {
		t.Errorf("after power-on no channel is open: %v", err)
	}
	speak(t, &bus, 0x70, talk{[]byte{2}, []byte{2}})
	speak(t, &bus, 0x38, talk{nil, []byte{0xFD}})
	speak(t, &bus, 0x70, talk{[]byte{3}, []byte{3}})
	speak(t, &bus, 0x38, talk{nil, []byte{0xFC}}) // both answer; a 0 of any is a 0
}

func TestSPIChips(t *testing.T) {
	t.Parallel()
	var magnets chiptest.Magnets
	magnets.Set(chiptest.Start ^ 1<<9)
	var bus chiptest.SPI
	chain := &chiptest.HC165{Magnets: &magnets, LoadCS: -1}
	bus.Attach(chain)
	if err := errors.Join(chain.Load(1), chain.Load(0)); err != nil {
		t.Fatal(err)
	}
	magnets.Set(0) // too late
	exchange(t, bus.Port(0), spi.Mode2, make([]byte, 9), []byte{0x00, 0x02, 0xFF, 0xFF, 0xFF, 0xFF, 0x00, 0x00, 0x00})

	var other chiptest.SPI
	other.Attach(&chiptest.MCP3008{CS: 1, Reference: 3_300_000, Input: func(n int) int32 { return 1_819_000 * int32(n/5) }})
	other.Idle(0xFF)
	exchange(t, other.Port(1), spi.Mode0, []byte{0x01, 0xD0, 0x00}, []byte{0xFF, 0xFA, 0x34})
	exchange(t, other.Port(1), spi.Mode3, []byte{0x01, 0x80, 0x00}, []byte{0xFF, 0xF8, 0x00})
	exchange(t, other.Port(0), spi.Mode0, []byte{0x01, 0xD0, 0x00}, []byte{0xFF, 0xFF, 0xFF}) // not selected
}

func exchange(t *testing.T, p *chiptest.Port, mode spi.Mode, w, want []byte) {
	t.Helper()
	c, err := p.Connect(physic.MegaHertz, mode, 8)
	if err != nil {
		t.Fatal(err)
	}
	r := make([]byte, len(w))
	if err := c.Tx(w, r); err != nil || !bytes.Equal(r, want) {
		t.Errorf("%x: reads %x, %v, want %x", w, r, err, want)
	}
}

func TestADS1115(t *testing.T) {
	t.Parallel()
	var clock chiptest.Clock
	bus := chiptest.I2C{Clock: &clock}
	bus.Attach(0x48, chiptest.NewADS1115(&clock, func(n int) int32 { return 1_000_000 * int32(n+1) }))
	speak(t, &bus, 0x48, talk{[]byte{1}, []byte{0x85, 0x83}}, talk{[]byte{1, 0xD3, 0xE3}, nil}, talk{[]byte{1}, []byte{0x53, 0xE3}})
	clock.Wait(1300 * time.Microsecond)
	speak(t, &bus, 0x48, talk{[]byte{1}, []byte{0xD3, 0xE3}}, talk{[]byte{0}, []byte{0x3E, 0x80}}) // 2 V is 16000 steps
}

// Without diodes 1. e4 shows the whole of rank 4, and e2 as if nobody had lifted it.
func TestMatrixGhosts(t *testing.T) {
	t.Parallel()
	for _, noDiodes := range []bool{false, true} {
		var magnets chiptest.Magnets
		magnets.Set(chiptest.Start ^ 1<<12 ^ 1<<28)
		m := chiptest.Matrix{Magnets: &magnets, NoDiodes: noDiodes}
		want := [8]uint8{0xFF, 0xEF, 0, 0x10, 0, 0, 0xFF, 0xFF}
		if noDiodes {
			want[1], want[3] = 0xFF, 0xFF
		}
		for row := range want {
			m.Rows(1<<row, chiptest.Float)
			if got := m.Columns(); got != want[row] {
				t.Errorf("without diodes: %v: row %d reads %08b, want %08b", noDiodes, row, got, want[row])
			}
		}
		if m.Shorts() != 0 {
			t.Error("rows that are let go cannot short")
		}
		m.Rows(1, chiptest.High)
		if (m.Shorts() > 0) != noDiodes {
			t.Errorf("without diodes: %v: %d shorts with rows that are driven high", noDiodes, m.Shorts())
		}
	}
	var magnets chiptest.Magnets
	magnets.Set(1)
	m := chiptest.Matrix{Magnets: &magnets, Reversed: true}
	if m.Rows(1, chiptest.Float); m.Columns() != 0 {
		t.Error("diodes the wrong way round let current through")
	}
}
