package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/leds"
)

// stuckLights are LEDs on a bus that hangs: a call to them returns only when the test lets it.
type stuckLights struct {
	free   chan struct{}
	asked  int
	closed int
}

func (s *stuckLights) Show(board.Frame) error { s.asked++; <-s.free; return nil }
func (s *stuckLights) Close() error           { s.closed++; return nil }

func TestStuckLightsDoNotHoldTheEnd(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := &stuckLights{free: make(chan struct{})}
		var log bytes.Buffer
		logger := slog.New(slog.NewTextHandler(&log, nil))
		r := leds.NewRunner(s, leds.Options{Clock: ledClock{daemon.NewRunning(1)}, Log: logger})
		ended := false
		p := newParts(t.Context())
		p.start("boards", func(ctx context.Context) error { <-ctx.Done(); ended = true; return nil })
		p.start("lights of board", lightsWithin(r.Run, logger))
		synctest.Wait()
		if s.asked != 1 {
			t.Fatalf("the display was asked %d times", s.asked)
		}
		began := time.Now()
		if err := p.stop(); err != nil {
			t.Error(err)
		}
		if took := time.Since(began); took != lightsEnd || !ended {
			t.Errorf("the end took %v; the boards ended: %v", took, ended)
		}
		if n := strings.Count(log.String(), "the lights do not answer"); n != 1 {
			t.Errorf("said %d times: %s", n, log.String())
		}
		close(s.free) // else the bubble would not end
		synctest.Wait()
		if s.closed != 1 {
			t.Errorf("closed %d times", s.closed)
		}
	})
}

// Lights that do answer are waited for no longer than they need, and their errors are told.
func TestLightsEndInTime(t *testing.T) {
	t.Parallel()
	fault := errors.New("a fault")
	for name, run := range map[string]func(context.Context) error{
		"at the end":    func(ctx context.Context) error { <-ctx.Done(); <-time.After(time.Second); return fault },
		"by themselves": func(context.Context) error { return fault },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
				defer cancel()
				began := time.Now()
				if err := lightsWithin(run, slog.New(slog.DiscardHandler))(ctx); !errors.Is(err, fault) {
					t.Errorf("%v", err)
				}
				if took := time.Since(began); took > time.Minute+time.Second {
					t.Errorf("took %v", took)
				}
			})
		})
	}
}
