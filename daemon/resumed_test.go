package daemon

import (
	"context"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// A board that was there before a stop is not said to be there until its source says so, whatever its driver.
func TestResumedBoardIsAwayUntilItIsSeen(t *testing.T) {
	t.Parallel()
	first := rules.Start()
	before := game.NewTable(game.Options{Games: "a", Start: &first})
	out := before.Step(board.Input{Kind: board.Wake})
	if out.Snapshot == nil || !out.Snapshot.Online {
		t.Fatalf("before the stop: %+v", out.Snapshot)
	}
	known := make(chan *Sink, 1)
	source := sourceFunc(func(ctx context.Context, sink *Sink) error {
		known <- sink
		<-ctx.Done()
		return nil
	})
	table := game.NewTable(game.Options{Games: "b", Resume: &game.Resume{Snapshot: out.Snapshot}})
	d := start(t, Options{Clock: NewManual(time.Unix(0, 0)), Boards: []Board{{Info: info("a"), Table: table, Source: source, Resumed: true}}})
	until(t, "the first snapshot", func() bool { _, ok := d.Latest("a"); return ok })
	if s, _ := d.Latest("a"); s.Online {
		t.Error("said to be there before anything was heard of it")
	}
	(<-known).Input(board.Input{Kind: board.Link, Online: true})
	until(t, "the board is there", func() bool { s, _ := d.Latest("a"); return s.Online })
}
