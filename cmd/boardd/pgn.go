package main

import (
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/store"
)

// newPGNCommand prints games of the store.
func newPGNCommand() *cobra.Command {
	var file, since string
	var which store.Which
	cmd := &cobra.Command{
		Use:   "pgn [-c FILE] [--board ID] [--since DAY] [--last N]",
		Short: "Print the games that were played, as PGN",
		Long: "pgn prints the games of the store in the order of their beginning, also the one that is being played. It may be used\n" +
			"while boardd runs. Each finished game also stands in a file of its own: pgn/<board>/<day>-<game>.pgn in the folder node.data.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			if since != "" {
				var err error
				if which.Since, err = time.ParseInLocation(time.DateOnly, since, time.Local); err != nil {
					return usagef("--since %q: use a day such as 2026-07-31", since)
				}
			}
			if which.Last < 0 {
				return usagef("--last %d: use a number from 1", which.Last)
			}
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err != nil {
				return err
			}
			s, err := storeOf(&c)
			if err != nil {
				return err
			}
			defer s.Close()
			if err := knownBoard(&c, s, which.Board); err != nil {
				return err
			}
			return printGames(cmd.OutOrStdout(), cmd.ErrOrStderr(), s, which)
		},
	}
	addConfigFlag(cmd, &file)
	cmd.Flags().StringVar(&which.Board, "board", "", "only games of the board `ID`")
	cmd.Flags().StringVar(&since, "since", "", "only games begun on this `DAY` (2026-07-31) or later")
	cmd.Flags().IntVar(&which.Last, "last", 0, "only the last `N` games")
	return cmd
}

// knownBoard says which boards there are when one is asked for that neither the configuration nor a game of the store names.
func knownBoard(c *config.Config, s *store.Store, id string) error {
	var ids []string
	for i := range c.Boards {
		ids = append(ids, c.Boards[i].ID)
	}
	if id == "" || slices.Contains(ids, id) {
		return nil
	}
	for g, err := range s.Games(store.Which{}) {
		switch {
		case g == nil:
			return fmt.Errorf("the store cannot be read: %w", err)
		case g.Board == id:
			return nil
		case !slices.Contains(ids, g.Board):
			ids = append(ids, g.Board)
		}
	}
	return usagef("there is no board %q: use %s", id, strings.Join(ids, ", "))
}

// printGames prints games, an empty line after each. One that cannot be read whole is printed as far as it can, and said.
func printGames(out, errs io.Writer, s *store.Store, which store.Which) error {
	faults := 0
	for g, err := range s.Games(which) {
		if g == nil {
			return fmt.Errorf("the store cannot be read: %w", err)
		}
		if err != nil {
			faults++
			fmt.Fprintln(errs, err)
		}
		if _, err := io.WriteString(out, g.PGN()); err != nil {
			return err
		}
	}
	if faults > 0 {
		return fmt.Errorf("%s could not be read whole: boardd store check says more", count(faults, "game"))
	}
	return nil
}

// fileGames writes each finished game to a file of its own below dir/pgn.
func fileGames(s *store.Store, dir string) error {
	for g, err := range s.Unfiled() {
		if err != nil {
			return err
		}
		day := strings.ReplaceAll(g.Day(), ".", "-")
		if day == "" {
			day = "undated"
		}
		if err := fileGame(filepath.Join(dir, "pgn", g.Board), day+"-"+g.ID+".pgn", g.PGN()); err != nil {
			return err
		}
		if err := s.Filed(g); err != nil {
			return err
		}
	}
	return nil
}

// fileGame writes a file for everybody of the group, and has its name on the disk too.
func fileGame(dir, name, text string) error {
	if err := os.MkdirAll(dir, 0o750); err != nil {
		return err
	}
	path := filepath.Join(dir, name)
	if err := files.Replace(path, []byte(text), 0o640); err != nil {
		return err
	}
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
