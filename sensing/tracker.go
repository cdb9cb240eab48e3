// Package sensing turns what a board's sensors said into moves: it keeps several explanations of what the hands did, each a
// line of legal plies and the men as they physically stand, and says which is likeliest and how much of it is sure.
package sensing

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options say what board is read.
type Options struct {
	Acuity     board.Acuity
	SettleMs   int64 // a square that keeps a symbol this long is settled; 0 for boards that debounce themselves
	Resolution int64 // order of changes within so many milliseconds means nothing (a DGT scan: 250); 0 for boards read at once
}

// Tracker reads one board through one game. It is not safe for concurrent use.
type Tracker struct{}

// New tracks from a position with which the board is taken to agree until a scan says otherwise.
func New(o Options, start rules.Position) *Tracker { panic("not yet") }

// Observe takes a Change, Scan or Wake in board squares that are already turned; other kinds only advance time.
func (t *Tracker) Observe(in board.Input) {}

// NextWake is when the tracker's opinion may change by time alone; 0 for never.
func (t *Tracker) NextWake() int64 { return 0 }

// Report is the present opinion. Its slices are valid until the next call to Observe.
func (t *Tracker) Report() Report { return Report{} }

// Supports is how many plies of line, from its beginning, at least one surviving explanation still contains.
func (t *Tracker) Supports(line []rules.Move) int { return 0 }

// Confirm says that line is true (a command, a clock press, a choice): explanations that contradict it are dropped. Plies beyond
// it stay open. If none agrees, the tracker starts anew from line's end and compares with what the board shows.
func (t *Tracker) Confirm(line []rules.Move) {}

// Restart begins a new game from a position, the sensors being taken as they are.
func (t *Tracker) Restart(start rules.Position) {}

// Picture is what the settled sensors say.
func (t *Tracker) Picture() board.Picture { return board.EmptyPicture() }

// Flush settles open bounces: the recording ends here.
func (t *Tracker) Flush() {}
