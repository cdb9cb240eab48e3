package virtual

import (
	"context"
	"slices"
	"testing"
	"testing/synctest"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestInputsAreGivenWithTheirTimes(t *testing.T) {
	t.Parallel()
	inputs := make(chan board.Input, 8)
	for _, at := range []int64{100, 100, 1000, 400} { // the last falls: it takes the time before it
		inputs <- board.Input{T: at, Kind: board.Change, Square: 12, Symbol: board.Empty}
	}
	close(inputs)
	var got []board.Input
	var at []int64
	b := Board{Start: board.EmptyPicture(), Inputs: inputs}
	if err := b.Run(t.Context(), 5000, func(in board.Input) { got, at = append(got, in), append(at, in.T) }); err != nil {
		t.Fatal(err)
	}
	if !got[0].Online || got[0].Kind != board.Link || got[1].Kind != board.Scan || got[1].Picture != board.EmptyPicture() {
		t.Errorf("begins with %+v", got[:2])
	}
	if want := []int64{5000, 5000, 5100, 5100, 6000, 6000}; !slices.Equal(at, want) {
		t.Errorf("given with %v, want %v", at, want)
	}
}

func TestRunEndsWhileItWaits(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ctx, cancel := context.WithCancel(t.Context())
		given := 0
		done := make(chan error)
		go func() {
			b := Board{Inputs: make(chan board.Input)}
			done <- b.Run(ctx, 0, func(board.Input) { given++ })
		}()
		synctest.Wait()
		cancel()
		if err := <-done; err != nil || given != 2 {
			t.Errorf("%v after %d inputs", err, given)
		}
	})
}
