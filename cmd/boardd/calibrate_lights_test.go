package main

import (
	"bytes"
	"context"
	"io"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/leds/locate"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/leds/terminal"
)

// lamps are 64 LEDs behind the kernel's driver, and somebody who touches the square of the one that is lit.
type lamps struct {
	at    [64]uint64 // square of each LED, as a bit
	full  uint64
	lit   int // -1 for none
	asked int
	keys  chan calibration.Key
	out   bytes.Buffer
	check int
	dark  bool
}

func (l *lamps) Write(b []byte) (int, error) {
	l.lit = -1
	each := len(b) / 64
	for i := range b {
		if b[i] != 0 && each > 0 {
			l.lit = i / each
		}
	}
	l.dark = l.lit < 0
	return len(b), nil
}

func (l *lamps) Close() error        { return nil }
func (l *lamps) Traits() scan.Traits { return scan.Traits{} }
func (l *lamps) Setup() error        { return nil }
func (l *lamps) Check() error        { return nil }

func (l *lamps) Read(r *scan.Reading) error {
	switch said := l.out.String(); {
	case strings.Contains(said, "Check:") && l.check < 200:
		if l.check%100 == 0 {
			l.full ^= 1 << (20 + l.check/10) // e3, then g4
		}
		l.check++
	case strings.Contains(said, "Check:"):
		if len(l.keys) == 0 {
			l.keys <- calibration.Enter
		}
	case l.lit >= 0 && l.lit != l.asked:
		l.asked = l.lit
		l.full ^= l.at[l.lit]
	}
	r.Bits = l.full
	return nil
}

func TestCalibrateLights(t *testing.T) {
	t.Parallel()
	o := order.Options{Start: "h1", Files: true, Serpentine: true}
	layout, err := order.New(o)
	if err != nil {
		t.Fatal(err)
	}
	l := &lamps{asked: -1, lit: -1, keys: make(chan calibration.Key, 8)}
	for s, leds := range layout.LEDs {
		l.at[leds[0]] = 1 << s
	}
	c := config.DefaultBoard()
	c.ID, c.Driver, c.Map.Generator, c.LEDs.Driver = "main", "mcp23017", "rows", "leds-chardev"
	now := int64(0)
	tick := make(chan time.Time)
	close(tick)
	a := &asking{
		board: &c, path: scan.CalibrationPath(t.TempDir(), c.ID), sensor: l, keys: l.keys, screen: terminal.New(&l.out, terminal.Options{ASCII: true}),
		tick: tick, now: func() int64 { now += 10; return now },
		hardware: hardware{file: func(string) (io.WriteCloser, error) { return l, nil }},
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	if err := a.lights(ctx, &l.out); err != nil {
		t.Fatalf("%v\n%s", err, l.out.String())
	}
	const want = "start = \"h1\"\nalong = \"file\"\nserpentine = true\n"
	if !strings.Contains(l.out.String(), want) {
		t.Errorf("it said:\n%s", l.out.String())
	}
	text, err := os.ReadFile(strings.TrimSuffix(a.path, ".toml") + ".lights.toml")
	if err != nil || !strings.HasSuffix(string(text), want) {
		t.Errorf("%v: %s", err, text)
	}
	if o, err := readOrder(strings.TrimSuffix(a.path, ".toml") + ".lights.toml"); err != nil || o.Start != "h1" || o.Along != "file" || !o.Serpentine {
		t.Errorf("%v: the daemon reads %v", err, o)
	}
	if !strings.Contains(l.out.String(), "boardd takes it from its next start on.") {
		t.Errorf("it does not say when the order is taken:\n%s", l.out.String())
	}
	if !l.dark {
		t.Error("a LED is still lit")
	}
}

func TestLinesForATableOfLEDs(t *testing.T) {
	t.Parallel()
	m := locate.New(locate.Options{Every: true})
	o, _ := m.Result()
	o.Table[0] = append(o.Table[0], 4, 5)
	if got := ledLines(&o); !strings.HasPrefix(got, "table = [\n  \"e1 f1\",\n  \"none\",\n") {
		t.Errorf("%s", got)
	}
}
