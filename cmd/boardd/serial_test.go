package main

import (
	"maps"
	"slices"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
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
		c := parsed(t, "[[board]]\ndriver = \""+name+"\"\n")
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
		if opt, err := tableOptions(&o); err != nil || opt.Acuity.String() != b.Sensor.Acuity {
			t.Errorf("%s: sees %v, %v; its configuration: %s", name, opt.Acuity, err, b.Sensor.Acuity)
		}
		if _, err := newDriver(&recording.Opening{Driver: name, Options: []byte(`{"settle_ms":"x"}`)}, true); err == nil {
			t.Errorf("%s: any options will do", name)
		}
	}
}
