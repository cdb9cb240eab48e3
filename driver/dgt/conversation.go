package dgt

import (
	"bytes"

	"github.com/boardd/boardd/driver/notes"
)

// Commands, host to board: single bytes without an answer to wait for before the next (protocols/dgt.md section 4).
// Those that write to the board's memory, start its loader or turn it to another mode of scanning are never sent.
const (
	cmdReset      = 0x40 // stop sending by itself
	cmdClock      = 0x41
	cmdDump       = 0x42
	cmdSerial     = 0x45
	cmdLog        = 0x49 // 8.3 s in which nothing else comes
	cmdUpdateNice = 0x4B // changes of squares, and the clock when it changes
	cmdBattery    = 0x4C
	cmdVersion    = 0x4D
	cmdLongSerial = 0x55
)

// ask puts a command into the queue unless it waits there already.
func (m *Machine) ask(cmd byte) {
	if !m.raw && bytes.IndexByte(m.queue, cmd) < 0 {
		m.queue = append(m.queue, cmd)
	}
}

// greeted goes on after the version, or without one.
func (m *Machine) greeted() {
	m.phase, m.began = running, m.now
	m.nextAsk = m.now + keepAliveMs*m.scale
	for _, cmd := range [...]byte{cmdSerial, cmdLongSerial, cmdDump, cmdUpdateNice, cmdClock, cmdBattery} {
		m.ask(cmd)
	}
}

// noDump says that nobody says where the pieces stand.
func (m *Machine) noDump() {
	if !m.online {
		m.notes.Once(m.now, noteUnheard, notes.Unheard("dgt"))
		return
	}
	m.notes.Say(m.now, noteNoDump, "the board does not say where the pieces stand: unplug it and plug it in again")
}

// timers does what the time asks for.
func (m *Machine) timers() {
	if m.now >= m.silenceDue() {
		if m.online {
			m.notes.Say(m.now, noteSilent, "the board does not answer any more; starting over: see whether it is switched on and its cable is in")
		}
		m.begin()
	}
	if m.phase == greeting {
		if m.hello > 0 && m.now >= m.helloDue && !m.waits(cmdVersion) {
			if m.hello < helloTries {
				m.ask(cmdVersion)
			} else {
				m.greeted()
			}
		}
		return
	}
	if m.memory.state == logAsked {
		return // nothing else comes meanwhile
	}
	m.orderTimers()
	if m.asked && m.now >= m.dumpDue {
		m.asked = false
		m.missed++
		m.verify = true
		if m.missed >= 3 {
			m.noDump()
		}
	}
	if m.verify && m.now >= m.verifyDue() || m.damaged {
		m.damaged = false
		m.askDump()
	}
	if m.now >= m.keepAliveDue() {
		m.nextAsk = m.now + keepAliveMs*m.scale
		m.ask(cmdSerial)
		if m.now-m.heard >= probeMs*m.scale {
			m.askDump()
		}
	}
	if m.now >= m.watchDue() {
		m.askDump()
	}
	if m.info.BatteryKnown && m.now >= m.nextPower {
		m.nextPower = m.now + batteryMs*m.scale
		m.ask(cmdBattery)
	}
}

// askClock asks for the clock's times.
func (m *Machine) askClock() {
	if m.bus != nil {
		m.bus.nextClock = m.now
		return
	}
	m.ask(cmdClock)
}

func (m *Machine) waits(cmd byte) bool { return bytes.IndexByte(m.queue, cmd) >= 0 }

// askDump asks for the whole board, one question at a time, so that question and answer are a pair.
func (m *Machine) askDump() {
	if !m.asked {
		m.ask(cmdDump)
	}
}

func (m *Machine) silenceDue() int64 {
	if m.phase == greeting && !m.online {
		return never // the greeting has a limit of its own
	}
	return max(m.heard, m.began) + m.silence
}

func (m *Machine) keepAliveDue() int64 {
	return max(m.heard+keepAliveMs*m.scale, m.nextAsk)
}

func (m *Machine) watchDue() int64 {
	if m.asked || m.waits(cmdDump) {
		return never
	}
	return max(m.dumped, m.began) + watchMs*m.scale
}

func (m *Machine) verifyDue() int64 {
	if m.asked || m.waits(cmdDump) {
		return never
	}
	return max(m.moved, m.doubted) + m.settle
}

// write takes the next command out of the queue when the board may be given one.
func (m *Machine) write() []byte {
	if m.now < m.nextWrite {
		return nil
	}
	i, due := m.next()
	if due > m.now {
		return m.writeLonger()
	}
	cmd := m.queue[i]
	m.queue = append(m.queue[:i], m.queue[i+1:]...)
	m.nextWrite = m.now + paceMs*m.scale
	switch cmd {
	case cmdVersion:
		m.hello++
		m.helloDue = m.now + answerMs*m.scale
	case cmdUpdateNice:
		m.told++
		m.doubt() // a change between the last dump and the first update would not be said
	case cmdDump:
		m.asked = true
		m.dumpDue = m.now + answerMs*m.scale
	}
	return []byte{cmd}
}

// next is the place in the queue of the command to be written next, and when; never if there is none. For a second after a
// command to the clock the question for its times is answered with what it said of that.
func (m *Machine) next() (i int, due int64) {
	due = never
	for j, cmd := range m.queue {
		at := m.nextWrite
		if cmd == cmdClock {
			at = max(at, m.orders.quietUntil())
		}
		if at < due {
			i, due = j, at
		}
	}
	return i, due
}

// writeLonger is for commands of several bytes, which go when no other waits.
func (m *Machine) writeLonger() []byte {
	if m.phase != running || m.memory.state == logAsked {
		return nil
	}
	out := m.writeOrder()
	if out == nil {
		out = m.writeLights()
	}
	if out != nil {
		m.nextWrite = m.now + paceMs*m.scale
	}
	return out
}

// longerDue is when writeLonger has something to write.
func (m *Machine) longerDue() int64 {
	if m.phase != running || m.memory.state == logAsked {
		return never
	}
	return max(m.nextWrite, min(m.orderDue(), m.lightsDue()))
}

const never = int64(1)<<62 - 1

// wake is the next moment at which timers or write has something to do, always later than now.
func (m *Machine) wake() int64 {
	next := m.silenceDue()
	_, due := m.next()
	next = min(next, due, m.longerDue())
	if m.phase == greeting {
		if m.hello > 0 && !m.waits(cmdVersion) {
			next = min(next, m.helloDue)
		}
		return max(next, m.now+1)
	}
	if m.memory.state == logAsked {
		return max(min(next, m.memory.due), m.now+1)
	}
	if m.asked {
		next = min(next, m.dumpDue)
	}
	if m.verify {
		next = min(next, m.verifyDue())
	}
	if m.info.BatteryKnown {
		next = min(next, m.nextPower)
	}
	return max(min(next, m.keepAliveDue(), m.watchDue(), m.memoryDue()), m.now+1)
}
