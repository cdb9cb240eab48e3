package main

import (
	"context"
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
	"github.com/boardd/boardd/sensing/hand"
)

// hall is many boards in one process, each with hands.
type hall struct {
	house *daemon.Daemon
	clock *daemon.Running
	seats []*hallSeat

	mu        sync.Mutex
	reached   map[string][]time.Duration // by driver: from the last byte that a board has written until its table has the input that came of it
	published map[string][]time.Duration // from that byte until a move told at once is in the journal and may be published
}

func newHall(speed float64) *hall {
	return &hall{clock: daemon.NewRunning(speed), reached: map[string][]time.Duration{}, published: map[string][]time.Duration{}}
}

// hallSeat is one board of the hall and what is played on it.
type hallSeat struct {
	hall  *hall
	id    string
	kind  string // its driver
	game  playable
	perf  hand.Performance
	want  []string
	board *emulator.Emulator // nil for a virtual board
	seen  chan struct{}      // closed when the board has been seen
	once  sync.Once

	mu    sync.Mutex
	wrote time.Time         // when the board last wrote
	told  map[int]time.Time // the byte of which a move came, by its place in the game
}

// stamped is a machine that knows when it last wrote.
type stamped struct {
	emulator.Machine
	seat *hallSeat
}

func (m stamped) Step(now int64, in []byte) ([]byte, int64) {
	out, wake := m.Machine.Step(now, in)
	if len(out) > 0 {
		m.seat.mu.Lock()
		m.seat.wrote = time.Now()
		m.seat.mu.Unlock()
	}
	return out, wake
}

// timed is a table that tells how long its inputs took.
type timed struct {
	*game.Table
	seat *hallSeat
}

func (t timed) Step(in board.Input) game.Output {
	x := t.seat
	changed := in.Kind == board.Change || in.Kind == board.Scan
	x.mu.Lock()
	wrote := x.wrote
	x.mu.Unlock()
	if changed && !wrote.IsZero() {
		took := time.Since(wrote)
		x.hall.mu.Lock()
		x.hall.reached[x.kind] = append(x.hall.reached[x.kind], took)
		x.hall.mu.Unlock()
	}
	out := t.Table.Step(in)
	for _, e := range out.Events {
		if _, ok := e.Body.(*game.Moved); ok && changed {
			x.mu.Lock()
			x.told[e.Ply] = wrote
			x.mu.Unlock()
		}
	}
	if in.Kind == board.Scan {
		x.once.Do(func() { close(x.seen) })
	}
	return out
}

// follow takes the times at which moves may be published, until ctx ends.
func (h *hall) follow(ctx context.Context) error {
	changed, cancel := h.house.Watch()
	defer cancel()
	for {
		for {
			events := h.house.Outbox("hall", 1000)
			now := time.Now()
			for _, e := range events {
				h.house.Ack("hall", e.Board, e.Seq)
				i := slices.IndexFunc(h.seats, func(x *hallSeat) bool { return x.id == e.Board })
				if _, ok := e.Body.(*game.Moved); !ok || i < 0 {
					continue
				}
				x := h.seats[i]
				x.mu.Lock()
				at := x.told[e.Ply]
				x.mu.Unlock()
				if !at.IsZero() {
					h.mu.Lock()
					h.published[x.kind] = append(h.published[x.kind], now.Sub(at))
					h.mu.Unlock()
				}
			}
			if len(events) == 0 {
				break
			}
		}
		select {
		case <-ctx.Done():
			return nil
		case <-changed:
		}
	}
}

// run plays on all boards, and gives what each of them says that was played.
func (h *hall) run(t *testing.T, boards []daemon.Board) (moves [][]string) {
	t.Helper()
	var err error
	if h.house, err = daemon.New(daemon.Options{Boards: boards, Clock: h.clock}); err != nil {
		t.Fatal(err)
	}
	stopHouse := start(t.Context(), h.house.Run)
	stopFollow := start(t.Context(), h.follow)
	var players sync.WaitGroup
	for _, x := range h.seats {
		players.Go(func() {
			if err := h.play(t.Context(), x); err != nil {
				t.Errorf("%s: %v", x.id, err)
			}
		})
	}
	players.Wait()
	if err := stopFollow(); err != nil {
		t.Error(err)
	}
	if err := stopHouse(); err != nil {
		t.Error(err)
	}
	for i := range h.seats {
		table := boards[i].Table.(timed).Table
		games := table.Games()
		if len(games) == 0 {
			moves = append(moves, nil)
			continue
		}
		moves = append(moves, games[len(games)-1].UCI)
	}
	return moves
}

