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

// expenses measures a few games, one after another, three times each. A table does the same each time, so that where one run of a step
// took longer than the two others the machine had something else to do: the middle one counts.
func expenses(games []*played, seeds uint64) (all []*expense) {
	hands := hand.Styles()
	for _, name := range styles {
		style, _ := hands.Style(name)
		for _, a := range acuities {
			x := &expense{style: name, acuity: a}
			for gi, g := range games[:min(6, len(games))] {
				perf := hand.Play(style, hands.Sensor(a), g.start, g.moves, seeds+uint64(gi))
				var runs [3]expense
				for i := range runs {
					runs[i].acuity = a
					runs[i].watch(g, &perf)
				}
				x.unchanged, x.idle = runs[1].unchanged, runs[1].idle
				x.settled = append(x.settled, medians(runs[0].settled, runs[1].settled, runs[2].settled)...)
				x.wakes = append(x.wakes, medians(runs[0].wakes, runs[1].wakes, runs[2].wakes)...)
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

// medians is the middle one of three times of each step.
func medians(a, b, c []int64) []int64 {
	all := make([]int64, len(a))
	for i := range all {
		all[i] = max(min(a[i], b[i]), min(max(a[i], b[i]), c[i]))
	}
	return all
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
