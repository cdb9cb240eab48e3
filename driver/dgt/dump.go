package dgt

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// dump is the whole board. It carries no mark that says which question it answers and shows the board as its last scan
// found it, so one that comes shortly after a change may show a piece still in the air or already gone. Such a dump is
// put aside, and another asked for when the hands rest. Only the bytes and their times decide, so that a
// recording of them is read as the live board was.
func (m *Machine) dump(p []byte) {
	m.asked, m.missed, m.dumped = false, 0, m.now
	if len(p) != 64 {
		m.draughts()
		return
	}
	pic, ok := pictureOf(p)
	if !ok {
		m.info.BadCodes++
		m.doubt()
		return
	}
	early := m.now-m.moved < m.settle
	if m.pictured && early {
		m.info.StaleDumps++
		m.verify = true
		m.patch(pic)
		return
	}
	if m.improbable(pic) {
		m.unlikely, m.verify = pic, true
		m.info.Unlikely++
		return
	}
	m.unlikely = board.Picture{}
	for field, code := range p {
		_, special, _ := SymbolOf(code)
		m.mark(SquareOf(byte(field)), special, code)
	}
	m.verify = early // the first picture is taken as it comes: better than none
	if m.told == 1 && m.bus == nil {
		m.ask(cmdUpdateNice) // it gives no answer: had it not been heard, moves would be lost until another dump
	}
	if m.holds(pic) || m.pictured && m.mirror == pic {
		if m.bus != nil {
			m.bus.unsure = false
		}
		return
	}
	if m.bus != nil && m.pictured && m.bus.overtakes(pic) {
		m.verify = true
		return
	}
	if m.pictured {
		m.info.Corrections++
		if m.bus == nil {
			m.ask(cmdUpdateNice) // the board may not have heard that it is to say its changes
		}
	}
	m.show(pic)
}

// patch takes from a dump that comes amid changes what it shows of squares that have been at rest: a change of them was lost, and
// hands that go on playing would otherwise put off for long that it is known.
func (m *Machine) patch(pic board.Picture) {
	var lost []rules.Square
	for s := range rules.NoSquare {
		if m.mirror[s] != pic[s] && m.now-m.changed[s] >= 2*m.settle {
			lost = append(lost, s)
		}
	}
	if m.bus != nil || len(lost) > 2 {
		return // see improbable
	}
	for _, s := range lost {
		m.info.Corrections++
		m.mirror[s], m.changed[s] = pic[s], m.now
		m.emit(board.Input{Kind: board.Change, Square: s, Symbol: pic[s]})
	}
}

// improbable reports whether a dump must be said again before it is believed: it shows more than a ply of which no change was
// told, or after a loss more than a move of each side. A dump has no checksum, and of one that holds bytes of something else all
// that follows stands on the wrong squares.
func (m *Machine) improbable(pic board.Picture) bool {
	switch {
	case m.bus != nil || pic == m.unlikely:
		return false
	case m.pictured:
		return differ(&pic, &m.mirror) > 2
	}
	return m.memory.state == nothingHeld && m.memory.sure && differ(&pic, &m.memory.known) > plainMost
}

func (m *Machine) show(pic board.Picture) {
	m.mirror, m.pictured = pic, true
	m.emit(board.Input{Kind: board.Scan, Picture: pic})
}

// doubt says that the mirror may be wrong.
func (m *Machine) doubt() {
	m.doubted = m.now
	m.verify = true
}
