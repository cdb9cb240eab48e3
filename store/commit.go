package store

import (
	"cmp"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/boardd/boardd/game"
)

const (
	insertEvent = `INSERT INTO events (board, epoch, seq, ts_ms, t_ms, game, ply, type, body) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)`
	upsertBoard = `INSERT INTO boards (id, epoch, seq, at_ms, snapshot) VALUES (?, ?, ?, ?, ?)
		ON CONFLICT (id) DO UPDATE SET epoch = excluded.epoch, seq = excluded.seq, at_ms = excluded.at_ms, snapshot = excluded.snapshot`
	upsertAnswer = `INSERT INTO answers (board, id, at_ms, reply) VALUES (?, ?, ?, ?)
		ON CONFLICT (board, id) DO UPDATE SET at_ms = excluded.at_ms, reply = excluded.reply`
	oldAnswers = `DELETE FROM answers WHERE board = ? AND at_ms < ?`
	upsertGame = `INSERT INTO games (board, id, started_ms, dated, variant, start_fen, white, black, time_control, result, reason, irregular, more)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)
		ON CONFLICT (board, id) DO UPDATE SET white = excluded.white, black = excluded.black, time_control = excluded.time_control,
			result = excluded.result, reason = excluded.reason, irregular = excluded.irregular, more = excluded.more, filed = 0,
			started_ms = iif(dated, started_ms, excluded.started_ms), dated = dated OR excluded.dated`
	gameNumber = `SELECT n FROM games WHERE board = ? AND id = ?`
	cutPlies   = `DELETE FROM plies WHERE game = ? AND ply > ?`
	upsertPly  = `INSERT INTO plies (game, ply, uci, san, clk_ms, placed_ms) VALUES (?, ?, ?, ?, ?, ?)
		ON CONFLICT (game, ply) DO UPDATE SET uci = excluded.uci, san = excluded.san, clk_ms = excluded.clk_ms, placed_ms = excluded.placed_ms`
	upsertAck = `INSERT INTO consumers (consumer, board, event) VALUES (?, ?, ?)
		ON CONFLICT (consumer, board) DO UPDATE SET event = excluded.event`
)

var commitStatements = []string{
	insertEvent, upsertBoard, upsertAnswer, oldAnswers, upsertGame, cutPlies, upsertPly, upsertAck,
}

// answersFor is how long the same command id gets the same answer (docs/mqtt.md).
const answersFor = 10 * time.Minute

// draft is what a transaction will have changed once it is committed.
type draft struct {
	boards map[string]*boardState
	events []row
}

// board is a copy of what is known of a board, to be changed.
func (s *Store) draftBoard(d *draft, id string) *boardState {
	b := d.boards[id]
	if b == nil {
		b = &boardState{epoch: newEpoch()}
		s.mu.Lock()
		if known := s.boards[id]; known != nil {
			*b = *known
		}
		s.mu.Unlock()
		b.stored = maps.Clone(b.stored)
		if b.stored == nil {
			b.stored = map[string]*game.Record{}
		}
		d.boards[id] = b
	}
	return b
}

// newEpoch is random: 8 hexadecimal digits.
func newEpoch() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// Commit brings batches to the disk as one transaction, and returns when they are safe there. After an error nothing of them is kept,
// and the same ones may be given again.
func (s *Store) Commit(batches []game.Batch) error {
	d := &draft{boards: map[string]*boardState{}}
	return s.transact(d, func(t *transaction) {
		for i := range batches {
			s.batch(t, d, &batches[i])
		}
		for id, b := range d.boards {
			t.exec(upsertBoard, id, b.epoch, b.seq, b.atMs, string(b.text))
		}
	})
}

