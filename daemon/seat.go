package daemon

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// Lengths of a board's queues. Sources and doors wait when theirs is full; what a driver wants written is dropped.
const (
	itemsLimit    = 256
	commandsLimit = 64
	outLimit      = 64
)

// Pauses before a source that failed is run again, in milliseconds of core time: doubled each time.
const (
	firstPause = 250
	longPause  = 4000
)

// seat is one board in the daemon: the goroutine that owns its core, and what others need to talk to it.
type seat struct {
	daemon   *Daemon
	board    Board
	clock    Clock
	log      *slog.Logger
	feeder   Feeder
	items    chan item
	commands chan *request
	out      chan []byte
	done     chan struct{} // closed when the board's goroutine has ended
	pings    chan struct{} // the board's goroutine offers one whenever it waits
	health   health
	view     atomic.Pointer[game.View]
	ahead    *item // given before its time has come; nothing is taken from items meanwhile
	waiting  map[*board.Command]chan<- game.Reply
	online   bool
	frame    atomic.Pointer[board.Frame] // the newest, nil when the core has it
	framed   chan struct{}               // says that there is one
	lit      time.Time                   // when the driver was given one

	snapshot  *game.Snapshot // the newest, safe or not
	recorders recorders
}

// item is one thing a source gave: bytes if not nil, else an input.
type item struct {
	input board.Input
	bytes []byte
}

type request struct {
	command *board.Command
	reply   chan game.Reply
	taken   bool // by the board's goroutine; others may look once that has ended
}

func newSeat(d *Daemon, b Board) *seat {
	s := &seat{
		daemon: d, board: b, clock: d.clock, log: d.log.With("board", b.Info.ID),
		items: make(chan item, itemsLimit), commands: make(chan *request, commandsLimit), out: make(chan []byte, outLimit),
		framed: make(chan struct{}, 1), done: make(chan struct{}), pings: make(chan struct{}), waiting: map[*board.Command]chan<- game.Reply{},
	}
	s.feeder = Feeder{Table: b.Table, NewDriver: b.NewDriver, Emit: s.emit, Write: s.write, Note: func(text string) { s.log.Warn(text) }}
	return s
}

// run is the board's life: its core, its source, and its recorder. The source ends after the core, so that what the driver has
// still given out is written.
func (s *seat) run(ctx context.Context) {
	sourced, cancel := context.WithCancel(context.WithoutCancel(ctx))
	var others sync.WaitGroup
	var tapes sync.WaitGroup
	for _, tape := range s.board.Tapes {
		r := newRecorder(tape, s.clock, s.log)
		s.recorders = append(s.recorders, r)
		s.feeder.Recorder = s.recorders
		r.turn(s.mark(0, true))
		tapes.Go(func() { r.run(s.done) })
	}
	if s.board.Source != nil {
		others.Go(func() { s.runSource(sourced) })
	}
	s.runCore(ctx)
	close(s.done)
	cancel()
	others.Wait()
	written := make(chan struct{})
	go func() {
		tapes.Wait()
		close(written)
	}()
	limit := time.NewTimer(closeTapes)
	defer limit.Stop()
	select {
	case <-written:
	case <-limit.C:
		s.log.Error("the recording could not be closed: the disk does not answer")
	}
}

