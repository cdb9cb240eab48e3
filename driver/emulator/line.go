package emulator

import (
	"math/rand/v2"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Faults are what a line or a board does wrong. The zero value is a good line. Chances are from 0 to 1; those of what the board
// writes are counted for each burst, which is what its machine writes at one moment.
type Faults struct {
	Cut     float64 // bytes are lost: a run of them anywhere in the burst, up to all of it
	Twice   float64 // the burst comes twice, one right after the other
	Late    float64 // the burst comes up to LateMs later, and all that follows waits for it
	LateMs  int64   // at most, 0 is 200
	Foreign float64 // 1 to 8 bytes that mean nothing come before, within or after the burst
	Parity  float64 // for each byte: its highest bit is turned over, which on a 7-bit line is the wrong parity
	Deaf    float64 // what the computer has written at one moment does not reach the board
	Silent  bool    // nothing reaches the other side either way, and what was under way is lost
}

// Tally counts what a line has done wrong.
type Tally struct {
	Bursts                                         int // written by the board
	Cut, Twice, Late, Foreign, Parity, Deaf, Muted int // of bursts, but for Parity, which counts bytes, and Deaf, what was not heard
}

// Faults is how many faults there were in all.
func (t Tally) Faults() int {
	return t.Cut + t.Twice + t.Late + t.Foreign + t.Parity + t.Deaf + t.Muted
}

// Line is a machine at the end of its line, and is a machine itself: bytes take their time on it and come to harm. What goes
// wrong follows from the seed and the bursts alone. It begins with an empty board. It is for one goroutine.
type Line struct {
	machine Machine
	faults  Faults
	dice    *rand.Rand
	tally   Tally
	men     board.Picture // as the players see them
	turned  bool

	now    int64
	byteUs int64 // how long one byte takes, 0 for no time
	free   int64 // µs: until when the line is taken
	queue  []burst
}

// burst is bytes on their way; the first is there at the time from plus that of one byte.
type burst struct {
	from  int64 // µs
	bytes []byte
}

// NewLine puts a line before a machine. With baud 0 bytes take no time; else a byte takes ten bits.
func NewLine(m Machine, baud int, seed uint64) *Line {
	l := &Line{dice: rand.New(rand.NewPCG(seed, 0x6c696e65)), men: board.EmptyPicture()}
	if baud > 0 {
		l.byteUs = 10_000_000 / int64(baud)
	}
	l.Connect(m)
	return l
}

// Connect puts another machine in the place of the one before, as after a loss of power: what was under way is lost, the men
// stand as they stood.
func (l *Line) Connect(m Machine) {
	l.machine, l.queue, l.free = m, nil, 0
	for s := range rules.NoSquare {
		m.Set(l.wired(s), l.men[s])
	}
}

// Fault says what goes wrong from now on.
func (l *Line) Fault(f Faults) {
	l.faults = f
	if f.Silent {
		l.queue, l.free = nil, 0
	}
}

// Tally is what has gone wrong so far.
func (l *Line) Tally() Tally { return l.tally }

// Turn turns the board round under the men, so that its a1 lies where h8 was, or back.
func (l *Line) Turn(turned bool) {
	if l.turned != turned {
		l.turned = turned
		for s := range rules.NoSquare {
			l.machine.Set(l.wired(s), l.men[s])
		}
	}
}

// wired is the board's own name of a square that the players call s.
func (l *Line) wired(s rules.Square) rules.Square {
	if l.turned {
		return rules.NoSquare - 1 - s
	}
	return s
}

// Set implements Machine; s is a square as the players see it.
func (l *Line) Set(s rules.Square, what board.Symbol) {
	l.men[s] = what
	l.machine.Set(l.wired(s), what)
}

// Lit implements Machine, by squares as the players see them.
func (l *Line) Lit() (f board.Frame) {
	lit := l.machine.Lit()
	for s := range rules.NoSquare {
		f[s] = lit[l.wired(s)]
	}
	return f
}

// Step implements Machine.
func (l *Line) Step(now int64, in []byte) (out []byte, wake int64) {
	l.now = max(l.now, now)
	if len(in) > 0 && (l.faults.Silent || l.hits(l.faults.Deaf)) {
		l.tally.Deaf++
		in = nil
	}
	b, wake := l.machine.Step(l.now, in)
	if len(b) > 0 {
		l.tally.Bursts++
		l.send(b)
	}
	if wake != 0 {
		wake = max(wake, l.now+1)
	}
	out = l.arrived()
	if len(l.queue) > 0 {
		if due := max((l.queue[0].from+l.byteUs+999)/1000, l.now+1); wake == 0 || due < wake {
			wake = due
		}
	}
	return out, wake
}

func (l *Line) hits(chance float64) bool { return chance > 0 && l.dice.Float64() < chance }

// send puts what the board writes on the line, or what is left of it.
func (l *Line) send(written []byte) {
	f := &l.faults
	if f.Silent {
		l.tally.Muted++
		return
	}
	b := append([]byte{}, written...)
	if f.Parity > 0 {
		for i := range b {
			if l.hits(f.Parity) {
				b[i] ^= 0x80
				l.tally.Parity++
			}
		}
	}
	if l.hits(f.Cut) {
		at := l.dice.IntN(len(b))
		end := at + 1 + l.dice.IntN(len(b)-at)
		b = append(b[:at], b[end:]...)
		l.tally.Cut++
	}
	if l.hits(f.Twice) {
		b = append(b, b...)
		l.tally.Twice++
	}
	if l.hits(f.Foreign) {
		at := l.dice.IntN(len(b) + 1)
		tail := append([]byte{}, b[at:]...)
		b = b[:at]
		for range 1 + l.dice.IntN(8) {
			b = append(b, byte(l.dice.Uint32()))
		}
		b = append(b, tail...)
		l.tally.Foreign++
	}
	from := l.now * 1000
	if l.hits(f.Late) {
		longest := f.LateMs
		if longest <= 0 {
			longest = 200
		}
		from += (1 + l.dice.Int64N(longest)) * 1000
		l.tally.Late++
	}
	if len(b) > 0 {
		from = max(from, l.free)
		l.free = from + int64(len(b))*l.byteUs
		l.queue = append(l.queue, burst{from, b})
	}
}

// arrived takes off the line what has come to its end.
func (l *Line) arrived() (out []byte) {
	for len(l.queue) > 0 {
		first := &l.queue[0]
		over := l.now*1000 - first.from
		if over < 0 {
			break
		}
		n := len(first.bytes)
		if l.byteUs > 0 {
			n = int(min(over/l.byteUs, int64(n)))
		}
		out = append(out, first.bytes[:n]...)
		if n < len(first.bytes) {
			first.bytes, first.from = first.bytes[n:], first.from+int64(n)*l.byteUs
			break
		}
		l.queue = l.queue[1:]
	}
	return out
}
