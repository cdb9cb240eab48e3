package ctl

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// serve runs a server at a socket until the test ends.
func serve(t *testing.T, f *fakeFeed, change func(*Options)) (path string) {
	t.Helper()
	path = filepath.Join(t.TempDir(), "boardd.sock")
	l, err := Listen([]string{path})
	if err != nil {
		t.Fatal(err)
	}
	o := Options{
		Feed: f,
		ArbiterEvents: func(id string, from int64, n int) ([]game.StampedEvent, error) {
			return f.Events(game.Stream(id, true), from, n)
		},
		State: func(s game.StampedSnapshot) []byte {
			return fmt.Appendf(nil, `{"status":%q,"seq":%d}`, s.Status, s.Seq)
		},
		Event: func(e *game.StampedEvent) ([]byte, error) {
			return fmt.Appendf(nil, `{"seq":%d,"of":%q}`, e.Seq, e.Board), nil
		},
	}
	if change != nil {
		change(&o)
	}
	ctx, cancel := context.WithCancel(context.Background())
	ended := make(chan error, 1)
	go func() { ended <- New(o).Run(ctx, l) }()
	t.Cleanup(func() {
		cancel()
		if err := <-ended; err != nil {
			t.Error(err)
		}
		if _, err := os.Lstat(path); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("the socket is still there: %v", err)
		}
	})
	return path
}

// peer speaks with a server by lines.
type peer struct {
	t *testing.T
	net.Conn
	in *bufio.Reader
}

func connect(t *testing.T, path string) *peer {
	t.Helper()
	c, err := net.Dial("unix", path)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = c.Close() })
	_ = c.SetDeadline(time.Now().Add(20 * time.Second))
	return &peer{t, c, bufio.NewReader(c)}
}

func (p *peer) say(text string) {
	p.t.Helper()
	if _, err := p.Write([]byte(text)); err != nil {
		p.t.Fatal(err)
	}
}

// hear is the next line, "" at the end.
func (p *peer) hear() string {
	p.t.Helper()
	text, err := p.in.ReadString('\n')
	if err != nil && os.IsTimeout(err) {
		p.t.Fatal("no answer")
	}
	return strings.TrimSpace(text)
}

func until(t *testing.T, what string, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(20 * time.Second)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("never: %s", what)
		}
		time.Sleep(time.Millisecond)
	}
}

func TestRequests(t *testing.T) {
	t.Parallel()
	announced := 0
	f := newFeed("a", "b")
	f.say("a", 3)
	f.say(game.Stream("a", true), 2)
	f.first["b"] = 5
	f.answer = func(c *board.Command) (game.Reply, error) {
		switch c.Verb {
		case "flip":
			return game.Reply{Command: c, Status: "error", Code: "forbidden", Message: "not now", Seq: 3}, nil
		case "pause":
			return game.Reply{}, errors.New("the board is gone")
		}
		return game.Reply{Command: c, Status: "ok", Seq: 4}, nil
	}
	path := serve(t, f, func(o *Options) { o.Announce = func() { announced++ } })
	ok := func(verb string, seq int) string {
		return fmt.Sprintf(`{"reply":{"verb":%q,"board":"a","id":null,"status":"ok","code":null,"message":null,"seq":%d}}`, verb, seq)
	}
	refused := func(verb, board, code, message, seq string) string {
		return fmt.Sprintf(`{"reply":{"verb":%q,"board":%s,"id":null,"status":"error","code":%q,"message":%q,"seq":%s}}`, verb, board, code, message, seq)
	}
	p := connect(t, path)
	for _, c := range []struct{ ask, want string }{
		{`{"verb":"takeback","board":"a","plies":2,"id":"x"}`, `{"reply":{"verb":"takeback","board":"a","id":"x","status":"ok","code":null,"message":null,"seq":4}}`},
		{`{"verb":"flip","board":"a"}`, refused("flip", `"a"`, "forbidden", "not now", "3")},
		{`{"verb":"pause","board":"a"}`, refused("pause", `"a"`, "internal", "the board did not answer; look at its state before asking again", "3")},
		{`{"verb":"takeback","board":"a","plies":99}`, refused("takeback", `"a"`, "bad_value", "plies: a whole number from 1 to 20", "3")},
		{`{"verb":"fly","board":"a"}`, refused("fly", `"a"`, "unknown_verb", "no such verb", "3")},
		{`{"verb":"flip"}`, refused("flip", "null", "bad_value", "say which board: a, b", "null")},
		{`{"verb":"flip","board":"c"}`, refused("flip", "null", "bad_value", `there is no board "c": there is a, b`, "null")},
		{`no JSON`, refused("", "null", "bad_json", "a request is one JSON object in UTF-8 on one line", "null")},
		{`{"verb":7}`, refused("", "null", "bad_value", "verb and board are texts, since is a seq, follow and arbiter are true or false", "null")},
		{`{"verb":"boards"}`, `{"boards":[{"id":"a","name":"Board a","driver":"virtual","acuity":"presence"},{"id":"b","name":"Board b","driver":"virtual","acuity":"presence"}]}` + "\n" +
			`{"reply":{"verb":"boards","board":null,"id":null,"status":"ok","code":null,"message":null,"seq":null}}`},
		{`{"verb":"state","board":"a"}`, `{"state":{"status":"playing","seq":3}}` + "\n" + ok("state", 3)},
		{`{"verb":"state","board":"b"}`, refused("state", `"b"`, "gone", "nothing is known of the board yet", "null")},
		{`{"verb":"events","board":"a"}`, ok("events", 3)},
		{`{"verb":"events","board":"a","since":1}`, `{"event":{"seq":2,"of":"a"}}` + "\n" + `{"event":{"seq":3,"of":"a"}}` + "\n" + ok("events", 3)},
		{`{"verb":"events","board":"a","since":1,"arbiter":true}`, `{"event":{"seq":2,"of":"a/arbiter"}}` + "\n" + ok("events", 3)},
		{`{"verb":"events","board":"b","since":1}`, refused("events", `"b"`, "gone", "event 2: these events are no longer kept", "null")},
		{`{"verb":"events","board":"a","since":-1}`, refused("events", `"a"`, "bad_value", "since: a whole number from 0", "3")},
		{`{"verb":"resend","board":"a","from":2,"max":1}`, `{"event":{"seq":2,"of":"a"}}` + "\n" + ok("resend", 3)},
		{`{"verb":"resend","board":"a"}`, refused("resend", `"a"`, "bad_value", "from: the first seq that is wanted is needed", "3")},
		{`{"verb":"announce","board":"a"}`, ok("announce", 3)},
	} {
		p.say(c.ask + "\n")
		for want := range strings.Lines(c.want) {
			if got := p.hear(); got != strings.TrimSpace(want) {
				t.Errorf("%s\ngot  %s\nwant %s", c.ask, got, want)
			}
		}
	}
	f.mu.Lock()
	defer f.mu.Unlock()
	if announced != 1 || len(f.done) != 3 || f.done[0].Plies != 2 {
		t.Errorf("announced %d, done %+v", announced, f.done)
	}
}

