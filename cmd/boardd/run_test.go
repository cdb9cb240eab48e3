package main

import (
	"bytes"
	"context"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/driver/dgt/dgttest"
)

// eventually waits for a condition until the deadline.
func eventually(t *testing.T, what string, patience time.Duration, ok func() bool) bool {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Errorf("not within %v: %s", patience, what)
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}

// logbook is a log that tests can read while it is written.
type logbook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (l *logbook) Write(p []byte) (int, error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.Write(p)
}

func (l *logbook) String() string {
	l.mu.Lock()
	defer l.mu.Unlock()
	return l.text.String()
}

// value is what follows key= in the log, "" while it is not there.
func (l *logbook) value(key string) string {
	_, after, ok := strings.Cut(l.String(), " "+key+"=")
	if !ok {
		return ""
	}
	return strings.FieldsFunc(after, func(r rune) bool { return r == ' ' || r == '\n' })[0]
}

// living starts the daemon; stop ends it and gives its error.
func living(t *testing.T, m *Main) (book *logbook, stop func() error) {
	t.Helper()
	book = &logbook{}
	m.Log = slog.New(slog.NewTextHandler(book, nil))
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- m.Run(ctx) }()
	stop = sync.OnceValue(func() error {
		cancel()
		select {
		case err := <-done:
			return err
		case <-time.After(30 * time.Second):
			return fmt.Errorf("does not end")
		}
	})
	t.Cleanup(func() {
		if err := stop(); err != nil {
			t.Errorf("run: %v", err)
		}
		if t.Failed() {
			t.Logf("log:\n%s", book)
		}
	})
	return book, stop
}

