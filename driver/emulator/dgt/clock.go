package dgt

import (
	"slices"

	"github.com/boardd/boardd/board"
)

// ClockType is a kind of clock.
type ClockType uint8

// XL, and the TopMatch like it, has a display of seven segments; the DGT3000 shows letters.
const (
	NoClock ClockType = iota
	XL
	DGT3000
)

// Button is one of the five buttons of a clock.
type Button uint8

// The buttons, in the order in which the clock counts them when two are pressed together.
const (
	Back Button = iota
	Minus
	Run
	Plus
	OK
)

var (
	buttonBits  = [...]byte{0x04, 0x20, 0x10, 0x08, 0x40}
	buttonCodes = [...]byte{0x31, 0x34, 0x33, 0x32, 0x35}
)

// setMode is the mode of an XL in which a computer may set its times.
const setMode = 23

// Numbers of the clock's commands, which its answers carry too.
const (
	orderDisplay = 0x01
	orderIcons   = 0x02
	orderEnd     = 0x03
	orderButton  = 0x08
	orderVersion = 0x09
	orderSet     = 0x0A
	orderBeep    = 0x0B
	orderText    = 0x0C
	orderRevText = 0x0D
)

// clockSizes are what the commands' size bytes say.
var clockSizes = [256]int{orderDisplay: 11, orderIcons: 11, orderEnd: 3, orderButton: 3, orderVersion: 3, orderSet: 10,
	orderBeep: 4, orderText: 12, orderRevText: 15}

// What the clock says of a command.
const (
	done    = 0x10
	ignored = 0x20
	refused = 0x40
)

type clock struct {
	kind    ClockType
	version byte
	mode    byte

	at        int64
	ms        [2]int64 // left, right
	increment int64
	running   bool
	turn      board.Side // whose time counts
	lever     board.Side // the side that is high
	toggle    bool       // the lever says whose time counts
	flag      [2]bool

	text  []byte // what a computer has put on the display, nil: the times
	icons []byte
	beeps int64 // milliseconds

	acks    []timedAck
	lastAck []byte
	ackedAt int64
	said    [7]byte
	look    int64
}

type timedAck struct {
	at    int64
	bytes [4]byte
	times bool // nothing but zeros
}

func newClock(o Options) clock {
	c := clock{kind: o.Clock, version: o.ClockVersion, mode: setMode, lever: board.Left, turn: board.Left, toggle: true}
	if c.version == 0 {
		c.version = map[ClockType]byte{XL: 0x1E, DGT3000: 0x20}[o.Clock]
	}
	return c
}

// begin is the board's power coming: what was to be said is not said any more.
func (c *clock) begin(now int64) {
	c.at, c.acks, c.lastAck = now, nil, nil
}

// heard is the start of an update mode: what the clock says now is no news.
func (c *clock) heard(now int64, times [7]byte) { c.said, c.look = times, now+clockGap }

// advance lets time pass.
func (c *clock) advance(now int64) {
	passed := now - c.at
	c.at = now
	if !c.running || c.kind == NoClock {
		return
	}
	s := index(c.turn)
	if c.ms[s] -= passed; c.ms[s] <= 0 {
		c.ms[s], c.flag[s], c.running = 0, true, false
	}
}

func index(s board.Side) int { return one(s == board.Right) }

func other(s board.Side) board.Side { return board.Left + board.Right - s }

// SetTimes sets the clock by hand: what both have left, and what each press adds, in milliseconds. The clock stands.
func (b *Board) SetTimes(left, right, increment int64) {
	b.do(func() {
		c := &b.clock
		c.ms, c.increment, c.flag, c.running, c.turn = [2]int64{left, right}, increment, [2]bool{}, false, c.lever
	})
}

// StartStop is a press of the clock's start/stop button.
func (b *Board) StartStop() {
	b.do(func() { b.clock.running = !b.clock.running && b.clock.ms[index(b.clock.turn)] > 0 })
}

// Press is a player's press of the lever on his side; nothing if it is down already.
func (b *Board) Press(side board.Side) {
	b.do(func() {
		c := &b.clock
		if c.kind == NoClock || c.lever != side {
			return
		}
		c.lever = other(side)
		if !c.toggle {
			return
		}
		if c.running {
			c.ms[index(side)] += c.increment
			b.log.time(side == board.Right, c.ms[index(side)])
		}
		c.turn = c.lever
	})
}

