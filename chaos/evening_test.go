package chaos

import (
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
	"github.com/boardd/boardd/store"
)

// evening is some boards that are played on while things fail.
type evening struct {
	t        testing.TB
	data     string
	socket   string
	broker   *broker
	proxy    *proxy
	daemon   *process
	recorder *recorder
	tables   []*table
	over     chan struct{} // closed when all hands rest
	tally    *tally

	commands commands
	killing  sync.Mutex
	lossy    atomic.Bool // the broker was killed
	answered atomic.Int64
}

// table is one board with its players.
type table struct {
	id    string
	bench *bench
	hands *hands
}

// plan says what is played and what fails meanwhile.
type plan struct {
	boards, games, plies int
	troubles             []trouble
}

// trouble is something that goes wrong again and again until the evening is over, after pauses from low to high.
type trouble struct {
	name      string
	low, high time.Duration
	most      int              // times that it does; 0 is no limit
	before    func(e *evening) // done before boardd is first started; may be nil
	strike    func(e *evening, dice *rand.Rand)
}

func (x trouble) run(e *evening, dice *rand.Rand) {
	for n := 0; (x.most == 0 || n < x.most) && e.between(dice, x.low, x.high); n++ {
		x.strike(e, dice)
	}
}

// times limits it.
func (x trouble) times(most int) trouble {
	x.most = most
	return x
}

// tally counts what happened in all evenings.
type tally struct {
	mu     sync.Mutex
	faults map[string]int
	figures
}

// figures are what an evening comes to.
type figures struct {
	Evenings, Games, Plies               int
	Events, Twice, Resent, Epochs        int
	LostToRecorder, LostToStore, Twofold int
	Recollected, Answered                int
}

func (y *tally) note(fault string) {
	y.mu.Lock()
	defer y.mu.Unlock()
	if y.faults == nil {
		y.faults = map[string]int{}
	}
	y.faults[fault]++
}

func (y *tally) add(f figures) {
	y.mu.Lock()
	defer y.mu.Unlock()
	y.Evenings += f.Evenings
	y.Games += f.Games
	y.Plies += f.Plies
	y.Events += f.Events
	y.Twice += f.Twice
	y.Resent += f.Resent
	y.Epochs += f.Epochs
	y.LostToRecorder += f.LostToRecorder
	y.LostToStore += f.LostToStore
	y.Twofold += f.Twofold
	y.Recollected += f.Recollected
	y.Answered += f.Answered
}

func (y *tally) String() string {
	y.mu.Lock()
	defer y.mu.Unlock()
	var b strings.Builder
	total := 0
	for _, name := range sortedKeys(y.faults) {
		fmt.Fprintf(&b, "%5d  %s\n", y.faults[name], name)
		total += y.faults[name]
	}
	fmt.Fprintf(&b, "%5d  faults in all, in %d evenings\n", total, y.Evenings)
	fmt.Fprintf(&b, "%5d  games, %d moves played; %d events, %d of them came twice, %d were asked for again, %d times another epoch\n",
		y.Games, y.Plies, y.Events, y.Twice, y.Resent, y.Epochs)
	fmt.Fprintf(&b, "%5d  times what was not written came from a board's recording; %d times somebody had to answer which moves were played\n", y.Recollected, y.Answered)
	fmt.Fprintf(&b, "%5d  moves lost to the recorder, %d to the store, %d told twice\n", y.LostToRecorder, y.LostToStore, y.Twofold)
	return b.String()
}

