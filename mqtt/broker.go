package mqtt

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/subtle"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"strings"
	"sync"
	"syscall"
	"time"

	mochi "github.com/mochi-mqtt/server/v2"
	"github.com/mochi-mqtt/server/v2/listeners"
	"github.com/mochi-mqtt/server/v2/packets"
	"golang.org/x/time/rate"
)

// BrokerOptions is what the embedded broker needs to know.
type BrokerOptions struct {
	Listen   string // host:port; port 0 for a free one. A host beyond loopback needs Username and Password
	Username string // what clients must give; "" lets everybody on this machine in
	Password string
	Root     string // as in Options
	Node     string
	ClientID string       // boardd's own, which nobody else may use
	Logger   *slog.Logger // nil: slog.Default()
}

// maxClients is how many connections the embedded broker serves at once, boardd's own among them.
const maxClients = 64

// Broker is a small MQTT broker in this process, for who has none. Clients may read everything, and write commands and
// Home Assistant's birth message; all else only boardd may write. Retained messages end with the process: boardd publishes
// them anew.
type Broker struct {
	server   *mochi.Server
	listener net.Listener
	own      account
}

type account struct{ name, password []byte }

func (a account) is(name, password []byte) bool {
	return subtle.ConstantTimeCompare(a.name, name)&subtle.ConstantTimeCompare(a.password, password) == 1
}

// ErrTaken says that another program listens where the broker was to.
var ErrTaken = errors.New("is taken")

// StartBroker listens and serves until Close. Errors name the configuration key to change.
func StartBroker(o BrokerOptions) (*Broker, error) {
	if o.Root == "" {
		o.Root = DefaultRoot
	}
	if o.Logger == nil {
		o.Logger = slog.Default()
	}
	host, _, err := net.SplitHostPort(o.Listen)
	if err != nil {
		return nil, fmt.Errorf("mqtt.listen %q: use host:port, for instance 127.0.0.1:1883", o.Listen)
	}
	if !isLoopback(host) && (o.Username == "" || o.Password == "") {
		return nil, fmt.Errorf("mqtt.listen %q is reached from other machines: set mqtt.username and mqtt.password_file, or listen on 127.0.0.1", o.Listen)
	}
	listener, err := net.Listen("tcp", o.Listen)
	if errors.Is(err, syscall.EADDRINUSE) {
		return nil, fmt.Errorf("mqtt.listen: %s %w: is mosquitto running? Set mqtt.url to use it, or mqtt.listen to another port", o.Listen, ErrTaken)
	} else if err != nil {
		return nil, fmt.Errorf("mqtt.listen %q: %w", o.Listen, err)
	}

	caps := mochi.NewDefaultServerCapabilities()
	caps.MaximumMessageExpiryInterval = 0 // else retained messages vanish after a day, or when the clock is set
	caps.MaximumPacketSize = 256 << 10
	caps.MaximumClients = maxClients
	caps.MaximumSessionExpiryInterval = 7 * 24 * 3600
	caps.MaximumInflight = 1024
	b := &Broker{
		server:   mochi.New(&mochi.Options{Capabilities: caps, SysTopicResendInterval: 60, Logger: quiet(o.Logger)}),
		listener: listener,
		own:      account{[]byte("boardd:" + rand.Text()[:8]), []byte(rand.Text())},
	}
	guard := &guard{server: b.server, own: b.own, ownID: o.ClientID, base: o.Root + "/" + o.Node + "/", log: o.Logger}
	guard.scold.Interval, guard.full.Interval = time.Minute, time.Minute
	if o.Username != "" {
		guard.guest = &account{[]byte(o.Username), []byte(o.Password)}
	}
	err = b.server.AddHook(guard, nil)
	if err == nil {
		err = b.server.AddListener(door{listeners.NewNet("mqtt", punctual{listener}), b.server})
	}
	if err == nil {
		err = b.server.Serve()
	}
	if err != nil {
		_ = listener.Close()
		return nil, fmt.Errorf("embedded broker: %w", err)
	}
	return b, nil
}

// Addr is where it listens, with the port that was chosen if 0 was asked for.
func (b *Broker) Addr() string { return b.listener.Addr().String() }

// Admit gives options the address and the account with which boardd itself comes in.
func (b *Broker) Admit(o *Options) {
	host, port, _ := net.SplitHostPort(b.Addr())
	if ip := net.ParseIP(host); ip == nil || ip.IsUnspecified() {
		host = "localhost"
	}
	o.URL = "mqtt://" + net.JoinHostPort(host, port)
	o.Username, o.Password = string(b.own.name), string(b.own.password)
	o.CAFile, o.CertFile, o.KeyFile = "", "", ""
}

