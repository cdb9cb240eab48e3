package game

import (
	"fmt"
	"runtime"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/sensing/hand"
)

// peers are what others make of the classes, in per cent of 40 trials each: of the eleven algorithms for boards that only
// see whether something stands on a square the one that is best on average (picochess for Certabo Sentio) and their mean,
// and of those for boards that know their pieces the best (dogmatic).
var peers = map[string][3]int{
	"quiet": {100, 100, 100}, "slide": {100, 36, 100}, "slide-rest": {100, 22, 100}, "bounce": {100, 100, 100},
	"lift-lost": {100, 45, 100}, "place-before-lift": {100, 30, 100}, "adjust-own": {100, 87, 100}, "adjust-opp": {100, 87, 100},
	"nudge": {98, 54, 100}, "try-illegal": {100, 54, 100}, "wrong-side": {100, 88, 100}, "takeback": {100, 41, 100},
	"cap-own-first": {100, 98, 100}, "cap-victim-first": {100, 73, 100}, "cap-off-missed": {0, 0, 100}, "cap-adjust-first": {100, 85, 100},
	"cap-undecided": {100, 38, 100}, "cap-place-first": {0, 18, 100}, "castle-king-first": {100, 87, 100}, "castle-rook-first": {0, 18, 100},
	"castle-both": {0, 44, 100}, "castle-overlap": {0, 9, 0}, "ep-move-first": {100, 82, 100}, "ep-victim-first": {100, 68, 100},
	"ep-both": {100, 91, 100}, "ep-overlap": {100, 47, 0}, "overlap-3": {28, 7, 0}, "blitz-3": {100, 68, 100},
}

// page is docs/accuracy.md.
func (r *results) page(p *plan, costs []*expense) string {
	var b strings.Builder
	say := func(format string, x ...any) { fmt.Fprintf(&b, format, x...) }
	say(`# Accuracy

How well boardd reads hands, measured on %d real games, each played by simulated hands in five styles before sensors of three
acuities: %d performances, %d plies; and on %d trials of each of %d single situations. Written by

    make accuracy%s

The games are those of [testdata/games](../testdata/games/README.md) by which the tracker was not tuned: those whose number leaves
one of %d when divided by %d are left out, and of the rest some are taken evenly. Of Chess960 there are too few to keep any back. Seeds
begin at %d; no test and no tuning uses these, nor a benchmark of another size. The styles, from a slow classical game to one in
which much goes wrong, are those of [hands.toml](../testdata/hands.toml). **Nobody has measured how often hands do what at real
boards**: the rates there are chosen, not found, so these figures compare programs, and boardd with what it was before. The
simulation shares no figures with the tracker.

`, len(p.games), len(p.games)*len(styles)*3, r.plies(), p.trials, len(peers), options(p), tuning, tuningStep, p.seeds)
	r.goals(say, costs)
	r.gamesTable(say, "Whole games", r.table)
	say(`Plies right: equal to what was played at the same place of the game, so everything after a lost synchronisation is wrong. Games right:
every ply, none too many. Per 10,000 plies: *never corrected* are mistakes that were told as moves and stand at the end (promotions
to anything but a queen are answered where the board cannot see the piece; what follows from a mistake is not counted again);
*corrected* are moves withdrawn because later evidence showed another; *taken back* are takebacks told that nobody made; *doubts*
are questions asked. Delays are those of quiet moves, in milliseconds from when the man was down, median and 95 %%: until the move is
shown, and until it is told for good.

`)
	r.gamesTable(say, fmt.Sprintf("Chess960: %d games", len(p.chess960)), r.chess960)
	r.classTable(say)
	costTable(say, costs)
	return strings.TrimRight(b.String(), "\n") + "\n"
}

func options(p *plan) string {
	if len(p.games) == fullGames {
		return ""
	}
	return fmt.Sprintf(" GAMES=%d", len(p.games))
}

func (r *results) plies() (n int) {
	for _, t := range r.table {
		for _, y := range t {
			n += y.plies
		}
	}
	return n
}

type sayer func(format string, x ...any)

