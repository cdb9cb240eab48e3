package game

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// gate fails when hands are read worse than they were. It asks for a little less than what comes out, so that a change may
// gain in one place what it loses in another.
func (r *results) gate(t *testing.T) {
	for _, f := range []struct {
		styles  []string
		right   float64 // per cent of plies, at least, at each acuity
		correct int     // corrections at most, at all acuities
	}{
		{[]string{"slow", "club"}, 99.5, 6},
		{[]string{"blitz"}, 98, 6},
		{[]string{"bullet"}, 95, 8},
		{[]string{"clumsy"}, 97, 24},
	} {
		correct := 0
		for _, a := range acuities {
			y := r.sum(a, f.styles...)
			correct += y.corrections
			if got := share(y.right, y.plies); got < f.right {
				t.Errorf("%v at %v: %.2f %% of plies are right, want %v %%", f.styles, a, got, f.right)
			}
		}
		if correct > f.correct {
			t.Errorf("%v: %d corrections, want %d at most", f.styles, correct, f.correct)
		}
	}
	var chess960, wrong tally
	for _, a := range acuities {
		wrong.add(r.sum(a, styles...))
		for _, s := range styles {
			chess960.add(r.chess960[s][a])
		}
		club := r.table["club"][a]
		if shown, told := percentile(club.provisional, 50), percentile(club.commit, 50); shown > 300 || told > 1000 { // of the game's time
			t.Errorf("club at %v: quiet moves are shown after %d ms and told after %d ms", a, shown, told)
		}
	}
	if wrong.wrong > 2 {
		t.Errorf("%d mistakes were never corrected", wrong.wrong)
	}
	if got := share(chess960.right, chess960.plies); got < 97 {
		t.Errorf("Chess960: %.2f %% of plies are right", got)
	}
	for _, c := range hand.Classes() {
		y := r.classes[c]
		if c == missed {
			if p := y[board.Presence]; p.later*2 < p.n || p.toldWrong > 1 {
				t.Errorf("%s at presence: %+v", c, p)
			}
			y[board.Presence] = &trials{}
		}
		if n := y[0].n + y[1].n + y[2].n; y[0].right+y[1].right+y[2].right < n-1 {
			t.Errorf("%s: %d, %d and %d of %d trials are right", c, y[0].right, y[1].right, y[2].right, y[1].n)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	start := rules.Start()
	var moves []rules.Move
	p := start
	for _, u := range strings.Fields("e2e4 e7e5 g1f3 b8c6 f1b5 a7a6") {
		m, err := p.ParseUCI(u)
		if err != nil {
			t.Fatal(err)
		}
		moves = append(moves, m)
		p.Play(m)
	}
	g := newPlayed(start, moves)
	for _, c := range []struct {
		name, stands        string
		right, wrong, whole int
	}{
		{"all right", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6", 6, 0, 1},
		{"nothing", "", 0, 0, 0},
		{"the end is missing", "e2e4 e7e5 g1f3 b8c6", 4, 0, 0},
		{"one ply is wrong", "e2e4 e7e5 g1h3 b8c6 f1b5 a7a6", 5, 1, 0},
		{"two plies are wrong", "e2e3 e7e5 g1h3 b8c6 f1b5 a7a6", 4, 2, 0},
		{"lost", "e2e4 g1f3 b8c6 f1b5 a7a6", 1, 1, 0},
		{"one ply too many", "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5a4", 6, 1, 0},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			var y tally
			y.compare(g, strings.Fields(c.stands))
			if y.right != c.right || y.wrong != c.wrong || y.whole != c.whole || y.plies != 6 {
				t.Errorf("%d right, %d wrong, %d whole of %d plies", y.right, y.wrong, y.whole, y.plies)
			}
		})
	}
}
