// Package hc595gpio reads boards with a matrix whose rows a 74HC595 shift register drives over SPI and whose columns are GPIO
// lines. Data sheet: Nexperia 74HC595.
package hc595gpio

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"time"

	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// How the port must be opened: the clock in Hz, and the mode. The latch (RCLK) goes to the select line.
const (
	MaxHz = 5_000_000
	Mode  = 0
)

// Options say how a board is built.
type Options struct {
	Columns pins.Inputs // eight lines, active over a magnet when their row is driven
	// RowsHigh: the row that is read is at the supply and the others at 0 V, as for transistors that feed Hall sensors.
	// Otherwise it is at 0 V and the others at the supply, which needs a diode on each square.
	RowsHigh bool
	// ReadBack: the far end of the register (QH') goes to MISO. Every row then shows whether the one before was taken.
	ReadBack bool
	Settle   time.Duration       // how long a row is driven before the columns are read
	Wait     func(time.Duration) // nil: time.Sleep
}

// Sensor is a board. It is a scan.Sensor.
type Sensor struct {
	o    Options
	conn spi.Conn
	sent byte // what the register holds
	w, r [1]byte
}

// New is a board on an SPI port. It takes over the port and the lines, and closes them. It does not speak to them yet.
func New(conn spi.Conn, o Options) (*Sensor, error) {
	switch {
	case conn == nil:
		return nil, errors.New("74HC595: there is no SPI port")
	case o.Columns == nil:
		return nil, errors.New("74HC595: there are no columns")
	case o.Settle < 0:
		return nil, fmt.Errorf("74HC595: a time to settle of %v", o.Settle)
	}
	if o.Wait == nil {
		o.Wait = time.Sleep
	}
	return &Sensor{o: o, conn: conn}, nil
}

// Traits implements scan.Sensor.
func (s *Sensor) Traits() scan.Traits { return scan.Traits{Matrix: true} }

// Rows is the byte that selects one row of 0 to 7, bit 7 for QH; any other row selects none.
func Rows(row int, high bool) byte {
	b := byte(0)
	if row >= 0 && row < 8 {
		b = 1 << row
	}
	if !high {
		b = ^b
	}
	return b
}

// none is the row that is no row.
const none = 8

// Setup implements scan.Sensor: no row is driven.
func (s *Sensor) Setup() error {
	if err := s.send(none); err != nil {
		return err
	}
	return s.Check()
}

// Check implements scan.Sensor. With ReadBack it shows whether the register is there; without, only that the port works.
func (s *Sensor) Check() error {
	for range 2 { // two different bytes: a wire that hangs at one level would pass for the other
		for _, row := range [2]int{0, none} {
			if err := s.row(row); err != nil {
				return err
			}
		}
	}
	return nil
}

// Read implements scan.Sensor.
func (s *Sensor) Read(r *scan.Reading) error {
	var columns [8]byte
	for row := range columns {
		if err := s.row(row); err != nil {
			return err
		}
		s.o.Wait(s.o.Settle)
		c, err := s.o.Columns.Get()
		if err != nil {
			return fmt.Errorf("74HC595: columns: %w", err)
		}
		columns[row] = byte(c)
	}
	if err := s.row(none); err != nil {
		return err
	}
	r.Bits = scan.BitsOf(columns, true)
	return nil
}

// row drives one row, and makes sure that the register held what was sent before.
func (s *Sensor) row(row int) error {
	before := s.sent
	if err := s.send(row); err != nil {
		return err
	}
	if s.o.ReadBack && s.r[0] != before {
		return fmt.Errorf("74HC595: the register gave back %02x and not %02x: check its supply and its wires", s.r[0], before)
	}
	return nil
}

func (s *Sensor) send(row int) error {
	s.sent = Rows(row, s.o.RowsHigh)
	s.w[0] = s.sent
	if err := s.conn.Tx(s.w[:], s.r[:]); err != nil {
		return fmt.Errorf("74HC595: %w", err)
	}
	return nil
}

// Close implements scan.Sensor.
func (s *Sensor) Close() error {
	var errs []error
	errs = append(errs, s.o.Columns.Close())
	if c, ok := s.conn.(io.Closer); ok {
		errs = append(errs, c.Close())
	}
	return cmp.Or(errs...) // the first that failed: an error is one line
}
