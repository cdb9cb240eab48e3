package main

import (
	"context"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/line"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// buildBoard makes the i-th board of the configuration: its table, and where its changes come from. The errors are faults of
// the configuration. lines has its port, if it has one; resume gives the table what it goes on from.
func buildBoard(c *config.Config, i int, speed float64, lines *line.Lines, resume func(*game.Options, string)) (daemon.Board, error) {
	b := &c.Boards[i]
	opening, err := configured(c, b, speed)
	if err != nil {
		return daemon.Board{}, err
	}
	opt, err := tableOptions(&opening)
	if err != nil {
		return daemon.Board{}, fmt.Errorf("board %s: %w", b.ID, err)
	}
	opt.Games = fmt.Sprintf("%s-%04x", time.Now().UTC().Format("20060102T150405Z"), rand.N(0x10000))
	opt.Brightness = max(int(b.LEDs.Brightness), 1)
	resume(&opt, b.ID)
	opening.Resume = recordedResume(opt.Resume)
	if r := opt.Resume; r != nil && r.Snapshot.Game != nil { // the recording begins with what stands
		opening.FEN, opening.Moves, opening.Variant = r.Snapshot.Game.StartFEN, r.Snapshot.Game.UCI, r.Snapshot.Game.Variant
	}
	name := b.Name
	if name == "" {
		name = b.ID
	}
	out := daemon.Board{
		Info:    game.BoardInfo{ID: b.ID, Name: name, Driver: b.Driver, Acuity: opt.Acuity},
		Table:   game.NewTable(opt),
		Opening: opening,
		Resumed: opt.Resume != nil,
	}
	switch {
	case serialBoards[b.Driver] != nil:
		if out.NewDriver, err = newDriver(&opening, false); err != nil {
			return daemon.Board{}, fmt.Errorf("board %s: %w", b.ID, err)
		}
		options, err := readOptions(&opening)
		if err != nil {
			return daemon.Board{}, fmt.Errorf("board %s: %w", b.ID, err)
		}
		want, err := serialPort(b, &options)
		if err != nil {
			return daemon.Board{}, fmt.Errorf("board %s: %w", b.ID, err)
		}
		way := lines.Way(want)
		out.Source = daemon.Port(func(ctx context.Context) (io.ReadWriteCloser, error) { return way.Open(ctx) })
	case b.Driver == "virtual":
		out.Source = sourceFunc(func(ctx context.Context, sink *daemon.Sink) error {
			start := rules.Start()
			v := virtual.Board{Start: projection(opt.Acuity, &start)}
			return v.Run(ctx, sink.Clock().Now(), sink.Input)
		})
	}
	return out, nil
}

// lockDir is where programs lock serial ports against each other, where there is such a place that we may write to.
func lockDir() string {
	const dir = "/run/lock"
	if s, err := os.Stat(dir); err == nil && s.IsDir() && (s.Mode().Perm()&0o002 != 0 || os.Getuid() == 0) {
		return dir
	}
	return ""
}
