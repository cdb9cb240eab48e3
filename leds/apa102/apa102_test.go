package apa102

import (
	"bytes"
	"encoding/hex"
	"errors"
	"strings"
	"testing"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

type bus struct {
	sent  [][]byte
	limit int
	err   error
}

func (b *bus) String() string       { return "/dev/spidev0.0" }
func (b *bus) Duplex() conn.Duplex  { return conn.Full }
func (b *bus) MaxTxSize() int       { return b.limit }
func (b *bus) Tx(w, _ []byte) error { b.sent = append(b.sent, bytes.Clone(w)); return b.err }

func TestFrame(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		per   order.PerSquare
		o     Options
		frame board.Frame
		first string // start and two LEDs
		size  int
	}{
		{"red on a1", order.One, Options{}, board.Frame{0: {R: 255}}, "00000000 ff0000ff ff000000", 268},
		{"colours", order.One, Options{}, board.Frame{1: {R: 1, G: 2, B: 3}}, "00000000 ff000000 ff030201", 268},
		{"RGB", order.One, Options{Colors: "rgb"}, board.Frame{1: {R: 1, G: 2, B: 3}}, "00000000 ff000000 ff010203", 268},
		{"81 corners", order.Corners, Options{}, board.Frame{0: {G: 9}}, "00000000 ff000900 ff000900", 338},
	} {
		l, err := order.New(order.Options{PerSquare: c.per})
		if err != nil {
			t.Fatal(err)
		}
		b := &bus{}
		c.o.Layout, c.o.Gamma = l, 10
		d, err := New(b, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d.Show(c.frame), d.Close()); err != nil {
			t.Fatal(err)
		}
		if len(b.sent) != 2 || len(b.sent[0]) != c.size {
			t.Fatalf("%s: %d transfers of %d bytes, want %d bytes", c.name, len(b.sent), len(b.sent[0]), c.size)
		}
		if got := hex.EncodeToString(b.sent[0][:12]); got != strings.ReplaceAll(c.first, " ", "") {
			t.Errorf("%s: %s, want %s", c.name, got, c.first)
		}
		end := make([]byte, 4+(l.Count+15)/16)
		dark := append(make([]byte, 4), bytes.Repeat([]byte{0xff, 0, 0, 0}, l.Count)...)
		if !bytes.Equal(b.sent[1], append(dark, end...)) || !bytes.Equal(b.sent[0][4+4*l.Count:], end) {
			t.Errorf("%s: not dark after Close, or not ended well", c.name)
		}
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	l, err := order.New(order.Options{PerSquare: order.Four})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		o     Options
		limit int
		want  string
	}{
		{Options{Layout: l, Colors: "GRBW"}, 0, "use BGR"},
		{Options{Layout: l, Colors: "BBR"}, 0, "use BGR"},
		{Options{}, 0, "no LEDs"},
		{Options{Layout: l}, 512, "spidev.bufsiz"},
	} {
		if _, err := New(&bus{limit: c.limit}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	d, err := New(&bus{err: errors.New("gone")}, Options{Layout: l})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ShowLEDs(nil); err == nil || err.Error() != "256 APA102 on /dev/spidev0.0: gone" {
		t.Errorf("%v", err)
	}
}
