package main

import (
	"encoding/json"
	"fmt"
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// recordedRules are the keys of [board.rules] as recordings hold them.
type recordedRules struct {
	Mode             string `json:"mode,omitempty"`
	Takeback         *bool  `json:"takeback,omitempty"`
	TouchMove        string `json:"touch_move,omitempty"`
	DefaultPromotion string `json:"default_promotion,omitempty"`
}

// recordedOptions are the options of a driver as recordings hold them.
type recordedOptions struct {
	Orientation string `json:"orientation,omitempty"`
	SettleMs    int64  `json:"settle_ms,omitempty"`
	Scale       int64  `json:"scale,omitempty"` // how many times as fast as life the clock ran

	DGTBus string `json:"dgt_bus,omitempty"` // as in the configuration

	// Pieces are the chips in the men, by the FEN letter of each piece.
	Pieces map[string][]string `json:"pieces,omitempty"`

	Text   *config.Text `json:"text,omitempty"` // describes a home-made board
	Acuity string       `json:"-"`              // that of the opening line, for boards that can see less than they do
}

// configured is a board of the configuration in the words of a recording, so that both become a table in the same way.
func configured(c *config.Config, b *config.Board, speed float64) (recording.Opening, error) {
	o := recording.Opening{Driver: b.Driver, Board: b.ID, Variant: b.Rules.Variant, SettleMs: &b.Sensor.SettleMs}
	if serialBoards[b.Driver] == nil {
		if o.Acuity, o.HasAcuity = board.ParseAcuity(b.Sensor.Acuity); !o.HasAcuity {
			return o, fmt.Errorf("board %s: sensor.acuity %q: use presence, color or piece", b.ID, b.Sensor.Acuity)
		}
	}
	if config.IsHomeMade(b.Driver) && b.Sensor.ScanHz > 0 {
		ms := 1000 / b.Sensor.ScanHz
		o.ScanMs = &ms
	}
	options := recordedOptions{Orientation: b.Orientation, Scale: int64(speed)}
	if s := serialBoards[b.Driver]; s != nil && s.configure != nil {
		if err := s.configure(c, b, &options); err != nil {
			return o, fmt.Errorf("board %s: %w", b.ID, err)
		}
	}
	if s, _ := config.SerialOf(b.Driver); s.Varies {
		o.Acuity, o.HasAcuity = board.ParseAcuity(options.Acuity)
	}
	var err error
	if o.Options, err = json.Marshal(options); err == nil {
		o.Rules, err = json.Marshal(recordedRules{
			Mode: b.Rules.Mode, Takeback: &b.Rules.Takeback, TouchMove: b.Rules.TouchMove, DefaultPromotion: b.Rules.DefaultPromotion,
		})
	}
	return o, err
}

// tableOptions are the options of the table that an opening line describes. The errors say what is wrong with the line.
func tableOptions(o *recording.Opening) (game.Options, error) {
	opt := game.Options{Acuity: o.Acuity, SettleMs: sensing.DefaultSettleMs}
	driver, err := readOptions(o)
	if err != nil {
		return opt, err
	}
	if o.Driver != "" && !slices.Contains(config.Drivers, o.Driver) {
		return opt, fmt.Errorf("driver %q is not known to this boardd: %s", o.Driver, strings.Join(config.Drivers, ", "))
	}
	s, serial := config.SerialOf(o.Driver)
	switch {
	case serial && !s.Varies:
		opt.Acuity = s.Acuity
	case !o.HasAcuity:
		return opt, fmt.Errorf("a recording of the driver %s names the acuity too", o.Driver)
	}
	switch {
	case serial:
		opt.SettleMs, opt.Resolution = s.SettleMs, serialBoards[o.Driver].resolution
		if driver.Text != nil {
			t, err := textMachine(&driver)
			if err != nil {
				return opt, err
			}
			opt.Resolution = t.ResolutionMs()
		}
	case o.ScanMs != nil && *o.ScanMs >= slowScanMs:
		opt.Resolution = *o.ScanMs
	}
	if o.SettleMs != nil {
		opt.SettleMs = *o.SettleMs
	}
	switch driver.Orientation {
	case "", "auto", "white", "black":
		opt.Orientation = driver.Orientation
	default:
		return opt, fmt.Errorf("options: orientation %q: use auto, white or black", driver.Orientation)
	}
	if err := readRules(o.Rules, &opt); err != nil {
		return opt, err
	}
	return opt, readStart(o, &opt)
}

// slowScanMs is from when on a board is read so slowly that the order of changes within one scan means nothing: a hand can do
// two things in that time.
const slowScanMs = 80

func readRules(text json.RawMessage, opt *game.Options) error {
	var r recordedRules
	if len(text) > 0 {
		if err := json.Unmarshal(text, &r); err != nil {
			return fmt.Errorf("rules: %w", err)
		}
	}
	switch r.Mode {
	case "", game.Training, game.Casual, game.Observer:
		opt.Mode = r.Mode
	default:
		return fmt.Errorf("rules: mode %q: use training, casual or observer", r.Mode)
	}
	switch r.TouchMove {
	case "", "off", "advise", "strict": // only off is known to the table yet; the others were recorded by a later version
	default:
		return fmt.Errorf("rules: touch_move %q: use off, advise or strict", r.TouchMove)
	}
	opt.NoTakeback = r.Takeback != nil && !*r.Takeback
	if r.DefaultPromotion != "" {
		for _, role := range []rules.Role{rules.Queen, rules.Rook, rules.Bishop, rules.Knight} {
			if role.String() == r.DefaultPromotion {
				opt.Promotion = role
				return nil
			}
		}
		return fmt.Errorf("rules: default_promotion %q: use queen, rook, bishop or knight", r.DefaultPromotion)
	}
	return nil
}

// readStart takes variant, fen and moves. Moves without a position begin at the start position.
func readStart(o *recording.Opening, opt *game.Options) error {
	if o.Variant != "" {
		v, err := rules.ParseVariant(o.Variant)
		if err != nil {
			return err
		}
		opt.Variant = v
	}
	if o.FEN == "" && len(o.Moves) == 0 {
		return nil
	}
	start := rules.Start()
	if o.FEN != "" {
		var err error
		if start, err = rules.ParsePosition(o.FEN, opt.Variant); err != nil {
			return fmt.Errorf("fen: %w", err)
		}
	}
	opt.Start = &start
	p := start
	for i, text := range o.Moves {
		m, err := p.ParseUCI(text)
		if err != nil {
			return fmt.Errorf("moves: ply %d: %w", i+1, err)
		}
		opt.Moves = append(opt.Moves, m)
		p.Play(m)
	}
	return nil
}
