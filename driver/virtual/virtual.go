// Package virtual is a board without hardware: what it reports is put in by the program, a simulated hand or a test.
package virtual

import (
	"context"

	"github.com/boardd/boardd/board"
)

// Board is read from a channel. An input's time is counted from the beginning of Run. Inputs are given as soon as they are
// known, with the time at which they happen: whoever takes them waits for that, and a program that is held up does not bend
// the hand's times.
type Board struct {
	Start  board.Picture // what stands on it at the beginning
	Inputs <-chan board.Input
}

// Run says at core time begin that the board is there and what stands on it, then gives what comes, until ctx ends or the
// channel is closed. Closed means that nothing will be touched any more: the board stays as it is.
func (b *Board) Run(ctx context.Context, begin int64, give func(board.Input)) error {
	last := begin
	give(board.Input{T: begin, Kind: board.Link, Online: true})
	give(board.Input{T: begin, Kind: board.Scan, Picture: b.Start})
	for {
		select {
		case <-ctx.Done():
			return nil
		case in, ok := <-b.Inputs:
			if !ok {
				return nil
			}
			in.T = max(in.T+begin, last)
			last = in.T
			give(in)
		}
	}
}
