package chardev

import (
	"bytes"
	"errors"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

type device struct {
	sent [][]byte
	take int // bytes at most; 0 for all
	err  error
}

func (d *device) Write(b []byte) (int, error) {
	d.sent = append(d.sent, bytes.Clone(b))
	if d.take > 0 {
		return d.take, d.err
	}
	return len(b), d.err
}

func TestFrame(t *testing.T) {
	t.Parallel()
	l, err := order.New(order.Options{Serpentine: true})
	if err != nil {
		t.Fatal(err)
	}
	frame := board.Frame{0: {R: 1, G: 2, B: 3}, 15: {R: 7, G: 7, B: 9}} // a1 and h2, which is LED 8
	for _, c := range []struct {
		white bool
		want  map[int][]byte // by LED
	}{
		{false, map[int][]byte{0: {1, 2, 3, 0}, 8: {7, 7, 9, 0}}},
		{true, map[int][]byte{0: {0, 1, 2, 1}, 8: {0, 0, 2, 7}}},
	} {
		dev := &device{}
		d, err := New(dev, Options{Layout: l, White: c.white, Gamma: 10})
		if err != nil {
			t.Fatal(err)
		}
		if err := errors.Join(d.Show(frame), d.Close()); err != nil {
			t.Fatal(err)
		}
		want := make([]byte, 256)
		for led, b := range c.want {
			copy(want[4*led:], b)
		}
		if len(dev.sent) != 2 || !bytes.Equal(dev.sent[0], want) || !bytes.Equal(dev.sent[1], make([]byte, 256)) {
			t.Errorf("white %v: % x", c.white, dev.sent)
		}
	}
}

func TestFaults(t *testing.T) {
	t.Parallel()
	l, err := order.New(order.Options{})
	if err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		dev  device
		want string
	}{
		{device{err: errors.New("gone")}, "leds-chardev: gone"},
		{device{take: 240}, "took 60 of 64 LEDs: does num_leds of its overlay say 64?"},
	} {
		d, err := New(&c.dev, Options{Layout: l})
		if err != nil {
			t.Fatal(err)
		}
		if err := d.ShowLEDs([]board.RGB{{R: 1}}); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
	if _, err := New(&device{}, Options{}); err == nil {
		t.Error("no LEDs are taken")
	}
}