// play plays on one board, and waits until all stands or patience ends.
func (h *hall) play(ctx context.Context, x *hallSeat) error {
	select {
	case <-x.seen:
	case <-time.After(time.Minute):
		return fmt.Errorf("not seen within a minute")
	}
	begin := h.clock.Now()
	if x.board != nil {
		hands := make(chan board.Input)
		ctx, cancel := context.WithCancel(ctx)
		defer cancel()
		go func() {
			defer close(hands)
			give(ctx, hands, 0, x.perf.Inputs)
		}()
		if err := playOn(ctx, x.board, hands, begin, h.clock, func(c *board.Command) error {
			_, err := h.house.Do(ctx, x.id, c)
			return err
		}); err != nil {
			return err
		}
	}
	changed, cancel := h.house.Watch()
	defer cancel()
	timer := h.clock.NewTimer()
	defer timer.Stop()
	timer.Set(begin + x.perf.End + 20_000)
	for {
		if s, ok := h.house.Latest(x.id); ok && s.Game != nil && len(s.Game.UCI) >= len(x.want) && h.clock.Now() > begin+x.perf.End {
			return nil
		}
		select {
		case <-changed:
		case <-timer.C():
			return nil
		}
	}
}

// fill seats so many emulated boards of all kinds in turn, on which the first plies of real games are played.
func (h *hall) fill(t *testing.T, n, plies int, speed float64) (boards []daemon.Board) {
	t.Helper()
	games := realGames(t, n)
	kinds := emulationNames()
	for i := range n {
		e := emulations[kinds[i%len(kinds)]]
		x := h.seat(i, e.driver, games[i], plies)
		x.perf, _ = soakHands(t, e, uint64(i)).perform(&x.game, 0, false)
		var err error
		if x.board, err = emulator.Open(stamped{newBoardOf(t, e), x}, emulator.Options{Speed: speed, Seed: uint64(i)}); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() {
			if err := x.board.Close(); err != nil {
				t.Error(err)
			}
		})
		x.board.Show(projection(board.PieceAcuity, &x.game.start))
		b, err := e.read(x.board, x.id, rules.Standard, func(table *game.Table) daemon.Table { return timed{table, x} })
		if err != nil {
			t.Fatal(err)
		}
		boards = append(boards, b)
	}
	return boards
}

func (h *hall) seat(i int, kind string, g playable, plies int) *hallSeat {
	g.moves = g.moves[:min(plies, len(g.moves))]
	x := &hallSeat{hall: h, kind: kind, id: fmt.Sprintf("board%02d", i), game: g, want: ucis(&g), seen: make(chan struct{}), told: map[int]time.Time{}}
	h.seats = append(h.seats, x)
	return x
}

// Boards of all kinds over real ports at once, on lines that cut, repeat and delay: every game stands as it was played.
func TestBoardsAtOnce(t *testing.T) {
	t.Parallel()
	const speed = 20
	h := newHall(speed)
	boards := h.fill(t, len(emulations), 12, speed)
	for _, x := range h.seats {
		x.board.Fault(emulator.Faults{Twice: 0.003, Late: 0.01, Foreign: 0.003})
	}
	moves := h.run(t, boards)
	for i, x := range h.seats {
		if same, summary := compare(x.want, moves[i]); !same {
			t.Errorf("%s (%s): %s", x.id, boards[i].Info.Driver, summary)
		}
	}
}

