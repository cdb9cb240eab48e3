package chesslink

import "bytes"

// Message is one message of the board whose block check is right and whose content is possible.
type Message struct {
	Letter byte   // one of the constants below
	Data   []byte // between the letter and the check digits, 7 bits each. Valid only during the call that hands it over
}

// Letters of the board's messages (protocols/chesslink.md sections 2 and 3).
const (
	Status   byte = 's' // 64 squares
	Version  byte = 'v' // two bytes in hex
	Lamps    byte = 'l' // a pattern of lights has been taken
	Dark     byte = 'x' // all lights are out
	Written  byte = 'w' // register and value in hex
	Register byte = 'r' // register and value in hex
	Starting byte = 't' // some emulations answer so to a restart; boards say nothing
	Identity byte = 'i' // ends with a line feed; what it means is not known
)

const (
	longest      = 67 // a status
	longestOther = 24 // an identity, which alone has no fixed length
	checkLen     = 2
)

// length is how many characters the message at the front of b has, the check digits included; 0 when it cannot be a
// message, more than len(b) when that is not known yet.
func length(b []byte) int {
	switch b[0] {
	case Status:
		return longest
	case Version, Written, Register:
		return 7
	case Lamps, Dark, Starting:
		return 3
	case Identity:
		end := bytes.IndexByte(b, '\n')
		switch {
		case end >= 0 && end+1+checkLen <= longestOther:
			return end + 1 + checkLen
		case end < 0 && len(b) < longestOther:
			return len(b) + 1
		}
	}
	return 0
}

// possible reports whether data is what a message with this letter may hold. Only so can the end of a status that lost its
// beginning not be taken for another message: its men include the letter r.
func possible(letter byte, data []byte) bool {
	switch letter {
	case Status:
		for _, c := range data {
			if bytes.IndexByte(men, c) < 0 {
				return false
			}
		}
	case Version, Written, Register:
		for _, c := range data {
			if _, ok := hexDigit(c); !ok {
				return false
			}
		}
	}
	return true
}

var men = []byte(".PNBRQKpnbrqk")

func hexDigit(c byte) (v byte, ok bool) {
	switch {
	case c >= '0' && c <= '9':
		return c - '0', true
	case c >= 'A' && c <= 'F':
		return c - 'A' + 10, true
	case c >= 'a' && c <= 'f': // some emulations
		return c - 'a' + 10, true
	}
	return 0, false
}

// hexByte reads two digits; they have been looked at by possible.
func hexByte(b []byte) byte {
	high, _ := hexDigit(b[0])
	low, _ := hexDigit(b[1])
	return high<<4 | low
}

// odd sets bit 7 so that the number of ones is odd: the parity of the wire, made here so that the port can be 8N1.
func odd(c byte) byte {
	if even(c & 0x7F) {
		return c | 0x80
	}
	return c & 0x7F
}

// even reports whether the number of ones in c is even.
func even(c byte) bool {
	c ^= c >> 4
	c ^= c >> 2
	c ^= c >> 1
	return c&1 == 0
}

// AppendMessage appends a message of either side to dst: text, its block check as two upper-case digits, and in bit 7 of
// each character the odd parity.
func AppendMessage(dst []byte, text string) []byte {
	const digits = "0123456789ABCDEF"
	var check byte
	for i := range len(text) {
		check ^= text[i] & 0x7F
		dst = append(dst, odd(text[i]))
	}
	return append(dst, odd(digits[check>>4]), odd(digits[check&15]))
}

// Counts says what a Decoder has met since it was made. At every moment the bytes fed are the lengths of the messages
// handed over, plus Garbage, plus what is still pending.
type Counts struct {
	Messages  int64 // handed over
	Garbage   int64 // bytes that belong to no message handed over
	BadCheck  int64 // what looked like a message and had another block check
	BadParity int64 // messages dropped for their parity although their check was right
	Dropped   int64 // messages begun that a pause ended
}

// Decoder cuts the board's bytes into messages: by their letter and its fixed length, then by the block check. When that
// is wrong one character is dropped and the next is tried.
//
// Parity is not asked of a board that has none: the eONE and some emulations send it wrong or not at all. A status whose 67
// characters all have it cannot be chance; from then on it is asked for, because the block check alone misses two errors
// in one column. Three messages in a row with a right check and a wrong parity end that.
//
// The zero value is ready and never drops for a pause.
type Decoder struct {
	Pause int64 // a longer silence inside a message drops it, in milliseconds; 0 never

	buf    [longest]byte
	wrong  [longest]bool // the character's parity
	n      int
	last   int64
	strict bool
	doubts int
	counts Counts
}

// Decode takes bytes that came at now (milliseconds, never falling) and calls emit for each message they complete.
// How the bytes are cut into calls makes no difference.
func (d *Decoder) Decode(now int64, in []byte, emit func(Message)) {
	d.Expire(now, emit)
	for _, b := range in {
		d.last = now
		d.buf[d.n], d.wrong[d.n] = b&0x7F, even(b)
		d.n++
		for d.n > 0 && d.front(emit) {
		}
	}
}

// Expire gives up a message that has waited too long for its next character. What had come after its letter may be
// messages of their own.
func (d *Decoder) Expire(now int64, emit func(Message)) {
	if d.n == 0 || d.Pause <= 0 || now-d.last <= d.Pause {
		return
	}
	d.counts.Dropped++
	for d.n > 0 {
		d.shift(1)
		d.counts.Garbage++
		for d.n > 0 && d.front(emit) {
		}
	}
}

// front looks at the front of the buffer and reports whether something was taken away.
func (d *Decoder) front(emit func(Message)) bool {
	want := length(d.buf[:d.n])
	switch {
	case want == 0:
	case want > d.n:
		return false
	case d.right(want):
		m := Message{Letter: d.buf[0]}
		var data [longest]byte
		m.Data = data[:copy(data[:], d.buf[1:want-checkLen])]
		d.shift(want)
		d.counts.Messages++
		emit(m)
		return true
	}
	d.shift(1)
	d.counts.Garbage++
	return true
}

// right reports whether the first n characters are a message.
func (d *Decoder) right(n int) bool {
	var check byte
	for _, c := range d.buf[:n-checkLen] {
		check ^= c
	}
	high, ok := hexDigit(d.buf[n-2])
	low, ok2 := hexDigit(d.buf[n-1])
	if !ok || !ok2 || high<<4|low != check {
		d.counts.BadCheck++
		return false
	}
	if !possible(d.buf[0], d.buf[1:n-checkLen]) {
		return false
	}
	if !d.anyWrong(n) {
		d.doubts = 0
		if n == longest {
			d.strict = true
		}
		return true
	}
	if !d.strict {
		return true
	}
	if d.doubts++; d.doubts > 2 {
		d.strict, d.doubts = false, 0
		return true
	}
	d.counts.BadParity++
	return false
}

func (d *Decoder) anyWrong(n int) bool {
	for _, w := range d.wrong[:n] {
		if w {
			return true
		}
	}
	return false
}

func (d *Decoder) shift(n int) {
	copy(d.buf[:], d.buf[n:d.n])
	copy(d.wrong[:], d.wrong[n:d.n])
	d.n -= n
}

// Pending is how many characters wait for the rest of their message.
func (d *Decoder) Pending() int { return d.n }

// Deadline is from when on Expire drops what is pending; only while something is.
func (d *Decoder) Deadline() int64 { return d.last + d.Pause + 1 }

// Counts is what the decoder has met so far.
func (d *Decoder) Counts() Counts { return d.counts }
