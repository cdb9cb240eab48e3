package game

import (
	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Output is what one Step of a Table gives.
type Output struct {
	Events   []Event
	Snapshot *Snapshot // nil when nothing changed that state or game say
	View     *View     // nil when nothing changed that lights and live pages show
	Replies  []Reply
	Clock    *board.ClockOrder // what the clock on the table is to show from now on, if it can be told; nil for nothing new
	Wake     int64             // when the table wants a Wake, always later than the input's time; 0 for never
}

// Snapshot is what the topics state, game, last_game and settings say. It is immutable.
type Snapshot struct {
	Seq              int64 // last event number
	T                int64
	ArbiterSeq       int64  // last number of an event for the arbiter
	Status           string // idle setup playing paused finished desync
	Mode             string // training casual observer
	Game             *Record
	LastGame         *Record // the game before, nil if none
	Turn             *rules.Color
	FEN              string
	LastSAN, LastUCI string
	LastBy           *rules.Color
	InCheck          bool
	DrawOffer        *rules.Color // who has offered a draw that stands
	Orientation      string       // white, black (the side at the board's own first rank), or "" while not known
	Match            bool
	ProvisionalUCI   string
	Pending          *Pending
	WeakSquares      []WeakSquare // whose sensors are not to be trusted
	Online           bool
	Clock            *ClockView
	DefaultPromotion string // queen …
	LEDBrightness    int    // percent
	LightsOn         bool
	Kept             Kept // for the table that goes on after a stop; doors have no use for it
}

// Record is one game so far.
type Record struct {
	ID           string
	StartedT     int64 // core time
	StartFEN     string
	White, Black string
	Event, Site  string // of the tournament, with Round and Table
	Round, Table string
	TimeControl  string
	Variant      string
	UCI, SAN     []string
	ClkMs        []*int64
	AtMs         []int64 // when each ply's last piece was set down, from the game's start
	Result       string  // * 1-0 0-1 1/2-1/2
	Reason       string
	Irregular    bool
	Stood        []Stood // illegal plies that stand, in their order
}

// Stood is an illegal ply that stands by the arbiter's word. The plies after it go on from where it led.
type Stood struct {
	Ply int    `json:"ply"` // its number, from 1
	FEN string `json:"fen"` // after it
}

// Pending is what the board waits for.
type Pending struct {
	Kind       string // promotion, rook, victim, doubt, remote
	Squares    []rules.Square
	DeadlineMs int64 // core time; 0 for none
}

// ClockView is the players' clock by colour.
type ClockView struct {
	WhiteMs, BlackMs int64
	Running          *rules.Color
	T                int64 // core time of the reading
}

// View is all that lights and live pages show; squares as the players see them.
type View struct {
	T           int64
	Placement   board.Picture // what the settled sensors say
	Acuity      board.Acuity
	FEN         string // of the best line's end
	Lifted      rules.Bitboard
	Provisional string // UCI of the ply that is not firm yet, ""
	Mode        string
	Status      string
	Pending     *Pending
	DoubtID     int64

	Remove     rules.Bitboard // desync or set-up: superfluous men
	Put        rules.Bitboard // desync or set-up: missing men
	Wanted     board.Picture  // what the squares are to say while Remove or Put names any: with Placement, which man goes where
	SettingUp  bool           // before the game: nothing that is shown can help a player
	Remote     *Carry         // a remote move to carry out
	Illegal    *Shown         // illegal move shown: From is where it belongs, To where it stands
	Debt       *Shown         // castling begun: rook from, to; victim: From only, To NoSquare
	Promotion  rules.Square   // prompt, or NoSquare
	Choice     rules.Role     // piece the prompt stands on now
	Doubtful   []rules.Square // candidates, in turn
	Targets    rules.Bitboard // training: where the lifted piece may go
	Check      rules.Square   // king in check since CheckT, or NoSquare
	CheckT     int64
	Last       *Shown // last move
	End        *End   // game over
	Identify   int64  // until then (core time) the board shows which one it is; 0 for not
	Trouble    bool   // board offline
	LightsOn   bool
	Brightness int   // percent
	LastChange int64 // for dark after 10 minutes
	Turned     bool  // the board stands turned: frames turn back on the way out
}

// Shown is a pair of squares.
type Shown struct {
	From, To rules.Square
	Victim   rules.Square // a captured man's square, or NoSquare
}

// Carry is what is still to be done of a remote move: every square of a castling, en passant or capture; done parts are left out.
type Carry struct {
	Lift rules.Bitboard // men to be taken off their squares
	Put  rules.Bitboard // squares that wait for a man
}

// End is how the game ended, for the lights.
type End struct {
	T             int64
	Winner, Loser rules.Square // kings' squares; both NoSquare-free; Draw: both slow
	Draw          bool
}

// Reply answers a command.
type Reply struct {
	Command *board.Command // the very command that is answered
	Status  string         // ok, error, duplicate
	Code    string         // of an error: bad_value, stale, unknown_verb, …
	Message string         // for people, one line
	Seq     int64          // last event number after it
}