// BOARDD_FIFTY measures 50 emulated boards in one process, or as many as it says, and 20 virtual ones at blitz pace.
func TestSoakFiftyBoards(t *testing.T) {
	n, err := strconv.Atoi(os.Getenv("BOARDD_FIFTY"))
	if err != nil || n < 1 {
		t.Skip("BOARDD_FIFTY=50 measures 50 boards for some minutes")
	}
	h := newHall(1)
	boards := h.fill(t, n, 30, 1)
	before, began := spent(t), time.Now()
	moves := h.run(t, boards)
	h.report(t, boards, moves, spent(t)-before, time.Since(began))
}

// TestSoakTwentyVirtualBoards is the same with virtual boards at the pace of blitz games.
func TestSoakTwentyVirtualBoards(t *testing.T) {
	if os.Getenv("BOARDD_FIFTY") == "" {
		t.Skip("BOARDD_FIFTY=50 measures 20 virtual boards for some minutes")
	}
	const n = 20
	h := newHall(1)
	games := realGames(t, n)
	style, _ := hand.Styles().Style("blitz")
	var boards []daemon.Board
	for i := range n {
		x := h.seat(i, "virtual", games[i], 80)
		who := hands{style: style, sensor: hand.Styles().Sensor(board.Presence), seed: uint64(i)}
		x.perf, _ = who.perform(&x.game, 0, false)
		// Blitz before boards that see only presence is not always understood: here counts that the house understands what a table
		// by itself does.
		x.want, _ = understood(t, &x.game, who, x.perf.Inputs, x.perf.End)
		inputs := make(chan board.Input)
		go func() {
			defer close(inputs)
			give(t.Context(), inputs, 0, x.perf.Inputs)
		}()
		opt := game.Options{Games: x.id, Acuity: board.Presence, SettleMs: sensing.DefaultSettleMs, Orientation: "white"}
		boards = append(boards, daemon.Board{
			Info:  game.BoardInfo{ID: x.id, Name: x.id, Driver: "virtual", Acuity: board.Presence},
			Table: timed{game.NewTable(opt), x},
			Source: sourceFunc(func(ctx context.Context, sink *daemon.Sink) error {
				b := virtual.Board{Start: projection(board.Presence, &x.game.start), Inputs: inputs}
				return b.Run(ctx, sink.Clock().Now(), sink.Input)
			}),
		})
	}
	before, began := spent(t), time.Now()
	moves := h.run(t, boards)
	h.report(t, boards, moves, spent(t)-before, time.Since(began))
}

// spent is the processor time of this process.
func spent(t *testing.T) time.Duration {
	t.Helper()
	var u syscall.Rusage
	if err := syscall.Getrusage(syscall.RUSAGE_SELF, &u); err != nil {
		t.Fatal(err)
	}
	return time.Duration(u.Utime.Nano() + u.Stime.Nano())
}

// report says what was lost, and what it cost.
func (h *hall) report(t *testing.T, boards []daemon.Board, moves [][]string, cpu, took time.Duration) {
	t.Helper()
	plies, lost := 0, 0
	for i, x := range h.seats {
		plies += len(x.want)
		if same, summary := compare(x.want, moves[i]); !same {
			lost++
			t.Errorf("%s (%s): %s", x.id, boards[i].Info.Driver, summary)
		}
	}
	status, err := os.ReadFile("/proc/self/status")
	if err != nil {
		t.Fatal(err)
	}
	memory := ""
	for line := range strings.Lines(string(status)) {
		if strings.HasPrefix(line, "VmHWM") {
			memory = strings.Join(strings.Fields(line)[1:], " ")
		}
	}
	at := func(all []time.Duration, p int) time.Duration {
		if len(all) == 0 {
			return 0
		}
		slices.Sort(all)
		return all[min(len(all)-1, len(all)*p/100)].Round(10 * time.Microsecond)
	}
	t.Logf("%d boards, %d plies, %d games wrong, in %v; processor %.1f %% of one core, memory %s", len(boards), plies, lost, took.Round(time.Second),
		100*cpu.Seconds()/took.Seconds(), memory)
	for kind, all := range h.reached {
		moves := h.published[kind]
		t.Logf("%s: last byte of the board → table: %d inputs, p50 %v, p99 %v; → move in the journal: %d moves, p50 %v, p99 %v", kind,
			len(all), at(all, 50), at(all, 99), len(moves), at(moves, 50), at(moves, 99))
	}
}
