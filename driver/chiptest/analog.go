package chiptest

import (
	"sync"
	"time"

	"periph.io/x/conn/v3/spi"
)

// Field is what linear Hall sensors say of the magnets above them: microvolts by wire.
type Field struct {
	mu sync.Mutex
	uv [64]int32
}

// Set sets the voltage of one wire.
func (f *Field) Set(wire int, microvolts int32) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.uv[wire] = microvolts
}

// At is the voltage of one wire.
func (f *Field) At(wire int) int32 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.uv[wire]
}

// MCP3008 is the converter with eight inputs of 10 bits.
type MCP3008 struct {
	power
	CS        int
	Reference int32                 // microvolts
	Input     func(input int) int32 // microvolts
	selected  bool
	clocks    int // since the start bit, which is 1
	command   byte
	value     uint16
}

// On gives the converter its supply back.
func (m *MCP3008) On() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.off = false
}

// Select implements Slave.
func (m *MCP3008) Select(cs int, low bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if cs == m.CS {
		m.selected, m.clocks, m.command = low, 0, 0
	}
}

// Shift implements Slave: a start bit, four bits of command, the sample, a null bit, and ten bits of value.
func (m *MCP3008) Shift(mode spi.Mode, mosi byte) (miso, drives byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.off || !m.selected || mode&spi.Mode3 == spi.Mode1 || mode&spi.Mode3 == spi.Mode2 {
		return 0, 0
	}
	for i := 7; i >= 0; i-- {
		in := mosi >> i & 1
		if m.clocks == 0 && in == 0 {
			continue
		}
		m.clocks++
		switch c := m.clocks; {
		case c >= 2 && c <= 5:
			m.command = m.command<<1 | in
		case c == 6:
			m.value = m.convert()
		case c == 7:
			drives |= 1 << i
		case c >= 8 && c <= 17:
			drives |= 1 << i
			miso |= byte(m.value>>(17-c)&1) << i
		}
	}
	return miso, drives
}

func (m *MCP3008) convert() uint16 {
	uv := int64(m.Input(int(m.command & 7)))
	if m.command&8 == 0 {
		uv -= int64(m.Input(int(m.command&7 ^ 1))) // differential
	}
	return uint16(min(max(uv*1024/int64(m.Reference), 0), 1023))
}

// ADS1115 is the converter with four inputs of 16 bits on I²C.
type ADS1115 struct {
	power
	Clock   *Clock
	Input   func(input int) int32 // microvolts
	config  uint16
	value   int16
	pointer byte
	n       int
	until   time.Duration
	busy    bool
	in      [3]byte
}

// NewADS1115 is a converter that has just got its supply.
func NewADS1115(clock *Clock, input func(int) int32) *ADS1115 {
	return &ADS1115{Clock: clock, Input: input, config: 0x8583}
}

// On gives the converter its supply back.
func (a *ADS1115) On() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.off, a.config, a.value, a.pointer, a.busy = false, 0x8583, 0, 0, false
}

// Start implements Chip.
func (a *ADS1115) Start(bool) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.n = 0
	return !a.off
}

// Put implements Chip.
func (a *ADS1115) Put(b byte) bool {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.off {
		return false
	}
	if a.n < len(a.in) {
		a.in[a.n] = b
	}
	switch a.n++; a.n {
	case 1:
		a.pointer = b & 3
	case 3:
		if a.pointer == 1 {
			a.settle()
			a.config = uint16(a.in[1])<<8 | uint16(b)
			if a.config&0x8000 != 0 {
				// Its clock may be a tenth slow.
				rates := [8]int64{8, 16, 32, 64, 128, 250, 475, 860}
				a.until = a.Clock.Now() + time.Duration(int64(time.Second)*11/10/rates[a.config>>5&7])
				a.busy = true
			}
		}
	}
	return true
}

// settle ends a conversion whose time has come.
func (a *ADS1115) settle() {
	if !a.busy || a.Clock.Now() < a.until {
		return
	}
	a.busy = false
	full := [8]int64{6144000, 4096000, 2048000, 1024000, 512000, 256000, 256000, 256000}[a.config>>9&7]
	var uv int64
	if mux := a.config >> 12 & 7; mux >= 4 {
		uv = int64(a.Input(int(mux - 4)))
	} else {
		pair := [4][2]int{{0, 1}, {0, 3}, {1, 3}, {2, 3}}[mux]
		uv = int64(a.Input(pair[0])) - int64(a.Input(pair[1]))
	}
	a.value = int16(min(max(uv*32768/full, -32768), 32767))
}

// Get implements Chip.
func (a *ADS1115) Get() byte {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.off {
		return 0xFF
	}
	a.settle()
	v := uint16(a.value)
	if a.pointer == 1 {
		v = a.config &^ 0x8000
		if !a.busy {
			v |= 0x8000
		}
	}
	a.n++
	if a.n%2 == 1 {
		return byte(v >> 8)
	}
	return byte(v)
}

// Stop implements Chip.
func (a *ADS1115) Stop() {}
