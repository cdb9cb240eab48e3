package main

import (
	"fmt"
	"io"
	"sync"

	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/driver/tca9548a"
)

// switches are the TCA9548A that this process speaks to. Sensors and lights behind the same one must share it: who does not know which
// channel the other has selected writes to chips that are not meant.
type switches struct {
	mu   sync.Mutex
	open map[string]*sharedSwitch
}

type sharedSwitch struct {
	*tca9548a.Switch
	bus   i2c.BusCloser
	users int
}

// shared are those of the program.
var shared switches

// use gives the switch at an address of a bus, which is opened for the first who asks. Close of the second result says that the switch is
// not used any more, and lets go of the bus after the last.
func (s *switches) use(path string, addr uint16, open func(path string) (i2c.BusCloser, error)) (*sharedSwitch, io.Closer, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	key := fmt.Sprintf("%s %#02x", path, addr)
	x := s.open[key]
	if x == nil {
		bus, err := open(path)
		if err != nil {
			return nil, nil, err
		}
		x = &sharedSwitch{bus: bus}
		if x.Switch, err = tca9548a.New(bus, addr); err != nil {
			_ = bus.Close()
			return nil, nil, err
		}
		if s.open == nil {
			s.open = map[string]*sharedSwitch{}
		}
		s.open[key] = x
	}
	x.users++
	return x, closing(sync.OnceValue(func() error {
		s.mu.Lock()
		defer s.mu.Unlock()
		if x.users--; x.users > 0 {
			return nil
		}
		delete(s.open, key)
		return x.bus.Close()
	})), nil
}

// switchedBus is the bus before a shared switch; Close says that the switch is not used any more.
type switchedBus struct {
	i2c.Bus
	*tca9548a.Switch
	io.Closer
}

func (b *switchedBus) String() string { return b.Bus.String() }

// closing is a Close.
type closing func() error

func (c closing) Close() error { return c() }
