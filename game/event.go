package game

import (
	"encoding/json"

	"github.com/boardd/boardd/rules"
)

// Event is one thing that happened at a board, numbered without gaps. Epoch, ts and late are stamped outside the core.
type Event struct {
	Seq  int64  // from 1, +1 each; those for the arbiter count by themselves
	T    int64  // core time in milliseconds
	Game string // id of the game, "" before the first
	Ply  int    // plies that stand after it
	Type string // move, takeback, …: the names of the event types
	Body Body   // the type's own keys; nil when it has none

	Arbiter bool // for the arbiter's eyes only, in the numbering of his own
}

// Body is the part of an event that its type decides. Its JSON is an object.
type Body interface{ event() string }

// JSON is the event as one object: the common keys, then the body's. epoch, ts (RFC 3339) and late come from outside; extra
// may be nil or hold further leading keys.
func (e *Event) JSON(board, epoch, ts string, late bool) ([]byte, error) {
	head, err := json.Marshal(struct {
		V     int     `json:"v"`
		Board string  `json:"board"`
		Epoch string  `json:"epoch"`
		Seq   int64   `json:"seq"`
		TS    string  `json:"ts"`
		Game  *string `json:"game"`
		Ply   int     `json:"ply"`
		Type  string  `json:"type"`
		Late  bool    `json:"late"`

		Arbiter bool `json:"arbiter,omitempty"`
	}{1, board, epoch, e.Seq, ts, orNull(e.Game), e.Ply, e.Type, late, e.Arbiter})
	if err != nil || e.Body == nil {
		return head, err
	}
	body, err := json.Marshal(e.Body)
	if err != nil || len(body) <= 2 {
		return head, err
	}
	return append(append(head[:len(head)-1], ','), body[1:]...), nil
}

func orNull(s string) *string {
	if s == "" {
		return nil
	}
	return &s
}

// Moved is the body of "move".
type Moved struct {
	By       rules.Color `json:"by"`
	UCI      string      `json:"uci"`
	SAN      string      `json:"san"`
	FEN      string      `json:"fen"`
	Captured *string     `json:"captured"` // small FEN letter, null if none
	Check    bool        `json:"check"`
	Mate     bool        `json:"mate"`
	ClkMs    *int64      `json:"clk_ms"`
	PlacedMs int64       `json:"placed_ms"` // from the game's start

	EnPassant bool `json:"en_passant,omitempty"` // the captured pawn stood beside, not on the square of arrival
	Remote    bool `json:"remote,omitempty"`     // it was made elsewhere, and is to be carried out on the board
	Illegal   bool `json:"illegal,omitempty"`    // it stands by the arbiter's word (laws A.5, 7.5.5)
}
