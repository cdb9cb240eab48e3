package mcp23017_test

import (
	"errors"
	"fmt"
	"math/bits"
	"strings"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/i2c/i2ctest"
	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/mcp23017"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

const start = chiptest.Start

var _ scan.Alarm = (*mcp23017.Sensor)(nil)

func four() mcp23017.Options {
	return mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}}
}

// bench is a board on a simulated bus.
type bench struct {
	*mcp23017.Sensor
	bus     *chiptest.I2C
	chips   []*chiptest.MCP23017
	magnets *chiptest.Magnets
}

// newBench builds a board with reeds, n wires a chip.
func newBench(t *testing.T, o mcp23017.Options, n int) *bench {
	t.Helper()
	b := &bench{bus: &chiptest.I2C{}, magnets: &chiptest.Magnets{}}
	b.magnets.Set(start)
	for i, addr := range o.Addresses {
		c := chiptest.NewMCP23017(chiptest.Reeds{Magnets: b.magnets, First: i * n})
		b.chips = append(b.chips, c)
		b.bus.Attach(addr, c)
	}
	b.Sensor = made(t, b.bus, o)
	return b
}

func made(t *testing.T, bus *chiptest.I2C, o mcp23017.Options) *mcp23017.Sensor {
	t.Helper()
	s, err := mcp23017.New(bus, o)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func (b *bench) setup(t *testing.T) {
	t.Helper()
	chiptest.Setup(t, b.Sensor)
}

func (b *bench) reads(t *testing.T, want uint64) {
	t.Helper()
	chiptest.Reads(t, b.Sensor, want)
}

func settings(io, pull, interrupt byte) []byte {
	return []byte{0xFF, 0xFF, 0, 0, interrupt, interrupt, 0, 0, 0, 0, io, io, pull, pull}
}

// whole is what a chip answers when all of it is read.
func whole(config []byte, a, b byte) []byte {
	return append(append([]byte{}, config...), 0, 0, 0, 0, a, b, 0, 0)
}

func TestBytesOfFourChips(t *testing.T) {
	t.Parallel()
	config := settings(0, 0xFF, 0)
	var ops []i2ctest.IO
	for addr := uint16(0x20); addr < 0x24; addr++ {
		ops = append(ops,
			i2ctest.IO{Addr: addr, W: []byte{0x05, 0x00}},
			i2ctest.IO{Addr: addr, W: []byte{0x0A, 0x00}},
			i2ctest.IO{Addr: addr, W: append([]byte{0x00}, config...)})
	}
	check := func() {
		for addr := uint16(0x20); addr < 0x24; addr++ {
			ops = append(ops, i2ctest.IO{Addr: addr, W: []byte{0x00}, R: whole(config, 0, 0)})
		}
	}
	check()
	// First reading: each chip is read twice. Ranks 1, 2, 7 and 8 are closed, which is low.
	for addr, ports := range [][2]byte{{0, 0}, {0xFF, 0xFF}, {0xFF, 0xFF}, {0, 0}} {
		ops = append(ops,
			i2ctest.IO{Addr: 0x20 + uint16(addr), W: []byte{0x12}, R: ports[:]},
			i2ctest.IO{Addr: 0x20 + uint16(addr), W: []byte{0x00}, R: whole(config, ports[0], ports[1])})
	}
	// Nothing new: 5 bytes a chip. Then e2 is lifted, wire 12.
	ops = append(ops,
		i2ctest.IO{Addr: 0x20, W: []byte{0x12}, R: []byte{0x00, 0x00}},
		i2ctest.IO{Addr: 0x21, W: []byte{0x12}, R: []byte{0xFF, 0xFF}},
		i2ctest.IO{Addr: 0x22, W: []byte{0x12}, R: []byte{0xFF, 0xFF}},
		i2ctest.IO{Addr: 0x23, W: []byte{0x12}, R: []byte{0x00, 0x00}},
		i2ctest.IO{Addr: 0x20, W: []byte{0x12}, R: []byte{0x00, 0x10}},
		i2ctest.IO{Addr: 0x20, W: []byte{0x00}, R: whole(config, 0x00, 0x10)},
		i2ctest.IO{Addr: 0x21, W: []byte{0x12}, R: []byte{0xFF, 0xFF}},
		i2ctest.IO{Addr: 0x22, W: []byte{0x12}, R: []byte{0xFF, 0xFF}},
		i2ctest.IO{Addr: 0x23, W: []byte{0x12}, R: []byte{0x00, 0x00}})
	check()
	bus := &i2ctest.Playback{DontPanic: true, Ops: ops}
	s, err := mcp23017.New(bus, four())
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Sensor: s}
	b.setup(t)
	b.reads(t, start)
	b.reads(t, start)
	b.reads(t, start&^(1<<12))
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	if err := s.Close(); err != nil { // closes the bus, which says whether all was played
		t.Error(err)
	}
}

