// Package commands reads commands as all doors take them: a verb and one JSON object, whose keys and ranges are told in
// docs/mqtt.md. What gets through keeps to the ranges, whatever came in.
package commands

import (
	"bytes"
	"encoding/json"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/boardd/boardd/board"
)

// MaxBytes bounds the object of a command.
const MaxBytes = 4096

// Request is a command as it came in: what the core understands, and the keys of the verbs that a door answers itself.
type Request struct {
	board.Command
	From int64 // resend: first seq that is wanted
	Max  int   // resend: how many at most
}

// Refusal says why a command is not carried out: a code of docs/mqtt.md, and one line for people.
type Refusal struct{ Code, Message string }

// Refuse makes a Refusal.
func Refuse(code, message string) *Refusal { return &Refusal{code, message} }

// The codes that doors give. The core has further ones.
const (
	BadJSON     = "bad_json"
	BadValue    = "bad_value"
	Forbidden   = "forbidden"
	Gone        = "gone"
	Internal    = "internal"
	RateLimited = "rate_limited"
	TooLarge    = "too_large"
	UnknownVerb = "unknown_verb"
)

// MaxResend is how many events one resend gives at most.
const MaxResend = 500

// keyRules say what each known key may hold: the message is what is said when it does not.
var keyRules = map[string]struct {
	message string
	set     func(r *Request, v json.RawMessage) bool
}{
	"id":           {"1 to 40 of letters, digits, . _ : and -", text(func(r *Request) *string { return &r.ID }, idSyntax.MatchString)},
	"game":         {"the id of a game", text(func(r *Request) *string { return &r.Game }, upTo(40))},
	"if_seq":       {"a whole number from 0", whole(0, 1<<53, func(r *Request, n int64) { r.IfSeq = &n })},
	"by":           {"a label of at most 32 characters", text(func(r *Request) *string { return &r.By }, upTo(32))},
	"piece":        {"queen, rook, bishop or knight", word(func(r *Request) *string { return &r.Piece }, "queen", "rook", "bishop", "knight")},
	"plies":        {"a whole number from 1 to 20", whole(1, 20, func(r *Request, n int64) { r.Plies = int(n) })},
	"side":         {"white or black", word(func(r *Request) *string { return &r.Side }, "white", "black")},
	"action":       {"offer, accept or decline", word(func(r *Request) *string { return &r.Action }, "offer", "accept", "decline")},
	"doubt":        {"a whole number from 1", whole(1, 1<<53, func(r *Request, n int64) { r.Doubt = n })},
	"n":            {"a whole number from 0 to 255", whole(0, 255, func(r *Request, n int64) { r.N = int(n) })},
	"orientation":  {"white or black", word(func(r *Request) *string { return &r.Orientation }, "white", "black")},
	"white":        {"a name of at most 64 characters", name(func(r *Request) *string { return &r.White })},
	"black":        {"a name of at most 64 characters", name(func(r *Request) *string { return &r.Black })},
	"time_control": {"a PGN TimeControl such as 900+10", text(func(r *Request) *string { return &r.TimeControl }, upTo(64))},
	"start_fen":    {"a FEN of at most 100 characters", text(func(r *Request) *string { return &r.StartFEN }, upTo(100))},
	"variant":      {"standard or chess960", word(func(r *Request) *string { return &r.Variant }, "standard", "chess960")},
	"force":        {"true or false", boolean(func(r *Request, on bool) { r.Force = on })},
	"value":        {"a whole number from 0 to 100", value},
	"on":           {"true or false", boolean(func(r *Request, on bool) { r.On = &on })},
	"kind":         {"threefold or fifty", word(func(r *Request) *string { return &r.Kind }, "threefold", "fifty")},
	"uci":          {"a move such as e2e4, or a list of them", plies},
	"seq":          {"a whole number from 1", whole(1, 1<<53, func(r *Request, n int64) { r.Seq = n })},
	"result":       {"*, 1-0, 0-1 or 1/2-1/2", word(func(r *Request) *string { return &r.Result }, Results...)},
	"reason":       {"a reason as in game_end", text(func(r *Request) *string { return &r.Reason }, reasonSyntax.MatchString)},
	"fen":          {"a FEN of at most 100 characters", text(func(r *Request) *string { return &r.FEN }, upTo(100))},
	"ply":          {"a whole number from 0", whole(0, 1<<16, func(r *Request, n int64) { v := int(n); r.Ply = &v })},
	"from_ply":     {"a whole number from 1", whole(1, 1<<16, func(r *Request, n int64) { r.FromPly = int(n) })},
	"event":        {"a name of at most 64 characters", name(func(r *Request) *string { return &r.Event })},
	"site":         {"a name of at most 64 characters", name(func(r *Request) *string { return &r.Site })},
	"round":        {"a name of at most 64 characters", name(func(r *Request) *string { return &r.Round })},
	"table":        {"a name of at most 64 characters", name(func(r *Request) *string { return &r.Table })},
	"white_ms":     {"milliseconds from 0", whole(0, maxMs, func(r *Request, n int64) { r.WhiteMs = &n })},
	"black_ms":     {"milliseconds from 0", whole(0, maxMs, func(r *Request, n int64) { r.BlackMs = &n })},
	"add_ms":       {"milliseconds", whole(-maxMs, maxMs, func(r *Request, n int64) { r.AddMs = &n })},
	"mode":         {"training, casual or observer", word(func(r *Request) *string { return &r.Mode }, "training", "casual", "observer")},
	"from":         {"a whole number from 1", whole(1, 1<<53, func(r *Request, n int64) { r.From = n })},
	"max":          {"a whole number from 1 to 500", whole(1, MaxResend, func(r *Request, n int64) { r.Max = int(n) })},
}

