package chaos

import (
	"testing"
	"time"
)

// TestSoakTwentyBoards plays on twenty boards of one boardd at once, at a blitz pace: nothing may be lost. It prints what that costs.
func TestSoakTwentyBoards(t *testing.T) {
	chaosEvenings(t)
	y := &tally{}
	e, hands := newEvening(t, 20, plan{boards: 20, games: 1, plies: 60}, y)
	began := time.Now()
	_, before, err := e.daemon.usage()
	if err != nil {
		t.Fatal(err)
	}
	most := int64(0)
	over := make(chan struct{})
	go func() { hands.Wait(); close(over) }()
	for playing := true; playing; {
		wait(200*time.Millisecond, over)
		select {
		case <-over:
			playing = false
		default:
		}
		rss, _, err := e.daemon.usage()
		if err != nil {
			t.Fatal(err)
		}
		most = max(most, rss)
	}
	took := time.Since(began)
	_, after, err := e.daemon.usage()
	if err != nil {
		t.Fatal(err)
	}
	close(e.over)
	e.check()
	t.Logf("\n%s%d moves in %v, %.1f a second; at most %d MB in use, %.0f %% of one processor", y, y.Plies, took.Round(time.Second),
		float64(y.Plies)/took.Seconds(), most>>20, 100*(after-before).Seconds()/took.Seconds())
}
