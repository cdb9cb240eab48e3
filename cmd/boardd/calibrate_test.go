package main

import (
	"bytes"
	"context"
	"errors"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/calibration"
	"github.com/boardd/boardd/driver/chiptest/boards"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/leds/terminal"
	"github.com/boardd/boardd/rules"
)

// builder has a board on the bench, wired mirrored, reads what boardd asks for and does it, once for each reading of the sensors.
type builder struct {
	*boards.Board
	out  bytes.Buffer // what boardd says, in plain lines
	keys chan calibration.Key
	men  [64]int8
	hand int8
	read int // of out
	fail int // readings that fail from now on
	quit bool
	low  bool // white men lower the level, and active_low says so
}

var errUnplugged = errors.New("nothing answers")

func (b *builder) Traits() scan.Traits { return b.Sensor.Traits() }
func (b *builder) Setup() error        { return b.Sensor.Setup() }
func (b *builder) Check() error        { return b.Sensor.Check() }
func (b *builder) Close() error        { return b.Sensor.Close() }

func (b *builder) Read(r *scan.Reading) error {
	if b.fail > 0 {
		b.fail--
		return errUnplugged
	}
	for {
		rest := b.out.Bytes()[b.read:]
		end := bytes.IndexByte(rest, '\n')
		if end < 0 {
			break
		}
		b.read += end + 1
		b.hear(string(rest[:end]))
	}
	var wired [64]int8
	for s, man := range b.men {
		wired[s^7] = man
		if b.low {
			wired[s^7] = -man
		}
	}
	b.Lay(wired)
	return b.Sensor.Read(r)
}

var asked = regexp.MustCompile(`^(Take everything|Put three men|Set up|Lift the man on|Put him on|Check:)(?: ([a-h][1-8]))?`)

func (b *builder) hear(line string) {
	m := asked.FindStringSubmatch(line)
	if m == nil {
		return
	}
	s, _ := rules.ParseSquare(m[2])
	switch m[1] {
	case "Take everything":
		b.men = [64]int8{}
		b.keys <- calibration.Enter
	case "Put three men":
		b.men[0], b.men[1], b.men[8] = 1, 1, 1
	case "Set up":
		for s := range 16 {
			b.men[s], b.men[63-s] = 1, -1
		}
		if b.Traits().Analog {
			b.keys <- calibration.Enter
		}
		if b.quit {
			b.keys <- calibration.Quit
		}
	case "Lift the man on":
		b.hand, b.men[s] = b.men[s], 0
		b.fail = 5 // a cable that comes off for a moment
	case "Put him on":
		b.men[s] = b.hand
	case "Check:":
		for _, s := range []int{20, 30, 40, 6} {
			b.men[s] = 1 - b.men[s]*b.men[s]
		}
		b.keys <- calibration.Enter
	}
}

// calibrateOn runs a calibration in plain lines, as fast as it goes.
func calibrateOn(t *testing.T, b *builder, quit bool) (a *asking, err error) {
	t.Helper()
	b.keys, b.quit = make(chan calibration.Key, 64), quit
	c := config.DefaultBoard()
	c.ID, c.Driver, c.Map.Generator, c.Sensor.ThresholdMv = "main", "mcp23017", "calibrated", 100
	c.Sensor.ActiveLow = b.low
	now := int64(0)
	tick := make(chan time.Time)
	close(tick)
	a = &asking{
		board: &c, path: scan.CalibrationPath(t.TempDir(), c.ID), sensor: b, keys: b.keys, screen: terminal.New(&b.out, terminal.Options{ASCII: true}),
		tick: tick, now: func() int64 { now += 10; return now },
	}
	ctx, stop := context.WithTimeout(t.Context(), 20*time.Second)
	defer stop()
	err = a.run(ctx)
	return a, errors.Join(err, a.close(&b.out))
}

func TestCalibrateEachKindOfBoard(t *testing.T) {
	t.Parallel()
	all, err := boards.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, board := range all {
		t.Run(board.Name, func(t *testing.T) {
			t.Parallel()
			b := &builder{Board: board}
			a, err := calibrateOn(t, b, false)
			if err != nil {
				t.Fatalf("%v\n%s", err, b.out.String())
			}
			c, err := scan.ReadCalibration(a.path)
			if err != nil {
				t.Fatal(err)
			}
			for wire, s := range c.Map {
				if int(s) != wire^7 {
					t.Errorf("wire %d: %s", wire, s)
				}
			}
			if c.Wiring != a.board.Wiring() || c.Dead != 0 || c.Inverted != 0 {
				t.Errorf("wiring %q, dead %x, inverted %x", c.Wiring, c.Dead, c.Inverted)
			}
			if got := b.out.String(); !strings.Contains(got, "mirrored left to right") || !strings.Contains(got, "Saved in "+a.path) || strings.Contains(got, "\x1b") {
				t.Errorf("it said:\n%s", got)
			}
			if b.Traits().Analog && len(c.Levels) != scan.Wires {
				t.Error("no levels")
			}
		})
	}
}

