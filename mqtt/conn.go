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

// conn is the byte stream to the broker. paho allocates whatever length a packet announces, up to 256 MB, so conn reads the packets'
// headers along and cuts messages short: what is left of one is still acknowledged, and refused as too long. Hanging up would not do, for
// a long message that lies retained at the broker comes again at each connection. conn can also be cut without a DISCONNECT, upon which
// the broker sends the will.
type conn struct {
	net.Conn
	gauge gauge
	in    [4096]byte
	store []byte // room for out
	out   []byte // read, and not yet given
}

// maxInbound bounds a packet from the broker: the largest payload that is read is a command or our own info. A topic may have 64 KB, and
// stays whole.
const maxInbound = 64<<10 + 8

var errTooLong = errors.New("the broker sent a packet that is longer than any that boardd asks for")

func (c *conn) Read(p []byte) (int, error) {
	for len(c.out) == 0 && len(p) > 0 {
		n, err := c.Conn.Read(c.in[:])
		var ok bool
		if c.store, ok = c.gauge.pass(c.store[:0], c.in[:n]); !ok {
			_ = c.Conn.Close()
			return 0, errTooLong
		}
		if c.out = c.store; err != nil && len(c.out) == 0 {
			return 0, err
		}
	}
	n := copy(p, c.out)
	c.out = c.out[n:]
	return n, nil
}

// gauge follows a stream of MQTT packets by their fixed headers: a byte of type, then the length of the rest, seven bits a
// byte, the lowest first, as long as the top bit is set (MQTT 3.1.1, 2.2.3).
type gauge struct {
	most   int    // bytes of a packet; 0 is maxInbound
	rest   int    // bytes left of the packet
	keep   int    // of those, so many pass; the others are dropped
	header []byte // of the packet that begins, as far as it is known
	length int
}

// publish is the type of the only packets that may be cut: their payload, which is all that makes them long, comes last.
const publish = 3

// pass appends the next bytes to dst, without what is too much of long messages. It reports whether every packet begun so far is well formed
// and, if it is no message, short enough.
func (g *gauge) pass(dst, p []byte) ([]byte, bool) {
	for len(p) > 0 {
		if g.rest > 0 {
			n := min(g.rest, len(p))
			kept := min(g.keep, n)
			dst = append(dst, p[:kept]...)
			g.rest, g.keep, p = g.rest-n, g.keep-kept, p[n:]
			continue
		}
		b := p[0]
		g.header, p = append(g.header, b), p[1:]
		if len(g.header) == 1 {
			g.length = 0
			continue
		}
		g.length |= int(b&0x7f) << (7 * (len(g.header) - 2))
		if b&0x80 != 0 {
			if len(g.header) > 4 {
				return dst, false
			}
			continue
		}
		most := cmp.Or(g.most, maxInbound)
		switch {
		case g.length <= most:
			most = g.length
			dst = append(dst, g.header...)
		case g.header[0]>>4 == publish:
			dst = append(dst, g.header[0], byte(most&0x7f|0x80), byte(most>>7&0x7f|0x80), byte(most>>14))
		default:
			return dst, false
		}
		g.rest, g.keep, g.header = g.length, most, g.header[:0]
	}
	return dst, true
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
