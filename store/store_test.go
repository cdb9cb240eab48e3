package store

import (
	"errors"
	"fmt"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/game"
)

// opened opens a store that is closed at the end of the test.
func opened(t testing.TB, dir string) *Store {
	t.Helper()
	s, err := Open(Options{Dir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := s.Close(); err != nil {
			t.Error(err)
		}
	})
	return s
}

var zero = time.Date(2026, 7, 31, 18, 0, 0, 0, time.UTC)

func resyncs(board string, from, to int64) game.Batch {
	b := game.Batch{Board: board, T: to * 1000, Zero: zero}
	for seq := from; seq <= to; seq++ {
		b.Events = append(b.Events, game.Event{Seq: seq, T: seq * 1000, Game: "g-1", Type: "resync", Body: &game.Resync{}})
	}
	return b
}

// Where numbers start anew, those that the epoch before has beyond them are not what follows.
func TestEventsOfTwoEpochsWithTheSameNumbers(t *testing.T) {
	t.Parallel()
	s := opened(t, t.TempDir())
	for _, b := range []game.Batch{resyncs("a", 1, 9), resyncs("a", 3, 5)} {
		if err := s.Commit([]game.Batch{b}); err != nil {
			t.Fatal(err)
		}
	}
	for from := int64(1); from <= 6; from++ {
		got, err := s.Events("a", from, 50)
		if err != nil || len(got) != int(6-from) {
			t.Fatalf("from %d: %d events, %v", from, len(got), err)
		}
		for i, e := range got {
			if e.Seq != from+int64(i) || (e.Seq >= 3) != (e.Epoch == s.Epoch("a")) {
				t.Errorf("from %d: number %d is %d of epoch %s", from, i, e.Seq, e.Epoch)
			}
		}
	}
}

// What was committed is given to each consumer once, in order, through restarts and losses of what only memory knew.
func TestOutboxAgainstAModel(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		dir := t.TempDir()
		s := opened(t, dir)
		type key struct {
			board, epoch string
			seq          int64
		}
		var all []key // in the order of their commits
		seq := map[string]int64{}
		acked := map[string]map[string]int{} // by consumer and board: index in all + 1
		boards, consumers := []string{"a", "b", "c"}, []string{"x", "y"}
		keyOf := func(e *game.StampedEvent) key { return key{e.Board, e.Epoch, e.Seq} }
		rt.Repeat(map[string]func(*rapid.T){
			"commit": func(rt *rapid.T) {
				var batches []game.Batch
				for range rapid.IntRange(1, 4).Draw(rt, "batches") {
					b := rapid.SampledFrom(boards).Draw(rt, "board")
					n := rapid.Int64Range(0, 90).Draw(rt, "events")
					if n > 0 && rapid.IntRange(0, 9).Draw(rt, "hole") == 0 {
						seq[b]++
					}
					batches = append(batches, resyncs(b, seq[b]+1, seq[b]+n))
					seq[b] += n
				}
				if err := s.Commit(batches); err != nil {
					rt.Fatal(err)
				}
				rows, err := s.events(s.read, "n > ? ORDER BY n", 1<<20, len(all)) // numbers have no holes here
				if err != nil {
					rt.Fatal(err)
				}
				for _, b := range batches {
					for _, e := range b.Events {
						r := rows[0]
						if rows = rows[1:]; r.Board != b.Board || r.Seq != e.Seq {
							rt.Fatalf("%+v was kept as %+v", e, r)
						}
						all = append(all, keyOf(&r.StampedEvent))
					}
				}
			},
			"take": func(rt *rapid.T) {
				name := rapid.SampledFrom(consumers).Draw(rt, "consumer")
				limit := rapid.IntRange(1, 300).Draw(rt, "limit")
				got := s.Outbox(name, limit)
				i := 0
				for n, k := range all {
					if i == limit {
						break
					}
					if n+1 <= acked[name][k.board] {
						continue
					}
					if i == len(got) || keyOf(&got[i]) != k {
						rt.Fatalf("%s was given %d events, number %d is not %v", name, len(got), i, k)
					}
					i++
				}
				if i != len(got) {
					rt.Fatalf("%s was given %d events, want %d", name, len(got), i)
				}
				take := rapid.IntRange(0, len(got)).Draw(rt, "take")
				for i := range take {
					s.Ack(name, got[i].Board, got[i].Seq)
					for n, k := range all {
						if k == keyOf(&got[i]) {
							if acked[name] == nil {
								acked[name] = map[string]int{}
							}
							acked[name][k.board] = n + 1
						}
					}
				}
			},
			"restart": func(rt *rapid.T) {
				if err := s.Close(); err != nil {
					rt.Fatal(err)
				}
				s = opened(t, dir)
			},
			"lose the database's connection": func(*rapid.T) {
				s.writing.Lock()
				defer s.writing.Unlock()
				if s.write != nil {
					s.failed(fmt.Errorf("on purpose"))
				}
			},
			"ask": func(rt *rapid.T) {
				b := rapid.SampledFrom(boards).Draw(rt, "board")
				from, limit := rapid.Int64Range(1, seq[b]+2).Draw(rt, "from"), rapid.IntRange(1, 50).Draw(rt, "limit")
				got, err := s.Events(b, from, limit)
				var want []key // of all epochs
				for _, k := range all {
					if k.board == b && k.seq >= from && len(want) < limit {
						want = append(want, k)
					}
				}
				if gone := len(want) > 0 && want[0].seq > from; gone != errors.Is(err, game.ErrGone) || !gone && err != nil {
					rt.Fatalf("from %d: %v", from, err)
				} else if gone {
					return
				}
				if len(got) != len(want) {
					rt.Fatalf("%d events from %d, want %d", len(got), from, len(want))
				}
				for i := range got {
					if keyOf(&got[i]) != want[i] {
						rt.Fatalf("from %d: number %d is %+v, want %v", from, i, got[i], want[i])
					}
				}
			},
		})
		if err := s.Close(); err != nil {
			rt.Fatal(err)
		}
	})
}
