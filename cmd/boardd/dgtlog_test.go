package main

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

// Four plies are played while boardd is down. When it is back it has read them from the board's log, and they are published.
func TestPliesPlayedWhileBoarddIsDown(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays for some seconds")
	}
	const speed = 20
	e, err := emulator.Open(emulated.New(emulated.Options{}), emulator.Options{Speed: speed})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { e.Close() })
	start, err := board.ParsePicture("rnbqkbnr/pppppppp/......../......../......../......../PPPPPPPP/RNBQKBNR", board.PieceAcuity)
	if err != nil {
		t.Fatal(err)
	}
	e.Show(start)
	play := func(moves ...string) {
		t.Helper()
		at := e.Now() + 2000
		for _, m := range moves {
			from, _ := rules.ParseSquare(m[:2])
			to, _ := rules.ParseSquare(m[2:4])
			e.SetAt(at, from, '.')
			e.SetAt(at+600, to, board.Symbol(m[4]))
			at += 2500
		}
		if !eventually(t, "the hands", time.Minute, func() bool { return e.Now() > at }) {
			t.FailNow()
		}
	}
	data := t.TempDir()
	run := func(want string, hands func()) {
		t.Helper()
		m := &Main{Speed: speed, Config: parsed(t, fmt.Sprintf(`
[node]
name = "meanwhile"
data = %q
[mqtt]
listen = "127.0.0.1:0"
[[board]]
id = "table"
driver = "dgt"
port = %q
`, data, e.Path()))}
		book, stop := living(t, m)
		eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" })
		seen := read(t, book.value("address"), "meanwhile")
		eventually(t, "online", 20*time.Second, func() bool { return seen.last("table/status") == "online" })
		eventually(t, "a game", 20*time.Second, func() bool { return strings.Contains(seen.last("table/state"), `"status":"playing"`) })
		hands()
		got := ""
		if !eventually(t, want, 20*time.Second, func() bool {
			var game struct {
				UCI []string `json:"uci"`
			}
			if json.Unmarshal([]byte(seen.last("table/game")), &game) == nil {
				got = strings.Join(game.UCI, " ")
			}
			return got == want
		}) {
			t.Errorf("the game is %q\n%s", got, book)
		}
		if err := stop(); err != nil {
			t.Error(err)
		}
	}
	run("e2e4 e7e5", func() { play("e2e4P", "e7e5p") })
	play("g1f3N", "g8f6n", "b1c3N", "b8c6n") // the order of the knights is nowhere but in the log
	run("e2e4 e7e5 g1f3 g8f6 b1c3 b8c6", func() {})
}
