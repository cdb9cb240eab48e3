package daemon

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// hangingTable hangs in its first step until it is let go, and panics then if it is told to.
type hangingTable struct {
	hangs, let chan struct{}
	panics     bool
}

func (h *hangingTable) Step(board.Input) game.Output {
	close(h.hangs)
	<-h.let
	if h.panics {
		panic("told to")
	}
	return game.Output{}
}

// silent asks all boards and gives them so long.
func silent(d *Daemon, patience time.Duration) []string {
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	return d.Ping(ctx)
}

func TestPingNamesTheBoardsThatHang(t *testing.T) {
	t.Parallel()
	hanging := &hangingTable{make(chan struct{}), make(chan struct{}), false}
	away := sourceFunc(func(context.Context, *Sink) error { return errors.New("not there") })
	d := start(t, Options{Boards: []Board{
		{Info: game.BoardInfo{ID: "well"}, Table: &fakeTable{}},
		{Info: game.BoardInfo{ID: "hanging"}, Table: &onceHanging{hanging: hanging}},
		{Info: game.BoardInfo{ID: "away"}, Table: &fakeTable{}, Source: away},
	}})
	<-hanging.hangs
	if got := silent(d, 50*time.Millisecond); !slices.Equal(got, []string{"hanging"}) {
		t.Errorf("silent: %q", got)
	}
	close(hanging.let)
	if got := silent(d, 20*time.Second); len(got) > 0 {
		t.Errorf("silent when it has gone on: %q", got)
	}
}

// onceHanging hangs in the first step only.
type onceHanging struct {
	hanging *hangingTable
	fakeTable
}

func (o *onceHanging) Step(in board.Input) game.Output {
	if h := o.hanging; h != nil {
		o.hanging = nil
		h.Step(in)
	}
	return o.fakeTable.Step(in)
}

func TestBoardThatFailedOwesNoSignOfLife(t *testing.T) {
	t.Parallel()
	table := &hangingTable{make(chan struct{}), make(chan struct{}), true}
	close(table.let)
	d := start(t, Options{Boards: []Board{{Info: game.BoardInfo{ID: "one"}, Table: table}}})
	until(t, "it has failed", func() bool { return d.Health("one") == Health{Failed: true, Fault: "has failed"} })
	if got := silent(d, 20*time.Second); len(got) > 0 {
		t.Errorf("silent: %q", got)
	}
}

// onlineTable is online as the last link said.
type onlineTable struct{}

func (onlineTable) Step(in board.Input) game.Output {
	return game.Output{Snapshot: &game.Snapshot{Online: in.Online}}
}

func TestHealthFollowsABoard(t *testing.T) {
	t.Parallel()
	steps := make(chan error)
	source := sourceFunc(func(ctx context.Context, sink *Sink) error {
		for {
			select {
			case err := <-steps:
				if err != nil {
					return err
				}
				sink.Input(board.Input{T: sink.Clock().Now(), Kind: board.Link, Online: true})
			case <-ctx.Done():
				return nil
			}
		}
	})
	d := start(t, Options{Clock: NewRunning(100), Boards: []Board{{Info: game.BoardInfo{ID: "one"}, Table: onlineTable{}, Source: source}}})
	changed, cancel := d.Watch()
	defer cancel()
	is := func(want Health) {
		t.Helper()
		for deadline := time.After(20 * time.Second); d.Health("one") != want; {
			select {
			case <-changed:
			case <-deadline:
				t.Fatalf("health %+v, want %+v", d.Health("one"), want)
			}
		}
	}
	is(Health{})
	steps <- errors.New("not plugged in")
	is(Health{Fault: "not plugged in"})
	steps <- nil
	is(Health{Online: true})
	steps <- errors.New("pulled out")
	is(Health{Fault: "pulled out"})
	if d.Health("nobody") != (Health{}) {
		t.Error("a board that there is not has a health")
	}
}
