package main

import (
	"context"
	"encoding/json"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
	"github.com/boardd/boardd/store"
)

// slowing is a journal of which a store gets only the first events: the disk is slow, and then boardd is killed.
type slowing struct {
	*daemon.Memory
	store *store.Store
	left  atomic.Int64 // events that the disk takes
}

func (s *slowing) Commit(batches []daemon.Batch) error {
	for _, b := range batches {
		if s.left.Add(-int64(len(b.Events))) >= 0 {
			if err := s.store.Commit([]daemon.Batch{b}); err != nil {
				return err
			}
		}
	}
	return s.Memory.Commit(batches)
}

// What a daemon had not written when it was killed comes from the recording: the same events under the same numbers, the whole game.
func TestUnwrittenMovesComeFromTheRecording(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name   string
		piece  time.Duration
		events int64 // that were written
		other  bool  // something else was written since
		next   bool  // another game has begun
	}{
		{"nothing was written", time.Hour, 0, false, false},
		{"of one piece", time.Hour, 20, false, false},
		{"of several pieces", 3 * time.Second, 20, false, false},
		{"nothing of several pieces was written", 3 * time.Second, 0, false, false},
		{"nothing of two games was written", 3 * time.Second, 0, false, true},
		{"all was written", time.Hour, 1 << 30, false, false},
		{"another run has written", time.Hour, 20, true, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			live, dead := t.TempDir(), t.TempDir()
			table := hand.Styles()
			style, _ := table.Style("club")
			perf := hand.Play(style, table.Sensor(board.PieceAcuity), rules.Start(), opened(t, 40), 5)
			if c.next {
				for i, verb := range []string{"new_game", "identify", "identify"} { // each in a piece of its own
					perf.Inputs = append(perf.Inputs, board.Input{Kind: board.Cmd, T: perf.End + int64(i+1)*8000, Command: &board.Command{Verb: verb, Force: true}})
				}
			}
			inputs := make(chan board.Input, len(perf.Inputs))
			for _, in := range perf.Inputs {
				in.T += 5000
				inputs <- in
			}
			opening := recording.Opening{Driver: "virtual", Acuity: board.PieceAcuity, HasAcuity: true, Board: "b", Options: json.RawMessage(`{"orientation":"auto"}`)}
			opt, err := tableOptions(&opening)
			if err != nil {
				t.Fatal(err)
			}
			opt.Games = "g"
			start := rules.Start()
			v := virtual.Board{Start: projection(board.PieceAcuity, &start), Inputs: inputs}
			s, err := store.Open(store.Options{Dir: live})
			if err != nil {
				t.Fatal(err)
			}
			defer s.Close()
			journal := &slowing{Memory: daemon.NewMemory(), store: s}
			journal.left.Store(c.events)
			ring, err := recording.OpenRing(recording.RingOptions{Dir: filepath.Join(live, "recordings", "b"), Piece: c.piece}, time.Now())
			if err != nil {
				t.Fatal(err)
			}
			d, err := daemon.New(daemon.Options{Clock: daemon.NewRunning(150), Journal: journal, Boards: []daemon.Board{{
				Info: game.BoardInfo{ID: "b"}, Table: game.NewTable(opt), Opening: opening, Tapes: []daemon.Tape{ring},
				Source: sourceFunc(func(ctx context.Context, sink *daemon.Sink) error { return v.Run(ctx, sink.Clock().Now(), sink.Input) }),
			}}})
			if err != nil {
				t.Fatal(err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			ended := make(chan error, 1)
			go func() { ended <- d.Run(ctx) }()
			eventually(t, "the game is played", time.Minute, func() bool {
				l, ok := d.Latest("b")
				if !ok {
					return false
				}
				g := l.Game
				if c.next {
					g = l.LastGame
				}
				return g != nil && len(g.UCI) == len(perf.Plies)
			})
			last, _ := d.Latest("b")
			pieces := 0
			eventually(t, "the recording has it too", time.Minute, func() bool { // then boardd is killed
				if err := os.CopyFS(filepath.Join(t.TempDir(), "x"), os.DirFS(live)); err != nil {
					return false
				}
				dead = filepath.Join(t.TempDir(), "x")
				if err := os.CopyFS(dead, os.DirFS(live)); err != nil {
					return false
				}
				all, err := recording.LastRun(filepath.Join(dead, "recordings", "b"))
				if err != nil || !all[len(all)-1].Open() {
					return false
				}
				pieces = len(all)
				end := int64(0)
				_ = all[len(all)-1].Each(func(e recording.Entry) error {
					end = all[len(all)-1].Opening.At + e.Input.T
					return nil
				})
				return end >= perf.Inputs[len(perf.Inputs)-1].T+5000
			})
			want, err := d.Events("b", 1, daemon.MemoryLimit)
			if err != nil {
				t.Fatal(err)
			}
			cancel()
			if err := <-ended; err != nil {
				t.Error(err)
			}

			k, err := (&Main{Config: config.Config{Node: config.Node{Data: dead}}, Log: slog.New(slog.DiscardHandler)}).keep()
			if err != nil {
				t.Fatal(err)
			}
			defer k.close()
			if c.other {
				if err := k.store.Commit([]game.Batch{{Board: "b", Zero: time.Now(), Events: []game.Event{{Seq: 21, Type: "resync", Body: &game.Resync{}}}}}); err != nil {
					t.Fatal(err)
				}
			}
			written := k.store.Seq("b")
			k.recollect("b", &game.Options{Games: "h", Brightness: opt.Brightness})
			got, err := k.store.Events("b", 1, daemon.MemoryLimit)
			if err != nil {
				t.Fatal(err)
			}
			if c.other {
				if len(got) != 21 {
					t.Errorf("%d events are there", len(got))
				}
				return
			}
			said := func(list []game.StampedEvent) (out []string) {
				for _, e := range list {
					uci := ""
					if m, ok := e.Body.(*game.Moved); ok {
						uci = m.UCI
					}
					out = append(out, fmt.Sprintf("%d %s %d %s", e.Seq, e.Type, e.Ply, uci))
				}
				return out
			}
			// The last move may be told by time alone, after the last line.
			if n := len(got); n < len(want)-1 || !slices.Equal(said(got), said(want)[:n]) {
				t.Errorf("written were %d of\n%v\nthere are\n%v", written, said(want), said(got))
			}
			for i := range min(len(got), len(want)) {
				if d := got[i].TS.Sub(want[i].TS).Abs(); d > time.Second { // the clock runs 150 times as fast
					t.Errorf("event %d is %v off", got[i].Seq, d)
				}
			}
			begun, games := 0, map[string]bool{}
			for _, e := range got {
				if e.Type == "game_start" {
					begun++
				}
				games[e.Game] = true
			}
			if delete(games, ""); len(games) != begun {
				t.Errorf("%d games have begun; events are of %v", begun, games)
			}
			r, err := k.store.Resume("b", time.Now())
			if err != nil || r == nil || r.Snapshot.Game == nil {
				t.Fatalf("%+v, %v", r, err)
			}
			if g := r.Snapshot.Game; len(g.UCI) < len(last.Game.UCI)-1 || !slices.Equal(g.UCI, last.Game.UCI[:len(g.UCI)]) || (written > 3 || pieces > 1) && !c.next && g.ID != last.Game.ID {
				t.Errorf("game %s %v\nwas %s %v", g.ID, g.UCI, last.Game.ID, last.Game.UCI)
			}
			if g := r.Snapshot.LastGame; c.next && (g == nil || g.ID != last.LastGame.ID || !slices.Equal(g.UCI, last.LastGame.UCI)) {
				t.Errorf("the game before is %+v\nwas %+v", g, last.LastGame)
			}
			if c, err := k.store.Check(); err != nil || len(c.Faults) > 0 {
				t.Errorf("%+v, %v", c, err)
			}
			if (c.events > 1000) != (written == int64(len(want))) || (c.piece < time.Minute) != (pieces > 1) {
				t.Errorf("no test: %d events written of %d, %d pieces", written, len(want), pieces)
			}
		})
	}
}

