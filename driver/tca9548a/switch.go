// Package tca9548a reaches I²C chips, directly or behind a TCA9548A: a switch with eight channels, on which chips may stand
// that have the same address. Data sheet: Texas Instruments SCPS207.
package tca9548a

import (
	"fmt"
	"slices"
	"sync"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
)

// First and Last are the addresses that the switch can have.
const (
	First = 0x70
	Last  = 0x77
)

// Switch is a TCA9548A. It may be used from several goroutines: sensors and lights can stand behind the same one.
type Switch struct {
	bus  i2c.Bus
	addr uint16

	mu  sync.Mutex
	now int // the channel that is selected, none when it is not known
	buf *[2]byte
}

const none = -1

// New is the switch at an address, 0x70 to 0x77, on a bus. It does not speak to it yet.
func New(bus i2c.Bus, addr uint16) (*Switch, error) {
	if addr < First || addr > Last {
		return nil, fmt.Errorf("a TCA9548A has an address from %#02x to %#02x, not %#02x", First, Last, addr)
	}
	return &Switch{bus: bus, addr: addr, now: none, buf: new([2]byte)}, nil
}

// String names the switch for errors.
func (s *Switch) String() string { return fmt.Sprintf("TCA9548A at %#02x", s.addr) }

// Channel is the bus behind channel n, 0 to 7. It is selected before each transaction, if it is not yet.
func (s *Switch) Channel(n int) (i2c.Bus, error) {
	if n < 0 || n > 7 {
		return nil, fmt.Errorf("a TCA9548A has channels 0 to 7, not %d", n)
	}
	return &channel{s, n}, nil
}

// Check reads back which channel is selected. It is an error if that is not the one that was.
func (s *Switch) Check() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	if err := s.bus.Tx(s.addr, nil, s.buf[1:]); err != nil {
		s.now = none
		return fmt.Errorf("%v: %w", s, err)
	}
	if s.now != none && s.buf[1] != 1<<s.now {
		err := fmt.Errorf("%v has channels %08b open, not %08b: was its power cut?", s, s.buf[1], 1<<s.now)
		s.now = none
		return err
	}
	return nil
}

// forget makes the next transaction select its channel anew.
func (s *Switch) forget() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.now = none
}

// channel is an i2c.Bus.
type channel struct {
	s *Switch
	n int
}

func (c *channel) String() string { return fmt.Sprintf("channel %d of the %v", c.n, c.s) }

func (c *channel) SetSpeed(f physic.Frequency) error { return c.s.bus.SetSpeed(f) }

// Tx implements i2c.Bus. After an error nobody knows whether the switch is as it was.
func (c *channel) Tx(addr uint16, w, r []byte) error {
	c.s.mu.Lock()
	defer c.s.mu.Unlock()
	if c.s.now != c.n {
		c.s.buf[0] = 1 << c.n
		c.s.now = none
		if err := c.s.bus.Tx(c.s.addr, c.s.buf[:1], nil); err != nil {
			return fmt.Errorf("%v: %w", c.s, err)
		}
		c.s.now = c.n
	}
	err := c.s.bus.Tx(addr, w, r)
	if err != nil {
		c.s.now = none
	}
	return err
}

// Places are the chips of a board: their addresses in the order of their wires, and the channels on which they stand when
// they are behind a switch.
type Places struct {
	Bus       i2c.Bus
	Addresses []uint16
	Switch    *Switch // nil: all are on the bus itself
	Channels  []int   // with a switch: the channel of each
}

// Chip is one chip in its place.
type Chip struct {
	kind string
	addr uint16
	bus  i2c.Bus
}

// Chips makes chips of a kind, such as "MCP23017". There must be one of the given numbers of them, at addresses for which ok.
func (p *Places) Chips(kind string, numbers []int, ok func(addr uint16) bool) ([]Chip, error) {
	switch {
	case p.Bus == nil:
		return nil, fmt.Errorf("%s: there is no bus", kind)
	case !slices.Contains(numbers, len(p.Addresses)):
		return nil, fmt.Errorf("%s: wants %s devices, not %d", kind, or(numbers), len(p.Addresses))
	case p.Switch == nil && len(p.Channels) > 0:
		return nil, fmt.Errorf("%s: there are channels, but no address of a switch", kind)
	case p.Switch != nil && len(p.Channels) != len(p.Addresses):
		return nil, fmt.Errorf("%s: %d devices have %d channels: give each its own", kind, len(p.Addresses), len(p.Channels))
	}
	chips := make([]Chip, len(p.Addresses))
	for i, addr := range p.Addresses {
		if !ok(addr) {
			return nil, fmt.Errorf("%s: there is none with the address %#02x", kind, addr)
		}
		chips[i] = Chip{kind, addr, p.Bus}
		if p.Switch == nil {
			if slices.Index(p.Addresses, addr) != i {
				return nil, fmt.Errorf("%s: two have the address %#02x", kind, addr)
			}
			continue
		}
		if addr == p.Switch.addr {
			return nil, fmt.Errorf("%s: the switch has the address %#02x too", kind, addr)
		}
		for j := range i {
			if p.Addresses[j] == addr && p.Channels[j] == p.Channels[i] {
				return nil, fmt.Errorf("%s: two have the address %#02x on channel %d", kind, addr, p.Channels[i])
			}
		}
		bus, err := p.Switch.Channel(p.Channels[i])
		if err != nil {
			return nil, err
		}
		chips[i].bus = bus
	}
	return chips, nil
}

// Forget makes the switch, if there is one, select its channel anew: what it last was told may be lost.
func (p *Places) Forget() {
	if p.Switch != nil {
		p.Switch.forget()
	}
}

// Check checks the switch, if there is one.
func (p *Places) Check() error {
	if p.Switch == nil {
		return nil
	}
	return p.Switch.Check()
}

// Tx writes w to the chip, then reads r. Both must lie on the heap. The error names the chip.
func (c *Chip) Tx(w, r []byte) error {
	if err := c.bus.Tx(c.addr, w, r); err != nil {
		return fmt.Errorf("%v: %w", c, err)
	}
	return nil
}

// String names the chip for errors: its kind, address and channel.
func (c *Chip) String() string {
	if ch, ok := c.bus.(*channel); ok {
		return fmt.Sprintf("%s at %#02x on %v", c.kind, c.addr, ch)
	}
	return fmt.Sprintf("%s at %#02x", c.kind, c.addr)
}

// or is "4 or 8".
func or(numbers []int) string {
	text := ""
	for i, n := range numbers {
		if i > 0 {
			text += " or "
		}
		text += fmt.Sprint(n)
	}
	return text
}
