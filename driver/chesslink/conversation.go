package chesslink

import (
	"slices"
	"strings"

	"github.com/boardd/boardd/driver/notes"
)

// Registers of the board's memory (protocols/chesslink.md section 3). It wears: they are read first, and written only when they
// must be another. The brightness of the lights (04) and the eONE's own ways (06) stay as their owner has set them.
const (
	regCheck   = 0x00 // bit 0: block checks are off
	regScan    = 0x01 // time of a scan in units of 2.048 ms
	regReports = 0x02 // when the board reports by itself
)

const (
	scanTime    = 20 // 41 ms: ScanMs
	onChange    = 3  // a report for each change; 4 to 7 wait for the change to last 2 to 5 scans
	reportKinds = 7  // the low bits that count
)

// command is one command, and the letter of the message that answers it, 0 for none.
type command struct {
	text  string
	reply byte
	tries int // how often it has been written
}

var (
	cmdVersion = command{text: "V", reply: Version}
	cmdStatus  = command{text: "S", reply: Status}
	cmdDark    = command{text: "X", reply: Dark}
	cmdRestart = command{text: "T"}
)

func readRegister(r byte) command {
	return command{text: "R" + hex(r), reply: Register}
}

func writeRegister(r, v byte) command {
	return command{text: "W" + hex(r) + hex(v), reply: Written}
}

func hex(v byte) string {
	const digits = "0123456789ABCDEF"
	return string([]byte{digits[v>>4], digits[v&15]})
}

// ask puts a command into the queue unless it waits there already.
func (m *Machine) ask(c command) {
	if !m.raw && !slices.ContainsFunc(m.queue, func(q command) bool { return q.text == c.text }) {
		m.queue = append(m.queue, c)
	}
}

// greet begins with the question for the version.
func (m *Machine) greet() {
	m.phase = greeting
	m.queue, m.waiting = m.queue[:0], command{}
	m.ask(cmdVersion)
}

// greeted goes on after the version, or without one from a board that has sent its status.
func (m *Machine) greeted() {
	m.phase = running
	m.lamps.again()
	m.ask(readRegister(regReports))
	m.ask(cmdStatus)
	m.ask(readRegister(regScan))
	m.ask(readRegister(regCheck))
}

// register takes what a register holds.
func (m *Machine) register(r, v byte) {
	switch r {
	case regCheck:
		if v&1 != 0 {
			m.ask(writeRegister(regCheck, v&^1))
		}
	case regScan:
		if v != scanTime {
			m.ask(writeRegister(regScan, scanTime))
		}
	case regReports:
		kind := v & reportKinds
		m.reports = kind >= onChange
		switch {
		case m.reports:
			if m.wrote {
				m.ask(cmdStatus) // what changed before is not reported
			}
		case !m.wrote:
			m.wrote = true
			m.ask(writeRegister(regReports, v&^reportKinds|onChange))
			m.ask(readRegister(regReports)) // not all boards say that they have written
		default:
			m.notes.Say(m.now, noteReports, "the board does not take the setting to report changes by itself; it is asked four times a second instead")
		}
	}
}

// answered ends the wait for an answer.
func (m *Machine) answered(letter byte) {
	c := m.waiting
	if c.reply == 0 || c.reply != letter {
		return
	}
	m.waiting = command{}
	switch {
	case letter == Version && m.phase == greeting && !m.raw:
		m.greeted()
	case letter == Lamps || letter == Dark:
		m.info.LightsAcked = true
		m.lamps.shown(c.text)
	}
}

// unanswered is the end of a wait without an answer.
func (m *Machine) unanswered() {
	c := m.waiting
	m.waiting = command{}
	m.info.Unanswered++
	switch {
	case c.reply == Version:
		switch {
		case c.tries < helloTries:
			m.queue = append([]command{c}, m.queue...)
		case m.online:
			m.greeted()
		default:
			m.notes.Once(m.now, noteUnheard, notes.Unheard("chesslink"))
			m.ask(cmdRestart)
		}
	case c.reply == Lamps || c.reply == Dark:
		m.lamps.missed(c.text)
	case c.reply == Status: // the next one comes by itself
	case c.tries < otherTries && c.reply == Register:
		m.ask(c)
	}
}

// timers does what the time asks for.
func (m *Machine) timers() {
	if m.online && m.now >= m.heard+m.silence {
		m.notes.Say(m.now, noteSilent, "the board does not answer any more; starting over: see whether it is switched on and its cable is in")
		m.begin()
	}
	if m.phase == restarting && m.now >= m.until {
		m.greet()
	}
	if m.waiting.reply != 0 && m.now >= m.due {
		m.unanswered()
	}
	if m.phase == running && m.now >= m.pollDue() {
		m.ask(cmdStatus)
	}
}

// pollDue is when to ask for a status, if none is asked for already.
func (m *Machine) pollDue() int64 {
	if m.waiting.reply == Status || slices.ContainsFunc(m.queue, func(c command) bool { return c.reply == Status }) {
		return never
	}
	if m.reports {
		return m.seen + pollMs*m.scale
	}
	return m.seen + hastyMs*m.scale
}

// write takes the next command when the one before is done with: the board's memory for commands is small.
func (m *Machine) write() []byte {
	if m.waiting.reply != 0 || m.phase == restarting {
		return nil
	}
	var c command
	if len(m.queue) > 0 {
		c = m.queue[0]
		m.queue = append(m.queue[:0], m.queue[1:]...)
	} else if text, ok := m.lamps.next(); ok && m.phase == running {
		if c = cmdDark; text != cmdDark.text {
			c = command{text: text, reply: Lamps}
		}
	} else {
		return nil
	}
	c.tries++
	if c.text == cmdRestart.text {
		m.phase, m.until = restarting, m.now+restartMs*m.scale
	} else {
		m.waiting, m.due = c, m.now+m.patience(c)*m.scale
	}
	return AppendMessage(nil, c.text)
}

// patience is how long a command is waited for.
func (m *Machine) patience(c command) int64 {
	switch {
	case c.reply == Version:
		return helloMs
	case m.info.silentOnLights() && strings.IndexByte("LXW", c.text[0]) >= 0:
		return unacksMs
	}
	return answerMs
}

const never = int64(1)<<62 - 1

// wake is the next moment at which timers or write has something to do, always later than now.
func (m *Machine) wake() int64 {
	next := never
	if m.online {
		next = m.heard + m.silence
	}
	if m.dec.Pending() > 0 {
		next = min(next, m.dec.Deadline())
	}
	if m.phase == restarting {
		return max(min(next, m.until), m.now+1)
	}
	if m.waiting.reply != 0 {
		next = min(next, m.due)
	} else if len(m.queue) > 0 || m.phase == running && m.lamps.dirty {
		next = m.now + 1
	}
	if m.phase == running {
		next = min(next, m.pollDue())
	}
	return max(next, m.now+1)
}