// Close ends all connections and frees the port.
func (b *Broker) Close() error {
	_ = b.listener.Close() // nobody comes in any more: the broker does not expect it while it ends
	return b.server.Close()
}

// door is the listener, closed in another way than the broker would: that asks for its clients with a lock that it takes twice, and
// stands still for ever when a client goes in between.
type door struct {
	*listeners.Net
	server *mochi.Server
}

func (d door) Close(listeners.CloseFn) {
	d.Net.Close(func(id string) {
		for _, c := range d.server.Clients.GetAll() {
			if c.Net.Listener == id && !c.Closed() {
				_ = d.server.DisconnectClient(c, packets.ErrServerShuttingDown)
			}
		}
	})
}

// punctual gives a connection ten seconds for its CONNECT; the broker itself would wait for ever. Afterwards the broker sets
// deadlines by the client's keepalive.
type punctual struct{ net.Listener }

func (l punctual) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err == nil {
		_ = c.SetDeadline(time.Now().Add(10 * time.Second))
	}
	return c, err
}

// quiet lets only what an operator wants to know through: mochi reports each client that hangs up as a warning.
func quiet(l *slog.Logger) *slog.Logger {
	return slog.New(errorsOnly{l.With("part", "broker").Handler()})
}

type errorsOnly struct{ slog.Handler }

func (h errorsOnly) Enabled(ctx context.Context, l slog.Level) bool {
	return l >= slog.LevelError && h.Handler.Enabled(ctx, l)
}

func (h errorsOnly) WithAttrs(a []slog.Attr) slog.Handler { return errorsOnly{h.Handler.WithAttrs(a)} }
func (h errorsOnly) WithGroup(n string) slog.Handler      { return errorsOnly{h.Handler.WithGroup(n)} }

// guard says who comes in and who may do what. What is not allowed here is denied.
type guard struct {
	mochi.HookBase
	server *mochi.Server
	own    account
	ownID  string
	guest  *account // nil: everybody who reaches the listener, which is then on loopback
	base   string   // <root>/<node>/
	log    *slog.Logger
	scold  rate.Sometimes
	full   rate.Sometimes

	// mochi 2.7.9 looks through the retained topics for a new subscriber without the lock under which it adds to them. The
	// hooks that frame both keep them apart.
	retained sync.RWMutex
	framed   sync.Map // clients between the two hooks

	visits sync.Map // of type visit, by client
}

func (g *guard) ID() string { return "boardd" }

func (g *guard) Provides(b byte) bool {
	return bytes.IndexByte([]byte{
		mochi.OnConnectAuthenticate, mochi.OnACLCheck, mochi.OnPublish, mochi.OnWill, mochi.OnRetainMessage,
		mochi.OnPacketEncode, mochi.OnPacketSent, mochi.OnPacketProcessed, mochi.OnSessionEstablished, mochi.OnDisconnect,
	}, b) >= 0
}

// OnConnectAuthenticate also judges the will: the broker publishes it without asking OnACLCheck.
func (g *guard) OnConnectAuthenticate(c *mochi.Client, pk packets.Packet) bool {
	c.Properties.Will.WillDelayInterval = 0
	if !g.admits(c, pk) {
		return false
	}
	g.seeOff(c.ID)
	return true
}

func (g *guard) admits(c *mochi.Client, pk packets.Packet) bool {
	name, password := pk.Connect.Username, pk.Connect.Password
	switch {
	case g.own.is(name, password):
		return true
	case bytes.Equal(name, g.own.name), c.ID == g.ownID && g.ownID != "":
		return false
	case g.guest != nil && !g.guest.is(name, password):
		return false
	}
	return !pk.Connect.WillFlag || g.guestWrites(pk.Connect.WillTopic)
}

// visit is a connection from its CONNACK to its end.
type visit struct {
	ended   chan struct{}
	expires bool // its session ends with it; to be read when it has ended
}

func (g *guard) OnSessionEstablished(c *mochi.Client, _ packets.Packet) {
	g.visits.Store(c, &visit{ended: make(chan struct{})})
}

func (g *guard) OnDisconnect(c *mochi.Client, _ error, expires bool) {
	if v, ok := g.visits.LoadAndDelete(c); ok {
		v := v.(*visit)
		v.expires = expires
		close(v.ended)
	}
}

