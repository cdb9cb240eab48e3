// Package matrix lights a plain matrix of LEDs of one colour: a line for each row and one for each column, of which one row is on at a
// time, so fast that the eye sees all. The lines may be GPIO lines or the outputs of shift registers.
package matrix

import (
	"fmt"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

// Lines are the lines of the matrix, the rows' first and then the columns'. Set drives line i high where bit i is set, else low.
type Lines interface {
	Set(high uint64) error
}

// Options of a Display. What is not set has its default.
type Options struct {
	Layout     order.Layout
	Rows       int  // LED n is in row n/(LEDs of a row); default 8
	RowsLow    bool // a row is on while its line is low; so it is with common cathodes
	ColumnsLow bool // a column is on while its line is low
	// Slot is how long each row is on; default 1.5 ms, which shows 8 rows 83 times a second.
	Slot time.Duration
}

// retry is how long lines that fail are left alone.
const retry = 250 * time.Millisecond

// Display is one matrix. While it is dark nothing is sent.
type Display struct {
	lines   Lines
	layout  order.Layout
	columns int
	off     uint64 // all lines as they are when nothing is on
	slot    time.Duration

	mu    sync.Mutex
	words []uint64 // what the lines are while each row's turn lasts
	err   error    // since the last frame
	stop  chan struct{}
	done  chan struct{}
}

var _ board.Lights = (*Display)(nil)

// New makes a display. It sends nothing yet.
func New(lines Lines, o Options) (*Display, error) {
	if o.Rows == 0 {
		o.Rows = 8
	}
	if o.Slot == 0 {
		o.Slot = 1500 * time.Microsecond
	}
	if o.Layout.Count == 0 || o.Rows < 1 || o.Layout.Count%o.Rows != 0 {
		return nil, fmt.Errorf("matrix: %d LEDs are not in %d rows", o.Layout.Count, o.Rows)
	}
	columns := o.Layout.Count / o.Rows
	if o.Rows+columns > 64 {
		return nil, fmt.Errorf("matrix: %d rows and %d columns are more than 64 lines", o.Rows, columns)
	}
	d := &Display{lines: lines, layout: o.Layout, columns: columns, slot: o.Slot, words: make([]uint64, o.Rows)}
	if o.RowsLow {
		d.off |= 1<<o.Rows - 1
	}
	if o.ColumnsLow {
		d.off |= (1<<columns - 1) << o.Rows
	}
	return d, nil
}

// Show shows a frame until the next. Its error may be one since the frame before.
func (d *Display) Show(f board.Frame) error { return d.ShowLEDs(d.layout.Spread(f)) }

// ShowLEDs shows single LEDs in the order in which they are wired.
func (d *Display) ShowLEDs(leds []board.RGB) error {
	lit, _ := order.Lit(leds, 1)
	words := make([]uint64, len(d.words))
	dark := true
	for i := range words {
		words[i] = d.off
	}
	for i, on := range lit[:min(len(lit), d.layout.Count)] {
		if on {
			row := i / d.columns
			words[row] = words[row]&^(1<<row) | ^d.off&(1<<row)
			column := uint64(1) << (len(words) + i%d.columns)
			words[row] = words[row]&^column | ^d.off&column
			dark = false
		}
	}
	d.mu.Lock()
	d.words = words
	err := d.err
	d.err = nil
	d.mu.Unlock()
	switch {
	case dark:
		d.rest()
		if e := d.lines.Set(d.off); e != nil {
			err = e
		}
	case d.stop == nil:
		d.stop, d.done = make(chan struct{}), make(chan struct{})
		go d.scan(d.stop, d.done)
	}
	if err != nil {
		return fmt.Errorf("matrix: %w", err)
	}
	return nil
}

// rest ends the scan, if there is one.
func (d *Display) rest() {
	if d.stop != nil {
		close(d.stop)
		<-d.done
		d.stop = nil
	}
}

// scan gives each row its turn.
func (d *Display) scan(stop, done chan struct{}) {
	defer close(done)
	timer := time.NewTimer(0)
	defer timer.Stop()
	set, known := uint64(0), false
	for row := 0; ; row++ {
		select {
		case <-stop:
			return
		case <-timer.C:
		}
		d.mu.Lock()
		word := d.words[row%len(d.words)]
		d.mu.Unlock()
		pause := d.slot
		if !known || word != set { // several dark rows are one
			err := d.lines.Set(word)
			set, known = word, err == nil
			if err != nil {
				d.mu.Lock()
				d.err = err
				d.mu.Unlock()
				pause = retry
			}
		}
		timer.Reset(pause)
	}
}

// Close darkens the display; the lines stay open.
func (d *Display) Close() error { return d.Show(board.Frame{}) }
