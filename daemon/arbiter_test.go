package daemon

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// What only the arbiter of an observed board may see leaves as a stream of its own, without a gap in either.
func TestArbitersEventsAreAStreamOfTheirOwn(t *testing.T) {
	t.Parallel()
	p := rules.Start()
	table := game.NewTable(game.Options{Games: "g", Mode: game.Observer, Start: &p})
	d := start(t, Options{Clock: NewManual(time.Unix(0, 0)), Boards: []Board{{Info: info("a"), Table: table}}})
	ctx, cancel := context.WithTimeout(context.Background(), 20*time.Second)
	defer cancel()
	for range 2 {
		on := true
		if r, err := d.Do(ctx, "a", &board.Command{Verb: "lights", On: &on}); err != nil || r.Status != "ok" {
			t.Fatalf("%+v %v", r, err)
		}
	}
	var got []string
	seq := map[string]int64{}
	for _, e := range d.Outbox("x", 10) {
		got = append(got, e.Board+" "+e.Type)
		if seq[e.Board]++; e.Seq != seq[e.Board] {
			t.Errorf("%s: seq %d", e.Board, e.Seq)
		}
		d.Ack("x", e.Board, e.Seq)
	}
	if len(got) != 3 || got[0] != "a game_start" || got[1] != "a/arbiter command" || got[2] != "a/arbiter command" {
		t.Errorf("%v", got)
	}
	if left := d.Outbox("x", 10); len(left) != 0 {
		t.Errorf("left: %v", left)
	}
	if s, ok := d.Latest("a"); !ok || s.Seq != 1 || s.ArbiterSeq != 2 {
		t.Errorf("%+v", s.Snapshot)
	}
	if _, err := d.Events(game.Stream("a", true), 1, 10); err == nil {
		t.Error("anybody may have them again")
	}
	if list, err := d.ArbiterEvents("a", 2, 10); err != nil || len(list) != 1 || list[0].Seq != 2 || list[0].Board != game.Stream("a", true) {
		t.Errorf("the arbiter has not: %v, %v", list, err)
	}
	if _, err := d.ArbiterEvents("b", 1, 10); !errors.Is(err, ErrNoBoard) {
		t.Errorf("a board that is not there: %v", err)
	}
}
