package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/time/rate"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/commands"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// ask publishes a command and waits for the reply with its id.
func (w *watcher) ask(t *testing.T, board, verb, body string) (reply string) {
	t.Helper()
	before := len(w.all(fakeBase + board + "reply"))
	w.say(t, fakeBase+board+"cmd/"+verb, body, false)
	eventually(t, "a reply to "+verb+" "+body, func() bool { return len(w.all(fakeBase+board+"reply")) > before })
	return w.all(fakeBase + board + "reply")[before].body
}

func TestCommands(t *testing.T) {
	eachBroker(t, func(t *testing.T, s *station) {
		f := newScripted("table-07", "table-08")
		f.shuffle("table-07", 7)
		w := watch(t, s.url, s.user, s.pass, "boardd/v1/club/#")
		w.say(t, fakeBase+"table-07/cmd/new_game", `{"id":"old","force":true}`, true) // lies there before the daemon starts
		o := s.door
		o.Commands = "play"
		p := openDoor(t, f, o, func(d *Door) { d.lanes["table-07"].limit = rate.NewLimiter(1000, 1000) })
		eventually(t, "all is delivered", func() bool { return f.ackedUpTo("table-07") == 7 })
		f.do = func(_ context.Context, _ string, c *board.Command) (game.Reply, error) {
			switch c.Verb {
			case "takeback":
				return game.Reply{Status: "error", Code: "stale", Message: "if_seq 3, board is at 7", Seq: 7}, nil
			case "draw":
				return game.Reply{}, context.DeadlineExceeded
			}
			return game.Reply{Status: "ok", Seq: 8}, nil
		}
		tests := []struct{ board, verb, body, want string }{
			{"table-07/", "flip", `{"id":"a1"}`, `{"v":1,"id":"a1","verb":"flip","status":"ok","code":null,"message":null,"seq":8}`},
			{"table-07/", "flip", ``, `{"v":1,"id":null,"verb":"flip","status":"ok","code":null,"message":null,"seq":8}`},
			{"table-07/", "takeback", `{"id":"a2","if_seq":3}`, `{"v":1,"id":"a2","verb":"takeback","status":"error","code":"stale","message":"if_seq 3, board is at 7","seq":7}`},
			{"table-07/", "draw", `{"id":"a3"}`, `{"v":1,"id":"a3","verb":"draw","status":"error","code":"internal","message":"the board did not answer; look at its state before asking again","seq":7}`},
			{"table-07/", "dance", `{"id":"a5"}`, `{"v":1,"id":"a5","verb":"dance","status":"error","code":"unknown_verb","message":"no such verb","seq":7}`},
			{"table-07/", "flip", `{"id":"a6","orientation":"up"}`, `{"v":1,"id":"a6","verb":"flip","status":"error","code":"bad_value","message":"orientation: white or black","seq":7}`},
			{"table-07/", "flip", `nonsense`, `{"v":1,"id":null,"verb":"flip","status":"error","code":"bad_json","message":"a command is empty or one JSON object in UTF-8","seq":7}`},
			{"table-07/", "flip", strings.Repeat("x", 60_000), `{"v":1,"id":null,"verb":"flip","status":"error","code":"too_large","message":"a command has at most 4096 bytes","seq":7}`},
			{"table-08/", "dance", ``, `{"v":1,"id":null,"verb":"dance","status":"error","code":"unknown_verb","message":"no such verb","seq":null}`},
			{"", "announce", `{"id":"n1"}`, `{"v":1,"id":"n1","verb":"announce","status":"ok","code":null,"message":null,"seq":null}`},
			{"", "reload", `{"id":"n2"}`, `{"v":1,"id":"n2","verb":"reload","status":"error","code":"unknown_verb","message":"the node itself knows only announce; boards take theirs on <node>/<board>/cmd/<verb>","seq":null}`},
			{"table-07/", "resend", `{"id":"r1","from":3,"max":2}`, `{"v":1,"id":"r1","verb":"resend","status":"ok","code":null,"message":"2 events, seq 3 to 4","seq":7}`},
			{"table-07/", "resend", `{"id":"r2","from":6}`, `{"v":1,"id":"r2","verb":"resend","status":"ok","code":null,"message":"2 events, seq 6 to 7","seq":7}`},
			{"table-07/", "resend", `{"id":"r3","from":8}`, `{"v":1,"id":"r3","verb":"resend","status":"ok","code":null,"message":"no events from there on","seq":7}`},
			{"table-07/", "resend", `{"id":"r4"}`, `{"v":1,"id":"r4","verb":"resend","status":"error","code":"bad_value","message":"from: the first seq that is wanted is needed","seq":7}`},
		}
		for _, test := range tests {
			if got := w.ask(t, test.board, test.verb, test.body); got != test.want {
				t.Errorf("%s %.40s\n got %s\nwant %s", test.verb, test.body, got, test.want)
			}
		}
		f.mu.Lock()
		f.gone["table-07"] = 5
		f.mu.Unlock()
		if got := w.ask(t, "table-07/", "resend", `{"id":"r5","from":5}`); !strings.Contains(got, `"code":"gone"`) {
			t.Errorf("resend of what is gone: %s", got)
		}
		f.mu.Lock()
		f.unread["table-07"] = 7
		f.mu.Unlock()
		for _, from := range []int64{6, 7} { // the disk fails in the midst, and at once
			if got := w.ask(t, "table-07/", "resend", fmt.Sprintf(`{"id":"u%d","from":%d}`, from, from)); !strings.Contains(got, `"code":"internal"`) {
				t.Errorf("resend of what cannot be read: %s", got)
			}
		}
		f.mu.Lock()
		f.unread["table-07"] = 0
		f.mu.Unlock()
		if got := w.seqs(t, fakeBase+"table-07/resend"); !slices.Equal(got, []int64{3, 4, 6, 7, 6}) {
			t.Errorf("sent again: %v", got)
		}
		w.say(t, fakeBase+"nosuch/cmd/flip", `{"id":"b1"}`, false)
		eventually(t, "a reply for the board that is not", func() bool {
			return strings.Contains(w.last(fakeBase+"reply"), `"id":"b1","verb":"flip","status":"error","code":"bad_value"`)
		})
		for _, c := range f.commands() {
			if c.ID == "old" {
				t.Error("a retained command was carried out")
			}
		}
		eventually(t, "the refusals in info", func() bool {
			var info struct{ Refused map[string]int }
			return json.Unmarshal([]byte(w.last(fakeBase+"info")), &info) == nil && info.Refused["bad_json"] == 1 && info.Refused["too_large"] == 1 &&
				info.Refused["bad_value"] == 3 && info.Refused["unknown_verb"] == 3
		})
		for _, m := range w.all("") {
			if strings.HasSuffix(m.topic, "/reply") || strings.HasSuffix(m.topic, "/resend") || strings.HasSuffix(m.topic, "/event") {
				if m.retained {
					t.Errorf("retained: %+v", m)
				}
			}
		}
		p.stop()
	})
}

