package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/rules/laws"
)

// newPositionCommand says what the laws know about a position.
func newPositionCommand() *cobra.Command {
	var from positionFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "position",
		Short: "Say what is legal, wrong, claimable and over in a position",
		Args:  cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			report, err := from.report()
			if err != nil {
				return err
			}
			if asJSON {
				return json.NewEncoder(cmd.OutOrStdout()).Encode(report)
			}
			return report.print(cmd.OutOrStdout(), from.words)
		},
	}
	from.register(cmd, true)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print one JSON object")
	return cmd
}

// positionFlags are the flags that name a position.
type positionFlags struct {
	fen, moves, variant, language string
	words                         *laws.Language // what language names, once the flags are read
}

// register adds the flags to a command; those on moves and language only where it has a use for them.
func (f *positionFlags) register(cmd *cobra.Command, more bool) {
	cmd.Flags().StringVar(&f.fen, "fen", rules.StartFEN, "the position")
	cmd.Flags().StringVar(&f.variant, "variant", rules.Standard.String(), "standard or chess960")
	if more {
		cmd.Flags().StringVar(&f.moves, "moves", "", "moves made from there, in UCI form with blanks between")
		addLanguageFlag(cmd, &f.language)
	}
}

func addLanguageFlag(cmd *cobra.Command, tag *string) {
	cmd.Flags().StringVar(tag, "lang", "en", "language of the sentences: "+strings.Join(laws.Tags(), ", "))
}

// speech finds the language of a flag --lang; "" is English.
func speech(tag string) (*laws.Language, error) {
	words, ok := laws.Match(tag)
	if !ok && tag != "" {
		return nil, usagef("--lang: there is no language %q: use one of %s", tag, strings.Join(laws.Tags(), ", "))
	}
	return words, nil
}

// setup reads the flags without asking for a position.
func (f *positionFlags) setup() (rules.Setup, rules.Variant, error) {
	v, err := rules.ParseVariant(f.variant)
	if err != nil {
		return rules.Setup{}, v, usagef("--variant: %w", err)
	}
	if f.words, err = speech(f.language); err != nil {
		return rules.Setup{}, v, err
	}
	s, err := rules.ParseFEN(f.fen, v)
	if err != nil {
		return rules.Setup{}, v, usagef("--fen: %w", err)
	}
	return s, v, nil
}

// line is the game that the flags describe. What is wrong with them, or with a move, is a usage error.
func (f *positionFlags) line() (*rules.Line, error) {
	s, v, err := f.setup()
	if err != nil {
		return nil, err
	}
	p, err := s.Position(v)
	if err != nil {
		return nil, usagef("--fen: %w", err)
	}
	l := rules.NewLine(p)
	for i, text := range strings.Fields(f.moves) {
		p := l.Position()
		m, err := p.ParseUCI(text)
		if err != nil {
			return nil, usagef("--moves: ply %d: %w", i+1, err)
		}
		l.Play(m)
		p = l.Position()
		var bad *rules.FENError
		if _, err := rules.ParseFEN(p.FEN(), v); errors.As(err, &bad) && (bad.Code == "halfmove" || bad.Code == "fullmove") {
			return nil, usagef("--moves: ply %d: the FEN would count too far (%w): give --fen with lower counters", i+1, err)
		}
	}
	return l, nil
}

// positionReport is what `position --json` prints. What only a position with one king a side has is null without.
type positionReport struct {
	FEN       string          `json:"fen"`
	Legal     bool            `json:"legal"`
	Faults    []faultReport   `json:"faults"`
	Turn      rules.Color     `json:"turn"`
	State     *string         `json:"state"`
	Checkers  []rules.Square  `json:"checkers"`
	Moves     []string        `json:"moves"`
	Count     *int            `json:"count"`
	Claimable *rules.Claim    `json:"claimable"`
	Outcome   *rules.Outcome  `json:"outcome"`
	Dead      *rules.Answer   `json:"dead"`
	CanMate   *canMate        `json:"canmate"`
	board     [64]rules.Piece // for people, like faults
	faults    []rules.Fault
}

type faultReport struct {
	Code    string `json:"code"`
	Article string `json:"article"`
	Text    string `json:"text"`
}

type canMate struct {
	White rules.Answer `json:"white"`
	Black rules.Answer `json:"black"`
}

// dead is whether neither side can mate (5.2.2).
func (c *canMate) dead() rules.Answer {
	switch {
	case c.White == rules.Yes || c.Black == rules.Yes:
		return rules.No
	case c.White == rules.No && c.Black == rules.No:
		return rules.Yes
	}
	return rules.Unknown
}

func (f *positionFlags) report() (*positionReport, error) {
	s, v, err := f.setup()
	if err != nil {
		return nil, err
	}
	var kings *rules.KingsError
	if _, err := s.Position(v); errors.As(err, &kings) && f.moves == "" {
		r := &positionReport{FEN: f.fen, Turn: s.Turn, board: s.Board}
		r.addFaults(f.words, kings.Fault())
		return r, nil
	}
	l, err := f.line()
	if err != nil {
		return nil, err
	}
	p := l.Position()
	state, count, claimable, outcome := p.State().String(), l.Count(), l.Claimable(), l.Outcome()
	mates := canMate{p.CanMate(rules.White), p.CanMate(rules.Black)}
	dead := mates.dead()
	r := &positionReport{
		FEN: p.FEN(), Turn: p.Turn(), State: &state, Checkers: []rules.Square{}, Moves: []string{},
		Count: &count, Claimable: &claimable, Outcome: &outcome, Dead: &dead,
		CanMate: &mates, board: p.Setup().Board,
	}
	r.addFaults(f.words, p.Faults()...)
	for b := p.Checkers(); b != 0; {
		r.Checkers = append(r.Checkers, b.Pop())
	}
	for _, m := range p.LegalMoves(nil) {
		r.Moves = append(r.Moves, p.UCI(m))
	}
	slices.Sort(r.Moves)
	return r, nil
}

func (r *positionReport) addFaults(words *laws.Language, faults ...rules.Fault) {
	r.Faults, r.faults = []faultReport{}, faults
	for _, f := range faults {
		r.Faults = append(r.Faults, faultReport{f.Code, f.Article, words.Fault(f.Code)})
	}
	r.Legal = len(faults) == 0
}

// print says the same to people, in their language.
func (r *positionReport) print(w io.Writer, words *laws.Language) error {
	var b strings.Builder
	for rank := 7; rank >= 0; rank-- {
		fmt.Fprintf(&b, "%d", rank+1)
		for file := range 8 {
			fmt.Fprintf(&b, " %v", r.board[rules.NewSquare(file, rank)])
		}
		b.WriteByte('\n')
	}
	fmt.Fprintf(&b, "  a b c d e f g h\n\n%s\n", r.FEN)
	p := laws.Position{Turn: r.Turn, Faults: r.faults, Kings: r.State != nil}
	if p.Kings {
		p.Checkers, p.Count, p.Claim, p.Outcome, p.Moves = r.Checkers, *r.Count, *r.Claimable, *r.Outcome, r.Moves
		p.CanMate = [2]rules.Answer{rules.White: r.CanMate.White, rules.Black: r.CanMate.Black}
	}
	for _, line := range words.Position(p) {
		b.WriteString(line + "\n")
	}
	_, err := io.WriteString(w, b.String())
	return err
}
