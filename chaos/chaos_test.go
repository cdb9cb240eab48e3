package chaos

import (
	"os"
	"strconv"
	"testing"
)

// TestAnEveningOfTrouble is the short form of make chaos: everything fails at once, for as long as some short games last.
func TestAnEveningOfTrouble(t *testing.T) {
	t.Parallel()
	y := &tally{}
	play(t, 1, plan{boards: 3, games: 1, plies: 24, troubles: []trouble{
		killed.times(2), duplicates.times(1), resets.times(2), brokerFails.times(1), mischief,
	}}, y)
	t.Logf("\n%s", y)
}

// chaosEvenings is how many are wanted of each kind.
func chaosEvenings(t *testing.T) int {
	n, _ := strconv.Atoi(os.Getenv(full))
	if n == 0 {
		t.Skip("set BOARDD_CHAOS to a number of evenings for each kind of trouble, or make chaos")
	}
	return n
}

// TestSoakChaos plays evenings for each kind of trouble, and then for all of them together.
func TestSoakChaos(t *testing.T) {
	n := chaosEvenings(t)
	for _, c := range []struct {
		name     string
		troubles []trouble
	}{
		{"calm", nil},
		{"broker", []trouble{brokerFails}},
		{"network", []trouble{networkFails}},
		{"killed", []trouble{killed}},
		{"disk", []trouble{diskFails}},
		{"commands", []trouble{mischief, duplicates}},
		{"all", []trouble{brokerFails, networkFails, diskFails, mischief}},
	} {
		t.Run(c.name, func(t *testing.T) {
			y := &tally{}
			for seed := range uint64(n) {
				t.Run(strconv.FormatUint(seed, 10), func(t *testing.T) {
					play(t, seed, plan{boards: 4, games: 2, plies: 40, troubles: c.troubles}, y)
				})
			}
			t.Logf("\n%s", y)
		})
	}
}
