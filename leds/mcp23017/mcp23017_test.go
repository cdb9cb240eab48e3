package mcp23017

import (
	"encoding/hex"
	"errors"
	"slices"
	"strings"
	"testing"

	"periph.io/x/conn/v3"
	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/i2c/i2ctest"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/order"
)

func sent(r *i2ctest.Record) (list []string) {
	for _, op := range r.Ops {
		list = append(list, hex.EncodeToString([]byte{byte(op.Addr)})+":"+hex.EncodeToString(op.W))
	}
	r.Ops = nil
	return list
}

func display(t *testing.T, r i2c.Bus, o Options, addresses ...uint16) *Display {
	t.Helper()
	var err error
	if o.Layout, err = order.New(order.Options{}); err != nil {
		t.Fatal(err)
	}
	var chips []conn.Conn
	for _, a := range addresses {
		chips = append(chips, &i2c.Dev{Bus: r, Addr: a})
	}
	d, err := New(chips, o)
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func check(t *testing.T, what string, r *i2ctest.Record, want ...string) {
	t.Helper()
	if got := sent(r); !slices.Equal(got, want) {
		t.Errorf("%s: sent %v, want %v", what, got, want)
	}
}

func TestBytes(t *testing.T) {
	t.Parallel()
	four, eight := []uint16{0x20, 0x21, 0x22, 0x23}, []uint16{0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27}
	for _, c := range []struct {
		name      string
		o         Options
		addresses []uint16
		first     string // of the first chip, at the beginning
		e4, h8    string // LED 28 and LED 63
		dark      []string
	}{
		{"both ports", Options{}, four, "20:140000 20:000000", "21:140010", "23:140080",
			[]string{"20:140000", "20:000000", "21:140000", "21:000000", "22:140000", "22:000000", "23:140000", "23:000000"}},
		{"B before A", Options{Ports: "BA"}, four, "20:140000 20:000000", "21:141000", "23:148000", nil},
		{"lit at 0 V", Options{ActiveLow: true}, four, "20:14ffff 20:000000", "21:14ffef", "23:14ff7f", nil},
		{"port B beside sensors", Options{Ports: "B"}, eight, "20:1500 20:0100", "23:1510", "27:1580", nil},
		{"port A", Options{Ports: "A"}, eight, "20:1400 20:0000", "23:1410", "27:1480", nil},
	} {
		r := &i2ctest.Record{}
		d := display(t, r, c.o, c.addresses...)
		if err := d.Show(board.Frame{}); err != nil {
			t.Fatal(err)
		}
		if got := sent(r); len(got) != 2*len(c.addresses) || strings.Join(got[:2], " ") != c.first {
			t.Errorf("%s: begins with %v", c.name, got)
		}
		if err := d.Show(board.Frame{28: {R: 1}}); err != nil {
			t.Fatal(err)
		}
		check(t, c.name, r, c.e4)
		if err := d.Show(board.Frame{28: {B: 200}}); err != nil { // only on or off
			t.Fatal(err)
		}
		check(t, c.name+", another colour", r)
		if err := d.Show(board.Frame{28: {R: 1}, 63: {R: 1}}); err != nil {
			t.Fatal(err)
		}
		check(t, c.name, r, c.h8)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if c.dark != nil {
			check(t, c.name+", closed", r, c.dark...)
		}
	}
}

type faulty struct {
	i2ctest.Record
	fail bool
}

func (f *faulty) Tx(a uint16, w, r []byte) error {
	if f.fail && a == 0x21 {
		return errors.New("remote I/O error")
	}
	return f.Record.Tx(a, w, r)
}

// One chip that is gone does not keep the others dark, and is set up again when it is back.
func TestAChipThatIsGone(t *testing.T) {
	t.Parallel()
	r := &faulty{fail: true}
	d := display(t, r, Options{}, 0x20, 0x21, 0x22, 0x23)
	lit := board.Frame{0: {R: 1}, 28: {R: 1}}
	if err := d.Show(lit); err == nil || err.Error() != "mcp23017 at record(33): remote I/O error" {
		t.Errorf("%v", err)
	}
	check(t, "the others", &r.Record, "20:140100", "20:000000", "22:140000", "22:000000", "23:140000", "23:000000")
	r.fail = false
	if err := d.Show(lit); err != nil {
		t.Fatal(err)
	}
	check(t, "back", &r.Record, "21:140010", "21:000000")
}

func TestRefused(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Layout: order.Layout{Count: 64}, Ports: "C"}, "use AB"},
		{Options{Layout: order.Layout{Count: 64}}, "64 LEDs want 4 chips, not 1"},
		{Options{Layout: order.Layout{Count: 64}, Ports: "B"}, "64 LEDs want 8 chips, not 1"},
		{Options{}, "0 LEDs"},
	} {
		if _, err := New([]conn.Conn{&i2c.Dev{}}, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
