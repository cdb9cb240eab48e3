//go:build kernel

package board

import (
	"errors"
	"math/bits"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/driver/bus"
	"github.com/boardd/boardd/driver/chiptest"
	"github.com/boardd/boardd/driver/pins"
)

// The lines of the board in gpio-reedmatrix: those that leave a Pi's buses free.
var (
	rowLines    = []string{"GPIO5", "GPIO6", "GPIO12", "GPIO13", "GPIO16", "GPIO19", "GPIO20", "GPIO21"}
	columnLines = []string{"GPIO17", "GPIO18", "GPIO22", "GPIO23", "GPIO24", "GPIO25", "GPIO26", "GPIO27"}
)

// wired are the lines of the matrix as its driver takes them.
type wired struct {
	rows    pins.Outputs
	columns pins.Inputs
}

func openWired() (w wired, err error) {
	if w.rows, err = pins.OpenOutputs(pins.Options{Chip: pins.Auto, Lines: rowLines, ActiveLow: true, Float: true}); err != nil {
		return w, err
	}
	if w.columns, err = pins.OpenInputs(pins.Options{Chip: pins.Auto, Lines: columnLines, ActiveLow: true, Pull: pins.PullUp}); err != nil {
		return w, errors.Join(err, w.rows.Close())
	}
	return w, nil
}

func (w wired) close() error { return errors.Join(w.rows.Close(), w.columns.Close()) }

func (w wired) scan() (closed uint64, err error) {
	for row := range 8 {
		if err := w.rows.Set(1 << row); err != nil {
			return 0, err
		}
		seen, err := w.columns.Get()
		if err != nil {
			return 0, err
		}
		closed |= seen << (8 * row)
	}
	return closed, w.rows.Set(0)
}

// shown is what a matrix without diodes shows: rows that share a closed column, by whatever way, read alike.
func shown(closed uint64) uint64 {
	for again := true; again; {
		again = false
		for a := range 8 {
			for b := range 8 {
				ra, rb := uint8(closed>>(8*a)), uint8(closed>>(8*b))
				if ra&rb != 0 && ra != rb {
					closed |= uint64(rb)<<(8*a) | uint64(ra)<<(8*b)
					again = true
				}
			}
		}
	}
	return closed
}

func TestLinesOfTheKernel(t *testing.T) {
	m := matrix{t}
	t.Cleanup(func() { m.put("diodes", "0"); m.Set(0) })
	w, err := openWired()
	if err != nil {
		t.Fatal(err)
	}
	m.put("stats", "0")
	pictures := []uint64{0, 1 << 63, 0xffff00000000ffff, 1<<0 | 1<<5 | 1<<40, 0x8001000000001081, ^uint64(0)}
	for i := range 64 {
		pictures = append(pictures, 1<<i)
	}
	for _, diodes := range []string{"0", "1"} {
		m.put("diodes", diodes)
		for _, p := range pictures {
			m.Set(p)
			want := p
			if diodes == "0" {
				want = shown(p)
			}
			if got, err := w.scan(); err != nil || got != want {
				t.Errorf("diodes %s: contacts %016x closed: reads %016x, %v; want %016x", diodes, p, got, err, want)
			}
		}
	}
	if s := m.stats(); s["conflicts"] != 0 || s["overlaps"] != 0 || s["reads"] == 0 {
		t.Errorf("the scan has short-circuited lines: %v", s)
	}

	// The same lines once more: busy, and by whom.
	if _, err := openWired(); err == nil || !strings.Contains(err.Error(), `"boardd"`) {
		t.Errorf("lines in use: %v", err)
	}
	// Let go of, they are inputs again.
	if err := w.close(); err != nil {
		t.Error(err)
	}
	if w, err = openWired(); err != nil {
		t.Fatal(err)
	}
	// A chip that goes while its lines are held.
	m.there(false)
	if _, err := w.scan(); !errors.Is(err, unix.ENODEV) {
		t.Errorf("lines of a chip that has gone: %v", err)
	}
	if _, err := openWired(); err == nil {
		t.Error("lines of a chip that has gone can be opened")
	}
	m.there(true)
	if err := w.close(); err != nil {
		t.Error(err)
	}
	m.Set(1 << 12)
	eventually(t, "the chip works again", time.Minute, func() bool {
		w, err := openWired()
		if err != nil {
			return false
		}
		got, err := w.scan()
		return errors.Join(err, w.close()) == nil && got == 1<<12
	})
}

