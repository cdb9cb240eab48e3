package certabo_test

import (
	"bytes"
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/rules"
)

func lit(names ...string) (f board.Frame) {
	for _, name := range names {
		if s, ok := rules.ParseSquare(name); ok {
			f[s] = board.RGB{B: 255}
		}
	}
	return f
}

// Patterns of protocols/certabo.md section 5.
func TestSinglePatterns(t *testing.T) {
	t.Parallel()
	var rows, calibration []string
	for _, file := range "abcdefgh" {
		for _, rank := range "1278" {
			rows = append(rows, string(file)+string(rank))
		}
	}
	calibration = append(slices.Clone(rows), "d3", "d6")
	for _, c := range []struct {
		f    board.Frame
		want string
	}{
		{lit(), "00 00 00 00 00 00 00 00"},
		{lit("d2", "d4"), "00 00 00 00 08 00 08 00"},
		{lit("e2", "e4"), "00 00 00 00 10 00 10 00"},
		{lit("e7", "e5"), "00 10 00 10 00 00 00 00"}, // d2 and d4 of a board that lies the other way round
		{lit("a1"), "00 00 00 00 00 00 00 01"},
		{lit("h8"), "80 00 00 00 00 00 00 00"},
		{lit("h2"), "00 00 00 00 00 00 80 00"},
		{lit(rows...), "FF FF 00 00 00 00 FF FF"},
		{lit(calibration...), "FF FF 08 00 00 08 FF FF"},
	} {
		if got := fmt.Sprintf("% X", certabo.AppendSingle(nil, c.f)); got != c.want {
			t.Errorf("%s, want %s", got, c.want)
		}
	}
}

// Patterns of section 6.
func TestColorPatterns(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][4]int{
		"h1": {0, 1, 9, 10}, "a1": {7, 8, 16, 17}, "e2": {12, 13, 21, 22}, "e4": {30, 31, 39, 40}, "h8": {63, 64, 72, 73}, "a8": {70, 71, 79, 80},
	} {
		s, _ := rules.ParseSquare(name)
		if got := certabo.CornersOf(s); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	for _, c := range []struct {
		f    board.Frame
		want []int
	}{
		{lit("e2", "e4"), []int{12, 13, 21, 22, 30, 31, 39, 40}},
		{lit("d5", "e5", "d4", "e4"), []int{30, 31, 32, 39, 40, 41, 48, 49, 50}},
	} {
		want := make([]byte, 247)
		copy(want, "\xFF\x55")
		copy(want[245:], "\r\n")
		for _, k := range c.want {
			want[2+3*k+2] = 0x40
		}
		if got := certabo.AppendColors(nil, c.f); !bytes.Equal(got, want) {
			t.Errorf("% X\nwant % X", got, want)
		}
	}
	f := lit("e4")
	f[rules.NewSquare(3, 3)] = board.RGB{R: 1, G: 128} // d4 shares two lights with e4
	got := certabo.AppendColors(nil, f)
	for k, want := range map[int][3]byte{30: {0, 0, 0x40}, 31: {1, 0x21, 0x40}, 32: {1, 0x21, 0}} {
		if at := 2 + 3*k; !bytes.Equal(got[at:at+3], want[:]) {
			t.Errorf("light %d: % X, want % X", k, got[at:at+3], want)
		}
	}
}

// lights is what a board with lights does: it counts bytes, and answers.
type lights struct {
	t     *testing.T
	l     *certabo.Lamps
	color bool
	dumb  bool // does not answer
	delay int64
	now   int64
	got   []byte
	shown []byte // the last whole pattern
	acks  []int64
	sent  []string // how many bytes, and when
}

func (b *lights) run(until int64) {
	for {
		out, wake := b.l.Write(b.now)
		if len(out) > 0 {
			if wake <= b.now {
				b.t.Fatalf("at %d: wakes at %d", b.now, wake)
			}
			b.sent = append(b.sent, fmt.Sprintf("%d@%d", len(out), b.now))
			b.take(out)
		}
		next := until
		if wake != 0 {
			next = min(next, wake)
		}
		if len(b.acks) > 0 {
			next = min(next, b.acks[0])
		}
		b.now = max(next, b.now+1)
		if len(b.acks) > 0 && b.acks[0] <= b.now {
			b.acks = b.acks[1:]
			letter := byte('L')
			if b.color {
				letter = 'D'
			}
			b.l.Ack(b.now, letter)
		}
		if b.now >= until {
			return
		}
	}
}

func (b *lights) take(in []byte) {
	size := 8
	if b.color {
		size = 247
	}
	for _, c := range in {
		if b.color && (len(b.got) == 0 && c != 0xFF || len(b.got) == 1 && c != 0x55) {
			b.got = nil
			continue
		}
		if b.got = append(b.got, c); len(b.got) == size {
			b.shown, b.got = b.got, nil
			if !b.dumb {
				b.acks = append(b.acks, b.now+b.delay)
			}
		}
	}
}

