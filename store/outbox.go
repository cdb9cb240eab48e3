package store

import (
	"cmp"
	"context"
	"database/sql"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/boardd/boardd/game"
)

// tailLimit is how many of the newest events are given without asking the disk.
const tailLimit = 256

// row is an event and its place among all.
type row struct {
	n int64
	game.StampedEvent
}

// outbox knows how far each consumer is. It is guarded by Store.mu, which is never held while the disk is waited for.
type outbox struct {
	last      int64 // n of the last event
	tail      []row // the last ones
	consumers map[string]*consumer
	unsaved   map[ack]bool // n is left out: it is looked up when it is written
	dirty     chan struct{}
}

// consumer is how far one consumer is.
type consumer struct {
	acked map[string]int64 // by board: n of the last event it has
	done  int64            // it has all up to this one
	given []row            // what it was given last
}

// ack is one consumer's place in one board's events.
type ack struct {
	consumer, board string
	n               int64
}

func (o *outbox) load(db *sql.DB) error {
	o.consumers, o.unsaved, o.dirty = map[string]*consumer{}, map[ack]bool{}, make(chan struct{}, 1)
	if err := db.QueryRow("SELECT coalesce(max(n), 0) FROM events").Scan(&o.last); err != nil {
		return err
	}
	rows, err := db.Query("SELECT consumer, board, event FROM consumers")
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var a ack
		if err := rows.Scan(&a.consumer, &a.board, &a.n); err != nil {
			return err
		}
		o.of(a.consumer).acked[a.board] = a.n
	}
	return rows.Err()
}

func (o *outbox) of(name string) *consumer {
	c := o.consumers[name]
	if c == nil {
		c = &consumer{acked: map[string]int64{}}
		o.consumers[name] = c
	}
	return c
}

// reset forgets everything: the events are gone.
func (o *outbox) reset() {
	o.last, o.tail = 0, nil
	clear(o.consumers)
	clear(o.unsaved)
}

// add takes events that have been committed.
func (o *outbox) add(events []row) {
	if len(events) == 0 {
		return
	}
	o.last = events[len(events)-1].n
	o.tail = append(o.tail, events...)
	if extra := len(o.tail) - tailLimit; extra > 0 {
		o.tail = append(o.tail[:0:0], o.tail[extra:]...)
	}
}

// Outbox gives up to limit events that a consumer has not acknowledged, of all boards in the order in which they were committed.
func (s *Store) Outbox(name string, limit int) (out []game.StampedEvent) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.outbox.of(name)
	c.given = c.given[:0]
	take := func(e *row) bool {
		switch {
		case len(out) >= limit:
			return false
		case e.n <= c.acked[e.Board]:
			if len(out) == 0 {
				c.done = max(c.done, e.n)
			}
		default:
			out = append(out, e.StampedEvent)
			c.given = append(c.given, *e)
		}
		return true
	}
	for from := c.done; from < s.outbox.last && len(out) < limit; {
		if tail := s.outbox.tail; len(tail) > 0 && tail[0].n <= from+1 {
			for i := range tail {
				if tail[i].n > from && !take(&tail[i]) {
					break
				}
			}
			return out
		}
		db := s.read
		s.mu.Unlock()
		rows, err := s.events(db, "n > ? ORDER BY n", limit-len(out)+16, from)
		s.mu.Lock()
		if err != nil {
			s.opt.Log.Error("the store cannot be read: events wait", "err", err)
			return out
		}
		for i := range rows {
			if take(&rows[i]) {
				from = rows[i].n
			}
		}
		if len(rows) == 0 {
			return out
		}
	}
	return out
}

// events reads events in their order.
func (s *Store) events(db *sql.DB, where string, limit int, args ...any) (list []row, err error) {
	if db == nil {
		return nil, errors.New("it is closed")
	}
	rows, err := db.Query("SELECT n, board, epoch, seq, ts_ms, t_ms, game, ply, type, body FROM events WHERE "+where+" LIMIT ?", append(args, limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var e row
		var ts int64
		var body []byte
		if err := rows.Scan(&e.n, &e.Board, &e.Epoch, &e.Seq, &ts, &e.T, &e.Game, &e.Ply, &e.Type, &body); err != nil {
			return nil, err
		}
		e.TS = time.UnixMilli(ts)
		if e.Body, err = game.ParseBody(e.Type, body); err != nil {
			s.opt.Log.Error("an event in the store cannot be read whole", "board", e.Board, "epoch", e.Epoch, "seq", e.Seq, "err", err)
			e.Body = nil
		}
		list = append(list, e)
	}
	return list, rows.Err()
}

// Ack says that a consumer has a board's events up to seq, which Outbox has given it. It waits for nothing: Run brings it to the disk.
func (s *Store) Ack(name, board string, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	c := s.outbox.of(name)
	for i := len(c.given) - 1; i >= 0; i-- {
		if e := &c.given[i]; e.Board == board && e.Seq <= seq {
			if e.n <= c.acked[board] {
				return
			}
			c.acked[board] = e.n
			s.outbox.unsaved[ack{name, board, 0}] = true
			select {
			case s.outbox.dirty <- struct{}{}:
			default:
			}
			return
		}
	}
}

// Run brings to the disk how far consumers are, until ctx ends. That is not waited for: after a power cut a consumer may get again what
// it has had. Errors are left to Commit, which finds them too.
func (s *Store) Run(ctx context.Context) error {
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-s.outbox.dirty:
			s.writing.Lock()
			if s.write != nil && !s.closed {
				if err := s.saveAcks(); err != nil {
					s.failed(err)
				}
			}
			s.writing.Unlock()
		}
	}
}

