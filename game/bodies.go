package game

import (
	"strconv"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// GameStart is the body of "game_start". Moves are the plies that had been made before the board was watched; no "move" is
// said for them.
type GameStart struct {
	StartFEN    string   `json:"start_fen"`
	White       *string  `json:"white"` // null when nobody has said
	Black       *string  `json:"black"`
	TimeControl *string  `json:"time_control"`
	Variant     string   `json:"variant"`
	Moves       []string `json:"moves"`
}

// Takeback is the body of "takeback". Reason is board (the pieces went back), command, or corrected (a later look showed
// another move).
type Takeback struct {
	ToPly  int      `json:"to_ply"`
	Reason string   `json:"reason"`
	Undone []string `json:"undone"`
	FEN    string   `json:"fen"`
}

// Illegal is the body of "illegal_move": an attempt that rests on the board and has not been put back. Touched are the square
// from which the player's man came and, when the player took one of the opponent's off, that man's square (4.2, 4.3).
type Illegal struct {
	UCI     string         `json:"uci"`
	By      rules.Color    `json:"by"`
	Article string         `json:"article"`
	FIDE    string         `json:"fide"`
	Reason  string         `json:"reason"`
	Squares []rules.Square `json:"squares"`
	Others  []Cause        `json:"others"`
	Touched []rules.Square `json:"touched"`
}

// Cause is a further reason for which a move is illegal.
type Cause struct {
	Article string `json:"article"`
	FIDE    string `json:"fide"`
	Reason  string `json:"reason"`
}

// PromotionPending is the body of "promotion_pending". DeadlineMs counts from the event: after so long without a change the
// piece chosen last stands; null when only an answer or the opponent's move settles it.
type PromotionPending struct {
	Square     rules.Square `json:"square"`
	Choices    []string     `json:"choices"`
	DeadlineMs *int64       `json:"deadline_ms"`
}

// Doubt is the body of "doubt": several legal explanations remain. The moves come after the plies that stand.
type Doubt struct {
	ID         int64          `json:"id"`
	Kind       string         `json:"kind"`
	Candidates []Candidate    `json:"candidates"`
	Squares    []rules.Square `json:"squares"`
}

// Candidate is one explanation of a doubt.
type Candidate struct {
	UCI    []string  `json:"uci"`
	SAN    []string  `json:"san"`
	Weight thousands `json:"weight"`
	// StartFEN is where the game would have begun, in a doubt of kind "setup".
	StartFEN string `json:"start_fen,omitempty"`
}

// thousands is a number of thousandths, in JSON a decimal fraction.
type thousands int

// MarshalJSON writes the shortest decimal fraction: 600 is 0.6.
func (n thousands) MarshalJSON() ([]byte, error) {
	if n <= 0 {
		return []byte("0"), nil
	}
	if n >= 1000 {
		return []byte("1"), nil
	}
	digits := []byte(strconv.Itoa(1000 + int(n)))
	digits[0] = '.'
	for digits[len(digits)-1] == '0' {
		digits = digits[:len(digits)-1]
	}
	return append([]byte("0"), digits...), nil
}

// Resolved is the body of "resolved": the doubt is over, and these are the plies in its place.
type Resolved struct {
	ID  int64    `json:"id"`
	UCI []string `json:"uci"`
}

// Desync is the body of "desync": no legal play explains the board.
type Desync struct {
	Missing []MissingMan `json:"missing"`
	Extra   []ExtraMan   `json:"extra"`
}

// MissingMan is a man that should stand on a square.
type MissingMan struct {
	Square rules.Square `json:"square"`
	Piece  string       `json:"piece"` // FEN letter
}

// ExtraMan is what a square shows and should not.
type ExtraMan struct {
	Square rules.Square `json:"square"`
	Symbol string       `json:"symbol"` // as in recordings
}

// Resync says that the board is explained again.
type Resync struct{}

// ResultProposed is the body of "result_proposed": the kings stand in the centre.
type ResultProposed struct {
	Result string `json:"result"`
	Reason string `json:"reason"`
}

// GameEnd is the body of "game_end". Reasons are those of design.md §6. The core has no calendar: who knows the day on which
// StartedT was writes it into the PGN's Date.
type GameEnd struct {
	Result   string `json:"result"`
	Reason   string `json:"reason"`
	PGN      string `json:"pgn"`
	StartedT int64  `json:"-"` // core time of the game's start
}

// Check is the body of "check": the king in check and the men that give it.
type Check struct {
	By       rules.Color    `json:"by"`
	King     rules.Square   `json:"king"`
	Checkers []rules.Square `json:"checkers"`
}

// FlagFallen is the body of "flag_fallen": whose flag.
type FlagFallen struct {
	By rules.Color `json:"by"`
}

// IllegalStanding is the body of "illegal_standing": an illegal move is completed by the clock (7.5.1), or the opponent has answered
// it (laws A, B). IllegalSeq is the seq of its illegal_move, which the command accept names; Reply is the opponent's ply, null when
// only the clock has been pressed; FEN is what would stand if it were accepted.
type IllegalStanding struct {
	UCI        string      `json:"uci"`
	By         rules.Color `json:"by"`
	IllegalSeq int64       `json:"illegal_seq"`
	Reply      *string     `json:"reply"`
	FEN        string      `json:"fen"`
}

// KingCaptured is the body of "king_captured": a king was taken, which no law allows (3.1.1).
type KingCaptured struct {
	UCI    string       `json:"uci"`
	By     rules.Color  `json:"by"`
	Square rules.Square `json:"square"`
}

// SetUp is the body of "setup": the board waits until this position stands. With Refused it is what the players have confirmed, and
// the codes of the faults for which no game begins there (confirmed once more it does).
type SetUp struct {
	StartFEN string   `json:"start_fen"`
	Refused  []string `json:"refused,omitempty"`
}

// Online and Offline say that the board is there, or gone.
type (
	Online  struct{}
	Offline struct{}
)

// LowBattery is the body of "low_battery".
type LowBattery struct {
	Source string `json:"source"` // clock
}

// DrawOffer is the body of "draw_offer".
type DrawOffer struct {
	By rules.Color `json:"by"`
}

// DrawDeclined is the body of "draw_declined": by word, or by the opponent's next move (9.1.2.1).
type DrawDeclined struct {
	By  rules.Color `json:"by"`
	How string      `json:"how"` // command move
}

// DrawClaimable is the body of "draw_claimable": threefold or fifty (9.2, 9.3).
type DrawClaimable struct {
	Kind string `json:"kind"`
}

// CommandDone is the body of "command": who says to have asked for what.
type CommandDone struct {
	Verb string  `json:"verb"`
	ID   *string `json:"id"`
	By   *string `json:"by"`
}

func (*Moved) event() string            { return "move" }
func (*GameStart) event() string        { return "game_start" }
func (*Takeback) event() string         { return "takeback" }
func (*Illegal) event() string          { return "illegal_move" }
func (*PromotionPending) event() string { return "promotion_pending" }
func (*Doubt) event() string            { return "doubt" }
func (*Resolved) event() string         { return "resolved" }
func (*Desync) event() string           { return "desync" }
func (*Resync) event() string           { return "resync" }
func (*ResultProposed) event() string   { return "result_proposed" }
func (*GameEnd) event() string          { return "game_end" }
func (*Check) event() string            { return "check" }
func (*FlagFallen) event() string       { return "flag_fallen" }
func (*IllegalStanding) event() string  { return "illegal_standing" }
func (*KingCaptured) event() string     { return "king_captured" }
func (*SetUp) event() string            { return "setup" }
func (*Online) event() string           { return "board_online" }
func (*Offline) event() string          { return "board_offline" }
func (*LowBattery) event() string       { return "low_battery" }
func (*DrawOffer) event() string        { return "draw_offer" }
func (*DrawDeclined) event() string     { return "draw_declined" }
func (*DrawClaimable) event() string    { return "draw_claimable" }
func (*CommandDone) event() string      { return "command" }

// squares lists a set in the order of the squares; never nil, so that JSON has [].
func squares(set rules.Bitboard) []rules.Square {
	list := make([]rules.Square, 0, set.Len())
	for set != 0 {
		list = append(list, set.Pop())
	}
	return list
}

func extraMan(s rules.Square, y board.Symbol) ExtraMan {
	return ExtraMan{s, string(rune(y))}
}