// TestChatterAndSettling make sure that the contacts of the games are no better than real ones.
func TestChatterAndSettling(t *testing.T) {
	m := matrix{t}
	t.Cleanup(func() { m.put("bounce_us", "0"); m.put("settle_us", "0"); m.put("diodes", "0"); m.Set(0) })
	w, err := openWired()
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := w.close(); err != nil {
			t.Error(err)
		}
	}()
	m.put("diodes", "1")
	m.put("bounce_us", "200000")
	changes := 0
	for round := 0; changes < 4 && round < 20; round++ {
		m.Set(uint64(round&1) << 20)
		var last uint64
		for until := time.Now().Add(200 * time.Millisecond); time.Now().Before(until); {
			got, err := w.scan()
			if err != nil {
				t.Fatal(err)
			}
			changes += bits.OnesCount64(got ^ last)
			last = got
		}
	}
	if changes < 4 {
		t.Errorf("a contact that bounces for 200 ms was seen to change %d times", changes)
	}
	m.put("bounce_us", "0")
	m.put("stats", "0")
	m.put("settle_us", "50000")
	m.Set(0xff)
	if _, err := w.scan(); err != nil {
		t.Error(err)
	}
	if m.stats()["early"] == 0 {
		t.Error("a scan without patience saw everything settled")
	}
}

func TestAlertOfTheKernel(t *testing.T) {
	m := matrix{t}
	a, err := pins.OpenAlert(pins.Options{Chip: pins.Auto, Lines: []string{"GPIO4", "7"}, ActiveLow: true, Pull: pins.PullUp})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		m.put("grounded", "0")
		if err := a.Close(); err != nil {
			t.Error(err)
		}
	})
	for i, c := range []struct {
		grounded string
		want     uint64
	}{{"10", 1}, {"90", 3}, {"80", 2}, {"0", 0}} {
		m.put("grounded", c.grounded)
		select {
		case <-a.Changed():
		case <-time.After(time.Minute):
			t.Fatalf("step %d: a change of GPIO4 and GPIO7 to %s was not told", i, c.grounded)
		}
		if got, err := a.Get(); err != nil || got != c.want {
			t.Errorf("lines %s grounded: reads %b, %v; want %b", c.grounded, got, err, c.want)
		}
	}
}

func TestBusesOfTheKernel(t *testing.T) {
	b := openBenches(t)
	magnets := &chiptest.Magnets{}
	b.i2c.Attach(0x21, chiptest.NewMCP23017(chiptest.Reeds{Magnets: magnets, First: 0}))
	b.spi.Attach(&chiptest.HC165{Magnets: magnets, LoadCS: 1})
	dev, err := bus.OpenI2C("/dev/i2c-1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = dev.Close() }()
	magnets.Set(0x1234)
	if err := dev.Tx(0x21, []byte{0x0c, 0xff, 0xff}, nil); err != nil { // GPPU: pull-ups on
		t.Fatal(err)
	}
	read := make([]byte, 2)
	if err := dev.Tx(0x21, []byte{0x12}, read); err != nil || read[0] != 0xff^0x34 || read[1] != 0xff^0x12 {
		t.Errorf("GPIOA and GPIOB are %x, %v", read, err)
	}
	if err := dev.Tx(0x20, []byte{0x12}, read); err == nil {
		t.Error("a chip answers that is not there")
	}
	b.unplug(true)
	if err := dev.Tx(0x21, []byte{0x12}, read); err == nil {
		t.Error("a chip answers that was unplugged")
	}
	b.unplug(false)
	if err := dev.Tx(0x21, []byte{0x12}, read); err != nil {
		t.Error(err)
	}

	port, err := bus.OpenSPI("/dev/spidev0.0", 1_000_000, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = port.Close() }()
	load, err := bus.OpenSPI("/dev/spidev0.1", 1_000_000, 0)
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = load.Close() }()
	if err := load.Tx([]byte{0}, make([]byte, 1)); err != nil {
		t.Fatal(err)
	}
	chain := make([]byte, 8)
	want := []byte{^byte(0x34), ^byte(0x12), 0xff, 0xff, 0xff, 0xff, 0xff, 0xff}
	if err := port.Tx(make([]byte, 8), chain); err != nil || !slices.Equal(chain, want) {
		t.Errorf("the chain says %x, %v; want %x", chain, err, want)
	}
}
