package game

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
)

// bodies makes an empty body of each type of event.
var bodies = func() map[string]func() Body {
	m := map[string]func() Body{}
	add := func(empty func() Body) { m[empty().event()] = empty }
	for _, empty := range []func() Body{
		func() Body { return &Moved{} }, func() Body { return &GameStart{} }, func() Body { return &Takeback{} },
		func() Body { return &Illegal{} }, func() Body { return &PromotionPending{} }, func() Body { return &Doubt{} },
		func() Body { return &Resolved{} }, func() Body { return &Desync{} }, func() Body { return &Resync{} },
		func() Body { return &ResultProposed{} }, func() Body { return &GameEnd{} }, func() Body { return &Check{} },
		func() Body { return &FlagFallen{} }, func() Body { return &IllegalStanding{} }, func() Body { return &KingCaptured{} },
		func() Body { return &SetUp{} }, func() Body { return &Online{} }, func() Body { return &Offline{} },
		func() Body { return &LowBattery{} }, func() Body { return &DrawOffer{} }, func() Body { return &DrawDeclined{} },
		func() Body { return &DrawClaimable{} }, func() Body { return &CommandDone{} }, func() Body { return &WeakSquare{} },
	} {
		add(empty)
	}
	return m
}()

// keptEnd is a game's end with what only the journal is to know.
type keptEnd struct {
	GameEnd
	StartedT int64 `json:"started_t"`
}

// KeepBody writes a body for a journal: as in the event, and with it what no reader of events is told.
func KeepBody(b Body) ([]byte, error) {
	if end, ok := b.(*GameEnd); ok {
		return json.Marshal(keptEnd{*end, end.StartedT})
	}
	if b == nil {
		return []byte("{}"), nil
	}
	return json.Marshal(b)
}

// ParseBody reads what KeepBody has written. A type that this version does not know gives a Foreign body, which is published as it
// was: a journal may have been written by a later version.
func ParseBody(kind string, text []byte) (Body, error) {
	empty, known := bodies[kind]
	if !known {
		var object map[string]json.RawMessage
		if err := json.Unmarshal(text, &object); err != nil || object == nil {
			return nil, fmt.Errorf("the body of a %.40q is no object: %.40q", kind, text)
		}
		return &Foreign{kind, bytes.Clone(bytes.TrimSpace(text))}, nil
	}
	b := empty()
	if end, ok := b.(*GameEnd); ok {
		var kept keptEnd
		err := json.Unmarshal(text, &kept)
		*end = kept.GameEnd
		end.StartedT = kept.StartedT
		return end, err
	}
	if err := json.Unmarshal(text, b); err != nil {
		return nil, fmt.Errorf("the body of a %s: %w", kind, err)
	}
	return b, nil
}

// Foreign is a body of a type that this version does not know.
type Foreign struct {
	kind string
	text json.RawMessage
}

func (f *Foreign) event() string { return f.kind }

// MarshalJSON writes the body as it was read.
func (f *Foreign) MarshalJSON() ([]byte, error) { return f.text, nil }

// UnmarshalJSON reads a decimal fraction of at most three places.
func (n *thousands) UnmarshalJSON(text []byte) error {
	whole, part, _ := strings.Cut(string(text), ".")
	part += "000"
	v, err := strconv.ParseInt(whole+part[:3], 10, 32)
	if err != nil || v < 0 {
		return fmt.Errorf("%.20q is no weight", text)
	}
	*n = thousands(v)
	return nil
}
