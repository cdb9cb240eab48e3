package main

import (
	"context"
	"encoding/hex"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/driver/dgt/dgttest"
)

// SE-07: a board is unplugged in the middle of a recorded game and plugged in again, under the same name as udev gives it: that is
// noticed and said, and the game goes on as if nothing had been.
func TestUnpluggedBoardGoesOnWithItsGame(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays for seven seconds")
	}
	const speed, cut = 50, 200
	messages, err := dgttest.ReadCapture(filepath.Join(repo, "dgt", "capture1.hex"))
	if err != nil {
		t.Fatal(err)
	}
	name := filepath.Join(t.TempDir(), "board")
	plug := func(messages []string, seed uint64) (player *dgttest.Player, unplug func()) {
		player, err := dgttest.NewPlayer(messages, speed, seed)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(player.Path(), name); err != nil {
			t.Fatal(err)
		}
		ctx, cancel := context.WithCancel(context.Background())
		played := make(chan error, 1)
		go func() { played <- player.Run(ctx) }()
		return player, func() {
			cancel()
			if err := <-played; err != nil {
				t.Errorf("player: %v", err)
			}
			_ = player.Close()
			_ = os.Remove(name)
		}
	}
	done := func(p *dgttest.Player) {
		t.Helper()
		select {
		case <-p.Done():
		case <-time.After(60 * time.Second):
			t.Fatal("the player is not done")
		}
	}

	first, unplug := plug(messages[:cut], 1)
	m := &Main{Speed: speed, Config: parsed(t, fmt.Sprintf(`
[node]
name = "replug"
[mqtt]
listen = "127.0.0.1:0"
[[board]]
id = "table"
driver = "dgt"
port = %q
`, name))}
	book, stop := living(t, m)
	eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" })
	seen := read(t, book.value("address"), "replug")
	done(first)
	eventually(t, "online", 20*time.Second, func() bool { return seen.last("table/status") == "online" })
	unplug()
	eventually(t, "offline", 20*time.Second, func() bool { return seen.last("table/status") == "offline" })

	second, unplug := plug(append([]string{dumpAfter(t, messages[:cut])}, messages[cut:]...), 2)
	t.Cleanup(unplug)
	done(second)
	want := movesOf(t, "capture1")
	t.Cleanup(func() {
		if t.Failed() {
			got, _ := standing(t, seen.events(t, "table/event"))
			t.Logf("told %v\nplayed %v", got, want)
		}
	})
	eventually(t, "the last move", 20*time.Second, func() bool {
		got, _ := standing(t, seen.events(t, "table/event"))
		return slices.Equal(got, want)
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	count := map[string]int{}
	events := seen.events(t, "table/event") // without those from before the reader came
	for i, e := range events {
		count[e.Type]++
		if e.Seq != events[0].Seq+int64(i) {
			t.Errorf("event %d follows %d", e.Seq, events[i-1].Seq)
		}
	}
	if count["game_start"] != 1 || count["board_offline"] < 1 || count["board_online"] != 2 || count["game_end"] != 0 {
		t.Errorf("events %v", count)
	}
}

// dumpAfter is the dump of the board that messages leave behind.
func dumpAfter(t *testing.T, messages []string) string {
	t.Helper()
	var picture [64]byte
	for _, text := range messages {
		m, err := hex.DecodeString(strings.ReplaceAll(text, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		switch m[0] {
		case dgt.BoardDump:
			copy(picture[:], m[3:])
		case dgt.FieldUpdate:
			picture[m[3]] = m[4]
		}
	}
	return hex.EncodeToString(dgt.AppendMessage(nil, dgt.BoardDump, picture[:]))
}
