package chaos

import (
	"context"
	"fmt"
	"io"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/driver/emulator"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/leds"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
	"github.com/boardd/boardd/store"
)

// stopwatch follows a touch from the board's last byte to all who hear of it.
type stopwatch struct {
	mu     sync.Mutex
	byte   time.Time                   // when the board last told a change
	views  map[*game.View][2]time.Time // byte and step of each view
	events map[int64][2]time.Time      // byte and step of each move, by number
	style  leds.Style
	frame  board.Frame   // what the newest view is to look like
	due    *[2]time.Time // since when the lights are to change; nil: they are not
	quiet  time.Time     // when live was last published
	slow   time.Duration // how long each commit takes longer

	lights, lightsFromStep, live, commit, event, eventFromStep []time.Duration
}

// heardBoard is a board whose telling of changes is timed.
type heardBoard struct {
	emulator.Machine
	w    *stopwatch
	rest []byte // of a message that has not gone out whole
}

func (h *heardBoard) Step(now int64, in []byte) (out []byte, wake int64) {
	out, wake = h.Machine.Step(now, in)
	h.rest = append(h.rest, out...)
	for len(h.rest) >= 3 {
		n := int(h.rest[1])<<7 | int(h.rest[2]) // of the whole message
		if n < 3 || len(h.rest) < n {
			break
		}
		if h.rest[0] == dgt.FieldUpdate {
			h.w.mu.Lock()
			h.w.byte = time.Now()
			h.w.mu.Unlock()
		}
		h.rest = h.rest[n:]
	}
	return out, wake
}

// timedTable notes when views and moves come about.
type timedTable struct {
	daemon.Table
	w *stopwatch
}

func (t timedTable) Step(in board.Input) game.Output {
	began := time.Now()
	out := t.Table.Step(in)
	t.w.mu.Lock()
	defer t.w.mu.Unlock()
	if t.w.byte.IsZero() {
		return out
	}
	if out.View != nil && in.Kind == board.Change { // what comes by time alone is no reaction
		t.w.views[out.View] = [2]time.Time{t.w.byte, began}
	}
	for _, e := range out.Events {
		if e.Type == "move" {
			t.w.events[e.Seq] = [2]time.Time{t.w.byte, began}
		}
	}
	return out
}

// Show implements board.Lights.
func (w *stopwatch) Show(f board.Frame) error {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.due != nil && f == w.frame {
		now := time.Now()
		w.lights = append(w.lights, now.Sub(w.due[0]))
		w.lightsFromStep = append(w.lightsFromStep, now.Sub(w.due[1]))
		w.due = nil
	}
	return nil
}

// Close implements board.Lights.
func (w *stopwatch) Close() error { return nil }

// timedDisk notes when moves are on the disk, which may be slow.
type timedDisk struct {
	daemon.Disk
	w *stopwatch
}

func (d timedDisk) Commit(batches []game.Batch) error {
	if d.w.slow > 0 {
		wait(d.w.slow, nil)
	}
	err := d.Disk.Commit(batches)
	now := time.Now()
	d.w.mu.Lock()
	defer d.w.mu.Unlock()
	for i := range batches {
		for _, e := range batches[i].Events {
			if at, ok := d.w.events[e.Seq]; ok && err == nil {
				d.w.commit = append(d.w.commit, now.Sub(at[0]))
			}
		}
	}
	return err
}

// ledClock is a daemon's clock for lights.
type ledClock struct{ daemon.Clock }

func (c ledClock) NewTimer() leds.Timer { return c.Clock.NewTimer() }

