// Command boardd reads physical chessboards, checks what hands do against the laws of chess and publishes it over MQTT.
package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"

	"github.com/spf13/cobra"

	"github.com/boardd/boardd/config"
)

func main() {
	os.Exit(run(os.Args[1:], os.Stdin, os.Stdout, os.Stderr))
}

// Exit codes of every command.
const (
	exitOK    = 0
	exitFault = 1 // a fault at run time
	exitUsage = 2 // wrong usage or configuration
)

// subcommands makes every subcommand, in the order of the help.
var subcommands = []func() *cobra.Command{
	newCalibrateCommand,
	newCheckConfigCommand,
	newCtlCommand,
	newDemoCommand,
	newDoctorCommand,
	newExplainCommand,
	newFitCommand,
	newLightsCommand,
	newMQTTCommand,
	newPerftCommand,
	newPGNCommand,
	newPositionCommand,
	newRecordCommand,
	newReplayCommand,
	newRunCommand,
	newStoreCommand,
	newVersionCommand,
}

// run is the whole program for one command line. Its context ends with the first signal that ends a command in an orderly way; a
// second one kills the process as usual. A terminal that goes away is one too, see hearHangups.
func run(args []string, stdin io.Reader, stdout, stderr io.Writer) int {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	context.AfterFunc(ctx, stop)
	ctx = hearHangups(ctx, stop)

	root := newRoot()
	root.SetArgs(args)
	root.SetIn(stdin)
	root.SetOut(stdout)
	root.SetErr(stderr)
	var unknown error // help was asked for a command that there is not
	help := root.HelpFunc()
	root.SetHelpFunc(func(cmd *cobra.Command, args []string) {
		if cmd.HasSubCommands() {
			unknown = commandName(cmd, cmd.Flags().Args())
		}
		if unknown == nil {
			help(cmd, args)
		}
	})
	err := root.ExecuteContext(ctx)
	if err == nil {
		err = unknown
	}
	if err == nil {
		return exitOK
	}
	if errors.Is(err, context.Canceled) && ctx.Err() != nil {
		err = errors.New("interrupted")
	}
	for line := range strings.Lines(err.Error()) {
		if line = strings.TrimRight(line, "\r\n"); line != "" {
			fmt.Fprintf(stderr, "boardd: %s\n", line)
		}
	}
	return exitCode(err)
}

// newRoot is the command line without its arguments.
func newRoot() *cobra.Command {
	root := &cobra.Command{
		Use:           "boardd",
		Short:         "The daemon for physical chessboards",
		Long:          "boardd reads the sensors of physical chessboards, understands what hands do, checks it against the laws of chess and publishes it over MQTT.",
		SilenceUsage:  true,
		SilenceErrors: true,
		Args:          commandName,
	}
	// A flag of our own: a template for cobra's would keep every method of every type in the binary, two megabytes of them.
	version := root.Flags().BoolP("version", "v", false, "print which boardd this is")
	root.RunE = func(cmd *cobra.Command, args []string) error {
		if *version {
			return printVersion(cmd, args)
		}
		return commandMissing(cmd, args)
	}
	root.CompletionOptions.HiddenDefaultCmd = true
	addLogFlags(root)
	root.SetHelpCommand(&cobra.Command{
		Use:   "help [COMMAND]",
		Short: "Help about a command",
		Args:  cobra.ArbitraryArgs,
		RunE: func(_ *cobra.Command, args []string) error {
			cmd, rest, err := root.Find(args)
			if err != nil {
				return usagef("%w", err)
			}
			if cmd.HasSubCommands() {
				if err := commandName(cmd, rest); err != nil {
					return err
				}
			}
			cmd.InitDefaultHelpFlag()
			return cmd.Help()
		},
	})
	root.SetFlagErrorFunc(func(cmd *cobra.Command, err error) error {
		return usagef("%s; see '%s --help'", flagFault(err), cmd.CommandPath())
	})
	for _, newCommand := range subcommands {
		cmd := newCommand()
		checkArgs(cmd)
		root.AddCommand(cmd)
	}
	return root
}

// flagFault words what a flag complains about: the names of Go's functions help nobody.
func flagFault(err error) string {
	text := err.Error()
	var number *strconv.NumError
	if errors.As(err, &number) {
		text, _, _ = strings.Cut(text, ": strconv.")
		switch number.Func {
		case "ParseBool":
			text += ": use true or false"
		case "ParseFloat":
			text += ": use a number"
		default:
			text += ": use a whole number from 0"
		}
	}
	return text
}

// needs asks for at least one argument.
func needs(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) == 0 {
			return usagef("%s is missing; see '%s --help'", what, cmd.CommandPath())
		}
		return nil
	}
}

// needsOne asks for just one.
func needsOne(what string) cobra.PositionalArgs {
	return func(cmd *cobra.Command, args []string) error {
		if len(args) > 1 {
			return usagef("one argument is taken, not %d; see '%s --help'", len(args), cmd.CommandPath())
		}
		return needs(what)(cmd, args)
	}
}

// commandName refuses what the root, or a group of commands, got instead of the name of a command.
func commandName(cmd *cobra.Command, args []string) error {
	if len(args) == 0 {
		return nil
	}
	cmd.SuggestionsMinimumDistance = 2
	if near := cmd.SuggestionsFor(args[0]); len(near) > 0 {
		return usagef("unknown command %q: did you mean %s?", args[0], strings.Join(near, " or "))
	}
	return usagef("unknown command %q; see '%s --help'", args[0], cmd.CommandPath())
}

// commandMissing is what a group of commands does by itself: it shows them, and complains.
func commandMissing(cmd *cobra.Command, _ []string) error {
	cmd.SetOut(cmd.ErrOrStderr())
	_ = cmd.Help()
	return usagef("a command is missing")
}

// checkArgs makes a usage error of what a command's Args complains about.
func checkArgs(cmd *cobra.Command) {
	check := cmd.Args
	if check == nil {
		check = cobra.NoArgs
	}
	cmd.Args = func(cmd *cobra.Command, args []string) error {
		var usage *usageError
		err := check(cmd, args)
		if err == nil || errors.As(err, &usage) {
			return err
		}
		if len(args) > 0 && strings.HasSuffix(args[0], ".toml") && cmd.Flags().Lookup("config") != nil {
			return usagef("a configuration is named with -c: %s -c %s", cmd.CommandPath(), args[0])
		}
		return usagef("%w; see '%s --help'", err, cmd.CommandPath())
	}
}

// usageError says that the command line is wrong, not the world: exit code 2.
type usageError struct{ err error }

func (e *usageError) Error() string { return e.err.Error() }
func (e *usageError) Unwrap() error { return e.err }

// usagef makes a usage error as fmt.Errorf makes an error.
func usagef(format string, args ...any) error {
	return &usageError{fmt.Errorf(format, args...)}
}

// exitCode is the exit code for an error of a command.
func exitCode(err error) int {
	var usage *usageError
	var faults config.Faults
	switch {
	case err == nil:
		return exitOK
	case errors.As(err, &usage), errors.As(err, &faults):
		return exitUsage
	}
	return exitFault
}
