package mqtt

import (
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

var update = flag.Bool("update", false, "write the golden files")

// midGame is a feed with two boards, one in the middle of a game and one that has said nothing yet, at a fixed time.
func midGame() (*scripted, func() time.Time) {
	f := newScripted("table-07", "table-08")
	now := time.Date(2026, 3, 14, 19, 2, 11, 384e6, time.UTC)
	f.now = func() time.Time { return now }
	black, white := rules.Black, rules.White
	clocks := []*int64{ptr(897100), nil, ptr(893000)}
	s := &game.Snapshot{
		Status: "playing", Mode: "casual", Turn: &black, FEN: "rnbqkbnr/ppp2ppp/8/3pp3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 0 3",
		LastSAN: "Nf3", LastUCI: "g1f3", LastBy: &white, Orientation: "white", Match: true, ProvisionalUCI: "b8c6", Online: true,
		Game: &game.Record{
			ID: "20260314T184512Z-7c2e", StartFEN: standardFEN, White: "Anna <A>", Black: "Ben", TimeControl: "900+10", Variant: "standard",
			UCI: []string{"e2e4", "e7e5", "g1f3"}, SAN: []string{"e4", "e5", "Nf3"}, ClkMs: clocks, AtMs: []int64{2900, 6500, 20600}, Result: "*",
		},
		LastGame: &game.Record{
			ID: "20260314T181000Z-7c2d", StartFEN: "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", White: "Cleo", Variant: "standard", StartedT: -2_000_000,
			UCI: []string{"e2e4"}, SAN: []string{"e4"}, ClkMs: []*int64{nil}, AtMs: []int64{100}, Result: "1/2-1/2", Reason: "agreement",
		},
		Pending: &game.Pending{Kind: "promotion", Squares: []rules.Square{60}, DeadlineMs: 5000},
		Clock:   &game.ClockView{WhiteMs: 861500, BlackMs: 871000, Running: &black}, DefaultPromotion: "queen", LEDBrightness: 25, LightsOn: true,
	}
	f.say("table-07", "game_start", &game.GameStart{StartFEN: "startpos", White: named("Anna <A>"), Black: named("Ben"), Variant: "standard", Moves: []string{}}, nil)
	f.say("table-07", "move", &game.Moved{By: white, UCI: "g1f3", SAN: "Nf3", FEN: s.FEN, ClkMs: ptr(893000), PlacedMs: 20600}, s)
	s.Clock.T = s.T
	f.latest["table-07"] = game.StampedSnapshot{Snapshot: s, Board: "table-07", Epoch: testEpoch, TS: now, TSOK: true}
	view := &game.View{T: 2345, Placement: board.EmptyPicture(), Lifted: rules.Square(1).Bit() | rules.Square(62).Bit(), Provisional: "b8c6", DoubtID: 4}
	view.Placement[4] = 'K'
	f.views["table-07"] = view
	return f, f.now
}

func ptr(n int64) *int64     { return &n }
func named(s string) *string { return &s }

// Who subscribes late finds everything that is retained, in bodies as the golden files have them, at both brokers.
func TestRetainedBodies(t *testing.T) {
	for _, names := range []bool{true, false} {
		eachBroker(t, func(t *testing.T, s *station) {
			f, now := midGame()
			w := watch(t, s.url, s.user, s.pass, "boardd/v1/#")
			o := s.door
			o.PublishNames, o.Now = names, now
			p := openDoor(t, f, o)
			eventually(t, "both events are delivered", func() bool { return f.ackedUpTo("table-07") == 2 })
			eventually(t, "live", func() bool { return w.last("boardd/v1/club/table-07/live") != "" })
			late := watch(t, s.url, s.user, s.pass, "boardd/v1/#")
			topics := []string{
				"info", "boards", "status", "table-07/status", "table-07/settings", "table-07/game", "table-07/last_game",
				"table-07/state", "table-07/clock", "table-08/status",
			}
			for _, topic := range topics {
				eventually(t, topic, func() bool { return late.last("boardd/v1/club/"+topic) != "" })
				if m := late.all("boardd/v1/club/" + topic)[0]; !m.retained {
					t.Errorf("%s is not retained", topic)
				}
				golden(t, names, topic, late.last("boardd/v1/club/"+topic))
			}
			golden(t, names, "table-07/live", w.last("boardd/v1/club/table-07/live"))
			for i, e := range w.all("boardd/v1/club/table-07/event") {
				golden(t, names, fmt.Sprintf("table-07/event-%d", i+1), e.body)
			}
			for _, m := range late.all("") {
				if leaf := strings.TrimPrefix(m.topic, fakeBase); m.retained && !slices.Contains(topics, leaf) {
					t.Errorf("retained: %+v", m)
				}
			}
			p.stop()
			eventually(t, "offline", func() bool { return w.last("boardd/v1/club/status") == "offline" })
		})
	}
}

func golden(t *testing.T, names bool, topic, got string) {
	t.Helper()
	dir := map[bool]string{true: "named", false: "nameless"}[names]
	file := filepath.Join("testdata", "retained", dir, strings.ReplaceAll(topic, "/", ".")+".json")
	if *update {
		if err := os.MkdirAll(filepath.Dir(file), 0o755); err == nil {
			_ = os.WriteFile(file, []byte(got+"\n"), 0o644)
		}
	}
	want, err := os.ReadFile(file)
	if err != nil || string(want) != got+"\n" {
		t.Errorf("%s: %v\n got %s\nwant %s", file, err, got, want)
	}
}

// At a connection the node says who it is before it shows its boards, and shows them before it tells what happened.
func TestOrderAtConnect(t *testing.T) {
	t.Parallel()
	f, now := midGame()
	b := newFake(t)
	o := Options{URL: b.url(), Now: now, Discovery: "full", Fields: true, Images: true}
	openDoor(t, f, o)
	eventually(t, "both events are delivered", func() bool { return f.ackedUpTo("table-07") == 2 })
	got := b.topics()
	want := []string{
		"SUBSCRIBE", "status", "info",
		"homeassistant/device/club/_node/config", "homeassistant/device/club/table-07/config", "homeassistant/device/club/table-08/config",
		"info", "boards", "table-07/status", "table-07/game", "table-07/last_game", "table-07/state",
		"table-07/clock", "table-07/field/white_s", "table-07/field/black_s", "table-07/settings",
		"table-07/field/fen", "table-07/field/san", "table-07/field/turn", "table-07/field/result", "table-07/image", "table-08/status",
	}
	if len(got) < len(want)+2 || !slices.Equal(got[:len(want)], want) {
		t.Fatalf("got  %v\nwant %v", got, want)
	}
	rest := slices.DeleteFunc(got[len(want):], func(s string) bool { return s == "table-07/live" })
	if !slices.Equal(rest, []string{"table-07/event", "table-07/event"}) {
		t.Errorf("then %v", rest)
	}
}

// Each event is acknowledged before its state, game and clock follow; the next waits for nothing else.
func TestOrderOfAMove(t *testing.T) {
	t.Parallel()
	f := newScripted("table-07")
	b := newFake(t)
	f.shuffle("table-07", 1)
	openDoor(t, f, Options{URL: b.url()})
	eventually(t, "the first move", func() bool { return f.ackedUpTo("table-07") == 1 })
	n := len(b.topics())
	for move := range 5 {
		f.shuffle("table-07", 1)
		eventually(t, "game", func() bool { return strings.Count(strings.Join(b.topics()[n:], " "), "/game") == move+1 })
	}
	got := slices.DeleteFunc(b.topics()[n:], func(s string) bool { return s == "info" })
	want := slices.Repeat([]string{"table-07/event", "table-07/state", "table-07/game"}, 5)
	if !slices.Equal(got, want) {
		t.Errorf("got %v", got)
	}
}

// A snapshot that only brings a clock reading is no new state: consumers are not woken every second.
func TestOnlyWhatIsNew(t *testing.T) {
	t.Parallel()
	f, now := midGame()
	b := newFake(t)
	openDoor(t, f, Options{URL: b.url(), Now: now})
	eventually(t, "the start", func() bool { return f.ackedUpTo("table-07") == 2 })
	n := len(b.topics())
	f.mu.Lock()
	s := f.latest["table-07"]
	next := *s.Snapshot
	next.T += 7000
	next.Clock = &game.ClockView{WhiteMs: 861500, BlackMs: 864000, T: next.T}
	next.Pending = &game.Pending{Kind: "promotion", Squares: []rules.Square{60}, DeadlineMs: next.T + 3000}
	s.Snapshot, s.TS = &next, s.TS.Add(7*time.Second)
	f.latest["table-07"] = s
	f.signal()
	f.mu.Unlock()
	eventually(t, "the clock", func() bool { return len(b.topics()) > n })
	f.say("table-07", "resync", &game.Resync{}, nil)
	eventually(t, "the next event", func() bool { return f.ackedUpTo("table-07") == 3 })
	rest := slices.DeleteFunc(b.topics()[n:], func(s string) bool { return strings.HasSuffix(s, "live") })
	if !slices.Equal(rest, []string{"table-07/clock", "table-07/event"}) {
		t.Errorf("got %v", rest)
	}
}

// The will speaks when the connection is cut, also to who comes later, and the return is said again (MQ-21, MQ-22).
func TestWill(t *testing.T) {
	eachBroker(t, func(t *testing.T, s *station) {
		f := newScripted("table-07")
		c := layCable(t, s.url)
		o := s.door
		o.URL = c.url()
		w := watch(t, s.url, s.user, s.pass, "boardd/v1/club/status")
		openDoor(t, f, o)
		said := func() string {
			var all []string
			for _, m := range w.all("") {
				all = append(all, m.body)
			}
			return strings.Join(all, " ")
		}
		eventually(t, "online", func() bool { return strings.HasSuffix(said(), "online") })
		c.cut(true)
		eventually(t, "the will", func() bool { return strings.HasSuffix(said(), "offline") })
		late := watch(t, s.url, s.user, s.pass, "boardd/v1/club/status")
		eventually(t, "the will is retained", func() bool { l := late.all(""); return len(l) == 1 && l[0].body == "offline" && l[0].retained })
		c.cut(false)
		eventually(t, "online again", func() bool { return strings.HasSuffix(said(), "offline online") })
	})
}

// A late will of an earlier connection, or anybody's word, does not leave a living node offline.
func TestOfflineIsContradicted(t *testing.T) {
	t.Parallel()
	s := mosquitto(t, "allow_anonymous true\n")
	w := watch(t, s.url, "", "", "boardd/v1/club/status")
	openDoor(t, newScripted("table-07"), s.door)
	eventually(t, "online", func() bool { return w.last("boardd/v1/club/status") == "online" })
	w.say(t, "boardd/v1/club/status", "offline", true)
	eventually(t, "offline, then online", func() bool {
		all := w.all("boardd/v1/club/status")
		return len(all) >= 3 && all[len(all)-1].body == "online"
	})
}

// The clock is said on press, start and stop, every 10 s, and every second below 20 s.
func TestClockPace(t *testing.T) {
	t.Parallel()
	base := time.Date(2026, 3, 14, 12, 0, 0, 0, time.UTC)
	white, black := rules.White, rules.Black
	reading := func(w, b int64, running *rules.Color) *game.ClockView {
		return &game.ClockView{WhiteMs: w, BlackMs: b, Running: running}
	}
	tests := []struct {
		name      string
		said, now *game.ClockView
		after     time.Duration // since it was said
		due       bool
	}{
		{"nothing, as before", nil, nil, time.Hour, false},
		{"a clock appears", nil, reading(1, 2, nil), 0, true},
		{"a clock goes", reading(1, 2, nil), nil, 0, true},
		{"start", reading(300_000, 300_000, nil), reading(300_000, 300_000, &white), 0, true},
		{"press", reading(300_000, 300_000, &white), reading(300_000, 300_000, &black), 0, true},
		{"stop", reading(300_000, 300_000, &white), reading(300_000, 300_000, nil), 0, true},
		{"set while it stands", reading(300_000, 300_000, nil), reading(300_000, 600_000, nil), 0, true},
		{"stands", reading(300_000, 300_000, nil), reading(300_000, 300_000, nil), time.Hour, false},
		{"runs, 9.9 s later", reading(300_000, 300_000, &white), reading(300_000, 300_000, &white), 9900 * time.Millisecond, false},
		{"runs, a second's reading", reading(300_000, 300_000, &white), reading(299_000, 300_000, &white), time.Second, false},
		{"runs, 10 s later", reading(300_000, 300_000, &white), reading(300_000, 300_000, &white), 10 * time.Second, true},
		{"short of time, 0.9 s later", reading(15_000, 300_000, &white), reading(15_000, 300_000, &white), 900 * time.Millisecond, false},
		{"short of time, 1 s later", reading(15_000, 300_000, &white), reading(15_000, 300_000, &white), time.Second, true},
		{"the other is short of time", reading(15_000, 300_000, &black), reading(15_000, 300_000, &black), time.Second, false},
		{"the wall clock was set back", reading(300_000, 300_000, &white), reading(300_000, 300_000, &white), -time.Hour, true},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			var c clockSaid
			c.said(game.StampedSnapshot{Snapshot: &game.Snapshot{Clock: test.said}, TS: base}, base)
			now := game.StampedSnapshot{Snapshot: &game.Snapshot{Clock: test.now}, TS: base}
			if due := !c.is(now, base.Add(test.after)); due != test.due {
				t.Errorf("due %v, want %v", due, test.due)
			}
		})
	}
}

