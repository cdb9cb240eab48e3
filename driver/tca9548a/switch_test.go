package tca9548a_test

import (
	"errors"
	"sync"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/tca9548a"
)

func made(t *testing.T, bus i2c.Bus) *tca9548a.Switch {
	t.Helper()
	s, err := tca9548a.New(bus, 0x71)
	if err != nil {
		t.Fatal(err)
	}
	return s
}

func channel(t *testing.T, s *tca9548a.Switch, n int) i2c.Bus {
	t.Helper()
	c, err := s.Channel(n)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func TestBytes(t *testing.T) {
	t.Parallel()
	bus := &i2ctest.Playback{DontPanic: true, Ops: []i2ctest.IO{
		{Addr: 0x71, W: []byte{0x01}}, {Addr: 0x20, W: []byte{0x12}, R: []byte{1, 2}},
		{Addr: 0x20, W: []byte{0x12}, R: []byte{3, 4}}, // still selected
		{Addr: 0x71, W: []byte{0x80}}, {Addr: 0x20, W: []byte{0x00, 0xFF}},
		{Addr: 0x71, R: []byte{0x80}},
		{Addr: 0x71, W: []byte{0x01}}, {Addr: 0x21, R: []byte{5}},
	}}
	s := made(t, bus)
	first, last := channel(t, s, 0), channel(t, s, 7)
	two, one := make([]byte, 2), make([]byte, 1)
	err := errors.Join(
		first.Tx(0x20, []byte{0x12}, two), first.Tx(0x20, []byte{0x12}, two),
		last.Tx(0x20, []byte{0x00, 0xFF}, nil), s.Check(), first.Tx(0x21, nil, one), bus.Close())
	if err != nil || two[1] != 4 || one[0] != 5 {
		t.Errorf("%v, read %v %v", err, two, one)
	}
}

// One channel is selected once and then used; if the switch forgets it, the first error selects it anew.
func TestPowerLoss(t *testing.T) {
	t.Parallel()
	bus, sw := &chiptest.I2C{}, &chiptest.TCA9548A{}
	bus.Attach(0x71, sw)
	sw.Attach(3, 0x38, chiptest.NewPCF8574(chiptest.Reeds{Magnets: &chiptest.Magnets{}}, false))
	s := made(t, bus)
	c, one := channel(t, s, 3), make([]byte, 1)
	read := func() error { return c.Tx(0x38, nil, one) }
	if err := read(); err != nil || one[0] != 0xFF {
		t.Fatalf("reads %x, %v", one, err)
	}
	sw.Off()
	sw.On()
	chiptest.OneLine(t, read(), "remote I/O error")
	if err := read(); err != nil {
		t.Fatal(err)
	}
	sw.Off()
	sw.On()
	chiptest.OneLine(t, s.Check(), "TCA9548A at 0x71", "power")
	if err := errors.Join(read(), s.Check()); err != nil {
		t.Fatal(err)
	}
	sw.Off()
	chiptest.OneLine(t, s.Check(), "TCA9548A at 0x71", "remote I/O error")
	err := read()
	chiptest.OneLine(t, err, "TCA9548A at 0x71", "remote I/O error")
	if !errors.Is(err, syscall.EREMOTEIO) {
		t.Errorf("%v hides the error of the bus", err)
	}
}

// Sensors and lights may be behind the same switch, each with a goroutine of its own.
func TestTwoUsers(t *testing.T) {
	t.Parallel()
	bus, sw := &chiptest.I2C{}, &chiptest.TCA9548A{}
	bus.Attach(0x71, sw)
	var magnets [2]chiptest.Magnets
	magnets[1].Set(0xFF)
	s := made(t, bus)
	var users sync.WaitGroup
	for n := range 2 {
		sw.Attach(n, 0x20, chiptest.NewPCF8574(chiptest.Reeds{Magnets: &magnets[n]}, false))
	}
	for n, want := range []byte{0xFF, 0x00} {
		c := channel(t, s, n)
		users.Go(func() {
			one := make([]byte, 1)
			for range 500 {
				if err := c.Tx(0x20, nil, one); err != nil || one[0] != want {
					t.Errorf("channel %d reads %x, %v", n, one, err)
					return
				}
			}
		})
	}
	users.Wait()
}

func TestWhatCannotBe(t *testing.T) {
	t.Parallel()
	_, err := tca9548a.New(nil, 0x6F)
	chiptest.OneLine(t, err, "0x6f", "0x70")
	_, err = tca9548a.New(nil, 0x78)
	chiptest.OneLine(t, err, "0x78")
	s := made(t, &chiptest.I2C{})
	for _, n := range []int{-1, 8} {
		_, err := s.Channel(n)
		chiptest.OneLine(t, err, "0 to 7")
	}
	p := tca9548a.Places{Bus: &chiptest.I2C{}, Addresses: []uint16{0x71}, Switch: s, Channels: []int{0}}
	_, err = p.Chips("HT16K33", []int{1, 2}, func(uint16) bool { return true })
	chiptest.OneLine(t, err, "HT16K33", "the switch has the address 0x71 too")
}
