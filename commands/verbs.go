package commands

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// common are the keys that every verb takes.
var common = []string{"id", "game", "if_seq", "by"}

// verbs are all verbs in the order of their classes, each with what it does and its own keys.
var verbs = []struct{ verb, does, keys string }{
	{"announce", "publish everything retained again", ""},
	{"resend", "give events again", "from max"},
	{"identify", "have the board show which one it is", ""},
	{"led_brightness", "set the lights, in percent", "value"},
	{"lights", "turn the lights on or off", "on"},
	{"promotion", "answer which piece it is, or set the default", "piece"},
	{"new_game", "begin another game", "white black time_control start_fen variant force"},
	{"takeback", "take plies back", "plies"},
	{"choose", "settle a doubt", "doubt n"},
	{"flip", "say which way the board stands", "orientation"},
	{"resign", "end the game for one side", "side"},
	{"draw", "offer, accept or decline a draw", "side action"},
	{"claim", "claim a draw", "side kind uci"},
	{"move", "make the move of an opponent far away", "uci"},
	{"pause", "let nothing count until resume", ""},
	{"resume", "go on after pause", ""},
	{"accept", "have an illegal move stand", "seq"},
	{"result", "say how the game ends or ended", "value reason"},
	{"setup", "go on from a position", "fen force"},
	{"truncate", "keep only the first plies", "ply result"},
	{"edit", "replace plies", "from_ply uci"},
	{"names", "say who plays where", "white black event site round table"},
	{"clock_set", "say what the clock shows", "white_ms black_ms add_ms side"},
	{"mode", "change the mode of the table", "mode"},
}

// Verbs are all verbs, in the order of their classes.
func Verbs() (list []string) {
	for _, v := range verbs {
		list = append(list, v.verb)
	}
	return list
}

// Does says in a few words what a verb does; "" for one that there is not.
func Does(verb string) string {
	for _, v := range verbs {
		if v.verb == verb {
			return v.does
		}
	}
	return ""
}

// KeysOf are the keys that a verb takes, those that every verb takes last; nil for a verb that there is not.
func KeysOf(verb string) []string {
	for _, v := range verbs {
		if v.verb == verb {
			return append(strings.Fields(v.keys), common...)
		}
	}
	return nil
}

// Value is the JSON of a value that a person has typed: a number, a word, true or false, or moves with commas between. The error
// says in one line what the key wants.
func Value(verb, key, text string) (json.RawMessage, error) {
	rule, ok := keyRules[key]
	if !ok {
		return nil, fmt.Errorf("there is no key %.40q", key)
	}
	word, err := json.Marshal(text)
	if err != nil {
		return nil, err
	}
	tries := []json.RawMessage{word}
	if slices.Contains([]string{"true", "false"}, text) || strings.Trim(text, "-0123456789") == "" {
		tries = append(tries, json.RawMessage(text))
	}
	if key == "uci" {
		list, err := json.Marshal(strings.FieldsFunc(text, func(r rune) bool { return r == ',' || r == ' ' }))
		if err != nil {
			return nil, err
		}
		tries = append(tries, list)
	}
	for _, v := range tries {
		scratch := Request{}
		scratch.Verb = verb
		if json.Valid(v) && rule.set(&scratch, v) {
			return v, nil
		}
	}
	return nil, fmt.Errorf("%s: wants %s", key, Wants(verb, key))
}
