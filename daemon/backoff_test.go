package daemon

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

// failingSource fails each time at once.
type failingSource struct{ runs int }

func (f *failingSource) Run(context.Context, *Sink) error {
	f.runs++
	return errors.New("serial port /dev/board is gone")
}

// SE-09: a board that does not come back costs next to nothing: it is tried less and less often, and said once.
func TestBoardThatStaysAwayIsTriedLessOften(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var log bytes.Buffer
		source := &failingSource{}
		d, err := New(Options{Clock: NewRunning(1), Log: slog.New(slog.NewTextHandler(&log, nil)), Boards: []Board{{Info: info("a"), Table: &fakeTable{}, Source: source}}})
		if err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		if err := d.Run(ctx); err != nil {
			t.Error(err)
		}
		if source.runs < 15 || source.runs > 20 { // after 0, 250, 500, 1000, 2000, 4000, 4000 … ms
			t.Errorf("tried %d times in a minute", source.runs)
		}
		if n := strings.Count(log.String(), "cannot be read"); n != 1 {
			t.Errorf("said %d times:\n%s", n, log.String())
		}
	})
}
