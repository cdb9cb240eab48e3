package dgt

import (
	"fmt"
	"slices"

	"github.com/boardd/boardd/board"
)

// Commands in bus mode, host to board (protocols/dgt.md section 11).
const (
	busSendClock   = 0x81
	busSendDump    = 0x82
	busSendChanges = 0x83
	busRepeat      = 0x84
	busSendPing    = 0x87
	busIgnorePing  = 0x8A
	busSendVersion = 0x8B
)

// Waits of a bus, in milliseconds of a wall clock.
const (
	busAnswerMs = 80   // for an answer to begin, and inside it
	busPingMs   = 1200 // for the answers to a ping of all
	busPollMs   = 100  // between two questions for changes
	busClockMs  = 1000 // between two questions for the clock
	busTries    = 5    // for one question
	busSearches = 10   // pings of all, in one search
)

// bus is the conversation with a board on a bus. One question is asked at a time: a board of the bus speaks only when asked.
type bus struct {
	wanted  int   // the address asked for, 0 for any
	address int   // the board's, 0 while it is looked for
	found   []int // those that answered a ping of all
	hushed  int   // of them, those that were told not to answer the next
	news    bool  // an answer, or a collision, since the last ping of all
	search  int   // pings of all

	asked   byte // the question that waits for its answer, 0 for none
	askedOf int
	due     int64 // when to give up waiting
	tries   int
	repeat  bool // an answer with changes was lost: asking anew would lose the changes
	version bool // the board has been asked for its version
	before  bool // the board has been asked for the changes that it told last: it may have told them to nobody
	flushed bool // what changed before the first picture has come

	shown  board.Picture // a dump that shows other things than the changes told
	unsure bool          // it is not taken before the changes have been asked for
	polled bool          // and they have

	lastID     byte // of the last answer with changes
	alternates bool // of two answers in a row each has another id

	nextPoll  int64
	nextClock int64
}

// converse writes the next question when there is one to ask, and gives the time of the next call.
func (m *Machine) converse(heard bool) (out []byte, wake int64) {
	b := m.bus
	if b.asked != 0 && heard && b.asked != busSendPing {
		b.due = max(b.due, m.now+busAnswerMs*m.scale)
	}
	if b.address != 0 && m.now >= max(m.heard, m.began)+m.silence {
		if m.online {
			m.notes.Say(m.now, noteSilent, "the board does not answer any more; starting over: see whether it is switched on and its cable is in")
		}
		m.begin()
		b = m.bus
	}
	if b.asked != 0 && m.now >= b.due {
		m.unanswered()
	}
	if b.asked == 0 {
		if cmd, of := m.question(); cmd != 0 {
			b.asked, b.askedOf, b.due = cmd, of, m.now+busAnswerMs*m.scale
			if of == 0 {
				b.due = m.now + busPingMs*m.scale
			}
			out = AppendBusCommand(nil, cmd, of)
		}
	}
	switch {
	case b.asked != 0:
		wake = b.due
	case b.address == 0:
		wake = b.nextPoll
	default:
		wake = min(b.nextPoll, b.nextClock)
		if m.verify {
			wake = min(wake, max(m.moved, m.doubted)+m.settle)
		}
	}
	if b.address != 0 {
		wake = min(wake, max(m.heard, m.began)+m.silence)
	}
	return out, max(min(wake, m.memoryDue()), m.now+1)
}

// question is what to ask next, and whom; 0 for nothing yet.
func (m *Machine) question() (cmd byte, of int) {
	b := m.bus
	switch {
	case b.address == 0 && b.wanted != 0:
		if m.now < b.nextPoll {
			return 0, 0
		}
		return busSendPing, b.wanted
	case b.address == 0 && b.hushed < len(b.found):
		return busIgnorePing, b.found[b.hushed]
	case b.address == 0:
		if m.now < b.nextPoll {
			return 0, 0
		}
		b.search++
		b.news = false
		return busSendPing, 0
	case b.repeat:
		return busRepeat, b.address
	case !b.version:
		return busSendVersion, b.address
	case !b.before:
		return busRepeat, b.address
	case !b.flushed:
		return busSendChanges, b.address
	case b.unsure && !b.polled:
		return busSendChanges, b.address
	case !m.pictured && m.memory.state == nothingHeld, m.verify && m.now >= max(m.moved, m.doubted)+m.settle:
		return busSendDump, b.address
	case m.now >= b.nextClock:
		return busSendClock, b.address
	case m.now >= b.nextPoll:
		return busSendChanges, b.address
	}
	return 0, 0
}

// unanswered goes on after a question to which no answer came, or after the time for the answers to a ping of all.
func (m *Machine) unanswered() {
	b := m.bus
	asked := b.asked
	b.asked = 0
	b.tries++
	switch {
	case asked == busSendPing && b.askedOf == 0:
		m.searched()
	case b.tries < busTries:
		b.repeat = b.before && (asked == busSendChanges || asked == busRepeat)
	default:
		b.tries = 0
		m.giveUp(asked)
	}
}

