package main

import (
	"errors"
	"fmt"
	"os"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
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
			return darken(&c, machine)
		},
	}
	addConfigFlag(cmd, &file)
	return cmd
}

// darken darkens the LEDs of all boards, each whether or not the others can be reached. Dark LEDs are dark in any order, so none is
// looked up.
func darken(c *config.Config, hw hardware) (err error) {
	for i := range c.Boards {
		b := &c.Boards[i]
		if !isWired(b.LEDs.Driver) {
			continue
		}
		lights, closer, e := openLights(&b.LEDs, hw)
		if e == nil {
			e = errors.Join(lights.Close(), closer.Close())
		}
		if e != nil {
			err = errors.Join(err, fmt.Errorf("board %s: lights: %w", b.ID, e))
		}
	}
	return err
}
