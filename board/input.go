package board

import "github.com/boardd/boardd/rules"

// Kind says which of an Input's fields count.
type Kind uint8

// The kinds of input.
const (
	Wake    Kind = iota // nothing happened: the time asked for has come
	Change              // Square says Symbol now
	Scan                // all squares say Picture now
	Link                // the board is there (Online) or gone
	Clock               // Reading of the players' clock
	Button              // the button named ButtonName was pressed
	Cmd                 // Command from a person or program
	End                 // the recording ends here: settle and commit what is not in doubt
	Battery             // the board's own battery: Percent, Charging
)

// Input is one thing a board's core is told. Squares are as wired: the core turns them.
type Input struct {
	T          int64 // milliseconds from the start, never falling
	Kind       Kind
	Square     rules.Square
	Symbol     Symbol
	Picture    Picture
	Online     bool
	Reading    Reading
	ButtonName string
	Command    *Command
	Percent    int // 0..100
	Charging   bool
}

// Side is left or right of a clock, seen from its front; or no side.
type Side uint8

// The sides of a clock.
const (
	NoSide Side = iota
	Left
	Right
)

// Reading is what a clock shows. Drivers report left and right; which is White's is the core's to say. A reading with
// ByColor (from recordings) holds White's time in LeftMs whatever the orientation.
type Reading struct {
	LeftMs, RightMs int64
	Running         Side // whose time counts down now
	Lever           Side // the side that is to move by the lever: its owner has not pressed yet; NoSide if unknown
	Flag            Side // whose flag has fallen
	ByColor         bool
	BatteryLow      bool
}

// Command is a verb with its keys, as every door gives it (design of events and commands: docs/mqtt.md).
// Absent keys are zero values.
type Command struct {
	Verb        string `json:"verb"`
	ID          string `json:"id,omitempty"`
	Game        string `json:"game,omitempty"`
	IfSeq       *int64 `json:"if_seq,omitempty"`
	By          string `json:"by,omitempty"`
	Piece       string `json:"piece,omitempty"`       // queen rook bishop knight
	Plies       int    `json:"plies,omitempty"`       // takeback: 1..20
	Side        string `json:"side,omitempty"`        // white black
	Action      string `json:"action,omitempty"`      // draw: offer accept decline
	Doubt       int64  `json:"doubt,omitempty"`       // choose: id of the doubt
	N           int    `json:"n,omitempty"`           // choose: index of the candidate, from 0
	Orientation string `json:"orientation,omitempty"` // white black
	White       string `json:"white,omitempty"`       // new_game: names, at most 64 runes
	Black       string `json:"black,omitempty"`
	TimeControl string `json:"time_control,omitempty"` // PGN TimeControl
	StartFEN    string `json:"start_fen,omitempty"`
	Variant     string `json:"variant,omitempty"`
	Force       bool   `json:"force,omitempty"`
	Value       *int   `json:"value,omitempty"` // led_brightness: 0 to 100 percent; the value of result is in Result
	On          *bool  `json:"on,omitempty"`    // lights

	Kind    string `json:"kind,omitempty"`     // claim: threefold fifty
	UCI     Plies  `json:"uci,omitempty"`      // claim: the move written down; edit: the plies
	Seq     int64  `json:"seq,omitempty"`      // accept: the illegal_move
	Result  string `json:"result,omitempty"`   // result (there its key is value), truncate: * 1-0 0-1 1/2-1/2
	Reason  string `json:"reason,omitempty"`   // result: why
	FEN     string `json:"fen,omitempty"`      // setup
	Ply     *int   `json:"ply,omitempty"`      // truncate: plies that stay
	FromPly int    `json:"from_ply,omitempty"` // edit: the first ply that is replaced, from 1
	Event   string `json:"event,omitempty"`    // names: of the tournament, like site, round and table at most 64 runes
	Site    string `json:"site,omitempty"`
	Round   string `json:"round,omitempty"`
	Table   string `json:"table,omitempty"`
	WhiteMs *int64 `json:"white_ms,omitempty"` // clock_set
	BlackMs *int64 `json:"black_ms,omitempty"`
	AddMs   *int64 `json:"add_ms,omitempty"`
	Mode    string `json:"mode,omitempty"` // mode: training casual observer
}

// Driver is the machine of one kind of board, without I/O: bytes and time in, inputs and bytes to write out. Wake is
// when it wants to be called again without bytes, 0 for never, else later than now.
type Driver interface {
	Step(now int64, in []byte) (inputs []Input, out []byte, wake int64)
}

// Adopter is a Driver that can be told what its board shows, when it begins in the midst of a conversation, as the pieces of a long
// recording do. It is then as if the board had just answered and shown p, and nothing else was in doubt.
type Adopter interface {
	Driver
	Adopt(now int64, p Picture)
}

// Rememberer is a Driver whose board remembers what was done to it while nobody listened. Remember tells what all squares said, as
// wired, when the board was last heard; it comes before the first Step. What was done since then is told before what stands.
type Rememberer interface {
	Driver
	Remember(Picture)
}
