package mqtt

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"github.com/boardd/boardd/game"
)

// session is one connection from CONNECT to its end. Its client is never used again: only so does a token without error
// mean that the broker said PUBACK. One goroutine publishes, one message at a time; the receive path only puts aside.
type session struct {
	*Door
	ctx    context.Context
	client paho.Client
	link   *link
	lost   chan error    // the connection broke
	echo   chan []byte   // info as the broker gave it back
	dead   chan struct{} // somebody, perhaps a late will of ours, said that this node is offline

	birth   chan struct{} // Home Assistant has come up
	rebirth time.Time     // when it is to be told of the boards; zero for never

	up      time.Time // when the self-test succeeded
	tables  []table
	info    string // last published, without its uptime
	infoAt  time.Time
	unshown int // events published since the last snapshots
	errand  *errand
	resent  int
	first   int64
	next    int64
}

// table is what this session has published of one board.
type table struct {
	game.BoardInfo
	snapshot *game.Snapshot
	epoch    string
	said     map[string][]byte // by leaf: retained bodies that are only sent when they differ
	view     *game.View
	liveAt   time.Time
	clock    clockSaid
	drawn    drawn // what the picture on the broker shows
	imageAt  time.Time
	imageDue bool // another picture waits for its time
}

// consumer is the name under which the feed remembers what MQTT has delivered.
const consumer = "mqtt"

var errSilent = errors.New("no answer from the broker in time")

// session connects, publishes until the connection or ctx ends, and says how long it was of use.
func (d *Door) session(ctx context.Context) (life time.Duration, err error) {
	s := &session{
		Door: d, ctx: ctx, link: newLink(ctx, d.pace.dial),
		lost: make(chan error, 1), echo: make(chan []byte, 4), dead: make(chan struct{}, 1),
		birth: make(chan struct{}, 1),
	}
	defer s.link.cancel()
	s.client = paho.NewClient(s.options())
	if err := s.connect(); err != nil {
		return 0, err
	}
	d.nth++
	defer func() {
		if err != nil {
			s.link.cut() // no DISCONNECT, so that the will speaks for us until we are back
		}
		s.client.Disconnect(250)
		if !s.up.IsZero() {
			life = max(time.Since(s.up), 1)
		}
	}()
	if err = s.greet(); err == nil {
		err = s.run()
	}
	if ctx.Err() != nil && err == nil {
		err = s.leave()
	}
	return 0, err
}

func (s *session) options() *paho.ClientOptions {
	o := paho.NewClientOptions().AddBroker(s.target.String()).
		SetClientID(s.opt.ClientID).SetUsername(s.opt.Username).SetPassword(s.opt.Password).
		SetProtocolVersion(4).SetCleanSession(true). // nothing is kept for us while we are away: old commands are not wishes
		SetAutoReconnect(false).SetConnectRetry(false).SetOrderMatters(true).
		SetKeepAlive(s.pace.keepAlive).SetPingTimeout(s.pace.ping).
		SetConnectTimeout(s.pace.dial).SetWriteTimeout(5*time.Second).
		SetWill(s.base+"status", "offline", 1, true).
		SetCustomOpenConnectionFn(s.link.open).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) { s.receive(m) }).
		SetConnectionLostHandler(func(_ paho.Client, err error) {
			select {
			case s.lost <- err:
			default:
			}
		})
	if s.secure != nil {
		o.SetTLSConfig(s.secure)
	}
	return o
}

// receive is paho's receive path: whatever waits here stops the keepalive.
func (s *session) receive(m paho.Message) {
	switch m.Topic() {
	case s.base + "info":
		select {
		case s.echo <- append([]byte(nil), m.Payload()...):
		default:
		}
	case s.base + "status":
		if !m.Retained() && string(m.Payload()) == "offline" {
			select {
			case s.dead <- struct{}{}:
			default:
			}
		}
	case s.birthTopic():
		if !m.Retained() && string(m.Payload()) == "online" {
			select {
			case s.birth <- struct{}{}:
			default:
			}
		}
	default:
		s.accept(m.Topic(), m.Payload(), m.Retained())
	}
}

func (s *session) connect() error {
	stop := context.AfterFunc(s.ctx, s.link.cut)
	err := s.wait(s.client.Connect(), s.pace.connect)
	if !stop() {
		err = context.Canceled // whatever the broker said meanwhile
	}
	if err != nil {
		s.link.cut()
	}
	return err
}