func sortedKeys(m map[string]int) (keys []string) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// newEvening sets everything up and begins to play.
func newEvening(t testing.TB, seed uint64, p plan, y *tally) (e *evening, hands *sync.WaitGroup) {
	t.Helper()
	e = &evening{t: t, data: t.TempDir(), over: make(chan struct{}), tally: y}
	e.broker = newBroker(t)
	e.proxy = newProxy(t, e.broker.address)
	e.recorder = newRecorder(t, e.broker.address, "club")
	start := rules.Start()
	conf := fmt.Sprintf("[node]\nname = \"club\"\ndata = %q\n[mqtt]\nurl = \"mqtt://%s\"\ncommands = \"play\"\nimage = \"off\"\n", e.data, e.proxy.address())
	dir, err := os.MkdirTemp(scratch, "s") // the name of a socket must be short
	if err != nil {
		t.Fatal(err)
	}
	e.socket = filepath.Join(dir, "s")
	conf = strings.Replace(conf, "[mqtt]", fmt.Sprintf("socket = %q\n[mqtt]", e.socket), 1)
	sensor := hand.Styles().Sensor(board.PieceAcuity)
	for i := range p.boards {
		tb := &table{id: fmt.Sprintf("table-%d", i+1), bench: newBench(t, &start)}
		tb.hands = newHands(newMatch(t, rand.New(rand.NewPCG(seed, uint64(i))), sensor, p.games, p.plies), tb.bench.Set)
		e.tables = append(e.tables, tb)
		conf += fmt.Sprintf("[[board]]\nid = %q\ndriver = %q\nport = %q\n", tb.id, benchDriver, tb.bench.Path())
	}
	file := filepath.Join(t.TempDir(), "boardd.toml")
	if err := os.WriteFile(file, []byte(conf), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, x := range p.troubles {
		if x.before != nil {
			x.before(e)
		}
	}
	e.daemon = newProcess(t, file)
	e.restart()
	ctx, cancel := context.WithCancel(context.Background())
	t.Cleanup(cancel)
	hands = &sync.WaitGroup{}
	for _, tb := range e.tables {
		hands.Go(func() { tb.hands.run(ctx) })
	}
	return e, hands
}

// restart starts boardd and waits until it reads all boards.
func (e *evening) restart() {
	type talk struct{ asked, answered int }
	had := make([]talk, len(e.tables))
	for i, tb := range e.tables {
		had[i].asked, had[i].answered = tb.bench.talks()
	}
	e.daemon.start(nil)
	for i, tb := range e.tables {
		eventually(e.t, tb.id+" is read", time.Minute, func() bool {
			asked, answered := tb.bench.talks()
			return asked > had[i].asked && answered > had[i].answered
		})
	}
}

// play is a whole evening, and what it came to.
func play(t *testing.T, seed uint64, p plan, y *tally) {
	e, hands := newEvening(t, seed, p, y)
	var troubles sync.WaitGroup
	for i, x := range p.troubles {
		dice := rand.New(rand.NewPCG(seed, 1000+uint64(i)))
		troubles.Go(func() { x.run(e, dice) })
	}
	for _, tb := range e.tables {
		p := &person{e: e, tb: tb}
		troubles.Go(p.look)
	}
	hands.Wait()
	close(e.over)
	troubles.Wait()
	e.check()
}

// done reports whether the evening is over.
func (e *evening) done() bool {
	select {
	case <-e.over:
		return true
	default:
		return false
	}
}

// check compares what the recorder and the store have with what the hands have played.
func (e *evening) check() {
	t := e.t
	f := figures{Evenings: 1, Recollected: strings.Count(e.daemon.log.String(), "was taken from the recording"), Answered: int(e.answered.Load())}
	settled := eventually(t, "the recorder has all that was played", 2*time.Minute, func() bool {
		all := true
		for _, tb := range e.tables {
			games, _, err := told(e.recorder.story(tb.id))
			if err != nil || !sameGames(games, tb.hands.match.games) {
				e.askAgain(tb.id)
				all = false
			}
		}
		return all
	})
	eventually(t, "the disk is well", time.Minute, func() bool {
		e.recorder.mu.Lock()
		defer e.recorder.mu.Unlock()
		var info struct{ Store string }
		return json.Unmarshal([]byte(e.recorder.last["info"]), &info) == nil && info.Store == "ok"
	})
	e.whole()
	if err := e.daemon.stop(syscall.SIGTERM); err != nil {
		t.Errorf("boardd ends with %v", err)
	}
	eventually(t, "offline is published", 20*time.Second, func() bool {
		e.recorder.mu.Lock()
		defer e.recorder.mu.Unlock()
		return e.recorder.last["status"] == "offline"
	})
	s, err := store.Read(e.data)
	if err != nil {
		t.Fatal(err)
	}
	defer s.Close()
	report, err := s.Check()
	if err != nil || len(report.Faults) > 0 {
		t.Errorf("store: %v, %v", err, report.Faults)
	}
	for _, tb := range e.tables {
		want := tb.hands.match.games
		f.Games += len(want)
		f.Plies += tb.hands.match.plies()
		events := e.recorder.story(tb.id)
		games, unsaid, err := told(events)
		if err != nil {
			t.Errorf("%s: %v", tb.id, err)
		}
		f.LostToRecorder += lost(games, want)
		f.Twofold += unsaid
		var kept [][]string
		for g, err := range s.Games(store.Which{Board: tb.id}) {
			if err != nil {
				t.Errorf("%s: the store: %v", tb.id, err)
				continue
			}
			kept = append(kept, g.UCI)
		}
		f.LostToStore += lost(kept, want)
		if !sameGames(kept, want) || !sameGames(games, want) || unsaid > 0 {
			t.Errorf("%s: moves told that did not stand: %d\nplayed %v\ntold   %v\nkept   %v", tb.id, unsaid, want, games, kept)
			for _, e := range events {
				t.Log(e.raw)
			}
		}
		e.sameEvents(s, tb.id, events)
		r := e.recorder
		r.mu.Lock()
		h := r.of(tb.id)
		f.Events += len(h.known)
		f.Twice += h.again
		f.Resent += h.resent
		f.Epochs += len(h.epochs) - 1
		r.mu.Unlock()
	}
	e.commands.check(e)
	e.recorder.mu.Lock()
	for _, fault := range e.recorder.faults {
		t.Error(fault)
	}
	if !settled {
		t.Logf("%v", e.recorder.last)
	}
	e.recorder.mu.Unlock()
	e.tally.add(f)
}

func sameGames(a, b [][]string) bool { return slices.EqualFunc(a, b, slices.Equal[[]string]) }

// lost counts the plies that were played and are not there.
func lost(have, want [][]string) (n int) {
	for i, g := range want {
		same := 0
		if i < len(have) {
			for same < min(len(g), len(have[i])) && g[same] == have[i][same] {
				same++
			}
		}
		n += len(g) - same
	}
	return n
}

// whole waits until nothing is missing: numbers follow one another from 1 on, over all epochs.
func (e *evening) whole() {
	r := e.recorder
	for _, tb := range e.tables {
		eventually(e.t, tb.id+" has all its numbers", time.Minute, func() bool {
			e.askAgain(tb.id)
			next := int64(1)
			for _, ev := range r.story(tb.id) {
				if ev.Seq != next {
					return false
				}
				next++
			}
			r.mu.Lock()
			defer r.mu.Unlock()
			return next > 1 && r.missing(tb.id) == 0
		})
	}
}

// askAgain asks for what the recorder misses, if the broker was killed with what it had not passed on yet. Nothing else is a reason to ask.
func (e *evening) askAgain(id string) {
	if e.lossy.Load() {
		e.recorder.askAgain(id)
	}
}

// sameEvents compares the recorder's events with those that the store keeps of the last epoch.
func (e *evening) sameEvents(s *store.Store, id string, events []event) {
	if len(events) == 0 {
		return
	}
	epoch := s.Epoch(id)
	have := map[int64]event{}
	for _, ev := range events {
		if ev.Epoch == epoch {
			have[ev.Seq] = ev
		}
	}
	first := int64(1)
	for _, ev := range events {
		if ev.Epoch == epoch {
			first = ev.Seq
			break
		}
	}
	kept, err := s.Events(id, first, 1<<20)
	if err != nil {
		e.t.Errorf("%s: events from %d: %v", id, first, err)
	}
	for _, k := range kept {
		ev, ok := have[k.Seq]
		if (!ok || ev.Type != k.Type || ev.Ply != k.Ply) && k.Type != "board_offline" { // the last one is said of the end itself
			e.t.Errorf("%s: event %d of epoch %s is a %s in the store, and the recorder has %q", id, k.Seq, epoch, k.Type, ev.raw)
		}
	}
	if len(kept) < len(have) {
		e.t.Errorf("%s: the store has %d events of epoch %s, the recorder %d", id, len(kept), epoch, len(have))
	}
}
