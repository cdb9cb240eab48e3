package chiptest

import "sync/atomic"

// PCA9555 is a PCA9555 or TCA9555 with its pull-ups of 100 kΩ, or without them a TCA9535.
type PCA9555 struct {
	power
	world   World
	pullUps bool
	regs    [8]byte // 0,1 are read from the pins
	pointer byte
	first   bool
	chance  uint64
	driven  [16]Level
	now     uint16 // the pins when the transaction began
	prev    uint16
	int     atomic.Bool
}

// NewPCA9555 is a chip that has just got its supply.
func NewPCA9555(w World, pullUps bool) *PCA9555 {
	p := &PCA9555{world: w, pullUps: pullUps}
	p.reset()
	return p
}

func (p *PCA9555) reset() {
	p.regs = [8]byte{2: 0xFF, 3: 0xFF, 6: 0xFF, 7: 0xFF}
	p.pointer = 0
	p.drive()
	p.prev = p.pins()
	p.int.Store(false)
}

// On gives the chip its supply back.
func (p *PCA9555) On() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = false
	p.reset()
}

// Leave writes a register as another program might have left it.
func (p *PCA9555) Leave(addr, value byte) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.regs[addr] = value
	p.drive()
}

// Register is what stands in a register.
func (p *PCA9555) Register(addr byte) byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.regs[addr]
}

// Start implements Chip.
func (p *PCA9555) Start(read bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.first = !read; read {
		p.now = p.pins()
	}
	return !p.off
}

// Put implements Chip. The pointer goes to and fro within a pair of registers.
func (p *PCA9555) Put(b byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	switch {
	case p.off:
	case p.first:
		p.pointer, p.first = b&7, false
	default:
		if p.pointer > 1 {
			p.regs[p.pointer] = b
		}
		p.pointer ^= 1
		p.drive()
	}
	return !p.off
}

// Get implements Chip.
func (p *PCA9555) Get() byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.off {
		return 0xFF
	}
	b := p.regs[p.pointer]
	if p.pointer < 2 {
		p.prev = p.now
		p.int.Store(false)
		b = byte(p.prev>>(8*p.pointer)) ^ p.regs[4+p.pointer]
	}
	p.pointer ^= 1
	return b
}

// Stop implements Chip.
func (p *PCA9555) Stop() {}

// Watch lets the chip compare its inputs with what was read last.
func (p *PCA9555) Watch() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.int.Store(!p.off && p.pins() != p.prev)
}

// Interrupt is whether INT is asserted.
func (p *PCA9555) Interrupt() bool { return p.int.Load() }

func (p *PCA9555) drive() {
	for i := range p.driven {
		switch port, bit := i/8, i%8; {
		case p.regs[6+port]>>bit&1 != 0:
			p.driven[i] = Float
		case p.regs[2+port]>>bit&1 != 0:
			p.driven[i] = High
		default:
			p.driven[i] = Low
		}
	}
	p.world.Drive(&p.driven)
}

func (p *PCA9555) pins() uint16 {
	p.chance++
	var v uint16
	for i, d := range p.driven {
		if d == Float {
			d = p.world.Level(i)
		}
		if read(d, p.pullUps, (p.chance+uint64(i)*5)%3 == 0) {
			v |= 1 << i
		}
	}
	return v
}

// PCF8574 is a PCF8574 or PCF8574A, or when wide a PCF8575: no registers, only pins that are low or weakly high.
type PCF8574 struct {
	power
	world  World
	wide   bool
	latch  uint16
	n      int
	driven [16]Level
}

// NewPCF8574 is a chip that has just got its supply.
func NewPCF8574(w World, wide bool) *PCF8574 {
	p := &PCF8574{world: w, wide: wide}
	p.set(0xFFFF)
	return p
}

// On gives the chip its supply back: all pins are weakly high.
func (p *PCF8574) On() {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.off = false
	p.set(0xFFFF)
}

// Leave pulls pins low whose bits are 0, as another program might have.
func (p *PCF8574) Leave(latch uint16) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.set(latch)
}

func (p *PCF8574) set(latch uint16) {
	p.latch = latch
	for i := range p.driven {
		p.driven[i] = Float
		if latch>>i&1 == 0 {
			p.driven[i] = Low
		}
	}
	p.world.Drive(&p.driven)
}

// Start implements Chip.
func (p *PCF8574) Start(bool) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.n = 0
	return !p.off
}

// Put implements Chip.
func (p *PCF8574) Put(b byte) bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.off {
		return false
	}
	shift := p.turn()
	p.set(p.latch&^(0xFF<<shift) | uint16(b)<<shift)
	return true
}

// Get implements Chip.
func (p *PCF8574) Get() byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.off {
		return 0xFF
	}
	shift := p.turn()
	var v byte
	for i := range 8 {
		d := p.driven[shift+i]
		if d == Float {
			d = p.world.Level(shift + i)
		}
		if read(d, true, true) {
			v |= 1 << i
		}
	}
	return v
}

// turn is the first pin of the port whose turn it is.
func (p *PCF8574) turn() int {
	shift := 0
	if p.wide {
		shift = p.n % 2 * 8
	}
	p.n++
	return shift
}

// Stop implements Chip.
func (p *PCF8574) Stop() {}
