package ht16k33

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

// sent are the transfers so far, as "70:21".
func sent(r *i2ctest.Record) (list []string) {
	for _, op := range r.Ops {
		list = append(list, strings.ToLower(hex.EncodeToString([]byte{byte(op.Addr)}))+":"+hex.EncodeToString(op.W))
	}
	r.Ops = nil
	return list
}

func display(t *testing.T, r i2c.Bus, o order.Options, rows int, addresses ...uint16) *Display {
	t.Helper()
	l, err := order.New(o)
	if err != nil {
		t.Fatal(err)
	}
	var chips []conn.Conn
	for _, a := range addresses {
		chips = append(chips, &i2c.Dev{Bus: r, Addr: a})
	}
	d, err := New(chips, Options{Layout: l, Rows: rows})
	if err != nil {
		t.Fatal(err)
	}
	return d
}

func check(t *testing.T, what string, r *i2ctest.Record, want ...string) {
	t.Helper()
	if got := sent(r); !slices.Equal(got, want) {
		t.Errorf("%s: sent\n%s\nwant\n%s", what, strings.Join(got, "\n"), strings.Join(want, "\n"))
	}
}

const white = 63 // a quarter

func TestOneChip(t *testing.T) {
	t.Parallel()
	r := &i2ctest.Record{}
	d := display(t, r, order.Options{}, 0, 0x70)
	show := func(f board.Frame) {
		t.Helper()
		if err := d.Show(f); err != nil {
			t.Fatal(err)
		}
	}
	show(board.Frame{})
	check(t, "the first frame starts the chip", r, "70:21", "70:"+strings.Repeat("00", 17), "70:e0", "70:81")
	show(board.Frame{2*8 + 4: {R: white}}) // e3: common 2, row 4
	check(t, "one LED, after darkness", r, "70:21", "70:0000000000100000000000000000000000", "70:e3", "70:81")
	show(board.Frame{2*8 + 4: {R: white}, 63: {B: 1}})
	check(t, "another", r, "70:0000000000100000000000000000008000")
	show(board.Frame{2*8 + 4: {G: 255}, 63: {B: 1}})
	check(t, "brighter", r, "70:ef")
	show(board.Frame{})
	check(t, "dark", r, "70:"+strings.Repeat("00", 17))
	show(board.Frame{0: {R: 12}}) // at night
	check(t, "night", r, "70:21", "70:00"+"01"+strings.Repeat("00", 15), "70:e0", "70:81")
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	check(t, "close", r, "70:"+strings.Repeat("00", 17), "70:80", "70:20")
}

// 81 corners: 64 LEDs at the first chip, 17 at the second; only the chip that has something new is written to.
func TestTwoChips(t *testing.T) {
	t.Parallel()
	r := &i2ctest.Record{}
	d := display(t, r, order.Options{PerSquare: order.Corners}, 8, 0x70, 0x71)
	if err := d.Show(board.Frame{}); err != nil {
		t.Fatal(err)
	}
	if n := len(sent(r)); n != 8 {
		t.Errorf("%d transfers to begin with", n)
	}
	if err := d.Show(board.Frame{63: {R: 15}}); err != nil { // h8: LEDs 70, 71, 79, 80
		t.Fatal(err)
	}
	check(t, "h8", r, "71:21", "71:00c0008000010000000000000000000000", "71:e0", "71:81")
	if err := d.ShowLEDs(append(make([]board.RGB, 64), board.RGB{R: 15})); err != nil {
		t.Fatal(err)
	}
	check(t, "LED 64", r, "71:0001000000000000000000000000000000")
}

func TestSixteenRows(t *testing.T) {
	t.Parallel()
	r := &i2ctest.Record{}
	d := display(t, r, order.Options{PerSquare: order.Corners}, 16, 0x74)
	if err := d.Show(board.Frame{63: {R: 15}}); err != nil { // LEDs 70, 71: common 4, rows 6, 7; 79: row 15; 80: common 5, row 0
		t.Fatal(err)
	}
	check(t, "h8", r, "74:21", "74:00"+strings.Repeat("0000", 4)+"c080"+"0100"+"0000"+"0000", "74:e0", "74:81")
}

type faulty struct {
	i2ctest.Record
	fail bool
}

func (f *faulty) Tx(a uint16, w, r []byte) error {
	if f.fail {
		return errors.New("remote I/O error")
	}
	return f.Record.Tx(a, w, r)
}

// A chip that was without supply is started again.
func TestAChipThatComesBack(t *testing.T) {
	t.Parallel()
	r := &faulty{}
	d := display(t, r, order.Options{}, 8, 0x70)
	lit := board.Frame{0: {R: 16}}
	if err := d.Show(lit); err != nil {
		t.Fatal(err)
	}
	sent(&r.Record)
	r.fail = true
	if err := d.Show(board.Frame{}); err == nil || !strings.Contains(err.Error(), "ht16k33 at record(112): remote I/O error") {
		t.Errorf("%v", err)
	}
	r.fail = false
	if err := d.Show(lit); err != nil {
		t.Fatal(err)
	}
	check(t, "again", &r.Record, "70:21", "70:00"+"01"+strings.Repeat("00", 15), "70:e1", "70:81")
}

func TestRefused(t *testing.T) {
	t.Parallel()
	l, err := order.New(order.Options{PerSquare: order.Corners})
	if err != nil {
		t.Fatal(err)
	}
	one := []conn.Conn{&i2c.Dev{}}
	for _, c := range []struct {
		o    Options
		want string
	}{
		{Options{Layout: l}, "81 LEDs in 8 rows want 2 chips, not 1"},
		{Options{Layout: l, Rows: 12}, "8 or 16 rows"},
		{Options{}, "0 LEDs"},
	} {
		if _, err := New(one, c.o); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%v, want %q", err, c.want)
		}
	}
}
