// Package text reads home-made boards over a serial line. No two of them speak the same protocol, but most speak one of
// a few kinds: a byte a rank, sixty-four characters, a line a lifted man, a line a move. What a board says is described by
// Options, and a Preset is a whole description of a public project; a new one is a row of presets.go.
//
// It is a machine without I/O; a port hands it bytes and time. The page is protocols/diy-serial.md of the reference pages.
// What it does not do: it settles nothing (a square that bounces is reported as it bounces; the core waits for it to rest),
// and it knows no chess. Of moves it keeps books as a scorer would: where the men stood and where they are now.
package text

// Options describe a board. Start from a Preset and change what is different. In boardd.toml they are [board.text], each
// field under its name in the tags. Bytes to send are text, or hexadecimal after "hex:", as in "hex:FE 14 FF".
type Options struct {
	Baud int    `toml:"baud"` // of the line, 8N1; 0 is 9600. Native USB does not care
	DTR  string `toml:"dtr"`  // keep, on, off: for who opens the port. "" is keep
	RTS  string `toml:"rts"`  // the same

	// SettleMs after the port was opened before anything is sent: opening it starts most boards anew. 0 is 2,500.
	SettleMs int64   `toml:"settle_ms"`
	Framing  Framing `toml:"framing"`

	StartSend []string `toml:"start_send"`  // sent then, one after the other; again when the board has started anew
	SendGapMs int64    `toml:"send_gap_ms"` // between two of them. 0 is 200
	PollSend  string   `toml:"poll_send"`   // asks where the men stand
	EveryMs   int64    `toml:"every_ms"`    // how often; 0 is 500
	StopSend  string   `toml:"stop_send"`   // the last thing to be said to the board; see Machine.Stop

	// SilenceMs without anything understood means that the board is gone, for boards that speak all the time. 0 is ten
	// times EveryMs for boards that are asked, and never for others.
	SilenceMs int64 `toml:"silence_ms"`

	Ignore []string `toml:"ignore"` // regular expressions of lines that mean nothing
	Boot   []string `toml:"boot"`   // and of lines that a board says when it starts; none is what ESP32 boards say
	Input  []Rule   `toml:"input"`  // tried in order: the first that fits a line has it

	Board  Layout `toml:"board"`
	Event  Signs  `toml:"event"`
	Output Output `toml:"output"`

	// Acuity is what the board sees of a man: presence, color or piece. "" is all that its rules tell (Sees). It can make a
	// board see less, never more.
	Acuity string `toml:"acuity"`
	// Assume is "start" for boards that tell moves or lifts and never where all men stand: they are taken to stand as
	// for a new game when the port is opened for the first time. "" is a board that says it.
	Assume string `toml:"assume"`
	// IDs are the chips of the men, as the board writes them with single spaces: their FEN letters. Of a board without
	// them the ids are learnt from the start position (Machine.IDs).
	IDs map[string]string `toml:"ids"`
	// Scale is how many times faster than a wall clock the time given to Step runs: silences of the wire are stretched by it. 0 is 1.
	Scale int64 `toml:"-"`
}

// ResolutionMs is within how many milliseconds the order of changes means nothing: what a board sees between two messages, or in
// one scan.
func (o Options) ResolutionMs() int64 {
	switch {
	case o.PollSend != "" && len(o.Input) > 0 && o.Input[0].Kind != "event":
		return orElse(o.EveryMs, everyMs)
	case o.SilenceMs > 0:
		return frameMs
	}
	return scanMs
}

const (
	frameMs = 300 // between two messages of a board that speaks all the time, at most
	scanMs  = 50  // that a sketch takes to look at all squares
)

// Framing says where a message of the board ends.
type Framing struct {
	// Mode is line; fixed, messages of FixedLen bytes without a mark, told apart by silence; delimited, bytes between
	// Start and End; or timeout, all between two silences. "" is line.
	Mode     string `toml:"mode"`
	LineEnd  string `toml:"line_end"`  // any (CR, LF or both), or the characters that end a line. "" is any
	FixedLen int    `toml:"fixed_len"` // bytes of a message, its marks not counted; of delimited 0 is any length
	Start    string `toml:"start"`     // hexadecimal bytes; "" is none
	End      string `toml:"end"`       // hexadecimal bytes
	GapMs    int64  `toml:"gap_ms"`    // of silence that end a message; half a message is dropped then. 0 is 50, for lines 1,000
	Delete   string `toml:"delete"`    // characters that are taken out of a message before it is read
}

