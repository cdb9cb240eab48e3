package main

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"os"
	"strings"
	"time"

	"github.com/spf13/cobra"
	"golang.org/x/term"

	"github.com/boardd/boardd/leds/terminal"
)

// addLogFlags gives every command --log-level.
func addLogFlags(root *cobra.Command) {
	root.PersistentFlags().Var(&level{}, "log-level", "least level that is logged: debug, info, warn or error")
}

// level is a value of --log-level; zero is info.
type level struct{ slog.Level }

func (l *level) String() string { return strings.ToLower(l.Level.String()) }
func (l *level) Type() string   { return "LEVEL" }

func (l *level) Set(text string) error {
	if err := l.UnmarshalText([]byte(text)); err != nil {
		return errors.New("use debug, info, warn or error")
	}
	return nil
}

// logger writes text lines to the command's stderr, from the level that --log-level asks for.
func logger(cmd *cobra.Command) *slog.Logger {
	log, _ := levelledLogger(cmd)
	return log
}

// levelledLogger is a logger whose level can be set later, unless --log-level has set it: then level is nil.
func levelledLogger(cmd *cobra.Command) (log *slog.Logger, level *slog.LevelVar) {
	level = new(slog.LevelVar)
	f := cmd.Flag("log-level")
	if f != nil {
		_ = level.UnmarshalText([]byte(f.Value.String())) // the flag has parsed it before
	}
	log = slog.New(slog.NewTextHandler(cmd.ErrOrStderr(), &slog.HandlerOptions{Level: level}))
	if f != nil && f.Changed {
		return log, nil
	}
	return log, level
}

func isTerminal(w io.Writer) bool {
	file, ok := w.(*os.File)
	return ok && term.IsTerminal(int(file.Fd()))
}

// loudly is a log that speaks on a screen, from a level on.
type loudly struct {
	screen *terminal.Screen
	level  slog.Level
}

func (l loudly) Enabled(_ context.Context, level slog.Level) bool { return level >= l.level }
func (l loudly) WithAttrs([]slog.Attr) slog.Handler               { return l }
func (l loudly) WithGroup(string) slog.Handler                    { return l }

func (l loudly) Handle(_ context.Context, r slog.Record) error {
	say(l.screen, r, "")
	return nil
}

// beside is a log on the terminal in which a board is drawn: a line of its own would break the picture, so it is said beside the
// board for as long as that is there.
type beside struct {
	screen *terminal.Screen
	after  slog.Handler // when the board is drawn no more; and its level
}

func (b beside) Enabled(ctx context.Context, level slog.Level) bool {
	return b.after.Enabled(ctx, level)
}
func (b beside) WithAttrs(a []slog.Attr) slog.Handler { return beside{b.screen, b.after.WithAttrs(a)} }
func (b beside) WithGroup(name string) slog.Handler   { return beside{b.screen, b.after.WithGroup(name)} }

func (b beside) Handle(ctx context.Context, r slog.Record) error {
	if b.screen.Closed() {
		return b.after.Handle(ctx, r)
	}
	say(b.screen, r, r.Time.Format(time.TimeOnly)+" ")
	return nil
}

// say puts a record into a screen's stream.
func say(s *terminal.Screen, r slog.Record, when string) {
	text := when + r.Message
	r.Attrs(func(a slog.Attr) bool {
		text += " " + a.String()
		return true
	})
	tone := terminal.Normal
	if r.Level >= slog.LevelWarn {
		tone = terminal.Alarm
	}
	s.Say(text, tone)
}