func TestClockBody(t *testing.T) {
	t.Parallel()
	ts := time.Date(2026, 3, 14, 19, 2, 11, 384e6, time.UTC)
	black := rules.Black
	running := &game.ClockView{WhiteMs: 861500, BlackMs: 3000, Running: &black, T: 400}
	tests := []struct {
		name  string
		clock *game.ClockView
		ok    bool
		after time.Duration
		want  string
	}{
		{"no clock", nil, true, 0, `{"v":1,"white_ms":null,"black_ms":null,"running":null,"at":null,"flag_at":null}`},
		{"read 100 ms before the snapshot", running, true, 0, `{"v":1,"white_ms":861500,"black_ms":2900,"running":"black","at":"2026-03-14T19:02:11.384Z","flag_at":"2026-03-14T19:02:14.284Z"}`},
		{"a second later", running, true, time.Second, `{"v":1,"white_ms":861500,"black_ms":1900,"running":"black","at":"2026-03-14T19:02:12.384Z","flag_at":"2026-03-14T19:02:14.284Z"}`},
		{"long after", running, true, time.Minute, `{"v":1,"white_ms":861500,"black_ms":0,"running":"black","at":"2026-03-14T19:03:11.384Z","flag_at":"2026-03-14T19:03:11.384Z"}`},
		{"wall clock not trusted", running, false, 0, `{"v":1,"white_ms":861500,"black_ms":2900,"running":"black","at":"2026-03-14T19:02:11.384Z","flag_at":null}`},
		{"stands", &game.ClockView{WhiteMs: 1, BlackMs: 2}, true, time.Hour, `{"v":1,"white_ms":1,"black_ms":2,"running":null,"at":"2026-03-14T20:02:11.384Z","flag_at":null}`},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			s := game.StampedSnapshot{Snapshot: &game.Snapshot{T: 500, Clock: test.clock}, TS: ts, TSOK: test.ok}
			if got := string(clockOf(s, ts.Add(test.after))); got != test.want {
				t.Errorf("got  %s\nwant %s", got, test.want)
			}
		})
	}
}

