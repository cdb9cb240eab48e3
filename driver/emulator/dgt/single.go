package dgt

import "strings"

// Messages, board to host.
const (
	boardDump   = 0x86
	clockTimes  = 0x8D
	fieldUpdate = 0x8E
	logMoves    = 0x8F
	busAddress  = 0x90
	serialNr    = 0x91
	trademark   = 0x92
	versionNr   = 0x93
	hardwareNr  = 0x96
	batteryStat = 0xA0
	longSerial  = 0xA2
)

// Commands with data behind them.
const (
	clockCommand = 0x2B
	setLeds      = 0x60
)

// ownMark is what the emulator says of itself when it is asked for a trademark. It must not be the vendor's.
const ownMark = "Go e-board emulator"

// receive takes one byte of the host.
func (b *Board) receive(c byte) {
	switch {
	case b.logging:
		if len(b.held) < heldSize {
			b.held = append(b.held, c)
		}
	case c >= 0x80:
		b.command = nil
		b.frame = append(b.frame[:0], c)
	case len(b.frame) > 0:
		if b.frame = append(b.frame, c); len(b.frame) == 4 {
			f := [4]byte(b.frame)
			b.frame = b.frame[:0]
			if b.mode != busMode {
				b.mode = busMode // and this command is not carried out
				return
			}
			b.busCommand(f)
		}
	case len(b.command) > 0:
		b.command = append(b.command, c)
		b.longer()
	case c == clockCommand, c == setLeds && b.leds.there:
		b.single()
		b.command = []byte{c}
	case c >= 0x40 && c <= 0x5F:
		b.single()
		b.short(c)
	}
}

// single leaves bus mode, as any single-board command does.
func (b *Board) single() {
	if b.mode == busMode {
		b.mode = idle
	}
}

// short carries out a command of one byte.
func (b *Board) short(c byte) {
	switch c {
	case 0x40:
		b.mode = idle
	case 0x41:
		b.raw(b.clockMessage())
	case 0x42:
		b.say(boardDump, b.sampled[:]...)
	case 0x43:
		b.enter(update)
	case 0x44:
		b.enter(updateBoard)
	case 0x45:
		for range 1 + 2*one(b.opt.Quirks.ThreeSerials) {
			b.say(serialNr, []byte(b.opt.Serial)...)
		}
	case 0x46:
		hi, lo := b.address()
		b.say(busAddress, hi, lo)
	case 0x47:
		b.say(trademark, []byte(ownMark)...)
	case 0x48:
		if b.opt.Model == Newer {
			b.say(hardwareNr, 1, 0)
		}
	case 0x49:
		b.sendLog()
	case 0x4A:
		b.mode = busMode
	case 0x4B:
		b.enter(updateNice)
	case 0x4C:
		if p := b.battery(); p != nil {
			b.say(batteryStat, p...)
		}
	case 0x4D:
		b.say(versionNr, b.opt.Version[0], b.opt.Version[1])
	case 0x4E:
		b.mode = idle
		b.harm = append(b.harm, c)
	case 0x51, 0x53, 0x54:
		b.harm = append(b.harm, c)
	case 0x55:
		b.say(longSerial, []byte(b.opt.LongSerial)...)
	case 0x57, 0x58:
		if b.opt.Model == Newer {
			b.enter(updateBoard) // what it would say of an I2C clock is not known
		}
	}
}

// SendLog has the board send its log although nobody asks.
func (b *Board) SendLog() { b.do(b.sendLog) }

func (b *Board) sendLog() {
	b.say(logMoves, b.log.all()...)
	b.log.tag(0x6E)
	b.logging = true
}

func (b *Board) enter(m mode) {
	b.mode = m
	b.clock.heard(b.now, b.times())
	if b.opt.Quirks.DummyUpdate {
		b.say(fieldUpdate, 0, b.sampled[0])
	}
}

// battery is the nine bytes of the battery's state; nil for a board that has none.
func (b *Board) battery() []byte {
	if b.opt.Model == USB {
		return nil
	}
	status := byte(0)
	if b.charging {
		status = 1
	}
	return []byte{b.percent, 0x7F, 0x7F, 0, 0, 0, 0, 0, status}
}

// longer carries out a command with data once it is whole.
func (b *Board) longer() {
	if len(b.command) < 2 {
		return
	}
	size := int(b.command[1])
	if b.command[0] == clockCommand && len(b.command) >= 4 && size == clockSizes[b.command[3]]+2 && clockSizes[b.command[3]] > 0 {
		size -= 2 // a program is known that counts the first two bytes too
	}
	if len(b.command) < 2+max(size, 1) {
		return
	}
	c := b.command
	b.command = nil
	if c[len(c)-1] != 0 {
		return
	}
	if c[0] == setLeds {
		b.leds.set(c[2:])
	} else {
		b.clockOrder(c[2:])
	}
}

func (b *Board) address() (hi, lo byte) {
	n := 0
	for _, d := range strings.TrimSpace(b.opt.Serial) {
		if d >= '0' && d <= '9' {
			n = (n*10 + int(d-'0')) & 0x3FFF
		}
	}
	return byte(n >> 7), byte(n & 0x7F)
}

func one(yes bool) int {
	if yes {
		return 1
	}
	return 0
}
