package main

import (
	"context"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	emulatedcertabo "github.com/boardd/boardd/driver/emulator/certabo"
	emulatedchesslink "github.com/boardd/boardd/driver/emulator/chesslink"
	emulateddgt "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	emulatedtext "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/driver/line"
)

// ways are the ways of the boards of a configuration to their ports, in its order; each waits for an answer so long.
func ways(t *testing.T, p emulatortest.Plugs, file string, within time.Duration) (all []*line.Way, wants []line.Board) {
	t.Helper()
	c := parsed(t, file)
	lines := serialLines(p.Dev, p.Dev, &c)
	for i := range c.Boards {
		o, err := configured(&c, &c.Boards[i], 1)
		if err != nil {
			t.Fatal(err)
		}
		r, err := readOptions(&o)
		if err != nil {
			t.Fatal(err)
		}
		want, err := serialPort(&c.Boards[i], &r)
		if err != nil {
			t.Fatal(err)
		}
		if want.Within > 0 {
			want.Within = within
		}
		all, wants = append(all, lines.Way(want)), append(wants, want)
	}
	return all, wants
}

const everyKind = `
[[board]]
id = "a"
driver = "text"
text = {preset = "roniterv", settle_ms = 1}
[[board]]
id = "b"
driver = "sentio"
[[board]]
id = "c"
driver = "chesslink"
[[board]]
id = "d"
driver = "certabo"
[[board]]
id = "e"
driver = "dgt"
[[board]]
id = "f"
driver = "dgt"
`

// Each board is found by what it answers, whatever it is called, and two of a kind find one each, in the order of the
// configuration.
func TestBoardsAreFoundByAsking(t *testing.T) {
	t.Parallel()
	p := emulatortest.NewPlugs(t)
	home, err := emulatedtext.New(emulatedtext.Options{Dialect: "roniterv", SilentMs: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.Plug("usb-1", 10, home)
	p.Plug("usb-2", 10, emulatedsentio.New(emulatedsentio.Options{}))
	p.Plug("usb-3", 10, emulatedchesslink.New(emulatedchesslink.Options{}))
	p.Plug("usb-4", 10, emulatedcertabo.New(emulatedcertabo.Options{}))
	p.Plug("usb-5", 10, emulateddgt.New(emulateddgt.Options{}))
	p.Plug("usb-6", 10, emulateddgt.New(emulateddgt.Options{}))
	boards, wants := ways(t, p, everyKind, 2*time.Second)
	found := make(chan string)
	for i := len(boards) - 1; i >= 0; i-- { // all at once, the last first
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			l, err := boards[i].Open(ctx)
			if err != nil {
				found <- fmt.Sprintf("%s: %v", wants[i].ID, err)
				return
			}
			t.Cleanup(func() { _ = l.Close() })
			found <- wants[i].ID + " at " + filepath.Base(l.Path())
		}()
	}
	got := map[string]bool{}
	for range boards {
		got[<-found] = true
	}
	for i, b := range wants {
		if want := fmt.Sprintf("%s at usb-%d", b.ID, i+1); !got[want] {
			t.Errorf("not %q, but %v", want, got)
		}
	}
}
