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
	"github.com/boardd/boardd/driver/chiptest"
	sensors "github.com/boardd/boardd/driver/mcp23017"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/rules"
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
		{"both ports", Options{}, four, "20:140000 20:000000", "21:140010 21:000000", "23:140080 23:000000",
			[]string{"20:140000", "20:000000", "21:140000", "21:000000", "22:140000", "22:000000", "23:140000", "23:000000"}},
		{"B before A", Options{Ports: "BA"}, four, "20:140000 20:000000", "21:141000 21:000000", "23:148000 23:000000", nil},
		{"lit at 0 V", Options{ActiveLow: true}, four, "20:14ffff 20:000000", "21:14ffef 21:000000", "23:14ff7f 23:000000", nil},
		{"port B beside sensors", Options{Ports: "B"}, eight, "20:1500 20:0100", "23:1510 23:0100", "27:1580 27:0100", nil},
		{"port A", Options{Ports: "A"}, eight, "20:1400 20:0000", "23:1410 23:0000", "27:1480 27:0000", nil},
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
		check(t, c.name, r, strings.Fields(c.e4)...)
		if err := d.Show(board.Frame{28: {B: 200}}); err != nil { // only on or off
			t.Fatal(err)
		}
		check(t, c.name+", another colour", r)
		if err := d.Show(board.Frame{28: {R: 1}, 63: {R: 1}}); err != nil {
			t.Fatal(err)
		}
		check(t, c.name, r, strings.Fields(c.h8)...)
		if err := d.Close(); err != nil {
			t.Fatal(err)
		}
		if c.dark != nil {
			check(t, c.name+", closed", r, c.dark...)
		}
	}
}

// pins are what is at a chip's pins: reeds at port A, LEDs at port B.
type ledPins struct {
	chiptest.Reeds
	driven *[16]chiptest.Level
}

func (p ledPins) Drive(levels *[16]chiptest.Level) { *p.driven = *levels }

// Eight chips with sensors at port A and LEDs at port B: neither disturbs the other, also after a chip was without supply.
func TestLEDsBesideSensors(t *testing.T) {
	t.Parallel()
	var wire chiptest.I2C
	var magnets chiptest.Magnets
	magnets.Set(chiptest.Start)
	var addresses []uint16
	var chips []*chiptest.MCP23017
	var driven [8][16]chiptest.Level
	for i := range 8 {
		c := chiptest.NewMCP23017(ledPins{chiptest.Reeds{Magnets: &magnets, First: 8 * i}, &driven[i]})
		chips, addresses = append(chips, c), append(addresses, 0x20+uint16(i))
		wire.Attach(addresses[i], c)
	}
	sensor, err := sensors.New(&wire, sensors.Options{Addresses: addresses, Ports: sensors.OnlyA})
	if err != nil {
		t.Fatal(err)
	}
	d := display(t, &wire, Options{Ports: "B"}, addresses...)
	shows := func(what string, want ...rules.Square) {
		t.Helper()
		var lit []rules.Square
		for q := range rules.NoSquare {
			if driven[q.Rank()][8+q.File()] == chiptest.High {
				lit = append(lit, q)
			}
		}
		if !slices.Equal(lit, want) {
			t.Errorf("%s: %v are lit, want %v", what, lit, want)
		}
	}
	chiptest.Setup(t, sensor)
	chiptest.Reads(t, sensor, chiptest.Start)
	for _, q := range []rules.Square{0, 12, 28, 63} {
		var f board.Frame
		f[q].R = 1
		if err := d.Show(f); err != nil {
			t.Fatal(err)
		}
		shows("lit", q)
		chiptest.Reads(t, sensor, chiptest.Start)
	}
	chips[7].Off()
	chips[7].On()
	shows("after a power cut")
	chiptest.Setup(t, sensor)
	if err := d.Show(board.Frame{62: {R: 1}}); err != nil {
		t.Fatal(err)
	}
	shows("lit again", 62)
	chiptest.Reads(t, sensor, chiptest.Start)
	if err := d.Close(); err != nil {
		t.Fatal(err)
	}
	shows("closed")
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
