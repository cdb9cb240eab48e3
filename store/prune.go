package store

import (
	"fmt"
	"time"
)

// Bounds of what is kept.
const (
	// KeepEvents is how long an event is kept for whoever asks for it again, once every consumer has it.
	KeepEvents = 30 * 24 * time.Hour
	// MaxEvents bounds the events that are kept at all, delivered or not: the oldest go first.
	MaxEvents = 200_000
	// LowDisk is how much room there should be on the disk.
	LowDisk = 64 << 20
)

// Prune deletes what is older than it has to be kept: events, and with games > 0 also finished games that began so long before now. It
// reports how many undelivered events had to go.
func (s *Store) Prune(now time.Time, games time.Duration) (lost int64, err error) {
	s.mu.Lock()
	floor := s.outbox.last // n up to which every consumer has everything
	for _, c := range s.outbox.consumers {
		floor = min(floor, c.done)
	}
	db, last := s.read, s.outbox.last
	s.mu.Unlock()
	if db == nil {
		return 0, nil
	}
	var oldest int64 // the first that is not to go for its number alone
	if err := db.QueryRow("SELECT coalesce((SELECT n FROM events ORDER BY n DESC LIMIT 1 OFFSET ?), 0)", MaxEvents).Scan(&oldest); err != nil {
		return 0, err
	}
	if oldest > floor {
		if err := db.QueryRow("SELECT count(*) FROM events WHERE n > ? AND n <= ?", floor, oldest).Scan(&lost); err != nil {
			return 0, err
		}
	}
	// In pieces: a commit waits for the one before it.
	const piece = 2000
	for again := true; again; {
		var gone int64
		err = s.transact(&draft{}, func(t *transaction) {
			if gone = t.changed("DELETE FROM events WHERE n IN (SELECT n FROM events WHERE n <= ? OR n <= ? AND n < ? AND ts_ms < ? ORDER BY n LIMIT ?)",
				oldest, floor, last, millis(now.Add(-KeepEvents)), piece); games > 0 {
				gone += t.changed("DELETE FROM games WHERE n IN (SELECT n FROM games WHERE reason <> '' AND started_ms < ? AND dated LIMIT ?)",
					millis(now.Add(-games)), piece/20)
			}
		})
		again = err == nil && gone >= piece/20
	}
	if err != nil {
		return lost, fmt.Errorf("deleting what is old: %w", err)
	}
	return lost, nil
}

// LookAtDisk asks how much room there is, and reports whether that has become too little, or enough again.
func (s *Store) LookAtDisk() (free uint64, low, changed bool) {
	free, err := freeSpace(s.opt.Dir)
	if err != nil {
		return 0, s.low.Load(), false
	}
	was := s.low.Load()
	low = free < LowDisk || was && free < LowDisk*5/4
	s.low.Store(low)
	return free, low, low != was
}
