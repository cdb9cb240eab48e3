package mqtt

import (
	"cmp"
	"context"
	"crypto/tls"
	"errors"
	"net"
	"net/url"
	"sync"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// conn is the byte stream to the broker. paho allocates whatever length a packet announces, up to 256 MB, so conn reads the
// packets' lengths along and ends the connection before that happens. It can also be cut without a DISCONNECT, upon which
// the broker sends the will.
type conn struct {
	net.Conn
	gauge gauge
}

// maxInbound bounds a packet from the broker: the largest payload that is read is a command or our own info.
const maxInbound = 64 << 10

var errTooLong = errors.New("the broker sent a packet that is longer than any that boardd asks for")

func (c *conn) Read(p []byte) (int, error) {
	n, err := c.Conn.Read(p)
	if !c.gauge.pass(p[:n]) {
		_ = c.Conn.Close()
		return 0, errTooLong
	}
	return n, err
}

// gauge follows a stream of MQTT packets by their fixed headers: a byte of type, then the length of the rest, seven bits a
// byte, the lowest first, as long as the top bit is set (MQTT 3.1.1, 2.2.3).
type gauge struct {
	most     int  // bytes of a packet; 0 is maxInbound
	rest     int  // bytes left of the packet
	inLength bool // between the type and the end of the length
	length   int
	shift    uint
}

// pass takes the next bytes and reports whether every packet begun so far is short enough and well formed.
func (g *gauge) pass(p []byte) bool {
	for len(p) > 0 {
		switch {
		case g.rest > 0:
			n := min(g.rest, len(p))
			g.rest -= n
			p = p[n:]
		case !g.inLength:
			g.inLength, g.length, g.shift = true, 0, 0
			p = p[1:]
		default:
			g.length |= int(p[0]&0x7f) << g.shift
			g.shift += 7
			more := p[0]&0x80 != 0
			if g.length > cmp.Or(g.most, maxInbound) || more && g.shift > 21 {
				return false
			}
			if !more {
				g.inLength, g.rest = false, g.length
			}
			p = p[1:]
		}
	}
	return true
}

// link opens one connection and keeps it so that it can be cut from outside, also while it is being opened.
type link struct {
	ctx    context.Context
	cancel context.CancelFunc
	limit  time.Duration

	mu   sync.Mutex
	conn net.Conn
	gone bool
}

func newLink(ctx context.Context, limit time.Duration) *link {
	l := &link{limit: limit}
	l.ctx, l.cancel = context.WithCancel(context.WithoutCancel(ctx))
	return l
}

// openWide is open for longer packets: all that boardd itself publishes.
func (l *link) openWide(u *url.URL, o paho.ClientOptions) (net.Conn, error) {
	c, err := l.open(u, o)
	if own, ok := c.(*conn); ok {
		own.gauge.most = 1 << 20
	}
	return c, err
}

// open is paho's way to a connection.
func (l *link) open(u *url.URL, o paho.ClientOptions) (net.Conn, error) {
	c, err := l.dial(u, o.TLSConfig)
	if err != nil {
		return nil, err
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.gone {
		_ = c.Close()
		return nil, net.ErrClosed
	}
	l.conn = c
	return &conn{Conn: c}, nil
}

func (l *link) dial(u *url.URL, secure *tls.Config) (net.Conn, error) {
	if isWeb(u) {
		if !isSecure(u) {
			secure = nil
		}
		return paho.NewWebsocket(u.String(), secure, l.limit, nil, nil)
	}
	ctx, cancel := context.WithTimeout(l.ctx, l.limit)
	defer cancel()
	if isSecure(u) {
		return (&tls.Dialer{Config: secure}).DialContext(ctx, "tcp", u.Host)
	}
	return (&net.Dialer{}).DialContext(ctx, "tcp", u.Host)
}

// cut ends the connection at once and for good.
func (l *link) cut() {
	l.cancel()
	l.mu.Lock()
	defer l.mu.Unlock()
	l.gone = true
	if l.conn != nil {
		_ = l.conn.Close()
	}
}