// Events for the arbiter alone are not lost either when they are all that was not written.
func TestUnwrittenEventsForTheArbiter(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ring, err := recording.OpenRing(recording.RingOptions{Dir: dir}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	start := rules.Start()
	o := recording.Opening{Driver: "virtual", Acuity: board.PieceAcuity, HasAcuity: true, Board: "b", Run: "r", Since: time.Now(), Rules: json.RawMessage(`{"mode":"observer"}`)}
	for _, err := range []error{
		ring.Open(o),
		ring.Input(board.Input{T: 100, Kind: board.Scan, Picture: projection(board.PieceAcuity, &start)}),
		ring.Input(board.Input{T: 5000, Kind: board.Cmd, Command: &board.Command{Verb: "new_game", Force: true}}),
		ring.Input(board.Input{T: 6000, Kind: board.Cmd, Command: &board.Command{Verb: "identify"}}),
		ring.Flush(),
	} {
		if err != nil {
			t.Fatal(err)
		}
	}
	told := func(m memory) (own, secret []game.StampedEvent) {
		m.games, m.ids = "h", map[string]string{}
		batches, err := m.tryPlay(dir, "b")
		if err != nil {
			t.Fatal(err)
		}
		for _, b := range batches {
			for _, e := range b.Events {
				if e.Arbiter {
					secret = append(secret, game.StampedEvent{Event: e})
				} else {
					own = append(own, game.StampedEvent{Event: e})
				}
			}
		}
		return own, secret
	}
	own, secret := told(memory{})
	if len(own) == 0 || len(secret) < 2 {
		t.Fatalf("no test: %d events, %d for the arbiter", len(own), len(secret))
	}
	known := func(from int64) ([]game.StampedEvent, error) { return own[from-1:], nil }
	for n := range secret {
		m := memory{seq: int64(len(own)), secret: int64(n), known: known}
		if more, rest := told(m); len(more) > 0 || len(rest) != len(secret)-n || rest[0].Seq != int64(n+1) {
			t.Errorf("of %d for the arbiter %d were written, and there are %v and %v", len(secret), n, more, rest)
		}
	}
	if more, rest := told(memory{seq: int64(len(own)), secret: int64(len(secret)), known: known}); len(more)+len(rest) > 0 {
		t.Errorf("all was written, and there are %v and %v", more, rest)
	}
}

// What makes a core panic must not do so at every start.
func TestRecordingThatPanicsIsLeftAlone(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	ring, err := recording.OpenRing(recording.RingOptions{Dir: dir}, time.Now())
	if err != nil {
		t.Fatal(err)
	}
	defer ring.Close()
	if err := ring.Open(recording.Opening{Driver: "virtual", HasAcuity: true, Board: "b", Run: "r", Since: time.Now()}); err != nil {
		t.Fatal(err)
	}
	if err := ring.Flush(); err != nil {
		t.Fatal(err)
	}
	m := memory{seq: 1, known: func(int64) ([]game.StampedEvent, error) { panic("on purpose") }}
	if batches, err := m.tryPlay(dir, "b"); batches != nil || err == nil {
		t.Errorf("%v, %v", batches, err)
	}
}