// A command that lies retained at the broker is counted, and never carried out (MQ-25); that it comes while the subscription
// is waited for holds nothing up (MQ-06).
func TestRetainedCommand(t *testing.T) {
	t.Parallel()
	s := mosquitto(t, "allow_anonymous true\n")
	w := watch(t, s.url, "", "", fakeBase+"#")
	w.say(t, fakeBase+"table-07/cmd/flip", `{}`, true)
	o := s.door
	o.Commands = "play"
	f := newScripted("table-07")
	openDoor(t, f, o)
	eventually(t, "counted", func() bool { return strings.Contains(w.last(fakeBase+"info"), `"refused":{"retained":1,`) })
	w.ask(t, "table-07/", "flip", `{"id":"now"}`)
	if c := f.commands(); len(c) != 1 || c[0].ID != "now" {
		t.Errorf("carried out: %+v", c)
	}
}

// A command of 10 MB, also one that lies retained and comes at each connection, is refused, and the connection stays.
func TestLongCommand(t *testing.T) {
	t.Parallel()
	s := mosquitto(t, "allow_anonymous true\n")
	w := watch(t, s.url, "", "", fakeBase+"+", fakeBase+"table-07/reply")
	long := strings.Repeat("x", 10<<20)
	w.say(t, fakeBase+"table-07/cmd/flip", long, true)
	o := s.door
	o.Commands = "play"
	f := newScripted("table-07")
	openDoor(t, f, o)
	eventually(t, "the retained one is counted", func() bool { return strings.Contains(w.last(fakeBase+"info"), `"refused":{"retained":1,`) })
	if got := w.ask(t, "table-07/", "flip", long); !strings.Contains(got, commands.TooLarge) {
		t.Errorf("10 MB: %s", got)
	}
	if got := w.ask(t, "table-07/", "flip", `{"id":"now"}`); !strings.Contains(got, `"ok"`) {
		t.Errorf("after it: %s", got)
	}
	if all := w.all(fakeBase + "status"); len(all) != 1 || all[0].body != "online" {
		t.Errorf("status %+v", all)
	}
}

