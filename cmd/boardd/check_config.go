package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
)

// newCheckConfigCommand says what is wrong with a configuration, or what it sets up.
func newCheckConfigCommand() *cobra.Command {
	var file string
	cmd := &cobra.Command{
		Use:   "check-config [-c FILE]",
		Short: "Say what is wrong with a configuration",
		Long: "check-config reads a configuration as 'boardd run' does, BOARDD_… variables included, and prints the faults with their\n" +
			"lines (exit code 2): unknown keys first, and once there are none, what is wrong with the values. Without faults it prints ok\n" +
			"and what the configuration sets up.",
		RunE: func(cmd *cobra.Command, _ []string) error {
			c, err := config.Load(cmd.Context(), file, os.Environ())
			if err == nil {
				_, err = c.MQTT.Password()
			}
			if err == nil {
				err = errors.Join(checkLights(&c), checkMaps(&c))
			}
			var faults config.Faults
			if errors.As(err, &faults) {
				for _, f := range faults {
					fmt.Fprintln(cmd.OutOrStdout(), f)
				}
				return usagef("%s in %s", count(len(faults), "fault"), file)
			}
			if err != nil {
				return err
			}
			_, err = fmt.Fprint(cmd.OutOrStdout(), "ok\n", summary(&c))
			return err
		},
	}
	addConfigFlag(cmd, &file)
	return cmd
}

// addConfigFlag gives a command -c, the file of the configuration.
func addConfigFlag(cmd *cobra.Command, file *string) {
	cmd.Flags().StringVarP(file, "config", "c", "boardd.toml", "configuration file")
}

// summary is what a configuration sets up, a line a thing.
func summary(c *config.Config) string {
	var b strings.Builder
	broker := "boardd's own broker at " + c.MQTT.Listen
	if c.MQTT.URL != "" {
		broker = c.MQTT.URL
	}
	fmt.Fprintf(&b, "topics %s/%s/… at %s, commands: %s\n", c.MQTT.Root, c.Node.Name, broker, c.MQTT.Commands)
	for i := range c.Boards {
		t := &c.Boards[i]
		fmt.Fprintf(&b, "board %s: driver %s", t.ID, t.Driver)
		if t.Port != "" {
			fmt.Fprintf(&b, " at %s", t.Port)
		}
		fmt.Fprintf(&b, ", %s, %s, lights %s\n", t.Rules.Mode, t.Rules.Variant, t.LEDs.Driver)
		// Not a fault of the file, but the board says nothing until it is mended. Whoever checks may read less than the daemon.
		var err error
		switch {
		case config.IsHomeMade(t.Driver):
			_, err = scanOptions(t, c.Node.Data)
		case hasChips(t.Driver):
			_, err = learntChips(c, t)
		}
		if err != nil && !errors.Is(err, fs.ErrPermission) {
			fmt.Fprintf(&b, "board %s cannot be read yet: %v\n", t.ID, err)
		}
	}
	return b.String()
}

func count(n int, what string) string {
	if n == 1 {
		return "1 " + what
	}
	return fmt.Sprintf("%d %ss", n, what)
}

// either is a list of words with "or" before the last.
func either(words []string) string {
	n := len(words) - 1
	if n < 1 {
		return strings.Join(words, "")
	}
	return strings.Join(words[:n], ", ") + " or " + words[n]
}
