package text

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/rules"
)

// Waits, in milliseconds.
const (
	settleMs   = 2500   // after the port was opened
	sendGapMs  = 200    // between what is sent at the start
	everyMs    = 500    // between two questions
	patience   = 10     // questions without an answer, then the board is gone
	greetMs    = 3000   // without a picture of the board, then it is greeted again, each time twice as late
	greetMaxMs = 30_000 // but not later than this
	echoMs     = 2000   // how long what was sent may come back
	muteMs     = 5000   // without a word, then the players are told how to get one
	fastest    = 1000   // times as fast as a wall clock
)

// Machine is one home-made board. Make it with New, or with NewRaw for a recording.
type Machine struct {
	p     program
	scale int64
	raw   bool // only listen

	now   int64
	fresh bool // start from the beginning at the next Step
	in    []board.Input
	cut   cutter

	online  bool
	waiting bool  // a board that is assumed to stand somewhere, until SettleMs are over
	heard   int64 // when something was last understood
	due     int64 // waiting ends, and sending begins

	queue     [][]byte
	nextWrite int64
	nextPoll  int64
	nextGreet int64
	greetGap  int64
	echoes    []echo

	men      [64]man       // by rules.Square; 0 is not known
	told     board.Picture // what the core has been told
	pictured bool
	hinted   bool // how a mute board is made to speak
	hand     hand
	moved    struct{ from, to rules.Square }
	doubt    doubt
	block    block
	chips    chips

	frame    board.Frame
	shown    []byte // the last bytes of lights
	dirty    bool
	nextLeds int64

	info  Info
	notes notes.Book
}

// New makes the machine of a live board. Options that Check refuses make one that understands less than was meant.
func New(o Options) *Machine {
	m := &Machine{fresh: true, scale: min(max(o.Scale, 1), fastest)}
	m.p, _ = compile(o.clone())
	m.cut.framing = m.p.framing
	m.cut.gap *= m.scale
	m.notes.Scale = m.scale
	m.chips.table = m.p.o.IDs
	return m
}

// NewRaw makes a machine for recorded bytes: it decodes as a live one does but asks nothing, writes nothing, and never
// takes silence for loss. Step's wake is 0.
func NewRaw(o Options) *Machine {
	m := New(o)
	m.raw = true
	return m
}

// Reset forgets the conversation, for a port that was closed or opened again. The next Step says that the link is down if
// it was up, and begins anew. Of a board that never says where its men stand, where they were is remembered.
func (m *Machine) Reset() { m.fresh = true }

// Adopt implements board.Adopter.
func (m *Machine) Adopt(now int64, p board.Picture) {
	m.now = max(m.now, now)
	m.in = nil
	m.online = false // nothing is to be told
	m.begin()
	m.waiting, m.online, m.pictured = false, true, true
	m.due, m.queue, m.nextPoll = m.now, m.queue[:0], m.now
	m.told = p
	m.remember(p)
}

// Remember implements board.Rememberer: a board that never says where its men stand is taken to show what it showed last.
func (m *Machine) Remember(p board.Picture) {
	if m.p.o.Assume != "" {
		m.remember(p)
	}
}

func (m *Machine) remember(p board.Picture) {
	for s, sym := range p {
		switch {
		case m.p.acuity == board.ColorAcuity && sym == board.LightMan:
			m.men[s] = white
		case m.p.acuity == board.ColorAcuity && sym == board.DarkMan:
			m.men[s] = black
		case sym == board.Unknown:
			m.men[s] = something
		case m.p.acuity.Valid(sym):
			m.men[s] = man(sym)
		default: // nothing is known of it
			m.men = [64]man{}
			return
		}
	}
}

// Light implements board.Lit. A board without lights takes no notice.
func (m *Machine) Light(f board.Frame) {
	if m.frame != f {
		m.frame, m.dirty = f, true
	}
}

// Stop is the last thing to write to the board: its lights go out, and it is told to stop sending where it can be.
func (m *Machine) Stop() []byte {
	if m.raw {
		return nil
	}
	return slices.Concat(m.p.lights.encode(&board.Frame{}), m.p.stop)
}

// Step implements board.Driver. Out is at most one command and one frame of lights; wake is when to call again without bytes.
func (m *Machine) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	m.now = max(m.now, now)
	m.in = nil
	if m.fresh {
		m.begin()
	}
	if m.waiting && m.now >= m.due {
		m.assume()
	}
	clean := len(m.cut.buf) == 0 || m.cut.pending() // nothing is left over
	m.cut.pause(m.now, m.message)
	m.burstEnds(clean)
	if len(in) > 0 {
		m.cut.cut(m.now, in, m.message)
	}
	if m.raw {
		return m.in, nil, 0
	}
	m.timers()
	out = append(m.write(), m.light()...)
	return m.in, out, m.wake()
}

// begin is the start-up, of the machine or of a board that has fallen silent.
func (m *Machine) begin() {
	m.fresh = false
	if m.online {
		m.online = false
		m.emit(board.Input{Kind: board.Link})
	}
	m.cut.clear()
	m.heard, m.due = m.now, m.now+orElse(m.p.o.SettleMs, settleMs)
	m.pictured, m.hand, m.doubt, m.block = false, hand{}, doubt{}, block{}
	m.chips.votes = nil
	m.shown, m.dirty = nil, m.frame != board.Frame{}
	m.echoes = nil
	if m.p.o.Assume == "" {
		m.men = [64]man{}
	}
	m.waiting = m.p.o.Assume == "start"
	if m.raw {
		m.due = m.now
		return
	}
	m.greetGap = greetMs
	m.greet(m.due)
}

