package main

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/leds/order"
	"github.com/boardd/boardd/rules"
)

// The order that a calibration has found is taken where the configuration leaves it open or asks for it, and only there.
func TestOrderOfLEDs(t *testing.T) {
	t.Parallel()
	const found = "start = \"h8\"\nalong = \"file\"\nserpentine = true\n"
	upsideDown := make([][]rules.Square, 64) // by a table: LED 0 at h8
	for i := range upsideDown {
		upsideDown[i] = []rules.Square{rules.Square(63 - i)}
	}
	table := ledLines(&order.Options{Table: upsideDown})
	for _, c := range []struct {
		name, keys, file string
		a1               int // the LED of a1
		fault            string
	}{
		{"nothing is known", "", "", 0, ""},
		{"found", "", found, 56, ""},
		{"found as a table", "", table, 63, ""},
		{"said otherwise", `start = "h1"`, found, 7, ""},
		{"said otherwise by a table", strings.ReplaceAll(table, "\n", " "), found, 63, ""},
		{"given as it is by itself", `order = "given"`, found, 0, ""},
		{"asked for, and said otherwise", "order = \"calibrated\"\nstart = \"h1\"", found, 56, ""},
		{"asked for in spite of a table", "order = \"calibrated\"\n" + table, found, 56, ""},
		{"asked for, not found", `order = "calibrated"`, "", 0, `order = "calibrated", but there is no DIR/calibration/a.lights.toml: run boardd calibrate --lights`},
		{"damaged", "", "start = ", 0, "DIR/calibration/a.lights.toml: "},
		{"of other LEDs", `per_square = "four"`, table, 0, `is for 64 LEDs, but per_square = "four" has 256: run boardd calibrate --lights again`},
		{"damaged, and not asked for", `order = "given"`, "start = ", 0, ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			data := t.TempDir()
			path := filepath.Join(data, "calibration", "a.lights.toml")
			if c.file != "" {
				if err := errors.Join(os.Mkdir(filepath.Dir(path), 0o700), os.WriteFile(path, []byte(c.file), 0o600)); err != nil {
					t.Fatal(err)
				}
			}
			cfg := parsed(t, fmt.Sprintf(virtualBoard, "a", "driver = \"apa102\"\n"+c.keys))
			cfg.Node.Data = data
			if c.fault != "" {
				want := strings.ReplaceAll(c.fault, "DIR", data)
				if err := checkLights(&cfg); err == nil || !strings.Contains(err.Error(), want) || !strings.HasPrefix(err.Error(), "board a: leds: ") || exitCode(err) != exitUsage {
					t.Errorf("%v, want %q", err, want)
				}
				return
			}
			if err := checkLights(&cfg); err != nil {
				t.Fatal(err)
			}
			l, err := ordered(data, &cfg.Boards[0])
			if err != nil {
				t.Fatal(err)
			}
			b := &bench{}
			lights, closer, err := openLights(&l, b.hardware())
			if err != nil {
				t.Fatal(err)
			}
			if err := lights.Show(one(0)); err != nil {
				t.Fatal(err)
			}
			_, sent, _ := strings.Cut(b.sent[len(b.sent)-1], ": ")
			for led := range 64 {
				// 4 bytes of zeros come first, then brightness, blue, green and red of each LED.
				if lit := sent[8*(led+1)+6:][:2] != "00"; lit != (led == c.a1) {
					t.Errorf("LED %d is lit: %t", led, lit)
				}
			}
			if err := errors.Join(lights.Close(), closer.Close()); err != nil {
				t.Error(err)
			}
		})
	}
	nothingKept := parsed(t, fmt.Sprintf(virtualBoard, "a", "driver = \"apa102\"\norder = \"calibrated\""))
	if err := checkLights(&nothingKept); err == nil || !strings.Contains(err.Error(), "set data in [node]") {
		t.Errorf("%v", err)
	}
}

func TestWhenAnOrderIsTaken(t *testing.T) {
	t.Parallel()
	l := config.DefaultLEDs()
	l.Serpentine = true
	if got := whenUsed(&l); !strings.Contains(got, `if you write order = "calibrated"`) {
		t.Error(got)
	}
	l.Order = "calibrated"
	if got := whenUsed(&l); !strings.Contains(got, "next start") {
		t.Error(got)
	}
}

// What is taken for an order lights every square, and is taken again when it is written anew.
func FuzzParseOrder(f *testing.F) {
	f.Add([]byte("start = \"a1\"\nalong = \"rank\"\nserpentine = false\n"))
	f.Add([]byte("start = \"e4\"\nalong = \"rank\"\n"))
	f.Add([]byte("start = \"a1\"\nalong = \"\"\n"))
	f.Add([]byte("table = [\"a1\", \"none\"]\n"))
	f.Add([]byte("serpentine = 3"))
	f.Fuzz(func(t *testing.T, text []byte) {
		o, err := parseOrder(text)
		if err != nil {
			return
		}
		l, err := layoutOf(&config.LEDs{Start: o.Start, Along: o.Along, Serpentine: o.Serpentine, Table: o.Table})
		if err != nil {
			t.Fatal(err)
		}
		for s, leds := range l.LEDs {
			if len(leds) == 0 {
				t.Errorf("nothing lights %s", rules.Square(s))
			}
		}
		given := order.Options{Start: o.Start, Files: o.Along == "file", Serpentine: o.Serpentine}
		if len(o.Table) > 0 {
			given.Table, _ = order.ParseTable(o.Table)
		}
		again, err := parseOrder([]byte(ledLines(&given)))
		if err != nil || fmt.Sprint(again.Table) != fmt.Sprint(o.Table) || again.Start != o.Start || again.Along != o.Along {
			t.Errorf("%v: %v became %v", err, o, again)
		}
	})
}
