package daemon

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// until waits for a condition, with a deadline.
func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

// feedSource hands on what a test gives it.
type feedSource chan func(*Sink)

func (f feedSource) Run(ctx context.Context, sink *Sink) error {
	for {
		select {
		case <-ctx.Done():
			return ctx.Err()
		case do := <-f:
			do(sink)
		}
	}
}

func change(t int64, s rules.Square) func(*Sink) {
	return func(sink *Sink) {
		sink.Input(board.Input{T: t, Kind: board.Change, Square: s, Symbol: board.Something})
	}
}

// start runs a daemon until the test ends.
func start(t *testing.T, o Options) *Daemon {
	t.Helper()
	d, err := New(o)
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, d)
	t.Cleanup(stop)
	return d
}

func run(t *testing.T, d *Daemon) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- d.Run(ctx) }()
	return sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-ended:
			if err != nil {
				t.Error(err)
			}
		case <-time.After(20 * time.Second):
			t.Error("Run does not end")
		}
	})
}

func info(id string) game.BoardInfo { return game.BoardInfo{ID: id} }

func TestEventsGoFromSourceToOutbox(t *testing.T) {
	t.Parallel()
	zero := time.Date(2026, 3, 14, 19, 0, 0, 0, time.UTC)
	source := make(feedSource)
	table := &fakeTable{wake: func(in board.Input) int64 {
		if in.Kind == board.Change {
			return in.T + 70
		}
		return 0
	}}
	clock := NewManual(zero)
	d := start(t, Options{Clock: clock, Boards: []Board{{Info: info("a"), Table: table, Source: source}}})
	changed, cancel := d.Watch()
	defer cancel()
	until(t, "the first snapshot", func() bool { _, ok := d.Latest("a"); return ok })

	clock.Advance(1000)
	source <- change(990, 12)
	until(t, "the event", func() bool { return len(d.Outbox("mqtt", 10)) == 1 })
	e := d.Outbox("mqtt", 10)[0]
	if e.Seq != 1 || e.T != 990 || e.Board != "a" || len(e.Epoch) != 8 || !e.TS.Equal(zero.Add(990*time.Millisecond)) {
		t.Errorf("event %+v", e)
	}
	until(t, "the snapshot", func() bool { s, _ := d.Latest("a"); return s.Seq == 1 })
	if s, _ := d.Latest("a"); s.Epoch != e.Epoch || !s.TSOK || !s.TS.Equal(e.TS) {
		t.Errorf("snapshot %+v", s)
	}
	select {
	case <-changed:
	default:
		t.Error("the watcher was not told")
	}
	if v, at := d.View("a"); v == nil || v.T != 990 || !at.Equal(zero) {
		t.Errorf("view %v %v", v, at)
	}

	clock.Advance(5000) // the wake is overdue and still comes at its own time
	reply, err := d.Do(t.Context(), "a", &board.Command{Verb: "flip"})
	if err != nil || reply.Status != "ok" {
		t.Fatalf("%+v %v", reply, err)
	}
	d.Ack("mqtt", "a", 1)
	if left := d.Outbox("mqtt", 10); len(left) != 0 {
		t.Errorf("after the ack: %v", left)
	}
	if other := d.Outbox("recorder", 10); len(other) != 1 {
		t.Errorf("another consumer sees %v", other)
	}
	if _, err := d.Do(t.Context(), "b", &board.Command{}); !errors.Is(err, ErrNoBoard) {
		t.Errorf("a board that is not there: %v", err)
	}
	if _, err := d.Events("b", 1, 1); !errors.Is(err, ErrNoBoard) {
		t.Errorf("events of a board that is not there: %v", err)
	}
	if len(d.Boards()) != 1 || d.Boards()[0].ID != "a" {
		t.Errorf("boards %v", d.Boards())
	}
}

func TestWakeBeforeLaterCommand(t *testing.T) {
	t.Parallel()
	source := make(feedSource)
	table := &fakeTable{wake: func(in board.Input) int64 {
		if in.Kind == board.Change {
			return in.T + 70
		}
		return 0
	}}
	clock := NewManual(time.Unix(0, 0))
	d, err := New(Options{Clock: clock, Boards: []Board{{Info: info("a"), Table: table, Source: source}}})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, d)
	source <- change(5, 12)
	clock.Advance(5)
	until(t, "the event", func() bool { return len(d.Outbox("x", 1)) == 1 })
	clock.Advance(495)
	if _, err := d.Do(t.Context(), "a", &board.Command{Verb: "flip"}); err != nil {
		t.Fatal(err)
	}
	stop()
	var times []string
	for _, s := range table.steps {
		times = append(times, strings.Join(strings.Fields(s)[:2], " "))
	}
	if got := strings.Join(times, ", "); got != "0 0, 5 1, 75 0, 500 6" {
		t.Errorf("time and kind of the steps: %s", got)
	}
}

// later is a clock for which every time of a test has come.
func later() *Manual {
	c := NewManual(time.Unix(0, 0))
	c.Advance(1 << 30)
	return c
}

