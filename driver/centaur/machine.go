// Package centaur reads the board of a DGT Centaur from inside: the serial line between its Raspberry Pi and the controller of
// its squares, buttons and lights. It is a machine without I/O; a port hands it bytes and time. The page is
// protocols/others.md section 1 of the reference pages.
//
// What is certain: how frames look and are checked, where the men stand (82, 83), which buttons were pressed (94, B1), how lights
// are switched. So the position is always taken from a reading of all squares; what the board tells of changes (83, 85) only says
// that there is something to be read, and in which order it happened.
//
// What is not: bytes of time among the changes, whose form the sources do not agree on; whether lights of several squares shine
// together or one after the other; what the numbers of speed and intensity mean; the second snapshot (F4). Nothing here depends on
// them. Nobody has tried this driver on a board.
//
// The board sees that something stands on a square, not what: its acuity is presence.
package centaur

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/notes"
	"github.com/boardd/boardd/rules"
)

// Baud is the speed of the line.
const Baud = 1_000_000

// RoundMs is how far apart the board is asked; it tells of what happened meanwhile in its order.
const RoundMs = 40

// Options are what may be chosen. The zero value is a Centaur as it is.
type Options struct {
	// Buttons say what the keys do: back, tick, up, down, help, play, long_play → the name of a button as board.Input has it. nil
	// is back: takeback, tick: promotion, help: lights, long_play: new_game.
	Buttons map[string]string
	// Intensity of the lights, 1 to 10. 0 is 5.
	Intensity int
	// SilenceMs without a valid reply means that the board is gone. 0 is 3,000.
	SilenceMs int64
	// Scale is how many times faster than a wall clock the time given to Step runs. The waits for answers are stretched by it. 0 is 1.
	Scale int64
}

// Keys are the names of the board's keys.
func Keys() []string { return []string{"back", "tick", "up", "down", "help", "play", "long_play"} }

var keyNames = map[byte]string{0x01: "back", 0x10: "tick", 0x08: "up", 0x02: "down", 0x40: "help", 0x04: "play", 0x06: "long_play"}

// Waits in milliseconds.
const (
	pauseMs   = 50      // inside a frame: the rest will not come
	quietMs   = 200     // after each byte of the greeting
	pingMs    = 500     // between two calls for an address
	answerMs  = 100     // for an answer
	lookMs    = 500     // between two readings of all squares, when nothing is told
	batteryMs = 300_000 // between two questions for the battery
	silenceMs = 3000
	nobodyMs  = 10_000 // of calling, then the log says what may be wrong
	fastest   = 1000   // times as fast as a wall clock
	suddenly  = 8      // squares: more than these must be read twice
)

// Info is what a log may want to know.
type Info struct {
	Counts
	Address      [2]byte
	Unanswered   int64 // questions
	Unexplained  int64 // changes that lead to another board than the one read
	Foreign      int64 // frames of another address
	OddKeys      int64 // key frames of another form
	Percent      int   // battery
	Charging     bool
	BatteryKnown bool
}

// Machine is one Centaur. Make it with New, or with NewRaw for a recording.
type Machine struct {
	o   Options
	raw bool

	now    int64
	fresh  bool
	dec    decoder
	in     []board.Input
	online bool
	heard  int64

	phase    phase
	next     int64 // the next step of the greeting, or the next round
	question byte  // that waits for its answer, 0 for none
	due      int64 // when it is given up
	round    []byte
	look     int64 // when all squares are read again
	power    int64
	keysSeen bool // the keys pressed before were thrown away

	address  [2]byte
	found    bool
	men      rules.Bitboard // as told
	pictured bool
	changes  []byte // told and not explained
	doubt    *rules.Bitboard

	frame board.Frame
	shown string
	dirty bool

	info  Info
	calls int64 // when calling began
	notes notes.Book
}

type phase uint8

const (
	first   phase = iota // 4D is to be sent
	second               // 4E
	calling              // for an address
	running
)

// New makes the machine of a live board. Its first Step begins the conversation.
func New(o Options) *Machine {
	if o.Buttons == nil {
		o.Buttons = map[string]string{"back": "takeback", "tick": "promotion", "help": "lights", "long_play": "new_game"}
	}
	if o.Intensity < 1 || o.Intensity > 10 {
		o.Intensity = 5
	}
	if o.SilenceMs <= 0 {
		o.SilenceMs = silenceMs
	}
	o.Scale = min(max(o.Scale, 1), fastest)
	o.SilenceMs *= o.Scale
	m := &Machine{o: o, fresh: true}
	m.dec.pause, m.notes.Scale = pauseMs*o.Scale, o.Scale
	return m
}

// NewRaw makes a machine for recorded bytes: it decodes as a live one does but asks nothing, writes nothing, and never takes
// silence for loss. Step's wake is 0.
func NewRaw(o Options) *Machine {
	m := New(o)
	m.raw = true
	return m
}

// Reset forgets the board's state, for a port that was closed or opened again. The next Step says that the link is down if it was
// up, and begins anew.
func (m *Machine) Reset() { m.fresh = true }

// Adopt implements board.Adopter. The address is that of the first frame that comes.
func (m *Machine) Adopt(now int64, p board.Picture) {
	m.now = max(m.now, now)
	m.online = false // nothing is to be told
	m.begin()
	m.online, m.pictured, m.keysSeen, m.phase = true, true, true, running
	m.men = 0
	for s := range rules.NoSquare {
		if p[s] != board.Empty {
			m.men |= s.Bit()
		}
	}
}

// Info is what has been met since the machine was made.
func (m *Machine) Info() Info {
	i := m.info
	i.Counts, i.Address = m.dec.counts, m.address
	return i
}

