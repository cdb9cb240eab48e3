package dgt

import (
	"fmt"

	"github.com/boardd/boardd/board"
)

// Clock is what a ClockTimes message says (protocols/dgt.md sections 7 and 8).
type Clock struct {
	Kind    ClockKind
	Reading board.Reading // of Times: left and right as seen from the clock's front
	// LeftFlag and RightFlag: the flag has fallen and the clock stands at zero. The flag that only marks the next
	// period is not meant. Reading.Flag names the side if it is one alone.
	LeftFlag, RightFlag bool
	Ack                 Ack // of Acknowledged
}

// ClockKind says which sort of message came under the one id.
type ClockKind uint8

// Times: the reading counts. Acknowledged: an answer to a clock command or the clock speaking by itself. NoClock: none
// is plugged in. Absurd: times that cannot be, to be dropped.
const (
	Times ClockKind = iota
	Acknowledged
	NoClock
	Absurd
)

// Bits of the status byte. Of the two that say who is to move, the older headers exchange left and right; recorded
// traffic of real boards decides for these.
const (
	statusRuns       = 0x01
	statusRightLever = 0x02
	statusLowBattery = 0x04
	statusLeft       = 0x08
	statusRight      = 0x10
	statusNoClock    = 0x20
	hoursFlag        = 0x10
	ackMark          = 0x0A
)

// DecodeClock reads the seven bytes of payload. It judges one message alone; whether a time fits the last one is the
// Machine's to say.
func DecodeClock(payload []byte) Clock {
	if len(payload) != 7 {
		return Clock{Kind: Absurd}
	}
	right, left, status := payload[0:3], payload[3:6], payload[6]
	switch {
	case [7]byte(payload) == [7]byte{}:
		return Clock{Kind: Absurd} // older Bluetooth boards send it after a clock command
	case right[0]&0x0F == ackMark || left[0]&0x0F == ackMark:
		return Clock{Kind: Acknowledged, Ack: decodeAck(payload)}
	case status&statusNoClock != 0:
		return Clock{Kind: NoClock}
	}
	rightMs, ok1 := clockMs(right)
	leftMs, ok2 := clockMs(left)
	if !ok1 || !ok2 {
		return Clock{Kind: Absurd}
	}
	c := Clock{Kind: Times, LeftFlag: left[0]&hoursFlag != 0, RightFlag: right[0]&hoursFlag != 0}
	c.Reading = board.Reading{LeftMs: leftMs, RightMs: rightMs, Lever: board.Left, BatteryLow: status&statusLowBattery != 0}
	if status&statusRightLever != 0 {
		c.Reading.Lever = board.Right
	}
	if status&statusRuns != 0 {
		switch status & (statusLeft | statusRight) {
		case statusLeft:
			c.Reading.Running = board.Left
		case statusRight:
			c.Reading.Running = board.Right
		default:
			c.Reading.Running = c.Reading.Lever
		}
	}
	switch {
	case c.LeftFlag && !c.RightFlag:
		c.Reading.Flag = board.Left
	case c.RightFlag && !c.LeftFlag:
		c.Reading.Flag = board.Right
	}
	return c
}

// clockMs reads hours (low nibble), minutes and seconds in BCD.
func clockMs(b []byte) (ms int64, ok bool) {
	hours := int64(b[0] & 0x0F)
	minutes, ok1 := bcd(b[1])
	seconds, ok2 := bcd(b[2])
	if hours > 9 || !ok1 || !ok2 || minutes > 59 || seconds > 59 {
		return 0, false
	}
	return ((hours*60+minutes)*60 + seconds) * 1000, true
}

func bcd(b byte) (int64, bool) {
	tens, ones := int64(b>>4), int64(b&0x0F)
	return tens*10 + ones, tens <= 9 && ones <= 9
}

// String is one line for golden files and logs: times in milliseconds, left before right.
func (c Clock) String() string {
	switch c.Kind {
	case Acknowledged:
		return "ack " + c.Ack.String()
	case NoClock:
		return "no clock"
	case Absurd:
		return "absurd"
	}
	flag := c.Reading.Flag
	flags := sideName(flag)
	if c.LeftFlag && c.RightFlag {
		flags = "both"
	}
	s := fmt.Sprintf("left %d right %d running %s lever %s flag %s", c.Reading.LeftMs, c.Reading.RightMs,
		sideName(c.Reading.Running), sideName(c.Reading.Lever), flags)
	if c.Reading.BatteryLow {
		s += " battery low"
	}
	return s
}

func sideName(s board.Side) string { return [...]string{"-", "left", "right"}[s] }

// Ack is what the clock says of a command, or by itself: four bytes (protocols/dgt.md section 8).
type Ack [4]byte

func decodeAck(p []byte) Ack {
	return Ack{
		p[1]&0x7F | p[3]<<3&0x80,
		p[2]&0x7F | p[3]<<2&0x80,
		p[4]&0x7F | p[0]<<3&0x80,
		p[5]&0x7F | p[0]<<2&0x80,
	}
}

// OK reports that the command was carried out; 40 is an error, 20 is met with old clocks that ignored the command.
func (a Ack) OK() bool { return a[0] == 0x10 }

// Auto reports that the clock speaks by itself: ready, a button, its mode.
func (a Ack) Auto() bool { return a[1]&0x80 != 0 }

// ClockVersion is the clock's version if the ack carries it: 1.x is an XL or TopMatch, 2.x a DGT3000.
func (a Ack) ClockVersion() (major, minor byte, ok bool) {
	return a[2] >> 4, a[2] & 0x0F, a.OK() && a[1] == 0x09
}

// String gives the four bytes in hexadecimal.
func (a Ack) String() string { return fmt.Sprintf("%02X %02X %02X %02X", a[0], a[1], a[2], a[3]) }

// clockFilter puts single times aside that do not fit.
type clockFilter struct {
	last    board.Reading
	known   bool
	held    board.Reading
	holding bool
}

// A time that rises by more than an hour is a fault of the line or a new setting; a setting is said again.
const (
	strangeRiseMs = 3_600_000
	sameMs        = 5_000
)

// pass gives the reading to be passed on; ok is false for one that must first be confirmed by another like it.
func (f *clockFilter) pass(c Clock) (r board.Reading, ok bool) {
	r = c.Reading
	if c.LeftFlag && c.RightFlag {
		r.Flag = f.last.Flag // the first to fall counts
	}
	rises := f.known && (r.LeftMs-f.last.LeftMs > strangeRiseMs || r.RightMs-f.last.RightMs > strangeRiseMs)
	if rises && !(f.holding && near(r, f.held)) {
		f.held, f.holding = r, true
		return r, false
	}
	f.last, f.known, f.holding = r, true, false
	return r, true
}

func near(a, b board.Reading) bool {
	return abs(a.LeftMs-b.LeftMs) <= sameMs && abs(a.RightMs-b.RightMs) <= sameMs
}

func abs(v int64) int64 { return max(v, -v) }