// Rule is one kind of message.
type Rule struct {
	// Kind is one of Kinds.
	Kind string `toml:"kind"`
	// Regex finds the message in a line, upper and lower case alike. Its groups are (by name, or by number where there is only
	// one to be had): data of hex, bits, rows_dec, pieces and ids; row of bits, matrix and pieces that come in eight
	// lines; fen; sign with sq, or file and rank, and piece of event; uci, or from, to and promo, or castle, of move, with
	// black if something in it says that Black moves. bitboard and planes have none.
	Regex string `toml:"regex"`
	// Do is what an event rule without the group sign means: lift; place; to, what was lifted last goes there and takes
	// whatever stands there; or back, the lift and what followed it did not happen.
	Do string `toml:"do"`
	// Start is a regular expression of the line before eight rows; "" is none.
	Start string `toml:"start"`
	// Separator parts the items of rows, rows_dec and ids; "" is white space for numbers and none for characters.
	Separator string `toml:"separator"`
	// Count is how many numbers make a chip's id. 0 is 1.
	Count int `toml:"count"`
	// Vote is over how many messages the majority of each square counts, for readers that miss; 0 is 1, the most is 9.
	Vote int `toml:"vote"`
}

// Kinds are the kinds of Rule.
func Kinds() []string {
	return []string{
		"bitboard", // eight bytes, a bit a square
		"planes",   // sixteen: a rank's white men, its black men
		"hex",      // sixteen hexadecimal digits
		"bits",     // a character a square
		"rows_dec", // a decimal number a rank
		"matrix",   // eight lines of eight items: tokens
		"pieces",   // a FEN letter a square
		"fen",      // a FEN, or only its first field
		"ids",      // a chip's id a square
		"event",    // a square and what happened there
		"move",     // a move
		"new_game", // the men stand as at the start
	}
}

// Layout says which square is which.
type Layout struct {
	// Order in which squares come: a8h1 is a8, b8 … h8, a7 … h1; a1h8, h1a8 and h8a1 begin in another corner;
	// filewise_a1h8 is a1, a2 … a8, b1 … h8, and so on from each corner. "" is a8h1, and for bytes what ByteRows says.
	Order string `toml:"order"`
	// Squares names them one by one instead. A board may have fewer than 64; the others are empty.
	Squares  []string `toml:"squares"`
	ByteRows string   `toml:"byte_rows"` // 8to1 or 1to8. "" is 8to1
	FirstBit string   `toml:"first_bit"` // which bit is the first file, lsb or msb. "" is lsb
	Active   string   `toml:"active"`    // the bit of a man, 1 or 0. "" is 1
	// Rotate180 is yes for a board whose a1 is the players' h8. no, auto and "" leave it to the core, which finds out how the
	// players sit.
	Rotate180 string `toml:"rotate180"`
	Tokens    Tokens `toml:"tokens"`
}

// Tokens are the characters that stand for what is on a square, for bits, matrix and pieces.
type Tokens struct {
	Empty string `toml:"empty"` // "" is "0."
	White string `toml:"white"` // "" is "W"
	Black string `toml:"black"` // "" is "B"
	Any   string `toml:"any"`   // "" is "1x"
}

// Signs are what the group sign of an event says.
type Signs struct {
	Place string `toml:"place"` // a man was put down
	Lift  string `toml:"lift"`  // a man was taken off
	White string `toml:"white"` // a white man was put down
	Black string `toml:"black"` // a black man was put down
	Empty string `toml:"empty"` // the square is empty, like Lift
}

// Output is what is said to the board about lights and moves.
type Output struct {
	// Leds is how lit squares are written: bitmap8, eight bytes, rank 8 first, bit 0 the a-file; squares_bytes, a byte
	// rank*16+file each, both from 0; squares_text, LedsEach for each; move_text, LedsEach once when one square is to be
	// cleared and one to be filled. "" is a board without lights.
	Leds       string `toml:"leds"`
	LedsPrefix string `toml:"leds_prefix"` // before the squares
	LedsEach   string `toml:"leds_each"`   // {sq} or {from} and {to}
	LedsSuffix string `toml:"leds_suffix"` // after them
	LedsOff    string `toml:"leds_off"`    // instead of no square; "" is prefix and suffix
	LedsMs     int64  `toml:"leds_ms"`     // between two frames; 0 is 100
	// OK is the answer to a move that was understood. Whether it is legal the driver does not know: that is shown later.
	OK string `toml:"ok"`
}
