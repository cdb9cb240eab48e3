package muxadc_test

import (
	"errors"
	"fmt"
	"math"
	"syscall"
	"testing"
	"time"

	"periph.io/x/conn/v3/conntest"
	"periph.io/x/conn/v3/i2c/i2ctest"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/conn/v3/spi/spitest"
	"pgregory.net/rapid"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/muxadc"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

var (
	_         scan.Sensor      = (*muxadc.Sensor)(nil)
	_         muxadc.Converter = (*muxadc.MCP3008)(nil)
	_         muxadc.Converter = (*muxadc.ADS1115)(nil)
	settle                     = 20 * time.Microsecond
	reference int32            = 3_300_000
)

func connect(t *testing.T, p spi.Port) spi.Conn {
	t.Helper()
	c, err := p.Connect(muxadc.MCP3008MaxHz*physic.Hertz, muxadc.MCP3008Mode, 8)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

// bench is a board of linear Hall sensors behind analog switches.
type bench struct {
	*muxadc.Sensor
	clock   chiptest.Clock
	field   chiptest.Field
	mux     chiptest.Mux
	address *chiptest.Outputs
	spi     chiptest.SPI
	i2c     chiptest.I2C
	mcp     *chiptest.MCP3008
	ads     []*chiptest.ADS1115
	step    int32 // of the converter, microvolts
}

// input is what an input of the converter sees, when first is the number of its first one.
func (b *bench) input(lines, first int) func(int) int32 {
	return func(n int) int32 {
		if wire := (first+n)<<lines + b.mux.Channel(); wire < 64 {
			return b.field.At(wire)
		}
		return 0
	}
}

// newBench has an MCP3008 for no addresses, else ADS1115.
func newBench(t *testing.T, lines int, addresses ...uint16) *bench {
	t.Helper()
	b := &bench{step: reference / 1024}
	b.mux.Clock, b.mux.Tau = &b.clock, settle
	b.address = &chiptest.Outputs{OnSet: b.mux.SetAddress}
	b.spi.Clock, b.i2c.Clock = &b.clock, &b.clock
	for w := range 64 {
		b.field.Set(w, reference/2)
	}
	var converter muxadc.Converter
	var err error
	if len(addresses) == 0 {
		b.mcp = &chiptest.MCP3008{Reference: reference, Input: b.input(lines, 0)}
		b.spi.Attach(b.mcp)
		b.spi.Idle(0xFF) // where nobody drives MISO
		converter, err = muxadc.NewMCP3008(connect(t, b.spi.Port(0)), reference)
	} else {
		b.step = 125
		for i, a := range addresses {
			b.ads = append(b.ads, chiptest.NewADS1115(&b.clock, b.input(lines, 4*i)))
			b.i2c.Attach(a, b.ads[i])
		}
		converter, err = muxadc.NewADS1115(&b.i2c, muxadc.ADS1115Options{Addresses: addresses, Wait: b.clock.Wait})
	}
	if err != nil {
		t.Fatal(err)
	}
	if b.Sensor, err = muxadc.New(converter, muxadc.Options{Address: b.address, Lines: lines, Settle: settle, Wait: b.clock.Wait}); err != nil {
		t.Fatal(err)
	}
	return b
}

// boards are the ways to build one.
var boards = map[string]struct {
	lines     int
	addresses []uint16
	cost      chiptest.Counts
	longest   time.Duration
}{
	"MCP3008, 8 × 74HC4051":      {3, nil, chiptest.Counts{Transactions: 16, Bytes: 192}, 2 * time.Millisecond},
	"MCP3008, 4 × 74HC4067":      {4, nil, chiptest.Counts{Transactions: 16, Bytes: 192}, 2 * time.Millisecond},
	"MCP3008, one input":         {6, nil, chiptest.Counts{Transactions: 64, Bytes: 192}, 3 * time.Millisecond},
	"ADS1115, 4 × 74HC4067":      {4, []uint16{0x48}, chiptest.Counts{Transactions: 192, Bytes: 64 * 14}, 170 * time.Millisecond},
	"two ADS1115, 8 × 74HC4051":  {3, []uint16{0x48, 0x4B}, chiptest.Counts{Transactions: 192, Bytes: 64 * 14}, 130 * time.Millisecond},
	"two ADS1115, two inputs":    {5, []uint16{0x48, 0x4B}, chiptest.Counts{Transactions: 192, Bytes: 64 * 14}, 170 * time.Millisecond},
	"ADS1115, one input, 6 bits": {6, []uint16{0x49}, chiptest.Counts{Transactions: 192, Bytes: 64 * 14}, 170 * time.Millisecond},
}

func TestReadsVoltages(t *testing.T) { // counts allocations, so nothing may run beside it
	for name, c := range boards {
		t.Run(name, func(t *testing.T) {
			b := newBench(t, c.lines, c.addresses...)
			if !b.Traits().Analog {
				t.Error("is not analog")
			}
			chiptest.Setup(t, b)
			rapid.Check(t, func(t *rapid.T) {
				uv := rapid.SliceOfN(rapid.Int32Range(200_000, reference-1), 64, 64).Draw(t, "uv")
				for w, v := range uv {
					b.field.Set(w, v)
				}
				var r scan.Reading
				if err := b.Read(&r); err != nil {
					t.Fatal(err)
				}
				for w, want := range uv {
					if d := r.Levels[w] - want; d > 1 || d < -b.step-1 {
						t.Fatalf("wire %d reads %d µV, has %d", w, r.Levels[w], want)
					}
				}
				if err := b.Check(); err != nil {
					t.Fatal(err)
				}
			})
			b.i2c.Counts()
			b.spi.Counts()
			before := b.clock.Now()
			var r scan.Reading
			if err := b.Read(&r); err != nil {
				t.Fatal(err)
			}
			got := b.spi.Counts()
			if c.addresses != nil {
				got = b.i2c.Counts()
			}
			if got != c.cost {
				t.Errorf("a scan is %+v, want %+v", got, c.cost)
			}
			if took := b.clock.Now() - before; took > c.longest {
				t.Errorf("a scan takes %v, more than %v", took, c.longest)
			}
			if b.mux.MostLines() != 1 {
				t.Errorf("%d address lines change at once", b.mux.MostLines())
			}
			if n := testing.AllocsPerRun(10, func() {
				if err := b.Read(&r); err != nil {
					t.Error(err)
				}
			}); n != 0 {
				t.Errorf("a reading allocates %v times", n)
			}
		})
	}
}

// packets plays back packets as transfers of their own, which spitest does not do.
type packets struct{ spi.Conn }

func (p packets) TxPackets(list []spi.Packet) error {
	for i, k := range list {
		if k.KeepCS {
			return fmt.Errorf("packet %d of %d keeps the select line", i, len(list))
		}
		if err := p.Tx(k.W, k.R); err != nil {
			return err
		}
	}
	return nil
}

func TestBytesOfMCP3008(t *testing.T) {
	t.Parallel()
	ops := []conntest.IO{{W: []byte{1, 0x80, 0}, R: []byte{0xFF, 0xFA, 0x00}}}
	for in := range byte(8) { // input 5 reads 564; what comes before the null bit is noise
		r := []byte{0xAA, 0xF8, 0x01}
		if in == 5 {
			r = []byte{0x55, 0x02, 0x34}
		}
		ops = append(ops, conntest.IO{W: []byte{1, 0x80 | in<<4, 0}, R: r})
	}
	p := &spitest.Playback{Playback: conntest.Playback{DontPanic: true, Ops: ops}}
	m, err := muxadc.NewMCP3008(packets{connect(t, p)}, reference)
	if err != nil {
		t.Fatal(err)
	}
	var uv [8]int32
	if err := errors.Join(m.Setup(), m.Measure(uv[:]), p.Close()); err != nil {
		t.Fatal(err)
	}
	if want := [8]int32{3223, 3223, 3223, 3223, 3223, 1817578, 3223, 3223}; uv != want {
		t.Errorf("measures %v, want %v", uv, want)
	}
}

func TestBytesOfADS1115(t *testing.T) {
	t.Parallel()
	var waits []time.Duration
	ops := []i2ctest.IO{
		{Addr: 0x48, W: []byte{1, 0xC3, 0xE3}},
		{Addr: 0x48, W: []byte{1}, R: []byte{0xC3, 0xE3}},
		{Addr: 0x48, W: []byte{0}, R: []byte{0, 0}},

		{Addr: 0x48, W: []byte{1, 0xC3, 0xE3}},
		{Addr: 0x48, W: []byte{1}, R: []byte{0x43, 0xE3}}, // not done yet
		{Addr: 0x48, W: []byte{1}, R: []byte{0xC3, 0xE3}},
		{Addr: 0x48, W: []byte{0}, R: []byte{0x33, 0x90}},
		{Addr: 0x48, W: []byte{1, 0xD3, 0xE3}},
		{Addr: 0x48, W: []byte{1}, R: []byte{0xD3, 0xE3}},
		{Addr: 0x48, W: []byte{0}, R: []byte{0xFF, 0xFF}},
		{Addr: 0x48, W: []byte{1, 0xE3, 0xE3}},
		{Addr: 0x48, W: []byte{1}, R: []byte{0xE3, 0xE3}},
		{Addr: 0x48, W: []byte{0}, R: []byte{0x7F, 0xFF}},
		{Addr: 0x48, W: []byte{1, 0xF3, 0xE3}},
		{Addr: 0x48, W: []byte{1}, R: []byte{0xF3, 0xE3}},
		{Addr: 0x48, W: []byte{0}, R: []byte{0x00, 0x01}},

		{Addr: 0x48, W: []byte{1}, R: []byte{0xF3, 0xE3}},
	}
	p := &i2ctest.Playback{DontPanic: true, Ops: ops}
	a, err := muxadc.NewADS1115(p, muxadc.ADS1115Options{Addresses: []uint16{0x48}, Wait: func(d time.Duration) { waits = append(waits, d) }})
	if err != nil {
		t.Fatal(err)
	}
	var uv [4]int32
	if err := errors.Join(a.Setup(), a.Measure(uv[:]), a.Check(), a.Close()); err != nil {
		t.Fatal(err)
	}
	if want := [4]int32{0x3390 * 125, -125, 4_095_875, 125}; uv != want {
		t.Errorf("measures %v, want %v", uv, want)
	}
	if len(waits) != 6 || waits[0] != 1300*time.Microsecond || waits[2] != 200*time.Microsecond {
		t.Errorf("waits %v", waits)
	}
}

func TestPowerLossOfMCP3008(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3)
	chiptest.Setup(t, b)
	var r scan.Reading
	b.mcp.Off()
	chiptest.OneLine(t, b.Read(&r), "MCP3008 does not answer", "supply")
	chiptest.OneLine(t, b.Check(), "MCP3008 does not answer")
	b.spi.Idle(0x00) // MISO hangs low: nothing but 0 V, which no sensor gives
	chiptest.OneLine(t, b.Read(&r), "0 V", "supply")
	b.spi.Idle(0xFF)
	b.mcp.On()
	chiptest.Setup(t, b)
	for w := range 64 {
		b.field.Set(w, 3000) // the sensors have no supply, the converter has
	}
	chiptest.OneLine(t, b.Read(&r), "mux-adc", "0 V")
	b.field.Set(63, 1_500_000)
	if err := b.Read(&r); err != nil {
		t.Error(err)
	}
	b.spi.Fail(nil, syscall.EIO)
	chiptest.OneLine(t, b.Read(&r), "MCP3008", "input/output error")
}

func TestPowerLossOfADS1115(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3, 0x48, 0x4A)
	chiptest.Setup(t, b)
	var r scan.Reading
	if err := b.Read(&r); err != nil {
		t.Fatal(err)
	}
	b.ads[1].Off()
	chiptest.OneLine(t, b.Read(&r), "ADS1115 at 0x4a", "remote I/O error")
	b.ads[1].On()
	chiptest.OneLine(t, b.Check(), "ADS1115 at 0x4a", "power")
	chiptest.Setup(t, b)
	// It comes back while it measures: what it then says is not the measurement.
	n := 0
	b.i2c.Noise(func(addr uint16, _ []byte) {
		if n++; n == 20 {
			b.ads[0].Off()
			b.ads[0].On()
		}
	})
	chiptest.OneLine(t, b.Read(&r), "ADS1115 at 0x48", "power")
	b.i2c.Noise(nil)
	chiptest.Setup(t, b)
	if err := errors.Join(b.Read(&r), b.Check()); err != nil {
		t.Error(err)
	}
	b.i2c.Stick(true)
	chiptest.OneLine(t, b.Read(&r), "ADS1115 at 0x48", "timed out")
}

