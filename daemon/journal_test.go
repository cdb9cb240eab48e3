package daemon

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/game"
)

func batch(board string, seqs ...int64) Batch {
	b := Batch{Board: board, Zero: time.Unix(0, 0)}
	for _, s := range seqs {
		b.Events = append(b.Events, game.Event{Seq: s, T: s * 1000})
	}
	return b
}

func TestHoleInTheNumbersBeginsAnEpoch(t *testing.T) {
	t.Parallel()
	m := NewMemory()
	first := m.Epoch("a")
	_ = m.Commit([]Batch{batch("a", 1, 2)})
	m.Ack("x", "a", 2)
	if m.Epoch("a") != first {
		t.Error("another epoch without a reason")
	}
	_ = m.Commit([]Batch{batch("a", 4)})
	if m.Epoch("a") == first {
		t.Error("the same epoch over a hole")
	}
	if out := m.Outbox("x", 10); len(out) != 1 || out[0].Seq != 4 || out[0].Epoch == first {
		t.Errorf("outbox %+v", out)
	}
	if _, err := m.Events("a", 2, 5); !errors.Is(err, game.ErrGone) {
		t.Error(err)
	}
	if _, err := m.Events("b", 2, 5); !errors.Is(err, ErrNoBoard) {
		t.Error(err)
	}
}

// A consumer that fetches, delivers and acknowledges as it likes gets every event once, in the order of commits.
func TestOutboxGivesEverythingOnceInOrder(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		m := NewMemory()
		next := map[string]int64{"a": 1, "b": 1, "c": 1}
		var committed, got []game.StampedEvent
		for range rapid.IntRange(1, 40).Draw(rt, "steps") {
			if rapid.Bool().Draw(rt, "commit") {
				board := rapid.SampledFrom([]string{"a", "b", "c"}).Draw(rt, "board")
				_ = m.Commit([]Batch{batch(board, next[board])})
				committed = append(committed, game.StampedEvent{Event: game.Event{Seq: next[board]}, Board: board})
				next[board]++
				continue
			}
			limit := rapid.IntRange(0, 5).Draw(rt, "max")
			out := m.Outbox("x", limit)
			if len(out) > limit {
				rt.Fatalf("%d events of %d", len(out), limit)
			}
			for _, e := range out[:rapid.IntRange(0, len(out)).Draw(rt, "delivered")] {
				got = append(got, e)
				m.Ack("x", e.Board, e.Seq)
			}
			m.Ack("x", "a", 0) // never back
		}
		got = append(got, m.Outbox("x", 1000)...)
		if len(got) != len(committed) {
			rt.Fatalf("%d of %d events", len(got), len(committed))
		}
		for i, e := range got {
			if e.Board != committed[i].Board || e.Seq != committed[i].Seq {
				rt.Fatalf("event %d is %s %d, want %s %d", i, e.Board, e.Seq, committed[i].Board, committed[i].Seq)
			}
		}
	})
}

func TestQueueNeverWaits(t *testing.T) {
	t.Parallel()
	q := newQueue()
	reply := make(chan game.Reply, 1)
	q.put(pending{Batch: batch("a", 1), answers: []answer{{reply, game.Reply{Status: "ok"}}}})
	for i := range queueLimit - 1 {
		if q.put(pending{Batch: batch("a", int64(i)+2)}) {
			t.Fatal("lost too early")
		}
	}
	if !q.put(pending{Batch: batch("a", queueLimit+1)}) {
		t.Fatal("nothing lost")
	}
	if r := <-reply; r.Status != "error" {
		t.Errorf("the command of a lost step is answered %+v", r)
	}
	q.close()
	all, open := q.take()
	if open {
		all2, still := q.take()
		all, open = append(all, all2...), still
	}
	if len(all) != queueLimit || open {
		t.Errorf("%d taken, open %v", len(all), open)
	}
}
