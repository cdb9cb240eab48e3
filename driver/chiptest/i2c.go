package chiptest

import (
	"fmt"
	"sync"
	"syscall"
	"time"

	"periph.io/x/conn/v3/physic"
)

// Chip is an I²C chip as its two wires see it. The bus calls it; tests use what the chips offer besides.
type Chip interface {
	// Start begins a message to the chip, or from it. False: it does not acknowledge its address.
	Start(read bool) bool
	// Put is a byte for the chip. False: it does not acknowledge it.
	Put(b byte) bool
	// Get is the next byte of the chip.
	Get() byte
	// Stop ends the transaction.
	Stop()
}

// I2C is an I²C bus with chips. It is a periph i2c.Bus. Its errors are those of Linux on a Raspberry Pi: EREMOTEIO for
// what nobody acknowledges, ETIMEDOUT for a stuck bus.
type I2C struct {
	Clock *Clock // if there, transactions take time

	mu     sync.Mutex
	chips  []seat
	speed  physic.Frequency
	stuck  bool
	fail   []error
	noise  func(addr uint16, r []byte)
	counts Counts
	heard  [8]Chip
}

type seat struct {
	addr uint16
	chip Chip
}

// Counts say what a bus has carried.
type Counts struct {
	Transactions int // each is a system call on Linux
	Bytes        int // with the address bytes
}

// String implements i2c.Bus.
func (b *I2C) String() string { return "simulated I²C bus" }

// Attach puts a chip on the bus. Several may have the same address: then all listen, and a 0 of any is a 0.
func (b *I2C) Attach(addr uint16, c Chip) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.chips = append(b.chips, seat{addr, c})
}

// SetSpeed implements i2c.Bus.
func (b *I2C) SetSpeed(f physic.Frequency) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.speed = f
	return nil
}

// Stick holds the bus low, or lets it go again: until then every transaction times out.
func (b *I2C) Stick(stuck bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.stuck = stuck
}

// Fail makes the next transactions fail with these errors, one each; nil lets one through.
func (b *I2C) Fail(errs ...error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = append(b.fail, errs...)
}

// Noise lets f spoil what is read from now on, nil ends it.
func (b *I2C) Noise(f func(addr uint16, r []byte)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.noise = f
}

// Counts says what the bus has carried since the last call.
func (b *I2C) Counts() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.counts
	b.counts = Counts{}
	return c
}

// Tx implements i2c.Bus: a message to the chip, a message from it, or both with a repeated start.
func (b *I2C) Tx(addr uint16, w, r []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(w) == 0 && len(r) == 0 {
		return nil // as Linux's i2c-dev through periph: no message, no error
	}
	b.counts.Transactions++
	if b.stuck {
		return fmt.Errorf("simulated I²C: %w", syscall.ETIMEDOUT)
	}
	if len(b.fail) > 0 {
		err := b.fail[0]
		b.fail = b.fail[1:]
		if err != nil {
			return fmt.Errorf("simulated I²C: %w", err)
		}
	}
	if !b.run(addr, w, r) {
		return fmt.Errorf("simulated I²C: %w", syscall.EREMOTEIO)
	}
	if b.noise != nil {
		b.noise(addr, r)
	}
	return nil
}

func (b *I2C) run(addr uint16, w, r []byte) bool {
	chips := b.heard[:0]
	for _, s := range b.chips {
		if s.addr == addr {
			chips = append(chips, s.chip)
		}
		if sw, ok := s.chip.(*TCA9548A); ok {
			chips = sw.behind(addr, chips)
		}
	}
	defer func() {
		for _, c := range chips {
			c.Stop()
		}
	}()
	if len(w) > 0 {
		if !b.start(chips, false) {
			return false
		}
		for _, x := range w {
			if !b.put(chips, x) {
				return false
			}
		}
	}
	if len(r) > 0 {
		if !b.start(chips, true) {
			return false
		}
		for i := range r {
			r[i] = 0xFF
			for _, c := range chips {
				r[i] &= c.Get()
			}
			b.carry()
		}
	}
	return true
}

func (b *I2C) start(chips []Chip, read bool) bool {
	b.carry()
	ack := false
	for _, c := range chips {
		ack = c.Start(read) || ack
	}
	return ack
}

func (b *I2C) put(chips []Chip, x byte) bool {
	b.carry()
	ack := false
	for _, c := range chips {
		ack = c.Put(x) || ack
	}
	return ack
}

// carry counts a byte, and the time that it takes.
func (b *I2C) carry() {
	b.counts.Bytes++
	speed := b.speed
	if speed == 0 {
		speed = 100 * physic.KiloHertz // the Pi's default
	}
	b.Clock.Wait(9 * speed.Period())
}

// power is what all chips share: a supply that can fail.
type power struct {
	mu  sync.Mutex
	off bool
}

// Off takes the supply away: the chip says nothing more, and forgets.
func (p *power) Off() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = true
}

// TCA9548A is a switch with eight I²C channels behind one address.
type TCA9548A struct {
	power
	channels [8][]seat
	control  byte
}

// Attach puts a chip on a channel.
func (s *TCA9548A) Attach(channel int, addr uint16, c Chip) {
	s.channels[channel] = append(s.channels[channel], seat{addr, c})
}

// On gives the switch its supply back: no channel is selected.
func (s *TCA9548A) On() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.off, s.control = false, 0
}

func (s *TCA9548A) behind(addr uint16, chips []Chip) []Chip {
	s.mu.Lock()
	defer s.mu.Unlock()
	for ch, seats := range s.channels {
		if s.off || s.control>>ch&1 == 0 {
			continue
		}
		for _, x := range seats {
			if x.addr == addr {
				chips = append(chips, x.chip)
			}
		}
	}
	return chips
}

// Start implements Chip.
func (s *TCA9548A) Start(bool) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return !s.off
}

// Put implements Chip: the control register, one bit a channel.
func (s *TCA9548A) Put(b byte) bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.off {
		s.control = b
	}
	return !s.off
}

// Get implements Chip.
func (s *TCA9548A) Get() byte {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.off {
		return 0xFF
	}
	return s.control
}

// Stop implements Chip.
func (s *TCA9548A) Stop() {}

// transfer is how long n bytes take on a bus of f.
func transfer(n int, f physic.Frequency) time.Duration {
	if f <= 0 {
		return 0
	}
	return time.Duration(8*n) * f.Period()
}