func TestOnlyBoardNeedsNoName(t *testing.T) {
	t.Parallel()
	f := newFeed("a")
	f.say("a", 1)
	p := connect(t, serve(t, f, nil))
	p.say(`{"verb":"identify"}`) // without an end of the line, as from a program that hangs up
	_ = p.Conn.(*net.UnixConn).CloseWrite()
	if got := p.hear(); !strings.Contains(got, `"board":"a"`) || !strings.Contains(got, `"status":"ok"`) {
		t.Error(got)
	}
	if got := p.hear(); got != "" {
		t.Error(got)
	}
}

func TestLongLinesEndTheConnection(t *testing.T) {
	t.Parallel()
	path := serve(t, newFeed("a"), nil)
	p := connect(t, path)
	go func() { _, _ = p.Write([]byte(strings.Repeat("x", 100_000))) }()
	if got := p.hear(); !strings.Contains(got, "too_large") {
		t.Error(got)
	}
	if got := p.hear(); got != "" {
		t.Error(got)
	}
	q := connect(t, path) // 4096 bytes are no command, and no reason to end
	q.say(`{"verb":"flip"` + strings.Repeat(" ", 4090) + "}\n")
	if got := q.hear(); !strings.Contains(got, "too_large") {
		t.Error(got)
	}
	q.say("{\"verb\":\"flip\"}\n")
	if got := q.hear(); !strings.Contains(got, `"status":"ok"`) {
		t.Error(got)
	}
}

func TestFollow(t *testing.T) {
	t.Parallel()
	f := newFeed("a")
	f.say("a", 2)
	path := serve(t, f, nil)
	p := connect(t, path)
	p.say(`{"verb":"events","since":0,"follow":true}` + "\n")
	for i := 1; i <= 2; i++ {
		if got := p.hear(); got != fmt.Sprintf(`{"event":{"seq":%d,"of":"a"}}`, i) {
			t.Error(got)
		}
	}
	f.say("a", 200)
	for i := 3; i <= 202; i++ {
		if got := p.hear(); got != fmt.Sprintf(`{"event":{"seq":%d,"of":"a"}}`, i) {
			t.Fatal(got)
		}
	}
	p.say(`{"verb":"identify"}` + "\n") // ends it
	if got := p.hear(); !strings.Contains(got, `"verb":"events"`) {
		t.Error(got)
	}
	if got := p.hear(); !strings.Contains(got, `"verb":"identify"`) {
		t.Error(got)
	}
	q := connect(t, path)
	q.say(`{"verb":"events","follow":true}` + "\n")
	until(t, "it follows", func() bool { return f.watched() == 1 })
	_ = q.Close()
	until(t, "nobody follows", func() bool { return f.watched() == 0 })
}

