package mqtt

import (
	"context"
	"crypto/tls"
	"crypto/x509"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"net/url"
	"sync"
	"sync/atomic"
	"syscall"
	"time"

	"github.com/eclipse/paho.mqtt.golang/packets"
	"golang.org/x/time/rate"

	"github.com/boardd/boardd/game"
)

// Door publishes a Feed and takes commands for it, over one MQTT connection at a time.
type Door struct {
	opt    Options
	target *url.URL
	secure *tls.Config
	feed   game.Feed
	pace   pace
	class  game.Class
	base   string // <root>/<node>/

	boards  []game.BoardInfo
	lanes   map[string]*lane // by board; "" is the node's own
	limit   *rate.Limiter    // of the node
	replies chan reply
	errands chan errand

	count  counts
	mark   map[string]mark // by board: the last event the broker has; only the session's goroutine uses it
	poison poison          // likewise

	languages atomic.Pointer[map[string]string] // instead of those of the options; nil while SetLanguages has not been called

	nth   int // sessions so far
	began time.Time
	log   voice

	refusals int                                             // sessions in a row that ended while Home Assistant was told of the boards
	cleared  bool                                            // discovery is off, and what was said of old is gone
	spy      func(topic string, retain bool, payload []byte) // for tests: hears all that is published
}

// pace is every duration that a Door goes by.
type pace struct {
	dial, connect, ack, leave time.Duration
	selfTest                  time.Duration
	pauseMin, pauseMax        time.Duration
	calm, brief               time.Duration // a session that lasts calm is a good one, one shorter than brief is news if it goes on
	live, info, do            time.Duration
	birth                     time.Duration // at most so long after Home Assistant's birth it is told of the boards
	keepAlive, ping           time.Duration // whole seconds: a ping after so long without a word, and how long it may take
	image                     time.Duration // between two pictures of a board
}

var usualPace = pace{
	dial: 10 * time.Second, connect: 15 * time.Second, ack: 10 * time.Second, leave: 2 * time.Second,
	selfTest: 5 * time.Second,
	pauseMin: time.Second, pauseMax: 30 * time.Second, calm: 10 * time.Second, brief: 5 * time.Second,
	live: 100 * time.Millisecond, info: 30 * time.Second, do: 5 * time.Second,
	birth: 5 * time.Second, image: 2 * time.Second, keepAlive: 15 * time.Second, ping: 5 * time.Second,
}

// mark is how far a board's events have been delivered.
type mark struct {
	epoch string
	seq   int64
}

// poison counts how often the connection broke while the same large event was on its way.
type poison struct {
	board string
	mark
	times int
}

// New makes a Door. Errors are faults of the options, in words of the configuration. Nothing is connected before Run.
func New(o Options, feed game.Feed) (*Door, error) {
	target, secure, err := o.complete()
	if err != nil {
		return nil, err
	}
	c, _ := doorClass(o.Commands)
	d := &Door{
		opt: o, target: target, secure: secure, feed: feed, pace: usualPace, class: c,
		base: o.Root + "/" + o.Node + "/", boards: feed.Boards(), lanes: map[string]*lane{},
		limit: rate.NewLimiter(50, 50), replies: make(chan reply, 256), errands: make(chan errand, 16),
		mark: map[string]mark{}, log: voice{logger: o.Logger.With("door", "mqtt", "broker", target.Host)},
	}
	d.lanes[""] = newLane("")
	for _, b := range d.boards {
		if !idPattern.MatchString(b.ID) || reserved[b.ID] {
			return nil, fmt.Errorf("[[board]] id %q: use a-z, 0-9 and -, at most 32 characters, and none of %s", b.ID, reservedList)
		}
		d.lanes[b.ID] = newLane(b.ID)
	}
	return d, nil
}

// reserved are the levels that stand where a board's id stands.
var reserved = map[string]bool{"cmd": true, "reply": true, "info": true, "status": true, "boards": true, "log": true}

const reservedList = "cmd, reply, info, status, boards, log"