// Push presses buttons of the clock, one or two together.
func (b *Board) Push(buttons ...Button) {
	b.do(func() {
		bits, last := byte(1), Back
		for _, p := range buttons {
			bits |= buttonBits[p]
			last = max(last, p)
		}
		b.speak(0x88, bits, buttonCodes[last])
	})
}

// Plug changes the clock behind the board: it says that it is ready, and in which mode.
func (b *Board) Plug(kind ClockType) {
	b.do(func() {
		old := b.clock
		b.clock = newClock(Options{Clock: kind})
		b.clock.at, b.clock.mode, b.clock.said, b.clock.look = old.at, old.mode, old.said, old.look
		if kind != NoClock {
			b.speak(0x81, 0, 0)
			b.speak(0x8A, 0, old.mode)
		}
	})
}

// SetMode turns the clock to another mode; it can be set from the board in mode 23 alone.
func (b *Board) SetMode(mode byte) {
	b.do(func() {
		b.clock.mode = mode & 0x7F
		if mode != setMode {
			b.speak(0x90, 0, 0)
		} else {
			b.speak(0x8A, 0, mode)
		}
	})
}

// speak is the clock saying something by itself.
func (b *Board) speak(what, ack2, ack3 byte) {
	if b.clock.kind != NoClock {
		b.clock.acks = append(b.clock.acks, timedAck{at: b.now, bytes: [4]byte{done, what, ack2, ack3}})
	}
}

// Shown is what one sees and hears of the clock.
type Shown struct {
	LeftMs, RightMs int64
	Running, Lever  board.Side // whose time counts now, and which side is high
	Text            string     // of a computer: letters, or seven segments a byte as they are sent; "" when the times are shown
	BeepMs          int64      // of all beeps so far
}

// Clock is what the clock shows, as of the last Step.
func (b *Board) Clock() Shown {
	c := &b.clock
	s := Shown{LeftMs: c.ms[0], RightMs: c.ms[1], Lever: c.lever, Text: string(c.text), BeepMs: c.beeps}
	if c.running {
		s.Running = c.turn
	}
	return s
}

// bcdTime is hours, minutes and seconds begun, the latter two in BCD.
func bcdTime(ms int64) [3]byte {
	s := (ms + 999) / 1000
	h, m, s := min(s/3600, 9), s/60%60, s%60
	return [3]byte{byte(h), byte(m/10<<4 | m%10), byte(s/10<<4 | s%10)}
}

// times are the seven bytes of the clock's times.
func (b *Board) times() [7]byte {
	c := &b.clock
	if c.kind == NoClock {
		return [7]byte{6: 0x20}
	}
	l, r := bcdTime(c.ms[0]), bcdTime(c.ms[1])
	for i, t := range [2]*[3]byte{&l, &r} {
		t[0] |= byte(one(c.flag[i])<<4 | one(c.increment > 0)<<5)
	}
	status := byte(0x08)
	if c.turn == board.Right {
		status = 0x10
	}
	status |= byte(one(c.running) | one(c.lever == board.Right)<<1)
	return [7]byte{r[0], r[1], r[2], l[0], l[1], l[2], status}
}

// clockMessage answers the command 41: shortly after a command it is what the clock said of that.
func (b *Board) clockMessage() []byte {
	if c := &b.clock; c.lastAck != nil && b.now-c.ackedAt < 1000 {
		return c.lastAck
	}
	t := b.times()
	return message(clockTimes, t[:]...)
}

func ackMessage(a [4]byte) []byte {
	return message(clockTimes, a[2]&0x80>>3|a[3]&0x80>>2|0x0A, a[0]&0x7F, a[1]&0x7F,
		a[0]&0x80>>3|a[1]&0x80>>2, a[2]&0x7F, a[3]&0x7F, 0)
}

