package main

import (
	"log/slog"

	"github.com/spf13/cobra"
)

// addLogFlags gives every command --log-level.
func addLogFlags(root *cobra.Command) {
	level := slog.LevelInfo
	root.PersistentFlags().TextVar(&level, "log-level", slog.LevelInfo, "least level that is logged: debug, info, warn, error")
}

// logger writes text lines to the command's stderr, from the level that --log-level asks for.
func logger(cmd *cobra.Command) *slog.Logger {
	level := slog.LevelInfo
	if f := cmd.Flag("log-level"); f != nil {
		_ = level.UnmarshalText([]byte(f.Value.String())) // the flag has parsed it before
	}
	return slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
}
