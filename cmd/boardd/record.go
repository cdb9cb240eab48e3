package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/recording"
)

// recordings is the folder of what a board said of late.
func recordings(c *config.Config, id string) string {
	return filepath.Join(c.Node.Data, "recordings", id)
}

// recorded has a board recorded as the configuration says. Without a place for it, it is played all the same.
func (m *Main) recorded(b *daemon.Board, c *config.Board) {
	keep := c.RecordFor()
	if keep == 0 || m.Config.Node.Data == "" {
		return
	}
	ring, err := recording.OpenRing(recording.RingOptions{
		Dir: recordings(&m.Config, c.ID), Keep: keep, MaxBytes: c.RecordMB << 20, Piece: m.piece,
	}, time.Now())
	if err != nil {
		m.Log.Error("this board is not recorded", "board", c.ID, "err", err)
		return
	}
	b.Tapes = append(b.Tapes, ring)
}

// newRecordCommand gives out what was recorded.
func newRecordCommand() *cobra.Command {
	var file, id, last string
	cmd := &cobra.Command{
		Use:   "record [-c FILE] [--board ID] [--last TIME] > FILE",
		Short: "Give out what a board said of late, or says now",
		Long: "The daemon keeps what each board says (key record of the configuration). record --last 10m prints the last ten minutes of it,\n" +
			"counted back from the last thing that happened at the board, whether boardd runs or has ended; a little more, because it\n" +
			"begins where the board was at rest. Without --last it begins a few minutes back at most and goes on until it is interrupted\n" +
			"(Ctrl-C). boardd replay plays such a recording again, with what boardd made of it: it is the best report of a fault. It holds\n" +
			"moves, clocks, commands, and players' names if any were given.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			span, err := spanOf(last)
			if err != nil {
				return err
			}
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err != nil {
				return err
			}
			b, err := theBoard(&c, id)
			if err != nil {
				return err
			}
			if c.Node.Data == "" {
				return errors.New("nothing is recorded: node.data is empty in the configuration")
			}
			dir := recordings(&c, b.ID)
			if last == "" {
				err = recordLive(cmd.Context(), dir, cmd.OutOrStdout(), cmd.ErrOrStderr())
			} else {
				err = recordLast(dir, span, cmd.OutOrStdout(), cmd.ErrOrStderr())
			}
			switch {
			case errors.Is(err, recording.ErrNothing) && b.RecordFor() == 0:
				return fmt.Errorf("nothing is recorded of board %s: the configuration says record = %q", b.ID, b.Record)
			case errors.Is(err, recording.ErrNothing):
				return fmt.Errorf("nothing has been recorded of board %s in %s yet: does boardd run?", b.ID, dir)
			case errors.Is(err, fs.ErrPermission):
				return fmt.Errorf("%w: be the user that runs boardd, or of its group", err)
			}
			return err
		},
	}
	addConfigFlag(cmd, &file)
	cmd.Flags().StringVar(&id, "board", "", "the board `ID`; not needed where there is one only")
	cmd.Flags().StringVar(&last, "last", "", "the last `TIME` only, such as 30s, 10m or 2h, then end")
	return cmd
}

func spanOf(last string) (time.Duration, error) {
	if last == "" {
		return 0, nil
	}
	d, err := time.ParseDuration(last)
	if err != nil || d <= 0 {
		return 0, usagef("--last %q: use a time such as 30s, 10m or 2h", last)
	}
	return d, nil
}

// theBoard is the board of a configuration that is named, or the only one.
func theBoard(c *config.Config, id string) (*config.Board, error) {
	var ids []string
	for i := range c.Boards {
		b := &c.Boards[i]
		if b.ID == id || id == "" && len(c.Boards) == 1 {
			return b, nil
		}
		ids = append(ids, b.ID)
	}
	if id == "" {
		return nil, usagef("there are several boards: say which with --board: %s", strings.Join(ids, ", "))
	}
	return nil, usagef("there is no board %q: use %s", id, strings.Join(ids, ", "))
}

func recordLast(dir string, span time.Duration, out, errs io.Writer) error {
	part, err := recording.Cut(dir, span, out)
	if err != nil {
		return err
	}
	if part.Recordings == 1 {
		fmt.Fprintf(errs, "%s, from %s to %s\n", count(part.Lines, "line"), clockTime(part.From), clockTime(part.To))
	} else {
		fmt.Fprintf(errs, "%s in %s, from %s to %s\n", count(part.Lines, "line"), count(part.Recordings, "recording"), clockTime(part.From), clockTime(part.To))
	}
	return nil
}

func clockTime(t time.Time) string { return t.Local().Format("2006-01-02 15:04:05") }

// lookAgain is how long a live recording waits before it looks for more.
const lookAgain = 200 * time.Millisecond

// recordLive follows the ring until ctx ends, which is no fault.
func recordLive(ctx context.Context, dir string, out, errs io.Writer) error {
	if pieces, err := recording.Pieces(dir); err == nil && len(pieces) > 0 && !pieces[len(pieces)-1].Open() {
		return errors.New("nothing is being recorded: boardd does not run, or records this board no more; --last gives what was recorded")
	}
	tick := time.NewTicker(lookAgain)
	defer tick.Stop()
	in, err := recording.Follow(dir, func() bool {
		select {
		case <-ctx.Done():
			return false
		case <-tick.C:
			return true
		}
	})
	if err != nil {
		return err
	}
	defer in.Close()
	fmt.Fprintln(errs, "recording, Ctrl-C ends it")
	r, w := recording.NewReader(in), recording.NewWriter(out)
	s := recording.NewSplice(w)
	for {
		e, err := r.Next()
		var bad *recording.LineError
		switch {
		case err == io.EOF:
			fmt.Fprintln(errs, count(s.Lines, "line"))
			return nil
		case errors.As(err, &bad):
			continue // of a daemon that was killed
		case err != nil:
			return err
		}
		if err := errors.Join(s.Add(e), w.Flush()); err != nil {
			return fmt.Errorf("write: %w", err)
		}
	}
}