func parsed(t *testing.T, text string) config.Config {
	t.Helper()
	c, err := config.Parse("boardd.toml", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	if c.Node.Data == config.Default().Node.Data {
		c.Node.Data = "" // nothing outlasts a test that does not ask for it
	}
	if c.Node.Socket == config.DefaultSocket {
		c.Node.Socket = "" // tests run side by side
	}
	return c
}

// playing plays a capture on a pseudo terminal, until the end of the test.
func playing(t *testing.T, capture string, speed float64, seed uint64) (player *dgttest.Player, messages []string) {
	t.Helper()
	messages, err := dgttest.ReadCapture(filepath.Join(repo, "dgt", capture+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	if player, err = dgttest.NewPlayer(messages, speed, seed); err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	played := make(chan error, 1)
	go func() { played <- player.Run(ctx) }()
	t.Cleanup(func() {
		cancel()
		if err := <-played; err != nil {
			t.Errorf("player: %v", err)
		}
		_ = player.Close()
	})
	return player, messages
}

// playedToMosquitto plays a capture from a pseudo terminal into the daemon and reads what comes at the broker: exactly the moves
// that were played, their clocks, the last position, and events without a gap.
func playedToMosquitto(t *testing.T, capture, board string, speed float64, seed uint64) {
	player, messages := playing(t, capture, speed, seed)
	broker := mosquitto(t)
	seen := read(t, broker, "test")
	folder := t.TempDir()
	m := &Main{Speed: speed, Record: folder, Config: parsed(t, fmt.Sprintf(`
[node]
name = "test"
[mqtt]
url = "mqtt://%s"
[[board]]
id = "table"
driver = "dgt"
port = %q
`, broker, player.Path()))}
	_, stop := living(t, m)

	length := 0
	for _, text := range messages {
		head, _ := hex.DecodeString(text[:2])
		length += dgt.CaptureGapMs(head)
	}
	patience := 30*time.Second + time.Duration(float64(length)*1.5/speed)*time.Millisecond
	select {
	case <-player.Done():
	case <-time.After(patience):
		t.Fatalf("the player is not done; requests so far: % x", player.Requests())
	}
	want := movesOf(t, capture)
	eventually(t, "the last move", time.Minute, func() bool {
		got, _ := standing(t, seen.events(t, "table/event"))
		return len(got) >= len(want)
	})
	clocks := presses(clockMessages(t, capture)) // a last ply without one depends on when it commits
	eventually(t, "the last game", time.Minute, func() bool {
		var g struct {
			UCI   []string `json:"uci"`
			ClkMs []int64  `json:"clk_ms"`
		}
		return json.Unmarshal([]byte(seen.last("table/game")), &g) == nil && slices.Equal(g.UCI, want) && len(g.ClkMs) == len(want) &&
			slices.Equal(g.ClkMs[:len(clocks)], clocks)
	})
	eventually(t, "the last state", time.Minute, func() bool {
		var s struct {
			FEN    string
			Status string
			Ply    int
		}
		return json.Unmarshal([]byte(seen.last("table/state")), &s) == nil && strings.HasPrefix(s.FEN, board+" ") && s.Status == "playing" && s.Ply == len(want)
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	eventually(t, "offline is published", 10*time.Second, func() bool { return seen.last("status") == "offline" })

	events := seen.events(t, "table/event")
	for i, e := range events {
		if e.Seq != int64(i)+1 || e.Epoch != events[0].Epoch {
			t.Errorf("event %d has the number %d of epoch %s", i+1, e.Seq, e.Epoch)
		}
	}
	got, _ := standing(t, events)
	if !slices.Equal(got, want) {
		t.Errorf("moves %v\nwant  %v", got, want)
	}
	sameAgain(t, folder, events)
	if t.Failed() {
		t.Logf("last game %s\nlast state %s", seen.last("table/game"), seen.last("table/state"))
		for _, e := range events {
			t.Logf("%d t=%s %s ply %d %s %d %s", e.Seq, e.TS, e.Type, e.Ply, e.UCI, e.ToPly, e.Reason)
		}
	}
}

// sameAgain replays the daemon's own recording: it gives the events that were published, one for one and each at its time.
func sameAgain(t *testing.T, folder string, published []event) {
	t.Helper()
	files, err := filepath.Glob(filepath.Join(folder, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	code, out, errs := boardd("replay", "--json", files[0])
	again := lines(t, out)
	if code != 0 || len(again) <= len(published) {
		t.Fatalf("code %d, %d events for %d: %s", code, len(again)-1, len(published), errs)
	}
	zero := time.Time{}
	for i, e := range published {
		r := again[i]
		ts, err := time.Parse(time.RFC3339, e.TS)
		if err != nil {
			t.Fatal(err)
		}
		if start := ts.Add(-time.Duration(r.T) * time.Millisecond); i == 0 {
			zero = start
		} else if off := start.Sub(zero); off > time.Second || off < -time.Second { // the day's time is read anew with each step
			t.Errorf("event %d is replayed %v off its time", e.Seq, off)
		}
		if e.Seq != r.Seq || e.Type != r.Type || e.Ply != r.Ply || string(e.UCI) != string(r.UCI) || e.ToPly != r.ToPly {
			t.Errorf("event %d: %s ply %d %s; replayed: %d %s ply %d %s", e.Seq, e.Type, e.Ply, e.UCI, r.Seq, r.Type, r.Ply, r.UCI)
		}
	}
}

func TestRealBoardsThroughMosquitto(t *testing.T) {
	t.Parallel()
	if testing.Short() {
		t.Skip("plays for twelve seconds")
	}
	for _, c := range captures {
		for seed := range uint64(3) {
			t.Run(fmt.Sprintf("%s, cut %d", c.name, seed+1), func(t *testing.T) {
				t.Parallel()
				playedToMosquitto(t, c.name, c.board, 50, seed+1)
			})
		}
	}
}

// TestSoakRealBoards plays the captures at the pace of the players: six and ten minutes.
func TestSoakRealBoards(t *testing.T) {
	t.Parallel()
	if os.Getenv("BOARDD_SOAK") == "" {
		t.Skip("set BOARDD_SOAK=1, or make soak")
	}
	for _, c := range captures {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			playedToMosquitto(t, c.name, c.board, 1, 1)
		})
	}
}

func TestRunWithItsOwnBroker(t *testing.T) {
	t.Parallel()
	folder := filepath.Join(t.TempDir(), "made", "when needed")
	m := &Main{Record: folder, Config: parsed(t, `
[node]
name = "own"
[mqtt]
listen = "127.0.0.1:0"
commands = "play"
[[board]]
driver = "virtual"
id = "desk"
[board.leds]
driver = "virtual"
[[board]]
driver = "dgt"
port = "/dev/serial/by-id/none"
id = "away"
`)}
	book, stop := living(t, m)
	eventually(t, "the broker's address in the log", 20*time.Second, func() bool { return book.value("address") != "" })
	seen := read(t, book.value("address"), "own")
	eventually(t, "a state", 20*time.Second, func() bool { return seen.last("desk/state") != "" })
	eventually(t, "the boards' links", 20*time.Second, func() bool {
		return seen.last("desk/status") == "online" && seen.last("away/status") == "offline"
	})
	var s struct{ Status string }
	eventually(t, "a game on the virtual board", 20*time.Second, func() bool {
		return json.Unmarshal([]byte(seen.last("desk/state")), &s) == nil && s.Status == "playing"
	})
	if err := stop(); err != nil {
		t.Error(err)
	}
	if !strings.Contains(book.String(), `board cannot be read, trying again`) {
		t.Error("nothing is said of the board that is away")
	}
	files, err := filepath.Glob(filepath.Join(folder, "desk-*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatal(files, err)
	}
	if code, out, errs := boardd("replay", files[0]); code != 0 || !strings.Contains(out, "begins") {
		t.Errorf("the recording replays with code %d\n%s%s", code, out, errs)
	}
}

func TestRunExitCodes(t *testing.T) {
	t.Parallel()
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		name, text string
		code       int
		err        string
	}{
		{"no such key", "[node]\ncolour = 1\n[[board]]\ndriver = \"virtual\"\n", 2, "colour"},
		{"port taken", fmt.Sprintf("[node]\ndata = \"\"\n[mqtt]\nlisten = %q\n[[board]]\ndriver = \"virtual\"\n", taken.Addr()), 1, "mqtt.listen"},
	} {
		code, _, errs := boardd("run", "-c", file(t, "boardd.toml", c.text))
		if code != c.code || !strings.Contains(errs, c.err) {
			t.Errorf("%s: code %d, %s", c.name, code, errs)
		}
	}
	if code, _, errs := boardd("run", "-c", filepath.Join(t.TempDir(), "none.toml")); code != 2 {
		t.Errorf("no file: code %d, %s", code, errs)
	}
}
