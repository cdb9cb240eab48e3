package certabo

// Reader cuts the text that these boards send without being asked into lines of numbers, and finds the answers to lights in
// it (protocols/certabo.md sections 2 and 7). A line begins with a colon, or where the board has none (Bluetooth) after the
// end of the line before. Line feeds inside it are no ends and may stand inside a number. It ends when its last number is surely
// whole: with a carriage return, an answer, or a line feed after a space or before the next colon.
//
// Its memory does not grow. Make it with NewReader.
type Reader struct {
	Pause int64 // a longer silence inside a line drops it, in milliseconds; 0 never

	want    int // numbers in a line
	line    []byte
	state   readerState
	number  int  // the one that is being read, -1 between numbers
	digits  int  // of it
	fed     bool // a line feed came since the last digit or space
	last    byte // the byte before
	numbers int  // of the line so far, also when they are not kept
	at      int64
	other   int // lines in a row with another number of numbers
	counts  Counts
}

type readerState uint8

const (
	outside   readerState = iota // before a line
	inside                       // after a colon
	bare                         // in a line without a colon
	spoilt                       // in a line that is no good, until the next
	countOnly                    // in a line that is too long, to say what it is
)

// Counts says what a Reader has met since it was made.
type Counts struct {
	Lines   int64 // handed over
	Dropped int64 // begun and given up: cut, too long, or with something in it that is no number
	Other   int64 // of them whole, and with a number of numbers that the other kind of board has
	Acks    int64 // answers to lights
}

// The numbers of a line: a chip of five numbers on each square, or one number for each rank.
const (
	ChipNumbers = 64 * 5
	RankNumbers = 8
)

// NewReader makes a reader for lines of ChipNumbers or RankNumbers numbers.
func NewReader(numbers int) *Reader {
	return &Reader{want: numbers, line: make([]byte, 0, numbers), number: -1}
}

// Read takes text that came at now (milliseconds, never falling). It calls line for each whole line, whose numbers are valid
// only during the call, and ack for each answer to lights: 'L' from lights of one colour, 'D' from coloured ones. How the text
// is cut into calls makes no difference.
func (r *Reader) Read(now int64, in []byte, line func(numbers []byte), ack func(letter byte)) {
	if len(in) == 0 {
		return
	}
	if r.state != outside && r.Pause > 0 && now-r.at > r.Pause {
		r.drop(outside)
		r.last = 0
	}
	r.at = now
	for _, c := range in {
		c &= 0x7F // it is plain text: the highest bit can only be damage, and a line has many bytes
		r.take(c, line, ack)
		r.last = c
	}
}

func (r *Reader) take(c byte, line func([]byte), ack func(byte)) {
	switch c {
	case ':':
		if r.fed {
			r.end(line)
		}
		r.begin(inside)
	case 'L', 'D':
		r.counts.Acks++
		r.end(line)
		ack(c)
	case '*': // what it means is not known
		r.end(line)
	case '\r':
		if !r.end(line) {
			r.foreign()
		}
	case '\n':
		if r.number < 0 {
			r.end(line)
		}
		if r.last == '\r' && r.state != inside {
			r.drop(outside)
		}
		r.fed = true
	case ' ':
		r.finish()
		r.fed = false
	default:
		if c < '0' || c > '9' {
			r.drop(spoilt)
			return
		}
		if r.state == outside && r.last == '\n' {
			r.begin(bare)
		}
		r.fed = false
		r.digit(int(c - '0'))
	}
}

// begin starts a line; what there is of another is dropped.
func (r *Reader) begin(s readerState) {
	r.drop(s)
	r.fed = false
}

// drop gives up the line that was begun.
func (r *Reader) drop(next readerState) {
	if r.state == inside || r.state == bare || r.state == countOnly {
		r.counts.Dropped++
	}
	r.state, r.line, r.number, r.digits, r.numbers = next, r.line[:0], -1, 0, 0
}

func (r *Reader) digit(d int) {
	if r.state == outside || r.state == spoilt {
		return
	}
	if r.number < 0 {
		r.number, r.digits = 0, 0
	}
	r.number = r.number*10 + d
	if r.digits++; r.digits > 3 || r.number > 255 {
		r.drop(spoilt)
	}
}

// finish ends the number that is being read.
func (r *Reader) finish() {
	if r.number < 0 {
		return
	}
	if r.numbers++; r.numbers > r.want {
		r.state = countOnly
	} else {
		r.line = append(r.line, byte(r.number))
	}
	r.number = -1
}

// end ends the line if it has all its numbers, and reports whether it has. If not, what came was an answer or a line feed in
// its midst.
func (r *Reader) end(line func([]byte)) bool {
	if r.state != inside && r.state != bare || r.count() != r.want {
		return false
	}
	r.finish()
	r.counts.Lines++
	r.other = 0
	r.state, r.numbers = outside, 0
	line(r.line)
	r.line = r.line[:0]
	return true
}

// foreign drops a line that the other kind of board would send.
func (r *Reader) foreign() {
	if n := r.count(); r.state != outside && (n == ChipNumbers || n == RankNumbers) {
		r.other++
		r.counts.Other++
		r.drop(outside)
	}
}

// count is how many numbers the line has, the one that is being read included.
func (r *Reader) count() int {
	if r.number >= 0 {
		return r.numbers + 1
	}
	return r.numbers
}

// Other reports whether the board sends whole lines that only the other kind of board has: three in a row.
func (r *Reader) Other() bool { return r.other >= 3 }

// Counts is what the reader has met so far.
func (r *Reader) Counts() Counts { return r.counts }
