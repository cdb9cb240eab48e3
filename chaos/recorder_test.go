package chaos

import (
	"cmp"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// event is what the tests look at of an event.
type event struct {
	Board, Epoch, Type string
	Seq                int64
	Ply                int
	UCI                json.RawMessage
	SAN                string
	ID                 json.RawMessage
	ToPly              int `json:"to_ply"`
	Late               bool

	raw string
	at  time.Time // when it came here
}

// key is how a consumer knows an event.
type key struct {
	epoch string
	seq   int64
}

// recorder is what docs/mqtt.md recommends to whoever must not miss anything: a session that outlives its connection, what is known
// is left out by (epoch, seq), and what is missing is asked for again.
type recorder struct {
	t      testing.TB
	node   string
	client paho.Client

	mu      sync.Mutex
	boards  map[string]*heard
	last    map[string]string // by topic below the node: what came last
	replies []string
	faults  []string
	rekeyed bool                            // boardd was killed while its disk failed: what memory had published comes again under another epoch
	hear    func(leaf string, at time.Time) // if set, hears every message
}

// heard is what it knows of one board.
type heard struct {
	known  map[key]event
	epochs []string // in the order in which they came
	newest map[string]int64
	again  int // events that came once more
	holes  int // numbers that were missing when the next one came
	resent int // events that had to be asked for
	asked  time.Time
	lately time.Time // when the last one came
}

func newRecorder(t testing.TB, address, node string) *recorder {
	t.Helper()
	r := &recorder{t: t, node: "boardd/v1/" + node + "/", boards: map[string]*heard{}, last: map[string]string{}}
	o := paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("recorder").SetOrderMatters(true).SetCleanSession(false).
		SetResumeSubs(true).SetAutoReconnect(true).SetMaxReconnectInterval(500 * time.Millisecond).SetConnectRetry(true).
		SetConnectRetryInterval(200 * time.Millisecond)
	o.SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { r.take(m) })
	// Not commands: some of 10 MB, kept for a session of this kind, keep the broker from everything else for minutes.
	filters := map[string]byte{r.node + "+": 1}
	for _, leaf := range []string{"event", "resend", "reply", "state", "live"} {
		filters[r.node+"+/"+leaf] = 1
	}
	o.SetOnConnectHandler(func(c paho.Client) { c.SubscribeMultiple(filters, nil) })
	r.client = paho.NewClient(o)
	if token := r.client.Connect(); !token.WaitTimeout(20*time.Second) || token.Error() != nil {
		t.Fatal("the recorder cannot connect: ", token.Error())
	}
	t.Cleanup(func() { r.client.Disconnect(250) })
	return r
}

func (r *recorder) take(m paho.Message) {
	at := time.Now()
	leaf := strings.TrimPrefix(m.Topic(), r.node)
	r.mu.Lock()
	defer r.mu.Unlock()
	r.last[leaf] = string(m.Payload())
	if r.hear != nil {
		r.hear(leaf, at)
	}
	board, what, _ := strings.Cut(leaf, "/")
	switch what {
	case "event", "resend":
		var e event
		if err := json.Unmarshal(m.Payload(), &e); err != nil || e.Board != board {
			r.fault("%s: %q is no event: %v", leaf, m.Payload(), err)
			return
		}
		e.raw, e.at = string(m.Payload()), at
		r.event(r.of(board), e, what == "resend")
	case "reply":
		r.replies = append(r.replies, string(m.Payload()))
	}
}

func (r *recorder) fault(format string, a ...any) {
	r.faults = append(r.faults, fmt.Sprintf(format, a...))
}

func (r *recorder) of(board string) *heard {
	h := r.boards[board]
	if h == nil {
		h = &heard{known: map[key]event{}, newest: map[string]int64{}}
		r.boards[board] = h
	}
	return h
}