func share(part, whole int) float64 { return 100 * float64(part) / float64(max(1, whole)) }

func per10k(n int, y *tally) float64 { return 10_000 * float64(n) / float64(max(1, y.plies)) }

func (r *results) gamesTable(say sayer, title string, table map[string][3]*tally) {
	say("## %s\n\n", title)
	say("| style | acuity | plies right | games right | never corrected | corrected | taken back | doubts | shown after | told after |\n")
	say("|---|---|---|---|---|---|---|---|---|---|\n")
	for _, s := range styles {
		for _, a := range acuities {
			y := table[s][a]
			say("| %s | %s | %.3f %% | %d of %d | %.1f | %.1f | %.1f | %.1f | %d / %d | %d / %d |\n", s, a, share(y.right, y.plies), y.whole, y.games,
				per10k(y.wrong, y), per10k(y.corrections, y), per10k(y.takebacks, y), per10k(y.doubts, y),
				percentile(y.provisional, 50), percentile(y.provisional, 95), percentile(y.commit, 50), percentile(y.commit, 95))
		}
	}
	say("\n")
}

func (r *results) classTable(say sayer) {
	say("## Single situations, beside others\n\n")
	say("Each begins in a position reached by random play; per cent of trials in which what stands after 12 s is what was played. Others were\n")
	say("measured in the same 28 classes with their own positions, 40 trials each: Sentio is picochess' reading of Certabo Sentio, the best\n")
	say("of eleven public algorithms for presence boards; the mean is of all eleven; dogmatic is the best for boards that know their pieces.\n\n")
	say("| class | Sentio | mean of 11 | presence | color | dogmatic | piece |\n|---|---|---|---|---|---|---|\n")
	var sum [6]float64
	for _, c := range hand.Classes() {
		y, o := r.classes[c], peers[c]
		row := [6]float64{float64(o[0]), float64(o[1]), share(y[0].right, y[0].n), share(y[1].right, y[1].n), float64(o[2]), share(y[2].right, y[2].n)}
		say("| %s | %.0f | %.0f | **%.1f** | **%.1f** | %.0f | **%.1f** |\n", c, row[0], row[1], row[2], row[3], row[4], row[5])
		for i := range sum {
			sum[i] += row[i]
		}
	}
	for i := range sum {
		sum[i] /= float64(len(peers))
	}
	say("| mean of %d | %.0f | %.0f | **%.1f** | **%.1f** | %.0f | **%.1f** |\n\n", len(peers), sum[0], sum[1], sum[2], sum[3], sum[4], sum[5])
	y := r.classes[missed][board.Presence]
	say("`%s`: the victim's square never goes empty, so that a presence board sees no more than a man vanish; two plies are expected. Of\n", missed)
	say("%d such trials %.1f %% are right after the reply and %.1f %% after four plies; boardd asks in %d of the %d that are not right after the\n",
		y.n, share(y.right, y.n), share(y.later, y.n), y.asked, y.n-y.right)
	say("reply, and tells something wrong at any time in %d.\n\n", y.toldWrong)
}

func costTable(say sayer, costs []*expense) {
	say("## Cost\n\n")
	say("Processor time of one table (%s, Go %s), six games each: of %d runs the least time of each\nstep, because the machine is shared. A settled change and the passing of time are one step of the table each; allocations are those of both.\n\n", runtime.GOARCH, strings.TrimPrefix(runtime.Version(), "go"), expenseRuns)
	say("| style | acuity | unchanged scan | allocations | settled change: mean | 99 %% | only time passes: mean | allocations a settled change |\n")
	say("|---|---|---|---|---|---|---|---|\n")
	for _, x := range costs {
		say("| %s | %s | %.2f µs | %d | %.0f µs | %.0f µs | %.0f µs | %d |\n", x.style, x.acuity, x.unchanged/1000, x.idle/scans, mean(x.settled)/1000,
			float64(percentile(x.settled, 99))/1000, mean(x.wakes)/1000, x.allocated/uint64(max(1, len(x.settled))))
	}
	say("\n")
}