func TestBytesOfPortA(t *testing.T) {
	t.Parallel()
	o := mcp23017.Options{Ports: mcp23017.OnlyA, ActiveHigh: true, NoPullUps: true}
	var ops, checks, reads []i2ctest.IO
	for i := range uint16(8) {
		addr := 0x20 + i
		o.Addresses = append(o.Addresses, addr)
		for _, w := range [][]byte{{5, 0}, {0x0A, 0}, {0, 0xFF}, {2, 0}, {4, 0}, {6, 0}, {8, 0}, {0x0C, 0}} {
			ops = append(ops, i2ctest.IO{Addr: addr, W: w})
		}
		// Port B belongs to somebody else: its registers may hold anything.
		all := []byte{0xFF, 0x00, 0, 0x55, 0, 0, 0, 1, 0, 2, 0, 0, 0, 0x33, 0, 0, 0, 0, 1 << i, 0, 0, 0x81}
		checks = append(checks, i2ctest.IO{Addr: addr, W: []byte{0}, R: all})
		reads = append(reads, i2ctest.IO{Addr: addr, W: []byte{0x12}, R: []byte{1 << i}}, i2ctest.IO{Addr: addr, W: []byte{0}, R: all})
	}
	bus := &i2ctest.Playback{DontPanic: true, Ops: append(append(ops, checks...), reads...)}
	s, err := mcp23017.New(bus, o)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Sensor: s}
	b.setup(t)
	b.reads(t, 0x8040_2010_0804_0201)
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestBytesOfAMatrix(t *testing.T) {
	t.Parallel()
	config := settings(0, 0xFF, 0)
	ops := []i2ctest.IO{
		{Addr: 0x27, W: []byte{0x05, 0}}, {Addr: 0x27, W: []byte{0x0A, 0}}, {Addr: 0x27, W: []byte{0x14, 0}},
		{Addr: 0x27, W: append([]byte{0}, config...)}, {Addr: 0x27, W: []byte{0}, R: whole(config, 0xFF, 0xFF)},
	}
	for scanned := range 2 {
		for row := range 8 {
			columns := ^byte(0x80 >> row)
			drive := ^byte(1 << row)
			ops = append(ops, i2ctest.IO{Addr: 0x27, W: []byte{0x00, drive}}, i2ctest.IO{Addr: 0x27, W: []byte{0x13}, R: []byte{columns}})
			if scanned == 0 {
				driven := whole(config, drive, columns)
				driven[0] = drive
				ops = append(ops, i2ctest.IO{Addr: 0x27, W: []byte{0}, R: driven})
			}
		}
	}
	bus := &i2ctest.Playback{DontPanic: true, Ops: ops}
	waits := 0
	s, err := mcp23017.New(bus, mcp23017.Options{Addresses: []uint16{0x27}, Matrix: true, Settle: 70 * time.Microsecond, Wait: func(d time.Duration) {
		if d != 70*time.Microsecond {
			t.Errorf("waits %v", d)
		}
		waits++
	}})
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Sensor: s}
	b.setup(t)
	b.reads(t, 0x0102_0408_1020_4080)
	b.reads(t, 0x0102_0408_1020_4080)
	if waits != 16 {
		t.Errorf("waits %d times in two scans of eight rows", waits)
	}
	if !s.Traits().Matrix {
		t.Error("is no matrix")
	}
	if err := s.Close(); err != nil {
		t.Error(err)
	}
}

