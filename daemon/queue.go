package daemon

import (
	"sync"
	"time"

	"github.com/boardd/boardd/game"
)

// queueLimit is how many steps of boards may wait for the journal.
const queueLimit = 10_000

// pending is a batch on its way into the journal, and the answers that wait for it.
type pending struct {
	Batch
	answers []answer
}

// answer is a reply that leaves when what it says is safe.
type answer struct {
	to    chan<- game.Reply // capacity 1
	reply game.Reply
}

func (p *pending) answer() {
	for _, a := range p.answers {
		a.to <- a.reply
	}
}

// queue stands between the boards and the journal. Putting never waits.
type queue struct {
	mu     sync.Mutex
	items  []pending
	filled chan struct{} // one signal while there is something to take
	closed chan struct{}
}

func newQueue() *queue {
	return &queue{filled: make(chan struct{}, 1), closed: make(chan struct{})}
}

// put appends; when the journal has been silent for so long that the queue is full, the oldest step is lost: the numbers
// then have a hole, and the journal begins another epoch there. It reports whether that happened.
func (q *queue) put(p pending) (lost bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if lost = len(q.items) >= queueLimit; lost {
		for _, a := range q.items[0].answers {
			a.to <- game.Reply{Command: a.reply.Command, Status: "error", Code: "internal", Message: "the journal does not write", Seq: a.reply.Seq}
		}
		q.items = q.items[1:]
	}
	q.items = append(q.items, p)
	select {
	case q.filled <- struct{}{}:
	default:
	}
	return lost
}

// take waits for something and gives all of it; open is false after close, with what was left.
func (q *queue) take() (all []pending, open bool) {
	open = true
	select {
	case <-q.filled:
	case <-q.closed:
		open = false
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	all, q.items = q.items, nil
	return all, open
}

// close is called when nothing is put any more.
func (q *queue) close() { close(q.closed) }

// waitClosed waits so long, or until close, and says which it was.
func (q *queue) waitClosed(d time.Duration) bool {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return false
	case <-q.closed:
		return true
	}
}
