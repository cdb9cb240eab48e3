package dgt

// Message is one message of the board.
type Message struct {
	ID      byte   // one of the constants below or of the Bus ones, or an id that is not known here
	Length  int    // whole length in bytes
	Address int    // on a bus: who speaks, 0 to 16383
	Payload []byte // without header, address and sum. Valid only during the call that hands it over
}

// Message ids, board to host (protocols/dgt.md section 5).
const (
	BoardDump       byte = 0x86
	ClockTimes      byte = 0x8D
	FieldUpdate     byte = 0x8E
	EEMoves         byte = 0x8F
	BusAddress      byte = 0x90
	Serial          byte = 0x91
	Trademark       byte = 0x92
	Version         byte = 0x93
	DraughtsBlack   byte = 0x94
	DraughtsWhite   byte = 0x95
	HardwareVersion byte = 0x96
	BatteryStatus   byte = 0xA0
	LongSerial      byte = 0xA2
	I2CClock        byte = 0xA3
	LockState       byte = 0xA4
	KeyState        byte = 0xA5
)

const (
	headerLen  = 3
	chessDump  = headerLen + 64
	draughts   = headerLen + 100
	longestLog = headerLen + 0x1F00
	longestAny = headerLen + 100
	longest    = headerLen + 253 // a trademark
	kept       = longestLog + 3  // on a bus, an address and a sum more
)

// known reports whether id is one that a board in single-board mode sends.
func known(id byte) bool {
	switch id {
	case BoardDump, ClockTimes, FieldUpdate, EEMoves, BusAddress, Serial, Trademark, Version, DraughtsBlack, DraughtsWhite,
		HardwareVersion, BatteryStatus, LongSerial, I2CClock, LockState, KeyState:
		return true
	}
	return false
}

// fits reports whether a message with this id may have this whole length.
func fits(id byte, length int) bool {
	switch id {
	case BoardDump:
		return length == chessDump || length == draughts
	case ClockTimes:
		return length == 10
	case FieldUpdate, BusAddress, Version, HardwareVersion:
		return length == 5
	case EEMoves:
		return length == longestLog
	case Serial:
		return length == 8
	case Trademark:
		return length > headerLen && length <= longest
	case DraughtsBlack, DraughtsWhite:
		return length == headerLen+50
	case BatteryStatus:
		return length == 12
	case LongSerial:
		return length == 13
	}
	return length > headerLen && length <= longestAny
}

// AppendMessage appends a message with its header to dst. The payload's bytes must be below 80 hex.
func AppendMessage(dst []byte, id byte, payload []byte) []byte {
	n := headerLen + len(payload)
	return append(append(dst, id, byte(n>>7)&0x7F, byte(n)&0x7F), payload...)
}

// Counts says what a Decoder has met since it was made. At every moment the bytes fed are the lengths of the messages
// handed over, plus Garbage, plus what is still pending.
type Counts struct {
	Messages  int64 // handed over
	Garbage   int64 // bytes that belong to no message handed over
	Dropped   int64 // messages begun and given up: a header came too early
	Late      int64 // pauses inside a message, after which its rest came: as far as anybody can tell
	BadLength int64 // headers whose length cannot be
	BadSum    int64 // on a bus, messages whose sum is wrong
}

// Decoder cuts the board's bytes into messages. Only the first byte of a message has bit 7 set and there is no
// checksum, so that bit is all there is to find the way again after a lost byte (protocols/dgt.md section 3). On a bus
// there is an address and a sum (section 11). Its memory does not grow. The zero value is ready and counts no pauses.
type Decoder struct {
	// Pause is the longest silence inside a message that is nothing special, in milliseconds; 0 is any. The log may stop six times
	// as long. The message is kept: a computer that was busy and a radio that tried again are late and lose nothing. Counts.Late
	// tells that it may still be two messages, whose middle is lost.
	Pause int64
	Bus   bool // the line is a bus

	buf    [kept]byte
	n      int // bytes of the message so far, 0 between messages
	length int // as announced, once n is headerLen
	last   int64
	counts Counts
}

// Decode takes bytes that came at now (milliseconds, never falling) and calls emit for each message they complete.
// How the bytes are cut into calls makes no difference.
func (d *Decoder) Decode(now int64, in []byte, emit func(Message)) {
	if len(in) == 0 {
		return
	}
	if pause := d.pause(); d.n > 0 && pause > 0 && now-d.last > pause && in[0] < 0x80 {
		d.counts.Late++
	}
	d.last = now
	for _, b := range in {
		d.take(b, emit)
	}
}

// pause is how long the message begun may stand still: the log comes in pieces.
func (d *Decoder) pause() int64 {
	if d.InLog() {
		return 6 * d.Pause
	}
	return d.Pause
}

func (d *Decoder) take(b byte, emit func(Message)) {
	if b >= 0x80 {
		d.Drop()
	} else if d.n == 0 {
		d.counts.Garbage++
		return
	}
	d.buf[d.n] = b
	d.n++
	if d.n < headerLen {
		return
	}
	if d.n == headerLen {
		d.length = int(d.buf[1])<<7 | int(d.buf[2])
		ok := fits
		if d.Bus {
			ok = busFits
		}
		if !ok(d.buf[0], d.length) {
			d.counts.BadLength++
			d.counts.Garbage += headerLen
			d.n = 0
		}
		return
	}
	if d.n < d.length {
		return
	}
	m := Message{ID: d.buf[0], Length: d.length, Payload: d.buf[headerLen:d.length]}
	d.n = 0
	if d.Bus {
		if sum(d.buf[:d.length-1]) != d.buf[d.length-1] {
			d.counts.BadSum++
			d.counts.Garbage += int64(d.length)
			return
		}
		m.Address = int(m.Payload[0])<<7 | int(m.Payload[1])
		m.Payload = m.Payload[2 : len(m.Payload)-1]
	}
	d.counts.Messages++
	emit(m)
}

// Drop gives up the message begun, if there is one; its bytes count as garbage.
func (d *Decoder) Drop() {
	if d.n > 0 {
		d.counts.Dropped++
		d.counts.Garbage += int64(d.n)
		d.n = 0
	}
}

// Pending is how many bytes of an unfinished message have come.
func (d *Decoder) Pending() int { return d.n }

// InLog reports whether the board is in the middle of its log of 7936 bytes, which keeps the line busy for 8.3 s.
func (d *Decoder) InLog() bool { return d.n >= headerLen && d.buf[0] == EEMoves && !d.Bus }

// Counts is what the decoder has met so far.
func (d *Decoder) Counts() Counts { return d.counts }
