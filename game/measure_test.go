package game

import (
	"fmt"
	"math"
	"os"
	"runtime"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// styles in the order of the tables.
var styles = []string{"slow", "club", "blitz", "bullet", "clumsy"}

// quickSeeds begins the seeds of the quick form. The benchmark's were never used to tune the tracker, whose seeds are small
// numbers, nor by tests; and each number of games has its own, so that who looks into what went wrong in a small benchmark
// has not seen the large one.
const quickSeeds = 1 << 40

func benchmarkSeeds(games int) uint64 { return uint64(games) << 44 }

// tuning are the games by which the tracker was tuned, and which tests play: their numbers modulo tuningStep.
var tuning = []int{2, 3, 5, 11, 13, 17, 29, 96}

const tuningStep = 97

// fullGames are the games of the whole benchmark.
const fullGames = 1000

func tuned(i int) bool { return slices.Contains(tuning, i%tuningStep) }

// plan is what a benchmark does.
type plan struct {
	games, chess960 []*played
	trials          int // of each class
	seeds           uint64
	progress        func(done, all int)
}

// results are what came of it.
type results struct {
	table    map[string][3]*tally // by style
	chess960 map[string][3]*tally
	classes  map[string][3]*trials
}

// trials is what a table made of the trials of one class.
type trials struct {
	n, right  int
	toldWrong int // something that was not played was said, whether corrected or not
	asked     int // of those not right, those about which it asks
	later     int // right after two more plies; counted of cap-off-missed only
}

const missed = "cap-off-missed"

// run does what the plan says on all cores.
func (p *plan) run() *results {
	r := &results{table: map[string][3]*tally{}, chess960: map[string][3]*tally{}, classes: map[string][3]*trials{}}
	hands := hand.Styles()
	var jobs []func()
	var lock sync.Mutex
	for si, name := range styles {
		style, _ := hands.Style(name)
		for _, corpus := range []struct {
			games []*played
			into  map[string][3]*tally
			seeds uint64
		}{{p.games, r.table, p.seeds}, {p.chess960, r.chess960, p.seeds + 1<<39}} {
			all := [3]*tally{{}, {}, {}}
			corpus.into[name] = all
			for gi, g := range corpus.games {
				for _, a := range acuities {
					jobs = append(jobs, func() {
						perf := hand.Play(style, hands.Sensor(a), g.start, g.moves, corpus.seeds+uint64(gi)<<8+uint64(si)<<2+uint64(a))
						y, _ := judge(g, &perf, a)
						lock.Lock()
						defer lock.Unlock()
						all[a].add(&y)
					})
				}
			}
		}
	}
	for ci, name := range hand.Classes() {
		all := [3]*trials{{}, {}, {}}
		r.classes[name] = all
		for i := range p.trials {
			jobs = append(jobs, func() {
				seed := p.seeds + uint64(ci)<<20 + uint64(i)
				for _, a := range acuities {
					y := tryClass(name, a, seed)
					lock.Lock()
					all[a].add(&y)
					lock.Unlock()
				}
			})
		}
	}
	var next, done atomic.Int64
	var workers sync.WaitGroup
	for range runtime.GOMAXPROCS(0) {
		workers.Go(func() {
			for i := next.Add(1) - 1; i < int64(len(jobs)); i = next.Add(1) - 1 {
				jobs[i]()
				p.progress(int(done.Add(1)), len(jobs))
			}
		})
	}
	workers.Wait()
	return r
}

func (y *trials) add(o *trials) {
	y.n += o.n
	y.right += o.right
	y.toldWrong += o.toldWrong
	y.asked += o.asked
	y.later += o.later
}

// tryClass makes one trial and says what stands when the hands have rested for 12 s.
func tryClass(class string, a board.Acuity, seed uint64) (y trials) {
	try := func(further int) (right, toldWrong, asked bool) {
		trial, _ := hand.NewTrial(class, a, further, seed)
		g := newPlayed(trial.Start, trial.Moves)
		tb := watch(seatFor(g, a), &trial.Performance, 12_000, func(_ int64, out *Output) {
			for _, e := range out.Events {
				if m, ok := e.Body.(*Moved); ok {
					toldWrong = toldWrong || e.Ply > len(g.uci) || m.UCI != g.uci[e.Ply-1]
				}
			}
		})
		var whole tally
		for _, r := range tb.Games() {
			whole.compare(g, r.UCI)
		}
		return whole.whole == 1, toldWrong, tb.doubt != nil
	}
	right, toldWrong, asked := try(0)
	y = trials{n: 1, right: count(right), toldWrong: count(toldWrong), asked: count(asked && !right)}
	if class == missed {
		right, toldWrong, _ = try(2)
		y.later = count(right)
		y.toldWrong = max(y.toldWrong, count(toldWrong))
	}
	return y
}

func count(b bool) int {
	if b {
		return 1
	}
	return 0
}

// TestAccuracy plays real games and single situations by simulated hands, and compares what the table says with what was
// played. Plain go test plays a few; BOARDD_ACCURACY=full, or a number of games, is the benchmark that writes
// docs/accuracy.md.
func TestAccuracy(t *testing.T) {
	if how := os.Getenv("BOARDD_ACCURACY"); how != "" {
		n, err := strconv.Atoi(how)
		if how == "full" {
			n, err = fullGames, nil
		}
		if err != nil || n < 1 {
			t.Fatalf("BOARDD_ACCURACY=%s: wants full, or a number of games", how)
		}
		benchmark(t, n)
		return
	}
	t.Parallel()
	p := plan{trials: 3, seeds: quickSeeds, progress: func(int, int) {}}
	p.games = corpus(t, "train.tsv.gz", rules.Standard, 2, func(i int) bool { return tuned(i) && i > 700 })
	p.chess960 = corpus(t, "chess960.tsv.gz", rules.Chess960, 1, func(i int) bool { return i > 62 })
	r := p.run()
	r.gate(t)
}

// benchmark plays n games that nobody tuned by, writes docs/accuracy.md and prints it.
func benchmark(t *testing.T, n int) {
	began := time.Now()
	p := plan{trials: min(200, max(40, n/5)), seeds: benchmarkSeeds(n)}
	all := corpus(t, "train.tsv.gz", rules.Standard, math.MaxInt, func(i int) bool { return !tuned(i) })
	if n > len(all) {
		t.Fatalf("there are only %d games", len(all))
	}
	for k := range n {
		p.games = append(p.games, all[k*len(all)/n])
	}
	p.chess960 = corpus(t, "chess960.tsv.gz", rules.Chess960, n, func(int) bool { return true })
	var told atomic.Int64
	p.progress = func(done, all int) {
		if twentieth := int64(done * 20 / all); twentieth > told.Load() && told.Swap(twentieth) < twentieth {
			fmt.Printf("accuracy: %d of %d, %d s\n", done, all, int(time.Since(began).Seconds()))
		}
	}
	costs := expenses(p.games, p.seeds+1<<38) // first, while the heap is as small as a daemon's
	r := p.run()
	text := r.page(&p, costs)
	fmt.Print(text)
	if err := os.WriteFile("../docs/accuracy.md", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
}
