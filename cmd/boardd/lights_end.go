package main

import (
	"context"
	"log/slog"
	"time"
)

// lightsEnd is how long the end of boardd waits for LEDs that do not answer: a bus may hang for good, and a call to it with it.
const lightsEnd = 2 * time.Second

// lightsWithin runs lights until they have ended; but when they have not lightsEnd after ctx has, they are left as they are, and that
// is said.
func lightsWithin(run func(context.Context) error, log *slog.Logger) func(context.Context) error {
	return func(ctx context.Context) error {
		ended := make(chan error, 1)
		go func() { ended <- run(ctx) }()
		select {
		case err := <-ended:
			return err
		case <-ctx.Done():
		}
		timer := time.NewTimer(lightsEnd)
		defer timer.Stop()
		select {
		case err := <-ended:
			return err
		case <-timer.C:
			log.Error("the lights do not answer and may stay lit; boardd ends without them", "waited", lightsEnd)
			return nil
		}
	}
}
