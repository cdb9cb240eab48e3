package ws2812

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

// bus keeps what is sent, one entry a transfer.
type bus struct {
	sent  [][]byte
	limit int
	err   error
}

func (b *bus) String() string       { return "/dev/spidev0.0" }
func (b *bus) Duplex() conn.Duplex  { return conn.Full }
func (b *bus) MaxTxSize() int       { return b.limit }
func (b *bus) Tx(w, _ []byte) error { b.sent = append(b.sent, bytes.Clone(w)); return b.err }

func straight(t *testing.T, o order.Options) order.Layout {
	t.Helper()
	l, err := order.New(o)
	if err != nil {
		t.Fatal(err)
	}
	return l
}

// What the data sheets' times make of bytes, most significant bit first.
func TestEncoding(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		bits  int
		white bool
		want  map[byte]string
	}{
		{3, false, map[byte]string{0x00: "924924", 0xff: "db6db6", 0x80: "d24924", 0x20: "934924", 0x01: "924926", 0x0f: "924db6"}},
		{4, false, map[byte]string{0x00: "88888888", 0xff: "eeeeeeee", 0x80: "e8888888", 0x20: "88e88888", 0x01: "8888888e"}},
		{4, true, map[byte]string{0x00: "88888888", 0xff: "cccccccc", 0x80: "c8888888"}},
	} {
		table := encoding(c.bits, c.white)
		for b, want := range c.want {
			if got := hex.EncodeToString(table[b][:c.bits]); got != want {
				t.Errorf("%d bits, %#02x: %s, want %s", c.bits, b, got, want)
			}
		}
	}
}

func TestFrame(t *testing.T) {
	t.Parallel()
	dark3, dark4 := strings.Repeat("924924", 3), strings.Repeat("88888888", 3)
	for _, c := range []struct {
		name  string
		o     Options
		frame board.Frame
		leds  string // of the first two, in hexadecimal
		size  int
	}{
		{"red 0x20 on a1", Options{}, board.Frame{0: {R: 0x20}}, "924924" + "934924" + "924924" + dark3, 3 + 576 + 90},
		{"green and blue", Options{}, board.Frame{1: {G: 0xff, B: 0x80}}, dark3 + "db6db6" + "924924" + "d24924", 3 + 576 + 90},
		{"RGB", Options{Colors: "rgb"}, board.Frame{0: {R: 0x20}}, "934924" + "924924" + "924924" + dark3, 3 + 576 + 90},
		{"four bits", Options{Bits: 4}, board.Frame{0: {R: 0x20}}, "88888888" + "88e88888" + "88888888" + dark4, 3 + 768 + 120},
		{"with white", Options{Colors: "GRBW"}, board.Frame{0: {R: 0x20, G: 0x20, B: 0x20}, 1: {R: 0x80}},
			dark3 + "934924" + "924924" + "d24924" + "924924" + "924924", 3 + 768 + 90},
		{"four bits, with white", Options{Colors: "GRBW", Bits: 4}, board.Frame{0: {R: 0xff, G: 0xff, B: 0xff}}, dark4 + "cccccccc" + dark4 + "88888888", 3 + 1024 + 120},
		{"81 corners", Options{Layout: straight(t, order.Options{PerSquare: order.Corners})}, board.Frame{0: {B: 0x01}},
			"924924" + "924924" + "924926" + "924924" + "924924" + "924926", 3 + 729 + 90},
	} {
		b := &bus{limit: 4096}
		if c.o.Layout.Count == 0 {
			c.o.Layout = straight(t, order.Options{})
		}
		c.o.Gamma = 10
		d, err := New(b, c.o)
		if err != nil {
			t.Fatal(err)
		}
		if len(b.sent) != 0 {
			t.Errorf("%s: something is sent before the first frame", c.name)
		}
		if err := d.Show(c.frame); err != nil {
			t.Fatal(err)
		}
		if len(b.sent) != 1 || len(b.sent[0]) != c.size {
			t.Fatalf("%s: %d transfers, the first of %d bytes, want one of %d", c.name, len(b.sent), len(b.sent[0]), c.size)
		}
		data := b.sent[0]
		if got := hex.EncodeToString(data[3 : 3+len(c.leds)/2]); got != c.leds {
			t.Errorf("%s: %s, want %s", c.name, got, c.leds)
		}
		quiet := 90
		if c.o.Bits == 4 {
			quiet = 120
		}
		if !bytes.Equal(data[:3], make([]byte, 3)) || !bytes.Equal(data[len(data)-quiet:], make([]byte, quiet)) || data[len(data)-quiet-1] == 0 {
			t.Errorf("%s: not in silence before and after", c.name)
		}
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		dark := hex.EncodeToString(b.sent[1])
		if want := strings.Repeat("00", 3) + strings.Repeat(map[bool]string{false: "924924", true: "88888888"}[c.o.Bits == 4], d.chain.Count()*len(d.colors)) + strings.Repeat("00", quiet); dark != want {
			t.Errorf("%s: not dark after Close", c.name)
		}
	}
}

func TestSingleLEDs(t *testing.T) {
	t.Parallel()
	b := &bus{}
	d, err := New(b, Options{Layout: straight(t, order.Options{Start: "h8"}), Gamma: 10})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ShowLEDs([]board.RGB{{}, {G: 0xff}}); err != nil {
		t.Fatal(err)
	}
	if got := hex.EncodeToString(b.sent[0][3+9 : 3+12]); got != "db6db6" {
		t.Errorf("LED 1 is %s", got)
	}
}

func TestRefused(t *testing.T) {
	t.Parallel()
	board64 := straight(t, order.Options{})
	for _, c := range []struct {
		name  string
		o     Options
		limit int
		want  string
	}{
		{"more than the driver takes", Options{Layout: straight(t, order.Options{PerSquare: order.Four}), Colors: "GRBW", Bits: 4}, 4096, "spidev.bufsiz=8192"},
		{"bits", Options{Layout: board64, Bits: 5}, 0, "3 or 4"},
		{"a colour twice", Options{Layout: board64, Colors: "GRG"}, 0, "GRBW"},
		{"no blue", Options{Layout: board64, Colors: "GRW"}, 0, "GRBW"},
		{"no LEDs", Options{}, 0, "no LEDs"},
	} {
		if _, err := New(&bus{limit: c.limit}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	d, err := New(&bus{err: errors.New("no such device")}, Options{Layout: board64})
	if err != nil {
		t.Fatal(err)
	}
	if err := d.Show(board.Frame{}); err == nil || err.Error() != "64 WS2812 on /dev/spidev0.0: no such device" {
		t.Errorf("%v", err)
	}
}
