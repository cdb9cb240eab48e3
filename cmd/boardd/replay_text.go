package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules/laws"
)

// textReport prints a table for people: a move a line, and what else happened between them.
type textReport struct {
	out   *bufio.Writer
	words *laws.Language
}

func (r *textReport) begin(rec int, o *recording.Opening, file string) {
	what := o.Driver
	if what == "" {
		what = o.Acuity.String()
	}
	if rec > 0 {
		fmt.Fprintln(r.out)
	}
	fmt.Fprintf(r.out, "recording %d: %s board, %s", rec, what, file)
	if o.Note != "" {
		fmt.Fprintf(r.out, ": %s", printable(o.Note))
	}
	fmt.Fprintln(r.out)
}

func (r *textReport) event(_ int, _ *recording.Opening, e *game.Event) error {
	_, err := fmt.Fprintf(r.out, "%12s  %s\n", clockText(e.T, true), r.eventText(e))
	return err
}

func (r *textReport) end(p *playback) error {
	s := p.table.Summary()
	for i, g := range s.Games {
		result := g.Result
		if g.Reason != nil {
			result += " (" + *g.Reason + ")"
		}
		fmt.Fprintf(r.out, "game %d: %s, %s: %s\n", i+1, result, fmt.Sprint(len(g.SAN), " plies"), strings.Join(g.SAN, " "))
	}
	fen := "none"
	if s.FEN != nil {
		fen = *s.FEN
	}
	_, err := fmt.Fprintf(r.out, "%s; position: %s\n", s.Status, fen)
	return err
}

// eventText is one event in a few words: a move as on a score sheet, all else as the doors say it.
func (r *textReport) eventText(e *game.Event) string {
	if m, ok := e.Body.(*game.Moved); ok {
		text := fmt.Sprintf("%4d%-3s %-8s", (e.Ply+1)/2, map[bool]string{true: ".", false: "..."}[e.Ply%2 == 1], m.SAN)
		if m.ClkMs != nil {
			text += "  clock " + clockText(*m.ClkMs, false)
		}
		return strings.TrimRight(text, " ")
	}
	text := e.Type
	if object, err := e.JSON("", "", "", false); err == nil {
		if said, err := r.words.Event(object); err == nil && said != "" {
			text = said
		}
	}
	if b, ok := e.Body.(*game.GameStart); ok {
		text += " (" + e.Game + "): " + b.StartFEN
	}
	return printable(text)
}

// printable is text from a file without what would move the cursor.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 {
			return '·'
		}
		return r
	}, s)
}

// clockText is a time as clocks show it: h:mm:ss, with tenths if wanted.
func clockText(ms int64, tenths bool) string {
	text := fmt.Sprintf("%d:%02d:%02d", ms/3_600_000, ms/60_000%60, ms/1000%60)
	if tenths {
		text += fmt.Sprintf(".%d", ms/100%10)
	}
	return text
}
