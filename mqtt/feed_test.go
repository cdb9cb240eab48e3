package mqtt

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

const testEpoch = "5f2c91aa"

// scripted is a Feed that says what a test lets it say.
type scripted struct {
	mu       sync.Mutex
	boards   []game.BoardInfo
	latest   map[string]game.StampedSnapshot
	views    map[string]*game.View
	log      []game.StampedEvent
	acked    map[string]int64
	gone     map[string]int64 // events up to this one are no longer kept
	unread   map[string]int64 // events from this one on cannot be read; 0: all can
	watchers map[chan struct{}]bool
	done     []board.Command
	do       func(ctx context.Context, board string, c *board.Command) (game.Reply, error)
	now      func() time.Time
}

func newScripted(ids ...string) *scripted {
	f := &scripted{
		latest: map[string]game.StampedSnapshot{}, views: map[string]*game.View{}, acked: map[string]int64{},
		gone: map[string]int64{}, unread: map[string]int64{}, watchers: map[chan struct{}]bool{}, now: time.Now,
	}
	for i, id := range ids {
		f.boards = append(f.boards, game.BoardInfo{ID: id, Name: fmt.Sprintf("Table %d", i+1), Driver: "virtual", Acuity: board.PieceAcuity})
	}
	return f
}

func (f *scripted) Boards() []game.BoardInfo { return f.boards }

func (f *scripted) Latest(board string) (game.StampedSnapshot, bool) {
	f.mu.Lock()
	defer f.mu.Unlock()
	s, ok := f.latest[board]
	return s, ok
}

func (f *scripted) View(board string) (*game.View, time.Time) {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.views[board], time.Time{}
}

func (f *scripted) Watch() (<-chan struct{}, func()) {
	f.mu.Lock()
	defer f.mu.Unlock()
	c := make(chan struct{}, 1)
	f.watchers[c] = true
	return c, func() {
		f.mu.Lock()
		defer f.mu.Unlock()
		delete(f.watchers, c)
	}
}

func (f *scripted) signal() {
	for c := range f.watchers {
		select {
		case c <- struct{}{}:
		default:
		}
	}
}

func (f *scripted) Outbox(consumer string, most int) (list []game.StampedEvent) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for _, e := range f.log {
		if e.Seq > f.acked[e.Board] && len(list) < most && consumer == "mqtt" {
			list = append(list, e)
		}
	}
	return list
}

func (f *scripted) Ack(consumer, board string, seq int64) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if consumer != "mqtt" || seq != f.acked[board]+1 {
		panic(fmt.Sprintf("%s acknowledges %s %d after %d", consumer, board, seq, f.acked[board]))
	}
	f.acked[board] = seq
}

func (f *scripted) ackedUpTo(board string) int64 {
	f.mu.Lock()
	defer f.mu.Unlock()
	return f.acked[board]
}

func (f *scripted) Events(board string, from int64, most int) (list []game.StampedEvent, err error) {
	f.mu.Lock()
	defer f.mu.Unlock()
	if from <= f.gone[board] {
		return nil, game.ErrGone
	}
	if first := f.unread[board]; first != 0 && from >= first {
		return nil, errors.New("on purpose")
	}
	for _, e := range f.log {
		if e.Board == board && e.Seq >= from && len(list) < most {
			list = append(list, e)
		}
	}
	return list, nil
}

func (f *scripted) Do(ctx context.Context, board string, c *board.Command) (game.Reply, error) {
	f.mu.Lock()
	f.done = append(f.done, *c)
	do := f.do
	f.mu.Unlock()
	if do != nil {
		return do(ctx, board, c)
	}
	return game.Reply{Command: c, Status: "ok"}, nil
}

func (f *scripted) commands() []board.Command {
	f.mu.Lock()
	defer f.mu.Unlock()
	return append([]board.Command(nil), f.done...)
}

// say commits one event with the snapshot after it. The snapshot may be nil.
func (f *scripted) say(board, kind string, body game.Body, s *game.Snapshot) {
	f.mu.Lock()
	defer f.mu.Unlock()
	seq := int64(1)
	for _, e := range f.log {
		if e.Board == board {
			seq = e.Seq + 1
		}
	}
	ts := f.now()
	e := game.Event{Seq: seq, T: seq * 1000, Game: "g1", Ply: int(seq), Type: kind, Body: body}
	f.log = append(f.log, game.StampedEvent{Event: e, Board: board, Epoch: testEpoch, TS: ts})
	if s != nil {
		s.Seq, s.T = seq, seq*1000
		f.latest[board] = game.StampedSnapshot{Snapshot: s, Board: board, Epoch: testEpoch, TS: ts, TSOK: true}
	}
	f.signal()
}

// show sets a board's view.
func (f *scripted) show(board string, v *game.View) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.views[board] = v
	f.signal()
}

// shuffle plays knights out and home: n plies, an event and a snapshot each.
func (f *scripted) shuffle(board string, n int) {
	cycle := [...][2]string{{"g1f3", "Nf3"}, {"g8f6", "Nf6"}, {"f3g1", "Ng1"}, {"f6g8", "Ng8"}}
	s, ok := f.Latest(board)
	g := &game.Record{ID: "g1", Variant: "standard", White: "Anna", Black: "Ben", Result: "*"}
	if ok && s.Game != nil {
		g = s.Game
	}
	for range n {
		ply := len(g.UCI)
		by := rules.Color(ply % 2)
		next := *g
		next.UCI = append(append([]string(nil), g.UCI...), cycle[ply%4][0])
		next.SAN = append(append([]string(nil), g.SAN...), cycle[ply%4][1])
		next.ClkMs = append(append([]*int64(nil), g.ClkMs...), nil)
		next.AtMs = append(append([]int64(nil), g.AtMs...), int64(ply+1)*1000)
		g = &next
		turn := by.Other()
		f.say(board, "move", &game.Moved{By: by, UCI: cycle[ply%4][0], SAN: cycle[ply%4][1], FEN: "-"}, &game.Snapshot{
			Status: "playing", Mode: "casual", Game: g, Turn: &turn, LastBy: &by, LastUCI: cycle[ply%4][0], LastSAN: cycle[ply%4][1],
			Online: true, Match: true, DefaultPromotion: "queen", LEDBrightness: 25, LightsOn: true,
		})
	}
}
