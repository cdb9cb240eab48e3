// Package pins gives drivers the GPIO lines of a Raspberry Pi, by the label of their chip and their names or numbers.
package pins

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
