// Package centaur is the inside of a DGT Centaur that is not there: it answers on its line as protocols/others.md section 1 of the
// reference pages says that the hardware does. It shares no code with the driver.
package centaur

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options are what may be chosen. The zero value is a board with the address 06 50 that writes no times.
type Options struct {
	Address [2]byte // 0 is 06 50
	Times   bool    // bytes of time stand before the changes
	Battery byte    // data byte of the battery, 0 is a full one that does not charge
}

// The codes of the keys.
const (
	Back     byte = 0x01
	Tick     byte = 0x10
	Up       byte = 0x08
	Down     byte = 0x02
	Help     byte = 0x40
	Play     byte = 0x04
	LongPlay byte = 0x06
)

// heldMost is how many bytes of changes wait to be asked for.
const heldMost = 96

// Board implements emulator.Machine. It is not safe for concurrent use.
type Board struct {
	o    Options
	now  int64
	men  [64]byte // 0 or 1, by the numbers of the wire
	held []byte   // changes since the last question
	keys [][]byte // frames of keys

	command []byte
	heard   int64
	leds    []byte // the data of the last command for lights
	sounds  int
	asleep  bool
	tally   Tally
}

// Tally counts what the board has met.
type Tally struct {
	Commands int // carried out
	BadSum   int // whose check was wrong
	Foreign  int // for another address, or bytes that begin no command
}

// New makes an empty board.
func New(o Options) *Board {
	if o.Address == ([2]byte{}) {
		o.Address = [2]byte{0x06, 0x50}
	}
	if o.Battery == 0 {
		o.Battery = 20
	}
	return &Board{o: o}
}

// Set implements emulator.Machine. The board sees only whether something stands there, and holds what changed until it is asked.
func (b *Board) Set(s rules.Square, what board.Symbol) {
	n := byte((7-s.Rank())*8 + s.File())
	full := byte(1)
	if what == board.Empty {
		full = 0
	}
	if b.men[n] == full {
		return
	}
	b.men[n] = full
	if len(b.held) == 0 && b.o.Times {
		ms := b.now % 60_000
		b.held = append(b.held, byte(ms%1000*256/1000), byte(ms/1000))
	}
	if len(b.held) < heldMost {
		b.held = append(b.held, 0x40+full, n)
	}
}

// Press presses a key and lets it go.
func (b *Board) Press(key byte) {
	// The first byte of the tail is missing for some keys, and nobody knows what the last one means.
	data := []byte{0x00, 0x14, 0x0A, 0x05, key, 0, 0, 0, 0}
	switch key {
	case Back, Tick, Up:
		data = append(data, 0x7D, map[byte]byte{Back: 0x47, Tick: 0x17, Up: 0x3C}[key])
	default:
		data = append(data, map[byte]byte{Down: 0x61, Help: 0x6D, Play: 0x2A}[key])
	}
	if len(b.keys) < 16 {
		b.keys = append(b.keys, data)
	}
}

// Tally is what the board has met.
func (b *Board) Tally() Tally { return b.tally }

// Sounds is how many sounds it was told to make.
func (b *Board) Sounds() int { return b.sounds }

// Asleep reports whether it was told to sleep; it answers no more.
func (b *Board) Asleep() bool { return b.asleep }

// Lit implements emulator.Machine.
func (b *Board) Lit() (f board.Frame) {
	if len(b.leds) < 5 || b.leds[0] != 5 {
		return f
	}
	for _, n := range b.leds[4:] {
		if n < 64 {
			f[rules.NewSquare(int(n%8), 7-int(n/8))] = board.RGB{R: 255, G: 255, B: 255}
		}
	}
	return f
}

// Step implements emulator.Machine. It speaks only when it is asked.
func (b *Board) Step(now int64, in []byte) (out []byte, wake int64) {
	b.now = max(b.now, now)
	if len(in) > 0 && b.now-b.heard > 100 {
		b.command = b.command[:0]
	}
	if len(in) > 0 {
		b.heard = b.now
	}
	for _, x := range in {
		b.command = append(b.command, x)
		for len(b.command) > 0 {
			n := length(b.command)
			if n == 0 { // no command begins like this
				b.tally.Foreign++
				b.command = b.command[1:]
				continue
			}
			if len(b.command) < n {
				break
			}
			out = append(out, b.obey(b.command[:n])...)
			b.command = append([]byte{}, b.command[n:]...)
		}
	}
	return out, 0
}

// length is how long a command is, by its first bytes; 0 if none begins so, and more than there is while it is not known.
func length(c []byte) int {
	switch c[0] {
	case 0x4D, 0x4E:
		return 1
	case 0x82, 0x83, 0x87, 0x94, 0x96, 0x97, 0x98, 0x46:
		return 4
	case 0xB0, 0xB1, 0xB2, 0xF0, 0xF4:
		if len(c) < 3 {
			return 3
		}
		if c[1] != 0 || c[2] < 7 {
			return 0
		}
		return int(c[2])
	}
	return 0
}

func check(b []byte) byte {
	total := 0
	for _, x := range b {
		total += int(x)
	}
	return byte(total % 128)
}

// obey carries out one command.
func (b *Board) obey(c []byte) []byte {
	if len(c) == 1 {
		b.tally.Commands++
		return nil
	}
	last := len(c) - 1
	if check(c[:last]) != c[last] {
		b.tally.BadSum++
		return nil
	}
	at := 1
	if c[0] >= 0xB0 {
		at = 3
	}
	call := c[0] == 0x87 && c[1] == 0 && c[2] == 0 // for every address
	if !call && (c[at] != b.o.Address[0] || c[at+1] != b.o.Address[1]) || b.asleep {
		b.tally.Foreign++
		return nil
	}
	b.tally.Commands++
	data := c[at+2 : last]
	switch c[0] {
	case 0x87:
		return b.answer(0x87)
	case 0x46:
		return b.answer(0x90)
	case 0x83:
		held := b.held
		b.held = nil
		return b.answer(0x85, held...)
	case 0x94:
		if len(b.keys) == 0 {
			return b.answer(0xB1)
		}
		key := b.keys[0]
		b.keys = b.keys[1:]
		return b.answer(0xB1, key...)
	case 0x82:
		return b.answer(0x83, b.men[:]...)
	case 0x98:
		return b.answer(0xB5, b.o.Battery)
	case 0x96:
		return b.answer(0xB2, 0, 0, 0, 0)
	case 0x97:
		return b.answer(0xB4, []byte("DGT Centaur")...)
	case 0xF0, 0xF4:
		var values []byte
		for _, x := range b.men {
			v := 20 + 980*int(x)
			values = append(values, byte(v>>8), byte(v))
		}
		return b.answer(c[0], values...)
	case 0xB0:
		b.leds = append([]byte{}, data...)
	case 0xB1:
		b.sounds++
	case 0xB2:
		b.asleep = true
	}
	return nil
}

// answer is a frame of the board.
func (b *Board) answer(kind byte, data ...byte) []byte {
	n := len(data) + 6
	f := append([]byte{kind, byte(n / 128), byte(n % 128), b.o.Address[0], b.o.Address[1]}, data...)
	return append(f, check(f))
}