// What calibrate has saved is what the daemon takes: sensors upside down, active_low or not.
func TestCalibratedAnalogBoardsSeeColours(t *testing.T) {
	t.Parallel()
	for _, low := range []bool{false, true} {
		all, err := boards.All()
		if err != nil {
			t.Fatal(err)
		}
		for _, board := range all {
			if !board.Color {
				continue
			}
			b := &builder{Board: board, low: low}
			a, err := calibrateOn(t, b, false)
			if err != nil {
				t.Fatalf("%v\n%s", err, b.out.String())
			}
			a.board.Driver, a.board.Sensor.Acuity = "mux-adc", "color"
			a.board.Sensor.ReleaseMv, a.board.Sensor.ZeroMv = 90, 1650
			data := filepath.Dir(filepath.Dir(a.path))
			c, err := scan.ReadCalibration(a.path)
			if err != nil {
				t.Fatal(err)
			}
			c.Wiring = a.board.Wiring()
			if err := c.Write(a.path); err != nil {
				t.Fatal(err)
			}
			o, err := scanOptions(a.board, data)
			if err != nil {
				t.Fatal(err)
			}
			if want := map[bool]uint64{false: 0, true: ^uint64(0)}[low]; o.Inverted != want {
				t.Errorf("%s, active_low %t: inverted %x, want %x", board.Name, low, o.Inverted, want)
			}
		}
	}
}

func TestCalibrateGivenUpSavesNothing(t *testing.T) {
	t.Parallel()
	all, err := boards.All()
	if err != nil {
		t.Fatal(err)
	}
	a, err := calibrateOn(t, &builder{Board: all[0]}, true)
	if !errors.Is(err, errGivenUp) {
		t.Errorf("%v", err)
	}
	if _, err := os.Stat(filepath.Dir(a.path)); !errors.Is(err, os.ErrNotExist) {
		t.Errorf("something was saved: %v", err)
	}
}

func TestKeys(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name, in string
		raw      bool
		want     string
	}{
		{"lines", "\nskip\r\n\nU\n", false, "\ns\nu"},
		{"an empty line with a carriage return", "\r\n", false, "\n"},
		{"single keys", "s\rU\x03", true, "s\nuq"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			first, got := true, ""
			for i := range test.in {
				if k, ok := keyOf(test.in[i], test.raw, &first); ok {
					got += string(rune(k))
				}
			}
			if got != test.want {
				t.Errorf("%q gives %q, want %q", test.in, got, test.want)
			}
		})
	}
}

func TestKeysOfATerminalComeOneByOne(t *testing.T) {
	if os.Getenv("TERM") == "dumb" {
		t.Setenv("TERM", "xterm")
	}
	master, tty, err := pty.Open()
	if err != nil {
		t.Skip("no pseudo terminals here: ", err)
	}
	keys, restore := typed(t.Context(), tty)
	if _, err := master.WriteString("s\r\x03"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []calibration.Key{calibration.Skip, calibration.Enter, calibration.Quit} {
		select {
		case got := <-keys:
			if got != want {
				t.Errorf("%q, want %q", rune(got), rune(want))
			}
		case <-time.After(10 * time.Second):
			t.Fatalf("%q did not come", rune(want))
		}
	}
	restore()
	restore()
	if err := errors.Join(master.Close(), tty.Close()); err != nil {
		t.Error(err)
	}
}

func TestWhichBoardIsCalibrated(t *testing.T) {
	t.Parallel()
	const two = "[[board]]\nid = \"a\"\ndriver = \"mcp23017\"\n[[board]]\nid = \"b\"\ndriver = \"mcp23017\"\n[board.sensor]\nbus = \"/dev/i2c-2\"\n" +
		"[[board]]\nid = \"c\"\ndriver = \"virtual\"\n[[board]]\nid = \"d\"\ndriver = \"certabo\"\n"
	c, err := config.Parse("f", []byte(two), nil)
	if err != nil {
		t.Fatal(err)
	}
	for _, test := range []struct {
		id     string
		lights bool
		want   string
	}{
		{"b", false, ""}, {"", false, "which board? Add --board a or --board b"}, {"x", false, `there is no board "x"`},
		{"c", false, "a virtual board knows its squares"}, {"a", true, "has no LEDs"},
		{"d", false, ""}, {"d", true, "a certabo board knows its squares"},
	} {
		b, err := homeMade(&c, test.id, test.lights)
		if test.want == "" && (err != nil || b.ID != test.id) || test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want)) {
			t.Errorf("%q: %v", test.id, err)
		}
	}
}
