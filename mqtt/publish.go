package mqtt

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/boardd/boardd/game"
)

const (
	batch     = 64       // events asked of the outbox at a time
	maxEvent  = 64 << 10 // bytes; a longer event makes brokers close the connection, again and again
	largeish  = 16 << 10 // bytes from which an event is suspected when the connection breaks under it
	suspicion = 5        // times that it may do so
	backlog   = 10_000   // events counted at most for info
)

// announce publishes everything that is retained.
func (s *session) announce() error {
	now := s.opt.Now()
	if err := s.discover(); err != nil {
		return err
	}
	if err := s.sayInfo(now, true); err != nil {
		return err
	}
	s.boards = s.feed.Boards()
	if err := s.publish("boards", 1, true, s.boardsOf(s.boards)); err != nil {
		return err
	}
	s.tables = s.tables[:0]
	for _, b := range s.boards {
		s.tables = append(s.tables, table{BoardInfo: b, said: map[string][]byte{}})
	}
	for i := range s.tables {
		if err := s.sayBoard(&s.tables[i], now); err != nil {
			return err
		}
	}
	return nil
}

// step publishes what is due now: replies, events, then snapshots, clocks and live pictures. more says that there may be
// more to do at once.
func (s *session) step() (more bool, err error) {
	if err := s.aside(); err != nil {
		return false, err
	}
	var events int
	for _, e := range s.feed.Outbox(consumer, batch) {
		if m := s.mark[e.Board]; m.epoch == e.Epoch && e.Seq <= m.seq {
			continue // acknowledged already; the feed has not caught up
		}
		if err := s.sayEvent(&e); err != nil {
			return false, err
		}
		events++
		if err := s.aside(); err != nil {
			return false, err
		}
		if s.ctx.Err() != nil {
			return true, nil
		}
	}
	// A snapshot follows the events that it holds; in a long backlog it is shown now and then all the same.
	s.unshown += events
	if events > 0 && s.unshown < batch {
		return true, nil
	}
	s.unshown = 0
	now := s.opt.Now()
	for i := range s.tables {
		if err := s.sayBoard(&s.tables[i], now); err != nil {
			return false, err
		}
	}
	return events > 0 || s.errand != nil, s.sayInfo(now, false)
}

// aside is what goes between two events so that a backlog holds nothing else up: replies, one event of a resend, live.
func (s *session) aside() error {
	if len(s.dead) > 0 {
		<-s.dead
		if err := s.revive(); err != nil {
			return err
		}
	}
	for len(s.replies) > 0 {
		if err := s.reply(<-s.replies); err != nil {
			return err
		}
	}
	if err := s.reborn(); err != nil {
		return err
	}
	if s.errand == nil && len(s.errands) > 0 {
		s.take(<-s.errands)
	}
	if s.errand != nil {
		if err := s.errandOn(); err != nil {
			return err
		}
	}
	now := s.opt.Now()
	for i := range s.tables {
		if err := s.sayLive(&s.tables[i], now); err != nil {
			return err
		}
	}
	return nil
}

// due is how long nothing will have to be published if nothing happens.
func (s *session) due() time.Duration {
	now := s.opt.Now()
	wait := s.pace.info
	for i := range s.tables {
		t := &s.tables[i]
		if latest, ok := s.feed.Latest(t.ID); ok {
			if in, ticks := t.clock.due(latest, now); ticks {
				wait = min(wait, in)
			}
		}
		if t.imageDue {
			wait = min(wait, s.pace.image-now.Sub(t.imageAt))
		}
		if v, _ := s.feed.View(t.ID); v != nil && v != t.view {
			wait = min(wait, s.pace.live-now.Sub(t.liveAt))
		}
	}
	if !s.rebirth.IsZero() {
		wait = min(wait, s.rebirth.Sub(now))
	}
	return max(wait, time.Millisecond)
}

// sayEvent publishes one event and tells the feed once the broker has it.
func (s *session) sayEvent(e *game.StampedEvent) error {
	body, err := s.eventOf(e)
	if err != nil {
		s.setAside(e, "it cannot be written as JSON: "+err.Error())
		return nil
	}
	if len(body) > maxEvent {
		s.setAside(e, fmt.Sprintf("it has %d bytes, more than brokers take (%d)", len(body), maxEvent))
		return nil
	}
	board, arbiter := game.StreamOf(e.Board)
	leaf := board + "/event"
	if arbiter {
		leaf = board + "/arbiter"
	}
	if err := s.publish(leaf, 1, false, body); err != nil {
		if len(body) > largeish && !errors.Is(err, errSilent) && s.suspect(e) {
			s.setAside(e, fmt.Sprintf("the connection broke %d times under its %d bytes", suspicion, len(body)))
		}
		return err
	}
	s.delivered(e)
	return nil
}