// Run publishes and takes commands until ctx is done; then it says offline and leaves. The broker may come and go
// meanwhile: what is not delivered stays in the feed's outbox. It returns when all it started has ended, always with nil.
func (d *Door) Run(ctx context.Context) error {
	d.warn()
	d.began = d.opt.Now()
	var workers sync.WaitGroup
	defer workers.Wait()
	working, stop := context.WithCancel(ctx)
	defer stop()
	for _, l := range d.lanes {
		workers.Go(func() { d.work(working, l) })
	}
	next := retry{pace: &d.pace}
	for {
		life, err := d.session(ctx)
		if ctx.Err() != nil {
			return nil
		}
		d.opt.Linked(false)
		pause, flaps := next.after(life, err)
		if flaps {
			err = fmt.Errorf("the connection breaks again and again soon after it is made: is the client id %s used twice?", d.opt.ClientID)
		}
		d.log.trouble(flaps, explain(err))
		wait := time.NewTimer(pause/2 + rand.N(pause)) // ± 50 %, so that many nodes do not come back as one
		select {
		case <-ctx.Done():
			wait.Stop()
			return nil
		case <-wait.C:
		}
	}
}

// retry says how long to wait for the next session, and what the past ones tell.
type retry struct {
	*pace
	pause time.Duration
	short int // sessions in a row that ended soon
}

// flapping is how many short sessions in a row are no accident.
const flapping = 5

// after takes how long a session was of use, 0 if it never was, and how it ended. Two clients with one id throw each other out as
// soon as they are in; a broker that is started anew now and then does not, nor does one that is away in between.
func (r *retry) after(life time.Duration, err error) (pause time.Duration, flaps bool) {
	switch {
	case life >= r.brief, errors.Is(err, syscall.ECONNREFUSED):
		r.short = 0
	case life > 0:
		r.short++
	}
	if life >= r.calm || r.pause == 0 {
		r.pause = r.pauseMin
	} else {
		r.pause = min(2*r.pause, r.pauseMax)
	}
	return r.pause, r.short >= flapping
}

// warn says at start what is open wider than most people want.
func (d *Door) warn() {
	if d.class < game.Play {
		return
	}
	if d.opt.Username == "" && len(d.opt.CertFile) == 0 {
		d.log.logger.Warn("mqtt.commands allows more than safe, and the connection has no user name: whoever reaches the broker may command", "commands", d.opt.Commands)
	}
	if !isSecure(d.target) && !isLoopback(d.target.Hostname()) {
		d.log.logger.Warn("mqtt.commands allows more than safe over a connection in the clear: use mqtts://", "commands", d.opt.Commands)
	}
}

// explain turns an error of connecting into one line that says what to do.
func explain(err error) error {
	var foreign x509.UnknownAuthorityError
	var name x509.HostnameError
	var plain tls.RecordHeaderError
	switch {
	case errors.Is(err, packets.ErrorRefusedNotAuthorised), errors.Is(err, packets.ErrorRefusedBadUsernameOrPassword):
		return errors.New("the broker refuses the login: check mqtt.username and mqtt.password_file")
	case errors.Is(err, packets.ErrorRefusedIDRejected):
		return errors.New("the broker refuses the client id")
	case errors.As(err, &foreign):
		return errors.New("the broker's certificate is signed by an authority that is not trusted here: set mqtt.ca_file to the authority's certificate")
	case errors.As(err, &name):
		return fmt.Errorf("the broker's certificate is for another name: %w", name)
	case errors.As(err, &plain):
		return errors.New("the broker does not speak TLS at this port: use mqtt:// or the port for TLS, usually 8883")
	case errors.Is(err, syscall.ECONNREFUSED):
		return errors.New("no broker answers there (connection refused): is it running, is mqtt.url right?")
	case errors.Is(err, packets.ErrorNetworkError) && (errors.Is(err, io.EOF) || errors.Is(err, syscall.ECONNRESET)):
		return errors.New("the broker hangs up before MQTT has begun: is this its port for TLS (mqtts://) or for something else?")
	}
	return err
}
