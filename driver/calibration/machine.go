// Package calibration finds out which wire of a home-made board is which square, by asking for men to be lifted from the start
// position and put down elsewhere, and no more of them than the evidence needs. It is a machine without I/O: readings, keys and the
// time go in, what to ask the builder comes out.
package calibration

import (
	"math/bits"
	"strings"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// Options say what is known before.
type Options struct {
	Traits     scan.Traits
	Configured *scan.Map // the map that the configuration gives, which is tried first; nil for none
	Every      bool      // ask for every square by itself, whatever pattern there may be
	Threshold  int32     // of analog sensors, as configured, microvolts: whether it suits the men is said; 0: not known
}

// Times in milliseconds.
const (
	Rest     = 500  // a reading that has not changed for so long is believed
	Patience = 4000 // then a hint is given, and wires that still flicker are left out
)

// Key is what the builder pressed.
type Key byte

// The keys. Every other one is nothing.
const (
	NoKey  Key = 0
	Enter  Key = '\n' // go on: it is as you say
	Skip   Key = 's'  // nothing reacts here: a dead square
	Repeat Key = 'r'  // begin this step again
	Undo   Key = 'u'  // take the last step back
	Wrong  Key = 'n'  // at the check: the echo was wrong
	Quit   Key = 'q'  // give up; nothing is kept
)

// Machine is one calibration. Its zero value is not useful: see New.
type Machine struct {
	opt   Options
	front front
	log   []event
	know  *knowledge
	step  step

	begun   bool   // the step has a reading to compare with
	before  uint64 // wires that were on when the step began
	since   int64  // when the step began
	moved   bool   // something has changed since
	wanted  bool   // Enter was pressed on the empty board, and waits for rest
	held    Key    // was pressed before the reading was at rest
	confirm string // what Enter would confirm; "" for nothing
	restore bool   // a step was taken back: the men must be put back first
	back    uint64 // the wires that are on again then

	tried rules.Bitboard // squares that were echoed in the check
	echo  string
	found string // what the last step has shown
	quit  bool
}

// New begins a calibration.
func New(o Options) *Machine {
	m := &Machine{opt: o}
	m.plan()
	return m
}

// plan looks at all evidence and decides what to ask next.
func (m *Machine) plan() {
	m.know = learn(&m.opt, m.log)
	m.step = m.know.next()
	m.begun, m.moved, m.wanted, m.held, m.confirm = false, false, false, NoKey, ""
	m.front.rest, m.front.zero, m.front.threshold = m.know.rest, m.know.zero, m.know.threshold
	if m.step.kind != AskCheck {
		m.tried, m.echo = 0, ""
	}
}

// Step takes a reading at the time now, in milliseconds, which never falls, and a key or NoKey. It says what to ask the builder, and
// whether the calibration has ended: Result then says how. After that it changes nothing more.
func (m *Machine) Step(now int64, r *scan.Reading, key Key) (Prompt, bool) {
	if m.over() {
		return m.prompt(now), true
	}
	before := m.front.on
	m.front.see(now, r, m.opt.Traits.Analog)
	m.front.settle(now)
	if key == Quit {
		m.quit = true
		return m.prompt(now), true
	}
	if key == Undo && len(m.log) > 0 {
		m.undo()
		return m.prompt(now), false
	}
	if m.restore {
		if m.front.still(now) && m.front.on == m.back&^m.front.flicker || key == Enter {
			m.restore, m.begun, m.before, m.since, m.moved = false, true, m.front.on, now, false
		}
		return m.prompt(now), false
	}
	if !m.begun {
		if !m.front.still(now) {
			m.hold(key)
			return m.prompt(now), false
		}
		m.begun, m.before, m.since, m.moved = true, m.front.on, now, false
	}
	if key == Repeat {
		m.again()
		return m.prompt(now), false
	}
	m.moved = m.moved || m.front.on != m.before&^m.front.flicker
	m.advance(now, before, key)
	return m.prompt(now), m.over()
}

func (m *Machine) over() bool { return m.quit || m.step.kind == AskNothing }

// undo takes the last step back.
func (m *Machine) undo() {
	last := m.log[len(m.log)-1]
	m.log = m.log[:len(m.log)-1]
	m.plan()
	switch last.kind {
	case AskLift, AskPut:
		m.restore, m.back = true, last.before
	}
}

// again waits until the board looks as it did when the step began.
func (m *Machine) again() {
	m.restore, m.back = m.front.on != m.before&^m.front.flicker, m.before
	m.moved, m.confirm = false, ""
}

// done ends the step with what was seen.
func (m *Machine) done(now int64, skipped bool) {
	e := event{step: m.step, before: m.before, after: m.front.on, flicker: m.front.flicker, skipped: skipped, raw: m.front.last.Bits}
	if m.opt.Traits.Analog {
		levels, noise := m.front.average()
		e.levels, e.noise = &levels, noise
	}
	m.log = append(m.log, e)
	st := m.step
	m.plan()
	m.found = ""
	if w := m.know.seen[st.square%64]; (st.kind == AskLift || st.kind == AskPut) && !skipped && w != 0 {
		m.found = st.square.String() + ": " + strings.ToLower(wires(w))
	}
	// The next step begins with this very reading: hands may be quick.
	m.front.again(m.opt.Traits.Analog)
	m.begun, m.before, m.since = true, m.front.on, now
}

// hold keeps a key until the reading is at rest: people press Enter with the last man still swinging.
func (m *Machine) hold(key Key) {
	if key == Enter || key == Skip {
		m.held = key
	}
}

// advance ends the step when there is reason to.
func (m *Machine) advance(now int64, before uint64, key Key) {
	still, on := m.front.still(now), m.front.on
	if !still && m.step.kind != AskCheck {
		m.hold(key)
		key = NoKey
	} else if key == NoKey {
		key, m.held = m.held, NoKey
	}
	m.before &^= m.front.flicker
	rose, fell := on&^m.before, m.before&^on
	switch m.step.kind {
	case AskEmpty:
		m.empty(now, key)
	case AskCorners:
		n := bits.OnesCount64(on)
		_, _, _, corner := corners(on)
		m.confirm = ""
		switch {
		case still && n == 3 && corner:
			m.done(now, false)
			return
		case still && rectangle(on):
			m.confirm = "Four wires react, and there are three men. Is b2 empty? Then press Enter: diodes are missing."
		case still && n == 0 && now-m.since > Patience:
			m.confirm = "No wire reacts. If the three men stand there, press Enter."
		case still && n > 0:
			m.confirm = count(n, "wire") + " react. If the men stand on a1, b1 and a2 and nowhere else, press Enter."
		}
		if key == Enter && m.confirm != "" {
			m.done(now, false)
		}
	case AskSetup:
		m.setUp(now, key, still)
	case AskLift:
		m.changed(now, key, still, fell, rose)
	case AskPut:
		if m.know.walking {
			// The board is empty but for the man that walks: what is on is its square's.
			if still && !m.moved {
				on = 0
			}
			m.changed(now, key, still, on, 0)
			return
		}
		m.changed(now, key, still, rose, fell)
	case AskClear:
		if still && (on == 0 || key == Enter) {
			m.done(now, false)
		}
	case AskCheck:
		m.check(now, before, key)
	}
}

// empty ends the first step, once more asked where half the board reads full.
func (m *Machine) empty(now int64, key Key) {
	if n := bits.OnesCount64(m.front.on); key == Enter && m.confirm == "" && n > 4 && n < 60 {
		m.confirm = count(n, "wire") + " of 64 read full. Is the board really empty? Then press Enter again."
		return
	}
	if key == Enter && !m.wanted {
		m.wanted = true
		m.front.rested(now) // what was read before counts for nothing: men may have stood there
	}
	if m.wanted && m.front.still(now) && m.front.count >= 30 {
		m.done(now, false)
	}
}

// setUp ends with the start position, once more asked where fewer or more than 32 men are seen.
func (m *Machine) setUp(now int64, key Key, still bool) {
	n := bits.OnesCount64(m.front.on)
	if !still {
		return
	}
	if n == 32 && !m.opt.Traits.Analog {
		m.done(now, false)
		return
	}
	if key != Enter {
		return
	}
	if m.confirm == "" && (n < 28 || n > 36) && !m.opt.Traits.Analog {
		m.confirm = decimal(n) + " wires see a man, not 32. If all men stand, press Enter again."
		return
	}
	m.done(now, false)
}

// changed ends a lift or a placing: right are the wires that changed as they should, odd those that changed otherwise.
func (m *Machine) changed(now int64, key Key, still bool, right, odd uint64) {
	m.confirm = ""
	if !still {
		return
	}
	if key == Skip {
		m.done(now, true)
		return
	}
	n := bits.OnesCount64(right)
	switch {
	case n == 0 && odd == 0:
		return
	case odd != 0:
		m.confirm = wires(odd) + " changed the other way: put the men back, or press Enter if only " + m.step.square.String() + " was touched."
	case n > 1:
		m.confirm = wires(right) + " changed at once: lift only one man, straight up. Press Enter if that was so."
	default:
		m.confirm = m.know.surprise(m.step, right)
	}
	if m.confirm == "" || key == Enter && right != 0 {
		m.done(now, false)
	}
}

// check echoes what is touched, until the builder is content.
func (m *Machine) check(now int64, before uint64, key Key) {
	for change := (m.front.on ^ before) &^ m.front.flicker; change != 0 && m.begun; change &= change - 1 {
		w := bits.TrailingZeros64(change)
		what := "off"
		if m.front.on>>w&1 == 1 {
			what = "on"
		}
		if s := m.know.result.Map[w]; s < 64 {
			m.echo = s.String() + " " + what
			m.tried |= s.Bit()
		} else {
			m.echo = "wire " + decimal(w) + ", which has no square, " + what
		}
	}
	switch {
	case key == Enter && m.tried.Len() >= CheckSquares:
		m.done(now, false)
	case key == Wrong:
		m.wrong()
	}
}

// wrong begins again with the start position, and asks for every square by itself.
func (m *Machine) wrong() {
	m.opt.Every = true
	for i, e := range m.log {
		if e.kind == AskSetup {
			m.log = m.log[:i]
			break
		}
	}
	m.plan()
}

// CheckSquares is how many squares must have been touched in the check before it may end.
const CheckSquares = 3
