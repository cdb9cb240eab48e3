// Package dgt reads the DGT electronic board over a serial line: USB, or Bluetooth as /dev/rfcomm. It is a machine
// without I/O; a port hands it bytes and time. The protocol is described in protocols/dgt.md of the reference pages.
package dgt

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/rules"
)

// ScanMs is how long the board takes to look at all squares once: the order of changes closer together means nothing.
const ScanMs = 250

// Options are what may be chosen. The zero value is a board on a wall clock.
type Options struct {
	// SettleMs is how long no square must have changed before a dump is asked for, and before one is believed. It is
	// longer than a scan, Bluetooth boards included. 0 is 500.
	SettleMs int64
	// SilenceMs without a valid message means that the board is gone. 0 is 10,000.
	SilenceMs int64
	// Bus says that the board is on a line with others, in bus mode (protocols/dgt.md section 11). Address is its serial number
	// as a number, 1 to 16383; 0 takes the lowest of those that answer.
	Bus     bool
	Address int
	// Scale is how many times faster than a wall clock the time given to Step runs. The waits that belong to the wire
	// are stretched by it; SettleMs, which belongs to hands, is not. 0 is 1.
	Scale int64
}

// Waits of the wire, in milliseconds of a wall clock (protocols/dgt.md sections 3, 4, 9).
const (
	paceMs      = 100    // between two commands: the board's command buffer is small
	pauseMs     = 500    // inside a message: its rest may be that of another
	answerMs    = 1500   // for an answer
	helloTries  = 3      // then a board too old to know its version is assumed
	keepAliveMs = 1000   // of silence, then something is asked
	awayMs      = 2000   // of silence: a question went unanswered, so the board may have been without power and must be told again to send
	watchMs     = 10000  // between two dumps: a board that does not say its changes would not be noticed otherwise
	probeMs     = 3000   // of silence, then the position is asked for: the one question that every board answers
	batteryMs   = 300000 // between questions about a battery that has answered once
)

// Machine is one DGT board. Make it with New, or with NewRaw for a recording.
type Machine struct {
	settle, silence, scale int64
	raw                    bool // only listen

	now   int64
	fresh bool // start from the beginning at the next Step
	dec   Decoder
	in    []board.Input

	online    bool
	heard     int64 // when the last valid message came
	phase     phase
	began     int64 // when the phase began
	hello     int   // how often the version has been asked for
	helloDue  int64
	queue     []byte // commands to be written; none is in it twice
	nextWrite int64
	nextAsk   int64 // keep-alive not before
	nextPower int64

	mirror   board.Picture  // by rules.Square; 0 is not known
	pictured bool           // a dump has been believed
	special  rules.Bitboard // squares with a special piece
	moved    int64          // when a square last changed
	doubted  int64          // when the mirror last became doubtful
	damaged  bool           // something was lost just now
	changed  [64]int64      // when each square last changed
	verify   bool           // the mirror wants a dump
	asked    bool           // a dump has been asked for and has not come
	dumpDue  int64          // when to give up waiting for them
	missed   int            // in a row
	dumped   int64          // when the last one came
	unlikely board.Picture  // what the last one showed, if it must be said twice
	told     int            // how often the board has been told to say its changes since it began

	clock  clockFilter
	orders orders
	lights lights
	memory memory
	bus    *bus // nil: single-board mode
	info   Info
	notes  notes.Book
}

type phase uint8

const (
	greeting phase = iota // the version has been asked for
	running
)

// New makes the machine of a live board. Its first Step begins the conversation.
func New(o Options) *Machine {
	m := &Machine{settle: orElse(o.SettleMs, 500), silence: orElse(o.SilenceMs, 10_000), scale: orElse(o.Scale, 1), fresh: true}
	m.notes.Scale = m.scale
	m.silence *= m.scale
	m.dec.Pause = pauseMs * m.scale
	if o.Bus {
		m.bus, m.dec.Bus = &bus{wanted: o.Address}, true
	}
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

// Reset forgets the board's state, for a port that was closed or opened again. The next Step says that the link is
// down if it was up, and begins anew. What Info counts goes on.
func (m *Machine) Reset() { m.fresh = true }

// Adopt implements board.Adopter.
func (m *Machine) Adopt(now int64, p board.Picture) {
	m.now = max(m.now, now)
	m.begin()
	m.online, m.phase, m.queue = true, running, m.queue[:0]
	m.nextAsk = m.now + keepAliveMs*m.scale
	m.mirror, m.pictured = p, true
}

// Step implements board.Driver. Out is at most one command; wake is when to call again without bytes.
func (m *Machine) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	m.now = max(m.now, now)
	m.in = nil
	if m.fresh {
		m.begin()
	}
	before := m.dec.Counts()
	m.dec.Decode(m.now, in, m.message)
	if after := m.dec.Counts(); after.Garbage != before.Garbage || after.Late != before.Late {
		m.doubt() // what was lost may have been a change
		m.damaged = m.bus == nil && m.pictured
		if m.bus != nil {
			m.bus.news = true // or the answers of two boards at once
		}
	}
	if m.raw {
		return m.in, nil, 0
	}
	if m.dec.InLog() && len(in) > 0 {
		m.heard = m.now
	}
	m.playMemory()
	if m.bus != nil {
		out, wake = m.converse(len(in) > 0)
		return m.in, out, wake
	}
	m.timers()
	out = m.write()
	return m.in, out, m.wake()
}