// transact does f in a transaction, and then makes its draft true.
func (s *Store) transact(d *draft, f func(*transaction)) error {
	s.writing.Lock()
	defer s.writing.Unlock()
	if err := s.reopen(); err != nil {
		return err
	}
	acks := s.takeAcks()
	err := s.write.do(func(t *transaction) {
		f(t)
		for _, a := range acks {
			t.exec(upsertAck, a.consumer, a.board, a.n)
		}
	}, commitStatements...)
	if err != nil {
		s.returnAcks()
		s.failed(err)
		return err
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	maps.Copy(s.boards, d.boards)
	s.outbox.add(d.events)
	return nil
}

// reopen opens the database again after an error. The caller holds s.writing.
func (s *Store) reopen() error {
	switch {
	case s.closed:
		return errors.New("the store is closed")
	case s.write != nil:
		return nil
	}
	w, err := newWriter(s.path)
	if damaged(err) {
		if err := s.moveAside(err); err != nil {
			return err
		}
		w, err = newWriter(s.path)
	}
	if err != nil {
		return err
	}
	s.write = w
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil {
		s.read, err = reader(s.path)
	}
	for _, b := range s.boards { // what is on the disk may be another one now
		b.stored = map[string]*game.Record{}
	}
	return err
}

// failed leaves the database after an error: what SQLite thinks of it afterwards is not relied on.
func (s *Store) failed(err error) {
	_ = s.write.close()
	s.write = nil
	if damaged(err) {
		if err := s.moveAside(err); err != nil {
			s.opt.Log.Error(err.Error())
		}
	}
}

// batch writes one step of a board.
func (s *Store) batch(t *transaction, d *draft, b *game.Batch) {
	st := s.draftBoard(d, b.Board)
	for i := range b.Events {
		e := &b.Events[i]
		if e.Seq != st.seq+1 {
			st.epoch = newEpoch() // numbers start anew or one was lost: only another epoch says so to everybody
		}
		st.seq = e.Seq
		s.event(t, d, st.epoch, b, e)
	}
	for i := range b.Answers {
		s.answer(t, b, &b.Answers[i])
	}
	if b.Snapshot == nil {
		return
	}
	for _, r := range [2]*game.Record{b.Snapshot.LastGame, b.Snapshot.Game} {
		if r != nil {
			s.record(t, st, b, r)
		}
	}
	st.forget(b.Snapshot)
	text, err := json.Marshal(bare(b.Snapshot))
	if err != nil {
		t.err = cmp.Or(t.err, err)
	}
	st.text, st.atMs = text, at(b, b.Snapshot.T)
}

// at is the time of day of a core time.
func at(b *game.Batch, t int64) int64 { return millis(b.Zero) + t }

func (s *Store) event(t *transaction, d *draft, epoch string, b *game.Batch, e *game.Event) {
	body, err := game.KeepBody(e.Body)
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return
	}
	ts := at(b, e.T)
	n := t.exec(insertEvent, b.Board, epoch, e.Seq, ts, e.T, e.Game, e.Ply, e.Type, string(body))
	d.events = append(d.events, row{n, game.StampedEvent{Event: *e, Board: b.Board, Epoch: epoch, TS: time.UnixMilli(ts)}})
}

// keptReply is a reply as the store keeps it.
type keptReply struct {
	Status  string `json:"status"`
	Code    string `json:"code,omitempty"`
	Message string `json:"message,omitempty"`
	Seq     int64  `json:"seq"`
}

func (s *Store) answer(t *transaction, b *game.Batch, r *game.Reply) {
	if r.Command == nil || r.Command.ID == "" {
		return
	}
	text, err := json.Marshal(keptReply{r.Status, r.Code, r.Message, r.Seq})
	if err != nil {
		t.err = cmp.Or(t.err, err)
		return
	}
	now := at(b, b.T)
	t.exec(upsertAnswer, b.Board, r.Command.ID, now, string(text))
	t.exec(oldAnswers, b.Board, now-answersFor.Milliseconds())
}

// record brings a game to what it is now. Only what has changed is written.
func (s *Store) record(t *transaction, st *boardState, b *game.Batch, r *game.Record) {
	old := st.stored[r.ID]
	if old == r || t.err != nil {
		return
	}
	t.exec(upsertGame, b.Board, r.ID, at(b, r.StartedT), b.Synced, r.Variant, r.StartFEN, r.White, r.Black, r.TimeControl,
		r.Result, r.Reason, r.Irregular, writeMore(r))
	n := t.number(gameNumber, b.Board, r.ID)
	same := 0
	if old != nil {
		for same < min(len(old.UCI), len(r.UCI)) && old.UCI[same] == r.UCI[same] && old.AtMs[same] == r.AtMs[same] &&
			equal(old.ClkMs[same], r.ClkMs[same]) {
			same++
		}
	}
	if old == nil || len(old.UCI) > len(r.UCI) {
		t.exec(cutPlies, n, len(r.UCI))
	}
	for i := same; i < len(r.UCI); i++ {
		t.exec(upsertPly, n, i+1, r.UCI[i], r.SAN[i], r.ClkMs[i], r.AtMs[i])
	}
	st.stored[r.ID] = r
}

// forget keeps in mind only the games that may still change.
func (b *boardState) forget(s *game.Snapshot) {
	maps.DeleteFunc(b.stored, func(_ string, r *game.Record) bool {
		return !slices.Contains([]*game.Record{s.Game, s.LastGame}, r)
	})
}

func equal(a, b *int64) bool { return a == b || a != nil && b != nil && *a == *b }

// Epoch says which numbering of a board's events is in use.
func (s *Store) Epoch(board string) string {
	s.mu.Lock()
	defer s.mu.Unlock()
	b := s.boards[board]
	if b == nil {
		b = &boardState{epoch: newEpoch()}
		s.boards[board] = b
	}
	return b.epoch
}

// Seq is the number of a board's last event, 0 before the first.
func (s *Store) Seq(board string) int64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	if b := s.boards[board]; b != nil {
		return b.seq
	}
	return 0
}
