package recording

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/boardd/boardd/board"
)

// format is the version this package reads and writes.
const format = 1

func parseOpening(keys map[string]json.RawMessage) (*Opening, error) {
	var (
		o       Opening
		version int
		acuity  string
	)
	if err := read(keys, "recording", &version); err != nil {
		return nil, err
	}
	if version != format {
		return nil, fmt.Errorf("recording is %d: this boardd reads version %d", version, format)
	}
	for _, f := range []struct {
		key string
		to  any
	}{
		{"acuity", &acuity}, {"driver", &o.Driver}, {"fen", &o.FEN}, {"variant", &o.Variant}, {"board", &o.Board},
		{"note", &o.Note}, {"scan_ms", &o.ScanMs}, {"settle_ms", &o.SettleMs},
	} {
		if err := read(keys, f.key, f.to); err != nil {
			return nil, err
		}
	}
	if acuity == "" && o.Driver == "" {
		return nil, errors.New("an opening line names the acuity or the driver")
	}
	if acuity != "" {
		if o.Acuity, o.HasAcuity = board.ParseAcuity(acuity); !o.HasAcuity {
			return nil, fmt.Errorf("acuity is %q: presence, color or piece", acuity)
		}
	}
	for key, ms := range map[string]*int64{"scan_ms": o.ScanMs, "settle_ms": o.SettleMs} {
		if ms != nil && (*ms < 0 || *ms > 60_000) {
			return nil, fmt.Errorf("%s is %d: 0 to 60000", key, *ms)
		}
	}
	var err error
	if o.Moves, err = parseMoves(keys["moves"]); err != nil {
		return nil, err
	}
	if o.Truth, err = parseMoves(keys["truth"]); err != nil {
		return nil, fmt.Errorf("truth: %w", err)
	}
	if o.Options, err = object(keys, "options"); err != nil {
		return nil, err
	}
	if o.Rules, err = object(keys, "rules"); err != nil {
		return nil, err
	}
	return &o, o.parsePlace(keys)
}

// parsePlace reads where in a run of the daemon a piece begins, and from what.
func (o *Opening) parsePlace(keys map[string]json.RawMessage) (err error) {
	for _, f := range []struct {
		key string
		to  any
	}{{"run", &o.Run}, {"at", &o.At}, {"since", &o.Since}, {"again", &o.Again}, {"lost", &o.Lost}} {
		if err := read(keys, f.key, f.to); err != nil {
			return err
		}
	}
	if o.At < 0 || o.At > MaxT {
		return fmt.Errorf("at is %d: 0 to %d", o.At, int64(MaxT))
	}
	if o.Again < 0 || o.Lost < 0 {
		return errors.New("again and lost are numbers of lines, from 0")
	}
	o.Resume, err = object(keys, "resume")
	return err
}

// parseMoves takes a list of strings, or one string with blanks between the moves.
func parseMoves(raw json.RawMessage) ([]string, error) {
	if isNull(raw) {
		return nil, nil
	}
	var text string
	if json.Unmarshal(raw, &text) == nil {
		return strings.Fields(text), nil
	}
	var list []string
	if err := json.Unmarshal(raw, &list); err != nil {
		return nil, errors.New("moves is a list of moves in UCI")
	}
	return list, nil
}

// object is the value of a key that must be a JSON object, without blanks.
func object(keys map[string]json.RawMessage, key string) (json.RawMessage, error) {
	raw := keys[key]
	if isNull(raw) {
		return nil, nil
	}
	var out bytes.Buffer
	if err := json.Compact(&out, raw); err != nil || out.Bytes()[0] != '{' {
		return nil, fmt.Errorf("%s is not an object", key)
	}
	return out.Bytes(), nil
}

// read decodes one key into to; an absent or null key leaves it alone.
func read(keys map[string]json.RawMessage, key string, to any) error {
	raw := keys[key]
	if isNull(raw) {
		return nil
	}
	if err := json.Unmarshal(raw, to); err != nil {
		return fmt.Errorf("%s is not what it should be: %w", key, err)
	}
	return nil
}

func isNull(raw json.RawMessage) bool { return len(raw) == 0 || string(raw) == "null" }

func (o *Opening) line() any {
	line := struct {
		Recording int             `json:"recording"`
		Acuity    string          `json:"acuity,omitempty"`
		Driver    string          `json:"driver,omitempty"`
		Options   json.RawMessage `json:"options,omitempty"`
		FEN       string          `json:"fen,omitempty"`
		Moves     []string        `json:"moves,omitempty"`
		Truth     []string        `json:"truth,omitempty"`
		Variant   string          `json:"variant,omitempty"`
		Board     string          `json:"board,omitempty"`
		Rules     json.RawMessage `json:"rules,omitempty"`
		ScanMs    *int64          `json:"scan_ms,omitempty"`
		SettleMs  *int64          `json:"settle_ms,omitempty"`
		Note      string          `json:"note,omitempty"`
		Run       string          `json:"run,omitempty"`
		At        int64           `json:"at,omitempty"`
		Since     time.Time       `json:"since,omitzero"`
		Again     int             `json:"again,omitempty"`
		Lost      int             `json:"lost,omitempty"`
		Resume    json.RawMessage `json:"resume,omitempty"`
	}{format, "", o.Driver, o.Options, o.FEN, o.Moves, o.Truth, o.Variant, o.Board, o.Rules, o.ScanMs, o.SettleMs, o.Note,
		o.Run, o.At, o.Since, o.Again, o.Lost, o.Resume}
	if o.HasAcuity {
		line.Acuity = o.Acuity.String()
	}
	return line
}