// seeOff ends a former connection of the same client and waits until the broker has forgotten it. mochi 2.7.9 does not wait,
// and what the old connection's goroutine then clears away may be the new one's subscriptions. Sessions that outlive their
// connection are not cleared away.
func (g *guard) seeOff(id string) {
	former, ok := g.server.Clients.Get(id)
	if !ok {
		return
	}
	limit := 50 * time.Millisecond // it has ended and is about to be forgotten, or is kept
	if v, ok := g.visits.Load(former); ok {
		limit = 5 * time.Second
		former.Stop(packets.ErrSessionTakenOver)
		select {
		case <-v.(*visit).ended:
			if !v.(*visit).expires {
				return
			}
		case <-time.After(limit):
			return
		}
	}
	for until := time.Now().Add(limit); time.Now().Before(until); time.Sleep(time.Millisecond) {
		if now, ok := g.server.Clients.Get(id); !ok || now != former {
			return
		}
	}
}

func (g *guard) OnACLCheck(c *mochi.Client, topic string, write bool) bool {
	if !write {
		return !strings.HasPrefix(topic, "$SYS") // nobody's business here
	}
	return bytes.Equal(c.Properties.Username, g.own.name) || g.guestWrites(topic)
}

// guestWrites: commands of this node, and what Home Assistant says of itself.
func (g *guard) guestWrites(topic string) bool {
	return topic == "homeassistant/status" || g.isCommand(topic)
}

func (g *guard) isCommand(topic string) bool {
	rest, ok := strings.CutPrefix(topic, g.base)
	levels := strings.Split(rest, "/")
	return ok && (len(levels) == 2 && levels[0] == "cmd" || len(levels) == 3 && levels[1] == "cmd")
}

// OnPublish neither keeps nor passes on a command that is to be retained: one that lies there would be obeyed again at every
// start of a client that knows no better, and whoever hears it when it comes is not told that it will lie there.
func (g *guard) OnPublish(c *mochi.Client, pk packets.Packet) (packets.Packet, error) {
	if pk.FixedHeader.Retain && g.isCommand(pk.TopicName) {
		g.scold.Do(func() {
			g.log.Warn("MQTT: a command that is published as retained is not carried out: publish it without the retain flag", "topic", pk.TopicName, "client", c.ID)
		})
		return pk, packets.CodeSuccessIgnore // acknowledged, and nothing more
	}
	if pk.FixedHeader.Retain {
		g.beginRetain(c)
	}
	return pk, nil
}

// OnWill comes before a will is published; one that is to be delayed is retained later, without a hook before it.
func (g *guard) OnWill(c *mochi.Client, will mochi.Will) (mochi.Will, error) {
	if g.isCommand(will.TopicName) {
		will.Retain = false
	}
	if will.Retain && will.WillDelayInterval == 0 {
		g.beginRetain(c)
	}
	return will, nil
}

// OnPacketEncode: MQTT knows a DISCONNECT from the broker only from version 5 on. Clients of older versions take it for a fault of
// the protocol and give up, where they would come back after a connection that is just closed.
func (g *guard) OnPacketEncode(c *mochi.Client, pk packets.Packet) packets.Packet {
	if pk.FixedHeader.Type == packets.Disconnect && c.Properties.ProtocolVersion < 5 {
		c.Stop(packets.Code{Code: pk.ReasonCode, Reason: "closed by the broker"})
	}
	if pk.FixedHeader.Type == packets.Connack && (pk.ReasonCode == packets.ErrServerBusy.Code || pk.ReasonCode == packets.Err3ServerUnavailable.Code) {
		g.full.Do(func() { // mochi refuses them before it asks any hook
			g.log.Warn("MQTT: the embedded broker has no room for a client: close some, or use a broker of your own (mqtt.url)",
				"most", maxClients, "client", c.ID, "address", c.Net.Remote)
		})
	}
	return pk
}

func (g *guard) beginRetain(c *mochi.Client) {
	g.retained.Lock()
	g.framed.Store(c, true)
}

// OnRetainMessage comes right after a message has been added to the retained ones.
func (g *guard) OnRetainMessage(c *mochi.Client, _ packets.Packet, _ int64) {
	if _, began := g.framed.LoadAndDelete(c); began {
		g.retained.Unlock()
	}
}

// OnPacketSent: a SUBACK is followed by the retained messages, which are queued without waiting for the client.
func (g *guard) OnPacketSent(c *mochi.Client, pk packets.Packet, _ []byte) {
	if pk.FixedHeader.Type == packets.Suback {
		g.retained.RLock()
		g.framed.Store(c, true)
	}
}

// OnPacketProcessed comes when they are queued.
func (g *guard) OnPacketProcessed(c *mochi.Client, pk packets.Packet, _ error) {
	if pk.FixedHeader.Type == packets.Subscribe {
		if _, began := g.framed.LoadAndDelete(c); began {
			g.retained.RUnlock()
		}
	}
}
