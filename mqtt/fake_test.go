package mqtt

import (
	"crypto/tls"
	"net"
	"strings"
	"sync"
	"testing"

	"github.com/eclipse/paho.mqtt.golang/packets"
)

// fake is a broker that keeps to a script: it forgets acknowledgements, refuses, and hangs up when a test says so. It
// delivers nothing but a node's own info.
type fake struct {
	listener net.Listener
	mu       sync.Mutex
	conns    map[net.Conn]bool
	seen     []string // SUBSCRIBE and the leaves published on, in order
	got      []heard
	logins   int
	wait     sync.WaitGroup

	// The script; called with the lock held.
	onPublish func(p *packets.PublishPacket) verdict
	suback    byte
	connack   byte
	deaf      map[net.Conn]bool // connections that are not answered any more
}

type verdict int

const (
	acknowledge verdict = iota
	withhold            // take it, but never say so
	hangUp              // take it and close before saying so
)

const fakeBase = "boardd/v1/club/"

func newFake(t *testing.T) *fake { return newFakeTLS(t, nil) }

func newFakeTLS(t *testing.T, secure *tls.Config) *fake {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	if secure != nil {
		l = tls.NewListener(l, secure)
	}
	b := &fake{listener: l, conns: map[net.Conn]bool{}}
	b.wait.Go(func() {
		for {
			c, err := l.Accept()
			if err != nil {
				return
			}
			b.mu.Lock()
			b.conns[c] = true
			b.mu.Unlock()
			b.wait.Go(func() { b.serve(c) })
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		b.mu.Lock()
		for c := range b.conns {
			_ = c.Close()
		}
		b.mu.Unlock()
		b.wait.Wait()
	})
	return b
}

func (b *fake) url() string { return "mqtt://" + b.listener.Addr().String() }

func (b *fake) serve(c net.Conn) {
	defer func() { _ = c.Close() }()
	for {
		p, err := packets.ReadPacket(c)
		if err != nil || !b.answer(c, p) {
			return
		}
	}
}

func (b *fake) answer(c net.Conn, p packets.ControlPacket) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.deaf[c] {
		return true
	}
	switch p := p.(type) {
	case *packets.ConnectPacket:
		b.logins++
		a := packets.NewControlPacket(packets.Connack).(*packets.ConnackPacket)
		a.ReturnCode = b.connack
		return a.Write(c) == nil && b.connack == 0
	case *packets.SubscribePacket:
		b.seen = append(b.seen, "SUBSCRIBE")
		a := packets.NewControlPacket(packets.Suback).(*packets.SubackPacket)
		a.MessageID = p.MessageID
		for range p.Topics {
			a.ReturnCodes = append(a.ReturnCodes, max(1, b.suback))
		}
		return a.Write(c) == nil
	case *packets.PublishPacket:
		leaf := strings.TrimPrefix(p.TopicName, fakeBase)
		b.seen = append(b.seen, leaf)
		b.got = append(b.got, heard{p.TopicName, string(p.Payload), p.Retain, p.Qos})
		v := acknowledge
		if b.onPublish != nil {
			v = b.onPublish(p)
		}
		if v == hangUp {
			return false
		}
		if p.Qos > 0 && v == acknowledge {
			a := packets.NewControlPacket(packets.Puback).(*packets.PubackPacket)
			a.MessageID = p.MessageID
			if a.Write(c) != nil {
				return false
			}
		}
		if leaf == "info" {
			echo := packets.NewControlPacket(packets.Publish).(*packets.PublishPacket)
			echo.TopicName, echo.Payload = p.TopicName, p.Payload
			return echo.Write(c) == nil
		}
	case *packets.PingreqPacket:
		return packets.NewControlPacket(packets.Pingresp).Write(c) == nil
	case *packets.DisconnectPacket:
		return false
	}
	return true
}

func (b *fake) topics() []string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return append([]string(nil), b.seen...)
}

func (b *fake) events() (list []heard) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for _, m := range b.got {
		if strings.HasSuffix(m.topic, "/event") {
			list = append(list, m)
		}
	}
	return list
}

// script changes what the broker does.
func (b *fake) script(change func(*fake)) {
	b.mu.Lock()
	defer b.mu.Unlock()
	change(b)
}