func (b *lights) want(what, sent string, f board.Frame) {
	b.t.Helper()
	pattern := certabo.AppendSingle(nil, f)
	if b.color {
		pattern = certabo.AppendColors(nil, f)
	}
	if got := strings.Join(b.sent, " "); got != sent {
		b.t.Errorf("%s: sent %s, want %s", what, got, sent)
	}
	if !bytes.Equal(b.shown, pattern) {
		b.t.Errorf("%s: shows % X, want % X", what, b.shown, pattern)
	}
	b.sent = nil
}

func TestSingleLights(t *testing.T) {
	t.Parallel()
	b := &lights{t: t, l: certabo.NewLamps(certabo.AnyLamps, 1), delay: 100}
	b.run(500)
	if b.sent != nil {
		t.Errorf("sent %q without a frame", b.sent)
	}
	b.l.Set(lit("e2", "e4"))
	b.run(2000)
	b.want("first", "8@500", lit("e2", "e4"))
	if b.l.Kind() != certabo.SingleLamps {
		t.Error("not taken for single lights")
	}
	b.l.Set(lit("a1"))
	b.run(2050)
	b.l.Set(lit("a2"))
	b.run(2060)
	b.l.Set(lit("a3")) // the newest counts
	b.run(5000)
	b.want("then", "8@2000 8@2200", lit("a3"))
	b.l.Set(lit("a3"))
	b.run(6000)
	b.want("the same again", "", lit("a3"))
	b.l.Again()
	b.run(9000)
	b.want("a board that begins anew", "8@6000", lit("a3"))
}

func TestColorLights(t *testing.T) {
	t.Parallel()
	b := &lights{t: t, l: certabo.NewLamps(certabo.AnyLamps, 1), color: true, delay: 100}
	b.l.Set(lit("e2", "e4"))
	b.run(5000)
	b.want("found out", "8@0 247@600", lit("e2", "e4"))
	b.l.Set(lit())
	b.run(9000)
	b.want("then", "247@5000", lit())
	b.l = certabo.NewLamps(certabo.ColorLamps, 1)
	b.l.Set(lit("h8"))
	b.run(12_000)
	b.want("known", "247@9000", lit("h8"))
}

// A board that never answers is sent all patterns a few times; a new frame begins anew.
func TestLightsThatDoNotAnswer(t *testing.T) {
	t.Parallel()
	b := &lights{t: t, l: certabo.NewLamps(certabo.SingleLamps, 1), dumb: true}
	b.l.Set(lit("e2"))
	b.run(10_000)
	b.want("three times", "8@0 8@600 8@1200", lit("e2"))
	b.l.Set(lit("e4"))
	b.run(20_000)
	b.want("three times", "8@10000 8@10600 8@11200", lit("e4"))
	b = &lights{t: t, l: certabo.NewLamps(certabo.AnyLamps, 1), dumb: true, color: true}
	b.l.Set(lit("e2"))
	b.run(30_000)
	b.want("in both ways", "8@0 247@600 8@2200 247@2800 8@4400 247@5000", lit("e2"))
}

// A byte that is lost would shift all that is shown from then on.
func TestALostByte(t *testing.T) {
	t.Parallel()
	for stuck := range 8 {
		b := &lights{t: t, l: certabo.NewLamps(certabo.AnyLamps, 1), delay: 300}
		b.l.Set(lit("e2"))
		b.run(2000)
		b.sent = nil
		b.got = make([]byte, stuck) // as if the last pattern had ended so
		b.shown = nil
		b.dumb = stuck == 0
		b.l.Set(lit("e4"))
		b.run(2001)
		b.got = b.got[:max(len(b.got)-1, 0)] // and now one is lost
		b.acks = nil
		b.dumb = false
		b.run(30_000)
		if want := certabo.AppendSingle(nil, lit("e4")); !bytes.Equal(b.shown, want) || len(b.got) != 0 {
			t.Errorf("%d bytes too many: sent %s, shows % X and %d bytes", stuck, b.sent, b.shown, len(b.got))
		}
	}
}

// A coloured pattern on single lights is 30 patterns and 7 bytes.
func TestAColoredPatternOnSingleLights(t *testing.T) {
	t.Parallel()
	b := &lights{t: t, l: certabo.NewLamps(certabo.AnyLamps, 1), delay: 100, dumb: true}
	b.l.Set(lit("e2"))
	b.run(599)
	b.dumb = false // its first answer was lost
	b.run(60_000)
	if want := certabo.AppendSingle(nil, lit("e2")); !bytes.Equal(b.shown, want) || len(b.got) != 0 || b.l.Kind() != certabo.SingleLamps {
		t.Errorf("sent %s, shows % X and %d bytes", b.sent, b.shown, len(b.got))
	}
}
