package mqtt

import (
	"time"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// clockBody is the body of the topic clock.
type clockBody struct {
	V       int          `json:"v"`
	WhiteMs *int64       `json:"white_ms"`
	BlackMs *int64       `json:"black_ms"`
	Running *rules.Color `json:"running"`
	At      *string      `json:"at"`
	FlagAt  *string      `json:"flag_at"`
}

// clockAt is the players' clock as it stands now: the running side has used the time since the reading.
func clockAt(s game.StampedSnapshot, now time.Time) (white, black int64) {
	white, black = s.Clock.WhiteMs, s.Clock.BlackMs
	if s.Clock.Running == nil {
		return white, black
	}
	read := s.TS.Add(time.Duration(s.Clock.T-s.T) * time.Millisecond)
	used := max(now.Sub(read).Milliseconds(), 0)
	if *s.Clock.Running == rules.White {
		return max(white-used, min(white, 0)), black
	}
	return white, max(black-used, min(black, 0))
}

// clockOf is the body of the topic clock. flag_at is null while the wall clock is not to be trusted.
func clockOf(s game.StampedSnapshot, now time.Time) []byte {
	b := clockBody{V: 1}
	if s.Clock == nil {
		return encode(b)
	}
	white, black := clockAt(s, now)
	at := stamp(now)
	b.WhiteMs, b.BlackMs, b.Running, b.At = &white, &black, s.Clock.Running, &at
	if b.Running != nil && s.TSOK {
		left := white
		if *b.Running == rules.Black {
			left = black
		}
		flag := stamp(now.Add(time.Duration(left) * time.Millisecond))
		b.FlagAt = &flag
	}
	return encode(b)
}

// clockSaid is what was last said of a clock.
type clockSaid struct {
	ever    bool
	reading *game.ClockView
	at      time.Time
}

func (c *clockSaid) said(s game.StampedSnapshot, now time.Time) {
	*c = clockSaid{true, s.Clock, now}
}

// due says in how long a running clock is to be said again: every 10 s, every second when its side has less than 20 s.
func (c *clockSaid) due(s game.StampedSnapshot, now time.Time) (in time.Duration, ticks bool) {
	if s.Clock == nil || s.Clock.Running == nil {
		return 0, false
	}
	white, black := clockAt(s, now)
	left := white
	if *s.Clock.Running == rules.Black {
		left = black
	}
	every := 10 * time.Second
	if left < 20_000 {
		every = time.Second
	}
	if now.Before(c.at) {
		return 0, true // the wall clock was set back
	}
	return every - now.Sub(c.at), true
}

// is reports whether the clock needs not be said: no press, start or stop since, no time set anew, and no tick due.
func (c *clockSaid) is(s game.StampedSnapshot, now time.Time) bool {
	switch {
	case !c.ever:
		return false
	case s.Clock == nil || c.reading == nil:
		return s.Clock == nil && c.reading == nil
	case !sameSide(s.Clock.Running, c.reading.Running):
		return false
	case s.Clock.Running == nil && (s.Clock.WhiteMs != c.reading.WhiteMs || s.Clock.BlackMs != c.reading.BlackMs):
		return false
	}
	in, ticks := c.due(s, now)
	return !ticks || in > 0
}

func sameSide(a, b *rules.Color) bool {
	return a == b || a != nil && b != nil && *a == *b
}
