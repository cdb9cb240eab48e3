package chesslink

import (
	"fmt"
	"strconv"
	"strings"
)

// lengths of commands, the check digits included. I has three or five.
var lengths = map[byte]int{'S': 3, 'X': 3, 'T': 3, 'V': 3, 'R': 5, 'W': 7, 'L': 167, 'I': 5}

// listen collects commands by their length: the letters A to F are digits in them.
func (b *Board) listen(in []byte) {
	if len(in) == 0 {
		return
	}
	if len(b.command) > 0 && b.now-b.heard > gapMs {
		b.command = b.command[:0]
		b.tally.Forgotten++
	}
	b.heard = b.now
	for _, c := range in {
		if b.now < b.deaf {
			b.command = b.command[:0]
			continue
		}
		if ones(c)%2 == 0 {
			b.tally.BadParity++
		}
		if c &= 0x7F; len(b.command) == 0 && lengths[c] == 0 {
			b.tally.Foreign++
			continue
		}
		b.command = append(b.command, c)
		n := lengths[b.command[0]]
		if b.command[0] == 'I' && len(b.command) == 3 && b.checked() {
			n = 3
		}
		if len(b.command) < n {
			continue
		}
		if b.regs[0]&1 == 1 || b.checked() {
			b.tally.Commands++
			b.obey(string(b.command[:n-2]))
		} else {
			b.tally.BadCheck++
		}
		b.command = b.command[:0]
	}
}

// checked reports whether the last two characters are the check digits of those before.
func (b *Board) checked() bool {
	n := len(b.command) - 2
	check := byte(0)
	for _, c := range b.command[:n] {
		check ^= c
	}
	return strings.EqualFold(string(b.command[n:]), fmt.Sprintf("%02X", check))
}

// obey carries out a command.
func (b *Board) obey(c string) {
	switch c[0] {
	case 'S':
		b.report()
	case 'V':
		if !b.opt.Quirks.NoVersion {
			b.say("v" + b.opt.Version)
		}
	case 'X':
		b.leds, b.slot = [81]byte{}, 0
		b.tally.Patterns++
		if b.opt.Quirks.StatusForDark {
			b.report()
			return
		}
		b.acknowledge("x")
	case 'L':
		slot, pattern, ok := parsePattern(c[1:])
		if !ok {
			return
		}
		b.slot, b.leds = slot, pattern
		b.tally.Patterns++
		b.acknowledge("l")
	case 'R':
		b.read(c[1:])
	case 'W':
		b.write(c[1:])
	case 'I':
		b.say("i00" + "55mm\n")
	case 'T':
		b.leds, b.slot = [81]byte{}, 0
		b.out = b.out[:0]
		if b.opt.Quirks.RestartAnswered {
			b.say("t")
		}
		b.deaf = b.now + deafMs
	}
}

func (b *Board) acknowledge(text string) {
	if b.opt.Model == Performance {
		return
	}
	if b.opt.Quirks.StatusBeforeAck {
		b.report()
	}
	b.say(text)
}

func parsePattern(text string) (slot byte, leds [81]byte, ok bool) {
	for i := range 82 {
		v, err := strconv.ParseUint(text[2*i:2*i+2], 16, 8)
		switch {
		case err != nil:
			return 0, leds, false
		case i == 0:
			slot = byte(v)
		default:
			leds[i-1] = byte(v)
		}
	}
	return slot, leds, true
}

func (b *Board) read(text string) {
	addr, err := strconv.ParseUint(text, 16, 8)
	switch {
	case err != nil || b.opt.Quirks.NoRegisters:
	case b.opt.Quirks.LettersLost:
		b.say(fmt.Sprintf("%X\x01%02X", addr&15, b.regs[addr]))
	default:
		b.say(fmt.Sprintf("r%02X%02X", addr, b.regs[addr]))
	}
}

func (b *Board) write(text string) {
	v, err := strconv.ParseUint(text, 16, 16)
	if err != nil || b.opt.Quirks.NoRegisters {
		return
	}
	addr, value := v>>8, byte(v)
	b.tally.Writes++
	b.regs[addr] = value
	if addr == 1 && value < 15 {
		b.regs[1] = 20
	}
	if addr == 2 {
		b.said = b.sampled
	}
	b.acknowledge("w" + strings.ToUpper(text))
}
