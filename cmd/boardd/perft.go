package main

import (
	"context"
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/rules"
)

// perftDeepest is more than any machine counts from the start.
const perftDeepest = 30

// newPerftCommand counts the leaves of the tree of legal moves.
func newPerftCommand() *cobra.Command {
	var from positionFlags
	var divide bool
	cmd := &cobra.Command{
		Use:   "perft DEPTH",
		Short: "Count the sequences of legal moves of a length",
		Args:  needsOne("the DEPTH"),
		RunE: func(cmd *cobra.Command, args []string) error {
			depth, err := strconv.Atoi(args[0])
			if err != nil || depth < 0 || depth > perftDeepest {
				return usagef("DEPTH is a number from 0 to %d, not %q", perftDeepest, args[0])
			}
			l, err := from.line()
			if err != nil {
				return err
			}
			p := l.Position()
			if depth == 0 {
				_, err := fmt.Fprintln(cmd.OutOrStdout(), 1)
				return err
			}
			var total uint64
			var lines []string
			for _, m := range p.LegalMoves(nil) {
				n, err := perft(cmd.Context(), p.After(m), depth-1)
				if err != nil {
					return fmt.Errorf("perft: %w", err)
				}
				total += n
				lines = append(lines, fmt.Sprintf("%s: %d\n", p.UCI(m), n))
			}
			if divide {
				slices.Sort(lines)
				lines = append(lines, "\n")
			} else {
				lines = nil
			}
			_, err = fmt.Fprintf(cmd.OutOrStdout(), "%s%d\n", strings.Join(lines, ""), total)
			return err
		},
	}
	from.register(cmd, false)
	cmd.Flags().BoolVar(&divide, "divide", false, "also print the count below each move")
	return cmd
}

// perft is rules.Perft that ends with its context: below this depth a subtree takes less than a second.
func perft(ctx context.Context, p rules.Position, depth int) (uint64, error) {
	if depth <= 4 {
		return rules.Perft(p, depth), ctx.Err()
	}
	var total uint64
	for _, m := range p.LegalMoves(nil) {
		n, err := perft(ctx, p.After(m), depth-1)
		if err != nil {
			return 0, err
		}
		total += n
	}
	return total, nil
}
