// Package virtual is a board without hardware: what it reports is put in by the program, a simulated hand or a test.
package virtual

import (
	"context"
	"time"

	"github.com/boardd/boardd/board"
)

// Clock is the core time in milliseconds by which a board is read.
type Clock interface {
	Now() int64
	NewTimer() Timer
}

// Timer gives a value on C once the core time that was set has come.
type Timer interface {
	C() <-chan time.Time
	Set(at int64)
	Stop()
}

// Board is read from a channel. An input's time is counted from the beginning of Run, and the input waits until it has come;
// one whose time has passed is given at once, with its own time: a program that is held up does not bend the hand's times.
type Board struct {
	Start  board.Picture // what stands on it at the beginning
	Inputs <-chan board.Input
}

// Run says that the board is there and what stands on it, then gives what comes, until ctx ends or the channel is closed.
// Closed means that nothing will be touched any more: the board stays as it is.
func (b *Board) Run(ctx context.Context, clock Clock, give func(board.Input)) error {
	timer := clock.NewTimer()
	defer timer.Stop()
	begin := clock.Now()
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
			if in.T > clock.Now() {
				timer.Set(in.T)
				select {
				case <-ctx.Done():
					return nil
				case <-timer.C():
				}
			}
			give(in)
		}
	}
}
