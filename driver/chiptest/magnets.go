// Package chiptest plays the chips of home-made boards for tests: whole chips behind periph's bus interfaces, with their
// registers, their power and what is wired to them. A test moves magnets and pulls plugs; a driver under test sees what
// it would see on a bench.
package chiptest

import (
	"math/bits"
	"sync"
)

// Level is what a wire does: it is pulled to ground, pulled to the supply, or left alone.
type Level uint8

const (
	Float Level = iota // nobody drives it; what is read there is a pull's doing, or chance
	Low
	High
)

// Magnets are what lies on the sensors, by wire 0 to 63. They may be moved while a driver reads.
type Magnets struct {
	mu      sync.Mutex
	on      uint64
	chatter uint64  // wires that bounce,
	bounce  [64]int // for so many samples more
}

// Set lays magnets on exactly the wires whose bits are set.
func (m *Magnets) Set(on uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.on = on
}

// Flip lifts the magnets of these wires that are there and lays those that are not.
func (m *Magnets) Flip(wires uint64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.on ^= wires
}

// On are the wires with a magnet, whatever bounces.
func (m *Magnets) On() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.on
}

// Bounce makes the contacts of these wires chatter: of the next samples of each, every other one is wrong. Expanders take one
// sample of a pin in a transaction.
func (m *Magnets) Bounce(wires uint64, samples int) {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.chatter |= wires; samples <= 0 {
		m.chatter &^= wires
	}
	for ; wires != 0; wires &= wires - 1 {
		m.bounce[bits.TrailingZeros64(wires)] = samples
	}
}

// closed samples the contact of one wire.
func (m *Magnets) closed(wire int) bool { return m.sample(1<<wire) != 0 }

// sample samples the contacts of these wires.
func (m *Magnets) sample(wires uint64) uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	now := m.on
	for b := wires & m.chatter; b != 0; b &= b - 1 {
		w := bits.TrailingZeros64(b)
		m.bounce[w]--
		now ^= uint64(m.bounce[w]&1) << w
		if m.bounce[w] == 0 {
			m.chatter &^= 1 << w
		}
	}
	return now & wires
}

// World is what the pins of a chip are wired to.
type World interface {
	// Drive says what the chip puts on its pins; inputs float.
	Drive(pins *[16]Level)
	// Level is what the world puts on a pin.
	Level(pin int) Level
}

// Reeds is the world of a chip with a contact to ground on each pin: pin i is wire First+i.
type Reeds struct {
	Magnets *Magnets
	First   int
}

// Drive implements World: reeds do not care.
func (r Reeds) Drive(*[16]Level) {}

// Level implements World.
func (r Reeds) Level(pin int) Level {
	if r.First+pin < 64 && r.Magnets.closed(r.First+pin) {
		return Low
	}
	return Float
}

// Halls is the world of a chip with a push-pull Hall switch on each pin: high over a magnet, else low. Pin i is wire First+i.
type Halls struct {
	Magnets *Magnets
	First   int
}

// Drive implements World: the sensors do not listen.
func (h Halls) Drive(*[16]Level) {}

// Level implements World.
func (h Halls) Level(pin int) Level {
	if h.First+pin < 64 && h.Magnets.closed(h.First+pin) {
		return High
	}
	return Low
}

// read is what a chip reads on a pin: what is driven, or the pull, or for a pin that floats the given chance.
func read(l Level, pullUp, chance bool) bool {
	switch {
	case l == Low:
		return false
	case l == High || pullUp:
		return true
	}
	return chance
}
