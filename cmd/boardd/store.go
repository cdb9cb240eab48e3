package main

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/store"
)

// keeper is the daemon's store with all that is done around it; without a folder it keeps nothing.
type keeper struct {
	*Main
	store *store.Store // nil: nothing is kept
	guard *daemon.Guard
}

// keep opens the store of the configuration.
func (m *Main) keep() (*keeper, error) {
	k := &keeper{Main: m}
	dir := m.Config.Node.Data
	if dir == "" {
		m.Log.Warn("node.data is empty: games, events and numbers are kept in memory only, and are gone when boardd ends")
		return k, nil
	}
	_ = os.MkdirAll(dir, 0o750) // Open says what is wrong with it
	var err error
	if k.store, err = store.Open(store.Options{Dir: dir, Log: m.Log, Now: time.Now}); err != nil {
		return nil, err
	}
	k.guard = &daemon.Guard{Disk: k.store, Log: m.Log}
	return k, nil
}

func (k *keeper) journal() daemon.Journal {
	if k.store == nil {
		return daemon.NewMemory()
	}
	return k.guard
}

// resume gives what a board's table goes on from to its options.
func (k *keeper) resume(opt *game.Options, id string, now time.Time) {
	if k.store == nil {
		return
	}
	k.recollect(id, opt)
	opt.Seq = k.store.Seq(id)
	r, err := k.store.Resume(id, now)
	if err != nil {
		k.Log.Error("this board begins anew: what the store holds of it cannot be used", "board", id, "err", err)
		return
	}
	opt.Resume = r
	if r != nil && r.Snapshot.Game != nil && r.Snapshot.Game.Reason == "" {
		g := r.Snapshot.Game
		k.Log.Info("goes on with a game", "board", id, "game", g.ID, "plies", len(g.UCI), "stopped_for", time.Duration(r.Ago)*time.Millisecond)
	}
}

// Times between looks at what is kept.
const (
	lookEvery  = time.Minute
	pruneEvery = 6 * time.Hour
)

// run looks after the store until ctx ends.
func (k *keeper) run(ctx context.Context, feed game.Feed) error {
	if k.store == nil {
		<-ctx.Done()
		return nil
	}
	saved := make(chan error, 1)
	go func() { saved <- k.store.Run(ctx) }()
	changed, cancel := feed.Watch()
	defer cancel()
	look, prune := time.NewTicker(lookEvery), time.NewTicker(pruneEvery)
	defer look.Stop()
	defer prune.Stop()
	k.look()
	k.prune()
	said := ""
	for {
		if err := fileGames(k.store, k.Config.Node.Data); err != nil && err.Error() != said {
			said = err.Error()
			k.Log.Error("a game cannot be written to a file of its own; it is in the store (boardd pgn)", "err", err)
		}
		select {
		case <-ctx.Done():
			return <-saved
		case <-changed:
		case <-look.C:
			k.look()
		case <-prune.C:
			k.prune()
		}
	}
}

func (k *keeper) look() {
	switch free, low, changed := k.store.LookAtDisk(); {
	case changed && low:
		k.Log.Error("the disk is nearly full: make room, or games will soon be kept in memory only", "folder", k.Config.Node.Data, "free_mb", free>>20)
	case changed:
		k.Log.Info("the disk has room again", "folder", k.Config.Node.Data, "free_mb", free>>20)
	}
}

func (k *keeper) prune() {
	lost, err := k.store.Prune(time.Now(), time.Duration(k.Config.Node.KeepDays)*24*time.Hour)
	switch {
	case err != nil:
		k.Log.Warn("old events and games are still there", "err", err)
	case lost > 0:
		k.Log.Error("events were deleted before they could be published: the broker was away for too long", "events", lost)
	}
}

// close ends it; a disk that stands still is not waited for.
func (k *keeper) close() error {
	if k.store == nil {
		return nil
	}
	err := k.guard.Close(time.Second)
	closed := make(chan error, 1)
	go func() { closed <- k.store.Close() }()
	limit := time.NewTimer(time.Second)
	defer limit.Stop()
	select {
	case e := <-closed:
		return errors.Join(err, e)
	case <-limit.C:
		return errors.Join(err, errors.New("the store could not be closed: the disk does not answer"))
	}
}

// newStoreCommand is what people do with the store.
func newStoreCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{Use: "store", Short: "Look after what is kept", Args: commandName, RunE: commandMissing}
	check := &cobra.Command{
		Use:   "check [-c FILE]",
		Short: "Look through the store: the database, the numbers of events, the games",
		Long: "check reads all of the store, also while boardd runs: whether the database is whole, whether the numbers of each board's\n" +
			"events have holes, and whether each game can be played by the laws. It changes nothing. Exit code 1 says that something is wrong.",
		Args: cobra.NoArgs,
		RunE: func(cmd *cobra.Command, _ []string) error {
			s, err := readStore(cmd.Context(), file)
			if err != nil {
				return err
			}
			defer s.Close()
			r, err := s.Check()
			if err != nil {
				return fmt.Errorf("the store cannot be read: %w", err)
			}
			for _, f := range r.Faults {
				fmt.Fprintln(cmd.ErrOrStderr(), f)
			}
			fmt.Fprintf(cmd.OutOrStdout(), "%s, %s, %s, %s\n", count(int(r.Boards), "board"), count(int(r.Games), "game"), pliesOf(r.Plies), count(int(r.Events), "event"))
			if len(r.Faults) > 0 {
				return fmt.Errorf("%s found", count(len(r.Faults), "fault"))
			}
			return nil
		},
	}
	addConfigFlag(check, &file)
	checkArgs(check)
	cmd.AddCommand(check)
	return cmd
}

func pliesOf(n int64) string {
	if n == 1 {
		return "1 ply"
	}
	return fmt.Sprintf("%d plies", n)
}

// readStore opens the store of a configuration to read it.
func readStore(ctx context.Context, file string) (*store.Store, error) {
	c, err := config.Load(ctx, file, os.Environ())
	if err != nil {
		return nil, err
	}
	return storeOf(&c)
}

func storeOf(c *config.Config) (*store.Store, error) {
	if c.Node.Data == "" {
		return nil, usagef("node.data is empty: nothing is kept")
	}
	s, err := store.Read(c.Node.Data)
	if errors.Is(err, fs.ErrNotExist) {
		return nil, fmt.Errorf("there are no games in %s yet (node.data)", filepath.Clean(c.Node.Data))
	}
	return s, err
}
