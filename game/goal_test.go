package game

import (
	"fmt"
	"regexp"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/sensing/hand"
)

// goal is something that boardd is to reach at the three acuities.
type goal struct {
	what    string
	want    string
	limit   [3]float64
	is      func(r *results, a board.Acuity) (value float64, counts bool)
	atMost  bool
	measure string // format of limit and value
}

var goals = []goal{
	{"plies right, slow and club", "≥", [3]float64{99.9, 99.95, 99.99}, pliesOf("slow", "club"), false, "%.5g %%"},
	{"plies right, blitz and bullet", "≥", [3]float64{99.5, 99.7, 99.9}, pliesOf("blitz", "bullet"), false, "%.5g %%"},
	{"plies right, clumsy", "≥", [3]float64{99, 99.5, 99.8}, pliesOf("clumsy"), false, "%.5g %%"},
	{"the worst class, but for a missed capture at presence", "≥", [3]float64{97, 98, 99}, worstClass, false, "%.5g %%"},
	{"missed captures: trials in which something wrong was told", "≤", [3]float64{0, -1, -1}, missedBy(func(y *trials) float64 { return float64(y.toldWrong) }), true, "%.0f"},
	{"missed captures right after one reply", "≥", [3]float64{70, -1, -1}, missedBy(func(y *trials) float64 { return share(y.right, y.n) }), false, "%.5g %%"},
	{"the rest of them asked about", "≥", [3]float64{100, -1, -1}, missedBy(func(y *trials) float64 {
		if y.right == y.n {
			return 100
		}
		return share(y.asked, y.n-y.right)
	}), false, "%.5g %%"},
	{"missed captures right after four plies", "≥", [3]float64{85, -1, -1}, missedBy(func(y *trials) float64 { return share(y.later, y.n) }), false, "%.5g %%"},
	{"corrections per 10,000 plies, club", "≤", [3]float64{20, 20, 20}, corrections("club"), true, "%.3g"},
	{"corrections per 10,000 plies, blitz and bullet", "≤", [3]float64{100, 100, 100}, corrections("blitz", "bullet"), true, "%.3g"},
	{"mistakes never corrected per 10,000 plies, all styles", "<", [3]float64{1, 0.5, 0.2}, func(r *results, a board.Acuity) (float64, bool) {
		y := r.sum(a, styles...)
		return per10k(y.wrong, y), true
	}, true, "%.3g"},
	{"club, quiet move shown after (median)", "≤", [3]float64{300, 300, 300}, func(r *results, a board.Acuity) (float64, bool) {
		return float64(percentile(r.table["club"][a].provisional, 50)), true
	}, true, "%.0f ms"},
	{"club, quiet move told after (median)", "≤", [3]float64{1000, 1000, 1000}, func(r *results, a board.Acuity) (float64, bool) {
		return float64(percentile(r.table["club"][a].commit, 50)), true
	}, true, "%.0f ms"},
}

// sum is what came of several styles.
func (r *results) sum(a board.Acuity, styles ...string) *tally {
	var y tally
	for _, s := range styles {
		y.add(r.table[s][a])
	}
	return &y
}

func pliesOf(styles ...string) func(*results, board.Acuity) (float64, bool) {
	return func(r *results, a board.Acuity) (float64, bool) {
		y := r.sum(a, styles...)
		return share(y.right, y.plies), true
	}
}

func corrections(styles ...string) func(*results, board.Acuity) (float64, bool) {
	return func(r *results, a board.Acuity) (float64, bool) {
		y := r.sum(a, styles...)
		return per10k(y.corrections, y), true
	}
}

func worstClass(r *results, a board.Acuity) (float64, bool) {
	worst := 100.0
	for _, c := range hand.Classes() {
		if y := r.classes[c][a]; c != missed || a != board.Presence {
			worst = min(worst, share(y.right, y.n))
		}
	}
	return worst, true
}

func missedBy(value func(*trials) float64) func(*results, board.Acuity) (float64, bool) {
	return func(r *results, a board.Acuity) (float64, bool) {
		return value(r.classes[missed][a]), a == board.Presence
	}
}

// met compares what was measured with the limit itself, never with what is left of it when printed.
func (x *goal) met(value float64, a board.Acuity) bool {
	switch {
	case x.want == "<":
		return value < x.limit[a]
	case x.atMost:
		return value <= x.limit[a]
	}
	return value >= x.limit[a]
}

// goals tells what is asked for and what came of it.
func (r *results) goals(say sayer, costs []*expense) {
	say("## What is asked for\n\n| | presence | color | piece |\n|---|---|---|---|\n")
	for _, x := range goals {
		say("| %s ", x.what)
		for _, a := range acuities {
			value, counts := x.is(r, a)
			if !counts {
				say("| – ")
				continue
			}
			say("| %s (%s %s): %s ", figure(x.measure, value), x.want, figure(x.measure, x.limit[a]), verdict(x.met(value, a)))
		}
		say("|\n")
	}
	for _, c := range []struct {
		what  string
		limit float64
		is    func(*expense) float64
	}{
		{"unchanged scan, µs", 1, func(x *expense) float64 { return x.unchanged / 1000 }},
		{"allocations of an unchanged scan", 0, func(x *expense) float64 { return float64(x.idle) / scans }},
		{"settled change, mean, µs", 100, func(x *expense) float64 { return mean(x.settled) / 1000 }},
		{"settled change, 99 %, µs", 1000, func(x *expense) float64 { return float64(percentile(x.settled, 99)) / 1000 }},
	} {
		say("| %s, in the costliest style ", c.what)
		for _, a := range acuities {
			worst := costs[0]
			for i, x := range costs {
				if x.acuity == a && (worst.acuity != a || c.is(x) > c.is(worst)) {
					worst = costs[i]
				}
			}
			say("| %s %s (≤ %.0f): %s ", worst.style, figure("%.3g", c.is(worst)), c.limit, verdict(c.is(worst) <= c.limit))
		}
		say("|\n")
	}
	say("\n")
}

var shortest = regexp.MustCompile(`%\.\dg`)

// figure writes a number without powers of ten.
func figure(format string, x float64) string {
	text := fmt.Sprintf(format, x)
	if strings.Contains(text, "e+") {
		return fmt.Sprintf(shortest.ReplaceAllString(format, "%.0f"), x)
	}
	return text
}

func TestFigure(t *testing.T) {
	t.Parallel()
	for want, got := range map[string]string{
		"4097": figure("%.3g", 4096.7), "838": figure("%.3g", 838), "0.0285": figure("%.3g", 0.0285), "100 %": figure("%.5g %%", 100), "99.006 %": figure("%.5g %%", 99.0062),
	} {
		if got != want {
			t.Errorf("%s, want %s", got, want)
		}
	}
}

func verdict(met bool) string {
	if met {
		return "met"
	}
	return "**not met**"
}