// runCore feeds the core until ctx ends. It waits for nothing but what happens next.
func (s *seat) runCore(ctx context.Context) {
	defer func() {
		// No input may make a core panic. Should one do so, this board stands still and the others go on.
		if p := recover(); p != nil {
			s.log.Error("this board has failed and stands still until boardd is started again", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			s.note(func(h *Health) { *h = Health{Failed: true, Fault: "has failed"} })
			for c, to := range s.waiting {
				to <- game.Reply{Command: c, Status: "error", Code: "internal", Message: "the board has failed"}
			}
		}
	}()
	timer := s.clock.NewTimer()
	defer timer.Stop()
	if s.board.NewDriver == nil && !s.board.Resumed {
		s.feeder.Start()
	} else { // nobody has answered at the port yet, and what was known before the daemon ended is no longer so
		s.feeder.Input(board.Input{Kind: board.Link})
	}
	armed, ending := int64(0), ctx.Done()
	var end <-chan time.Time
	for {
		w, items := s.feeder.Wake(), s.items
		if s.ahead != nil {
			items = nil
			if at := s.ahead.input.T; w == 0 || at < w {
				w = at
			}
		}
		if w != armed {
			timer.Set(w)
			armed = w
		}
		select {
		case <-ending:
			s.showNewest()
			rest := lightsRest - time.Since(s.lit)
			if rest <= 0 {
				s.feeder.Stop()
				return
			}
			last := time.NewTimer(rest)
			defer last.Stop()
			ending, end = nil, last.C
		case <-end:
			s.feeder.Stop()
			return
		case <-s.framed:
			s.showNewest()
		case it := <-items:
			s.take(it, s.clock.Now())
		case s.pings <- struct{}{}:
		case r := <-s.commands:
			s.feedWaiting()
			s.do(r)
		case <-timer.C():
			armed = 0
			s.feeder.Advance(s.feedWaiting())
		}
	}
}

// lightsRest is how long the end of a board waits after its last frame. Its driver may have to wait before it can send that: for an
// answer, or because the board takes one command at a time.
const lightsRest = 500 * time.Millisecond

// light takes a frame for the board's own lights. It never waits; the newest counts.
func (s *seat) light(f board.Frame) {
	s.frame.Store(&f)
	select {
	case s.framed <- struct{}{}:
	default:
	}
}

// showNewest gives the driver the newest frame, if it does not have it.
func (s *seat) showNewest() {
	f := s.frame.Swap(nil)
	if f == nil {
		return
	}
	if s.feeder.Light(s.feedWaiting(), *f) {
		s.lit = time.Now()
	}
}

func (s *seat) feed(it item) {
	s.feeder.Advance(it.input.T)
	s.record(it.input.T)
	if it.bytes != nil {
		s.feeder.Bytes(it.input.T, it.bytes)
	} else {
		s.feeder.Input(it.input)
	}
}

// take feeds what its time has come for, and keeps the rest for later: a source may know what will happen, and then a
// daemon that is held up does not bend its times.
func (s *seat) take(it item, now int64) {
	if it.input.T > now {
		s.ahead = &it
		return
	}
	s.feed(it)
}

// feedWaiting gives what came before this moment and lies in the queue: it is earlier than the wake or the command at hand.
// It gives that moment.
func (s *seat) feedWaiting() (now int64) {
	now = s.clock.Now()
	if s.ahead != nil {
		if s.ahead.input.T > now {
			return now
		}
		s.feed(*s.ahead)
		s.ahead = nil
	}
	for s.ahead == nil {
		select {
		case it := <-s.items:
			s.take(it, now)
		default:
			return now
		}
	}
	return now
}

func (s *seat) do(r *request) {
	r.taken = true
	s.waiting[r.command] = r.reply
	now := s.clock.Now()
	s.feeder.Advance(now)
	s.record(now)
	s.feeder.Input(board.Input{T: now, Kind: board.Cmd, Command: r.command})
	if _, unanswered := s.waiting[r.command]; unanswered {
		delete(s.waiting, r.command)
		r.reply <- game.Reply{Command: r.command, Status: "error", Code: "internal", Message: "the board gave no answer"}
	}
}

// emit takes an output of the core: the view to its place, everything else on its way into the journal.
func (s *seat) emit(out game.Output) {
	if out.View != nil { // first: lights are what people wait for
		s.view.Store(out.View)
		s.daemon.signal()
	}
	if out.Snapshot != nil && out.Snapshot.Online != s.online {
		s.online = out.Snapshot.Online
		s.log.Info(map[bool]string{true: "board is online", false: "board is offline"}[s.online])
		s.note(func(h *Health) {
			if h.Online = s.online; s.online {
				h.Fault = ""
			}
		})
	}
	if out.Snapshot != nil {
		s.snapshot = out.Snapshot
	}
	p := pending{Batch: Batch{Board: s.board.Info.ID, T: s.feeder.Now(), Events: out.Events, Snapshot: out.Snapshot}}
	for _, r := range out.Replies {
		if r.Command.ID != "" && r.Status != "duplicate" {
			p.Answers = append(p.Answers, r)
		}
		if to := s.waiting[r.Command]; to != nil {
			delete(s.waiting, r.Command)
			p.answers = append(p.answers, answer{to, r})
		}
	}
	if len(p.Events) > 0 || p.Snapshot != nil || len(p.Answers) > 0 || len(p.answers) > 0 {
		p.Zero = s.daemon.zero()
		if s.daemon.queue.put(p) {
			s.log.Error("an event was lost: the journal has not written for too long")
		}
	}
}

func (s *seat) write(b []byte) {
	select {
	case s.out <- append([]byte{}, b...):
	default:
		s.log.Warn("the port does not take what is written to it", "dropped_bytes", len(b))
	}
}

// give brings an item to the board's goroutine; it waits while the queue is full.
func (s *seat) give(it item) {
	select {
	case s.items <- it:
	case <-s.done:
	}
}

// runSource runs the source, again and again until ctx ends or it has nothing more.
func (s *seat) runSource(ctx context.Context) {
	timer := s.clock.NewTimer()
	defer timer.Stop()
	said := ""
	pause := int64(firstPause)
	for {
		began := s.clock.Now()
		err := s.tryRun(ctx)
		if err == nil || ctx.Err() != nil {
			return
		}
		now := s.clock.Now()
		if now-began > 2*longPause {
			pause, said = firstPause, ""
		}
		if err.Error() != said {
			s.log.Warn("board cannot be read, trying again", "driver", s.board.Info.Driver, "err", err)
			said = err.Error()
		}
		s.note(func(h *Health) {
			if !h.Failed {
				h.Fault = err.Error()
			}
		})
		s.give(item{input: board.Input{T: now, Kind: board.Link}})
		timer.Set(now + pause)
		pause = min(2*pause, longPause)
		select {
		case <-ctx.Done():
			return
		case <-timer.C():
		}
	}
}

// tryRun runs the source once; a source that panics has failed like any other.
func (s *seat) tryRun(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			s.log.Error("source has failed", "panic", fmt.Sprint(p), "stack", string(debug.Stack()))
			err = errors.New("the driver has failed")
		}
	}()
	return s.board.Source.Run(ctx, &Sink{s})
}