// greet begins the conversation at a time: what starts the board, then the first question.
func (m *Machine) greet(at int64) {
	m.queue = append(m.queue[:0], m.p.start...)
	m.nextWrite, m.nextPoll = at, at
	m.nextGreet = at + m.greetGap
	m.greetGap = min(2*m.greetGap, greetMaxMs)
}

// assume takes a board that will not say where its men stand to be there: as at the start of a game, or as they were when
// it was there last.
func (m *Machine) assume() {
	m.waiting = false
	men := startMen
	if m.men != ([64]man{}) {
		men = m.men
	}
	m.answered()
	m.accept(men)
}

// answered says that the board is there.
func (m *Machine) answered() {
	m.heard = m.now
	if m.online {
		return
	}
	m.online = true
	m.emit(board.Input{Kind: board.Link, Online: true})
	if m.waiting {
		m.assume()
	}
}

func (m *Machine) emit(in board.Input) {
	in.T = m.now
	m.in = append(m.in, in)
}

// booted is a board that has started anew: it must be told again what it was told at the start.
func (m *Machine) booted() {
	m.info.Boots++
	m.notes.Say(m.now, noteBoot, "the board has started anew")
	m.block = block{}
	if !m.raw {
		m.greetGap = greetMs
		m.greet(m.now + orElse(m.p.o.SettleMs, settleMs))
		m.shown, m.dirty = nil, m.frame != board.Frame{}
	}
}

func orElse(v, d int64) int64 {
	if v > 0 {
		return v
	}
	return d
}

// silence is how long nothing may come, 0 for ever.
func (m *Machine) silence() int64 {
	switch o := &m.p.o; {
	case o.SilenceMs > 0:
		return o.SilenceMs * m.scale
	case o.PollSend != "":
		return max(patience*orElse(o.EveryMs, everyMs), greetMs) * m.scale
	}
	return 0
}

// mute boards are not asked and have not spoken, and nobody has been told.
func (m *Machine) mute() bool {
	return !m.online && !m.hinted && !m.waiting && len(m.p.start)+len(m.p.poll) == 0 && m.p.o.SilenceMs == 0
}

// periodic boards say the same again.
func (m *Machine) periodic() bool { return m.silence() > 0 }

// timers does what the time asks for.
func (m *Machine) timers() {
	if s := m.silence(); s > 0 && m.now >= max(m.heard, m.due)+s {
		if m.online {
			m.notes.Say(m.now, noteSilent, "the board has fallen silent: see whether it is switched on and its cable is in")
		}
		m.begin()
	}
	if m.mute() && m.now >= m.due+muteMs {
		m.hinted = true
		m.notes.Say(m.now, noteMute, "the board has said nothing yet: it speaks when something changes, so lift a man and put him back")
	}
	if len(m.p.start) > 0 && !m.pictured && m.now >= m.nextGreet {
		m.greet(m.now)
	}
	if len(m.p.poll) > 0 && len(m.queue) == 0 && m.now >= m.nextPoll && m.now >= m.nextWrite {
		m.nextPoll = m.now + orElse(m.p.o.EveryMs, everyMs)
		m.queue = append(m.queue, m.p.poll)
	}
}

// write takes the next command out of the queue when the board may be given one.
func (m *Machine) write() []byte {
	if len(m.queue) == 0 || m.now < m.nextWrite {
		return nil
	}
	b := m.queue[0]
	m.queue = append(m.queue[:0], m.queue[1:]...)
	m.nextWrite = m.now + orElse(m.p.o.SendGapMs, sendGapMs)
	m.sent(b)
	return slices.Clone(b)
}

// say puts an answer before whatever waits.
func (m *Machine) say(b []byte) {
	if !m.raw && len(b) > 0 && len(m.queue) < mostRules {
		m.queue = append([][]byte{b}, m.queue...)
		m.nextWrite = min(m.nextWrite, m.now)
	}
}

// wake is the next moment at which there is something to do, always later than now.
func (m *Machine) wake() int64 {
	next := int64(0)
	at := func(t int64) {
		if next == 0 || t < next {
			next = t
		}
	}
	if m.waiting {
		at(m.due)
	}
	if m.mute() {
		at(m.due + muteMs)
	}
	if s := m.silence(); s > 0 {
		at(max(m.heard, m.due) + s)
	}
	if len(m.p.start) > 0 && !m.pictured {
		at(m.nextGreet)
	}
	if len(m.queue) > 0 {
		at(m.nextWrite)
	} else if len(m.p.poll) > 0 {
		at(max(m.nextPoll, m.nextWrite))
	}
	if m.doubt.open {
		at(m.cut.last + m.cut.gap)
	}
	if m.cut.pending() {
		at(m.cut.quiet())
	}
	if m.lit() && m.dirty {
		at(m.nextLeds)
	}
	if next == 0 {
		return 0
	}
	return max(next, m.now+1)
}
