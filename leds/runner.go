package leds

import (
	"context"
	"log/slog"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// Clock is the board's core time in milliseconds.
type Clock interface {
	Now() int64
	NewTimer() Timer
}

// Timer gives a value on C once the core time that was set has come; setting 0 sets nothing.
type Timer interface {
	C() <-chan time.Time
	Set(at int64)
	Stop()
}

// Options of a Runner. Clock is needed; what else is not set has its default.
type Options struct {
	Style Style        // default: DefaultStyle
	Clock Clock        // the clock by which the views are made
	Real  func() int64 // real time in milliseconds, where Clock runs faster: flashes are counted by it; default: Clock.Now
	Log   *slog.Logger // default: none
}

// Runner shows the newest view on a display, for as long as it runs. A display that fails is tried again, and said once.
type Runner struct {
	lights board.Lights
	opt    Options
	views  chan *game.View
}

// Pauses before a display that failed is tried again, in milliseconds: doubled each time.
const (
	firstRetryMs = 250
	longRetryMs  = 8_000
)

// NewRunner makes a runner that does not run yet.
func NewRunner(lights board.Lights, o Options) *Runner {
	if o.Style == (Style{}) {
		o.Style = DefaultStyle()
	}
	if o.Real == nil {
		o.Real = o.Clock.Now
	}
	if o.Log == nil {
		o.Log = slog.New(slog.DiscardHandler)
	}
	return &Runner{lights, o, make(chan *game.View, 1)}
}

// Show hands over the newest view; one that has not been looked at yet is forgotten. It never waits, and is called by one
// goroutine.
func (r *Runner) Show(v *game.View) {
	select {
	case <-r.views:
	default:
	}
	r.views <- v
}

// Run shows views until ctx ends, then leaves the display dark and closes it. Its error is that of the last step.
func (r *Runner) Run(ctx context.Context) error {
	timer := r.opt.Clock.NewTimer()
	defer timer.Stop()
	var (
		view   *game.View
		guard  guard
		shown  board.Frame
		known  bool // the display shows what shown says
		retry  int64
		pause  int64 = firstRetryMs
		failed bool
	)
	for {
		now := r.opt.Clock.Now()
		real := r.opt.Real()
		frame, held := guard.pass(Compose(view, now, r.opt.Style), real)
		next := NextChange(view, now, r.opt.Style)
		if held != 0 {
			next = sooner(next, now+max(held-real, 1))
		}
		if (frame != shown || !known) && now >= retry {
			err := r.lights.Show(frame)
			shown, known = frame, err == nil
			switch {
			case err != nil:
				if !failed {
					r.opt.Log.Warn("the lights cannot be shown, trying again", "err", err)
				}
				retry, failed = now+pause, true
				pause = min(2*pause, longRetryMs)
			case failed:
				r.opt.Log.Info("the lights work again")
				retry, pause, failed = 0, firstRetryMs, false
			}
		}
		if !known {
			next = sooner(next, max(retry, now+1))
		}
		timer.Set(next)
		select {
		case <-ctx.Done():
			err := r.lights.Show(board.Frame{})
			if closed := r.lights.Close(); closed != nil {
				err = closed
			}
			return err
		case view = <-r.views:
		case <-timer.C():
		}
	}
}
