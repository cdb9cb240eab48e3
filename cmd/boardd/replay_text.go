package main

import (
	"bufio"
	"fmt"
	"strings"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// textReport prints a table for people: a move a line, and what else happened between them.
type textReport struct {
	out *bufio.Writer
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
	_, err := fmt.Fprintf(r.out, "%12s  %s\n", clockText(e.T, true), eventText(e))
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

// eventText is one event in a few words.
func eventText(e *game.Event) string {
	switch b := e.Body.(type) {
	case *game.Moved:
		text := fmt.Sprintf("%4d%-3s %-8s", (e.Ply+1)/2, map[bool]string{true: ".", false: "..."}[e.Ply%2 == 1], b.SAN)
		if b.ClkMs != nil {
			text += "  clock " + clockText(*b.ClkMs, false)
		}
		return strings.TrimRight(text, " ")
	case *game.Takeback:
		return fmt.Sprintf("takeback to ply %d (%s): %s", b.ToPly, b.Reason, strings.Join(b.Undone, " "))
	case *game.Illegal:
		return fmt.Sprintf("illegal: %s, %s (article %s)", b.UCI, words(b.Reason), b.Article)
	case *game.Doubt:
		lines := make([]string, len(b.Candidates))
		for i, c := range b.Candidates {
			lines[i] = strings.Join(c.SAN, " ")
		}
		return fmt.Sprintf("doubt %d (%s): %s", b.ID, words(b.Kind), strings.Join(lines, " or "))
	case *game.Resolved:
		return fmt.Sprintf("doubt %d is settled: %s", b.ID, strings.Join(b.UCI, " "))
	case *game.Desync:
		return fmt.Sprintf("out of step: missing %s, superfluous %s", missing(b.Missing), extra(b.Extra))
	case *game.PromotionPending:
		return fmt.Sprintf("promotion on %s: which piece?", b.Square)
	case *game.GameStart:
		return "game " + e.Game + " begins: " + b.StartFEN
	case *game.GameEnd:
		return "game ends: " + b.Result + ", " + words(b.Reason)
	case *game.ResultProposed:
		return "the kings propose " + b.Result
	case *game.IllegalStanding:
		if b.Reply == nil {
			return fmt.Sprintf("illegal %s was completed by the clock", b.UCI)
		}
		return fmt.Sprintf("illegal %s was answered with %s", b.UCI, *b.Reply)
	case *game.WeakSquare:
		return fmt.Sprintf("weak square %s: %s, %d times", b.Square, words(b.Kind), b.Count)
	case *game.CommandDone:
		return "command " + printable(b.Verb)
	case *game.DrawClaimable:
		return "a draw may be claimed: " + words(b.Kind)
	}
	return words(e.Type)
}

func missing(men []game.MissingMan) string {
	names := make([]string, len(men))
	for i, m := range men {
		names[i] = m.Piece + m.Square.String()
	}
	return listed(names)
}

func extra(men []game.ExtraMan) string {
	names := make([]string, len(men))
	for i, m := range men {
		names[i] = m.Symbol + m.Square.String()
	}
	return listed(names)
}

func listed(names []string) string {
	if len(names) == 0 {
		return "none"
	}
	return strings.Join(names, " ")
}

func words(code string) string { return strings.ReplaceAll(code, "_", " ") }

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
