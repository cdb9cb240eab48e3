package chaos

import (
	"net"
	"sync"
	"testing"
	"time"
)

// proxy stands between boardd and the broker, and does what networks do.
type proxy struct {
	listener net.Listener
	target   string
	ended    sync.WaitGroup

	mu      sync.Mutex
	changed *sync.Cond
	links   map[*link]bool
	closed  bool
	stalled bool // nothing passes, on any link
	refuses bool // who comes is hung up on
}

// link is one connection through the proxy.
type link struct {
	near, far net.Conn
	dead      bool // nothing passes any more, and nobody is told
	half      bool // of what boardd writes next only a part passes; then both ends are reset
}

func newProxy(t testing.TB, target string) *proxy {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &proxy{listener: l, target: target, links: map[*link]bool{}}
	p.changed = sync.NewCond(&p.mu)
	p.ended.Go(p.accept)
	t.Cleanup(p.close)
	return p
}

func (p *proxy) address() string { return p.listener.Addr().String() }

func (p *proxy) close() {
	_ = p.listener.Close()
	p.mu.Lock()
	p.closed = true
	for l := range p.links {
		l.end(false)
	}
	p.changed.Broadcast()
	p.mu.Unlock()
	p.ended.Wait()
}

func (p *proxy) accept() {
	for {
		near, err := p.listener.Accept()
		if err != nil {
			return
		}
		p.mu.Lock()
		refuses := p.refuses
		p.mu.Unlock()
		if refuses {
			_ = near.Close()
			continue
		}
		far, err := net.Dial("tcp", p.target)
		if err != nil {
			reset(near) // as if nobody listened
			continue
		}
		l := &link{near: near, far: far}
		p.mu.Lock()
		p.links[l] = true
		if p.closed {
			l.end(false)
		}
		p.mu.Unlock()
		p.ended.Go(func() { p.pump(l, near, far, true) })
		p.ended.Go(func() { p.pump(l, far, near, false) })
	}
}

func reset(c net.Conn) {
	if tcp, ok := c.(*net.TCPConn); ok {
		_ = tcp.SetLinger(0)
	}
	_ = c.Close()
}

// end closes both ends; hard sends resets.
func (l *link) end(hard bool) {
	for _, c := range []net.Conn{l.near, l.far} {
		if hard {
			reset(c)
		} else {
			_ = c.Close()
		}
	}
}

// pump carries bytes in one direction.
func (p *proxy) pump(l *link, from, to net.Conn, up bool) {
	defer func() {
		p.mu.Lock()
		for l.dead && !p.closed { // nobody is told: silence is all there is
			p.changed.Wait()
		}
		delete(p.links, l)
		l.end(false)
		p.mu.Unlock()
	}()
	buf := make([]byte, 16<<10)
	for {
		n, err := from.Read(buf)
		p.mu.Lock()
		for (p.stalled || l.dead) && !p.closed {
			p.changed.Wait()
		}
		half := up && l.half && n > 1
		p.mu.Unlock()
		if half {
			_, _ = to.Write(buf[:n/2])
			l.end(true)
			return
		}
		if _, werr := to.Write(buf[:n]); err != nil || werr != nil {
			return
		}
	}
}

// each changes all links there are, and says how many.
func (p *proxy) each(change func(*link)) int {
	p.mu.Lock()
	defer p.mu.Unlock()
	for l := range p.links {
		change(l)
	}
	p.changed.Broadcast()
	return len(p.links)
}

// stall lets nothing pass until it is called with false; whoever waits long enough sees it as silence.
func (p *proxy) stall(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.stalled = yes
	p.changed.Broadcast()
}

// refuse hangs up on whoever comes.
func (p *proxy) refuse(yes bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.refuses = yes
}

// drop closes the connections in good order, reset without any, halve in the midst of a packet, lose lets them fall silent.
func (p *proxy) drop() int  { return p.each(func(l *link) { l.end(false) }) }
func (p *proxy) reset() int { return p.each(func(l *link) { l.end(true) }) }
func (p *proxy) halve() int { return p.each(func(l *link) { l.half = true }) }
func (p *proxy) lose() int  { return p.each(func(l *link) { l.dead = true }) }

// wait is a time in which a fault lasts.
func wait(d time.Duration, done <-chan struct{}) {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
	case <-done:
	}
}
