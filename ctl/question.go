package ctl

import (
	"bytes"
	"encoding/json"
	"unicode/utf8"

	"github.com/boardd/boardd/commands"
)

// question is a request.
type question struct {
	commands.Request
	board    string // "" if it was left out
	since    int64  // events: after this seq
	sinceSet bool
	follow   bool
	arbiter  bool
}

// Queries are the verbs that are not commands, with what they do.
var Queries = []struct{ Verb, Does string }{
	{"boards", "which boards there are"},
	{"state", "how the board stands"},
	{"events", "what happens at the board"},
}

// QueryKeys are the keys of events.
var QueryKeys = []string{"since", "follow", "arbiter"}

// decode reads a line. With a refusal the question holds what could be read.
func decode(text []byte) (q question, no *commands.Refusal) {
	if len(text) >= maxLine && text[len(text)-1] != '\n' {
		return q, commands.Refuse(commands.TooLarge, "a request is one line of at most 4096 bytes")
	}
	text = bytes.TrimSpace(text)
	var keys struct {
		Verb    string
		Board   string
		Since   *int64
		Follow  bool
		Arbiter bool
	}
	if !utf8.Valid(text) || len(text) == 0 || text[0] != '{' || !json.Valid(text) {
		return q, commands.Refuse(commands.BadJSON, "a request is one JSON object in UTF-8 on one line")
	}
	if err := json.Unmarshal(text, &keys); err != nil {
		return q, commands.Refuse(commands.BadValue, "verb and board are texts, since is a seq, follow and arbiter are true or false")
	}
	q.board, q.follow, q.arbiter = keys.Board, keys.Follow, keys.Arbiter
	if q.Request, no = commands.Decode(keys.Verb, text); no != nil {
		return q, no
	}
	if keys.Since != nil {
		if *keys.Since < 0 || *keys.Since > 1<<53 {
			return q, commands.Refuse(commands.BadValue, "since: a whole number from 0")
		}
		q.since, q.sinceSet = *keys.Since, true
	}
	for _, known := range Queries {
		if q.Verb == known.Verb {
			return q, nil
		}
	}
	if commands.KeysOf(q.Verb) == nil {
		no = commands.Refuse(commands.UnknownVerb, "no such verb")
	}
	return q, no
}
