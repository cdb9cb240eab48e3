package chiptest

import (
	"fmt"
	"sync"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
)

// Slave is a chip on an SPI bus. It hears all clocks and looks at its own select line.
type Slave interface {
	// Select is the select line of a number going low, or high again.
	Select(cs int, low bool)
	// Shift is eight clocks: the byte that the chip puts on MISO, and for which bits it drives the wire at all.
	Shift(mode spi.Mode, mosi byte) (miso, drives byte)
}

// SPI is an SPI bus with chips: one wire out, one in, one clock, and as many select lines as there are ports.
type SPI struct {
	Clock *Clock // if there, transfers take time

	mu     sync.Mutex
	slaves []Slave
	idle   byte
	fights int
	fail   []error
	counts Counts
}

// Attach puts a chip on the bus.
func (b *SPI) Attach(s Slave) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.slaves = append(b.slaves, s)
}

// Fail makes the next transactions fail with these errors, one each; nil lets one through.
func (b *SPI) Fail(errs ...error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.fail = append(b.fail, errs...)
}

// Idle sets what is read where no chip drives MISO; 0 at first.
func (b *SPI) Idle(miso byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.idle = miso
}

// Fights is how many bytes two chips have driven against each other.
func (b *SPI) Fights() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.fights
}

// Counts says what the bus has carried since the last call.
func (b *SPI) Counts() Counts {
	b.mu.Lock()
	defer b.mu.Unlock()
	c := b.counts
	b.counts = Counts{}
	return c
}

// Port is the bus with one select line, as /dev/spidevB.CS is.
func (b *SPI) Port(cs int) *Port { return &Port{bus: b, cs: cs} }

// Port is a periph spi.PortCloser and spi.Conn.
type Port struct {
	bus       *SPI
	cs        int
	connected bool
	closed    bool
	mode      spi.Mode
	speed     physic.Frequency
	one       [1]spi.Packet
}

// String implements spi.Port.
func (p *Port) String() string { return fmt.Sprintf("simulated SPI port %d", p.cs) }

// Close implements spi.PortCloser.
func (p *Port) Close() error {
	p.closed = true
	return nil
}

// Closed is whether Close has been called.
func (p *Port) Closed() bool { return p.closed }

// LimitSpeed implements spi.PortCloser.
func (p *Port) LimitSpeed(f physic.Frequency) error {
	p.speed = f
	return nil
}

// Connect implements spi.Port, with the limits of periph's sysfs ports: once, and at 100 Hz or more.
func (p *Port) Connect(f physic.Frequency, mode spi.Mode, bits int) (spi.Conn, error) {
	switch {
	case p.connected:
		return nil, fmt.Errorf("%v: Connect can only be called once", p)
	case f < 100*physic.Hertz || f > physic.GigaHertz:
		return nil, fmt.Errorf("%v: speed %v", p, f)
	case bits != 8 || mode&^spi.Mode3 != 0:
		return nil, fmt.Errorf("%v: mode %v with %d bits is not simulated", p, mode, bits)
	}
	p.connected, p.mode = true, mode
	if p.speed == 0 || f < p.speed {
		p.speed = f
	}
	return p, nil
}

// Mode is the mode that the driver has asked for.
func (p *Port) Mode() spi.Mode { return p.mode }

// Speed is the clock that the driver has asked for.
func (p *Port) Speed() physic.Frequency { return p.speed }

// Duplex implements conn.Conn.
func (p *Port) Duplex() conn.Duplex { return conn.Full }

// Tx implements conn.Conn.
func (p *Port) Tx(w, r []byte) error {
	p.one[0] = spi.Packet{W: w, R: r}
	return p.TxPackets(p.one[:])
}

// TxPackets implements spi.Conn: the select line goes up between packets that do not keep it.
func (p *Port) TxPackets(packets []spi.Packet) error {
	p.bus.mu.Lock()
	defer p.bus.mu.Unlock()
	p.bus.counts.Transactions++
	if len(p.bus.fail) > 0 {
		err := p.bus.fail[0]
		p.bus.fail = p.bus.fail[1:]
		if err != nil {
			return fmt.Errorf("%v: %w", p, err)
		}
	}
	selected := false
	for i, k := range packets {
		if len(k.W) != len(k.R) && len(k.W) != 0 && len(k.R) != 0 {
			return fmt.Errorf("%v: %d bytes to write and %d to read in one packet", p, len(k.W), len(k.R))
		}
		if !selected {
			p.bus.choose(p.cs, true)
			selected = true
		}
		for j := range max(len(k.W), len(k.R)) {
			var out byte
			if j < len(k.W) {
				out = k.W[j]
			}
			in := p.bus.shift(p.mode, out, p.speed)
			if j < len(k.R) {
				k.R[j] = in
			}
		}
		if !k.KeepCS && i < len(packets)-1 {
			p.bus.choose(p.cs, false)
			selected = false
		}
	}
	p.bus.choose(p.cs, false)
	return nil
}

func (b *SPI) choose(cs int, low bool) {
	for _, s := range b.slaves {
		s.Select(cs, low)
	}
}

func (b *SPI) shift(mode spi.Mode, mosi byte, speed physic.Frequency) byte {
	b.counts.Bytes++
	b.Clock.Wait(transfer(1, speed))
	in, driven := b.idle, byte(0)
	for _, s := range b.slaves {
		miso, drives := s.Shift(mode, mosi)
		if driven&drives != 0 {
			b.fights++
		}
		driven |= drives
		in = in&^drives | miso&drives
	}
	return in
}