// measured plays on one DGT board for a while, and says what was measured. With stalled, nothing passes to the broker meanwhile.
func measured(t *testing.T, seed uint64, plies int, slow time.Duration, stalled bool) *stopwatch {
	w := &stopwatch{views: map[*game.View][2]time.Time{}, events: map[int64][2]time.Time{}, style: leds.DefaultStyle(), slow: slow}
	e, err := emulator.Open(&heardBoard{Machine: emulated.New(emulated.Options{ScanMs: 10}), w: w}, emulator.Options{})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = e.Close() })
	start := rules.Start()
	e.Show(picture(board.PieceAcuity, &start))
	broker := newBroker(t)
	proxy := newProxy(t, broker.address)
	r := newRecorder(t, broker.address, "club")
	r.hear = func(leaf string, at time.Time) { // recorder.mu is held
		w.mu.Lock()
		defer w.mu.Unlock()
		if leaf == "board/live" {
			if d := at.Sub(w.byte); !w.byte.IsZero() && w.byte.After(w.quiet.Add(100*time.Millisecond)) && d < time.Second {
				w.live = append(w.live, d) // later ones in the same tenth of a second wait for the next
			}
			w.quiet = at
		}
	}
	clock := daemon.NewRunning(1)
	table := game.NewTable(game.Options{Games: "g", Acuity: board.PieceAcuity, Mode: game.Training})
	b := daemon.Board{
		Info: game.BoardInfo{ID: "board", Name: "board", Driver: "dgt", Acuity: board.PieceAcuity}, Table: timedTable{table, w},
		NewDriver: func() board.Driver { return dgt.New(dgt.Options{}) },
		Source: daemon.Port(func(context.Context) (io.ReadWriteCloser, error) {
			return port.Open(port.Options{Path: e.Path()})
		}),
	}
	house, stop := inProcess(t, t.TempDir(), proxy.address(), clock, func(s *store.Store) daemon.Disk { return timedDisk{s, w} }, []daemon.Board{b})
	lights := leds.NewRunner(w, leds.Options{Clock: ledClock{clock}, Style: w.style})
	ctx, cancel := context.WithCancel(context.Background())
	var running sync.WaitGroup
	defer running.Wait()
	defer cancel()
	running.Go(func() { _ = lights.Run(ctx) })
	running.Go(func() { // as cmd/boardd brings views to lights
		changed, end := house.Watch()
		defer end()
		var last *game.View
		for {
			if v, _ := house.View("board"); v != nil && v != last {
				last = v
				w.expect(v, clock.Now())
				lights.Show(v)
			}
			select {
			case <-ctx.Done():
				return
			case <-changed:
			}
		}
	})
	eventually(t, "a game begins", time.Minute, func() bool {
		return len(r.story("board")) > 0 && strings.Contains(lastOf(r, "board/state"), `"playing"`)
	})
	if stalled {
		proxy.stall(true)
	}
	m := newMatch(t, dice(seed, 9), hand.Styles().Sensor(board.PieceAcuity), 1, plies)
	h := newHands(m, e.Set)
	began := time.Now()
	h.run(ctx)
	t.Logf("played for %v", time.Since(began).Round(time.Second))
	proxy.stall(false)
	eventually(t, "all is told", 2*time.Minute, func() bool {
		games, _, err := told(r.story("board"))
		return err == nil && sameGames(games, m.games)
	})
	stop()
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, ev := range r.story("board") {
		if at, ok := w.events[ev.Seq]; ok && ev.Type == "move" {
			w.event = append(w.event, ev.at.Sub(at[0]))
			w.eventFromStep = append(w.eventFromStep, ev.at.Sub(at[1]))
		}
	}
	return w
}

func lastOf(r *recorder, leaf string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.last[leaf]
}

// expect notes that the lights are to change with this view, if they are.
func (w *stopwatch) expect(v *game.View, now int64) {
	w.mu.Lock()
	defer w.mu.Unlock()
	f := leds.Compose(v, now, w.style)
	at, timed := w.views[v]
	if f == w.frame {
		return
	}
	w.frame, w.due = f, nil
	if timed {
		w.due = &at
	}
}

func row(what string, d []time.Duration) string {
	return fmt.Sprintf("%-64s %5d  p50 %9v  p99 %9v\n", what, len(d), percentile(d, 0.5).Round(10*time.Microsecond), percentile(d, 0.99).Round(10*time.Microsecond))
}

// TestSoakLatencies prints what docs/performance.md says of the way from the board's last byte.
func TestSoakLatencies(t *testing.T) {
	chaosEvenings(t)
	w := measured(t, 1, 150, 0, false)
	t.Logf("\n%s%s%s%s%s%s", row("last byte to lights", w.lights), row("last byte to live at a subscriber", w.live), row("last byte to commit", w.commit),
		row("last byte to event at a subscriber", w.event), row("decision to event at a subscriber", w.eventFromStep), row("decision to lights", w.lightsFromStep))
	w = measured(t, 2, 150, 500*time.Millisecond, true)
	t.Logf("broker stalled, each commit 0.5 s longer:\n%s%s%s", row("last byte to lights", w.lights), row("decision to lights", w.lightsFromStep), row("last byte to commit", w.commit))
	if p := percentile(w.lights, 0.5); len(w.lights) < 100 || p > 10*time.Millisecond {
		t.Errorf("lights: %d reactions, p50 %v", len(w.lights), p)
	}
}
