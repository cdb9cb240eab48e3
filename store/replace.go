package store

import "github.com/boardd/boardd/game"

// Replace makes the epochs those of their boards and forgets the events kept after the numbers where they begin: nobody has been told
// of them, or under the new epoch. Then it commits the batches, in the same transaction.
func (s *Store) Replace(epochs []game.NewEpoch, batches []game.Batch) error {
	d := &draft{boards: map[string]*boardState{}}
	first := map[string]int64{}
	for i := range batches {
		for _, e := range batches[i].Events {
			if _, known := first[batches[i].Board]; !known {
				first[batches[i].Board] = e.Seq
			}
		}
	}
	return s.transact(d, func(t *transaction) {
		for _, e := range epochs {
			b := s.draftBoard(d, e.Board)
			b.epoch, b.seq = e.Epoch, e.After
			if seq, ok := first[e.Board]; ok {
				b.seq = seq - 1 // memory may not have held all
			}
			t.exec("DELETE FROM events WHERE board = ? AND seq > ?", e.Board, e.After)
			b.stored = map[string]*game.Record{} // what was written of them since is not known
		}
		s.dropTail()
		for i := range batches {
			s.batch(t, d, &batches[i])
		}
		for id, b := range d.boards {
			t.exec(upsertBoard, id, b.epoch, b.seq, b.atMs, string(b.text))
		}
	})
}

// dropTail forgets in memory what Replace forgets on the disk.
func (s *Store) dropTail() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.outbox.tail = nil
	for _, c := range s.outbox.consumers {
		c.given = nil
	}
}

// Delivered says that a consumer has had a board's events of an epoch up to seq from elsewhere. A consumer that still waits for earlier
// ones gets these again, after them.
func (s *Store) Delivered(name, board, epoch string, seq int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.read == nil {
		return
	}
	c := s.outbox.of(name)
	var earlier, n int64
	if err := s.read.QueryRow("SELECT count(*) FROM events WHERE board = ? AND n > ? AND epoch <> ?", board, c.acked[board], epoch).Scan(&earlier); err != nil || earlier > 0 {
		return
	}
	if err := s.read.QueryRow("SELECT coalesce(max(n), 0) FROM events WHERE board = ? AND epoch = ? AND seq <= ?", board, epoch, seq).Scan(&n); err != nil || n <= c.acked[board] {
		return
	}
	c.acked[board] = n
	s.outbox.unsaved[ack{name, board, 0}] = true
	select {
	case s.outbox.dirty <- struct{}{}:
	default:
	}
}

// Store says that it works, or that the disk is nearly full.
func (s *Store) Store() string {
	if s.low.Load() {
		return game.StoreLow
	}
	return game.StoreOK
}
