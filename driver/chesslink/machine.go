// Package chesslink reads boards that speak Millennium's ChessLink: Exclusive, Performance, eONE, and modules such as
// Chesstimation and Elfacun. It is a machine without I/O; a port hands it bytes and time. The protocol is described in
// protocols/chesslink.md of the reference pages.
//
// Port: 38400 baud, 8N1, raw, no flow control. The wire has 7 data bits and odd parity; parity is made and looked at here,
// because some USB adapters do not know it and some boards send it wrong.
//
// The board sees pieces (board.PieceAcuity). It is read every ScanMs, which is the resolution of time: what happens within
// one scan has no order. It reports what it sees at once, also while a man is dragged over squares: it needs the settling of sensing
// (settle_ms as for a home-made board).
package chesslink

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
)

// Baud is the speed of the line.
const Baud = 38400

// ScanMs is how long the board takes to look at all squares once, with the scan time that the machine sets.
const ScanMs = 41

// Options are what may be chosen. The zero value is a board on a wall clock.
type Options struct {
	// SilenceMs without a valid message means that the board is gone. 0 is 5000.
	SilenceMs int64
	// Scale is how many times faster than a wall clock the time given to Step runs. All waits are stretched by it. 0 is 1.
	Scale int64
}

// Waits in milliseconds of a wall clock (protocols/chesslink.md sections 2, 5, 6, 9).
const (
	pauseMs   = 200  // inside a message: the rest will not come
	helloMs   = 2000 // for the version
	answerMs  = 500  // for any other answer
	unacksMs  = 150  // after a pattern of lights to a board that does not say that it has it
	restartMs = 3500 // after a restart, in which the board is deaf
	pollMs    = 1000 // after a status, then one is asked for, also as a sign of life
	hastyMs   = 250  // the same for a board that does not report changes by itself
	awayMs    = 2500 // of silence: the board may have been without power, and its lights are out
)

const (
	helloTries = 3 // then a restart
	otherTries = 2
	lightTries = 3
)

// Machine is one ChessLink board. Make it with New, or with NewRaw for a recording.
type Machine struct {
	silence, scale int64
	raw            bool // only listen

	now   int64
	fresh bool // start from the beginning at the next Step
	dec   Decoder
	in    []board.Input

	online   bool
	heard    int64 // when the last valid message came
	seen     int64 // when the last status came
	phase    phase
	until    int64     // end of the phase restarting
	queue    []command // to be written; none is in it twice
	waiting  command   // the one whose answer has not come; its letter is 0 when there is none
	due      int64     // when to give its answer up
	reports  bool      // the board reports changes by itself
	wrote    bool      // register 02 has been written since the machine began
	picture  board.Picture
	pictured bool
	lamps    lamps

	info  Info
	notes notes.Book
}

type phase uint8

const (
	greeting   phase = iota // the version has been asked for
	restarting              // the board is starting anew, and deaf
	running
)

// New makes the machine of a live board. Its first Step begins the conversation.
func New(o Options) *Machine {
	m := &Machine{silence: orElse(o.SilenceMs, 5000), scale: orElse(o.Scale, 1), fresh: true}
	m.notes.Scale = m.scale
	m.silence *= m.scale
	m.dec.Pause = pauseMs * m.scale
	return m
}

// NewRaw makes a machine for recorded bytes: it decodes as a live one does but asks nothing, writes nothing, and never
// takes silence for loss. Step's wake is 0.
func NewRaw(o Options) *Machine {
	m := New(o)
	m.raw = true
	return m
}

func orElse(v, d int64) int64 {
	if v > 0 {
		return v
	}
	return d
}

// Adopt implements board.Adopter.
func (m *Machine) Adopt(now int64, p board.Picture) {
	m.now = max(m.now, now)
	m.begin()
	m.online, m.phase, m.queue = true, running, m.queue[:0]
	m.picture, m.pictured = p, true
}

// Step implements board.Driver. Out is at most one command; wake is when to call again without bytes.
//
// What it says depends on bytes and their times alone, never on lights: so a recording is read as the live board was.
func (m *Machine) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	m.now = max(m.now, now)
	m.in = nil
	if m.fresh {
		m.begin()
	}
	before := m.dec.Counts().Garbage
	m.dec.Expire(m.now, m.message)
	m.dec.Decode(m.now, in, m.message)
	if m.raw {
		return m.in, nil, 0
	}
	if m.dec.Counts().Garbage != before && m.phase == running {
		m.ask(cmdStatus) // what was lost may have been a change
	}
	m.timers()
	out = m.write()
	return m.in, out, m.wake()
}

// begin is the start-up, of the machine or of a board that has fallen silent.
func (m *Machine) begin() {
	m.fresh = false
	if m.online {
		m.online = false
		m.emit(board.Input{Kind: board.Link})
	}
	m.pictured = false
	m.reports, m.wrote = false, false
	m.heard, m.seen = m.now, m.now
	m.greet()
}

func (m *Machine) emit(in board.Input) {
	in.T = m.now
	m.in = append(m.in, in)
}

// message takes one message of the board.
func (m *Machine) message(msg Message) {
	if m.now-m.heard >= awayMs*m.scale && m.phase == running {
		m.lamps.again()
		m.wrote = false
		m.ask(readRegister(regReports))
	}
	m.heard = m.now
	switch msg.Letter {
	case Status:
		m.arrived()
		m.status(msg.Data)
	case Version:
		m.arrived()
		m.info.Major, m.info.Minor, m.info.VersionKnown = hexByte(msg.Data[:2]), hexByte(msg.Data[2:]), true
	case Register:
		m.register(hexByte(msg.Data[:2]), hexByte(msg.Data[2:]))
	}
	m.answered(msg.Letter)
}

// arrived says that the board is there. A status or a version does: what is shorter may be chance.
func (m *Machine) arrived() {
	if !m.online {
		m.online = true
		m.emit(board.Input{Kind: board.Link, Online: true})
	}
}

// status is the whole board. It is wired as with the cable on White's left; one that lies the other way round is the
// core's to turn, and its lights turn with it.
func (m *Machine) status(data []byte) {
	m.seen = m.now
	var pic board.Picture
	for i, c := range data {
		pic[SquareOf(i)] = board.Symbol(c)
	}
	if m.pictured && pic == m.picture {
		return
	}
	m.picture, m.pictured = pic, true
	m.emit(board.Input{Kind: board.Scan, Picture: pic})
}
