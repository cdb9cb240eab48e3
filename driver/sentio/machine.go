// Package sentio reads the Tabutronic Sentio, which sees where men stand and not which they are: it sends the squares that
// have one, all the time and unasked. It is a machine without I/O; a port hands it bytes and time. The text and the
// lights are those of driver/certabo. The protocol is described in protocols/certabo.md of the reference pages, section 7.
//
// Port: 38400 baud, 8N1, raw, no flow control; DTR does not matter.
//
// The board's acuity is board.Presence. How often it sends is not known for sure; FrameMs is the resolution of time to
// reckon with. A change of one square is said at once, more of them when the next line agrees: nothing else tells a line that
// has lost a digit. It needs the settling of sensing.
package sentio

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/rules"
)

// Baud is the speed of the line.
const Baud = certabo.Baud

// FrameMs is how far apart lines are at most: what happens between two has no order.
const FrameMs = certabo.FrameMs

// Options are what may be chosen. The zero value is a board on a wall clock.
type Options struct {
	// Lamps is which lights the board has: the Sentio has single ones, which the board's answers show too.
	Lamps certabo.LampKind
	// SilenceMs without a whole line means that the board is gone. 0 is 4000.
	SilenceMs int64
	// Scale is how many times faster than a wall clock the time given to Step runs. All waits are stretched by it. 0 is 1.
	Scale int64
}

// Machine is one Sentio. Make it with New, or with NewRaw for a recording.
type Machine struct{ *certabo.Talk }

// New makes the machine of a live board.
func New(o Options) *Machine { return machine(o, false) }

// NewRaw makes a machine for recorded bytes: it decodes as a live one does but writes nothing, and never takes silence for
// loss. Step's wake is 0.
func NewRaw(o Options) *Machine { return machine(o, true) }

func machine(o Options, raw bool) *Machine {
	return &Machine{certabo.NewTalk(certabo.Kind{
		Driver: "sentio", Numbers: certabo.RankNumbers, Other: `this board recognises pieces: set driver = "certabo"`, Eyes: &eyes{},
	}, certabo.TalkOptions{Lamps: o.Lamps, SilenceMs: o.SilenceMs, Scale: o.Scale, Raw: raw})}
}

// eyes believe a line that changes one square at once, any other when the next one agrees.
type eyes struct {
	picture board.Picture
	seen    bool          // picture has been told
	doubted board.Picture // by the last line, which changed more than one square
}

// Line implements certabo.Eyes. It takes a number for each rank, the eighth first; the highest bit is file a, which is the other way
// round than in the patterns of lights.
func (e *eyes) Line(_ int64, numbers []byte, _ *notes.Book) (board.Picture, bool) {
	pic := board.EmptyPicture()
	for i, n := range numbers {
		for file := range 8 {
			if n>>(7-file)&1 == 1 {
				pic[rules.NewSquare(file, 7-i)] = board.Something
			}
		}
	}
	doubted := e.doubted
	e.doubted = board.Picture{}
	switch {
	case e.seen && pic == e.picture:
		return pic, false
	case (!e.seen || changes(&pic, &e.picture) > 1) && pic != doubted:
		e.doubted = pic
		return pic, false
	}
	e.picture, e.seen = pic, true
	return pic, true
}

// Adopt implements certabo.Eyes.
func (e *eyes) Adopt(p board.Picture) { e.picture, e.seen = p, true }

// Forget implements certabo.Eyes.
func (e *eyes) Forget() { e.seen, e.doubted = false, board.Picture{} }

// changes is how many squares of two pictures differ.
func changes(a, b *board.Picture) (n int) {
	for s := range a {
		if a[s] != b[s] {
			n++
		}
	}
	return n
}
