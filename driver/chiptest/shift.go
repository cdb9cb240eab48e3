package chiptest

import (
	"sync"

	"periph.io/x/conn/v3/spi"
)

// HC165 is a chain of eight 74HC165 with a contact to ground and a pull-up on each input: bit b of the chip n places from
// MISO is wire 8n+b. It shifts at every clock of its bus, because its clock is never gated.
type HC165 struct {
	power
	Magnets *Magnets
	// LoadCS is the select line to which the load pins are wired, -1 when a pin is used instead.
	LoadCS int
	// Loop wires the far end of the chain to MOSI, else to ground.
	Loop bool
	// Broken is the chip, counted from MISO, from which on nothing comes any more; 0 for none.
	Broken int

	load bool
	bits uint64 // bit 63 is on MISO
}

// Load is the load pin as a GPIO line: active is low, and loads.
func (h *HC165) Load(active uint64) error {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.set(active != 0)
	return nil
}

// On gives the chain its supply back.
func (h *HC165) On() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.off = false
	h.bits = 0x5A3C_0FF0_1234_8421
}

// Select implements Slave.
func (h *HC165) Select(cs int, low bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if cs == h.LoadCS {
		h.set(low)
	}
}

func (h *HC165) set(load bool) {
	h.load = load
	if !load {
		return
	}
	h.bits = 0
	for w := range 64 {
		if !h.Magnets.closed(w) {
			h.bits |= 1 << (63 - w/8*8 - (7 - w%8))
		}
	}
	if h.Broken > 0 {
		h.bits &= ^uint64(0) << (64 - 8*h.Broken)
	}
}

// Shift implements Slave. The chip shifts at the rising edge; where the master samples at the other one after it (mode 1),
// everything comes a bit too late.
func (h *HC165) Shift(mode spi.Mode, mosi byte) (miso, drives byte) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.off {
		return 0, 0
	}
	for i := range 8 {
		if mode&spi.Mode3 != spi.Mode1 {
			miso = miso<<1 | byte(h.bits>>63)
		}
		if !h.load {
			h.bits <<= 1
			if h.Loop {
				h.bits |= uint64(mosi >> (7 - i) & 1)
			}
			if h.Broken > 0 {
				h.bits &= ^uint64(0) << (64 - 8*h.Broken)
			}
		}
		if mode&spi.Mode3 == spi.Mode1 {
			miso = miso<<1 | byte(h.bits>>63)
		}
	}
	return miso, 0xFF
}

// HC595 is a 74HC595 whose outputs appear when its select line rises. Its far end can be wired to MISO.
type HC595 struct {
	power
	CS int
	// ReadBack wires the far end to MISO.
	ReadBack bool
	// Outputs hears each byte that appears on the outputs.
	Outputs func(byte)

	mu2      sync.Mutex
	selected bool
	shifted  byte
}

// On gives the chip its supply back, with chance in its register.
func (h *HC595) On() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.off, h.shifted = false, 0xA7
}

// Select implements Slave.
func (h *HC595) Select(cs int, low bool) {
	h.mu2.Lock()
	defer h.mu2.Unlock()
	if cs != h.CS {
		return
	}
	if h.selected && !low && !h.dead() {
		h.Outputs(h.shifted)
	}
	h.selected = low
}

func (h *HC595) dead() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.off
}

// Shift implements Slave. The chip has no gate on its clock: it shifts with every byte on the bus.
func (h *HC595) Shift(mode spi.Mode, mosi byte) (miso, drives byte) {
	h.mu2.Lock()
	defer h.mu2.Unlock()
	if h.dead() || mode&spi.Mode3 == spi.Mode1 || mode&spi.Mode3 == spi.Mode2 {
		return 0, 0
	}
	miso, h.shifted = h.shifted, mosi
	if h.ReadBack {
		drives = 0xFF
	}
	return miso, drives
}