func TestCost(t *testing.T) { // counts allocations, so nothing may run beside it
	b := newBench(t, four(), 16)
	b.setup(t)
	b.reads(t, start)
	b.bus.Counts()
	b.reads(t, start)
	if got, want := b.bus.Counts(), (chiptest.Counts{Transactions: 4, Bytes: 20}); got != want {
		t.Errorf("a scan without a change is %+v, want %+v", got, want)
	}
	chiptest.Sound(t, b.Sensor, b.magnets)
}

func TestRecoversWhateverWasLeft(t *testing.T) {
	t.Parallel()
	for name, left := range map[string][][2]byte{
		"BANK":                    {{0x0A, 0x80}},
		"SEQOP":                   {{0x0A, 0x20}},
		"BANK, SEQOP, pins high":  {{0x14, 0xFF}, {0x15, 0xFF}, {0x0A, 0xA0}},
		"outputs that pull low":   {{0x00, 0x00}, {0x01, 0x00}},
		"polarity and interrupts": {{0x02, 0xFF}, {0x03, 0xA5}, {0x04, 0xFF}, {0x05, 0xFF}, {0x06, 0x12}, {0x08, 0xFF}, {0x0A, 0x42}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			b := newBench(t, four(), 16)
			for _, c := range b.chips {
				for _, x := range left {
					c.Leave(x[0], x[1])
				}
			}
			b.setup(t)
			b.reads(t, start)
		})
	}
}

func TestPowerLossIsFoundAndMended(t *testing.T) {
	t.Parallel()
	b := newBench(t, four(), 16)
	b.setup(t)
	b.reads(t, start)
	b.chips[1].Off()
	var r scan.Reading
	chiptest.OneLine(t, b.Read(&r), "MCP23017 at 0x21", "remote I/O error")
	chiptest.OneLine(t, b.Check(), "MCP23017 at 0x21")
	b.chips[1].On()
	chiptest.OneLine(t, b.Check(), "MCP23017 at 0x21", "power")
	b.setup(t)
	b.reads(t, start)
}

// A chip that was without power for less than a scan reads its open contacts by chance: no such reading may come out.
func TestPowerLossBetweenTwoReadingsChangesNothing(t *testing.T) {
	t.Parallel()
	b := newBench(t, four(), 16)
	b.setup(t)
	b.reads(t, start)
	b.chips[0].Off()
	b.chips[0].On()
	b.magnets.Flip(1 << 12) // the only open contact of that chip, seen when chance has it so
	var r scan.Reading
	failed := false
	for range 20 {
		if err := b.Read(&r); err != nil {
			chiptest.OneLine(t, err, "MCP23017 at 0x20", "power")
			failed = true
		} else if failed {
			t.Fatal("reads on without having been set up")
		} else if r.Bits != start {
			t.Fatalf("reads %016x from a chip without pull-ups", r.Bits)
		}
	}
	if !failed {
		t.Error("nobody noticed")
	}
	b.setup(t)
	b.reads(t, start&^(1<<12))
}

// GP-15: inputs on GPA7 and GPB7 can spoil a transfer. A change counts only when a second reading agrees.
func TestGP15AChangeIsReadTwice(t *testing.T) {
	t.Parallel()
	b := newBench(t, four(), 16)
	b.setup(t)
	b.reads(t, start)
	once := true
	b.bus.Noise(func(addr uint16, r []byte) {
		if addr == 0x23 && once && len(r) == 2 {
			r[0], r[1], once = r[0]^0x80, r[1]^0xC1, false
		}
	})
	b.reads(t, start)
	if once {
		t.Fatal("there was no noise")
	}
	if notes := b.Notes(); len(notes) != 1 || !strings.Contains(notes[0], "GPA7") || !strings.Contains(notes[0], "MCP23S17") {
		t.Errorf("does not warn of GPA7 and GPB7: %q", notes)
	}
}

