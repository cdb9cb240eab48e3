// Package recording is what a board said, as a file: JSON lines, plain or gzip, several recordings one after another. A
// recording begins with an opening line; every further line is one thing the board's core was told, with its time in whole
// milliseconds from the recording's start.
package recording

import (
	"encoding/json"
	"time"

	"github.com/boardd/boardd/board"
)

// MaxLine is the longest line a Reader accepts, in bytes. A longer one ends the file.
const MaxLine = 1 << 20

// MaxT is the latest time a line may carry: a hundred years in milliseconds.
const MaxT = 100 * 366 * 24 * 3600 * 1000

// EndAfter is how long after its last line a recording that has no end line ends, in milliseconds.
const EndAfter = 10_000

// Opening is the first line of a recording. It names the board's acuity, or its driver, or both.
type Opening struct {
	Acuity    board.Acuity
	HasAcuity bool            // false: the driver decides
	Driver    string          // set for boards recorded as bytes (hex lines)
	Options   json.RawMessage // the driver's options, one JSON object; nil if none
	FEN       string          // position at the start; "" = wait for a set-up
	Moves     []string        // plies before t 0, UCI
	Truth     []string        // what was played after that, where it is known, UCI; only for those who measure
	Variant   string          // standard, chess960; "" = standard
	Board     string          // id of the board
	Rules     json.RawMessage // keys of [board.rules], one JSON object; nil if none
	ScanMs    *int64          // how often the board was read
	SettleMs  *int64          // how long a symbol must last to count
	Note      string

	// Of the pieces of a Ring. Run is set there.
	Run    string          // which run of the daemon; "" for none
	At     int64           // how far that run was at t 0, in milliseconds
	Since  time.Time       // time of day at t 0; zero if not known
	Again  int             // so many lines after this one only repeat what earlier pieces of the run have said
	Lost   int             // so many lines before this one were not recorded: the disk was full or too slow
	Resume json.RawMessage // the table at t 0, one JSON object that game.Resume reads; counts before FEN and Moves; nil if none
}

// Entry is one line. Opening is set when a new recording begins; Bytes (not nil) when the line holds bytes of a driver's
// port, whose time is then Input.T; else Input is what the core was told. A line that says nothing known to this version
// gives a Wake.
type Entry struct {
	Line    int // in the file, from 1
	Opening *Opening
	Input   board.Input
	Bytes   []byte
}
