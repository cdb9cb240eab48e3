package chaos

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"slices"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/mqtt"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"github.com/boardd/boardd/sensing/hand"
	"github.com/boardd/boardd/store"
)

// jumping is a clock whose time of day is set to another one now and then.
type jumping struct {
	*daemon.Running
	off atomic.Int64
}

func (c *jumping) Wall() time.Time { return c.Running.Wall().Add(time.Duration(c.off.Load())) }

// source is where a board's changes come from.
type source func(ctx context.Context, sink *daemon.Sink) error

func (f source) Run(ctx context.Context, sink *daemon.Sink) error { return f(ctx, sink) }

// played is a source whose hands play a match.
func played(m *match, a board.Acuity) source {
	return func(ctx context.Context, sink *daemon.Sink) error {
		start := rules.Start()
		inputs := make(chan board.Input, len(m.Inputs))
		for _, in := range m.Inputs {
			inputs <- in
		}
		close(inputs)
		v := virtual.Board{Start: picture(a, &start), Inputs: inputs}
		if err := v.Run(ctx, sink.Clock().Now(), sink.Input); err != nil {
			return err
		}
		<-ctx.Done()
		return nil
	}
}

// fails panics at one of its steps, as no core should.
type fails struct {
	daemon.Table
	steps int
}

func (f *fails) Step(in board.Input) game.Output {
	if f.steps--; f.steps == 0 {
		var none []int
		_ = none[f.steps] // out of range
	}
	return f.Table.Step(in)
}

// inProcess builds a house of boards with a store and a door, and runs it until the test is over, or stop is called.
func inProcess(t *testing.T, dir, broker string, clock daemon.Clock, disk func(*store.Store) daemon.Disk, boards []daemon.Board) (house *daemon.Daemon, stop func()) {
	t.Helper()
	log := slog.New(slog.NewTextHandler(io.Discard, nil))
	s, err := store.Open(store.Options{Dir: dir, Log: log, Now: time.Now})
	if err != nil {
		t.Fatal(err)
	}
	guard := &daemon.Guard{Disk: disk(s), Log: log}
	house, err = daemon.New(daemon.Options{Boards: boards, Clock: clock, Journal: guard, Log: log})
	if err != nil {
		t.Fatal(err)
	}
	door, err := mqtt.New(mqtt.Options{URL: "mqtt://" + broker, Node: "club", ClientID: "boardd-club-1", Commands: "play", Logger: log, Now: clock.Wall}, house)
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	atDoor, leave := context.WithCancel(context.Background())
	var inside, door2 sync.WaitGroup
	var errs [3]error
	inside.Go(func() { errs[0] = house.Run(ctx) })
	inside.Go(func() { errs[1] = s.Run(ctx) })
	door2.Go(func() { errs[2] = door.Run(atDoor) })
	stop = sync.OnceFunc(func() {
		leave()
		door2.Wait()
		cancel()
		inside.Wait()
		if err := errors.Join(append(errs[:], guard.Close(5*time.Second), s.Close())...); err != nil {
			t.Error(err)
		}
	})
	t.Cleanup(stop)
	return house, stop
}

func plain(s *store.Store) daemon.Disk { return s }

// virtualBoard is a board that hands play a match on.
func virtualBoard(id string, m *match) daemon.Board {
	const a = board.PieceAcuity
	table := game.NewTable(game.Options{Games: id, Acuity: a, SettleMs: sensing.DefaultSettleMs})
	return daemon.Board{Info: game.BoardInfo{ID: id, Name: id, Driver: "virtual", Acuity: a}, Table: table, Source: played(m, a)}
}

