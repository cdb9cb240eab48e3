package game

import (
	"runtime"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/sensing/hand"
)

// expense is what a table costs at one kind of board, in processor time of one core.
type expense struct {
	style     string
	acuity    board.Acuity
	unchanged float64 // ns of a scan that shows nothing new
	idle      uint64  // allocations of so many scans
	settled   []int64 // ns of each step in which a square settled
	wakes     []int64 // ns of each step in which only time passed
	allocated uint64  // in all steps
}

// scans that show nothing new are counted in so many.
const scans = 10_000

// expenseRuns is how often each game is measured.
const expenseRuns = 5

// expenses measures a few games, one after another, several times each. A table does the same each time, so that what a step takes longer
// in one run than in another is the machine's, which others share: the least counts.
func expenses(games []*played, seeds uint64) (all []*expense) {
	hands := hand.Styles()
	for _, name := range styles {
		style, _ := hands.Style(name)
		for _, a := range acuities {
			x := &expense{style: name, acuity: a}
			for gi, g := range games[:min(6, len(games))] {
				perf := hand.Play(style, hands.Sensor(a), g.start, g.moves, seeds+uint64(gi))
				var best expense
				for i := range expenseRuns {
					run := expense{acuity: a}
					if run.watch(g, &perf); i == 0 {
						best = run
						continue
					}
					best.unchanged, best.idle = min(best.unchanged, run.unchanged), max(best.idle, run.idle)
					least(best.settled, run.settled)
					least(best.wakes, run.wakes)
				}
				x.unchanged, x.idle = best.unchanged, best.idle
				x.settled, x.wakes = append(x.settled, best.settled...), append(x.wakes, best.wakes...)
				x.allocated += allocations(func() { watch(seatFor(g, a), &perf, 0, func(int64, *Output) {}) })
			}
			all = append(all, x)
		}
	}
	return all
}

// watch takes the time of each step of a game, and of scans that show nothing new after it.
func (x *expense) watch(g *played, perf *hand.Performance) {
	runtime.LockOSThread() // whose time is taken
	defer runtime.UnlockOSThread()
	tb := NewTable(seatFor(g, x.acuity))
	var wake int64
	step := func(in board.Input) {
		was := tb.tr.Picture()
		began := cpuTime()
		out := tb.Step(in)
		took := cpuTime() - began
		wake = out.Wake
		if tb.tr.Picture() != was {
			x.settled = append(x.settled, took)
		} else if in.Kind == board.Wake {
			x.wakes = append(x.wakes, took)
		}
	}
	step(board.Input{Kind: board.Wake})
	for _, in := range append(perf.Inputs[:len(perf.Inputs):len(perf.Inputs)], board.Input{Kind: board.Wake, T: perf.End + 30_000}) {
		for wake != 0 && wake <= in.T {
			step(board.Input{Kind: board.Wake, T: wake})
		}
		step(in)
	}
	same := board.Input{Kind: board.Scan, T: perf.End + 30_000, Picture: tb.raw}
	x.idle = allocations(func() {
		began := cpuTime()
		for range scans {
			tb.Step(same)
		}
		x.unchanged = float64(cpuTime()-began) / scans
	})
}

// least makes each of all the lesser of it and of what stands at its place in run.
func least(all, run []int64) {
	for i := range all {
		all[i] = min(all[i], run[i])
	}
}

// allocations counts what f allocates; nothing else may run meanwhile.
func allocations(f func()) uint64 {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	f()
	runtime.ReadMemStats(&after)
	return after.Mallocs - before.Mallocs
}

func mean(all []int64) float64 {
	sum := int64(0)
	for _, x := range all {
		sum += x
	}
	return float64(sum) / float64(max(1, len(all)))
}
