// Package hand plays games with simulated hands before simulated sensors: what a board of a given acuity would report
// while people of a given style move its pieces, mishaps included. Everything follows from a seed. It is the source of
// the demo, of tests and of the accuracy benchmark, and shares no figures with package sensing.
package hand

import (
	_ "embed"
	"fmt"
	"sort"

	"github.com/pelletier/go-toml/v2"
)

// Range is a time in milliseconds, at least the first and at most the second, spread log-uniformly.
type Range [2]int64

// CaptureOrder are the shares of the ways to capture; they need not add up to one.
type CaptureOrder struct {
	VictimFirst float64 `toml:"victim_first"`
	OwnFirst    float64 `toml:"own_first"`
	OneMotion   float64 `toml:"one_motion"` // victim and capturer swapped while the hand is down
}

// CastleOrder are the shares of the ways to castle.
type CastleOrder struct {
	KingFirst float64 `toml:"king_first"`
	RookFirst float64 `toml:"rook_first"`
	Both      float64 `toml:"both"` // both pieces in the air at once
}

// Style is how somebody handles the pieces. Rates are chances per ply.
type Style struct {
	Gap         Range   `toml:"gap"`          // from a move's end to the next player's first lift
	Overlap     Range   `toml:"overlap"`      // how long before the move is complete a hasty reply lifts
	OverlapRate float64 `toml:"overlap_rate"` // replies that do
	Carry       Range   `toml:"carry"`        // lift to place

	SlideRate float64 `toml:"slide_rate"`    // dragged over the squares between
	SlideRest Range   `toml:"rest_on_slide"` // on each of them

	Capture         CaptureOrder `toml:"capture"`
	OneMotionGap    Range        `toml:"one_motion_gap"`    // how long the victim's square is empty
	MissedPhaseRate float64      `toml:"missed_phase_rate"` // captures whose empty phase no sensor sees
	Castle          CastleOrder  `toml:"castle"`

	AdjustRate float64 `toml:"adjust_rate"`      // any piece lifted and put back (j'adoube)
	OtherRate  float64 `toml:"other_piece_rate"` // another own piece taken first and put back
	BrushRate  float64 `toml:"brush_rate"`       // a sleeve makes a piece flicker
	AskewRate  float64 `toml:"askew_rate"`       // the square beside the place flickers
	CentreRate float64 `toml:"centre_rate"`      // lifted and put back right after the move

	IllegalRate   float64 `toml:"illegal_rate"`    // an impossible square first, put back
	ShortRate     float64 `toml:"short_rate"`      // set down one square short, then corrected
	TakebackRate  float64 `toml:"takeback_rate"`   // another move first, moved back
	KnockRate     float64 `toml:"knock_rate"`      // one to three pieces off, set up again in any order
	WrongSideRate float64 `toml:"wrong_side_rate"` // a piece of the side not to move is moved, and put back

	Promotion Promotion `toml:"-"` // the same in every style of a table
}

// Promotion is how pawns are promoted.
type Promotion struct {
	Straight    float64 `toml:"piece_straight"`    // the new piece goes straight down; else the pawn is set down and exchanged
	Answer      float64 `toml:"answer_rate"`       // under-promotions that are answered where the board cannot see the piece
	QueenAnswer float64 `toml:"queen_answer_rate"` // queens that are
}

// Table is a whole file of styles.
type Table struct {
	Period     int64   // milliseconds between two scans of a presence or colour board
	BounceRate float64 // contacts that bounce
	styles     map[string]Style
}

//go:embed hands.toml
var hands []byte

// Styles is the table that boardd ships: hands.toml.
func Styles() Table {
	t, _ := ParseTable(hands) // that it can be read is tested
	return t
}

// Names are the styles of the table in alphabetical order.
func (t Table) Names() (names []string) {
	for n := range t.styles {
		names = append(names, n)
	}
	sort.Strings(names)
	return names
}

// Style is the style of a name; ok is false when there is none.
func (t Table) Style(name string) (s Style, ok bool) {
	s, ok = t.styles[name]
	return s, ok
}

// fixed are times that hands.toml tells only in its comments.
var fixed = Style{Overlap: Range{30, 250}}

// ParseTable reads a file such as hands.toml: a style may be like another one and change some of its keys. Unknown keys,
// unknown models and ranges that fall are errors.
func ParseTable(text []byte) (t Table, err error) {
	var file struct {
		Scan struct {
			Period     int64   `toml:"period"`
			BounceRate float64 `toml:"bounce_rate"`
		} `toml:"scan"`
		Style     map[string]map[string]any `toml:"style"`
		Promotion Promotion                 `toml:"promotion"`
	}
	if err := toml.Unmarshal(text, &file); err != nil {
		return t, fmt.Errorf("hand styles: %w", err)
	}
	t = Table{Period: file.Scan.Period, BounceRate: file.Scan.BounceRate, styles: map[string]Style{}}
	if t.Period <= 0 {
		return t, fmt.Errorf("hand styles: scan.period must be at least 1 ms")
	}
	for name := range file.Style {
		keys, err := resolve(file.Style, name, nil)
		if err != nil {
			return t, err
		}
		s, err := decodeStyle(keys)
		if err != nil {
			return t, fmt.Errorf("hand style %s: %w", name, err)
		}
		s.Promotion = file.Promotion
		t.styles[name] = s
	}
	return t, nil
}

const longest = 3_600_000

// resolve lays a style's keys over those of the style it is like.
func resolve(all map[string]map[string]any, name string, seen []string) (map[string]any, error) {
	own, ok := all[name]
	if !ok {
		return nil, fmt.Errorf("hand style %s: like %q, which is no style", seen[len(seen)-1], name)
	}
	if len(seen) > len(all) {
		return nil, fmt.Errorf("hand style %s: like goes round in a circle", seen[0])
	}
	keys := map[string]any{}
	if like, ok := own["like"].(string); ok {
		base, err := resolve(all, like, append(seen, name))
		if err != nil {
			return nil, err
		}
		keys = base
	}
	for k, v := range own {
		if k != "like" {
			keys[k] = v
		}
	}
	return keys, nil
}

func decodeStyle(keys map[string]any) (s Style, err error) {
	text, err := toml.Marshal(keys)
	if err != nil {
		return s, err
	}
	s = fixed
	if err := toml.Unmarshal(text, &s); err != nil {
		return s, err
	}
	var known map[string]any
	whole, err := toml.Marshal(s)
	if err != nil {
		return s, err
	}
	if err := toml.Unmarshal(whole, &known); err != nil {
		return s, err
	}
	for k := range keys {
		if _, ok := known[k]; !ok {
			return s, fmt.Errorf("unknown key %s", k)
		}
	}
	for _, r := range []struct {
		name string
		Range
		must bool
	}{{"gap", s.Gap, true}, {"carry", s.Carry, true}, {"overlap", s.Overlap, true}, {"rest_on_slide", s.SlideRest, s.SlideRate > 0}, {"one_motion_gap", s.OneMotionGap, s.Capture.OneMotion > 0}} {
		if low, high := r.Range[0], r.Range[1]; low > high || low < 0 || r.must && low == 0 || high > longest {
			return s, fmt.Errorf("%s [%d, %d] must be a rising range above 0 and at most an hour", r.name, low, high)
		}
	}
	return s, nil
}