// wait gives a token its time. When ctx is done it gets a little more, so that leaving is quick but orderly.
func (s *session) wait(t paho.Token, limit time.Duration) error {
	timer := time.NewTimer(limit)
	defer timer.Stop()
	done := s.ctx.Done()
	for {
		select {
		case <-t.Done():
			return t.Error()
		case <-timer.C:
			return errSilent
		case <-done:
			done = nil
			timer.Reset(min(limit, s.pace.leave))
		}
	}
}

// publish sends one message and, at QoS 1, waits until the broker has it.
func (s *session) publish(leaf string, qos byte, retain bool, body []byte) error {
	return s.publishTo(s.base+leaf, qos, retain, body)
}

func (s *session) publishTo(topic string, qos byte, retain bool, body []byte) error {
	if s.spy != nil {
		s.spy(topic, retain, body)
	}
	if err := s.wait(s.client.Publish(topic, qos, retain, body), s.pace.ack); err != nil {
		return fmt.Errorf("publishing %d bytes on %s: %w", len(body), topic, err)
	}
	return nil
}

// greet makes the node known: subscriptions, online, self-test, and then everything that is retained.
func (s *session) greet() error {
	filters := map[string]byte{s.base + "+/cmd/+": 1, s.base + "cmd/+": 1, s.base + "info": 1, s.base + "status": 1}
	if s.opt.Discovery != discoveryOff {
		filters[s.birthTopic()] = 1
	}
	t := s.client.SubscribeMultiple(filters, nil)
	if err := s.wait(t, s.pace.ack); err != nil {
		return fmt.Errorf("subscribing: %w", err)
	}
	for filter, code := range t.(*paho.SubscribeToken).Result() {
		if code > 2 && s.class > classOff && filter != s.base+"status" && filter != s.birthTopic() {
			return fmt.Errorf("the broker refuses the subscription to %s: let user %q read and write %s# there, or set mqtt.commands = \"off\"", filter, s.opt.Username, s.base)
		}
	}
	if err := s.publish("status", 1, true, []byte("online")); err != nil {
		return err
	}
	if err := s.selfTest(); err != nil || s.ctx.Err() != nil {
		return err
	}
	s.up = time.Now()
	s.log.well("connected")
	s.opt.Linked(true)
	return s.announce()
}

// selfTest publishes info and looks whether it comes back. PUBACK says nothing about rights in MQTT 3.1.1: without this test
// the outbox might be poured into nothing.
func (s *session) selfTest() error {
	body := s.infoOf(s.opt.Now())
	if err := s.publish("info", 1, true, body); err != nil {
		return err
	}
	limit := time.NewTimer(s.pace.selfTest)
	defer limit.Stop()
	for {
		select {
		case got := <-s.echo:
			if bytes.Equal(got, body) {
				return nil
			}
		case <-limit.C:
			return fmt.Errorf("the broker's ACL blocks writing or reading %s#: let user %q do both; events are kept until then", s.base, s.opt.Username)
		case err := <-s.lost:
			return err
		case <-s.ctx.Done():
			return nil
		}
	}
}

// run publishes what is new until the connection breaks, with its error, or until ctx is done, with nil.
func (s *session) run() error {
	changed, cancel := s.feed.Watch()
	defer cancel()
	for s.ctx.Err() == nil {
		more, err := s.step()
		if err != nil {
			return err
		}
		if more {
			select {
			case err := <-s.lost:
				return err
			default:
				continue
			}
		}
		next := time.NewTimer(s.due())
		select {
		case <-s.ctx.Done():
		case err := <-s.lost:
			return err
		case <-changed:
		case <-next.C:
		case r := <-s.replies:
			err = s.reply(r)
		case e := <-s.errands:
			s.take(e)
		case <-s.dead:
			err = s.revive()
		case <-s.birth:
			s.beborn()
		}
		next.Stop()
		if err != nil {
			return err
		}
	}
	return nil
}

// revive puts right what a late will of a former connection has said.
func (s *session) revive() error { return s.publish("status", 1, true, []byte("online")) }

// leave sends what is still to be sent within a short time, and then says offline: DISCONNECT silences the will.
func (s *session) leave() error {
	for until := time.Now().Add(s.pace.leave); time.Now().Before(until); {
		more, err := s.step()
		if err != nil {
			return err
		}
		if !more {
			break
		}
	}
	for len(s.replies) > 0 {
		if err := s.reply(<-s.replies); err != nil {
			return err
		}
	}
	return s.publish("status", 1, true, []byte("offline"))
}
