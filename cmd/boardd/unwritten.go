package main

import (
	"errors"
	"fmt"
	"slices"
	"strconv"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
)

// recollect brings to the store what a daemon that was killed had not brought there yet, because the disk was slow: the recording of the
// board has it, for the computer keeps what a process has written when that is killed. It is played again from a moment of which the
// store knows, and gives the same events the same numbers; nobody has been told of them, or, while the disk failed, under another epoch.
// What does not agree with the store is left.
func (k *keeper) recollect(id string, opt *game.Options) {
	s := k.store
	seq, secret := s.Seq(id), s.Seq(game.Stream(id, true))
	stored, err := s.Resume(id, time.Now())
	if err != nil {
		return // said by who resumes
	}
	m := memory{seq: seq, secret: secret, games: opt.Games + "r", brightness: opt.Brightness, ids: map[string]string{}}
	if m.known = func(from int64) ([]game.StampedEvent, error) { return s.Events(id, from, recollectLimit) }; stored != nil {
		m.stored = stored.Snapshot
	}
	batches, err := m.tryPlay(recordings(&k.Config, id), id)
	if err == nil && len(batches) > 0 {
		err = s.Commit(batches)
	}
	switch {
	case errors.Is(err, recording.ErrNothing):
	case err != nil:
		k.Log.Warn("what was not written when boardd was last ended cannot be had from the recording", "board", id, "err", err)
	case len(batches) > 0:
		k.Log.Info("what was not written when boardd was last ended was taken from the recording", "board", id, "events", s.Seq(id)-seq)
	}
}

// recollectLimit is how many events are compared at most.
const recollectLimit = 10_000

// memory is a run that is played again to find what the store has not heard of it.
type memory struct {
	seq, secret int64          // the last events that the store has
	stored      *game.Snapshot // the last that the store has or will have
	known       func(from int64) ([]game.StampedEvent, error)
	games       string            // prefix of the ids of new games
	brightness  int               // as configured
	ids         map[string]string // of games begun in what is played again: what they were called
}

// tryPlay is play. What has made a core panic before does it again, and must not keep boardd from starting.
func (m *memory) tryPlay(dir, id string) (batches []game.Batch, err error) {
	defer func() {
		if p := recover(); p != nil {
			batches, err = nil, fmt.Errorf("what is recorded makes this board fail: %v", p)
		}
	}()
	return m.play(dir, id)
}

// play gives what is to be committed; nothing when the store has all.
func (m *memory) play(dir, id string) (batches []game.Batch, err error) {
	pieces, err := recording.LastRun(dir)
	if err != nil {
		return nil, err
	}
	if !pieces[len(pieces)-1].Open() {
		return nil, nil // it was ended in good order
	}
	first := -1 // the last of which the store knows how it began
	for i := range pieces {
		r, err := resumed(pieces[i].Opening)
		if err != nil {
			return nil, err
		}
		if r == nil || r.Snapshot.Seq <= m.seq {
			first = i
		}
	}
	if first < 0 {
		return nil, recording.ErrNothing
	}
	last := m.seq
	for i, p := range pieces[first:] {
		var next *recording.Opening
		if n := first + i + 1; n < len(pieces) {
			next = pieces[n].Opening
		}
		b, err := m.piece(p, id, next)
		if err != nil {
			return nil, err
		}
		for i := range b.Events {
			if e := &b.Events[i]; !e.Arbiter {
				if last++; e.Seq != last {
					return nil, fmt.Errorf("event %d is followed by %d", last-1, e.Seq)
				}
			}
		}
		batches = append(batches, b)
	}
	if !slices.ContainsFunc(batches, func(b game.Batch) bool { return len(b.Events) > 0 }) {
		return nil, nil
	}
	var out []game.Batch
	for _, b := range batches {
		out = append(out, b.Streams()...)
	}
	return out, nil
}

