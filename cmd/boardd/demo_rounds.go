package main

import (
	"context"
	"fmt"
	"slices"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/rules"
)

// rounds plays the game once, or again and again.
func (d *demo) rounds(ctx context.Context, clock daemon.Clock, inputs chan<- board.Input, told *narrator, seen *witness) (string, error) {
	want := ucis(&d.game)
	base := int64(0) // what the hands' time 0 is, from the beginning of the board
	for round := 0; ; round++ {
		play, setUp := d.hands.perform(&d.game, round, d.loop)
		if d.game.start != rules.Start() { // another start must be asked for
			c := &board.Command{Verb: "new_game", StartFEN: d.game.start.FEN(), Force: true}
			play.Inputs = slices.Insert(play.Inputs, 0, board.Input{T: quietMs / 2, Kind: board.Cmd, Command: c})
		}
		told.expect(base, captions(&d.game, &play))
		if give(ctx, inputs, base, play.Inputs) {
			d.await(ctx, clock, told.began()+base+play.End, seen, want)
		}
		same, summary := compare(want, seen.standing())
		switch {
		case ctx.Err() != nil:
			return "interrupted", nil
		case !same:
			return "", fmt.Errorf("the moves published are not those played: %s", summary)
		case !d.loop:
			return summary, nil
		}
		d.screen.Say(summary, terminal.Normal)
		base = clock.Now() - told.began()
		told.expect(base, []caption{{0, "The men are set up for the next game."}})
		if !give(ctx, inputs, base, setUp.Inputs) {
			return "interrupted", nil
		}
		base += setUp.End
	}
}

// give puts inputs in one after the other; false when ctx has ended.
func give(ctx context.Context, to chan<- board.Input, base int64, inputs []board.Input) bool {
	for _, in := range inputs {
		in.T += base
		select {
		case to <- in:
		case <-ctx.Done():
			return false
		}
	}
	return true
}

// patience is how long the moves may take to come from the broker, in milliseconds of the board's clock. What happens after the core
// takes its time of life: at a thousand times its pace, 15 s of the board are 15 ms.
func (d *demo) patience() int64 { return int64(patienceMs * max(d.speed, 1)) }

// await waits until the hands are done at core time end, then until the wanted moves stand and the end has been looked at, or
// patience is over.
func (d *demo) await(ctx context.Context, clock daemon.Clock, end int64, seen *witness, want []string) {
	timer := clock.NewTimer()
	defer timer.Stop()
	done, looked := false, false
	until := end
	for {
		if done && !looked && slices.Equal(seen.standing(), want) {
			until, looked = clock.Now()+farewellMs, true
		}
		timer.Set(until)
		select {
		case <-ctx.Done():
			return
		case <-seen.news:
		case <-timer.C():
			if done {
				return
			}
			done, until = true, clock.Now()+d.patience()
		}
	}
}

// compare says how many of the moves that were played are published as such.
func compare(want, got []string) (same bool, summary string) {
	n := 0
	for n < len(want) && n < len(got) && want[n] == got[n] {
		n++
	}
	if len(got) == len(want) && n == len(want) {
		return true, fmt.Sprintf("%d of %d moves published as they were played", n, len(want))
	}
	at := func(list []string) string {
		if n < len(list) {
			return list[n]
		}
		return "nothing"
	}
	return false, fmt.Sprintf("%d of %d moves agree; then %s was played and %s published", n, len(want), at(want), at(got))
}
