package scan

import (
	"fmt"
	"math/bits"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options are what the engine is told of a board.
type Options struct {
	Map      Map
	Traits   Traits
	Inverted uint64 // wires that say the opposite of the others

	// Of analog sensors, in microvolts: what each wire reads without a man (Wires of them, or none and Zero for all), and how far
	// from there a man begins and ends to be seen.
	Levels             []int32
	Zero               int32
	Threshold, Release int32
	Color              bool // a level above is a light man, one below a dark man; else either is something

	// Diodes says that no contact of a matrix can feign another, so that nothing is held back as a ghost. Without it the engine
	// believes so once a reading has shown it.
	Diodes bool

	PeriodMs int64 // from scan to scan, from 1
	Alarm    bool  // the sensor tells of changes, see Alarm: scan every QuietMs while it does not

	Say      func(Finding) // hears what is wrong with the wiring; may be nil
	Counters *Counters     // may be nil
}

// QuietMs is from scan to scan while an Alarm is silent: it might have lost a change.
const QuietMs = 500

const (
	busyMs     = 500  // so long after a change an Alarm is not waited for: contacts go on bouncing
	checkMs    = 5000 // from one look at the registers to the next
	failsLimit = 3    // scans that fail one after the other until the board is offline
	doubtMs    = 2000 // contacts that may be ghosts are spoken of after so long: most are cleared up by the next move of a hand
	settled    = 2    // so often a reading repeats itself until it proves something: one row may be read before a change, the next after
	crowd      = 8    // more changes than this in one scan are hardly a hand's
)

// Finding is something wrong with the wiring that readings have shown. It is said once.
type Finding struct {
	Kind    string // no_diodes
	Squares rules.Bitboard
	Text    string // what to do
}

// Do is what the engine wants done with the sensor.
type Do uint8

// Read, set up, check; Stop: the sensor does not work, and the error says why.
const (
	Read Do = iota
	SetUp
	Check
	Stop
)

// Next is what to do next, and when.
type Next struct {
	Do    Do
	At    int64 // not before; the core's milliseconds
	Alarm bool  // or as soon as the sensor says that something has changed
	Err   error // with Stop
}

// Machine makes inputs of readings. It has no I/O and no clock: Start it, do what it asks for, and tell Step what came of it.
type Machine struct {
	o     Options
	count *Counters
	wired uint64 // wires that have a square

	next    Next // asked for
	due     int64
	checked int64 // when the registers were looked at
	moved   int64 // when a square last changed

	online bool
	now    word   // what was given out
	raw    word   // what was read last and understood
	all    uint64 // all bits of raw, those of wires without a square as well: they tell of diodes, too
	same   int    // how often raw was read again

	fails  int  // scans failed, one after the other
	again  bool // the scan at hand has failed once
	verify bool // the scan at hand is read a second time, to see whether it says first again
	first  word

	diodes bool   // a matrix that has shown that it has diodes, or was said to
	held   uint64 // contacts of raw that are not given out: they may be ghosts
	heldAt int64  // since when there are some
	said   bool

	inputs []board.Input
}

// word is a reading in two bits a wire.
type word struct{ on, dark uint64 }

// differs has a bit for each wire that says something else.
func (w word) differs(v word) uint64 { return (w.on ^ v.on) | (w.dark ^ v.dark) }

// NewMachine makes the engine of a board.
func NewMachine(o Options) *Machine {
	m := &Machine{o: o, count: o.Counters, diodes: o.Diodes || !o.Traits.Matrix}
	if m.count == nil {
		m.count = &Counters{}
	}
	m.o.PeriodMs = max(o.PeriodMs, 1)
	for wire, s := range o.Map {
		if s < 64 {
			m.wired |= 1 << wire
		}
	}
	return m
}

// Start is what to do first.
func (m *Machine) Start(now int64) Next {
	m.due, m.checked, m.moved = now, now, now
	m.next = Next{Do: SetUp, At: now}
	return m.next
}

// Step takes what came of what was to be done: an error, or after a Read the reading. The inputs are valid until the next call.
func (m *Machine) Step(now int64, r *Reading, err error) ([]board.Input, Next) {
	m.inputs = m.inputs[:0]
	switch m.next.Do {
	case SetUp:
		m.count.SetUps.Add(1)
		switch {
		case err == nil:
			m.checked = now
			m.next = Next{Do: Read, At: now}
		case !m.online:
			m.next = Next{Do: Stop, Err: err}
		default:
			if m.fail(now, err); m.next.Do != Stop {
				m.next.Do = SetUp // what it would say now is worth nothing
			}
		}
	case Check:
		m.checked = now
		if err != nil {
			m.count.Lost.Add(1)
			m.next = Next{Do: SetUp, At: now}
		} else {
			m.next = Next{Do: Read, At: m.due}
		}
	case Read:
		if err != nil {
			m.failedRead(now, err)
		} else {
			m.read(now, r)
		}
	}
	return m.inputs, m.next
}

// failedRead tries a second time at once, then with the next scan.
func (m *Machine) failedRead(now int64, err error) {
	m.count.FailedReads.Add(1)
	m.verify = false
	if !m.again {
		m.again = true
		m.next = Next{Do: Read, At: now}
		return
	}
	m.fail(now, err)
}

// fail ends a scan without a reading. What was seen stays as it is: no news is not 64 lifts.
func (m *Machine) fail(now int64, err error) {
	m.again, m.verify = false, false
	m.count.FailedScans.Add(1)
	if m.fails++; m.fails >= failsLimit {
		m.next = Next{Do: Stop, Err: fmt.Errorf("%d scans have failed, one after the other: %w", m.fails, err)}
		return
	}
	m.schedule(now)
	if m.fails == failsLimit-1 {
		m.next = Next{Do: SetUp, At: m.due} // perhaps the chip has lost its settings
	}
}

// schedule asks for the next scan, on the grid of the period; a scan whose time has passed already is late.
func (m *Machine) schedule(now int64) {
	m.due += m.o.PeriodMs
	if m.due <= now {
		missed := (now-m.due)/m.o.PeriodMs + 1
		m.count.Late.Add(missed)
		m.due += missed * m.o.PeriodMs
	}
	m.next = Next{Do: Read, At: m.due}
	switch {
	case now-m.checked >= checkMs:
		m.next.Do = Check
	case m.o.Alarm && now-m.moved >= busyMs:
		m.due = now + QuietMs
		m.next.At, m.next.Alarm = m.due, true
	}
}

func (m *Machine) read(now int64, r *Reading) {
	if m.next.Alarm && now < m.due {
		m.due, m.moved = now, now // the alarm has come
	}
	m.fails, m.again = 0, false
	w := m.see(r)
	switch {
	case !m.online:
		m.online, m.now, m.raw = true, w, w
		m.inputs = append(m.inputs, board.Input{T: now, Kind: board.Link, Online: true}, board.Input{T: now, Kind: board.Scan, Picture: m.picture()})
	case w == m.raw:
		if m.verify {
			m.verify = false
			m.count.Dropped.Add(1)
		}
		m.weigh(now, r, w)
	default:
		if !m.sure(now, w) {
			return // the second look comes at once
		}
	}
	m.count.Scans.Add(1)
	m.schedule(now)
}

// sure takes a reading that is new. It is false when the reading must be seen a second time first.
func (m *Machine) sure(now int64, w word) bool {
	crowded := bits.OnesCount64(w.differs(m.raw)) > crowd
	odd := crowded || !m.diodes && ghosts(m.now.on, w.on) != 0
	if odd && !m.verify {
		m.verify, m.first = true, w
		m.count.Reread.Add(1)
		m.next = Next{Do: Read, At: now}
		if crowded {
			m.next.Do = Check // a chip that was without power reads otherwise until it is set up again
		}
		return false
	}
	if m.verify && w != m.first {
		m.count.Dropped.Add(1)
	}
	again := m.verify && w == m.first
	m.verify = false
	if odd && !again {
		return true // neither of the two says anything
	}
	m.take(now, w)
	return true
}

// take gives out what is new in a reading.
func (m *Machine) take(now int64, w word) {
	m.raw, m.same = w, 0
	if !m.diodes {
		held := ghosts(m.now.on, w.on)
		if held != 0 {
			m.count.Ghosts.Add(1)
			if m.held == 0 {
				m.heldAt = now
			}
		}
		m.held = held
		w.on &^= held
	}
	diff := w.differs(m.now)
	if diff == 0 {
		return
	}
	m.now, m.moved = w, now
	if bits.OnesCount64(diff) > crowd {
		m.inputs = append(m.inputs, board.Input{T: now, Kind: board.Scan, Picture: m.picture()})
		return
	}
	for ; diff != 0; diff &= diff - 1 {
		wire := bits.TrailingZeros64(diff)
		m.inputs = append(m.inputs, board.Input{T: now, Kind: board.Change, Square: m.o.Map[wire], Symbol: m.symbol(wire)})
	}
}

// weigh looks for a proof of diodes in a reading that repeats itself. With one, what was held back is given out at once; where none
// comes for long, it is said.
func (m *Machine) weigh(now int64, r *Reading, w word) {
	if m.diodes {
		return
	}
	if all := r.Bits ^ m.o.Inverted; all != m.all {
		m.all, m.same = all, 0
	}
	if m.same = min(m.same+1, settled); m.same == settled && proven(m.all) {
		m.diodes = true
		if m.held != 0 {
			m.held = 0
			m.take(now, w)
		}
		return
	}
	if m.held != 0 && now-m.heldAt >= doubtMs {
		m.haunted()
	}
}

// see makes a word of a reading; wires without a square say nothing.
func (m *Machine) see(r *Reading) word {
	if !m.o.Traits.Analog {
		return word{on: (r.Bits ^ m.o.Inverted) & m.wired}
	}
	var w word
	for wire, level := range r.Levels {
		bit := uint64(1) << wire
		zero := m.o.Zero
		if len(m.o.Levels) == Wires {
			zero = m.o.Levels[wire]
		}
		d := int64(level) - int64(zero)
		if m.o.Inverted&bit != 0 {
			d = -d
		}
		dark := m.o.Color && d < 0
		if d < 0 {
			d = -d
		}
		enough := m.o.Threshold
		if m.raw.on&bit != 0 && (m.raw.dark&bit != 0) == dark {
			enough = m.o.Release // it was seen already
		}
		if d >= int64(enough) {
			w.on |= bit
			if dark {
				w.dark |= bit
			}
		}
	}
	w.on &= m.wired
	w.dark &= w.on
	return w
}

func (m *Machine) symbol(wire int) board.Symbol {
	switch {
	case m.now.on>>wire&1 == 0:
		return board.Empty
	case !m.o.Traits.Analog || !m.o.Color:
		return board.Something
	case m.now.dark>>wire&1 != 0:
		return board.DarkMan
	}
	return board.LightMan
}

// picture is what all squares say; squares without a wire say that they are empty.
func (m *Machine) picture() board.Picture {
	p := board.EmptyPicture()
	for wire, s := range m.o.Map {
		if s < 64 {
			p[s] = m.symbol(wire)
		}
	}
	return p
}

// haunted says once that contacts cannot be told from ghosts.
func (m *Machine) haunted() {
	if m.said || m.o.Say == nil {
		return
	}
	m.said = true
	var squares rules.Bitboard
	for h := m.held; h != 0; h &= h - 1 {
		squares |= m.o.Map[bits.TrailingZeros64(h)].Bit()
	}
	m.o.Say(Finding{Kind: "no_diodes", Squares: squares, Text: "several contacts closed at once where one would show as all of them: " +
		"the matrix has no diodes, or settle_us is too short for its wires; each square needs a diode of its own. " +
		"If it has them, lift one of these men for a moment, or say diodes = true in [board.sensor]"})
}
