// Package scan reads the sensors of home-made boards: a Sensor gives readings, the engine makes symbols of squares from
// them, and a Map says which wire is which square.
package scan

import "encoding/binary"

// Wires is how many wires a reading has.
const Wires = 64

// Reading is what all sensors say at one time, by wire. Which wire is which square is the Map's to say.
type Reading struct {
	Bits   uint64       // bit i is set when the sensor on wire i sees a magnet; the sensor driver has applied its active level
	Levels [Wires]int32 // analog sensors only: microvolts of wire i
}

// Traits are what the engine must know of a sensor.
type Traits struct {
	Matrix bool // wire = row*8 + column of a matrix, whose closed contacts can show ghosts
	Analog bool // Levels count, not Bits
}

// Sensor is a kind of sensor hardware. Its methods are called from one goroutine.
type Sensor interface {
	Traits() Traits
	// Setup brings the chips from whatever state they are in to the one in which Read works. It is called before the first
	// Read and again after a failure.
	Setup() error
	// Read reads all sensors once. After an error the reading is worth nothing.
	Read(*Reading) error
	// Check reads back, where the hardware can, what Setup has written. An error means that a chip has lost it, or cannot be
	// reached. It is called now and then between two readings.
	Check() error
	// Close lets go of lines and buses that the sensor owns.
	Close() error
}

// Alarm is a Sensor that knows when something has changed; the engine then reads seldom while nothing has.
type Alarm interface {
	// Changed receives when the next Read would differ from the last. A value may come without a change. It is nil when this
	// board has no line for it: then it is as if the Sensor were no Alarm.
	Changed() <-chan struct{}
}

// BitsOf makes readings of eight bytes of pins: bit b of byte n is wire 8n+b. A man is where a pin has the level that is active.
func BitsOf(pins [8]byte, activeHigh bool) uint64 {
	bits := binary.LittleEndian.Uint64(pins[:])
	if !activeHigh {
		bits = ^bits
	}
	return bits
}