// What each class of the door lets through.
func TestClasses(t *testing.T) {
	t.Parallel()
	const (
		safe    = "announce identify led_brightness lights"
		play    = "choose claim draw flip move new_game pause promotion resign resume takeback"
		arbiter = "accept clock_set edit mode names result setup truncate"
	)
	tests := []struct {
		class   string
		pending string
		verbs   string // that get through
	}{
		{"off", "", ""},
		{"safe", "", safe + " resend"},
		{"safe", "promotion", safe + " promotion resend"},
		{"safe", "doubt", safe + " resend"},
		{"play", "", safe + " " + play + " resend"},
		{"arbiter", "", safe + " " + play + " " + arbiter + " resend"},
	}
	all := commands.Verbs()
	for _, test := range tests {
		t.Run(test.class+test.pending, func(t *testing.T) {
			f := newScripted("table-07")
			if test.pending != "" {
				f.say("table-07", "promotion_pending", nil, &game.Snapshot{Pending: &game.Pending{Kind: test.pending, Squares: []rules.Square{60}}})
			}
			d, err := New(Options{URL: "mqtt://broker", Node: "club", ClientID: "x", Commands: test.class}, f)
			if err != nil {
				t.Fatal(err)
			}
			var through []string
			for _, verb := range all {
				no := d.admit(d.lanes["table-07"], message{board: "table-07"}, &commands.Request{Command: board.Command{Verb: verb}})
				if no == nil {
					through = append(through, verb)
				} else if no.Code != commands.Forbidden {
					t.Errorf("%s: %+v", verb, no)
				}
			}
			want := strings.Fields(test.verbs)
			slices.Sort(through)
			if slices.Sort(want); !slices.Equal(through, want) {
				t.Errorf("through: %s\nwant:    %s", through, want)
			}
		})
	}
}

// A thousand commands at once: no more than the limit is carried out, the sender is told so once, and nothing stops.
func TestRateLimit(t *testing.T) {
	t.Parallel()
	f := newScripted("table-07", "table-08")
	now := time.Date(2026, 3, 14, 19, 0, 0, 0, time.UTC)
	d, err := New(Options{URL: "mqtt://broker", Node: "club", ClientID: "x", Commands: "play", Now: func() time.Time { return now }}, f)
	if err != nil {
		t.Fatal(err)
	}
	ask := func(board string, n int) (done, scolded int) {
		before := len(f.commands())
		for range n {
			d.handle(context.Background(), d.lanes[board], message{board: board, verb: "flip", payload: []byte(`{"id":"x"}`)})
		}
		for len(d.replies) > 0 {
			if r := <-d.replies; bytes.Contains(r.body, []byte(`"id":"x","verb":"flip","status":"error","code":"rate_limited"`)) {
				scolded++
			}
		}
		return len(f.commands()) - before, scolded
	}
	for i, step := range []struct {
		wait          time.Duration
		board         string
		done, scolded int
	}{
		{0, "table-07", 10, 1},
		{0, "table-08", 10, 1},
		{999 * time.Millisecond, "table-07", 4, 0},
		{time.Millisecond, "table-07", 1, 1},
		{time.Hour, "table-07", 10, 1},
		{-2 * time.Hour, "table-07", 0, 1}, // the wall clock is set back
	} {
		now = now.Add(step.wait)
		if done, scolded := ask(step.board, 1000); done != step.done || scolded != step.scolded {
			t.Errorf("step %d: %d done, told %d times; want %d, %d", i, done, scolded, step.done, step.scolded)
		}
	}
	if n := d.count.RateLimited.Load(); n != 6000-35 {
		t.Errorf("counted %d", n)
	}
}

