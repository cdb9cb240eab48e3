// Package dgt is a DGT electronic board that is not there: what stands on it, the clock behind it and what a player does to
// both, answered in bytes as protocols/dgt.md of the reference pages says that the hardware does. It shares no code with the
// driver.
package dgt

import (
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Model is the kind of board.
type Model uint8

// USB is the common wooden board; Bluetooth scans at half the speed and has a battery; RevelationII has lights; Newer
// knows its hardware version and the newer commands of bus mode.
const (
	USB Model = iota
	Bluetooth
	RevelationII
	Newer
)

// Quirks are what some boards and clocks do, or are said to do. The zero value is a board without any.
type Quirks struct {
	ZeroClock     bool // a clock message of nothing but zeros follows each clock command
	NoVersion     bool // the clock does not answer when asked for its version
	ThreeSerials  bool // the serial number is said three times
	DummyUpdate   bool // entering an update mode says that a8 is what it is
	AckAfterTimes bool // the clock's times come between a command and its acknowledgement
}

// Options are what may be chosen. The zero value is a USB board without a clock.
type Options struct {
	Model        Model
	Serial       string    // five digits, "" is 01025; its number is the address in bus mode
	LongSerial   string    // ten characters, "" is what the model has
	Version      [2]byte   // major, minor; zero is 1.8
	Clock        ClockType // what is plugged in
	ClockVersion byte      // major and minor in one nibble each, 0 is what the clock has
	ScanMs       int64     // for all squares once; 0 is 200, and 400 over Bluetooth
	AckMs        int64     // until the clock has carried out a command; 0 is 300
	Quirks       Quirks
}

// Board implements emulator.Machine. Everything done to it is noticed by the next Step, which has the time. It is not
// safe for concurrent use.
type Board struct {
	opt  Options
	acts []func()

	now   int64
	on    bool  // it has had power
	since int64 // when power came

	mode    mode
	command []byte // single-board mode: a longer command so far
	frame   []byte // bus mode: a command so far
	held    []byte // what came while the log was being sent

	actual  [64]byte // what stands there, by field number
	sampled [64]byte // what the last scan found
	swept   int64    // squares looked at since power came
	log     changeLog
	logging bool // the log is being sent: nothing else happens

	tx     []byte // on its way out
	txNext int64  // when the next byte is out, in microseconds
	later  []timed

	clock clock
	leds  lights
	bus   busState

	percent  byte
	charging bool
	harm     []byte
}

type timed struct {
	at    int64
	bytes []byte
}

type mode uint8

const (
	busMode mode = iota
	idle
	update
	updateBoard
	updateNice
)

// updates reports whether a square that changes is said at once.
func (m mode) updates() bool { return m >= update }

const (
	byteUs   = 1042 // at 9600 baud, ten bits a byte
	chunk    = 16   // bytes given out at once
	heldSize = 10   // of the buffer for commands
	clockGap = 400  // between two looks at the clock, in milliseconds
)

// New makes a board without power: its first Step switches it on, with the men that were set before.
func New(o Options) *Board {
	if o.Serial == "" {
		o.Serial = "01025"
	}
	if o.LongSerial == "" {
		o.LongSerial = "3000147740"
		if o.Model == RevelationII {
			o.LongSerial = "3.24000000"
		}
	}
	if o.Version == [2]byte{} {
		o.Version = [2]byte{1, 8}
	}
	if o.ScanMs <= 0 {
		o.ScanMs = 200
		if o.Model == Bluetooth {
			o.ScanMs = 400
		}
	}
	if o.AckMs <= 0 {
		o.AckMs = 300
	}
	b := &Board{opt: o, percent: 100}
	b.clock = newClock(o)
	b.leds = newLights(o)
	return b
}

// Step implements emulator.Machine.
func (b *Board) Step(now int64, in []byte) (out []byte, wake int64) {
	b.now = max(b.now, now)
	if b.on {
		b.sweep()
		b.clock.advance(b.now)
	}
	acts := b.acts
	b.acts = nil
	for _, act := range acts {
		act()
	}
	if !b.on {
		b.powerUp()
	}
	b.sayLater()
	for _, c := range in {
		b.receive(c)
	}
	b.sayClock()
	out = b.transmit()
	return out, b.wake()
}

func (b *Board) do(act func()) { b.acts = append(b.acts, act) }

// Set implements emulator.Machine. A man that the board does not know is not seen at all.
func (b *Board) Set(s rules.Square, what board.Symbol) {
	if s < 64 {
		code := codeOf(what)
		b.do(func() { b.actual[fieldOf(s)] = code })
	}
}

// SetSpecial puts down one of the three pieces that claim a result: 0D draw, 0E White wins, 0F Black wins.
func (b *Board) SetSpecial(s rules.Square, code byte) {
	if s < 64 && code >= 0x0D && code <= 0x0F {
		b.do(func() { b.actual[fieldOf(s)] = code })
	}
}

// Lit implements emulator.Machine.
func (b *Board) Lit() board.Frame { return b.leds.frame() }

// SetBattery says how full the battery of a board is that has one, in percent.
func (b *Board) SetBattery(percent int, charging bool) {
	b.do(func() { b.percent, b.charging = byte(min(max(percent, 0), 100)), charging })
}

// Restart takes the power away and gives it back: the board is in bus mode again. Its log stays.
func (b *Board) Restart() { b.do(func() { b.on = false }) }

// Harm is every command received that would have done lasting harm to a real board: those that start its loader or
// write another way of scanning into its memory.
func (b *Board) Harm() []byte { return slices.Clone(b.harm) }

func (b *Board) powerUp() {
	b.on, b.since, b.swept = true, b.now, 0
	b.mode, b.command, b.frame, b.held = busMode, nil, nil, nil
	b.tx, b.later, b.logging = nil, nil, false
	b.bus, b.log.told = busState{}, b.log.total
	b.leds = newLights(b.opt)
	b.clock.begin(b.now)
	b.sampled = b.actual
	b.log.powerUp(b.now, &b.sampled)
}

// sweep looks at the squares whose turn it was since the last Step. They are looked at one by one, so a man that moves
// may be seen on two squares or on none.
func (b *Board) sweep() {
	target := (b.now - b.since) * 64 / b.opt.ScanMs
	if b.logging || b.sampled == b.actual {
		b.swept = target
		return
	}
	for k := max(b.swept, target-64) + 1; k <= target; k++ {
		f := byte(k % 64)
		if b.sampled[f] == b.actual[f] {
			continue
		}
		b.sampled[f] = b.actual[f]
		b.log.field(b.now, f, b.sampled[f], &b.sampled)
		b.leds.changed()
		if b.mode.updates() {
			b.say(fieldUpdate, f, b.sampled[f])
		}
	}
	b.swept = target
}

// nextSample is when a square is looked at that has changed.
func (b *Board) nextSample() int64 {
	next := int64(0)
	for f := range b.actual {
		if b.actual[f] == b.sampled[f] {
			continue
		}
		k := b.swept + 1 + (int64(f)-b.swept-1)%64
		if k <= b.swept {
			k += 64
		}
		at := b.since + (k*b.opt.ScanMs+63)/64
		if next == 0 || at < next {
			next = at
		}
	}
	return next
}

// raw puts bytes on the line.
func (b *Board) raw(bytes []byte) {
	if len(b.tx) == 0 {
		b.txNext = b.now*1000 + byteUs
	}
	b.tx = append(b.tx, bytes...)
}

// say puts a message of single-board mode on the line.
func (b *Board) say(id byte, payload ...byte) { b.raw(message(id, payload...)) }

func message(id byte, payload ...byte) []byte {
	n := len(payload) + 3
	return append([]byte{id, byte(n >> 7), byte(n & 0x7F)}, payload...)
}

func (b *Board) sayAt(at int64, bytes []byte) {
	b.later = append(b.later, timed{at, bytes})
	slices.SortStableFunc(b.later, func(x, y timed) int { return int(x.at - y.at) })
}

func (b *Board) sayLater() {
	for len(b.later) > 0 && b.later[0].at <= b.now && !b.logging {
		b.raw(b.later[0].bytes)
		b.later = b.later[1:]
	}
}

// transmit gives the bytes that the line has had time for.
func (b *Board) transmit() (out []byte) {
	n := 0
	for n < len(b.tx) && b.txNext <= b.now*1000 {
		b.txNext += byteUs
		n++
	}
	out = slices.Clone(b.tx[:n])
	if b.tx = b.tx[n:]; len(b.tx) == 0 && b.logging {
		b.logging = false
		held := b.held
		b.held = nil
		for _, c := range held {
			b.receive(c)
		}
	}
	return out
}

func (b *Board) wake() int64 {
	wake := int64(0)
	at := func(t int64) {
		if t = max(t, b.now+1); wake == 0 || t < wake {
			wake = t
		}
	}
	if n := min(len(b.tx), chunk); n > 0 {
		at((b.txNext + int64(n-1)*byteUs + 999) / 1000)
	}
	if b.logging {
		return wake
	}
	if t := b.nextSample(); t > 0 {
		at(t)
	}
	if len(b.later) > 0 {
		at(b.later[0].at)
	}
	if t := b.clockDue(); t > 0 {
		at(t)
	}
	return wake
}

// codes are the symbols of the piece codes.
const codes = ".PRNBKQprnbkq"

func codeOf(s board.Symbol) byte {
	for c := range len(codes) {
		if board.Symbol(codes[c]) == s {
			return byte(c)
		}
	}
	return 0
}

// fieldOf is the number of a square: 0 is a8, 63 is h1.
func fieldOf(s rules.Square) byte { return byte(s) ^ 56 }
