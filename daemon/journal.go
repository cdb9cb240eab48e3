package daemon

import (
	"crypto/rand"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/boardd/boardd/game"
)

// Batch is what one step of a board changed.
type Batch = game.Batch

// Journal keeps events and says when they are safe. Commit is called by one goroutine, everything else by any.
type Journal interface {
	// Commit makes batches safe, in their order, and stamps their events with time and epoch. It may be called again
	// with the same batches after an error.
	Commit(batches []Batch) error
	// Epoch says which numbering of a board's events is in use.
	Epoch(board string) string
	// Outbox, Ack and Events are those of game.Feed.
	Outbox(consumer string, max int) []game.StampedEvent
	Ack(consumer, board string, seq int64)
	Events(board string, from int64, max int) ([]game.StampedEvent, error)
}

// MemoryLimit is how many events of a board a Memory keeps.
const MemoryLimit = 10_000

// ErrNoBoard says that there is no board of that id.
var ErrNoBoard = errors.New("there is no such board")

// Memory is a journal that lasts as long as the process. It is safe for concurrent use.
type Memory struct {
	mu     sync.Mutex
	boards map[string]*shelf
	acked  map[string]map[string]int64 // consumer, board: the last event delivered
	order  int64
}

// shelf holds the last events of one board; their numbers follow one another.
type shelf struct {
	epoch  string
	events []game.StampedEvent
	order  []int64 // the same index: place among the events of all boards
	last   int64   // number of the last event
	after  int64   // number after which the epoch began
}

// NewMemory makes an empty journal.
func NewMemory() *Memory {
	return &Memory{boards: map[string]*shelf{}, acked: map[string]map[string]int64{}}
}

// Commit never fails.
func (m *Memory) Commit(batches []Batch) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	for _, b := range batches {
		s := m.shelf(b.Board)
		for _, e := range b.Events {
			if e.Seq != s.last+1 {
				m.renew(b.Board, s) // numbers start anew or one was lost: only another epoch says so to everybody
			}
			m.order++
			s.last = e.Seq
			s.events = append(s.events, game.StampedEvent{
				Event: e, Board: b.Board, Epoch: s.epoch, TS: b.Zero.Add(time.Duration(e.T) * time.Millisecond),
			})
			s.order = append(s.order, m.order)
		}
		if drop := len(s.events) - MemoryLimit; drop > MemoryLimit/4 { // not one by one: each time the rest is moved
			s.events = slices.Delete(s.events, 0, drop)
			s.order = slices.Delete(s.order, 0, drop)
		}
	}
	return nil
}

func (m *Memory) renew(board string, s *shelf) {
	*s = shelf{epoch: newEpoch()}
	for _, acked := range m.acked {
		delete(acked, board)
	}
}

func (m *Memory) shelf(board string) *shelf {
	s := m.boards[board]
	if s == nil {
		s = &shelf{epoch: newEpoch()}
		m.boards[board] = s
	}
	return s
}

// begin begins a board's numbers after a number.
func (m *Memory) begin(board string, after int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.shelf(board).last = after
	m.shelf(board).after = after
}

// after is the last number of a board; -1 when nothing is known of it.
func (m *Memory) after(board string) int64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	if s := m.boards[board]; s != nil {
		return s.last
	}
	return -1
}

// epochs says which numbering each board has, and after which number it began.
func (m *Memory) epochs() (list []game.NewEpoch) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for board, s := range m.boards {
		list = append(list, game.NewEpoch{Board: board, Epoch: s.epoch, After: s.after})
	}
	return list
}

// delivered says what each consumer has had.
func (m *Memory) delivered(say func(consumer, board, epoch string, seq int64)) {
	m.mu.Lock()
	defer m.mu.Unlock()
	for consumer, boards := range m.acked {
		for board, seq := range boards {
			say(consumer, board, m.shelf(board).epoch, seq)
		}
	}
}

// Store says that nothing outlasts the process.
func (m *Memory) Store() string { return game.StoreMemory }

// newEpoch is random: 8 hexadecimal digits.
func newEpoch() string {
	var b [4]byte
	_, _ = rand.Read(b[:]) // never fails
	return hex.EncodeToString(b[:])
}

// kept are the events that may still be asked for; a few older ones may wait to be dropped.
func (s *shelf) kept() ([]game.StampedEvent, []int64) {
	from := max(0, len(s.events)-MemoryLimit)
	return s.events[from:], s.order[from:]
}

// Epoch is 8 hexadecimal digits, random for each board and process.
func (m *Memory) Epoch(board string) string {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.shelf(board).epoch
}

// Outbox gives the events of all boards in the order in which they were committed. What a consumer has not fetched before
// it was dropped is lost to it.
func (m *Memory) Outbox(consumer string, limit int) []game.StampedEvent {
	m.mu.Lock()
	defer m.mu.Unlock()
	type rest struct {
		events []game.StampedEvent
		order  []int64
	}
	var rests []*rest
	for board, s := range m.boards {
		events, order := s.kept()
		if len(events) == 0 {
			continue
		}
		skip := min(max(m.acked[consumer][board]-events[0].Seq+1, 0), int64(len(events)))
		if events, order = events[skip:], order[skip:]; len(events) > 0 {
			rests = append(rests, &rest{events, order})
		}
	}
	var out []game.StampedEvent
	for len(out) < limit && len(rests) > 0 {
		i := 0
		for k, r := range rests {
			if r.order[0] < rests[i].order[0] {
				i = k
			}
		}
		r := rests[i]
		out = append(out, r.events[0])
		if r.events, r.order = r.events[1:], r.order[1:]; len(r.events) == 0 {
			rests = slices.Delete(rests, i, i+1)
		}
	}
	return out
}

// Ack never goes back.
func (m *Memory) Ack(consumer, board string, seq int64) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.boards[board]
	if s == nil {
		return
	}
	if m.acked[consumer] == nil {
		m.acked[consumer] = map[string]int64{}
	}
	m.acked[consumer][board] = max(m.acked[consumer][board], min(seq, s.last))
}

// Events gives game.ErrGone when from is older than what is kept, and ErrNoBoard.
func (m *Memory) Events(board string, from int64, limit int) ([]game.StampedEvent, error) {
	m.mu.Lock()
	defer m.mu.Unlock()
	s := m.boards[board]
	if s == nil {
		return nil, fmt.Errorf("board %q: %w", board, ErrNoBoard)
	}
	from = max(from, 1)
	events, _ := s.kept()
	if first := s.last + 1 - int64(len(events)); from < first {
		return nil, fmt.Errorf("event %d of %s, the oldest is %d: %w", from, board, first, game.ErrGone)
	} else if from > s.last {
		return nil, nil
	} else {
		events = events[from-first:]
	}
	return slices.Clone(events[:min(len(events), max(limit, 0))]), nil
}