// giveUp goes on without an answer.
func (m *Machine) giveUp(asked byte) {
	b := m.bus
	switch asked {
	case busSendPing:
		b.nextPoll = m.now + answerMs*m.scale
	case busIgnorePing:
		b.hushed++
	case busSendVersion:
		b.version = true
	case busSendChanges, busRepeat:
		b.repeat = false
		if !b.before {
			b.before = true
			return
		}
		b.nextPoll = m.now + busPollMs*m.scale
		b.flushed = true
		m.doubt() // the changes are lost
	case busSendClock:
		b.nextClock = m.now + busClockMs*m.scale
	case busSendDump:
		m.missed++
		m.doubt()
		if m.missed >= 3 {
			m.noDump()
		}
	}
}

// searched looks at what a ping of all has brought. It is asked again until nothing new comes: answers that come at one time
// destroy each other.
func (m *Machine) searched() {
	b := m.bus
	b.tries, b.hushed = 0, 0
	if b.news && b.search < busSearches {
		return
	}
	b.search = 0
	if len(b.found) == 0 {
		b.nextPoll = m.now + answerMs*m.scale
		return
	}
	slices.Sort(b.found)
	if len(b.found) > 1 {
		m.notes.Say(m.now, noteBus, fmt.Sprintf("boards %v answer on this line; this is the first of them: name another by its address", b.found))
	}
	m.met(b.found[0])
}

// met begins the conversation with a board.
func (m *Machine) met(address int) {
	b := m.bus
	b.address, b.tries = address, 0
	m.phase, m.began = running, m.now
	b.nextPoll, b.nextClock = m.now, m.now
	m.info.BusAddress = address
	m.info.Serial = fmt.Sprintf("%05d", address)
}

// busMessage takes one message of a bus, also those of other boards.
func (m *Machine) busMessage(msg Message) {
	b := m.bus
	if m.raw && b.address == 0 && (b.wanted == 0 || b.wanted == msg.Address) && msg.ID != BusPing {
		m.met(msg.Address)
	}
	if msg.ID == BusPing {
		m.pinged(msg.Address)
	}
	if b.address == 0 || msg.Address != b.address {
		return
	}
	m.hear()
	if answers(b.asked, msg.ID) {
		b.asked, b.tries = 0, 0
	}
	p := msg.Payload
	switch msg.ID {
	case BusDump:
		m.dump(p)
	case BusClock:
		b.nextClock = m.now + busClockMs*m.scale
		m.clockMessage(p)
	case BusChanges, BusEven:
		b.nextPoll, b.repeat = m.now+busPollMs*m.scale, false
		m.changes(msg.ID, p)
	case BusVersion:
		b.version = true
		if len(p) == 2 {
			m.info.Major, m.info.Minor = p[0], p[1]
		}
	case BusHardware:
		m.info.HardwareMajor, m.info.HardwareMinor = p[0], p[1]
	case BusTrademark:
		m.info.Trademark = printable(p)
	case BusBattery:
		m.battery(p)
	case BusDraughts:
		m.draughts()
	case BusPing, BusWritten, BusFromStart:
	default:
		m.info.Unknown++
	}
}

// answers reports whether a message may be the answer to a question.
func answers(cmd, id byte) bool {
	switch cmd {
	case busSendClock:
		return id == BusClock
	case busSendDump:
		return id == BusDump
	case busSendChanges, busRepeat:
		return id == BusChanges || id == BusEven
	case busSendPing, busIgnorePing:
		return id == BusPing
	case busSendVersion:
		return id == BusVersion
	}
	return false
}

// pinged takes the answer of any board to a ping.
func (m *Machine) pinged(address int) {
	b := m.bus
	if b.address != 0 || m.raw {
		return
	}
	switch {
	case b.asked == busIgnorePing && address == b.askedOf:
		b.hushed++
		b.asked, b.tries = 0, 0
	case b.wanted != 0:
		if address == b.wanted {
			b.asked = 0
			m.met(address)
		}
	case b.asked == busSendPing && !slices.Contains(b.found, address):
		b.found, b.news = append(b.found, address), true
	}
}

// overtakes reports whether a dump shows a change that has not been told yet: then that is asked for first, because it comes in
// its order. What is shown again afterwards was never told.
func (b *bus) overtakes(pic board.Picture) bool {
	if b.unsure && b.polled && b.shown == pic {
		b.unsure = false
		return false
	}
	b.shown, b.unsure, b.polled = pic, true, false
	return true
}

// changes takes what has changed since the last answer. A newer board gives two answers in a row different ids, so that one that
// was repeated is known for what it is.
func (m *Machine) changes(id byte, p []byte) {
	b := m.bus
	b.polled = true
	again := b.alternates && id == b.lastID
	b.alternates = b.alternates || id == BusEven
	b.lastID = id
	if again {
		return
	}
	switch {
	case m.raw || b.flushed:
	case !b.before:
		b.before = true
		m.memory.busBefore = entries(p)
		return
	default:
		b.flushed = true
		m.memory.busLog = entries(p)
		return
	}
	DecodeLog(p, func(e Entry) {
		switch e.Kind {
		case LogField:
			m.update(FieldOf(e.Square), e.Code)
		case LogTime:
			b.nextClock = m.now // the lever was pressed
		case LogDownloaded, LogEnd:
		default:
			m.doubt() // the board began anew, or what it said is not known
		}
	})
}
