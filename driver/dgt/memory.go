package dgt

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// memory is what a board did while nobody listened, until it has been told. The board is asked for its log only when it
// shows that much was done: that takes 8.3 s, in which it says nothing else.
type memory struct {
	known     board.Picture // what all squares said when the board was last heard
	sure      bool          // known is known
	state     memoryState
	held      board.Picture // what the board shows meanwhile
	first     board.Picture // what it showed first
	since     []recalled    // what changed after that, until the log comes
	asked     int64         // when the log was asked for
	due       int64         // when to see whether it comes
	steps     []recalled    // to be told, oldest first
	next      int64         // when the next of them is
	busLog    []Entry       // on a bus: what came before the first picture
	busBefore []Entry       // on a bus: what the board had told last
}

type memoryState uint8

const (
	nothingHeld memoryState = iota
	logAsked
	telling
)

// Times of the log, in milliseconds.
const (
	logMs  = 15_000      // to wait for its end
	oweMs  = 3000        // to wait for its beginning
	stepMs = ScanMs + 10 // between two changes that were: the order of closer ones would mean nothing
	soonMs = 5           // between two that came in one scan
	// plainMost is how many squares may have changed for the log not to be read: what one move of each side changes needs no
	// telling how, and hands that go on would not be seen for 8 s.
	plainMost = 4
	// longestTale bounds how long the board's past may keep its present waiting.
	longestTale = 240 // changes
)

// Remember tells what all squares said when the board was last heard, as wired. It is to be called before the first Step.
// If the board shows something else now, what was done meanwhile is read from its log and told first, in its order, at the
// times at which it is told.
func (m *Machine) Remember(p board.Picture) { m.memory.known, m.memory.sure = p, true }

// forget begins anew with what is known now.
func (m *Machine) forget() {
	known, sure := m.memory.known, m.memory.sure
	if m.pictured || m.memory.state == telling {
		known, sure = m.mirror, true
	}
	m.memory = memory{known: known, sure: sure}
}

// holds takes a picture of the board that cannot be told yet, and asks for the log if it is to be known why it is so.
func (m *Machine) holds(pic board.Picture) bool {
	y := &m.memory
	switch {
	case y.state != nothingHeld:
		if y.held != pic {
			y.first, y.held, y.since = pic, pic, nil
		}
		return true
	case m.pictured || !y.sure || m.raw || pic == startPicture || pic == startPicture.Turned():
		return false // a start position begins a game, whatever was before it
	case m.bus == nil && differ(&pic, &y.known) <= plainMost:
		return false
	case pic == y.known:
		return false
	}
	y.first, y.held, y.since = pic, pic, nil
	if m.bus != nil {
		m.tell(y.busLog, slices.Concat(y.busBefore, y.busLog))
		return true
	}
	y.state, y.asked, y.due = logAsked, m.now, m.now+oweMs*m.scale
	m.ask(cmdLog)
	return true
}

// keeps takes a change of a square while something earlier has not been told.
func (y *memory) keeps(sq rules.Square, s board.Symbol) bool {
	if y.state == nothingHeld {
		return false
	}
	if y.held[sq] == s {
		return true
	}
	y.held[sq] = s
	change := recalled{square: sq, symbol: s}
	if y.state == telling {
		y.steps = append(y.steps, change)
	} else {
		y.since = append(y.since, change) // the log will have it too
	}
	return true
}

// remember takes the log.
func (m *Machine) remember(p []byte) {
	if m.memory.state != logAsked {
		m.notes.Say(m.now, noteLog, "the board sent its log of moves, which nobody had asked for")
		m.doubt() // nothing else could come meanwhile
		return
	}
	m.tell(entries(p))
}

// tell begins to tell what the first log that knows it says was done.
func (m *Machine) tell(logs ...[]Entry) {
	y := &m.memory
	m.doubt() // hands may have moved meanwhile, and nothing else could come
	var steps []recalled
	known := false
	for i := 0; i < len(logs) && !known; i++ {
		steps, known = recall(logs[i], y.known, y.held)
	}
	if !known || len(steps) > longestTale {
		m.tellNothing("the board's log does not say how the pieces came where they are")
		return
	}
	y.state, y.steps, y.next = telling, steps, m.now
	m.mirror = y.known
}

// tellNothing goes on without the log: what the board showed is all there is, and what was done since then.
func (m *Machine) tellNothing(why string) {
	y := &m.memory
	m.notes.Say(m.now, noteLog, why)
	y.state = nothingHeld
	m.show(y.first)
	for _, s := range y.since {
		m.mirror[s.square] = s.symbol
		m.emit(board.Input{Kind: board.Change, Square: s.square, Symbol: s.symbol})
	}
}

// playMemory tells what is due, and in the end what the board shows.
func (m *Machine) playMemory() {
	y := &m.memory
	if y.state == logAsked && m.now >= y.due {
		if end := y.asked + logMs*m.scale; m.dec.InLog() && m.now < end {
			y.due = end
			return
		}
		m.tellNothing("the board does not send its log")
	}
	for y.state == telling && m.now >= y.next {
		if len(y.steps) == 0 {
			y.state = nothingHeld
			m.show(y.held)
			return
		}
		s := y.steps[0]
		y.steps = y.steps[1:]
		m.info.Recalled++
		m.mirror[s.square] = s.symbol
		m.emit(board.Input{Kind: board.Change, Square: s.square, Symbol: s.symbol})
		y.next = m.now + stepMs
		if len(y.steps) > 0 && y.steps[0].quick {
			y.next = m.now + soonMs
		}
	}
}

// memoryDue is when playMemory has something to do.
func (m *Machine) memoryDue() int64 {
	switch m.memory.state {
	case logAsked:
		return m.memory.due
	case telling:
		return m.memory.next
	}
	return never
}