// A converter that never gets done must not be waited for, and must not pass off the input before.
func TestADS1115ThatDoesNotFinish(t *testing.T) {
	t.Parallel()
	bus := &chiptest.I2C{}
	bus.Attach(0x48, chiptest.NewADS1115(new(chiptest.Clock), func(int) int32 { return 0 })) // whose clock stands
	a, err := muxadc.NewADS1115(bus, muxadc.ADS1115Options{Addresses: []uint16{0x48}, Wait: func(time.Duration) {}})
	if err != nil {
		t.Fatal(err)
	}
	chiptest.OneLine(t, a.Setup(), "ADS1115 at 0x48", "does not finish")
}

func TestErrorsOfLines(t *testing.T) {
	t.Parallel()
	b := newBench(t, 3)
	b.address.OnSet = func(uint64) error { return errors.New("line is gone") }
	var r scan.Reading
	chiptest.OneLine(t, b.Setup(), "mux-adc: address lines: line is gone")
	chiptest.OneLine(t, b.Read(&r), "mux-adc: address lines: line is gone")
	if err := b.Close(); err != nil || !b.address.Closed {
		t.Errorf("closes with %v", err)
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	port := (&chiptest.SPI{}).Port(0)
	_, err := muxadc.NewMCP3008(nil, reference)
	chiptest.OneLine(t, err, "no SPI port")
	for _, v := range []int32{0, -1, 249_999, 5_500_001, math.MaxInt32} {
		_, err = muxadc.NewMCP3008(port, v)
		chiptest.OneLine(t, err, "reference")
	}
	bus := &chiptest.I2C{}
	sw, err := tca9548a.New(bus, 0x70)
	if err != nil {
		t.Fatal(err)
	}
	for says, o := range map[string]muxadc.ADS1115Options{
		"wants 1 or 2 devices, not 0": {},
		"0x4c":                        {Addresses: []uint16{0x4C}},
		"2 devices have 1 channels":   {Addresses: []uint16{0x48, 0x49}, Switch: sw, Channels: []int{1}},
	} {
		_, err := muxadc.NewADS1115(bus, o)
		chiptest.OneLine(t, err, "ADS1115", says)
	}
	a, err := muxadc.NewADS1115(bus, muxadc.ADS1115Options{Addresses: []uint16{0x48}})
	if err != nil {
		t.Fatal(err)
	}
	m, err := muxadc.NewMCP3008(port, reference)
	if err != nil {
		t.Fatal(err)
	}
	chiptest.OneLine(t, a.Measure(make([]int32, 5)), "5 inputs")
	chiptest.OneLine(t, m.Measure(make([]int32, 9)), "9 inputs")
	address := &chiptest.Outputs{}
	for says, o := range map[string]muxadc.Options{
		"missing":          {Lines: 4},
		"not 2":            {Address: address, Lines: 2},
		"not 7":            {Address: address, Lines: 7},
		"need 8 inputs":    {Address: address, Lines: 3},
		"time to settle o": {Address: address, Lines: 4, Settle: -1},
	} {
		_, err := muxadc.New(a, o)
		chiptest.OneLine(t, err, "mux-adc", says)
	}
	_, err = muxadc.New(nil, muxadc.Options{Address: address, Lines: 4})
	chiptest.OneLine(t, err, "missing")
}

func FuzzDecodeMCP3008(f *testing.F) {
	f.Add(byte(0), byte(2), byte(0x34), int32(3_300_000))
	f.Add(byte(0xFF), byte(0xFF), byte(0xFF), int32(5_000_000))
	f.Fuzz(func(t *testing.T, a, b, c byte, reference int32) {
		value, ok := muxadc.DecodeMCP3008([3]byte{a, b, c})
		if value < 0 || value > 1023 || ok != (b&4 == 0) || byte(value) != c || value>>8 != int(b&3) {
			t.Fatalf("%02x %02x %02x is %d, %v", a, b, c, value, ok)
		}
		if reference < 250_000 || reference > 5_500_000 {
			return
		}
		uv := int64(muxadc.Microvolts(value, reference))
		if d := uv*1024 - int64(value)*int64(reference); d > 512 || d < -512 {
			t.Fatalf("%d of %d µV is %d µV", value, reference, uv)
		}
	})
}

func FuzzDecodeADS1115(f *testing.F) {
	f.Add(byte(0x7F), byte(0xFF))
	f.Add(byte(0x80), byte(0))
	f.Fuzz(func(t *testing.T, a, b byte) {
		uv := muxadc.DecodeADS1115([2]byte{a, b})
		if uv%125 != 0 || uv < -4_096_000 || uv > 4_095_875 || uint16(int16(uv/125)) != uint16(a)<<8|uint16(b) {
			t.Fatalf("%02x %02x is %d µV", a, b, uv)
		}
	})
}