// TestWhatIsToComeWaits: a source may know what will happen; it happens at its time, in order with the core's wakes, however
// late the daemon is.
func TestWhatIsToComeWaits(t *testing.T) {
	t.Parallel()
	source := make(feedSource)
	table := &fakeTable{wake: func(in board.Input) int64 {
		if in.Kind == board.Change {
			return in.T + 70
		}
		return 0
	}}
	clock := NewManual(time.Unix(0, 0))
	d, err := New(Options{Clock: clock, Boards: []Board{{Info: info("a"), Table: table, Source: source}}})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, d)
	source <- func(s *Sink) {
		for _, at := range []int64{100, 150, 400} {
			s.Input(board.Input{T: at, Kind: board.Change, Square: 1, Symbol: board.Something})
		}
	}
	if _, err := d.Do(t.Context(), "a", &board.Command{Verb: "flip"}); err != nil {
		t.Fatal(err)
	}
	clock.Advance(1000) // the daemon was held up
	until(t, "the events", func() bool { return len(d.Outbox("x", 10)) >= 3 })
	stop()
	var times []string
	for _, s := range table.steps {
		times = append(times, strings.Join(strings.Fields(s)[:2], " "))
	}
	if got := strings.Join(times, ", "); !strings.HasPrefix(got, "0 0, 0 6, 100 1, 150 1, 220 0, 400 1") {
		t.Errorf("time and kind of the steps: %s", got)
	}
}

// slowJournal commits when it is let.
type slowJournal struct {
	*Memory
	let chan error
}

func (j *slowJournal) Commit(b []Batch) error {
	if err, ok := <-j.let; ok && err != nil {
		return err
	}
	return j.Memory.Commit(b)
}

func TestNothingLeavesBeforeItsCommit(t *testing.T) {
	t.Parallel()
	source := make(feedSource)
	j := &slowJournal{Memory: NewMemory(), let: make(chan error)}
	d := start(t, Options{Clock: later(), Journal: j, Boards: []Board{{Info: info("a"), Table: &fakeTable{}, Source: source}}})
	t.Cleanup(func() { close(j.let) }) // runs before the daemon's stop
	source <- change(5, 12)            // the board's goroutine does not wait for the journal
	source <- change(6, 13)
	until(t, "the view", func() bool { v, _ := d.View("a"); return v != nil && v.T == 6 })
	reply := make(chan game.Reply, 1)
	go func() {
		r, _ := d.Do(context.Background(), "a", &board.Command{Verb: "flip"})
		reply <- r
	}()
	if _, ok := d.Latest("a"); ok || len(d.Outbox("x", 10)) > 0 {
		t.Error("something left before its commit")
	}
	j.let <- errors.New("disk full") // tried again with the same
	for range 4 {
		select {
		case j.let <- nil:
		case r := <-reply:
			if r.Status != "ok" || r.Seq != 2 {
				t.Errorf("reply %+v", r)
			}
			if got := d.Outbox("x", 10); len(got) != 2 {
				t.Errorf("outbox %v", got)
			}
			return
		case <-time.After(20 * time.Second):
			t.Fatal("no reply")
		}
	}
	if r := <-reply; r.Status != "ok" {
		t.Errorf("reply %+v", r)
	}
}

func TestSilentCoreIsAnsweredFor(t *testing.T) {
	t.Parallel()
	d := start(t, Options{Clock: NewManual(time.Unix(0, 0)), Boards: []Board{{Info: info("a"), Table: &fakeTable{}}}})
	if r, err := d.Do(t.Context(), "a", &board.Command{Verb: "silent"}); err != nil || r.Code != "internal" {
		t.Errorf("%+v %v", r, err)
	}
}

func TestOneBoardsTroubleStopsNoOther(t *testing.T) {
	t.Parallel()
	bad, good := make(feedSource), make(feedSource)
	d := start(t, Options{Clock: later(), Boards: []Board{
		{Info: info("bad"), Table: &fakeTable{panic: 12}, Source: bad},
		{Info: info("good"), Table: &fakeTable{}, Source: good},
	}})
	bad <- change(5, 12)
	until(t, "the end of the bad board", func() bool {
		_, err := d.Do(t.Context(), "bad", &board.Command{Verb: "flip"})
		return errors.Is(err, ErrStopped)
	})
	good <- change(5, 12)
	until(t, "the event of the good board", func() bool { return len(d.Outbox("x", 10)) == 1 })
}

func TestThousandsOfEventsNobodyTakes(t *testing.T) {
	t.Parallel()
	source := make(feedSource)
	d := start(t, Options{Clock: later(), Boards: []Board{{Info: info("a"), Table: &fakeTable{}, Source: source}}})
	_, cancel := d.Watch() // never read
	defer cancel()
	const n = MemoryLimit + 4000
	source <- func(s *Sink) {
		for i := range int64(n) {
			s.Input(board.Input{T: i, Kind: board.Change, Square: 1, Symbol: board.Something})
		}
	}
	until(t, "the last event", func() bool { s, ok := d.Latest("a"); return ok && s.Seq == n })
	if _, err := d.Events("a", n-MemoryLimit, 1); !errors.Is(err, game.ErrGone) {
		t.Errorf("an event that is gone: %v", err)
	}
	got, err := d.Events("a", n-MemoryLimit+1, 500)
	if err != nil || len(got) != 500 || got[0].Seq != n-MemoryLimit+1 {
		t.Errorf("%d events, %v", len(got), err)
	}
	if got, err := d.Events("a", n+1, 5); err != nil || len(got) != 0 {
		t.Errorf("events to come: %v %v", got, err)
	}
}

