package mqtt

import (
	"bytes"
	"errors"
	"fmt"
	"time"

	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
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
		if v, _ := s.feed.View(t.ID); v != nil && v != t.view {
			wait = min(wait, s.pace.live-now.Sub(t.liveAt))
		}
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
	if err := s.publish(e.Board+"/event", 1, false, body); err != nil {
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
		t.clock.said(latest, now)
	}
	return s.sayNew(t, "settings", settingsOf(latest.Snapshot))
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

// take begins an errand.
func (s *session) take(e errand) {
	s.errand, s.next, s.resent, s.first = &e, e.from, 0, 0
}

// errandOn does the next piece of the errand at hand: everything retained, or one event of a resend.
func (s *session) errandOn() error {
	e := s.errand
	if e.all {
		s.errand = nil
		if err := s.announce(); err != nil {
			return err
		}
		s.answer(e.board, e.id, e.verb, "ok", "", "", nil)
		return nil
	}
	var events []game.StampedEvent
	if s.resent < e.max {
		var err error
		if events, err = s.feed.Events(e.board, s.next, 1); err != nil {
			s.errand = nil
			s.answer(e.board, e.id, e.verb, "error", codeGone, err.Error(), nil)
			return nil
		}
	}
	if len(events) == 0 {
		s.errand = nil
		said := "no events from there on"
		if s.resent > 0 {
			said = fmt.Sprintf("%d events, seq %d to %d", s.resent, s.first, s.next-1)
		}
		s.answer(e.board, e.id, e.verb, "ok", "", said, nil)
		return nil
	}
	event := &events[0]
	body, err := s.eventOf(event)
	if err == nil && len(body) <= maxEvent {
		if err := s.publish(e.board+"/resend", 1, false, body); err != nil {
			return err
		}
		if s.resent++; s.resent == 1 {
			s.first = event.Seq
		}
	}
	s.next = event.Seq + 1
	return nil
}

// infoBody is the body of the node's topic info.
type infoBody struct {
	V             int        `json:"v"`
	Node          string     `json:"node"`
	Version       string     `json:"version"`
	LatestVersion *string    `json:"latest_version"`
	Session       int        `json:"session"` // connections since the start: tells a reconnect from a restart
	Started       string     `json:"started"`
	UptimeS       int64      `json:"uptime_s"`
	OutboxPending int        `json:"outbox_pending"`
	SetAside      int64      `json:"set_aside"`
	Commands      string     `json:"commands"`
	Refused       countsBody `json:"refused"`
}

func (d *Door) infoNow(now time.Time) infoBody {
	return infoBody{
		V: 1, Node: d.opt.Node, Version: d.opt.Version, Session: d.nth, Started: stamp(d.began),
		UptimeS: int64(now.Sub(d.began) / time.Second), OutboxPending: len(d.feed.Outbox(consumer, backlog)),
		SetAside: d.count.SetAside.Load(), Commands: classNames[d.class], Refused: d.count.body(),
	}
}

func (d *Door) infoOf(now time.Time) []byte { return encode(d.infoNow(now)) }

// sayInfo publishes info when more than the uptime has changed, but not often.
func (s *session) sayInfo(now time.Time, must bool) error {
	if since := now.Sub(s.infoAt); !must && since >= 0 && since < s.pace.info {
		return nil
	}
	s.infoAt = now
	b := s.infoNow(now)
	body := encode(b)
	b.UptimeS = 0
	if still := string(encode(b)); still != s.info || must {
		s.info = still
		return s.publish("info", 1, true, body)
	}
	return nil
}

// clockBody is the body of the topic clock.
type clockBody struct {
	V       int          `json:"v"`
	WhiteMs *int64       `json:"white_ms"`
	BlackMs *int64       `json:"black_ms"`
	Running *rules.Color `json:"running"`
	At      *string      `json:"at"`
	FlagAt  *string      `json:"flag_at"`
}

// clockAt is the players' clock as it stands now: the running side has used the time since the reading.
func clockAt(s game.StampedSnapshot, now time.Time) (white, black int64) {
	white, black = s.Clock.WhiteMs, s.Clock.BlackMs
	if s.Clock.Running == nil {
		return white, black
	}
	read := s.TS.Add(time.Duration(s.Clock.T-s.T) * time.Millisecond)
	used := max(now.Sub(read).Milliseconds(), 0)
	if *s.Clock.Running == rules.White {
		return max(white-used, min(white, 0)), black
	}
	return white, max(black-used, min(black, 0))
}

// clockOf is the body of the topic clock. flag_at is null while the wall clock is not to be trusted.
func clockOf(s game.StampedSnapshot, now time.Time) []byte {
	b := clockBody{V: 1}
	if s.Clock == nil {
		return encode(b)
	}
	white, black := clockAt(s, now)
	at := stamp(now)
	b.WhiteMs, b.BlackMs, b.Running, b.At = &white, &black, s.Clock.Running, &at
	if b.Running != nil && s.TSOK {
		left := white
		if *b.Running == rules.Black {
			left = black
		}
		flag := stamp(now.Add(time.Duration(left) * time.Millisecond))
		b.FlagAt = &flag
	}
	return encode(b)
}

// clockSaid is what was last said of a clock.
type clockSaid struct {
	ever    bool
	reading *game.ClockView
	at      time.Time
}

func (c *clockSaid) said(s game.StampedSnapshot, now time.Time) {
	*c = clockSaid{true, s.Clock, now}
}

// due says in how long a running clock is to be said again: every 10 s, every second when its side has less than 20 s.
func (c *clockSaid) due(s game.StampedSnapshot, now time.Time) (in time.Duration, ticks bool) {
	if s.Clock == nil || s.Clock.Running == nil {
		return 0, false
	}
	white, black := clockAt(s, now)
	left := white
	if *s.Clock.Running == rules.Black {
		left = black
	}
	every := 10 * time.Second
	if left < 20_000 {
		every = time.Second
	}
	if now.Before(c.at) {
		return 0, true // the wall clock was set back
	}
	return every - now.Sub(c.at), true
}

// is reports whether the clock needs not be said: no press, start or stop since, no time set anew, and no tick due.
func (c *clockSaid) is(s game.StampedSnapshot, now time.Time) bool {
	switch {
	case !c.ever:
		return false
	case s.Clock == nil || c.reading == nil:
		return s.Clock == nil && c.reading == nil
	case !sameSide(s.Clock.Running, c.reading.Running):
		return false
	case s.Clock.Running == nil && (s.Clock.WhiteMs != c.reading.WhiteMs || s.Clock.BlackMs != c.reading.BlackMs):
		return false
	}
	in, ticks := c.due(s, now)
	return !ticks || in > 0
}

func sameSide(a, b *rules.Color) bool {
	return a == b || a != nil && b != nil && *a == *b
}