// begin is the start-up, of the machine or of a board that has fallen silent.
func (m *Machine) begin() {
	m.fresh = false
	m.lost()
	m.dec.Drop()
	m.forget()
	m.mirror, m.pictured, m.special = [64]board.Symbol{}, false, 0
	m.moved, m.doubted, m.verify = m.now-m.settle, m.now-m.settle, false
	m.asked, m.missed, m.told = false, 0, 0
	m.clock = clockFilter{}
	m.orders.interrupted()
	m.lights = lights{want: m.lights.want, given: m.lights.given}
	m.phase, m.began, m.hello, m.heard = greeting, m.now, 0, m.now
	if m.bus != nil {
		m.bus = &bus{wanted: m.bus.wanted}
	}
	m.queue = append(m.queue[:0], cmdReset, cmdVersion)
	m.nextWrite = max(m.nextWrite, m.now)
}

func (m *Machine) lost() {
	if m.online {
		m.online = false
		m.emit(board.Input{Kind: board.Link})
	}
}

func (m *Machine) emit(in board.Input) {
	in.T = m.now
	m.in = append(m.in, in)
}

// hear is a sign of life.
func (m *Machine) hear() {
	m.heard = m.now
	if !m.online {
		m.online = true
		m.emit(board.Input{Kind: board.Link, Online: true})
	}
}

// message takes one message of the board.
func (m *Machine) message(msg Message) {
	if m.bus != nil {
		m.busMessage(msg)
		return
	}
	if !known(msg.ID) {
		m.info.Unknown++
		return
	}
	if m.phase == running && m.now-m.heard >= awayMs*m.scale {
		m.ask(cmdUpdateNice)
	}
	m.hear()
	p := msg.Payload
	switch msg.ID {
	case FieldUpdate:
		m.update(p[0], p[1])
	case BoardDump:
		m.dump(p)
	case ClockTimes:
		m.clockMessage(p)
	case Version:
		m.info.Major, m.info.Minor = p[0], p[1]
		if m.phase == greeting && !m.raw {
			m.greeted()
		}
	case HardwareVersion:
		m.info.HardwareMajor, m.info.HardwareMinor = p[0], p[1]
	case Serial:
		m.info.Serial = printable(p)
	case LongSerial:
		m.info.LongSerial = printable(p)
		m.identified()
	case BatteryStatus:
		m.battery(p)
	case BusAddress:
		m.info.BusAddress = int(p[0])<<7 | int(p[1])
	case Trademark:
		m.info.Trademark = printable(p)
	case DraughtsBlack, DraughtsWhite:
		m.draughts()
	case EEMoves:
		m.remember(p)
	}
}

// update is one square that now reads another code.
func (m *Machine) update(field, code byte) {
	sq := SquareOf(field)
	sym, special, ok := SymbolOf(code)
	if sq == rules.NoSquare || !ok {
		m.info.BadCodes++
		m.doubt()
		return
	}
	m.moved, m.changed[sq] = m.now, m.now
	m.verify = true
	m.mark(sq, special, code)
	if m.memory.keeps(sq, sym) || m.mirror[sq] == sym {
		return
	}
	m.mirror[sq] = sym
	m.emit(board.Input{Kind: board.Change, Square: sq, Symbol: sym})
}

func (m *Machine) draughts() {
	m.notes.Say(m.now, noteDraughts, "this is a draughts board of 10x10 squares, which boardd does not play on")
}

// mark keeps account of special pieces, which the position does not show.
func (m *Machine) mark(sq rules.Square, special bool, code byte) {
	if !special {
		m.special &^= sq.Bit()
		return
	}
	if m.special&sq.Bit() == 0 {
		m.info.Specials++
		m.notes.Say(m.now, noteSpecial, "a special piece ("+specialNames[code-firstSpecial]+") stands on "+sq.String()+"; the position leaves it out")
	}
	m.special |= sq.Bit()
}

func (m *Machine) battery(p []byte) {
	b, ok := DecodeBattery(p)
	if !ok {
		m.info.BadCodes++
		return
	}
	if m.info.BatteryKnown && m.info.BatteryPercent == b.Percent && m.info.Charging == b.Charging {
		return
	}
	m.info.BatteryKnown, m.info.BatteryPercent, m.info.Charging = true, b.Percent, b.Charging
	m.emit(board.Input{Kind: board.Battery, Percent: b.Percent, Charging: b.Charging})
}

func (m *Machine) clockMessage(p []byte) {
	c := DecodeClock(p)
	m.info.ClockAbsent = c.Kind == NoClock
	switch c.Kind {
	case Acknowledged:
		m.ack(c.Ack)
	case Absurd:
		m.info.BadClocks++
	case Times:
		if m.orders.setting() && m.clock.known && (c.Reading.LeftMs > m.clock.last.LeftMs || c.Reading.RightMs > m.clock.last.RightMs) {
			m.info.BadClocks++ // strange times flash up while the clock is being set
			return
		}
		r, ok := m.clock.pass(c)
		if !ok {
			m.info.BadClocks++
			m.askClock() // only a second opinion can tell a new setting from a fault
			return
		}
		m.emit(board.Input{Kind: board.Clock, Reading: r})
	}
}