// Who asks for events and does not read is cut off; nobody else waits for him.
func TestSlowReadersAreCutOff(t *testing.T) {
	t.Parallel()
	f := newFeed("a")
	path := serve(t, f, func(o *Options) {
		o.Event = func(*game.StampedEvent) ([]byte, error) { return json.Marshal(strings.Repeat("x", 50_000)) }
	})
	slow := connect(t, path)
	slow.say(`{"verb":"events","follow":true}` + "\n")
	until(t, "it follows", func() bool { return f.watched() == 1 })
	f.say("a", 100)
	quick := connect(t, path)
	quick.say(`{"verb":"identify"}` + "\n")
	if got := quick.hear(); !strings.Contains(got, `"status":"ok"`) {
		t.Error(got)
	}
	until(t, "the slow one is cut off", func() bool { return f.watched() == 0 })
}

func TestManyClients(t *testing.T) {
	t.Parallel()
	f := newFeed("a")
	path := serve(t, f, nil)
	var peers []*peer
	for range maxClients {
		p := connect(t, path)
		p.say(`{"verb":"identify"}` + "\n")
		p.hear()
		peers = append(peers, p)
	}
	p := connect(t, path)
	if got := p.hear(); !strings.Contains(got, "rate_limited") {
		t.Error(got)
	}
	_ = peers[0].Close()
	until(t, "a place is free", func() bool {
		_, err := Ask(t.Context(), []string{path}, []byte(`{"verb":"boards"}`), func(string, json.RawMessage) error { return nil })
		return err == nil
	})
}

func TestSocketFile(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	path := filepath.Join(dir, "s")
	l, err := Listen([]string{filepath.Join(dir, "none", "s"), path})
	if err != nil {
		t.Fatal(err)
	}
	info, err := os.Stat(path)
	if err != nil || info.Mode() != fs.ModeSocket|0o660 {
		t.Errorf("%v, %v", info, err)
	}
	if _, err := Listen([]string{path, filepath.Join(dir, "other")}); !errors.Is(err, ErrTaken) {
		t.Errorf("a living socket: %v", err)
	}
	l.SetUnlinkOnClose(false)
	_ = l.Close()
	again, err := Listen([]string{path}) // a stale one
	if err != nil {
		t.Fatal(err)
	}
	_ = again.Close()
	if err := os.WriteFile(path, []byte("mine"), 0o600); err != nil {
		t.Fatal(err)
	}
	if _, err := Listen([]string{path}); err == nil || !strings.Contains(err.Error(), "is no socket") {
		t.Error(err)
	}
	if text, _ := os.ReadFile(path); string(text) != "mine" {
		t.Error("a file of others was removed")
	}
	if _, err := Listen([]string{filepath.Join(dir, "none", "s")}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
	if _, err := Ask(t.Context(), []string{filepath.Join(dir, "none"), path}, nil, nil); !errors.Is(err, ErrNobody) {
		t.Error(err)
	}
}

func TestPaths(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ configured, runtime, want string }{
		{"", "/run/user/1", ""}, {"/run/x", "/run/user/1", "/run/x"}, {"/run/d/s", "", "/run/d/s"}, {"/run/d/s", "rel", "/run/d/s"},
		{"/run/d/s", "/run/user/1", "/run/d/s /run/user/1/s"},
	} {
		if got := strings.Join(Paths(c.configured, "/run/d/s", c.runtime), " "); got != c.want {
			t.Errorf("%+v: %s", c, got)
		}
	}
}

// FuzzDecode: whatever comes in, what gets through is a verb that is known, and every refusal has a code and a line.
func FuzzDecode(f *testing.F) {
	for _, seed := range []string{
		`{"verb":"takeback","board":"a","plies":1,"id":"x"}`, `{"verb":"events","since":5,"follow":true}`, `{"verb":"state"}`, "", "{}", "[1]", "{\"verb\":\"\xff\"}",
		`{"verb":"events","since":1e99}`, strings.Repeat("x", maxLine), `{"VERB":"flip","Board":"a","board":null}`, `{"verb":"boards","follow":1}`,
	} {
		f.Add([]byte(seed))
	}
	f.Fuzz(func(t *testing.T, text []byte) {
		q, no := decode(text)
		if no != nil && (no.Code == "" || no.Message == "" || strings.ContainsAny(no.Message, "\r\n")) {
			t.Fatalf("%+v", no)
		}
		if no == nil && commands.KeysOf(q.Verb) == nil && q.Verb != "boards" && q.Verb != "state" && q.Verb != "events" {
			t.Fatalf("verb %q", q.Verb)
		}
		if q.since < 0 || q.Plies < 0 || q.Max < 0 {
			t.Fatalf("%+v", q)
		}
	})
}
