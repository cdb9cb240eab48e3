package board

import (
	"bytes"
	"encoding/json"
	"errors"
)

// Plies are moves in UCI. In JSON one move may be a string.
type Plies []string

// UnmarshalJSON reads a list of strings or one string.
func (p *Plies) UnmarshalJSON(text []byte) error {
	if text = bytes.TrimSpace(text); len(text) > 0 && text[0] == '"' {
		var one string
		err := json.Unmarshal(text, &one)
		*p = Plies{one}
		return err
	}
	return json.Unmarshal(text, (*[]string)(p))
}

// plain is a Command without its ways of reading and writing JSON.
type plain Command

// resultCommand is a command result in JSON: its value is a word.
type resultCommand struct {
	plain
	Value  string `json:"value,omitempty"`
	Result string `json:"result,omitempty"` // hides that of plain
}

// MarshalJSON writes the command as it came: the word of result under the key value.
func (c Command) MarshalJSON() ([]byte, error) {
	if c.Verb != "result" {
		return json.Marshal(plain(c))
	}
	return json.Marshal(resultCommand{plain: plain(c), Value: c.Result})
}

// UnmarshalJSON reads a command; the value of result is a word, that of other verbs a number.
func (c *Command) UnmarshalJSON(text []byte) error {
	var verb struct {
		Verb string `json:"verb"`
	}
	if err := json.Unmarshal(text, &verb); err != nil {
		return err
	}
	if verb.Verb != "result" {
		return json.Unmarshal(text, (*plain)(c))
	}
	var r resultCommand
	if err := json.Unmarshal(text, &r); err != nil {
		return err
	}
	if r.Value != "" && r.Result != "" && r.Value != r.Result {
		return errors.New("result has a value and another result")
	}
	*c = Command(r.plain)
	c.Value, c.Result = nil, r.Value+r.Result
	if r.Value == r.Result {
		c.Result = r.Value
	}
	return nil
}
