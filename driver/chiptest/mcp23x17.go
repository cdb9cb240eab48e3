package chiptest

import (
	"sync/atomic"

	"periph.io/x/conn/v3/spi"
)

// Registers of the MCP23x17 with IOCON.BANK = 0; A and B by turns.
const (
	mcpIODIR   = 0x00
	mcpIPOL    = 0x02
	mcpGPINTEN = 0x04
	mcpDEFVAL  = 0x06
	mcpINTCON  = 0x08
	mcpIOCON   = 0x0A
	mcpGPPU    = 0x0C
	mcpINTF    = 0x0E
	mcpINTCAP  = 0x10
	mcpGPIO    = 0x12
	mcpOLAT    = 0x14

	ioBANK   = 0x80
	ioMIRROR = 0x40
	ioSEQOP  = 0x20
	ioHAEN   = 0x08
	ioODR    = 0x04
	ioINTPOL = 0x02
)

// MCP23x17 is the inside of an MCP23017 or MCP23S17: 22 registers and 16 pins.
type MCP23x17 struct {
	power
	world   World
	regs    [22]byte // by their addresses with BANK = 0
	pointer byte
	chance  uint64
	driven  [16]Level
	now     uint16 // the pins when the transaction began
	prev    uint16 // what the interrupt compares with
	int     atomic.Bool
}

func (m *MCP23x17) init(w World) {
	m.world = w
	m.reset()
}

func (m *MCP23x17) reset() {
	m.regs = [22]byte{mcpIODIR: 0xFF, mcpIODIR + 1: 0xFF}
	m.pointer = 0
	m.int.Store(false)
	m.drive()
	m.now = m.pins()
	m.prev = m.now
}

// On gives the chip its supply back: all registers are as after power-on.
func (m *MCP23x17) On() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.off = false
	m.reset()
}

// Register is what stands in a register, by its address with BANK = 0.
func (m *MCP23x17) Register(addr byte) byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.regs[addr]
}

// Leave writes a register as another program might have left it, by its address with BANK = 0.
func (m *MCP23x17) Leave(addr, value byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.write(addr, value)
}

// Watch lets the chip look at its pins once, as its silicon always does: a change may pull INT.
func (m *MCP23x17) Watch() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.now = m.pins()
	m.watch()
}

// Interrupt is whether INTA, or with MIRROR any INT, is asserted.
func (m *MCP23x17) Interrupt() bool { return m.int.Load() }

// register turns an address on the wire to one with BANK = 0.
func (m *MCP23x17) register(addr byte) byte {
	if m.regs[mcpIOCON]&ioBANK == 0 {
		return addr
	}
	if addr&0x0F > 0x0A || addr > 0x1A {
		return 0xFF
	}
	return addr&0x0F<<1 | addr>>4
}

func (m *MCP23x17) next() {
	switch bank, seq := m.regs[mcpIOCON]&ioBANK != 0, m.regs[mcpIOCON]&ioSEQOP == 0; {
	case bank && seq:
		if m.pointer++; m.pointer&0x0F > 0x0A {
			m.pointer &= 0xF0
			m.pointer ^= 0x10
		}
	case seq:
		m.pointer = (m.pointer + 1) % 22
	case !bank:
		m.pointer ^= 1
	}
}

func (m *MCP23x17) write(addr, v byte) {
	switch {
	case addr >= 22 || addr >= mcpINTF && addr < mcpGPIO: // not there, or cannot be written
	case addr == mcpIOCON || addr == mcpIOCON+1:
		m.regs[mcpIOCON], m.regs[mcpIOCON+1] = v&^1, v&^1
	case addr == mcpGPIO || addr == mcpGPIO+1:
		m.regs[addr-mcpGPIO+mcpOLAT] = v
	default:
		m.regs[addr] = v
	}
	m.drive()
}

func (m *MCP23x17) read(addr byte) byte {
	if addr >= 22 {
		return 0
	}
	switch addr {
	case mcpGPIO, mcpGPIO + 1:
		m.watch()
		port := addr - mcpGPIO
		m.clear(port, byte(m.now>>(8*port)))
		return byte(m.now>>(8*port)) ^ m.regs[mcpIPOL+port]
	case mcpINTCAP, mcpINTCAP + 1:
		port := addr - mcpINTCAP
		v := m.regs[addr]
		m.clear(port, byte(m.now>>(8*port)))
		return v
	}
	return m.regs[addr]
}

