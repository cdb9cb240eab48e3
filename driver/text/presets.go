package text

import (
	"maps"
	"slices"
)

// Presets are the names of the descriptions that Preset knows, in the order of docs/boards.md.
func Presets() []string {
	var names []string
	for _, p := range presets {
		names = append(names, p.name)
	}
	return names
}

// Preset is the description of a public project's board; false if there is none of this name. The result is the caller's
// to change. On acuities and speeds see docs/boards.md.
func Preset(name string) (Options, bool) {
	for _, p := range presets {
		if p.name == name {
			return p.options.clone(), true
		}
	}
	return Options{}, false
}

func (o Options) clone() Options {
	o.StartSend, o.Ignore, o.Boot, o.Input = slices.Clone(o.StartSend), slices.Clone(o.Ignore), slices.Clone(o.Boot), slices.Clone(o.Input)
	o.Board.Squares, o.IDs = slices.Clone(o.Board.Squares), maps.Clone(o.IDs)
	return o
}

// The tails of moves in letters.
const (
	uci     = `(?P<uci>[a-h][1-8][a-h][1-8][qrbn]?)`
	fourUCI = `(?P<uci>[a-h][1-8][a-h][1-8])`
)

// presets is the table of protocols/diy-serial.md section 5.
var presets = []struct {
	name    string
	options Options
}{
	{"liboard", Options{
		Baud: 9600, SettleMs: 3500,
		Framing: Framing{Mode: "fixed", FixedLen: 8, GapMs: 50},
		Input:   []Rule{{Kind: "bitboard"}},
		Board:   Layout{ByteRows: "8to1", FirstBit: "lsb", Active: "1"},
	}},
	{"echess", Options{
		Baud:    115200,
		Framing: Framing{Mode: "delimited", FixedLen: 16, End: "FF FF FF", GapMs: 50},
		Input:   []Rule{{Kind: "planes"}},
		Board:   Layout{ByteRows: "1to8", FirstBit: "lsb"},
		Output:  Output{Leds: "squares_bytes", LedsPrefix: "hex:FE", LedsSuffix: "hex:FF"},
	}},
	{"smart-xiao", Options{
		Baud:      115200,
		StartSend: []string{"\n", "board monitor threshold -100 100 10\n"},
		StopSend:  "q",
		// A shell's prompt may stand before the first event; the sign may be a space, which belongs to the event.
		Input: []Rule{{Kind: "event", Regex: `(?:^|\$ ?)(?P<sign>[-+ ])(?P<file>[A-H])(?P<rank>[1-8])$`}},
		Event: Signs{Black: "+", White: "-", Empty: " "},
	}},
	{"roniterv", Options{
		Baud:      9600,
		StartSend: []string{"HELLO 5.0.1\n"},
		PollSend:  "BOARD\n", EveryMs: 500,
		Input: []Rule{{Kind: "hex", Regex: `^BOARD (?P<data>[0-9A-F]{16})$`}},
		Board: Layout{ByteRows: "8to1", FirstBit: "lsb"},
	}},
	{"chesswiz", Options{
		Baud:     115200,
		PollSend: "REQUEST_BOARD_STATE\n", EveryMs: 1000,
		Ignore: []string{`^SENSORS_DISABLED$`},
		Input:  []Rule{{Kind: "bits", Regex: `^BOARD_STATE:(?P<data>[01]{64})$`}},
		Board:  Layout{Order: "a1h8"}, // not certain: one comment of its source says that the first is h1
	}},
	{"smartchess-diym", Options{
		Baud:   9600,
		Assume: "start",
		Ignore: []string{`^heyArduino`},
		Input:  []Rule{{Kind: "move", Regex: `^heypiM` + fourUCI}},
		Output: Output{Leds: "move_text", LedsEach: "heyArduinom{from}{to}-\n", LedsMs: 2000},
	}},
	{"openchess-text", Options{
		Baud:   9600, // newer branches 115200
		Assume: "start",
		Input: []Rule{
			{Kind: "event", Do: "lift", Regex: `^Piece lifted from (?P<sq>[a-h][1-8])`},
			{Kind: "event", Do: "to", Regex: `^(?:Legal move to|Capture initiated at) (?P<sq>[a-h][1-8])`},
			{Kind: "event", Do: "back", Regex: `^(?:Piece replaced in original spot|Illegal move, reverting|Capture cancelled|Pickup cancelled)`},
		},
	}},
	{"cpp", Options{
		Baud:      115200,
		StartSend: []string{"begin rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1\n"},
		Input: []Rule{
			{Kind: "fen", Regex: `^(?:sync|unsync|state) (?P<fen>.+)$`},
			{Kind: "move", Regex: `^move ` + uci + `$`},
		},
		Output: Output{OK: "ok\n"},
	}},
	{"gameboard-ui", Options{
		Baud:    9600,
		Framing: Framing{LineEnd: "\r"},
		Input: []Rule{
			{Kind: "pieces", Regex: `^S?(?P<data>[KQRBNP.]{64})$`},
			{Kind: "event", Regex: `(?P<sign>[+-])(?P<sq>[a-h][1-8])`},
		},
		Board:  Layout{Order: "a1h8"},
		Event:  Signs{Place: "+", Lift: "-"},
		Assume: "start",
		Output: Output{Leds: "squares_text", LedsPrefix: ".\r", LedsEach: "*{sq}\r"},
	}},
	{"squareoff-pro", Options{
		Baud:      9600,
		Framing:   Framing{LineEnd: "*"},
		StartSend: []string{"14#1*"},
		PollSend:  "30#R*", EveryMs: 5000,
		Input: []Rule{
			{Kind: "event", Regex: `^0#(?P<sq>[a-h][1-8])(?P<sign>[ud])`},
			{Kind: "bits", Regex: `^30#(?P<data>[01]{64})`},
		},
		Board:  Layout{Order: "filewise_a1h8"},
		Event:  Signs{Place: "d", Lift: "u"},
		Output: Output{Leds: "squares_text", LedsPrefix: "25#", LedsEach: "{sq}", LedsSuffix: "*"},
	}},
	{"novag", Options{
		Baud:      57600, // 9600 for the Universal Chess Board and the Sapphire II
		StartSend: []string{"X ON\r\n", "U ON\r\n"},
		Assume:    "start",
		Input: []Rule{
			{Kind: "new_game", Regex: `^New Game`},
			{Kind: "move", Regex: `^M ?\d*(?P<black>,)? ?(?:(?P<from>[a-h][1-8])[-x]?(?P<to>[a-h][1-8])(?:ep)?(?:/(?P<promo>[QRBN]))?|(?P<castle>O-O(?:-O)?))[+#]*$`},
		},
	}},
	{"sentio", Options{
		Baud:      38400,
		Framing:   Framing{Mode: "delimited", Start: "3A", End: "0D 0A", GapMs: 500, Delete: "\r\nLD*"},
		SilenceMs: 5000,
		Input:     []Rule{{Kind: "rows_dec", Regex: `^(?P<data>(?:\d+ +){7}\d+) *$`}},
		Board:     Layout{ByteRows: "8to1", FirstBit: "msb"},
		Output:    Output{Leds: "bitmap8", LedsMs: 600},
	}},
	{"certabo", Options{
		Baud:      38400,
		Framing:   Framing{Mode: "delimited", Start: "3A", End: "0D 0A", GapMs: 1000, Delete: "\r\nLD*"},
		SilenceMs: 10000,
		Input:     []Rule{{Kind: "ids", Count: 5, Vote: 3, Regex: `^(?P<data>(?:\d+ +){319}\d+) *$`}},
		Output:    Output{Leds: "bitmap8", LedsMs: 600},
	}},
	{"uci-lines", Options{
		Baud:   9600,
		Assume: "start",
		Input: []Rule{
			{Kind: "move", Regex: `^` + uci + `$`},
			{Kind: "move", Regex: `^(?P<from>[a-h][1-8])[ ,-](?P<to>[a-h][1-8])$`},
		},
	}},
}