// live shows the newest view, and at most as many as its pace allows.
func TestLiveIsCoalesced(t *testing.T) {
	t.Parallel()
	s := embedded(t)
	f := newScripted("table-07")
	w := watch(t, s.url, "", "", "boardd/v1/club/table-07/live")
	openDoor(t, f, s.door)
	start := time.Now()
	for i := range 500 {
		f.show("table-07", &game.View{T: int64(i), Placement: board.EmptyPicture()})
	}
	eventually(t, "the last view", func() bool { return strings.Contains(w.last("boardd/v1/club/table-07/live"), `"t":499,`) })
	if n, most := len(w.all("")), int(time.Since(start)/hasty.live)+2; n > most {
		t.Errorf("%d messages, at most %d are due", n, most)
	}
}

// Names are hidden wherever an event holds them, and nothing else is changed.
func TestHideNames(t *testing.T) {
	t.Parallel()
	tests := []struct{ in, want string }{
		{`{}`, `{}`},
		{`{"type":"game_start","white":"Anna","black":"Ben","late":false}`, `{"type":"game_start","white":null,"black":null,"late":false}`},
		{`{"a":{"white":"Anna","n":1.50},"white":3}`, `{"a":{"white":null,"n":1.50},"white":3}`},
		{`{"by":"white","white":null}`, `{"by":"white","white":null}`},
		{
			`{"pgn":"[Event \"?\"]\n[White \"An\\\"na\"]\n[Black \"Ben\"]\n[WhiteElo \"2000\"]\n[Result \"*\"]\n\n1. e4 *\n"}`,
			`{"pgn":"[Event \"?\"]\n[White \"?\"]\n[Black \"?\"]\n[WhiteElo \"?\"]\n[Result \"*\"]\n\n1. e4 *\n"}`,
		},
	}
	for _, test := range tests {
		if got, err := hideNames([]byte(test.in)); err != nil || string(got) != test.want {
			t.Errorf("%s\n got %s, %v\nwant %s", test.in, got, err, test.want)
		}
	}
	if _, err := hideNames([]byte(`{"a":`)); err == nil {
		t.Error("half an object is no error")
	}
}