// clear ends an interrupt of a port, and compares with what its pins are now.
func (m *MCP23x17) clear(port, now byte) {
	m.regs[mcpINTF+port] = 0
	m.prev = m.prev&^(0xFF<<(8*port)) | uint16(now)<<(8*port)
	m.int.Store(m.regs[mcpINTF] != 0 || m.regs[mcpINTF+1] != 0)
}

func (m *MCP23x17) watch() {
	if m.off {
		return
	}
	for port := byte(0); port < 2; port++ {
		now, was := byte(m.now>>(8*port)), byte(m.prev>>(8*port))
		against := was&^m.regs[mcpINTCON+port] | m.regs[mcpDEFVAL+port]&m.regs[mcpINTCON+port]
		flags := (now ^ against) & m.regs[mcpGPINTEN+port]
		if m.regs[mcpINTF+port] == 0 && flags != 0 {
			m.regs[mcpINTF+port] = flags
			m.regs[mcpINTCAP+port] = now ^ m.regs[mcpIPOL+port]
		}
	}
	m.int.Store(m.regs[mcpINTF] != 0 || m.regs[mcpINTF+1] != 0)
}

func (m *MCP23x17) drive() {
	for p := range m.driven {
		port, bit := p/8, p%8
		switch {
		case m.regs[mcpIODIR+port]>>bit&1 != 0:
			m.driven[p] = Float
		case m.regs[mcpOLAT+port]>>bit&1 != 0:
			m.driven[p] = High
		default:
			m.driven[p] = Low
		}
	}
	m.world.Drive(&m.driven)
}

// pins is what the pins are, before polarity.
func (m *MCP23x17) pins() uint16 {
	m.chance++
	var v uint16
	for p, d := range m.driven {
		if d == Float {
			d = m.world.Level(p)
		}
		if read(d, m.regs[mcpGPPU+p/8]>>(p%8)&1 != 0, (m.chance+uint64(p)*5)%3 == 0) {
			v |= 1 << p
		}
	}
	return v
}

// MCP23017 is the I²C chip.
type MCP23017 struct {
	MCP23x17
	first bool
}

// NewMCP23017 is a chip that has just got its supply.
func NewMCP23017(w World) *MCP23017 {
	m := new(MCP23017)
	m.init(w)
	return m
}

// Start implements Chip.
func (m *MCP23017) Start(read bool) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.first = !read; read {
		m.now = m.pins()
	}
	return !m.off
}

// Put implements Chip.
func (m *MCP23017) Put(b byte) bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	switch {
	case m.off:
	case m.first:
		m.pointer, m.first = b, false
	default:
		at := m.pointer
		m.next()
		m.write(m.register(at), b)
	}
	return !m.off
}

// Get implements Chip.
func (m *MCP23017) Get() byte {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.off {
		return 0xFF
	}
	b := m.read(m.register(m.pointer))
	m.next()
	return b
}

// Stop implements Chip.
func (m *MCP23017) Stop() {}

// MCP23S17 is the SPI chip with its address pins.
type MCP23S17 struct {
	MCP23x17
	CS      int
	Address byte // A2 A1 A0
	// OldA2 is silicon that, before HAEN, looks at A2 all the same.
	OldA2    bool
	selected bool
	n        int
	opcode   byte
}

// NewMCP23S17 is a chip that has just got its supply.
func NewMCP23S17(cs int, address byte, w World) *MCP23S17 {
	m := &MCP23S17{CS: cs, Address: address}
	m.init(w)
	return m
}

// Select implements Slave.
func (m *MCP23S17) Select(cs int, on bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if cs != m.CS {
		return
	}
	if m.selected, m.n = on, 0; on {
		m.now = m.pins()
	}
}

func (m *MCP23S17) mine(opcode byte) bool {
	address := byte(0)
	switch {
	case m.regs[mcpIOCON]&ioHAEN != 0:
		address = m.Address
	case m.OldA2:
		address = m.Address & 4
	}
	return opcode&^1 == 0x40|address<<1
}

// Shift implements Slave.
func (m *MCP23S17) Shift(mode spi.Mode, mosi byte) (miso, drives byte) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.off || !m.selected || mode&spi.Mode3 == spi.Mode1 || mode&spi.Mode3 == spi.Mode2 {
		return 0, 0
	}
	m.n++
	switch {
	case m.n == 1:
		m.opcode = mosi
		return 0, 0
	case !m.mine(m.opcode):
		return 0, 0
	case m.n == 2:
		m.pointer = mosi
		return 0, 0
	}
	at := m.register(m.pointer)
	m.next()
	if m.opcode&1 != 0 {
		return m.read(at), 0xFF
	}
	m.write(at, mosi)
	return 0, 0
}