// fakePort is a port whose other end the test holds.
type fakePort struct{ opened chan net.Conn }

func (p *fakePort) open(context.Context) (io.ReadWriteCloser, error) {
	near, far := net.Pipe()
	select {
	case p.opened <- far:
		return near, nil
	case <-time.After(20 * time.Second):
		return nil, errors.New("the test wants no port")
	}
}

func TestPortIsReadWrittenAndOpenedAgain(t *testing.T) {
	t.Parallel()
	p := &fakePort{make(chan net.Conn)}
	var file bytes.Buffer
	table := &fakeTable{}
	clock := NewManual(time.Unix(0, 0))
	d, err := New(Options{Clock: clock, Boards: []Board{{
		Info: info("a"), Table: table, Source: Port(p.open), NewDriver: newFakeDriver,
		Tapes: []Tape{recording.NewWriter(&file)}, Opening: recording.Opening{Driver: "fake"},
	}}})
	if err != nil {
		t.Fatal(err)
	}
	stop := run(t, d)
	hello := make([]byte, 5)
	for round := range 2 {
		far := <-p.opened
		if _, err := io.ReadFull(far, hello); err != nil || string(hello) != "hello" {
			t.Fatalf("the driver says %q, %v", hello, err)
		}
		if _, err := far.Write([]byte{2, 4}); err != nil {
			t.Fatal(err)
		}
		until(t, "the changes", func() bool { return len(d.Outbox("x", 10)) == 2*(round+1) })
		far.Close()
		until(t, "the link down", func() bool {
			clock.Advance(longPause)
			select {
			case c := <-p.opened:
				go func() { p.opened <- c }()
				return true
			default:
				return false
			}
		})
	}
	(<-p.opened).Close()
	stop()
	var lines []string
	for l := range strings.Lines(file.String()) {
		if _, what, ok := strings.Cut(l, `,"`); ok && strings.HasPrefix(l, `{"t"`) {
			lines = append(lines, strings.TrimSpace(what))
		}
	}
	want := []string{`link":"down"}`, `hex":""}`, `hex":"02 04"}`, `link":"down"}`, `hex":""}`, `hex":"02 04"}`, `link":"down"}`}
	if len(lines) < len(want) || !slices.Equal(lines[:len(want)], want) {
		t.Errorf("recorded %q", lines)
	}
}

func TestFastClockRunsFast(t *testing.T) {
	t.Parallel()
	c := NewRunning(50)
	timer := c.NewTimer()
	defer timer.Stop()
	began := time.Now()
	timer.Set(c.Now() + 5000)
	<-timer.C()
	if took := time.Since(began); took < 99*time.Millisecond || c.Now() < 5000 {
		t.Errorf("5000 ms took %v, now %d", took, c.Now())
	}
	if wall := c.Wall().Sub(c.start).Milliseconds(); wall < 5000 {
		t.Errorf("the time of day moved %d ms", wall)
	}
}

func TestTwoBoardsOfOneName(t *testing.T) {
	t.Parallel()
	if _, err := New(Options{Boards: []Board{{Info: info("a")}, {Info: info("a")}}}); err == nil {
		t.Error("no error")
	}
}

func TestCommandAfterTheEnd(t *testing.T) {
	t.Parallel()
	d, err := New(Options{Boards: []Board{{Info: info("a"), Table: &fakeTable{}}}})
	if err != nil {
		t.Fatal(err)
	}
	run(t, d)()
	if _, err := d.Do(t.Context(), "a", &board.Command{Verb: "flip"}); !errors.Is(err, ErrStopped) {
		t.Error(err)
	}
}

func TestSourceThatFailsIsTriedAgain(t *testing.T) {
	t.Parallel()
	clock := NewManual(time.Unix(0, 0))
	tries := make(chan int, 100)
	d := start(t, Options{Clock: clock, Boards: []Board{{Info: info("a"), Table: &fakeTable{}, Source: sourceFunc(func(context.Context, *Sink) error {
		tries <- 1
		if len(tries) == 2 {
			panic("a fault of a driver")
		}
		return fmt.Errorf("no such port")
	})}}})
	until(t, "the fourth try", func() bool { clock.Advance(longPause); return len(tries) >= 4 })
	if v, _ := d.View("a"); v == nil {
		t.Error("the board was not told")
	}
}

type sourceFunc func(context.Context, *Sink) error

func (f sourceFunc) Run(ctx context.Context, s *Sink) error { return f(ctx, s) }
