package main

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/emulator"
	emulatedcentaur "github.com/boardd/boardd/driver/emulator/centaur"
	emulatedcertabo "github.com/boardd/boardd/driver/emulator/certabo"
	emulatedchesslink "github.com/boardd/boardd/driver/emulator/chesslink"
	emulateddgt "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	emulatedtext "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/rules"
)

// Boards with lights of their own show what is wrong, are dark when boardd has ended, and are darkened by the command when it could
// not do it itself.
func TestLightsOfBoards(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]struct {
		keys    string
		machine emulator.Machine
		forgets bool // cannot say where the men stand after boardd was started again
	}{
		"dgt":       {"", emulateddgt.New(emulateddgt.Options{Model: emulateddgt.RevelationII}), false},
		"chesslink": {"", emulatedchesslink.New(emulatedchesslink.Options{}), false},
		"certabo":   {"", emulatedcertabo.New(emulatedcertabo.Options{}), false},
		"sentio":    {"", emulatedsentio.New(emulatedsentio.Options{}), false},
		"centaur":   {"", emulatedcentaur.New(emulatedcentaur.Options{}), false},
		"text": {"text = {preset = \"gameboard-ui\", settle_ms = 1}\n", func() emulator.Machine {
			m, err := emulatedtext.New(emulatedtext.Options{Dialect: "gameboard-ui", SilentMs: 1})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}(), true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const speed = 5
			e5 := rules.NewSquare(4, 4)
			p := emulatortest.NewPlugs(t)
			e := p.Plug("usb-board", speed, b.machine)
			start := rules.Start()
			e.Show(projection(board.PieceAcuity, &start))
			data := t.TempDir()
			if c, ok := b.machine.(*emulatedcertabo.Board); ok {
				pieces, err := certabo.TableOf(c.Chips())
				if err != nil {
					t.Fatal(err)
				}
				if err := pieces.Write(certabo.PiecesPath(data, "table")); err != nil {
					t.Fatal(err)
				}
			}
			c := parsed(t, fmt.Sprintf("[node]\nname = \"lit\"\ndata = %q\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\nid = \"table\"\ndriver = %q\nport = %q\n%s[board.leds]\ndriver = \"board\"\n",
				data, name, p.Link("usb-board"), b.keys))
			m := &Main{Speed: speed, Config: c}
			book, stop := living(t, m)
			eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" })
			seen := read(t, book.value("address"), "lit")
			if !eventually(t, "the men stand", 20*time.Second, func() bool { return strings.Contains(seen.last("table/state"), `"match":true`) }) {
				t.FailNow()
			}
			lit := func(s rules.Square) func() bool { return func() bool { return e.Lit()[s] != board.RGB{} } }
			dark := func() bool { return e.Lit() == board.Frame{} }
			eventually(t, "dark while all is right", 20*time.Second, dark)
			illegal := func() {
				t.Helper()
				at := e.Now()
				e.SetAt(at+300, rules.NewSquare(4, 1), board.Empty)
				e.SetAt(at+1300, e5, 'P')
				eventually(t, "e5 is lit", 20*time.Second, lit(e5))
			}
			illegal()
			if err := stop(); err != nil {
				t.Error(err)
			}
			eventually(t, "dark after the end", 2*time.Second, dark)

			if b.forgets {
				return
			}
			_, stop = living(t, &Main{Speed: speed, Config: c})
			eventually(t, "e5 is lit again", 20*time.Second, lit(e5))
			if err := e.Unplug(); err != nil { // boardd cannot darken what it cannot reach
				t.Fatal(err)
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			if err := e.Plug(nil); err != nil {
				t.Fatal(err)
			}
			if err := darken(t.Context(), &c, machine, ""); err != nil {
				t.Error(err)
			}
			eventually(t, "darkened", 2*time.Second, dark)
		})
	}
}
