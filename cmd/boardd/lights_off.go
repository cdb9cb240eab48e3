package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/line"
)

// newLightsCommand darkens what a boardd that was killed has left lit.
func newLightsCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "lights off [-c FILE]",
		Short: "Darken the lights of all boards",
		Long: "lights off darkens the LEDs of all boards of the configuration. It is for when boardd was killed and could not do it itself:\n" +
			"ExecStopPost=boardd lights off -c FILE in its systemd unit. While boardd runs, the command or button \"lights\" turns them off.",
		Args: func(_ *cobra.Command, args []string) error {
			if len(args) != 1 || args[0] != "off" {
				return usagef("say 'boardd lights off'")
			}
			return nil
		},
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err != nil {
				return err
			}
			return darken(cmd.Context(), &c, machine, "")
		},
	}
	addConfigFlag(cmd, &file)
	return cmd
}

// darken darkens the LEDs of all boards, each whether or not the others can be reached. Dark LEDs are dark in any order, so none is
// looked up. dev is where devices are, "" for /dev.
func darken(ctx context.Context, c *config.Config, hw hardware, dev string) (err error) {
	lines := serialLines(dev, lockDir(), c)
	for i := range c.Boards {
		b := &c.Boards[i]
		var e error
		switch {
		case b.LEDs.Driver == "board":
			e = darkenOwn(ctx, c, b, lines)
		case isWired(b.LEDs.Driver):
			var lights wiredLights
			var closer io.Closer
			if lights, closer, e = openLights(&b.LEDs, hw); e == nil {
				e = errors.Join(lights.Close(), closer.Close())
			}
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("board %s: lights: %w", b.ID, e))
		}
	}
	return err
}

// How long a board may take until it answers, and then for each frame of its lights.
const (
	ownAnswer = 10 * time.Second
	ownDark   = 2500 * time.Millisecond
)

// darkenOwn darkens the lights that a board has of its own: its driver greets it, lights a square and darkens it.
func darkenOwn(ctx context.Context, c *config.Config, b *config.Board, lines *line.Lines) error {
	opening, err := configured(c, b, 1)
	if err != nil {
		return err
	}
	o, err := readOptions(&opening)
	if err != nil {
		return err
	}
	want, err := serialPort(b, &o)
	if err != nil {
		return err
	}
	opened, err := lines.Way(want).Open(ctx)
	if err != nil {
		return err
	}
	defer opened.Close()
	drivers, err := newDriver(&opening, false)
	if err != nil {
		return err
	}
	machine, lit := drivers().(board.Lit)
	if !lit {
		return nil
	}
	talk := line.Conversation{Line: opened, Machine: machine}
	there, err := talk.Until(ctx, ownAnswer, func() (bool, error) { return talk.Online, nil })
	if err == nil && !there {
		return errors.New("the board does not answer: switch it on")
	}
	// A machine that has just begun takes its board for dark: it must have lit something to darken anything.
	for _, f := range []board.Frame{{{R: 255, G: 255, B: 255}}, {}} {
		machine.Light(f)
		if err == nil {
			_, err = talk.Until(ctx, ownDark, func() (bool, error) { return false, nil })
		}
	}
	return err
}
