package dgt

// busState is what a board in bus mode remembers.
type busState struct {
	packet     []byte // the last answer to a question about changes
	even       bool   // of those answers
	ignorePing bool
}

// Answers in bus mode.
const (
	busDump     = 0x83
	busClock    = 0x84
	busChanges  = 0x85
	busStart    = 0x86
	busPing     = 0x87
	busWritten  = 0x88
	busVersion  = 0x89
	busEven     = 0x8B
	busHardware = 0x8C
	busSerial   = 0xB0
	busMark     = 0xB4
	busBattery  = 0xB5
)

const (
	pingMs  = 1100 // boards answer a ping of all within this time
	writeMs = 70   // until a new start is written down
)

func sum(b []byte) (s byte) {
	for _, c := range b {
		s += c
	}
	return s & 0x7F
}

// packet is an answer in bus mode.
func (b *Board) packet(kind byte, data ...byte) []byte {
	hi, lo := b.address()
	n := len(data) + 6
	p := append([]byte{kind, byte(n>>7) & 0x7F, byte(n & 0x7F), hi, lo}, data...)
	return append(p, sum(p))
}

func (b *Board) busCommand(f [4]byte) {
	hi, lo := b.address()
	mine, all := f[1] == hi && f[2] == lo, f[1] == 0 && f[2] == 0
	if sum(f[:3]) != f[3] || !mine && !all {
		return
	}
	switch f[0] {
	case 0x87, 0x92:
		b.ping(mine && f[0] == 0x87)
	case 0x88:
		b.mode = idle
	case 0x89:
		b.on = false
		b.powerUp()
	default:
		if mine {
			b.busQuestion(f[0])
		}
	}
}

// ping answers at once, or at a time of its own so that boards do not all speak together.
func (b *Board) ping(atOnce bool) {
	if atOnce {
		b.raw(b.packet(busPing))
		return
	}
	if b.bus.ignorePing {
		b.bus.ignorePing = false
		return
	}
	hi, lo := b.address()
	spread := (int64(hi)*128+int64(lo))*389 + b.now/pingMs*157
	b.sayAt(b.now+spread%(pingMs-20), b.packet(busPing))
}

func (b *Board) busQuestion(cmd byte) {
	s := &b.bus
	switch cmd {
	case 0x81:
		b.busClock()
	case 0x82:
		b.raw(b.packet(busDump, b.sampled[:]...))
	case 0x83:
		b.changes()
	case 0x84:
		if s.packet != nil {
			b.raw(s.packet)
		}
	case 0x85:
		b.log.tag(tagBegin)
		b.log.pieces(&b.sampled)
		b.sayAt(b.now+writeMs, b.packet(busWritten))
	case 0x86:
		b.raw(b.packet(busStart, b.log.since(b.log.began)...))
	case 0x8A:
		s.ignorePing = true
		b.raw(b.packet(busPing))
	case 0x8B:
		b.raw(b.packet(busVersion, b.opt.Version[0], b.opt.Version[1]))
	case 0x8D:
		b.changes()
		b.busClock()
		b.raw(b.packet(busDump, b.sampled[:]...))
	}
	if b.opt.Model != Newer {
		return
	}
	switch cmd {
	case 0x91:
		b.raw(b.packet(busSerial, []byte(b.opt.Serial)...))
	case 0x97:
		b.raw(b.packet(busMark, []byte(ownMark)...))
	case 0x98:
		b.raw(b.packet(busBattery, b.battery()...))
	case 0x9B:
		b.raw(b.packet(busHardware, 1, 0))
	}
}

func (b *Board) busClock() {
	t := b.times()
	b.raw(b.packet(busClock, t[:]...))
}

// changes says what the log has got since it was last asked for.
func (b *Board) changes() {
	s := &b.bus
	kind := byte(busChanges)
	if b.opt.Model == Newer {
		if s.even {
			kind = busEven
		}
		s.even = !s.even
	}
	s.packet = b.packet(kind, b.log.since(b.log.told)...)
	b.log.told = b.log.total
	b.raw(s.packet)
}