// Light implements board.Lit.
func (m *Machine) Light(f board.Frame) {
	if m.frame != f {
		m.frame, m.dirty = f, true
	}
}

// Step implements board.Driver. Out is at most one command and one frame of lights; wake is when to call again without bytes.
func (m *Machine) Step(now int64, in []byte) (inputs []board.Input, out []byte, wake int64) {
	m.now = max(m.now, now)
	m.in = nil
	if m.fresh {
		m.begin()
	}
	m.dec.decode(m.now, in, m.reply)
	if m.raw {
		return m.in, nil, 0
	}
	out = m.speak()
	return m.in, out, m.wake()
}

func (m *Machine) begin() {
	m.fresh = false
	if m.online {
		m.online = false
		m.emit(board.Input{Kind: board.Link})
	}
	m.dec.drop()
	m.phase, m.next, m.heard = first, m.now, m.now
	m.question, m.round = 0, nil
	m.calls = m.now + 2*quietMs
	m.found, m.pictured, m.changes, m.doubt, m.keysSeen = false, false, nil, nil, false
	m.shown, m.dirty = "", m.frame != board.Frame{}
}

func (m *Machine) emit(in board.Input) {
	in.T = m.now
	m.in = append(m.in, in)
}

// reply takes one frame of the board.
func (m *Machine) reply(f Frame) {
	if !m.found && (f.Type == replyAddress && m.phase == calling || m.phase == running || m.raw) {
		m.address, m.found = f.Address, true
		m.phase, m.next, m.look, m.power = running, m.now, m.now, m.now
	}
	if !m.found || f.Address != m.address {
		m.info.Foreign++
		return
	}
	m.heard = m.now
	if answers(m.question) == f.Type {
		m.question = 0
	}
	switch f.Type {
	case replyState:
		m.state(f.Data)
	case replyChanges:
		m.changed(f.Data)
	case replyKeys:
		m.key(f.Data)
	case replyBattery:
		m.battery(f.Data[0])
	}
}

// answers is the reply to a command.
func answers(cmd byte) byte {
	switch cmd {
	case cmdState:
		return replyState
	case cmdChanges:
		return replyChanges
	case cmdKeys:
		return replyKeys
	case cmdBattery:
		return replyBattery
	}
	return 0
}

// changed is told that men were moved. Where they are now is asked at once.
func (m *Machine) changed(data []byte) {
	if len(data) == 0 {
		return
	}
	if m.raw && len(m.changes) > 0 && m.pictured { // whoever recorded this did not ask
		if all, ok := explain(m.men, m.changes, nil); ok {
			m.tell(all)
		}
		m.changes = nil
	}
	if len(m.changes)+len(data) <= longest {
		m.changes = append(m.changes, data...)
	}
	m.look = m.now
}

// state is where the men stand.
func (m *Machine) state(data []byte) {
	var men rules.Bitboard
	for n, x := range data {
		if x != 0 {
			men |= squareOf(byte(n)).Bit()
		}
	}
	if !m.online {
		m.online = true
		m.emit(board.Input{Kind: board.Link, Online: true})
	}
	changes := m.changes
	m.changes = nil
	if m.pictured && (m.men^men).Len() > suddenly && (m.doubt == nil || *m.doubt != men) {
		m.doubt, m.changes = &men, changes
		m.look = m.now
		return
	}
	m.doubt = nil
	if !m.pictured || (m.men^men).Len() > suddenly {
		m.men, m.pictured = men, true
		m.emit(board.Input{Kind: board.Scan, Picture: picture(men)})
		return
	}
	all, ok := explain(m.men, changes, &men)
	if !ok {
		m.info.Unexplained++
		all = nil
		for _, full := range [...]bool{false, true} {
			for s := range rules.NoSquare {
				if (m.men ^ men).Has(s) && men.Has(s) == full {
					all = append(all, change{s, full})
				}
			}
		}
	}
	m.tell(all)
}

func (m *Machine) tell(all []change) {
	for _, c := range all {
		m.men ^= c.square.Bit()
		sym := board.Empty
		if c.full {
			sym = board.Something
		}
		m.emit(board.Input{Kind: board.Change, Square: c.square, Symbol: sym})
	}
}

func picture(men rules.Bitboard) (p board.Picture) {
	for s := range p {
		p[s] = board.Empty
		if men.Has(rules.Square(s)) {
			p[s] = board.Something
		}
	}
	return p
}

// key is what the keys have done. What was pressed before anybody listened does not count.
func (m *Machine) key(data []byte) {
	if len(data) == 0 {
		m.keysSeen = true
		return
	}
	if len(data) < 5 || data[0] != 0x00 || data[1] != 0x14 || data[2] != 0x0A || data[3] != 0x05 {
		m.info.OddKeys++
		return
	}
	name, ok := keyNames[data[4]]
	if !ok {
		m.info.OddKeys++
		return
	}
	if does := m.o.Buttons[name]; does != "" && (m.keysSeen || m.raw) {
		m.emit(board.Input{Kind: board.Button, ButtonName: does})
	}
}

// battery is a level of 0 to 20, and whether it charges.
func (m *Machine) battery(x byte) {
	percent, charging := min(int(x&0x1F), 20)*5, x>>5 == 1
	if m.info.BatteryKnown && m.info.Percent == percent && m.info.Charging == charging {
		return
	}
	m.info.BatteryKnown, m.info.Percent, m.info.Charging = true, percent, charging
	m.emit(board.Input{Kind: board.Battery, Percent: percent, Charging: charging})
}