func TestABouncingPinKeepsItsLastState(t *testing.T) {
	t.Parallel()
	b := newBench(t, four(), 16)
	b.setup(t)
	b.reads(t, start)
	b.magnets.Flip(1<<12 | 1<<30)
	b.magnets.Bounce(1<<12, 4)
	b.reads(t, start|1<<30) // e2 does not come to rest, the other wire has
	b.reads(t, start&^(1<<12)|1<<30)

	// One pin keeps moving; another does so for the first time in the last reading.
	b.magnets.Set(start)
	b.reads(t, start)
	n := 0
	b.bus.Noise(func(addr uint16, r []byte) {
		if addr != 0x20 {
			return
		}
		if n++; n%2 == 1 {
			r[len(r)-1-len(r)/22*2] ^= 0x10 // port B is the last of 2 bytes, or of 22 but two
		}
		if n == 4 {
			r[0x13] ^= 0x20
		}
	})
	b.reads(t, start)
	if n != 4 {
		t.Errorf("reads a chip that does not come to rest %d times", n)
	}
}

// GP-17 and GP-18: a transfer that fails is an error of that chip, and the next one is as if nothing had been.
func TestGP17GP18AFailedTransferIsAnErrorAndNoReading(t *testing.T) {
	t.Parallel()
	b := newBench(t, four(), 16)
	b.setup(t)
	b.reads(t, start)
	var r scan.Reading
	for n := range 20 {
		b.bus.Fail(nil, syscall.EREMOTEIO)
		chiptest.OneLine(t, b.Read(&r), "MCP23017 at 0x21", "remote I/O error")
		if n == 0 {
			b.reads(t, start)
		}
	}
	b.reads(t, start)
	b.bus.Stick(true)
	err := b.Read(&r)
	chiptest.OneLine(t, err, "MCP23017 at 0x20", "timed out")
	if !errors.Is(err, syscall.ETIMEDOUT) {
		t.Errorf("%v hides the error of the bus", err)
	}
	chiptest.OneLine(t, b.Setup(), "MCP23017 at 0x20")
	b.bus.Stick(false)
	b.setup(t)
	b.reads(t, start)
}

// GP-19: INTF names one pin, but any may have changed. GP-21: all chips interrupt on both lift and placing.
func TestGP19GP21InterruptsOnlySayWhen(t *testing.T) {
	t.Parallel()
	o := four()
	var chips []*chiptest.MCP23017
	line := func() (uint64, error) {
		for _, c := range chips {
			if c.Watch(); c.Interrupt() {
				return 1, nil
			}
		}
		return 0, nil
	}
	alert := &alert{Inputs: chiptest.Inputs{OnGet: line}, changed: make(chan struct{}, 1)}
	o.Interrupt = alert
	b := newBench(t, o, 16)
	chips = b.chips
	for _, c := range chips { // another program compared with a default
		c.Leave(0x06, 0xFF)
		c.Leave(0x08, 0xFF)
	}
	b.setup(t)
	b.reads(t, start)
	if low, _ := line(); low != 0 {
		t.Fatal("the line stays low after a reading")
	}
	for wire := range 64 {
		for range 2 { // lift and place
			b.magnets.Flip(1<<wire | 1<<(63-wire))
			if low, _ := line(); low != 1 {
				t.Fatalf("a change of wire %d does not interrupt", wire)
			}
			b.reads(t, b.magnets.On())
			if low, _ := line(); low != 0 {
				t.Fatalf("the line stays low after wire %d was read", wire)
			}
		}
	}
	// A change of the first chip while the others are read keeps the line low; it is read in the same call.
	b.magnets.Flip(1 << 50)
	n := 0
	b.bus.Noise(func(addr uint16, _ []byte) {
		if n++; addr == 0x23 && n > 3 {
			b.bus0(func() { b.magnets.Flip(1 << 3) })
		}
	})
	b.reads(t, start&^(1<<50)&^(1<<3))
	if b.Changed() == nil {
		t.Error("with a line there is a channel")
	}
	alert.CloseErr = errors.New("busy")
	if err := b.Close(); err == nil || !alert.Closed {
		t.Errorf("closes with %v, line closed: %v", err, alert.Closed)
	}
	if newBench(t, four(), 16).Changed() != nil {
		t.Error("without a line there is no channel")
	}
}

// bus0 runs f the first time it is called, from within the bus.
func (b *bench) bus0(f func()) {
	if b.chips != nil {
		b.chips = nil
		f()
	}
}

type alert struct {
	chiptest.Inputs
	changed chan struct{}
}

func (a *alert) Changed() <-chan struct{} { return a.changed }