// saveAcks writes them without waiting for the disk. The caller holds s.writing.
func (s *Store) saveAcks() error {
	acks := s.takeAcks()
	if len(acks) == 0 {
		return nil
	}
	_, err := s.write.db.Exec("PRAGMA synchronous = NORMAL")
	if err == nil {
		err = s.write.do(func(t *transaction) {
			for _, a := range acks {
				t.exec(upsertAck, a.consumer, a.board, a.n)
			}
		}, upsertAck)
	}
	if err == nil {
		_, err = s.write.db.Exec("PRAGMA synchronous = FULL")
	}
	if err != nil {
		s.returnAcks()
	}
	return err
}

// takeAcks gives what is not on the disk yet.
func (s *Store) takeAcks() (list []ack) {
	s.mu.Lock()
	defer s.mu.Unlock()
	for a := range s.outbox.unsaved {
		a.n = s.outbox.of(a.consumer).acked[a.board]
		list = append(list, a)
	}
	clear(s.outbox.unsaved)
	return list
}

// returnAcks says that nothing was written: everything is to be, once that is possible.
func (s *Store) returnAcks() {
	s.mu.Lock()
	defer s.mu.Unlock()
	for name, c := range s.outbox.consumers {
		for board := range maps.Keys(c.acked) {
			s.outbox.unsaved[ack{name, board, 0}] = true
		}
	}
}

// epochsOf lists the epochs of a board that the store has events of.
const epochsOf = `WITH RECURSIVE e(epoch) AS (SELECT min(epoch) FROM events WHERE board = ?1
	UNION ALL SELECT (SELECT min(epoch) FROM events WHERE board = ?1 AND epoch > e.epoch) FROM e WHERE e.epoch IS NOT NULL)
	SELECT epoch FROM e WHERE epoch IS NOT NULL`

// Events gives a board's events from number from on, at most limit, also those of epochs that have ended: numbers go on from one epoch to
// the next. Where two have one number, the newer counts. It gives game.ErrGone when from is no longer kept.
func (s *Store) Events(board string, from int64, limit int) ([]game.StampedEvent, error) {
	s.mu.Lock()
	b, db := s.boards[board], s.read
	var last int64
	if b != nil {
		last = b.seq
	}
	s.mu.Unlock()
	if from = max(from, 1); from > last || limit <= 0 {
		return nil, nil
	}
	rows, err := s.ofAllEpochs(db, board, from, last, limit)
	if err != nil {
		return nil, fmt.Errorf("the store cannot be read: %w", err)
	}
	if len(rows) == 0 || rows[0].Seq > from {
		oldest := "none is"
		if len(rows) > 0 {
			oldest = fmt.Sprintf("the oldest is %d", rows[0].Seq)
		}
		return nil, fmt.Errorf("event %d of %s, %s: %w", from, strings.Clone(board), oldest, game.ErrGone)
	}
	out := make([]game.StampedEvent, 0, len(rows))
	for r := range slices.Values(rows) {
		out = append(out, r.StampedEvent)
	}
	return out, nil
}

// ofAllEpochs reads events by their numbers. Those that an epoch which has ended has beyond the last one are not what follows.
func (s *Store) ofAllEpochs(db *sql.DB, board string, from, last int64, limit int) (all []row, err error) {
	if db == nil {
		return nil, errors.New("it is closed")
	}
	rows, err := db.Query(epochsOf, board)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var epochs []string
	for rows.Next() {
		var epoch string
		if err := rows.Scan(&epoch); err != nil {
			return nil, err
		}
		epochs = append(epochs, epoch)
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	for _, epoch := range epochs {
		some, err := s.events(db, "board = ? AND epoch = ? AND seq BETWEEN ? AND ? ORDER BY seq", limit, board, epoch, from, last)
		if err != nil {
			return nil, err
		}
		all = append(all, some...)
	}
	slices.SortFunc(all, func(a, b row) int { return cmp.Or(cmp.Compare(a.Seq, b.Seq), cmp.Compare(b.n, a.n)) })
	all = slices.CompactFunc(all, func(a, b row) bool { return a.Seq == b.Seq })
	return all[:min(len(all), limit)], nil
}
