package mqtt

import (
	"log/slog"
	"sync"
	"sync/atomic"

	"github.com/boardd/boardd/commands"
)

// voice says each change once: a broker that is away for a day is one line, not thousands.
type voice struct {
	logger *slog.Logger
	mu     sync.Mutex
	last   string
	quiet  bool // the connection flaps: only other troubles are news
}

// trouble logs err unless it was the last thing said. While flapping, coming up again is no news either.
func (v *voice) trouble(flapping bool, err error) {
	v.mu.Lock()
	defer v.mu.Unlock()
	v.quiet = flapping
	if line := err.Error(); line != v.last {
		v.last = line
		v.logger.Error("MQTT: " + line)
	}
}

// well logs that all is well if it was not before.
func (v *voice) well(line string) {
	v.mu.Lock()
	defer v.mu.Unlock()
	if line != v.last && !v.quiet {
		v.last = line
		v.logger.Info("MQTT: " + line)
	}
}

// counts is what was not done, for info.
type counts struct {
	Retained    atomic.Int64 // commands that lay retained at the broker
	TooLarge    atomic.Int64
	BadJSON     atomic.Int64
	BadValue    atomic.Int64
	UnknownVerb atomic.Int64
	Forbidden   atomic.Int64
	RateLimited atomic.Int64
	Overflow    atomic.Int64 // commands that found their queue full
	Unanswered  atomic.Int64 // replies that could not be kept until a connection came
	SetAside    atomic.Int64 // events that cannot be published
}

// of is the counter of a refusal's code, nil for codes that are not counted.
func (c *counts) of(code string) *atomic.Int64 {
	switch code {
	case commands.TooLarge:
		return &c.TooLarge
	case commands.BadJSON:
		return &c.BadJSON
	case commands.BadValue:
		return &c.BadValue
	case commands.UnknownVerb:
		return &c.UnknownVerb
	case commands.Forbidden:
		return &c.Forbidden
	case commands.RateLimited:
		return &c.RateLimited
	}
	return nil
}

type countsBody struct {
	Retained    int64 `json:"retained"`
	TooLarge    int64 `json:"too_large"`
	BadJSON     int64 `json:"bad_json"`
	BadValue    int64 `json:"bad_value"`
	UnknownVerb int64 `json:"unknown_verb"`
	Forbidden   int64 `json:"forbidden"`
	RateLimited int64 `json:"rate_limited"`
	Overflow    int64 `json:"overflow"`
	Unanswered  int64 `json:"unanswered"`
}

func (c *counts) body() countsBody {
	return countsBody{
		c.Retained.Load(), c.TooLarge.Load(), c.BadJSON.Load(), c.BadValue.Load(), c.UnknownVerb.Load(),
		c.Forbidden.Load(), c.RateLimited.Load(), c.Overflow.Load(), c.Unanswered.Load(),
	}
}