// maxMs is 100 hours: more than any clock shows.
const maxMs = 100 * 3600_000

// Results are the words for the result of a game.
var Results = []string{"*", "1-0", "0-1", "1/2-1/2"}

// Wants says what a key of a verb may hold; "" for one that there is not. What the key value holds depends on the verb: the result of
// a game, or a brightness.
func Wants(verb, key string) string {
	if verb == "result" && key == "value" {
		key = "result"
	}
	return keyRules[key].message
}

func value(r *Request, v json.RawMessage) bool {
	if r.Verb == "result" {
		return word(func(r *Request) *string { return &r.Result }, Results...)(r, v)
	}
	return whole(0, 100, func(r *Request, n int64) { v := int(n); r.Value = &v })(r, v)
}

// plies takes one move or a list of them.
func plies(r *Request, v json.RawMessage) bool {
	var list board.Plies
	if json.Unmarshal(v, &list) != nil || len(list) == 0 {
		return string(v) == "[]"
	}
	for _, uci := range list {
		if !uciSyntax.MatchString(uci) {
			return false
		}
	}
	r.UCI = list
	return true
}

var (
	uciSyntax    = regexp.MustCompile(`^[a-h][1-8][a-h][1-8][qrbn]?$`)
	reasonSyntax = regexp.MustCompile(`^[a-z0-9_]{1,20}$`)

	idSyntax   = regexp.MustCompile(`^[A-Za-z0-9._:-]{1,40}$`)
	verbSyntax = regexp.MustCompile(`^[a-z][a-z_]{0,31}$`)
)

// Decode reads the object of a command: nothing or one JSON object. Keys that are not known, and keys that are
// null, count as absent. With a refusal the request still holds the verb, and the id if that could be read.
func Decode(verb string, payload []byte) (r Request, no *Refusal) {
	r.Verb = verb
	known := verbSyntax.MatchString(verb)
	if !known {
		r.Verb = strings.ToValidUTF8(verb[:min(len(verb), 32)], "")
	}
	if len(payload) > MaxBytes {
		return r, &Refusal{TooLarge, "a command has at most 4096 bytes"}
	}
	payload = bytes.TrimSpace(payload)
	if len(payload) > 0 {
		var keys map[string]json.RawMessage
		if !utf8.Valid(payload) || payload[0] != '{' || json.Unmarshal(payload, &keys) != nil {
			return r, &Refusal{BadJSON, "a command is empty or one JSON object in UTF-8"}
		}
		no = r.take(keys)
	}
	if !known {
		return r, &Refusal{UnknownVerb, "no such verb"}
	}
	return r, no
}

// Keys are all keys that are read, in alphabetical order.
func Keys() []string { return slices.Clone(keyOrder) }

// take reads the known keys in a fixed order, so that the same payload gets the same answer.
func (r *Request) take(keys map[string]json.RawMessage) (no *Refusal) {
	for _, key := range keyOrder {
		v, ok := keys[key]
		if !ok || string(v) == "null" {
			continue
		}
		if !keyRules[key].set(r, v) && no == nil {
			no = &Refusal{BadValue, key + ": " + Wants(r.Verb, key)}
		}
	}
	return no
}

var keyOrder = func() (order []string) {
	for key := range keyRules {
		order = append(order, key)
	}
	slices.Sort(order)
	return order
}()

func upTo(runes int) func(string) bool {
	return func(s string) bool {
		return utf8.RuneCountInString(s) <= runes && !strings.ContainsFunc(s, unicode.IsControl)
	}
}

func text(field func(*Request) *string, ok func(string) bool) func(*Request, json.RawMessage) bool {
	return func(r *Request, v json.RawMessage) bool {
		var s string
		if v[0] != '"' || json.Unmarshal(v, &s) != nil || !ok(s) {
			return false
		}
		*field(r) = s
		return true
	}
}

func word(field func(*Request) *string, words ...string) func(*Request, json.RawMessage) bool {
	return text(field, func(s string) bool { return slices.Contains(words, s) })
}

// name takes a player's name and drops control characters, which people do not mean and terminals obey.
func name(field func(*Request) *string) func(*Request, json.RawMessage) bool {
	return func(r *Request, v json.RawMessage) bool {
		var s string
		if v[0] != '"' || json.Unmarshal(v, &s) != nil {
			return false
		}
		s = strings.TrimSpace(strings.Map(func(c rune) rune {
			if unicode.IsControl(c) {
				return -1
			}
			return c
		}, s))
		if utf8.RuneCountInString(s) > 64 {
			return false
		}
		*field(r) = s
		return true
	}
}

func whole(low, high int64, set func(*Request, int64)) func(*Request, json.RawMessage) bool {
	return func(r *Request, v json.RawMessage) bool {
		n, err := strconv.ParseInt(string(v), 10, 64)
		if err != nil || n < low || n > high {
			return false
		}
		set(r, n)
		return true
	}
}

func boolean(set func(*Request, bool)) func(*Request, json.RawMessage) bool {
	return func(r *Request, v json.RawMessage) bool {
		word := string(v)
		set(r, word == "true")
		return word == "true" || word == "false"
	}
}
