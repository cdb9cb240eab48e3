// Package pins gives drivers the GPIO lines of a Raspberry Pi, by the label of their chip and their names or numbers.
package pins

import "time"

// Outputs are lines that are driven together.
type Outputs interface {
	// Set drives line i, in the order in which the lines were asked for, to active where bit i is set, else to inactive.
	Set(active uint64) error
	Close() error
}

// Inputs are lines that are read together.
type Inputs interface {
	// Get has bit i set where line i, in the order in which the lines were asked for, is active.
	Get() (uint64, error)
	Close() error
}

// Alert are inputs that tell when one of them has changed.
type Alert interface {
	Inputs
	// Changed has a value when a line has changed since the last one was taken. What the lines are now, Get says.
	Changed() <-chan struct{}
}

// Options are which lines are asked for, at most 64 of them, and how. As they are asked for, outputs are inactive.
type Options struct {
	Chip      string   // Auto, a label as pinctrl-rp1, or a device
	Lines     []string // as GPIO17 or 17, Broadcom's number and not that of the header's pin, or the name that the kernel has for it
	ActiveLow bool     // active is 0 V

	Float bool // outputs: inactive lines are let go and not driven (open drain when ActiveLow, else open source)

	Pull     Pull          // inputs
	Debounce time.Duration // alerts: an edge counts when the line has been still for so long; 0 for every edge

	Warn func(note string) // hears what ought to be changed in the configuration although it works; may be nil
}

// Pull is the resistor inside the chip that an input has.
type Pull uint8

// AsIs leaves the resistor as it was; NoPull switches it off.
const (
	AsIs Pull = iota
	NoPull
	PullUp
	PullDown
)

// ParsePull reads up, down or off; ok is false for anything else.
func ParsePull(word string) (p Pull, ok bool) {
	switch word {
	case "up":
		return PullUp, true
	case "down":
		return PullDown, true
	case "off":
		return NoPull, true
	}
	return AsIs, false
}
