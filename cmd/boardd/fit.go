package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"math"
	"text/tabwriter"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// newFitCommand estimates anew what the tracker charges. It is for those who work on boardd: docs/architecture.md tells how.
func newFitCommand() *cobra.Command {
	var make int
	var style, acuity, pgn string
	cmd := &cobra.Command{
		Use:    "fit FILE…",
		Short:  "Estimate the tracker's prices from recordings whose opening lines hold the truth",
		Hidden: true,
		Args:   cobra.ArbitraryArgs,
		RunE: func(cmd *cobra.Command, names []string) error {
			if make > 0 {
				return makeRecordings(cmd.OutOrStdout(), make, style, acuity, pgn)
			}
			if len(names) == 0 {
				return usagef("fit needs recordings, or --make")
			}
			f := fit{errs: cmd.ErrOrStderr()}
			for _, name := range names {
				if err := f.open(cmd.Context(), name, cmd.InOrStdin()); err != nil {
					return err
				}
			}
			return f.print(cmd.OutOrStdout())
		},
	}
	cmd.Flags().IntVar(&make, "make", 0, "write so many recordings of simulated hands instead")
	cmd.Flags().StringVar(&style, "style", "club", "the hands' style")
	cmd.Flags().StringVar(&acuity, "acuity", "presence", "what the board sees: presence, color, piece")
	cmd.Flags().StringVar(&pgn, "pgn", "", "the game they play; the demo's if none")
	return cmd
}

// makeRecordings writes games by simulated hands, with what was played.
func makeRecordings(w io.Writer, n int, style, acuity, pgn string) error {
	a, ok := board.ParseAcuity(acuity)
	if !ok {
		return usagef("--acuity %q: presence, color or piece", acuity)
	}
	g, err := chooseGame(pgn)
	if err != nil {
		return err
	}
	out := recording.NewWriter(w)
	for i := range n {
		h, err := handsOf(style, a, uint64(i))
		if err != nil {
			return err
		}
		perf, _ := h.perform(&g, i, false)
		o := recording.Opening{Acuity: a, HasAcuity: true, FEN: g.start.FEN(), Variant: g.start.Variant().String(), Note: style + " hands, simulated"}
		p := g.start
		for _, ply := range perf.Plies {
			o.Truth = append(o.Truth, p.UCI(ply.Move))
			p.Play(ply.Move)
		}
		if err := out.Open(o); err != nil {
			return err
		}
		for _, in := range append(perf.Inputs, board.Input{Kind: board.End, T: perf.End + recording.EndAfter}) {
			if err := out.Input(in); err != nil {
				return err
			}
		}
	}
	return out.Flush()
}

// fit adds up what the true explanations of recordings paid for.
type fit struct {
	errs            io.Writer
	uses            []sensing.Use
	read, explained int
}

func (f *fit) open(ctx context.Context, name string, stdin io.Reader) error {
	if name == "-" {
		return f.file(name, files.Until(ctx, stdin))
	}
	in, err := files.Open(ctx, name)
	if err != nil {
		return err
	}
	defer in.Close()
	return f.file(name, in)
}

func (f *fit) file(name string, in io.Reader) error {
	reader := recording.NewReader(in)
	var now *knownGame
	for {
		e, err := reader.Next()
		var bad *recording.LineError
		switch {
		case errors.As(err, &bad):
			fmt.Fprintf(f.errs, "%s:%v\n", name, bad)
			continue
		case err == nil && e.Opening == nil:
			if now != nil {
				now.take(e.Input)
			}
			continue
		}
		f.add(now)
		if err == io.EOF {
			return nil
		} else if err != nil {
			return fmt.Errorf("%s: %w", name, err)
		}
		if now, err = newKnownGame(e.Opening); err != nil {
			fmt.Fprintf(f.errs, "%s:%d: skipped: %v\n", name, e.Line, err)
		}
	}
}

func (f *fit) add(g *knownGame) {
	if g == nil {
		return
	}
	f.read++
	g.tracker.Flush()
	uses, ok := g.tracker.Uses(g.truth)
	if !ok {
		return
	}
	f.explained++
	if f.uses == nil {
		f.uses = uses
		return
	}
	for i, u := range uses {
		f.uses[i].Used += u.Used
		f.uses[i].Chances += u.Chances
	}
}

// print says for each operator what it costs, and what it would if it were as frequent as it was: -ln of the rate, in milli-nats.
func (f *fit) print(w io.Writer) error {
	fmt.Fprintf(w, "%d of %s read as they were played\n", f.explained, count(f.read, "recording"))
	if f.explained == 0 {
		return errors.New("nothing to estimate from: no recording has its plies in the key \"truth\", or none was understood")
	}
	t := tabwriter.NewWriter(w, 0, 0, 2, ' ', tabwriter.AlignRight)
	fmt.Fprintln(t, "operator\tused\tof\tprice\testimate\t")
	for _, u := range f.uses {
		fmt.Fprintf(t, "%s\t%d\t%d\t%d\t%s\t\n", u.Name, u.Used, u.Chances, u.Price, estimate(u))
	}
	return t.Flush()
}

// estimate is -ln of how often a thing happened, counted as half a time more; what never happened costs at least so much.
func estimate(u sensing.Use) string {
	price := int(math.Round(-1000 * math.Log((float64(u.Used)+0.5)/(float64(u.Chances)+1))))
	switch {
	case u.Chances == 0:
		return "-"
	case u.Used == 0:
		return fmt.Sprintf(">%d", price)
	}
	return fmt.Sprint(max(price, 0))
}

// knownGame is a recording of which it is known what was played.
type knownGame struct {
	tracker *sensing.Tracker
	truth   []rules.Move
}

func newKnownGame(o *recording.Opening) (*knownGame, error) {
	opt, err := tableOptions(o)
	if err != nil {
		return nil, err
	}
	if opt.Start == nil || len(o.Truth) == 0 {
		return nil, errors.New("its opening line wants the keys fen and truth")
	}
	start := *opt.Start
	for _, m := range opt.Moves {
		start.Play(m)
	}
	g := &knownGame{tracker: sensing.New(sensing.Options{Acuity: opt.Acuity, SettleMs: opt.SettleMs, Resolution: opt.Resolution}, start)}
	p := start
	for _, uci := range o.Truth {
		m, err := p.ParseUCI(uci)
		if err != nil {
			return nil, fmt.Errorf("truth: %w", err)
		}
		g.truth = append(g.truth, m)
		p.Play(m)
	}
	g.tracker.Count()
	return g, nil
}

func (g *knownGame) take(in board.Input) {
	t := g.tracker
	for w := t.NextWake(); w != 0 && w <= in.T; w = t.NextWake() {
		t.Observe(board.Input{T: w, Kind: board.Wake})
	}
	t.Observe(in)
	// What a pawn became is said by word or gesture, which is no evidence of hands: it is taken from the truth.
	line := t.Report().Line
	i := 0
	for i < len(line) && i < len(g.truth) && line[i] == g.truth[i] {
		i++
	}
	if i < min(len(line), len(g.truth)) && line[i].From() == g.truth[i].From() && line[i].To() == g.truth[i].To() &&
		(in.Kind == board.Cmd || len(line) > i+1) {
		t.Confirm(g.truth[:i+1])
	}
}
