package recording

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/boardd/boardd/board"
)

// reading is a clock in a line: by colour, or as wired, left and right.
type reading struct {
	WhiteMs *int64 `json:"white_ms,omitempty"`
	BlackMs *int64 `json:"black_ms,omitempty"`
	LeftMs  *int64 `json:"left_ms,omitempty"`
	RightMs *int64 `json:"right_ms,omitempty"`
	Running string `json:"running,omitempty"`
	Lever   string `json:"lever,omitempty"`
	Flag    string `json:"flag,omitempty"`
	Battery bool   `json:"battery_low,omitempty"`
}

// maxClock is the longest time a clock may show: over eleven days.
const maxClock = 1_000_000_000

// sideNames are the words for Left and Right, as wired and by colour.
var sideNames = map[bool][2]string{false: {"left", "right"}, true: {"white", "black"}}

func parseReading(raw json.RawMessage) (r board.Reading, err error) {
	var line reading
	if err := json.Unmarshal(raw, &line); err != nil {
		return r, fmt.Errorf("clock is not what it should be: %w", err)
	}
	first, second := line.LeftMs, line.RightMs
	if line.WhiteMs != nil && line.BlackMs != nil && first == nil && second == nil {
		r.ByColor = true
		first, second = line.WhiteMs, line.BlackMs
	} else if line.WhiteMs != nil || line.BlackMs != nil || first == nil || second == nil {
		return r, errors.New("a clock has white_ms and black_ms, or left_ms and right_ms")
	}
	r.LeftMs, r.RightMs, r.BatteryLow = *first, *second, line.Battery
	if min(*first, *second) < 0 || max(*first, *second) > maxClock {
		return r, fmt.Errorf("a clock shows 0 to %d ms", maxClock)
	}
	for _, f := range []struct {
		key, word string
		to        *board.Side
	}{{"running", line.Running, &r.Running}, {"lever", line.Lever, &r.Lever}, {"flag", line.Flag, &r.Flag}} {
		if *f.to, err = parseSide(f.word, r.ByColor); err != nil {
			return r, fmt.Errorf("%s is %w", f.key, err)
		}
	}
	return r, nil
}

func parseSide(word string, byColor bool) (board.Side, error) {
	names := sideNames[byColor]
	switch word {
	case "":
		return board.NoSide, nil
	case names[0]:
		return board.Left, nil
	case names[1]:
		return board.Right, nil
	}
	return board.NoSide, fmt.Errorf("%q: %s or %s here", word, names[0], names[1])
}

func formatReading(r board.Reading) reading {
	name := func(s board.Side) string {
		if s == board.NoSide {
			return ""
		}
		return sideNames[r.ByColor][s-board.Left]
	}
	line := reading{Running: name(r.Running), Lever: name(r.Lever), Flag: name(r.Flag), Battery: r.BatteryLow}
	if r.ByColor {
		line.WhiteMs, line.BlackMs = &r.LeftMs, &r.RightMs
	} else {
		line.LeftMs, line.RightMs = &r.LeftMs, &r.RightMs
	}
	return line
}