// sayClock says what the clock has to say and the mode lets through.
func (b *Board) sayClock() {
	c := &b.clock
	if b.logging {
		return
	}
	spoken := b.mode == update || b.mode == updateNice
	for len(c.acks) > 0 && c.acks[0].at <= b.now {
		a := c.acks[0]
		c.acks = c.acks[1:]
		bytes := ackMessage(a.bytes)
		if a.times {
			bytes = message(clockTimes, 0, 0, 0, 0, 0, 0, 0)
		} else {
			c.lastAck, c.ackedAt = bytes, b.now
		}
		if spoken {
			b.raw(bytes)
		}
	}
	if t := b.times(); spoken && b.now >= c.look {
		if b.mode == updateNice {
			c.look = b.now + clockGap
		} else {
			c.look = b.now + 1000
		}
		if b.mode == update || t != c.said {
			c.said = t
			b.say(clockTimes, t[:]...)
		}
	}
}

// clockDue is when sayClock has something to do, 0 for never.
func (b *Board) clockDue() int64 {
	c := &b.clock
	due := int64(0)
	if len(c.acks) > 0 {
		due = c.acks[0].at
	}
	if b.mode == update || b.mode == updateNice && (c.running || b.times() != c.said) {
		if due == 0 || c.look < due {
			due = c.look
		}
	}
	return due
}

// clockOrder takes a command to the clock: what follows its size.
func (b *Board) clockOrder(order []byte) {
	c := &b.clock
	if c.kind == NoClock || len(order) < 3 || order[0] != 0x03 {
		return
	}
	n, content := order[1], order[2:len(order)-1]
	if n == orderVersion && b.opt.Quirks.NoVersion {
		return
	}
	if b.opt.Quirks.AckAfterTimes {
		t := b.times()
		b.say(clockTimes, t[:]...)
	}
	ack := timedAck{at: b.now + b.opt.AckMs, bytes: [4]byte{ignored}}
	if len(c.acks) == 0 {
		ack.bytes = c.obey(n, content, b.opt.Model == RevelationII)
	}
	c.acks = append(c.acks, ack)
	if b.opt.Quirks.ZeroClock {
		c.acks = append(c.acks, timedAck{at: ack.at, times: true})
	}
}

// obey carries out a command and gives what is said of it.
func (c *clock) obey(n byte, content []byte, revelation bool) [4]byte {
	no := [4]byte{refused, n}
	if size := clockSizes[n]; size == 0 || len(content) != size-3 {
		return no
	}
	switch n {
	case orderDisplay:
		if c.kind != XL {
			return no
		}
		// Three digits a side, each group from its right; then the dots, and the beep.
		c.text = []byte{content[2], content[1], content[0], content[5], content[4], content[3], content[6]}
		c.beeps += 64 * int64(one(content[7] == 3))
	case orderIcons:
		c.icons = slices.Clone(content)
	case orderEnd:
		c.text, c.icons = nil, nil
	case orderButton:
	case orderVersion:
		return [4]byte{done, n, c.version, 0}
	case orderSet:
		if c.kind == XL && c.mode != setMode || !c.run(content) {
			return no
		}
	case orderBeep:
		c.beeps += 64 * int64(content[0])
	case orderText:
		if c.kind != DGT3000 {
			return no
		}
		c.text = slices.Clone(content[:8])
		c.beep(content[8])
	case orderRevText:
		if !revelation {
			return no
		}
		c.text = slices.Clone(content[:11])
		c.beep(content[11])
		return [4]byte{done, orderDisplay, 0, 0}
	}
	return [4]byte{done, n, 0, 0}
}

func (c *clock) beep(n byte) {
	if n > 0 {
		c.beeps += 62 + int64(n)*1000/16
	}
}

// run sets both times and says what runs.
func (c *clock) run(p []byte) bool {
	for _, t := range [2][]byte{p[:3], p[3:6]} {
		if t[0] > 9 || t[1] > 59 || t[2] > 59 {
			return false
		}
	}
	ms := func(t []byte) int64 { return ((int64(t[0])*60+int64(t[1]))*60 + int64(t[2])) * 1000 }
	c.ms, c.flag = [2]int64{ms(p[:3]), ms(p[3:6])}, [2]bool{}
	control := p[6]
	c.toggle = control&0x08 != 0
	c.running = control&0x03 != 0 && control&0x04 == 0
	switch {
	case control&0x01 != 0:
		c.turn = board.Left
	case control&0x02 != 0:
		c.turn = board.Right
	case c.toggle:
		c.turn = c.lever
	}
	return true
}
