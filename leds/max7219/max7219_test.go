package max7219

import (
	"encoding/hex"
	"errors"
	"strings"
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

func (b *bus) check(t *testing.T, what string, want string) {
	t.Helper()
	if got := strings.Join(b.sent, " "); got != want {
		t.Errorf("%s: sent %s, want %s", what, got, want)
	}
	b.sent = nil
}

func display(t *testing.T, b *bus, o order.Options) *Display {
	t.Helper()
	l, err := order.New(o)
	if err != nil {
		t.Fatal(err)
	}
	d, err := New(b, l)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func TestOneChip(t *testing.T) {
	t.Parallel()
	b := &bus{}
	d := display(t, b, order.Options{})
	show := func(f board.Frame) {
		t.Helper()
		if err := d.Show(f); err != nil {
			t.Fatal(err)
		}
	}
	show(board.Frame{0: {R: 63}, 7: {B: 63}})
	b.check(t, "the first frame", "0f00 0c01 0b07 0900 0a03 0181 0200 0300 0400 0500 0600 0700 0800")
	show(board.Frame{0: {R: 63}, 7: {B: 63}, 12: {G: 63}})
	b.check(t, "one more, e2", "0210")
	show(board.Frame{12: {R: 12}})
	b.check(t, "night", "0a00 0100")
	show(board.Frame{})
	b.check(t, "dark", "0200")
	show(board.Frame{63: {R: 255}})
	b.check(t, "h8 at its full, after darkness", "0f00 0c01 0b07 0900 0a0f 0100 0200 0300 0400 0500 0600 0700 0880")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	b.check(t, "close", "0800 0c00")
	show(board.Frame{})
	b.check(t, "begun again", "0f00 0c01 0b07 0900 0a00 0100 0200 0300 0400 0500 0600 0700 0800")
}

func TestTwoChips(t *testing.T) {
	t.Parallel()
	b := &bus{}
	d := display(t, b, order.Options{PerSquare: order.Corners})
	if err := d.Show(board.Frame{0: {R: 1}}); err != nil { // LEDs 0, 1, 9, 10
		t.Fatal(err)
	}
	b.check(t, "a1", "0f000f00 0c010c01 0b070b07 09000900 0a000a00 01000103 02000206 03000300 04000400 05000500 06000600 07000700 08000800")
	if err := d.Show(board.Frame{63: {R: 1}}); err != nil { // LEDs 70, 71, 79, 80: the second chip's 6, 7, 15, 16
		t.Fatal(err)
	}
	b.check(t, "h8", "01c00100 02800200 03010300")
}

func TestFaults(t *testing.T) {
	t.Parallel()
	b := &bus{err: errors.New("gone")}
	d := display(t, b, order.Options{})
	if err := d.Show(board.Frame{}); err == nil || err.Error() != "max7219 on /dev/spidev0.1: gone" {
		t.Errorf("%v", err)
	}
	b.check(t, "gives up at once", "0f00")
	b.err = nil
	if err := d.ShowLEDs(nil); err != nil || len(b.sent) != 13 {
		t.Errorf("%v, %v", err, b.sent)
	}
	if _, err := New(b, order.Layout{}); err == nil {
		t.Error("no LEDs are taken")
	}
}
