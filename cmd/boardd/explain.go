package main

import (
	"encoding/json"
	"errors"
	"fmt"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/rules/laws"
)

// newExplainCommand says whether moves are legal, and which article says that they are not.
func newExplainCommand() *cobra.Command {
	var from positionFlags
	var asJSON bool
	cmd := &cobra.Command{
		Use:   "explain MOVE...",
		Short: "Say whether moves are legal, and if not, which article says so",
		Long: "Say whether moves are legal in a position, and if not, which article of the laws says so. Each MOVE, in UCI form or SAN, " +
			"is looked at alone. An illegal move is no error.",
		Args: needs("a MOVE"),
		RunE: func(cmd *cobra.Command, args []string) error {
			l, err := from.line()
			if err != nil {
				return err
			}
			var faults []error // texts that are no moves; the others are answered all the same
			for _, text := range args {
				e, err := explain(l, from.words, text)
				if err != nil {
					faults = append(faults, usagef("%w", err))
					continue
				}
				if asJSON {
					err = json.NewEncoder(cmd.OutOrStdout()).Encode(e)
				} else {
					_, err = fmt.Fprintln(cmd.OutOrStdout(), e)
				}
				if err != nil {
					return err
				}
			}
			return errors.Join(faults...)
		},
	}
	from.register(cmd, true)
	cmd.Flags().BoolVar(&asJSON, "json", false, "print a JSON object a move")
	return cmd
}

// explanation is a line of `explain --json`.
type explanation struct {
	UCI     *string        `json:"uci"` // null when a SAN names a man that is not there
	Legal   bool           `json:"legal"`
	SAN     *string        `json:"san"`     // of a legal move
	Article *string        `json:"article"` // of a refused one, like the next two
	FIDE    *string        `json:"fide"`
	Reason  *rules.Reason  `json:"reason"`
	Squares []rules.Square `json:"squares"`
	Others  []otherCause   `json:"others"`
	Text    string         `json:"text"`
	Claim   rules.Claim    `json:"claim"`
	Ply     int            `json:"ply,omitempty"`  // of the game, counted from 1: by which a right was lost, a pawn came, the game ended
	Ways    []string       `json:"ways,omitempty"` // out of check: move, capture, interpose
	line    string         // all of it, for people
}

type otherCause struct {
	Article string       `json:"article"`
	Reason  rules.Reason `json:"reason"`
}

// explain judges one text in the position at the end of a line. Its error says that the text is no move at all.
func explain(l *rules.Line, words *laws.Language, text string) (*explanation, error) {
	p := l.Position()
	var uci string
	var v rules.Verdict
	from, to, promotion, err := rules.SplitUCI(text)
	if err == nil {
		uci, v = text, l.Judge(from, to, promotion)
	} else if uci, v, err = l.JudgeSAN(text); err != nil {
		return nil, err
	}
	e := &explanation{Legal: v.Legal, Squares: []rules.Square{}, Others: []otherCause{}}
	if uci != "" {
		e.UCI = &uci
	}
	if v.Legal {
		uci = p.UCI(v.Move)
		san := p.SAN(v.Move)
		e.SAN, e.Claim, e.Text = &san, l.ClaimBy(v.Move), words.Move(laws.PlyOf(&p, v.Move))
		e.line = words.Legal(text, san, e.Claim)
		return e, nil
	}
	e.Article, e.FIDE, e.Reason, e.Text = &v.Cause.Article, &v.Cause.FIDE, &v.Cause.Reason, words.Cause(v.Cause, &p)
	e.Squares = append(e.Squares, v.Cause.Squares...)
	e.Ply = v.Cause.Ply
	if v.Check {
		e.Ways = v.Ways.Names()
	}
	for _, c := range v.Others {
		e.Others = append(e.Others, otherCause{c.Article, c.Reason})
	}
	by := "" // the ply that is the cause, as on a score sheet
	if e.Ply > 0 {
		before := l.At(e.Ply - 1)
		by = fmt.Sprintf("%d%s %s", before.Fullmove(), map[rules.Color]string{rules.White: ".", rules.Black: "..."}[before.Turn()], before.SAN(l.Move(e.Ply-1)))
	}
	e.line = words.Illegal(text, v, by, &p)
	return e, nil
}

// String is the explanation for people, in one line.
func (e *explanation) String() string { return e.line }
