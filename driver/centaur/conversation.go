package centaur

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/rules"
)

// speak is what is to be said now.
func (m *Machine) speak() []byte {
	if m.phase == running && m.now >= m.heard+m.o.SilenceMs {
		m.notes.Say(m.now, noteSilent, "the inside of the Centaur has fallen silent: see whether it has power")
		m.begin()
	}
	switch m.phase {
	case first, second:
		if m.now < m.next {
			return nil
		}
		m.next = m.now + quietMs
		m.phase++
		return []byte{0x4D + byte(m.phase) - 1}
	case calling:
		if m.now < m.next {
			return nil
		}
		m.next = m.now + pingMs
		if m.now >= m.calls+nobodyMs {
			m.notes.Say(m.now, noteNobody, "nothing answers: is this the serial line inside a Centaur, and does the console leave it alone (no console=serial0 in cmdline.txt)?")
			m.calls = never
		}
		return command(cmdPing, [2]byte{})
	}
	return append(m.ask(), m.light()...)
}

const never = int64(1)<<62 - 1

// What this driver may have to say.
const (
	noteSilent notes.Kind = iota
	noteNobody
)

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (m *Machine) Notes() []string { return m.notes.Take() }

// ask is the next question, one at a time.
func (m *Machine) ask() []byte {
	if m.question != 0 {
		if m.now < m.due {
			return nil
		}
		m.info.Unanswered++
		if m.question == cmdChanges {
			m.look = m.now // what was told and not heard will not be told again
		}
		m.question = 0
	}
	if len(m.round) == 0 && m.now >= m.next {
		m.next = m.now + RoundMs
		m.round = []byte{cmdChanges, cmdKeys}
		if m.now >= m.power {
			m.power = m.now + batteryMs
			m.round = append(m.round, cmdBattery)
		}
	}
	switch {
	case m.now >= m.look && (len(m.round) == 0 || m.round[0] != cmdChanges):
		m.look = m.now + lookMs
		m.question = cmdState
	case len(m.round) > 0:
		m.question = m.round[0]
		m.round = m.round[1:]
	default:
		return nil
	}
	m.due = m.now + answerMs*m.o.Scale
	return command(m.question, m.address)
}

// light is the newest frame, if it looks different from the last.
func (m *Machine) light() []byte {
	if !m.dirty || !m.online {
		return nil
	}
	m.dirty = false
	data := []byte{5, 3, 0, byte(m.o.Intensity)}
	for s := range rules.NoSquare {
		if m.frame[s] != (board.RGB{}) {
			data = append(data, numberOf(s))
		}
	}
	if len(data) == 4 {
		data = []byte{0}
	}
	b := command(cmdLights, m.address, data...)
	if string(b) == m.shown {
		return nil
	}
	m.shown = string(b)
	return b
}

// wake is the next moment at which there is something to do, always later than now.
func (m *Machine) wake() int64 {
	next := m.next
	if m.phase == running {
		switch {
		case m.question != 0:
			next = m.due
		case len(m.round) > 0:
			next = m.now + 1
		default:
			next = min(next, m.look)
		}
		next = min(next, m.heard+m.o.SilenceMs)
	}
	return max(next, m.now+1)
}