func TestBehindASwitch(t *testing.T) {
	t.Parallel()
	bus, magnets := &chiptest.I2C{}, &chiptest.Magnets{}
	magnets.Set(start)
	sw := &chiptest.TCA9548A{}
	bus.Attach(0x72, sw)
	var chips []*chiptest.MCP23017
	for ch := range 4 {
		c := chiptest.NewMCP23017(chiptest.Reeds{Magnets: magnets, First: 16 * ch})
		chips = append(chips, c)
		sw.Attach(ch, 0x20, c)
	}
	s, err := tca9548a.New(bus, 0x72)
	if err != nil {
		t.Fatal(err)
	}
	b := &bench{Sensor: made(t, bus, mcp23017.Options{
		Addresses: []uint16{0x20, 0x20, 0x20, 0x20}, Switch: s, Channels: []int{0, 1, 2, 3}}), magnets: magnets}
	b.setup(t)
	b.reads(t, start)
	bus.Counts()
	b.reads(t, start)
	if got, want := bus.Counts(), (chiptest.Counts{Transactions: 8, Bytes: 28}); got != want {
		t.Errorf("a scan is %+v, want %+v", got, want)
	}
	magnets.Flip(1 << 40)
	b.reads(t, start^1<<40)

	var r scan.Reading
	chips[3].Off()
	chiptest.OneLine(t, b.Read(&r), "MCP23017 at 0x20 on channel 3 of the TCA9548A at 0x72")
	chips[3].On()
	b.setup(t)
	sw.Off()
	chiptest.OneLine(t, b.Read(&r), "TCA9548A at 0x72")
	sw.On()
	b.setup(t)
	b.reads(t, start^1<<40)
	// A switch that has forgotten its channel while nobody looked.
	sw.Off()
	sw.On()
	chiptest.OneLine(t, func() error { s, _ := s.Channel(3); return s.Tx(0x20, []byte{0x12}, make([]byte, 2)) }(), "remote I/O")
	b.reads(t, start^1<<40)
}

func TestMatrix(t *testing.T) {
	t.Parallel()
	for _, swap := range []bool{false, true} {
		t.Run(fmt.Sprint("swap ", swap), func(t *testing.T) {
			t.Parallel()
			clock := &chiptest.Clock{}
			bus, magnets := &chiptest.I2C{Clock: clock}, &chiptest.Magnets{}
			magnets.Set(start)
			m := &chiptest.Matrix{Magnets: magnets, Clock: clock, Tau: 800 * time.Microsecond}
			chip := chiptest.NewMCP23017(chiptest.MatrixOnChip{Matrix: m, Swapped: swap})
			bus.Attach(0x20, chip)
			b := &bench{Sensor: made(t, bus, mcp23017.Options{
				Addresses: []uint16{0x20}, Matrix: true, Swap: swap, Settle: time.Millisecond, Wait: clock.Wait})}
			b.setup(t)
			b.reads(t, start)
			bus.Counts()
			b.reads(t, start)
			if got, want := bus.Counts(), (chiptest.Counts{Transactions: 16, Bytes: 56}); got != want {
				t.Errorf("a scan is %+v, want %+v", got, want)
			}
			if err := b.Check(); err != nil {
				t.Error(err)
			}
			rapid.Check(t, func(t *rapid.T) {
				on := rapid.Uint64().Draw(t, "on")
				magnets.Set(on)
				var r scan.Reading
				if err := b.Read(&r); err != nil || r.Bits != on {
					t.Fatalf("reads %016x, %v, want %016x", r.Bits, err, on)
				}
			})
			magnets.Set(start)
			b.reads(t, start)
			chip.Leave(map[bool]byte{false: 0x14, true: 0x15}[swap], 0x01) // a row that would be driven high
			chiptest.OneLine(t, b.Check(), "MCP23017 at 0x20", "01, not 00")
			b.setup(t)
			chip.Off()
			chip.On()
			chiptest.OneLine(t, b.Check(), "MCP23017 at 0x20", "power")
			b.setup(t)
			b.reads(t, start)
			if m.Shorts() > 0 {
				t.Error("rows were driven against each other")
			}
		})
	}
}

