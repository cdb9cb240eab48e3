package main

import (
	"bytes"
	"encoding/json"
	"testing"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/recording"
)

// A DGT board in bus mode is configured, and recorded, as such.
func TestDGTBoardOnABus(t *testing.T) {
	t.Parallel()
	for bus, first := range map[string][]byte{"": {0x40}, "auto": {0x87, 0, 0, 7}, "1025": {0x87, 8, 1, 0x10}} {
		c, err := config.Parse("f", []byte("[[board]]\ndriver = \"dgt\"\ndgt_bus = \""+bus+"\"\n"), nil)
		if err != nil {
			t.Fatal(err)
		}
		o, err := configured(&c, &c.Boards[0], 1)
		if err != nil {
			t.Fatal(err)
		}
		text, err := json.Marshal(o.Options)
		if err != nil {
			t.Fatal(err)
		}
		driver, err := newDriver(&recording.Opening{Driver: "dgt", Options: text}, false)
		if err != nil {
			t.Fatal(err)
		}
		if _, out, _ := driver().Step(0, nil); !bytes.Equal(out, first) {
			t.Errorf("dgt_bus %q begins with % X, want % X", bus, out, first)
		}
	}
	if _, err := newDriver(&recording.Opening{Driver: "dgt", Options: []byte(`{"dgt_bus":"x"}`)}, false); err == nil {
		t.Error("a recording may name any bus")
	}
}
