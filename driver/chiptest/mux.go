package chiptest

import (
	"math/bits"
	"sync"
	"time"
)

// Mux is one or several analog switches (74HC4067, CD4051) with common address lines. A new address takes Tau by Clock to
// reach the common pins, and Tau more for each further line that changes with it; until then they show the old channel.
type Mux struct {
	Clock *Clock
	Tau   time.Duration

	mu       sync.Mutex
	now, old int
	from     time.Duration
	most     int
}

// SetAddress drives the address lines, bit i line i. It is a pins.Outputs' Set.
func (m *Mux) SetAddress(address uint64) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if changed := bits.OnesCount64(address ^ uint64(m.now)); changed > 0 {
		m.most = max(m.most, changed)
		m.old, m.now = m.now, int(address)
		m.from = m.Clock.Now() + time.Duration(changed)*m.Tau
	}
	return nil
}

// Channel is the channel that the common pins show.
func (m *Mux) Channel() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	if m.Clock.Now() < m.from {
		return m.old
	}
	return m.now
}

// MostLines is how many address lines have changed at once, at most.
func (m *Mux) MostLines() int {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.most
}

// Commons is what the common pins of the switches show when contacts to ground are on the channels: bit n is set where
// switch n is low. Channel c of switch n is wire n*channels+c. It is a pins.Inputs' Get for lines that are active low.
func (m *Mux) Commons(magnets *Magnets, channels int) func() (uint64, error) {
	return func() (uint64, error) {
		var low uint64
		for n := range 64 / channels {
			if magnets.closed(n*channels + m.Channel()) {
				low |= 1 << n
			}
		}
		return low, nil
	}
}

// Outputs are GPIO lines as drivers see them. Set hears every change; CloseErr is what Close says.
type Outputs struct {
	OnSet    func(active uint64) error
	Closed   bool
	CloseErr error
}

// Set implements pins.Outputs.
func (o *Outputs) Set(active uint64) error { return o.OnSet(active) }

// Close implements pins.Outputs.
func (o *Outputs) Close() error {
	o.Closed = true
	return o.CloseErr
}

// Inputs are GPIO lines as drivers see them.
type Inputs struct {
	OnGet    func() (uint64, error)
	Closed   bool
	CloseErr error
}

// Get implements pins.Inputs.
func (i *Inputs) Get() (uint64, error) { return i.OnGet() }

// Close implements pins.Inputs.
func (i *Inputs) Close() error {
	i.Closed = true
	return i.CloseErr
}
