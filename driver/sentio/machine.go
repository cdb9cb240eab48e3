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

// pauseMs is how long a line may stop in its midst, in milliseconds of a wall clock.
const pauseMs = 1000

// What this driver may have to say.
const (
	noteSilent notes.Kind = iota
	noteOther
	noteUnheard
)

// Machine is one Sentio. Make it with New, or with NewRaw for a recording.
type Machine struct {
	silence int64
	raw     bool // only listen

	now    int64
	reader *certabo.Reader
	in     []board.Input

	online  bool
	heard   int64 // when the last whole line came
	picture board.Picture
	seen    bool          // picture has been said
	doubted board.Picture // by the last line, which changed more than one square
	lamps   *certabo.Lamps
	notes   notes.Book
}

// New makes the machine of a live board.
func New(o Options) *Machine {
	scale := max(o.Scale, 1)
	m := &Machine{silence: 4000 * scale, reader: certabo.NewReader(certabo.RankNumbers), lamps: certabo.NewLamps(o.Lamps, scale),
		notes: notes.Book{Scale: scale}}
	if o.SilenceMs > 0 {
		m.silence = o.SilenceMs * scale
	}
	m.reader.Pause = pauseMs * scale
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
		m.notes.Once(m.now, noteOther, "this board recognises pieces: set driver = \"certabo\"")
	}
	if !m.online { // it speaks first
		if m.heard == 0 && !m.reader.Other() {
			wake = m.notes.Await(m.now, noteUnheard, "sentio")
		}
		return m.in, nil, wake
	}
	if m.now >= m.heard+m.silence {
		m.online, m.seen, m.doubted = false, false, board.Picture{}
		m.notes.Say(m.now, noteSilent, "the board has fallen silent: see whether it is switched on and its cable is in")
		m.emit(board.Input{Kind: board.Link})
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

// line takes a number for each rank, the eighth first; the highest bit is file a, which is the other way round than in the
// patterns of lights.
func (m *Machine) line(numbers []byte) {
	m.heard = m.now
	if !m.online {
		m.online = true
		m.lamps.Again()
		m.emit(board.Input{Kind: board.Link, Online: true})
	}
	pic := board.EmptyPicture()
	for i, n := range numbers {
		for file := range 8 {
			if n>>(7-file)&1 == 1 {
				pic[rules.NewSquare(file, 7-i)] = board.Something
			}
		}
	}
	if m.seen && pic == m.picture {
		m.doubted = board.Picture{}
		return
	}
	if (!m.seen || changes(&pic, &m.picture) > 1) && pic != m.doubted {
		m.doubted = pic
		return
	}
	m.doubted = board.Picture{}
	m.picture, m.seen = pic, true
	m.emit(board.Input{Kind: board.Scan, Picture: pic})
}

// changes is how many squares of two pictures differ.
func changes(a, b *board.Picture) (n int) {
	for s := range a {
		if a[s] != b[s] {
			n++
		}
	}
	return n
}

// Light implements board.Lit.
func (m *Machine) Light(f board.Frame) { m.lamps.Set(f) }

// Info is what is known of the line.
func (m *Machine) Info() certabo.Info {
	return certabo.Info{Counts: m.reader.Counts(), Lamps: m.lamps.Kind()}
}

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (m *Machine) Notes() []string { return m.notes.Take() }
