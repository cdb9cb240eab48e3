// Package gpiomatrix reads a matrix of 64 contacts on sixteen GPIO lines: eight are driven, one at a time, and eight are read.
//
// Each square needs a diode of its own, which lets current flow from the line that is read to the one that is driven (when the
// driven one is low): without them three closed corners of a rectangle show the fourth as closed, see package scan.
package gpiomatrix

import (
	"cmp"
	"fmt"
	"time"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// Size is how many lines are driven, and how many are read.
const Size = 8

// DefaultSettle is enough for the resistors in a Pi and a few metres of wire.
const DefaultSettle = 50 * time.Microsecond

// busy is up to where a goroutine that sleeps would sleep far too long.
const busy = 50 * time.Microsecond

// Options say how a matrix is read.
type Options struct {
	Settle  time.Duration       // from driving a line to reading: what the other lines need to recover; 0 for DefaultSettle
	Release time.Duration       // for long wires: no line is driven for so long before the next one is; 0 for not at all
	Swap    bool                // the driven lines are the columns: diodes point the other way
	Wait    func(time.Duration) // nil: wait in earnest
}

// Sensor is a matrix. Wire = row*8 + column, each in the order of its lines. It is a scan.Sensor.
type Sensor struct {
	drive pins.Outputs
	sense pins.Inputs
	o     Options
}

// New is a matrix on lines of which eight are driven and eight read. Driven lines must let go when they are inactive. Close closes
// the lines.
func New(drive pins.Outputs, sense pins.Inputs, o Options) *Sensor {
	if o.Settle <= 0 {
		o.Settle = DefaultSettle
	}
	if o.Wait == nil {
		o.Wait = wait
	}
	return &Sensor{drive, sense, o}
}

// wait keeps the processor while that is shorter than the system takes to wake us.
func wait(d time.Duration) {
	if d > busy {
		time.Sleep(d)
		return
	}
	for began := time.Now(); time.Since(began) < d; {
	}
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{Matrix: true} }

// Setup implements scan.Sensor: it lets go of all lines.
func (s *Sensor) Setup() error { return s.let(0) }

// Read implements scan.Sensor.
func (s *Sensor) Read(r *scan.Reading) error {
	r.Bits = 0
	for i := range Size {
		if i > 0 && s.o.Release > 0 {
			if err := s.let(0); err != nil {
				return err
			}
			s.o.Wait(s.o.Release)
		}
		if err := s.let(1 << i); err != nil {
			return err
		}
		s.o.Wait(s.o.Settle)
		closed, err := s.sense.Get()
		if err != nil {
			return fmt.Errorf("read lines: %w", err)
		}
		r.Bits |= place(i, uint8(closed), s.o.Swap)
	}
	return s.let(0)
}

// place is what the i-th driven line showed, in its wires.
func place(i int, closed uint8, swap bool) (wires uint64) {
	if !swap {
		return uint64(closed) << (Size * i)
	}
	for j := range Size {
		wires |= uint64(closed>>j&1) << (Size*j + i)
	}
	return wires
}

func (s *Sensor) let(lines uint64) error {
	if err := s.drive.Set(lines); err != nil {
		return fmt.Errorf("drive lines: %w", err)
	}
	return nil
}

// Check implements scan.Sensor: lines keep no settings that could be lost.
func (s *Sensor) Check() error { return nil }

// Close implements scan.Sensor.
func (s *Sensor) Close() error { return cmp.Or(s.let(0), s.drive.Close(), s.sense.Close()) }
