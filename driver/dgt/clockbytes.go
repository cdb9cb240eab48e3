package dgt

import (
	"strings"

	"github.com/boardd/boardd/board"
)

// Numbers of the clock's commands (protocols/dgt.md section 8).
const (
	orderDisplay = 0x01 // seven segments: XL, TopMatch
	orderIcons   = 0x02
	orderEnd     = 0x03
	orderVersion = 0x09
	orderSet     = 0x0A
	orderBeep    = 0x0B
	orderText    = 0x0C // letters: DGT3000
	orderRevText = 0x0D // letters: Revelation II
)

// clockCommand is a command to the clock. The size counts what follows it.
func clockCommand(order byte, content ...byte) []byte {
	c := []byte{0x2B, byte(len(content) + 3), 0x03, order}
	return append(append(c, content...), 0)
}

// orderBytes is the command for an order; nil when the times to be kept are not known.
func (m *Machine) orderBytes(o board.ClockOrder) []byte {
	switch o.Kind {
	case board.SetClock:
		return setBytes(o.LeftMs, o.RightMs, o.Run)
	case board.RunClock:
		if !m.clock.known {
			return nil
		}
		return setBytes(m.clock.last.LeftMs, m.clock.last.RightMs, o.Run)
	case board.ShowText:
		return m.textBytes(o)
	case board.Beep:
		return clockCommand(orderBeep, byte(min(max((o.BeepMs+63)/64, 1), 0x7F)))
	}
	return clockCommand(orderEnd)
}

// Bits of the byte that says what runs.
const (
	runLeft  = 0x01
	runRight = 0x02
	runNot   = 0x04
	runLever = 0x08 // the lever goes on deciding
)

func setBytes(left, right int64, run board.Side) []byte {
	control := [...]byte{board.NoSide: runNot, board.Left: runLeft, board.Right: runRight}[min(run, board.Right)]
	var c []byte
	for _, ms := range [...]int64{left, right} {
		s := min((ms+999)/1000, longestTime/1000) // in plain numbers, unlike the times that the clock says
		c = append(c, byte(s/3600), byte(s/60%60), byte(s%60))
	}
	return clockCommand(orderSet, append(c, control|runLever)...)
}

// hasRevText reports whether the board is a Revelation II whose own clock shows text: that has to be version 3.24 or later.
func (m *Machine) hasRevText() bool {
	v, ok := m.revelation()
	return ok && v >= 324
}

// textBytes shows a text in the way of the clock that is there.
func (m *Machine) textBytes(o board.ClockOrder) []byte {
	beep := byte(0)
	if o.BeepMs > 0 {
		beep = byte(min(max(o.BeepMs*2/125-1, 1), 15)) // sixteenths of a second, and one more
	}
	switch {
	case m.hasRevText():
		return clockCommand(orderRevText, append(letters(o.Text, 11), beep)...)
	case m.info.ClockMajor >= 2:
		return clockCommand(orderText, append(letters(o.Text, 8), beep)...)
	}
	digits := letters(strings.ToLower(o.Text), 6)
	for i, c := range digits {
		digits[i] = segments(c)
	}
	d, sound := digits, byte(1)
	if o.BeepMs > 0 {
		sound = 3
	}
	return clockCommand(orderDisplay, d[2], d[1], d[0], d[5], d[4], d[3], 0, sound)
}

// harmful are bytes that as commands do lasting harm to a board: they start its loader, or turn it to another way of scanning.
// No command to the clock has them, for if its first byte is lost on the line, the others are taken for commands.
const harmful = "\x4E\x51\x53\x54"

// letters are the first n characters of a text, with spaces behind. Harmful ones, N Q S T, become small.
func letters(text string, n int) []byte {
	out := make([]byte, 0, n)
	for _, r := range text {
		if len(out) == n {
			break
		}
		switch {
		case r < ' ' || r > '~':
			r = '?'
		case strings.ContainsRune(harmful, r):
			r += 'a' - 'A'
		}
		out = append(out, byte(r))
	}
	for len(out) < n {
		out = append(out, ' ')
	}
	return out
}

// shapes are the segments that show a character: a is the top, then clockwise to f, and g in the middle. None is harmful.
var shapes = map[byte]string{
	'0': "abcdef", '1': "bc", '2': "abdeg", '3': "abcdg", '4': "bcfg", '5': "acdfg", '6': "acdefg", '7': "abc", '8': "abcdefg", '9': "abcdfg",
	'a': "abcdeg", 'b': "cdefg", 'c': "deg", 'd': "bcdeg", 'e': "abdefg", 'f': "aefg", 'g': "acdef", 'h': "cefg", 'i': "c", 'j': "bcd",
	'k': "acefg", 'l': "def", 'm': "ace", 'n': "abcef", 'o': "cdeg", 'p': "abefg", 'q': "abcfg", 'r': "eg", 's': "acdfg", 't': "defg",
	'u': "bcdef", 'v': "cde", 'w': "bcdefg", 'x': "bcefg", 'y': "bcdfg", 'z': "abdeg",
	'-': "g", '=': "dg", '_': "d", '?': "abe",
}

func segments(c byte) (bits byte) {
	for _, s := range shapes[c] {
		bits |= 1 << (s - 'a')
	}
	return bits
}
