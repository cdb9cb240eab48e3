package text

import (
	"bytes"
	"strings"
)

// framing says how the stream is cut into messages.
type framing struct {
	mode       string
	lineEnd    string // "" is CR, LF or both
	fixed      int
	start, end []byte
	gap        int64
	delete     string
}

// whole reports whether a message of this framing may be half a one that looks like a whole: bytes without a check.
func (f *framing) bare() bool { return f.mode == "fixed" || f.mode == "delimited" && f.fixed > 0 }

// Counts are what the cutting of the stream has met.
type Counts struct {
	Messages int64 // cut out, whatever they said
	Dropped  int64 // bytes that belong to none
}

// cutter cuts a stream into messages. Its memory does not grow.
type cutter struct {
	framing
	buf    []byte
	open   bool // delimited with a start: it has come
	drop   bool // line: too long, up to its end
	astray bool // delimited with a length: bytes came before that belong to no message
	held   bool // buf may be a message, if the mark does not begin a byte later
	last   int64
	counts Counts
}

// quiet is when the message that is under way will be given up, 0 if none is.
func (c *cutter) quiet() int64 {
	if len(c.buf) == 0 && !c.open && !c.drop {
		return 0
	}
	return c.last + c.gap
}

// pause ends what is under way, when the line has been silent for too long. rest is what timeout makes a message of.
func (c *cutter) pause(now int64, emit func([]byte)) {
	if due := c.quiet(); due == 0 || now < due {
		return
	}
	if c.held {
		c.found(emit)
	} else if c.mode == "timeout" && len(c.buf) > 0 && !c.drop {
		c.give(c.buf, emit)
	} else {
		c.counts.Dropped += int64(len(c.buf))
	}
	c.clear()
}

func (c *cutter) clear() {
	c.buf, c.open, c.drop, c.astray, c.held = c.buf[:0], false, false, false, false
}

// pending is a message that waits for the next byte, or for silence.
func (c *cutter) pending() bool { return c.held || c.mode == "timeout" && len(c.buf) > 0 }

// cut takes bytes that came at now. How they are cut into calls makes no difference.
func (c *cutter) cut(now int64, in []byte, emit func([]byte)) {
	c.last = now
	for _, b := range in {
		switch c.mode {
		case "fixed":
			c.buf = append(c.buf, b)
			if len(c.buf) == c.fixed {
				c.give(c.buf, emit)
				c.buf = c.buf[:0]
			}
		case "delimited":
			c.delimited(b, emit)
		case "timeout":
			c.keep(b)
		default:
			c.line(b, emit)
		}
	}
}

func (c *cutter) keep(b byte) {
	if len(c.buf) == longestFrame {
		c.counts.Dropped += longestFrame
		c.buf, c.drop = c.buf[:0], true
	}
	if c.drop {
		c.counts.Dropped++
		return
	}
	c.buf = append(c.buf, b)
}

func (c *cutter) line(b byte, emit func([]byte)) {
	if c.lineEnd != "" {
		c.keep(b)
		if c.drop {
			c.drop = b != c.lineEnd[len(c.lineEnd)-1]
			return
		}
		if bytes.HasSuffix(c.buf, []byte(c.lineEnd)) {
			c.give(c.buf[:len(c.buf)-len(c.lineEnd)], emit)
			c.buf = c.buf[:0]
		}
		return
	}
	if b != '\r' && b != '\n' {
		c.keep(b)
		return
	}
	if c.drop {
		c.drop = false
		return
	}
	if len(c.buf) > 0 { // nothing between CR and LF is no line
		c.give(c.buf, emit)
		c.buf = c.buf[:0]
	}
}

// delimited looks for the end. With a length the message is the bytes just before it, whatever came before: data may look
// like the end, and text may have come between (protocols/diy-serial.md section 4, rule 4).
func (c *cutter) delimited(b byte, emit func([]byte)) {
	if c.fixed > 0 {
		c.counted(b, emit)
		return
	}
	c.keep(b)
	if c.drop { // too long to be a message: the next start counts
		c.clear()
		return
	}
	if bytes.HasSuffix(c.buf, c.start) {
		c.counts.Dropped += int64(len(c.buf) - len(c.start))
		c.buf, c.open = c.buf[:0], true
		return
	}
	if !c.open {
		if n := len(c.buf) - len(c.start); n > 0 { // a start may be under way
			c.buf = append(c.buf[:0], c.buf[n:]...)
			c.counts.Dropped += int64(n)
		}
		return
	}
	if bytes.HasSuffix(c.buf, c.end) {
		c.give(c.buf[:len(c.buf)-len(c.end)], emit)
		c.clear()
	}
}

// counted looks for messages of one length with marks. After bytes of something else the first mark that fits may begin too
// early, when the data end as the mark does; so it is held until the next byte has come, or none.
func (c *cutter) counted(b byte, emit func([]byte)) {
	size := len(c.start) + c.fixed + len(c.end)
	fits := func() bool {
		return len(c.buf) == size && bytes.HasPrefix(c.buf, c.start) && bytes.HasSuffix(c.buf, c.end)
	}
	if c.held && b != c.end[len(c.end)-1] {
		c.found(emit)
	}
	c.held = false
	if len(c.buf) == size {
		copy(c.buf, c.buf[1:])
		c.buf = c.buf[:size-1]
		c.counts.Dropped++
		c.astray = true
	}
	c.buf = append(c.buf, b)
	if c.held = fits(); c.held && !c.astray {
		c.found(emit)
	}
}

// found gives out the message that buf holds.
func (c *cutter) found(emit func([]byte)) {
	c.give(c.buf[len(c.start):len(c.buf)-len(c.end)], emit)
	c.clear()
}

func (c *cutter) give(b []byte, emit func([]byte)) {
	c.counts.Messages++
	if c.delete != "" {
		kept := make([]byte, 0, len(b))
		for _, x := range b {
			if strings.IndexByte(c.delete, x) < 0 {
				kept = append(kept, x)
			}
		}
		b = kept
	}
	emit(b)
}
