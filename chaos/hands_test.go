package chaos

import (
	"bufio"
	"compress/gzip"
	"context"
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// manner is how the hands of these tests play: at a blitz pace and without mishaps, for what is measured here is not how well hands
// are read (docs/accuracy.md). Captures and castling come in every order.
func manner() hand.Style {
	s, _ := hand.Styles().Style("blitz")
	return hand.Style{
		Gap: hand.Range{120, 450}, Carry: hand.Range{60, 200}, Promotion: s.Promotion,
		Capture: hand.CaptureOrder{VictimFirst: 0.5, OwnFirst: 0.5}, Castle: s.Castle,
	}
}

// collection are the real games of testdata, as lists of moves in UCI.
var collection = sync.OnceValues(func() (games [][]string, err error) {
	f, err := os.Open("../testdata/games/train.tsv.gz")
	if err != nil {
		return nil, err
	}
	defer f.Close()
	z, err := gzip.NewReader(f)
	if err != nil {
		return nil, err
	}
	for lines := bufio.NewScanner(z); lines.Scan(); {
		if cells := strings.Split(lines.Text(), "\t"); len(cells) == 3 && cells[1] == "startpos" {
			games = append(games, strings.Fields(cells[2]))
		}
	}
	if len(games) < 1000 {
		err = fmt.Errorf("%d games only", len(games))
	}
	return games, err
})

// dice are those of a seed.
func dice(seed, nth uint64) *rand.Rand { return rand.New(rand.NewPCG(seed, nth)) }

// match is some games that are played on one board, one after the other.
type match struct {
	games [][]string // what is played, in UCI
	hand.Performance
	ends map[int]bool // inputs before which no ply is under way
}

// newMatch lets the dice choose games of so many plies and hands for them.
func newMatch(t testing.TB, dice *rand.Rand, sensor hand.Sensor, games, plies int) *match {
	t.Helper()
	all, err := collection()
	if err != nil {
		t.Fatal(err)
	}
	var chosen [][]string
	for range games {
		line := all[dice.IntN(len(all))]
		for len(line) < plies {
			line = all[dice.IntN(len(all))]
		}
		chosen = append(chosen, line[:plies])
	}
	m, err := perform(chosen, sensor, dice.Uint64())
	if err != nil {
		t.Fatal(err)
	}
	return m
}

// perform plays games by the hands of a seed. Between two games the men are set up again.
func perform(games [][]string, sensor hand.Sensor, seed uint64) (*match, error) {
	m := &match{games: games, ends: map[int]bool{}}
	s := hand.NewScript(manner(), sensor, rules.Start(), seed)
	last := map[int]bool{} // plies with which a game ends
	n := 0
	for i, line := range games {
		if i > 0 {
			s.Wait(1500)
			s.SetUp(rules.Start())
		}
		s.Wait(1800) // a start position counts once it has been at rest
		p := rules.Start()
		for _, uci := range line {
			move, err := p.ParseUCI(uci)
			if err != nil {
				return nil, err
			}
			s.Move(move, hand.Manner{})
			p.Play(move)
			n++
		}
		last[n-1] = true
	}
	m.Performance = s.Perform()
	next := 0
	for i, in := range m.Inputs {
		for next < len(m.Plies) && m.Plies[next].LiftedMs <= in.T {
			m.ends[i] = true
			next++
		}
		if i > 0 && last[next-1] && in.T-m.Inputs[i-1].T > 1000 { // nobody waits so long within a game
			m.ends[i] = true // the men are set up again from here on
		}
	}
	return m, nil
}

// plies are those of all games together.
func (m *match) plies() (n int) {
	for _, g := range m.games {
		n += len(g)
	}
	return n
}

// hands play a match on a bench. They rest while they are told to.
type hands struct {
	match *match
	put   func(rules.Square, board.Symbol)

	mu      sync.Mutex
	changed *sync.Cond
	rest    bool
	whole   bool // rest only between two plies
	resting bool
	done    bool
	at      int // inputs given
	began   int // inputs given before run
}

func newHands(m *match, put func(rules.Square, board.Symbol)) *hands {
	h := &hands{match: m, put: put}
	h.changed = sync.NewCond(&h.mu)
	return h
}

// run plays until the end, or until ctx ends.
func (h *hands) run(ctx context.Context) {
	stop := context.AfterFunc(ctx, h.wake)
	defer stop()
	defer func() {
		h.mu.Lock()
		h.done = true
		h.mu.Unlock()
		h.wake()
	}()
	timer := time.NewTimer(0)
	<-timer.C
	last := int64(0)
	if h.began > 0 {
		last = h.match.Inputs[h.began-1].T
	}
	for i := h.began; i < len(h.match.Inputs); i++ {
		in := h.match.Inputs[i]
		for rested := true; rested; { // whoever has rested begins his pause anew: a start position must have stood for a while
			timer.Reset(time.Duration(in.T-last) * time.Millisecond)
			select {
			case <-timer.C:
			case <-ctx.Done():
				timer.Stop()
				return
			}
			var on bool
			if rested, on = h.gate(ctx, i); !on {
				return
			}
		}
		last = in.T
		if in.Kind == board.Change {
			h.put(in.Square, in.Symbol)
		}
		h.mu.Lock()
		h.at = i + 1
		h.mu.Unlock()
	}
}

func (h *hands) wake() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.changed.Broadcast()
}

// gate waits while the hands are to rest, and says whether they did; on is false at the end of ctx.
func (h *hands) gate(ctx context.Context, i int) (rested, on bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for h.rest && (!h.whole || h.match.ends[i]) && ctx.Err() == nil {
		h.resting, rested = true, true
		h.changed.Broadcast()
		h.changed.Wait()
	}
	h.resting = false
	return rested, ctx.Err() == nil
}

// pause lets them rest at once, wherever they are; with whole they first end the ply that is under way.
func (h *hands) pause(whole bool) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rest, h.whole = true, whole
}

// calm waits until the hands rest.
func (h *hands) calm() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for !h.resting && !h.done && h.rest {
		h.changed.Wait()
	}
}

// completed is how many plies they have completed.
func (h *hands) completed() (n int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if h.at == 0 {
		return 0
	}
	for now := h.match.Inputs[h.at-1].T; n < len(h.match.Plies) && h.match.Plies[n].DoneMs <= now; n++ {
	}
	return n
}

// goOn ends the rest.
func (h *hands) goOn() {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.rest = false
	h.changed.Broadcast()
}

// midway says that a ply is under way: a man is in the air, or one of two has been moved.
func (h *hands) midway() bool {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.at > 0 && h.at < len(h.match.Inputs) && !h.match.ends[h.at]
}