func (r *recorder) event(h *heard, e event, resent bool) {
	k := key{e.Epoch, e.Seq}
	h.lately = e.at
	before, again := h.known[k]
	if again {
		h.again++
		if a, b := timeless(before.raw), timeless(e.raw); a != b {
			r.fault("%s: number %d of epoch %s was first\n%s\nand then\n%s", e.Board, e.Seq, e.Epoch, a, b)
		}
	}
	if !again {
		h.known[k] = e
		if resent {
			h.resent++
		}
	}
	if resent {
		return
	}
	last, ok := h.newest[e.Epoch]
	if !ok {
		h.epochs = append(h.epochs, e.Epoch)
		last = e.Seq - 1
		if len(h.epochs) == 1 {
			last = 0
		}
	}
	if e.Seq > last+1 {
		h.holes++
	}
	if e.Seq < last && !again {
		r.fault("%s: a new event %d came after %d of epoch %s", e.Board, e.Seq, last, e.Epoch)
	}
	h.newest[e.Epoch] = max(last, e.Seq)
}

// timeless is an event without what may differ when it is sent again.
func timeless(raw string) string { return strings.Replace(raw, `"late":true`, `"late":false`, 1) }

// missing is the first number that is not there, up to what the state on the broker says; 0 when none is. Numbers go on from one epoch
// to the next: the state of an epoch that has no event yet names the last of the one before.
func (r *recorder) missing(board string) (from int64) {
	var state struct{ Seq int64 }
	_ = json.Unmarshal([]byte(r.last[board+"/state"]), &state)
	have := map[int64]bool{}
	last := state.Seq
	for k := range r.of(board).known {
		have[k.seq] = true
		last = max(last, k.seq)
	}
	for seq := int64(1); seq <= last; seq++ {
		if !have[seq] {
			return seq
		}
	}
	return 0
}

// askAgain asks for what is missing, at most once in a while.
func (r *recorder) askAgain(board string) {
	r.mu.Lock()
	from := r.missing(board)
	h := r.of(board)
	if from == 0 || time.Since(h.asked) < 3*time.Second || time.Since(h.lately) < 2*time.Second { // it may still be on its way
		r.mu.Unlock()
		return
	}
	h.asked = time.Now()
	r.mu.Unlock()
	r.command(board, "resend", fmt.Sprintf(`{"from":%d}`, from))
}

// command publishes a command.
func (r *recorder) command(board, verb, body string) {
	r.client.Publish(r.node+board+"/cmd/"+verb, 1, false, body)
}

// story is what a board's events tell, in their order.
func (r *recorder) story(board string) (events []event) {
	r.mu.Lock()
	defer r.mu.Unlock()
	h := r.of(board)
	for _, e := range h.known {
		events = append(events, e)
	}
	slices.SortFunc(events, func(a, b event) int {
		return cmp.Compare(a.Seq, b.Seq) // numbers go on when an epoch begins; a later epoch may come first, when broker and disk fail at once
	})
	if r.rekeyed {
		events = slices.CompactFunc(events, func(a, b event) bool {
			return a.Seq == b.Seq && a.Type == b.Type && a.Ply == b.Ply && string(a.UCI) == string(b.UCI)
		})
	}
	return events
}

// rekey says that boardd was killed while its disk failed.
func (r *recorder) rekey() {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.rekeyed = true
}

// told are the games that events tell, as moves in UCI, and how many moves were told that did not stand.
func told(events []event) (games [][]string, unsaid int, err error) {
	for _, e := range events {
		switch e.Type {
		case "game_start":
			games = append(games, nil)
		case "takeback":
			g := &games[len(games)-1]
			unsaid += len(*g) - e.ToPly
			*g = (*g)[:e.ToPly]
		case "move":
			if len(games) == 0 {
				return nil, 0, fmt.Errorf("a move before the first game: %s", e.raw)
			}
			g := &games[len(games)-1]
			*g = append(*g, strings.Trim(string(e.UCI), `"`))
			if e.Ply != len(*g) {
				return games, unsaid, fmt.Errorf("event %d of epoch %s is ply %d, after %d moves", e.Seq, e.Epoch, e.Ply, len(*g)-1)
			}
		}
	}
	return games, unsaid, nil
}
