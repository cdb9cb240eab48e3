// Package certabo reads Certabo boards and those of Tabutronic that recognise pieces (Cerno, Spectrum): they send the numbers of
// the chips in the men, all the time and unasked. It is a machine without I/O; a port hands it bytes and time. Talk is
// shared with driver/sentio, which speaks the same way. The protocol is described in protocols/certabo.md of the
// reference pages.
//
// Port: 38400 baud, 8N1, raw, no flow control; DTR does not matter.
//
// The board sees pieces (board.PieceAcuity) once Learn has learnt which chip is in which; a chip that is not known reads
// as board.Unknown. It sends a line about every FrameMs, which is the resolution of time. What most of the last three
// lines say counts, so the board settles by itself (settle_ms 0) and a man is seen two lines after it was set down.
package certabo

import (
	"maps"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
)

// Baud is the speed of the line.
const Baud = 38400

// FrameMs is about how far apart lines are: one fills the wire for most of that time.
const FrameMs = 300

// Options are what may be chosen. The zero value is a board on a wall clock whose chips have never been learnt.
type Options struct {
	// Pieces says which chip is in which piece. With an empty one all men are unknown.
	Pieces Table
	// Lamps is which lights the board has.
	Lamps LampKind
	// SilenceMs without a whole line means that the board is gone. 0 is 4000.
	SilenceMs int64
	// Scale is how many times faster than a wall clock the time given to Step runs. All waits are stretched by it. 0 is 1.
	Scale int64
}

// Machine is one board that recognises pieces. Make it with New, or with NewRaw for a recording.
type Machine struct{ *Talk }

// New makes the machine of a live board.
func New(o Options) *Machine { return machine(o, false) }

// NewRaw makes a machine for recorded bytes: it decodes as a live one does but writes nothing, and never takes silence for
// loss. Step's wake is 0.
func NewRaw(o Options) *Machine { return machine(o, true) }

func machine(o Options, raw bool) *Machine {
	e := &eyes{pieces: maps.Clone(o.Pieces)}
	e.Forget()
	return &Machine{NewTalk(Kind{
		Driver: "certabo", Numbers: ChipNumbers, Other: `this board does not recognise pieces: set driver = "sentio"`, Eyes: e,
	}, TalkOptions{Lamps: o.Lamps, SilenceMs: o.SilenceMs, Scale: o.Scale, Raw: raw})}
}

// eyes take what most of the last lines say of a square for what stands there.
type eyes struct {
	pieces  Table
	ballot  ballot
	picture board.Picture
	seen    bool // picture has been told
}

// What they have to say.
const (
	noteNoPieces = NoteEyes + iota
	noteUnknown
)

// Line implements Eyes: it takes the chips of all squares.
func (e *eyes) Line(now int64, numbers []byte, book *notes.Book) (board.Picture, bool) {
	if len(e.pieces) == 0 {
		book.Say(now, noteNoPieces, "it is not known which chip is in which piece: run boardd calibrate")
	}
	f := FrameOf(numbers)
	pic, ok := e.ballot.take(&f, e.pieces)
	if !ok || e.seen && pic == e.picture {
		return pic, false
	}
	for s, sym := range pic {
		if sym == board.Unknown && e.picture[s] != sym && len(e.pieces) > 0 {
			book.Say(now, noteUnknown, "a man whose chip is not known stands on the board: run boardd calibrate if it stays")
		}
	}
	e.picture, e.seen = pic, true
	return pic, true
}

// Adopt implements Eyes.
func (e *eyes) Adopt(p board.Picture) {
	e.ballot.clear()
	for s := range p {
		e.ballot.votes[s].said = p[s]
	}
	e.picture, e.seen = p, true
}

// Forget implements Eyes.
func (e *eyes) Forget() {
	e.seen = false
	e.ballot.clear()
}