func TestOptions(t *testing.T) {
	t.Parallel()
	empty := filepath.Join(t.TempDir(), "empty.pem")
	large := filepath.Join(t.TempDir(), "large.pem")
	if err := os.WriteFile(large, make([]byte, maxPEM+1), 0o600); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(empty, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	good := Options{URL: "mqtt://broker", Node: "club", ClientID: "boardd-club-0a1b2c3d"}
	tests := []struct {
		name   string
		change func(*Options)
		want   string // in the error; "" for none
	}{
		{"good", func(*Options) {}, ""},
		{"no address", func(o *Options) { o.URL = "" }, "mqtt.url"},
		{"another scheme", func(o *Options) { o.URL = "http://broker" }, "mqtt.url"},
		{"a password in the address", func(o *Options) { o.URL = "mqtt://u:secret@broker" }, "mqtt.password_file"},
		{"node with a slash", func(o *Options) { o.Node = "a/b" }, "node.name"},
		{"client id with a space", func(o *Options) { o.ClientID = "a b" }, "client id"},
		{"root with a wildcard", func(o *Options) { o.Root = "a/+" }, "mqtt.root"},
		{"unknown class", func(o *Options) { o.Commands = "all" }, "mqtt.commands"},
		{"CA in the clear", func(o *Options) { o.CAFile = empty }, "mqtts://"},
		{"CA missing", func(o *Options) { o.URL, o.CAFile = "mqtts://broker", "/nonexistent" }, "mqtt.ca_file"},
		{"CA without certificates", func(o *Options) { o.URL, o.CAFile = "mqtts://broker", empty }, "no PEM certificate"},
		{"CA without end", func(o *Options) { o.URL, o.CAFile = "mqtts://broker", "/dev/zero" }, "mqtt.ca_file: read /dev/zero: not a regular file"},
		{"certificate without end", func(o *Options) { o.URL, o.CertFile, o.KeyFile = "mqtts://broker", "/dev/zero", empty }, "mqtt.cert_file: read /dev/zero"},
		{"key without end", func(o *Options) { o.URL, o.CertFile, o.KeyFile = "mqtts://broker", empty, "/dev/zero" }, "mqtt.key_file: read /dev/zero"},
		{"a large CA", func(o *Options) { o.URL, o.CAFile = "mqtts://broker", large }, "mqtt.ca_file: read " + large + ": too large"},
		{"certificate without key", func(o *Options) { o.URL, o.CertFile = "mqtts://broker", empty }, "mqtt.key_file"},
		{"certificate that is none", func(o *Options) { o.URL, o.CertFile, o.KeyFile = "wss://broker", empty, empty }, "mqtt.cert_file"},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			o := good
			test.change(&o)
			_, err := New(o, newScripted("table-07"))
			switch {
			case test.want == "" && err != nil:
				t.Error(err)
			case test.want != "" && (err == nil || !strings.Contains(err.Error(), test.want) || strings.Contains(err.Error(), "\n")):
				t.Errorf("error %v, want one line with %q", err, test.want)
			case err != nil && strings.Contains(err.Error(), "secret"):
				t.Errorf("the error tells the password: %v", err)
			}
		})
	}
	if _, err := New(good, newScripted("status")); err == nil || !strings.Contains(err.Error(), "status") {
		t.Errorf("a board named status: %v", err)
	}
}
