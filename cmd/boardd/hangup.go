package main

import (
	"context"
	"os"
	"os/signal"
	"sync/atomic"
	"syscall"
)

// hangups is what SIGHUP does: it ends the command, unless that has taken it for something else.
type hangups struct{ taken atomic.Pointer[chan struct{}] }

type hangupsKey struct{}

// hearHangups lets a hangup end the context, with the key by which takeHangups finds it. Where boardd was started not to mind that the
// terminal goes away (nohup), it hears none.
func hearHangups(ctx context.Context, end func()) context.Context {
	if signal.Ignored(syscall.SIGHUP) {
		return ctx
	}
	h := &hangups{}
	heard := make(chan os.Signal, 1)
	signal.Notify(heard, syscall.SIGHUP)
	go func() {
		for {
			select {
			case <-ctx.Done():
				// A terminal that goes away may say so twice, once itself and once by its shell: from now on it is heard by nobody.
				return
			case <-heard:
			}
			to := h.taken.Load()
			if to == nil {
				end()
				continue
			}
			select {
			case *to <- struct{}{}:
			default: // one that waits is enough
			}
		}
	}()
	return context.WithValue(ctx, hangupsKey{}, h)
}

// takeHangups gives the hangups that come from now on to the command, and they end it no more. In a terminal they go on to say that
// it has gone, and end the command: then the channel is nil.
func takeHangups(ctx context.Context) <-chan struct{} {
	h, ok := ctx.Value(hangupsKey{}).(*hangups)
	if !ok || hasTerminal() {
		return nil
	}
	to := make(chan struct{}, 1)
	h.taken.Store(&to)
	return to
}

// hasTerminal reports whether this process has a terminal that may go away.
func hasTerminal() bool {
	f, err := os.Open("/dev/tty")
	if err == nil {
		_ = f.Close()
	}
	return err == nil
}
