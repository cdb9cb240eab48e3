package main

import (
	"maps"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/text"
	"github.com/boardd/boardd/recording"
)

// Every serial driver that can be configured has its row, and no other.
func TestSerialBoards(t *testing.T) {
	t.Parallel()
	want := config.SerialDrivers()
	slices.Sort(want)
	if got := slices.Sorted(maps.Keys(serialBoards)); !slices.Equal(got, want) {
		t.Fatalf("rows for %q, configured %q", got, want)
	}
	for name, s := range serialBoards {
		file := "[[board]]\ndriver = \"" + name + "\"\n"
		if name == "text" {
			file += "text.preset = \"echess\"\n"
		}
		c := parsed(t, file)
		b := &c.Boards[0]
		if line := s.line(b); line.Baud == 0 || line.Path != "" {
			t.Errorf("%s: line %+v", name, line)
		}
		o, err := configured(&c, b, 50)
		if err != nil {
			t.Errorf("%s: %v", name, err)
			continue
		}
		live, err := newDriver(&o, false)
		raw, err2 := newDriver(&o, true)
		if err != nil || err2 != nil {
			t.Errorf("%s: %v, %v", name, err, err2)
			continue
		}
		if _, out, wake := raw().Step(1, []byte{}); out != nil || wake != 0 {
			t.Errorf("%s: a machine for recorded bytes writes % x, wakes at %d", name, out, wake)
		}
		if _, lit := live().(board.Lit); lit != b.HasLights() {
			t.Errorf("%s: its machine has lights: %v; its configuration: %v", name, lit, b.HasLights())
		}
		if opt, err := tableOptions(&o); err != nil || name != "text" && opt.Acuity.String() != b.Sensor.Acuity {
			t.Errorf("%s: sees %v, %v; its configuration: %s", name, opt.Acuity, err, b.Sensor.Acuity)
		}
		if _, err := newDriver(&recording.Opening{Driver: name, Options: []byte(`{"settle_ms":"x"}`)}, true); err == nil {
			t.Errorf("%s: any options will do", name)
		}
	}
}

// A home-made board is described by a preset, by keys, or by both, and its recordings hold the whole description.
func TestTextBoards(t *testing.T) {
	t.Parallel()
	for _, preset := range text.Presets() {
		want, _ := text.Preset(preset)
		c := parsed(t, "[[board]]\ndriver = \"text\"\n[board.text]\npreset = \""+preset+"\"\nbaud = 57600\ndtr = \"off\"\nframing.delete = \"~\"\n")
		want.Baud, want.DTR, want.Framing.Delete = 57600, "off", "~"
		o, err := configured(&c, &c.Boards[0], 1)
		if err != nil {
			t.Errorf("%s: %v", preset, err)
			continue
		}
		r, err := readOptions(&o)
		if err != nil {
			t.Fatal(err)
		}
		got, err := textMachine(&r)
		if got.Acuity != want.Sees().String() {
			t.Errorf("%s sees %q", preset, got.Acuity)
		}
		got.Acuity = ""
		if err != nil || !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %v\n%+v\nwant\n%+v", preset, err, got, want)
		}
		if line := serialBoards["text"].line(&c.Boards[0]); line != (port.Options{Baud: 57600, DTR: port.Drop}) {
			t.Errorf("%s: %+v", preset, line)
		}
		if opt, err := tableOptions(&o); err != nil || opt.Acuity != want.Sees() || opt.Resolution != want.ResolutionMs() || opt.SettleMs != 40 {
			t.Errorf("%s: the table's options are %+v, %v", preset, opt, err)
		}
	}
}

// What is wrong with a description is said at its line.
func TestFaultsOfTextBoards(t *testing.T) {
	t.Parallel()
	const top = "[[board]]\ndriver = \"text\"\n"
	for _, c := range []struct{ name, file, want string }{
		{"nothing", top, "f:1: board[0].text.input: no rule says how"},
		{"no such project", top + "[board.text]\npreset = \"abacus\"\n", "f:4: board[0].text.preset: \"abacus\": use liboard, "},
		{"a word", top + "[board.text]\npreset = \"echess\"\ndtr = \"high\"\n", "f:5: board[0].text.dtr: \"high\" is none of keep"},
		{"a rule", top + "[board.text]\n[[board.text.input]]\nkind = \"move\"\nregex = \"(\"\n", "f:6: board[0].text.input[0].regex: "},
		{"an inner table", top + "[board.text]\npreset = \"echess\"\nboard.order = \"a1b2\"\n", "f:5: board[0].text.board.order: "},
		{"more than it sees", top + "sensor.acuity = \"piece\"\ntext.preset = \"echess\"\n", "f:3: board[0].sensor.acuity: the rules of input tell only color"},
		{"a chip", top + "text.preset = \"echess\"\ntext.ids = [\"1 2 3\"]\n", "f:4: board[0].text.ids: \"1 2 3\": wants a chip"},
		{"no lights", top + "text.preset = \"roniterv\"\nleds.driver = \"board\"\n", "f:4: board[0].leds.driver: this board has no lights"},
	} {
		cfg, err := config.Parse("f", []byte(c.file), nil)
		if err != nil {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if err := checkTexts(&cfg); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%s: %v, want %s…", c.name, err, c.want)
		}
	}
}
