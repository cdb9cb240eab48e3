package leds

import (
	"context"
	"log/slog"
	"sync"
	"sync/atomic"
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
	Night Hours        // hours of the day in which Style.Night holds; needs Minute
	// Minute is the local time in minutes from midnight.
	Minute func() int
	// Repeat sends a frame once more a second after it was shown: for displays that cannot tell when they have misread one.
	Repeat bool
}

// Runner shows the newest view on a display, for as long as it runs. A display that fails is tried again, and said once.
type Runner struct {
	lights board.Lights
	opt    Options
	views  chan *game.View
	mu     sync.Mutex // over Style and Night of opt, which Restyle may change

	trouble  atomic.Bool
	troubled chan struct{}
}

// Pauses before a display that failed is tried again, in milliseconds: doubled each time.
const (
	firstRetryMs = 250
	longRetryMs  = 8_000
)

const (
	repeatMs = 1_000
	lookUpMs = 60_000 // how often the time of day is looked at while anything may be lit: clocks are set, summer time ends
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
	return &Runner{lights: lights, opt: o, views: make(chan *game.View, 1), troubled: make(chan struct{}, 1)}
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

// SetTrouble says whether something beside the board is in trouble: the broker, the store. It never waits.
func (r *Runner) SetTrouble(trouble bool) {
	if r.trouble.Swap(trouble) != trouble {
		r.lookAgain()
	}
}

// Restyle changes how things are shown from now on, and when it is night. how must not wait.
func (r *Runner) Restyle(how func(style *Style, night *Hours)) {
	r.mu.Lock()
	how(&r.opt.Style, &r.opt.Night)
	r.mu.Unlock()
	r.lookAgain()
}

// lookAgain has Run compose anew although no view has come.
func (r *Runner) lookAgain() {
	select {
	case r.troubled <- struct{}{}:
	default:
	}
}

// style is how things are shown now, and whether that depends on the time of day.
func (r *Runner) style() (s Style, timed bool) {
	r.mu.Lock()
	s, night := r.opt.Style, r.opt.Night
	r.mu.Unlock()
	s.Trouble = s.Trouble || r.trouble.Load()
	s.Night = s.Night || r.opt.Minute != nil && night.Has(r.opt.Minute())
	return s, night != (Hours{})
}

// Run shows views until ctx ends, then leaves the display dark and closes it, also when it panics. Its error is that of the last step.
func (r *Runner) Run(ctx context.Context) (err error) {
	timer := r.opt.Clock.NewTimer()
	defer timer.Stop()
	var (
		view   *game.View
		guard  guard
		shown  board.Frame
		known  bool // the display shows what shown says
		again  int64
		retry  int64
		pause  int64 = firstRetryMs
		failed bool
	)
	defer func() {
		if !known || shown != (board.Frame{}) {
			err = r.lights.Show(board.Frame{})
		}
		if closed := r.lights.Close(); closed != nil {
			err = closed
		}
	}()
	for {
		now := r.opt.Clock.Now()
		real := r.opt.Real()
		style, timed := r.style()
		frame, held := guard.pass(Compose(view, now, style), real)
		next := NextChange(view, now, style)
		if held != 0 {
			next = sooner(next, now+max(held-real, 1))
		}
		changed := frame != shown || !known
		if (changed || again != 0 && now >= again) && now >= retry {
			known = false // should Show panic, nobody knows
			err := r.lights.Show(frame)
			shown, known = frame, err == nil
			again = 0
			if r.opt.Repeat && changed && known {
				again = now + repeatMs
			}
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
		if again != 0 {
			next = sooner(next, max(again, now+1))
		}
		if next != 0 && timed {
			next = sooner(next, now+lookUpMs)
		}
		timer.Set(next)
		select {
		case <-ctx.Done():
			return nil
		case view = <-r.views:
		case <-r.troubled:
		case <-timer.C():
		}
	}
}