// A switch that has lost its channel is told again when the board is set up.
func TestSetupSelectsTheChannelAnew(t *testing.T) {
	t.Parallel()
	bus, sw := &chiptest.I2C{}, &chiptest.TCA9548A{}
	bus.Attach(0x70, sw)
	m := &chiptest.Matrix{Magnets: &chiptest.Magnets{}}
	sw.Attach(6, 0x20, chiptest.NewMCP23017(chiptest.MatrixOnChip{Matrix: m}))
	s, err := tca9548a.New(bus, 0x70)
	if err != nil {
		t.Fatal(err)
	}
	b := made(t, bus, mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, Switch: s, Channels: []int{6}})
	for range 2 {
		chiptest.Setup(t, b)
		chiptest.Reads(t, b, 0)
		sw.Off()
		sw.On()
	}
}

// Without time to settle a column still shows the row before; without diodes a matrix shows ghosts. The simulation can tell.
func TestMatrixFaultsShow(t *testing.T) {
	t.Parallel()
	corner := uint64(1 | 1<<1 | 1<<8) // a1, b1, a2: b2 is the ghost
	for name, m := range map[string]*chiptest.Matrix{
		"no diodes": {NoDiodes: true},
		"no settle": {Tau: time.Second, Clock: &chiptest.Clock{}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bus := &chiptest.I2C{Clock: m.Clock}
			m.Magnets = &chiptest.Magnets{}
			m.Magnets.Set(corner)
			bus.Attach(0x20, chiptest.NewMCP23017(chiptest.MatrixOnChip{Matrix: m}))
			b := &bench{Sensor: made(t, bus, mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, Wait: m.Clock.Wait})}
			b.setup(t)
			var r scan.Reading
			if err := b.Read(&r); err != nil {
				t.Fatal(err)
			}
			if r.Bits&(1<<9) == 0 || bits.OnesCount64(r.Bits) < 4 {
				t.Errorf("reads %016x without a ghost", r.Bits)
			}
			if m.Shorts() > 0 {
				t.Error("a row that is let go was driven")
			}
		})
	}
}

// Boards whose port B belongs to the lights.
func TestPortALeavesPortBAlone(t *testing.T) {
	t.Parallel()
	o := mcp23017.Options{Ports: mcp23017.OnlyA}
	for i := range uint16(8) {
		o.Addresses = append(o.Addresses, 0x20+i)
	}
	b := newBench(t, o, 8)
	for _, c := range b.chips {
		c.Leave(0x01, 0x00)
		c.Leave(0x15, 0xA5)
	}
	b.setup(t)
	b.reads(t, start)
	for _, c := range b.chips {
		if c.Register(0x01) != 0 || c.Register(0x15) != 0xA5 {
			t.Error("port B was touched")
		}
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	bus := &chiptest.I2C{}
	sw, err := tca9548a.New(bus, 0x70)
	if err != nil {
		t.Fatal(err)
	}
	for name, c := range map[string]struct {
		o    mcp23017.Options
		says string
	}{
		"three":           {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22}}, "wants 4 devices, not 3"},
		"twice":           {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x20}}, "two have the address 0x20"},
		"no such address": {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x28}}, "0x28"},
		"eight with both": {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27}}, "wants 4"},
		"four with A":     {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, Ports: mcp23017.OnlyA}, "wants 8"},
		"matrix of four":  {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, Matrix: true}, "wants 1"},
		"matrix high":     {mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, ActiveHigh: true}, "matrix"},
		"swap":            {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, Swap: true}, "swap"},
		"settle":          {mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, Settle: -1}, "settle"},
		"ports":           {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, Ports: 9}, "ports"},
		"channels only":   {mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, Channels: []int{1}}, "switch"},
		"few channels":    {mcp23017.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, Switch: sw, Channels: []int{1}}, "1 channels"},
		"same place":      {mcp23017.Options{Addresses: []uint16{0x20, 0x20, 0x21, 0x22}, Switch: sw, Channels: []int{1, 1, 1, 1}}, "channel 1"},
		"channel 8":       {mcp23017.Options{Addresses: []uint16{0x20}, Matrix: true, Switch: sw, Channels: []int{8}}, "0 to 7"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := mcp23017.New(bus, c.o)
			chiptest.OneLine(t, err, c.says)
		})
	}
	_, err = mcp23017.New(nil, four())
	chiptest.OneLine(t, err, "no bus")
}