// TestWallClockSteps sets the time of day on by a day and back again and again: nothing is lost, and nobody waits for a day.
func TestWallClockSteps(t *testing.T) {
	t.Parallel()
	broker := newBroker(t)
	r := newRecorder(t, broker.address, "club")
	clock := &jumping{Running: daemon.NewRunning(10)}
	sensor := hand.Styles().Sensor(board.PieceAcuity)
	matches := map[string]*match{}
	var boards []daemon.Board
	for i, id := range []string{"one", "two"} {
		m := newMatch(t, dice(5, uint64(i)), sensor, 2, 30)
		matches[id] = m
		boards = append(boards, virtualBoard(id, m))
	}
	dir := t.TempDir()
	_, stop := inProcess(t, dir, broker.address, clock, plain, boards)
	steps := 0
	eventually(t, "all is told", time.Minute, func() bool {
		steps++
		if steps%20 == 0 {
			clock.off.Store([]int64{int64(24 * time.Hour), 0, -int64(24 * time.Hour), 0}[steps/20%4])
		}
		for id, m := range matches {
			if games, _, err := told(r.story(id)); err != nil || !sameGames(games, m.games) {
				return false
			}
		}
		return true
	})
	stop()
	t.Logf("the clock was set %d times", steps/20)
	if steps < 100 {
		t.Errorf("it was set %d times only", steps/20)
	}
	r.mu.Lock()
	for _, fault := range r.faults {
		t.Error(fault)
	}
	r.mu.Unlock()
	sameInStore(t, dir, matches)
}

// sameInStore compares the games that a store has with those that were played.
func sameInStore(t *testing.T, dir string, matches map[string]*match) {
	t.Helper()
	s, err := store.Read(dir)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	if report, err := s.Check(); err != nil || len(report.Faults) > 0 {
		t.Errorf("store: %v, %v", err, report.Faults)
	}
	for id, m := range matches {
		var kept [][]string
		for g, err := range s.Games(store.Which{Board: id}) {
			if err != nil {
				t.Fatal(err)
			}
			kept = append(kept, g.UCI)
		}
		if !sameGames(kept, m.games) {
			t.Errorf("%s: the store has %v\nplayed %v", id, kept, m.games)
		}
	}
}

// TestOneBoardsFault: beside a board whose source panics, one whose source stands still, one that cannot be opened and one whose core
// fails, the others play on as if nothing were.
func TestOneBoardsFault(t *testing.T) {
	t.Parallel()
	broker := newBroker(t)
	r := newRecorder(t, broker.address, "club")
	sensor := hand.Styles().Sensor(board.PieceAcuity)
	matches := map[string]*match{}
	var boards []daemon.Board
	for i, id := range []string{"well-1", "well-2", "panics", "hangs", "absent", "core"} {
		m := newMatch(t, dice(6, uint64(i)), sensor, 1, 30)
		b := virtualBoard(id, m)
		switch id {
		case "panics":
			b.Source = source(func(context.Context, *daemon.Sink) error { var p *match; return errors.New(p.games[0][0]) })
		case "hangs":
			b.Source = source(func(ctx context.Context, _ *daemon.Sink) error { <-ctx.Done(); return nil })
		case "absent":
			b.Source = source(func(context.Context, *daemon.Sink) error { return errors.New("it is not there") })
		case "core":
			b.Table = &fails{b.Table, 150}
		default:
			matches[id] = m
		}
		boards = append(boards, b)
	}
	dir := t.TempDir()
	_, stop := inProcess(t, dir, broker.address, daemon.NewRunning(10), plain, boards)
	eventually(t, "the others are told", time.Minute, func() bool {
		for id, m := range matches {
			if games, _, err := told(r.story(id)); err != nil || !sameGames(games, m.games) {
				return false
			}
		}
		return true
	})
	stop()
	sameInStore(t, dir, matches)
	games, _, err := told(r.story("core"))
	if err != nil || len(games) != 1 || len(games[0]) == 0 || len(games[0]) == 30 {
		t.Errorf("the board whose core fails in the midst of its game has told %v, %v", games, err)
	}
}

// percentile of durations, 0 of none.
func percentile(d []time.Duration, p float64) time.Duration {
	if len(d) == 0 {
		return 0
	}
	d = slices.Clone(d)
	slices.Sort(d)
	return d[min(int(p*float64(len(d))), len(d)-1)]
}
