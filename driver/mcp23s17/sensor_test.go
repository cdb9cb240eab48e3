package mcp23s17_test

import (
	"fmt"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/conntest"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spitest"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/mcp23s17"
	"github.com/boardd/boardd/driver/scan"
)

var _ scan.Sensor = (*mcp23s17.Sensor)(nil)

func connect(t *testing.T, p spi.Port) spi.Conn {
	t.Helper()
	c, err := p.Connect(mcp23s17.MaxHz*physic.Hertz, mcp23s17.Mode, 8)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func made(t *testing.T, c spi.Conn, o mcp23s17.Options) *mcp23s17.Sensor {
	t.Helper()
	if o.Addresses == nil {
		o.Addresses = []uint16{0x20, 0x21, 0x22, 0x25}
	}
	s, err := mcp23s17.New(c, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func newBench(t *testing.T, o mcp23s17.Options) (*mcp23s17.Sensor, *chiptest.SPI, []*chiptest.MCP23S17, *chiptest.Magnets) {
	t.Helper()
	bus, magnets := &chiptest.SPI{}, &chiptest.Magnets{}
	magnets.Set(chiptest.Start)
	var chips []*chiptest.MCP23S17
	for i, address := range []byte{0, 1, 2, 5} {
		c := chiptest.NewMCP23S17(0, address, chiptest.Reeds{Magnets: magnets, First: 16 * i})
		chips = append(chips, c)
		bus.Attach(c)
	}
	return made(t, connect(t, bus.Port(0)), o), bus, chips, magnets
}

func TestBytes(t *testing.T) {
	t.Parallel()
	var ops []conntest.IO
	put := func(w ...byte) { ops = append(ops, conntest.IO{W: w, R: make([]byte, len(w))}) }
	for _, op := range []byte{0x40, 0x48, 0x40, 0x42, 0x44, 0x4A} {
		put(op, 0x05, 0x08)
		put(op, 0x0A, 0x08)
	}
	config := []byte{0xFF, 0xFF, 0, 0, 0, 0, 0, 0, 0, 0, 0x08, 0x08, 0xFF, 0xFF}
	opcodes := []byte{0x40, 0x42, 0x44, 0x4A}
	for _, op := range opcodes {
		put(append([]byte{op, 0x00}, config...)...)
	}
	check := func() {
		for _, op := range opcodes {
			ops = append(ops, conntest.IO{W: append([]byte{op | 1, 0x00}, make([]byte, 14)...), R: append([]byte{0, 0}, config...)})
		}
	}
	check()
	for i, op := range opcodes { // a1 to h2, then a hole at wire 12, then two empty chips
		ports := [][2]byte{{0x00, 0x10}, {0xFF, 0xFF}, {0xFF, 0xFF}, {0x00, 0x00}}[i]
		ops = append(ops, conntest.IO{
			W: append([]byte{op | 1, 0x0A}, make([]byte, 10)...),
			R: []byte{0, 0, 0x08, 0x08, 0xFF, 0xFF, 0, 0, 0, 0, ports[0], ports[1]},
		})
	}
	check()
	p := &spitest.Playback{Playback: conntest.Playback{DontPanic: true, Ops: ops}}
	s := made(t, connect(t, p), mcp23s17.Options{})
	chiptest.Setup(t, s)
	chiptest.Reads(t, s, chiptest.Start&^(1<<12))
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := p.Close(); err != nil {
		t.Error(err)
	}
}

func TestSoundAndCost(t *testing.T) { // counts allocations, so nothing may run beside it
	s, bus, _, magnets := newBench(t, mcp23s17.Options{})
	chiptest.Sound(t, s, magnets)
	bus.Counts()
	chiptest.Reads(t, s, chiptest.Start)
	if got, want := bus.Counts(), (chiptest.Counts{Transactions: 4, Bytes: 48}); got != want {
		t.Errorf("a scan is %+v, want %+v", got, want)
	}
	if bus.Fights() > 0 {
		t.Error("two chips drove MISO against each other")
	}
}

func TestRecoversWhateverWasLeft(t *testing.T) {
	t.Parallel()
	for _, old := range []bool{false, true} {
		for _, io := range []byte{0x00, 0x08, 0x20, 0x28, 0x80, 0x88, 0xA8, 0xE8} {
			t.Run(fmt.Sprintf("IOCON %02X, A2 %v", io, old), func(t *testing.T) {
				t.Parallel()
				s, _, chips, _ := newBench(t, mcp23s17.Options{})
				for _, c := range chips {
					c.OldA2 = old
					c.Leave(0x02, 0xFF)
					c.Leave(0x0A, io)
				}
				chiptest.Setup(t, s)
				chiptest.Reads(t, s, chiptest.Start)
			})
		}
	}
}

func TestPowerLossIsFoundAndMended(t *testing.T) {
	t.Parallel()
	for _, idle := range []byte{0x00, 0xFF} {
		t.Run(fmt.Sprintf("MISO idles at %02X", idle), func(t *testing.T) {
			t.Parallel()
			s, bus, chips, _ := newBench(t, mcp23s17.Options{})
			bus.Idle(idle)
			chiptest.Setup(t, s)
			chiptest.Reads(t, s, chiptest.Start)
			var r scan.Reading
			chips[2].Off()
			chiptest.OneLine(t, s.Read(&r), "MCP23S17 at 0x22", "supply")
			chiptest.OneLine(t, s.Check(), "MCP23S17 at 0x22")
			chiptest.OneLine(t, s.Setup(), "MCP23S17 at 0x22")
			chips[2].On()
			chiptest.OneLine(t, s.Read(&r), "MCP23S17 at 0x2") // it answers for the chip at 0, or not at all
			chiptest.Setup(t, s)
			chiptest.Reads(t, s, chiptest.Start)
		})
	}
}

func TestErrorsOfThePort(t *testing.T) {
	t.Parallel()
	s, bus, _, _ := newBench(t, mcp23s17.Options{})
	chiptest.Setup(t, s)
	var r scan.Reading
	bus.Fail(nil, syscall.EIO)
	chiptest.OneLine(t, s.Read(&r), "MCP23S17 at 0x21", "input/output error")
	chiptest.Reads(t, s, chiptest.Start)
	bus.Fail(syscall.EIO)
	chiptest.OneLine(t, s.Setup(), "MCP23S17 at 0x20")
	bus.Fail(syscall.EIO)
	chiptest.OneLine(t, s.Check(), "MCP23S17 at 0x20")
}

func TestPushPullSensors(t *testing.T) {
	t.Parallel()
	bus, magnets := &chiptest.SPI{}, &chiptest.Magnets{}
	magnets.Set(0x8001)
	o := mcp23s17.Options{Addresses: []uint16{0x27, 0x26, 0x25, 0x24}, ActiveHigh: true, NoPullUps: true}
	for i, a := range o.Addresses {
		bus.Attach(chiptest.NewMCP23S17(0, byte(a&7), chiptest.Halls{Magnets: magnets, First: 16 * i}))
	}
	port := bus.Port(0)
	s := made(t, connect(t, port), o)
	chiptest.Setup(t, s)
	chiptest.Reads(t, s, 0x8001)
	if err := s.Close(); err != nil || !port.Closed() {
		t.Errorf("closes with %v, port closed: %v", err, port.Closed())
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	c := (&chiptest.SPI{}).Port(0)
	for says, addresses := range map[string][]uint16{
		"wants 4 devices, not 1":    {0x20},
		"two have the address 0x21": {0x20, 0x21, 0x22, 0x21},
		"0x28":                      {0x20, 0x21, 0x22, 0x28},
	} {
		_, err := mcp23s17.New(c, mcp23s17.Options{Addresses: addresses})
		chiptest.OneLine(t, err, "MCP23S17", says)
	}
	_, err := mcp23s17.New(nil, mcp23s17.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}})
	chiptest.OneLine(t, err, "no SPI port")
}
