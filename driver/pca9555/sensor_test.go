package pca9555_test

import (
	"syscall"
	"testing"

	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/pca9555"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/driver/tca9548a"
)

var _ scan.Sensor = (*pca9555.Sensor)(nil)

var four = pca9555.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x27}}

func newBench(t *testing.T) (*pca9555.Sensor, *chiptest.I2C, []*chiptest.PCA9555, *chiptest.Magnets) {
	t.Helper()
	bus, magnets := &chiptest.I2C{}, &chiptest.Magnets{}
	magnets.Set(chiptest.Start)
	var chips []*chiptest.PCA9555
	for i, a := range four.Addresses {
		c := chiptest.NewPCA9555(chiptest.Reeds{Magnets: magnets, First: 16 * i}, true)
		chips = append(chips, c)
		bus.Attach(a, c)
	}
	s, err := pca9555.New(bus, four)
	if err != nil {
		t.Fatal(err)
	}
	return s, bus, chips, magnets
}

func TestBytes(t *testing.T) {
	t.Parallel()
	var ops []i2ctest.IO
	for _, a := range four.Addresses {
		ops = append(ops, i2ctest.IO{Addr: a, W: []byte{6, 0xFF, 0xFF}}, i2ctest.IO{Addr: a, W: []byte{4, 0, 0}}, i2ctest.IO{Addr: a, W: []byte{2, 0, 0}})
	}
	check := func() {
		for _, a := range four.Addresses {
			ops = append(ops, i2ctest.IO{Addr: a, W: []byte{2}, R: []byte{0, 0}}, i2ctest.IO{Addr: a, W: []byte{4}, R: []byte{0, 0}},
				i2ctest.IO{Addr: a, W: []byte{6}, R: []byte{0xFF, 0xFF}})
		}
	}
	check()
	for i, a := range four.Addresses {
		ports := [][]byte{{0x00, 0x10}, {0xFF, 0xFF}, {0xFF, 0xFF}, {0x00, 0x00}}[i]
		ops = append(ops, i2ctest.IO{Addr: a, W: []byte{0}, R: ports})
	}
	check()
	s, err := pca9555.New(&i2ctest.Playback{DontPanic: true, Ops: ops}, four)
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
}

func TestSoundAndCost(t *testing.T) { // counts allocations, so nothing may run beside it
	s, bus, _, magnets := newBench(t)
	chiptest.Sound(t, s, magnets)
	bus.Counts()
	chiptest.Reads(t, s, chiptest.Start)
	if got, want := bus.Counts(), (chiptest.Counts{Transactions: 4, Bytes: 20}); got != want {
		t.Errorf("a scan is %+v, want %+v", got, want)
	}
}

func TestPowerLossIsFoundAndMended(t *testing.T) {
	t.Parallel()
	s, bus, chips, _ := newBench(t)
	chiptest.Setup(t, s)
	var r scan.Reading
	chips[3].Off()
	chiptest.OneLine(t, s.Read(&r), "PCA9555 at 0x27", "remote I/O error")
	chips[3].On()
	chiptest.Reads(t, s, chiptest.Start) // as it comes up, it reads right
	chiptest.OneLine(t, s.Check(), "PCA9555 at 0x27", "power")
	chiptest.Setup(t, s)
	if err := s.Check(); err != nil {
		t.Error(err)
	}
	bus.Stick(true)
	chiptest.OneLine(t, s.Read(&r), "PCA9555 at 0x20", "timed out")
	chiptest.OneLine(t, s.Setup(), "PCA9555 at 0x20")
	bus.Stick(false)
	bus.Fail(nil, syscall.EREMOTEIO)
	chiptest.OneLine(t, s.Read(&r), "PCA9555 at 0x21", "remote I/O error")
	chiptest.Reads(t, s, chiptest.Start)
}

func TestRecoversWhateverWasLeft(t *testing.T) {
	t.Parallel()
	s, _, chips, _ := newBench(t)
	for i, c := range chips {
		c.Leave(byte(4+i%2), 0xFF)
		c.Leave(byte(6+i/2), 0x00)
	}
	chiptest.Setup(t, s)
	chiptest.Reads(t, s, chiptest.Start)
}

// A TCA9535 has no resistors: without ones on the board its open contacts read by chance, and the simulation shows that.
func TestWithoutResistors(t *testing.T) {
	t.Parallel()
	for name, world := range map[string]func(m *chiptest.Magnets, first int) chiptest.World{
		"contacts alone":    func(m *chiptest.Magnets, first int) chiptest.World { return chiptest.Reeds{Magnets: m, First: first} },
		"push-pull sensors": func(m *chiptest.Magnets, first int) chiptest.World { return chiptest.Halls{Magnets: m, First: first} },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			bus, magnets := &chiptest.I2C{}, &chiptest.Magnets{}
			for i := range 4 {
				bus.Attach(uint16(0x20+i), chiptest.NewPCA9555(world(magnets, 16*i), false))
			}
			s, err := pca9555.New(bus, pca9555.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x23}, ActiveHigh: name != "contacts alone"})
			if err != nil {
				t.Fatal(err)
			}
			chiptest.Setup(t, s)
			var r scan.Reading
			steady := true
			for range 8 {
				if err := s.Read(&r); err != nil {
					t.Fatal(err)
				}
				steady = steady && r.Bits == 0
			}
			if steady == (name == "contacts alone") {
				t.Errorf("an empty board reads steadily: %v", steady)
			}
		})
	}
}

func TestBehindASwitch(t *testing.T) {
	t.Parallel()
	bus, magnets, sw := &chiptest.I2C{}, &chiptest.Magnets{}, &chiptest.TCA9548A{}
	magnets.Set(chiptest.Start)
	bus.Attach(0x77, sw)
	for ch := range 4 {
		sw.Attach(7-ch, 0x20, chiptest.NewPCA9555(chiptest.Reeds{Magnets: magnets, First: 16 * ch}, true))
	}
	x, err := tca9548a.New(bus, 0x77)
	if err != nil {
		t.Fatal(err)
	}
	s, err := pca9555.New(bus, pca9555.Options{Addresses: []uint16{0x20, 0x20, 0x20, 0x20}, Switch: x, Channels: []int{7, 6, 5, 4}})
	if err != nil {
		t.Fatal(err)
	}
	chiptest.Setup(t, s)
	chiptest.Reads(t, s, chiptest.Start)
	sw.Off()
	sw.On()
	chiptest.Reads(t, s, chiptest.Start) // each chip is on another channel than the one before, and selects it
	sw.Off()
	chiptest.OneLine(t, s.Check(), "PCA9555 at 0x20 on channel 7 of the TCA9548A at 0x77")
}

func TestOptionsThatCannotBe(t *testing.T) {
	t.Parallel()
	_, err := pca9555.New(&chiptest.I2C{}, pca9555.Options{Addresses: []uint16{0x20}})
	chiptest.OneLine(t, err, "PCA9555: wants 4 devices, not 1")
	_, err = pca9555.New(&chiptest.I2C{}, pca9555.Options{Addresses: []uint16{0x20, 0x21, 0x22, 0x38}})
	chiptest.OneLine(t, err, "PCA9555", "0x38")
}
