package daemon

import (
	"context"
	"fmt"
	"io"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
)

// Source is where a board's changes come from. Run gives them to sink until ctx ends or it fails; after a failure the board
// is offline and Run is called again a little later. An end without an error is the end: the board stays as it is.
type Source interface {
	Run(ctx context.Context, sink *Sink) error
}

// Sink takes what a source has. Its methods wait while the board's queue is full: the source waits, never the board.
type Sink struct{ seat *seat }

// Clock is the daemon's: a source stamps its inputs with it and waits by it.
func (s *Sink) Clock() Clock { return s.seat.clock }

// Input gives the core an input of a source that decodes for itself, at the core time in.T, which may still be to come. Such
// a source says itself when the board is there: a Link with Online.
func (s *Sink) Input(in board.Input) { s.seat.give(item{input: in}) }

// Opened says that the port is open and answers from now on: a new driver begins.
func (s *Sink) Opened() {
	s.seat.note(func(h *Health) {
		if !h.Failed {
			h.Fault = ""
		}
	})
	s.Bytes(nil)
}

// Bytes gives what the port has read to the board's driver. b may be used again after the call.
func (s *Sink) Bytes(b []byte) {
	s.seat.give(item{input: board.Input{T: s.seat.clock.Now()}, bytes: append([]byte{}, b...)})
}

// Out is what the driver wants written to the port. What nobody takes is dropped when the queue is full.
func (s *Sink) Out() <-chan []byte { return s.seat.out }

// Port is the source of a board that speaks bytes: each run opens the port once and reads until it fails. open must give
// something whose Close ends a waiting Read.
func Port(open func(ctx context.Context) (io.ReadWriteCloser, error)) Source { return port(open) }

type port func(ctx context.Context) (io.ReadWriteCloser, error)

func (open port) Run(ctx context.Context, sink *Sink) (err error) {
	rw, err := open(ctx)
	if err != nil {
		return err
	}
	ctx, cancel := context.WithCancel(ctx)
	var ends sync.WaitGroup
	written := make(chan struct{})
	ends.Go(func() { // closing ends a Read and a Write that wait
		<-ctx.Done()
		timer := time.NewTimer(lastWords)
		defer timer.Stop()
		select {
		case <-written:
		case <-timer.C:
		}
		rw.Close()
	})
	ends.Go(func() {
		defer close(written)
		defer cancel()
		for {
			select {
			case b := <-sink.Out():
				if _, err := rw.Write(b); err != nil {
					return
				}
				continue
			default: // all that was given out is written before the end
			}
			select {
			case <-ctx.Done():
				return
			case b := <-sink.Out():
				if _, err := rw.Write(b); err != nil {
					return
				}
			}
		}
	})
	defer ends.Wait()
	defer cancel()
	sink.drain()
	sink.Opened()
	buf := make([]byte, 4096)
	for {
		n, err := rw.Read(buf)
		if n > 0 {
			sink.Bytes(buf[:n])
		}
		if err != nil {
			return fmt.Errorf("read: %w", err)
		}
	}
}

// lastWords is how long a port that is to be closed may take for what was given out before.
const lastWords = 300 * time.Millisecond

// drain forgets what was to be written to a port that is gone.
func (s *Sink) drain() {
	for {
		select {
		case <-s.seat.out:
		default:
			return
		}
	}
}
