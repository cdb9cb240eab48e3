package line

import (
	"context"
	"time"

	"github.com/boardd/boardd/board"
)

// Conversation is a machine that talks over a line outside of the daemon.
type Conversation struct {
	Line    *Line
	Machine board.Driver
	Online  bool // the machine says that its board is there

	began time.Time
	buf   [4096]byte
}

// Until talks until done says so, or for so long.
func (c *Conversation) Until(ctx context.Context, within time.Duration, done func() (bool, error)) (bool, error) {
	var in []byte
	if c.began.IsZero() {
		c.began, in = time.Now(), []byte{} // the port was opened
	}
	for end := time.Now().Add(within); time.Now().Before(end) && ctx.Err() == nil; {
		inputs, out, _ := c.Machine.Step(time.Since(c.began).Milliseconds(), in)
		for i := range inputs {
			if inputs[i].Kind == board.Link {
				c.Online = inputs[i].Online
			}
		}
		if len(out) > 0 {
			if _, err := c.Line.Write(out); err != nil {
				return false, err
			}
		}
		if ok, err := done(); ok || err != nil {
			return ok, err
		}
		n, err := c.Line.Poll(c.buf[:])
		if err != nil {
			return false, err
		}
		if in = c.buf[:n]; n == 0 {
			in = nil
		}
	}
	return false, ctx.Err()
}

// identify talks to whatever is at a port until the driver's machine says that its board is there, or something better is.
func identify(ctx context.Context, l *Line, machine board.Driver, within time.Duration, better func() bool) (bool, error) {
	talk := Conversation{Line: l, Machine: machine}
	looked := time.Now()
	return talk.Until(ctx, within, func() (bool, error) {
		if time.Since(looked) >= glance {
			if looked = time.Now(); better() {
				return false, errBetter
			}
		}
		return talk.Online, nil
	})
}
