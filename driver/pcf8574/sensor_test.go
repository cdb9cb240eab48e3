package pcf8574_test

import (
	"testing"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/pcf8574"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

var _ scan.Sensor = (*pcf8574.Sensor)(nil)

// eight mixes both kinds, as a board with more than eight chips on a bus may have to.
var eight = pcf8574.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23, 0x38, 0x39, 0x3A, 0x3F}}

var wide = pcf8574.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, Wide: true}

func newBench(t *testing.T, o pcf8574.Options) (*pcf8574.Sensor, *chiptest.I2C, []*chiptest.PCF8574, *chiptest.Magnets) {
	t.Helper()
	bus, magnets := &chiptest.I2C{}, &chiptest.Magnets{}
	magnets.Set(chiptest.Start)
	var chips []*chiptest.PCF8574
	for i, a := range o.Addresses {
		c := chiptest.NewPCF8574(chiptest.Reeds{Magnets: magnets, First: 64 / len(o.Addresses) * i}, o.Wide)
		chips = append(chips, c)
		bus.Attach(a, c)
	}
	s, err := pcf8574.New(bus, o)
	if err != nil {
		t.Fatal(err)
	}
	return s, bus, chips, magnets
}

func TestBytes(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		o    pcf8574.Options
		ones []byte
		read [][]byte
	}{
		"PCF8574": {eight, []byte{0xFF}, [][]byte{{0x00}, {0x10}, {0xFF}, {0xFF}, {0xFF}, {0xFF}, {0x00}, {0x00}}},
		"PCF8575": {wide, []byte{0xFF, 0xFF}, [][]byte{{0x00, 0x10}, {0xFF, 0xFF}, {0xFF, 0xFF}, {0x00, 0x00}}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			var ops []i2ctest.IO
			write := func() {
				for _, a := range c.o.Addresses {
					ops = append(ops, i2ctest.IO{Addr: a, W: c.ones})
				}
			}
			write()
			for i, a := range c.o.Addresses {
				ops = append(ops, i2ctest.IO{Addr: a, R: c.read[i]})
			}
			write()
			s, err := pcf8574.New(&i2ctest.Playback{DontPanic: true, Ops: ops}, c.o)
			if err != nil {
				t.Fatal(err)
			}
			chiptest.Setup(t, s)
			chiptest.Reads(t, s, chiptest.Start&^(1<<12))
			if err := s.Check(); err != nil {
				t.Error(err)
			}
			if err := s.Close(); err != nil { // closes the bus, which says whether all was played
				t.Error(err)
			}
		})
	}
}

func TestSoundAndCost(t *testing.T) { // counts allocations, so nothing may run beside it
	for name, c := range map[string]struct {
		o    pcf8574.Options
		want chiptest.Counts
	}{
		"PCF8574": {eight, chiptest.Counts{Transactions: 8, Bytes: 16}},
		"PCF8575": {wide, chiptest.Counts{Transactions: 4, Bytes: 12}},
	} {
		t.Run(name, func(t *testing.T) {
			s, bus, _, magnets := newBench(t, c.o)
			chiptest.Sound(t, s, magnets)
			bus.Counts()
			chiptest.Reads(t, s, chiptest.Start)
			if got := bus.Counts(); got != c.want {
				t.Errorf("a scan is %+v, want %+v", got, c.want)
			}
		})
	}
}

func TestPowerLossAndPinsPulledLow(t *testing.T) {
	t.Parallel()
	s, bus, chips, magnets := newBench(t, eight)
	chips[4].Leave(0) // by another program
	chiptest.Setup(t, s)
	chiptest.Reads(t, s, chiptest.Start)
	var r scan.Reading
	chips[5].Off()
	chiptest.OneLine(t, s.Read(&r), "PCF8574 at 0x39", "remote I/O error")
	chiptest.OneLine(t, s.Check(), "PCF8574 at 0x39")
	chiptest.OneLine(t, s.Setup(), "PCF8574 at 0x39")
	chips[5].On()
	chiptest.Reads(t, s, chiptest.Start) // it comes up ready to be read
	chips[2].Leave(0xFFFE)
	magnets.Set(0)
	chiptest.Reads(t, s, 1<<16)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	chiptest.Reads(t, s, 0)
	bus.Stick(true)
	chiptest.OneLine(t, s.Read(&r), "PCF8574 at 0x20", "timed out")
}

func TestActiveHighAndSwitch(t *testing.T) {
	t.Parallel()
	bus, magnets, sw := &chiptest.I2C{}, &chiptest.Magnets{}, &chiptest.TCA9548A{}
	bus.Attach(0x70, sw)
	o := pcf8574.Options{Wide: true, ActiveHigh: true}
	for ch := range 4 {
		sw.Attach(ch, 0x20, chiptest.NewPCF8574(chiptest.Halls{Magnets: magnets, First: 16 * ch}, true))
		o.Addresses, o.Channels = append(o.Addresses, 0x20), append(o.Channels, ch)
	}
	var err error
	if o.Switch, err = tca9548a.New(bus, 0x70); err != nil {
		t.Fatal(err)
	}
	s, err := pcf8574.New(bus, o)
	if err != nil {
		t.Fatal(err)
	}
	chiptest.Setup(t, s)
	for wire := range 64 {
		magnets.Set(1 << wire)
		chiptest.Reads(t, s, 1<<wire)
	}
	sw.Off()
	chiptest.OneLine(t, s.Check(), "TCA9548A at 0x70")
}

// A switch that has lost the channel of all chips is told again when the board is set up.
func TestSetupSelectsTheChannelAnew(t *testing.T) {
	t.Parallel()
	bus, sw := &chiptest.I2C{}, &chiptest.TCA9548A{}
	bus.Attach(0x70, sw)
	o := eight
	for _, a := range o.Addresses {
		sw.Attach(5, a, chiptest.NewPCF8574(chiptest.Reeds{Magnets: &chiptest.Magnets{}}, false))
		o.Channels = append(o.Channels, 5)
	}
	var err error
	if o.Switch, err = tca9548a.New(bus, 0x70); err != nil {
		t.Fatal(err)
	}
	s, err := pcf8574.New(bus, o)
	if err != nil {
		t.Fatal(err)
	}
	for range 2 {
		chiptest.Setup(t, s)
		chiptest.Reads(t, s, 0)
		sw.Off()
		sw.On()
	}
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	_, err := pcf8574.New(&chiptest.I2C{}, pcf8574.Options{Addresses: []uint16{0x20}})
	chiptest.OneLine(t, err, "PCF8574: wants 8 devices, not 1")
	_, err = pcf8574.New(&chiptest.I2C{}, pcf8574.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x38}, Wide: true})
	chiptest.OneLine(t, err, "PCF8575", "0x38")
	_, err = pcf8574.New(&chiptest.I2C{}, pcf8574.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x30}})
	chiptest.OneLine(t, err, "PCF8574", "0x30")
}
