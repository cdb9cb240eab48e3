package hc595

import (
	"encoding/hex"
	"errors"
	"slices"
	"testing"

	"periph.io/x/conn/v3"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

type bus struct {
	sent []string
	err  error
}

func (b *bus) String() string      { return "/dev/spidev0.1" }
func (b *bus) Duplex() conn.Duplex { return conn.Full }
func (b *bus) Tx(w, _ []byte) error {
	b.sent = append(b.sent, hex.EncodeToString(w))
	return b.err
}

func TestDisplay(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		o    order.Options
		low  bool
		want []string // e4 and h8, then closed
	}{
		{"64", order.Options{}, false, []string{"8000000010000000", "0000000000000000"}},
		{"lit at 0 V", order.Options{}, true, []string{"7fffffffefffffff", "ffffffffffffffff"}},
		// e4 is LEDs 31, 32, 40, 41 and h8 70, 71, 79, 80 of 81
		{"81 corners", order.Options{PerSquare: order.Corners}, false, []string{"0180c00000030180000000", "0000000000000000000000"}},
	} {
		l, err := order.New(c.o)
		if err != nil {
			t.Fatal(err)
		}
		b := &bus{}
		d, err := New(b, l, c.low)
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d.Show(board.Frame{28: {R: 5}, 63: {B: 9}}), d.Close()); err != nil {
			t.Fatal(err)
		}
		if !slices.Equal(b.sent, c.want) {
			t.Errorf("%s: %v, want %v", c.name, b.sent, c.want)
		}
	}
}

func TestLines(t *testing.T) {
	t.Parallel()
	b := &bus{}
	l, err := NewLines(b, 2)
	if err != nil {
		t.Fatal(err)
	}
	if err := errors.Join(l.Set(0x1234), l.Set(1)); err != nil {
		t.Fatal(err)
	}
	if want := []string{"1234", "0001"}; !slices.Equal(b.sent, want) {
		t.Errorf("%v, want %v", b.sent, want)
	}
	for _, n := range []int{0, 9} {
		if _, err := NewLines(b, n); err == nil {
			t.Errorf("%d registers are taken", n)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	b := &bus{err: errors.New("gone")}
	d, err := New(b, order.Layout{Count: 64}, false)
	if err != nil {
		t.Fatal(err)
	}
	if err := d.ShowLEDs(nil); err == nil || err.Error() != "hc595 on /dev/spidev0.1: gone" {
		t.Errorf("%v", err)
	}
	if _, err := New(b, order.Layout{}, false); err == nil {
		t.Error("no LEDs are taken")
	}
}