// piece plays one piece of the run, until the next begins if one does, and gives what of it the store has not.
func (m *memory) piece(p recording.Begun, id string, next *recording.Opening) (b game.Batch, err error) {
	o := p.Opening
	opt, err := tableOptions(o)
	if err != nil {
		return b, err
	}
	if opt.Resume, err = resumed(o); err != nil {
		return b, err
	}
	opt.Games, opt.Brightness = m.games+strconv.Itoa(p.Number), m.brightness // each piece counts its games anew
	from := int64(1)
	if opt.Resume != nil {
		from = opt.Resume.Snapshot.Seq + 1
	}
	had := map[int64]*game.StampedEvent{}
	if from <= m.seq {
		events, err := m.known(from)
		if err != nil {
			return b, err
		}
		for i := range events {
			had[events[i].Seq] = &events[i]
		}
	}
	b = game.Batch{Board: id, Zero: o.Since}
	f := daemon.Feeder{Table: game.NewTable(opt), Emit: func(out game.Output) {
		fresh := false
		for _, e := range out.Events {
			if !e.Arbiter && e.Seq <= m.seq {
				err = errors.Join(err, m.compare(&e, had[e.Seq]))
			} else if !e.Arbiter || e.Seq > m.secret {
				b.Events, fresh = append(b.Events, e), true
			}
		}
		for _, r := range out.Replies {
			if (fresh || len(b.Events) > 0) && r.Command.ID != "" && r.Status != "duplicate" {
				b.Answers = append(b.Answers, r)
			}
		}
		if out.Snapshot != nil {
			b.Snapshot = out.Snapshot
		}
	}}
	asked := false
	if f.NewDriver, err = replayDriver(o, &asked); err != nil {
		return b, err
	}
	f.Start()
	if e := p.Each(func(e recording.Entry) error {
		b.T = e.Input.T
		switch {
		case e.Opening != nil:
			return nil
		case e.Bytes != nil:
			asked = asked || len(e.Bytes) == 0
			f.Bytes(b.T, e.Bytes)
		case e.Input.Kind == board.Wake:
			f.Advance(b.T)
		default:
			f.Input(e.Input)
		}
		return err
	}); e != nil {
		return b, e
	}
	if next != nil {
		f.Advance(next.At - o.At)
		if err := m.goesOn(&b, next); err != nil {
			return b, err
		}
	}
	m.rename(&b)
	return b, err
}

// goesOn learns from the next piece what the game is called that goes on in it.
func (m *memory) goesOn(b *game.Batch, next *recording.Opening) error {
	r, err := resumed(next)
	if err == nil && r != nil && r.Snapshot.Game != nil && b.Snapshot != nil && b.Snapshot.Game != nil {
		m.ids[b.Snapshot.Game.ID] = r.Snapshot.Game.ID
	}
	return err
}

// compare finds out that what is played again is not what the store has heard.
func (m *memory) compare(e *game.Event, had *game.StampedEvent) error {
	if had == nil || had.Type != e.Type || had.Ply != e.Ply {
		return fmt.Errorf("event %d is another one there", e.Seq)
	}
	now, isMove := e.Body.(*game.Moved)
	if then, ok := had.Body.(*game.Moved); isMove && (!ok || then.UCI != now.UCI) {
		return fmt.Errorf("event %d is another move there", e.Seq)
	}
	if e.Game != "" {
		m.ids[e.Game] = had.Game
	}
	return nil
}

// rename gives games the ids under which they are known, and the game before them its place.
func (m *memory) rename(b *game.Batch) {
	for i := range b.Events {
		if id, ok := m.ids[b.Events[i].Game]; ok {
			b.Events[i].Game = id
		}
	}
	if b.Snapshot == nil {
		return
	}
	s := *b.Snapshot
	for _, r := range [2]**game.Record{&s.Game, &s.LastGame} {
		if *r == nil {
			continue
		}
		if id, ok := m.ids[(*r).ID]; ok && id != (*r).ID {
			own := **r
			own.ID = id
			*r = &own
		}
	}
	if s.LastGame == nil && m.stored != nil && m.stored.Game != nil && s.Game != nil {
		if s.LastGame = m.stored.LastGame; s.Game.ID != m.stored.Game.ID {
			s.LastGame = m.stored.Game
		}
	}
	b.Snapshot, m.stored = &s, &s
}