func (s *session) delivered(e *game.StampedEvent) {
	s.mark[e.Board] = mark{e.Epoch, e.Seq}
	s.feed.Ack(consumer, e.Board, e.Seq)
}

// suspect counts a broken connection against the event under which it broke.
func (s *session) suspect(e *game.StampedEvent) bool {
	if m := (mark{e.Epoch, e.Seq}); s.poison.board != e.Board || s.poison.mark != m {
		s.Door.poison = poison{board: e.Board, mark: m}
	}
	s.poison.times++
	return s.poison.times >= suspicion
}

// setAside goes on without an event that can never be published: it stays in the journal, and the log says so.
func (s *session) setAside(e *game.StampedEvent, why string) {
	s.count.SetAside.Add(1)
	s.opt.Logger.Error("MQTT: an event is set aside, it stays in the journal: "+why,
		"board", e.Board, "epoch", e.Epoch, "seq", e.Seq, "type", e.Type)
	s.delivered(e)
}

// sayBoard publishes a board's status and, if its snapshot is new, what that says: state, game and so on, in the order of
// docs/mqtt.md.
func (s *session) sayBoard(t *table, now time.Time) error {
	latest, ok := s.feed.Latest(t.ID)
	if !ok {
		return s.sayNew(t, "status", statusOf(nil))
	}
	if latest.Snapshot != t.snapshot || latest.Epoch != t.epoch {
		first := t.snapshot == nil
		if err := s.sayNew(t, "status", statusOf(latest.Snapshot)); err != nil {
			return err
		}
		if first { // who joins builds on the game; who is there wants to see the state first
			if err := s.sayGames(t, latest); err != nil {
				return err
			}
		}
		if err := s.sayState(t, latest); err != nil {
			return err
		}
		if !first {
			if err := s.sayGames(t, latest); err != nil {
				return err
			}
		}
		t.snapshot, t.epoch = latest.Snapshot, latest.Epoch
	}
	if !t.clock.is(latest, now) {
		if err := s.publish(t.ID+"/clock", 0, true, clockOf(latest, now)); err != nil {
			return err
		}
		if err := s.sayFields(t, clockFields(latest, now)); err != nil {
			return err
		}
		t.clock.said(latest, now)
	}
	if err := s.sayNew(t, "settings", settingsOf(latest.Snapshot)); err != nil {
		return err
	}
	if err := s.sayFields(t, stateFields(latest)); err != nil {
		return err
	}
	return s.sayImage(t, latest, now)
}

// sayState publishes the state, unless only its time is new.
func (s *session) sayState(t *table, latest game.StampedSnapshot) error {
	timeless := latest
	timeless.TS = time.Time{}
	key := s.stateOf(timeless)
	if bytes.Equal(key, t.said["state"]) {
		return nil
	}
	if err := s.publish(t.ID+"/state", 1, true, s.stateOf(latest)); err != nil {
		return err
	}
	t.said["state"] = key
	return nil
}

func (s *session) sayGames(t *table, latest game.StampedSnapshot) error {
	if err := s.sayNew(t, "game", s.gameOf(latest, latest.Game)); err != nil {
		return err
	}
	if latest.LastGame == nil {
		return nil
	}
	if g := latest.LastGame; !bytes.Equal(t.said["last_game id"], []byte(g.ID)) {
		t.said["last_game id"] = []byte(g.ID)
		return s.publish(t.ID+"/last_game", 1, true, s.gameOf(latest, g))
	}
	return nil
}

// sayNew publishes a retained body unless this session has said just that.
func (s *session) sayNew(t *table, leaf string, body []byte) error {
	if old, ok := t.said[leaf]; ok && bytes.Equal(old, body) {
		return nil
	}
	if err := s.publish(t.ID+"/"+leaf, 1, true, body); err != nil {
		return err
	}
	t.said[leaf] = body
	return nil
}

// sayLive publishes the newest view, at most ten times a second. Nobody waits for it: it is gone when it is lost.
func (s *session) sayLive(t *table, now time.Time) error {
	v, _ := s.feed.View(t.ID)
	if since := now.Sub(t.liveAt); v == nil || v == t.view || since >= 0 && since < s.pace.live {
		return nil
	}
	t.view, t.liveAt = v, now
	return s.publish(t.ID+"/live", 0, false, liveOf(t.ID, v))
}

// reply publishes an answer to a command, unless nobody can be waiting for it any more.
func (s *session) reply(r reply) error {
	if s.opt.Now().Sub(r.at) > lateAfter {
		s.count.Unanswered.Add(1)
		return nil
	}
	return s.publish(r.topic[len(s.base):], 1, false, r.body)
}
