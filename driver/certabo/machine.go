// Package certabo reads Certabo boards and those of Tabutronic that recognise pieces (Cerno, Spectrum): they send the numbers of
// the chips in the men, all the time and unasked. It is a machine without I/O; a port hands it bytes and time. Reader and Lamps
// are shared with driver/sentio, which speaks the same way. The protocol is described in protocols/certabo.md of the
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

// pauseMs is how long a line may stop in its midst, in milliseconds of a wall clock.
const pauseMs = 1000

// Machine is one board that recognises pieces. Make it with New, or with NewRaw for a recording.
type Machine struct {
	silence int64
	raw     bool // only listen
	pieces  Table

	now    int64
	reader *Reader
	in     []board.Input

	online  bool
	heard   int64 // when the last whole line came
	ballot  ballot
	picture board.Picture
	seen    bool // picture has been said
	lamps   *Lamps

	notes notes.Book
}

// New makes the machine of a live board.
func New(o Options) *Machine {
	scale := max(o.Scale, 1)
	m := &Machine{silence: 4000 * scale, pieces: maps.Clone(o.Pieces), reader: NewReader(ChipNumbers),
		lamps: NewLamps(o.Lamps, scale), notes: notes.Book{Scale: scale}}
	if o.SilenceMs > 0 {
		m.silence = o.SilenceMs * scale
	}
	m.reader.Pause = pauseMs * scale
	m.ballot.clear()
	return m
}

// NewRaw makes a machine for recorded bytes: it decodes as a live one does but writes nothing, and never takes silence for
// loss. Step's wake is 0.
func NewRaw(o Options) *Machine {
	m := New(o)
	m.raw = true
	return m
}

// Adopt implements board.Adopter.
func (m *Machine) Adopt(now int64, p board.Picture) {
	m.now = max(m.now, now)
	m.online, m.heard = true, m.now
	m.ballot.clear()
	for s := range p {
		m.ballot.votes[s].said = p[s]
	}
	m.picture, m.seen = p, true
}

// Step implements board.Driver. What it says depends on bytes and their times alone, never on lights.
func (m *Machine) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	m.now = max(m.now, now)
	m.in = nil
	m.reader.Read(m.now, in, m.line, func(letter byte) { m.lamps.Ack(m.now, letter) })
	if m.raw {
		return m.in, nil, 0
	}
	if m.reader.Other() {
		m.notes.Say(m.now, noteOther, "this board does not recognise pieces: set driver = \"sentio\"")
	}
	if !m.online { // it speaks first
		if m.heard == 0 && !m.reader.Other() {
			wake = m.notes.Await(m.now, noteUnheard, "certabo")
		}
		return m.in, nil, wake
	}
	if m.now >= m.heard+m.silence {
		m.lost()
		return m.in, nil, 0
	}
	out, wake = m.lamps.Write(m.now)
	if gone := m.heard + m.silence; wake == 0 || gone < wake {
		wake = gone
	}
	return m.in, out, max(wake, m.now+1)
}

func (m *Machine) emit(in board.Input) {
	in.T = m.now
	m.in = append(m.in, in)
}

func (m *Machine) lost() {
	m.notes.Say(m.now, noteSilent, "the board has fallen silent: see whether it is switched on and its cable is in")
	m.online, m.seen = false, false
	m.ballot.clear()
	m.emit(board.Input{Kind: board.Link})
}

// line takes the chips of all squares.
func (m *Machine) line(numbers []byte) {
	m.heard = m.now
	if len(m.pieces) == 0 {
		m.notes.Say(m.now, noteNoPieces, "it is not known which chip is in which piece: run boardd calibrate")
	}
	if !m.online {
		m.online = true
		m.lamps.Again()
		m.emit(board.Input{Kind: board.Link, Online: true})
	}
	f := FrameOf(numbers)
	pic, ok := m.ballot.take(&f, m.pieces)
	if !ok || m.seen && pic == m.picture {
		return
	}
	for s, sym := range pic {
		if sym == board.Unknown && m.picture[s] != sym && len(m.pieces) > 0 {
			m.notes.Say(m.now, noteUnknown, "a man whose chip is not known stands on the board: run boardd calibrate if it stays")
		}
	}
	m.picture, m.seen = pic, true
	m.emit(board.Input{Kind: board.Scan, Picture: pic})
}

// Light implements board.Lit.
func (m *Machine) Light(f board.Frame) { m.lamps.Set(f) }

// Info is what is known of the line.
type Info struct {
	Counts
	Lamps LampKind // the lights that the board has, AnyLamps until it has answered
}

// Info is a copy of what is known now.
func (m *Machine) Info() Info { return Info{Counts: m.reader.Counts(), Lamps: m.lamps.Kind()} }