// The node's own limit holds over all boards.
func TestRateLimitOfTheNode(t *testing.T) {
	t.Parallel()
	var ids []string
	for i := range 8 {
		ids = append(ids, fmt.Sprintf("table-%d", i))
	}
	f := newScripted(ids...)
	now := time.Now()
	d, err := New(Options{URL: "mqtt://broker", Node: "club", ClientID: "x", Commands: "play", Now: func() time.Time { return now }}, f)
	if err != nil {
		t.Fatal(err)
	}
	for _, id := range ids {
		for range 10 {
			d.handle(context.Background(), d.lanes[id], message{board: id, verb: "flip"})
		}
	}
	if n := len(f.commands()); n != 50 {
		t.Errorf("%d carried out, want 50", n)
	}
}

// The receive path never waits, whatever a board does, and one board's silence is not another's (MQ-03, MQ-05).
func TestABoardThatDoesNotAnswer(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	f := newScripted("table-07", "table-08")
	release := make(chan struct{})
	f.do = func(ctx context.Context, board string, _ *board.Command) (game.Reply, error) {
		if board == "table-07" {
			<-release
		}
		return game.Reply{Status: "ok"}, ctx.Err()
	}
	o := s.door
	o.Commands = "play"
	p := openDoor(t, f, o)
	t.Cleanup(func() { close(release) })
	w := watch(t, s.url, "", "", fakeBase+"#")
	eventually(t, "online", func() bool { return w.last(fakeBase+"boards") != "" })
	for range 200 {
		w.say(t, fakeBase+"table-07/cmd/flip", "", false)
	}
	w.ask(t, "table-08/", "flip", `{"id":"other"}`)
	f.shuffle("table-07", 3)
	eventually(t, "events go on", func() bool { return f.ackedUpTo("table-07") == 3 })
	// One is being carried out, or is about to be, and 64 wait.
	eventually(t, "the rest is counted", func() bool { return p.count.Overflow.Load() >= 200-1-queueLength })
	if n := p.count.Overflow.Load(); n > 200-queueLength {
		t.Errorf("%d counted", n)
	}
}

func TestRoute(t *testing.T) {
	t.Parallel()
	d, err := New(Options{URL: "mqtt://broker", Node: "club", ClientID: "x"}, newScripted("table-07"))
	if err != nil {
		t.Fatal(err)
	}
	tests := []struct {
		topic, board, verb string
		ok                 bool
	}{
		{"boardd/v1/club/table-07/cmd/flip", "table-07", "flip", true},
		{"boardd/v1/club/cmd/announce", "", "announce", true},
		{"boardd/v1/club/table-07/cmd/", "table-07", "", true},
		{"boardd/v1/club/cmd/cmd/x", "cmd", "x", true}, // no board has this name
		{"boardd/v1/club/table-07/cmd/a/b", "", "", false},
		{"boardd/v1/club/table-07/flip", "", "", false},
		{"boardd/v1/other/table-07/cmd/flip", "", "", false},
		{"", "", "", false},
	}
	for _, test := range tests {
		m, ok := d.route(test.topic)
		if ok != test.ok || ok && (m.board != test.board || m.verb != test.verb) {
			t.Errorf("%s: %+v %v", test.topic, m, ok)
		}
	}
}
