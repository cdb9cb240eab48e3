package main

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"

	"github.com/boardd/boardd/leds/terminal"
)

// While a board is drawn, the log is a part of its picture; afterwards it has the terminal to itself.
func TestLogBesideTheBoard(t *testing.T) {
	t.Parallel()
	var picture, lines bytes.Buffer
	s := terminal.New(&picture, terminal.Options{Moves: true, ASCII: true})
	log := slog.New(beside{s, slog.NewTextHandler(&lines, &slog.HandlerOptions{Level: slog.LevelInfo})}).With("door", "mqtt")

	log.Debug("too quiet")
	log.Info("the first thing", "key", 5)
	if got := picture.String(); !strings.Contains(got, "the first thing key=5") || strings.Contains(got, "too quiet") || lines.Len() > 0 {
		t.Errorf("drawn %q, and beside it %q", got, lines.String())
	}
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	drawn := picture.Len()
	log.Warn("the last thing", "key", 6)
	if got := lines.String(); !strings.Contains(got, `msg="the last thing" door=mqtt key=6`) || picture.Len() > drawn {
		t.Errorf("after the picture: %q", got)
	}
}
