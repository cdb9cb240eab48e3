package mqtt

import (
	"errors"
	"fmt"
	"slices"
	"syscall"
	"testing"
	"time"
)

func TestRetry(t *testing.T) {
	t.Parallel()
	const s = time.Second
	refused := fmt.Errorf("network error: %w", syscall.ECONNREFUSED)
	broken := errors.New("EOF")
	type end struct {
		life time.Duration
		err  error
	}
	repeat := func(n int, ends ...end) (list []end) {
		for range n {
			list = append(list, ends...)
		}
		return list
	}
	for _, c := range []struct {
		name  string
		ends  []end
		pause []time.Duration // the last ones
		flaps bool            // after the last one
	}{
		{"a broker that is away", repeat(7, end{0, refused}), []time.Duration{16 * s, 30 * s, 30 * s}, false},
		{"started anew every half a minute", repeat(9, end{20 * s, broken}, end{0, refused}, end{0, refused}), []time.Duration{s, 2 * s, 4 * s}, false},
		{"just calm", repeat(9, end{10 * s, broken}), []time.Duration{s, s, s}, false},
		{"not calm, not brief", repeat(9, end{6 * s, broken}), []time.Duration{30 * s, 30 * s}, false},
		{"one id for two", repeat(5, end{s, broken}), []time.Duration{s, 2 * s, 4 * s, 8 * s, 16 * s}, true},
		{"one id for two, seen in the greeting too", repeat(5, end{s, broken}, end{0, broken}), []time.Duration{30 * s}, true},
		{"four are an accident", repeat(4, end{s, broken}), []time.Duration{s, 2 * s, 4 * s, 8 * s}, false},
		{"not in a row", append(repeat(4, end{s, broken}), end{6 * s, broken}, end{s, broken}), []time.Duration{30 * s}, false},
		{"a broker that fails soon after each start", repeat(9, end{s, broken}, end{0, refused}), []time.Duration{30 * s}, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			pace := usualPace
			r := retry{pace: &pace}
			var pauses []time.Duration
			flaps := false
			for _, e := range c.ends {
				var p time.Duration
				p, flaps = r.after(e.life, e.err)
				pauses = append(pauses, p)
			}
			if got := pauses[len(pauses)-len(c.pause):]; !slices.Equal(got, c.pause) || flaps != c.flaps {
				t.Errorf("pauses %v and flaps %v, want %v and %v", got, flaps, c.pause, c.flaps)
			}
		})
	}
}
