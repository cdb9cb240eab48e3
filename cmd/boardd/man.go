//go:build man

package main

import (
	"fmt"
	"os"
	"path/filepath"

	"github.com/spf13/cobra"
	"github.com/spf13/cobra/doc"
)

// The manual pages are written by a boardd built with the tag man; the one that ships has not the code for it.
func init() {
	subcommands = append(subcommands, newManCommand)
}

// newManCommand writes the manual page of each command, boardd.1 and others, and the completions of shells.
func newManCommand() *cobra.Command {
	return &cobra.Command{
		Use:    "man FOLDER",
		Short:  "Write manual pages and completions",
		Hidden: true,
		Args:   needsOne("the folder"),
		RunE: func(cmd *cobra.Command, args []string) error {
			root := cmd.Root()
			root.DisableAutoGenTag = true
			name := func(path string) string { return filepath.Join(args[0], path) }
			for _, dir := range []string{"man", "completions"} {
				if err := os.MkdirAll(name(dir), 0o755); err != nil {
					return err
				}
			}
			// The date is that of SOURCE_DATE_EPOCH.
			header := &doc.GenManHeader{Section: "1", Source: "boardd", Manual: "boardd"}
			if err := doc.GenManTree(root, header, name("man")); err != nil {
				return fmt.Errorf("manual pages: %w", err)
			}
			for shell, err := range map[string]error{
				"bash": root.GenBashCompletionFileV2(name("completions/boardd"), true),
				"zsh":  root.GenZshCompletionFile(name("completions/_boardd")),
				"fish": root.GenFishCompletionFile(name("completions/boardd.fish"), true),
			} {
				if err != nil {
					return fmt.Errorf("completion of %s: %w", shell, err)
				}
			}
			return nil
		},
	}
}
