package main

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	emulatedchesslink "github.com/boardd/boardd/driver/emulator/chesslink"
	emulateddgt "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	emulatedtext "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/rules"
)

// SE-07: boards that are looked for are pulled out and plugged in again during a game, the moment after a move and before another one,
// and the same game goes on.
func TestBoardsArePulledOutDuringAGame(t *testing.T) {
	t.Parallel()
	for name, b := range map[string]struct {
		keys    string
		machine func() emulator.Machine
	}{
		"dgt":       {"", func() emulator.Machine { return emulateddgt.New(emulateddgt.Options{}) }},
		"chesslink": {"", func() emulator.Machine { return emulatedchesslink.New(emulatedchesslink.Options{}) }},
		"sentio":    {"", func() emulator.Machine { return emulatedsentio.New(emulatedsentio.Options{}) }},
		"text": {"text = {preset = \"roniterv\", settle_ms = 1}\n", func() emulator.Machine {
			m, err := emulatedtext.New(emulatedtext.Options{Dialect: "roniterv", SilentMs: 1})
			if err != nil {
				t.Fatal(err)
			}
			return m
		}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			const speed = 5
			p := emulatortest.NewPlugs(t)
			e := p.Plug("usb-board", speed, b.machine())
			start := rules.Start()
			e.Show(projection(board.PieceAcuity, &start))
			m := &Main{Speed: speed, dev: p.Dev, Config: parsed(t, fmt.Sprintf("[node]\nname = \"plug\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\nid = \"table\"\ndriver = %q\n%s", name, b.keys))}
			book, stop := living(t, m)
			eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" })
			seen := read(t, book.value("address"), "plug")
			status := func(want string) {
				t.Helper()
				if !eventually(t, want, 20*time.Second, func() bool { return seen.last("table/status") == want }) {
					t.FailNow()
				}
			}
			status("online")
			if !eventually(t, "the men stand", 20*time.Second, func() bool { return strings.Contains(seen.last("table/state"), `"match":true`) }) {
				t.FailNow()
			}
			pos := start
			var played []string
			var set int64 // when the last man was set down
			move := func(uci string) {
				mv, err := pos.ParseUCI(uci)
				if err != nil {
					t.Fatal(err)
				}
				set = e.Now() + 1500
				e.SetAt(set-1000, mv.From(), board.Empty)
				pos.Play(mv)
				e.SetAt(set, mv.To(), board.PieceAcuity.See(pos.At(mv.To())))
				played = append(played, uci)
			}
			known := func() {
				t.Helper()
				if !eventually(t, fmt.Sprintf("the moves %v", played), 20*time.Second, func() bool {
					got, _ := standing(t, seen.events(t, "table/event"))
					return slices.Equal(got, played)
				}) {
					t.Fatalf("%v\n%s", seen.events(t, "table/event"), book)
				}
			}
			move("e2e4")
			known()
			for i, uci := range []string{"e7e5", "g1f3", "b8c6", "f1c4"} {
				if i%2 == 0 { // the board is pulled out as soon as the man stands
					move(uci)
					eventually(t, "the man stands", 20*time.Second, func() bool { return e.Now() >= set })
				}
				if err := e.Unplug(); err != nil {
					t.Fatal(err)
				}
				status("offline")
				if i%2 == 1 { // a move does
					move(uci)
				}
				if err := e.Plug(nil); err != nil {
					t.Fatal(err)
				}
				status("online")
				known()
			}
			if err := stop(); err != nil {
				t.Error(err)
			}
			count := map[string]int{}
			for _, e := range seen.events(t, "table/event") {
				count[e.Type]++
			}
			if count["game_start"] != 1 || count["game_end"] != 0 || count["board_offline"] < 4 {
				t.Errorf("events %v", count)
			}
		})
	}
}
