package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"
	"time"
	"unicode"
	"unicode/utf8"

	"golang.org/x/time/rate"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

func TestDecodeCommand(t *testing.T) {
	t.Parallel()
	seq := int64(1843)
	tests := []struct {
		name, verb, payload string
		want                request
		code                string
	}{
		{"nothing", "flip", "", request{}, ""},
		{"white space", "flip", " \n", request{}, ""},
		{"empty object", "flip", "{}", request{}, ""},
		{"all the common keys", "takeback", `{"id":"ha-9f31","game":"g1","if_seq":1843,"plies":2,"by":"arbiter"}`, request{Command: board.Command{ID: "ha-9f31", Game: "g1", IfSeq: &seq, Plies: 2, By: "arbiter"}}, ""},
		{"new game", "new_game", `{"white":"Anna","black":"Ben","time_control":"900+10","start_fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1","variant":"chess960","force":true}`, request{Command: board.Command{White: "Anna", Black: "Ben", TimeControl: "900+10", StartFEN: "8/8/8/8/8/8/8/K1k5 w - - 0 1", Variant: "chess960", Force: true}}, ""},
		{"promotion", "promotion", `{"piece":"knight"}`, request{Command: board.Command{Piece: "knight"}}, ""},
		{"choose", "choose", `{"doubt":7,"n":1}`, request{Command: board.Command{Doubt: 7, N: 1}}, ""},
		{"draw", "draw", `{"side":"black","action":"accept"}`, request{Command: board.Command{Side: "black", Action: "accept"}}, ""},
		{"flip", "flip", `{"orientation":"black"}`, request{Command: board.Command{Orientation: "black"}}, ""},
		{"resend", "resend", `{"from":10,"max":500}`, request{From: 10, Max: 500}, ""},
		{"brightness", "led_brightness", `{"value":100}`, request{Command: board.Command{Value: new(int(100))}}, ""},
		{"lights off", "lights", `{"on":false}`, request{Command: board.Command{On: new(bool)}}, ""},
		{"result", "result", `{"value":"1-0","reason":"forfeit"}`, request{Command: board.Command{Result: "1-0", Reason: "forfeit"}}, ""},
		{"edit", "edit", `{"from_ply":3,"uci":["e2e4","a7a8q"]}`, request{Command: board.Command{FromPly: 3, UCI: board.Plies{"e2e4", "a7a8q"}}}, ""},
		{"edit to nothing", "edit", `{"from_ply":3,"uci":[]}`, request{Command: board.Command{FromPly: 3}}, ""},
		{"claim", "claim", `{"side":"white","kind":"fifty","uci":"a1a2"}`, request{Command: board.Command{Side: "white", Kind: "fifty", UCI: board.Plies{"a1a2"}}}, ""},
		{"accept", "accept", `{"seq":7}`, request{Command: board.Command{Seq: 7}}, ""},
		{"truncate", "truncate", `{"ply":0,"result":"*"}`, request{Command: board.Command{Ply: new(int), Result: "*"}}, ""},
		{"names", "names", `{"white":"Anna","event":"Open","site":"Ghent","round":"3","table":"7"}`, request{Command: board.Command{White: "Anna", Event: "Open", Site: "Ghent", Round: "3", Table: "7"}}, ""},
		{"clock", "clock_set", `{"white_ms":0,"add_ms":-60000,"side":"black"}`, request{Command: board.Command{WhiteMs: new(int64), AddMs: ptr(-60000), Side: "black"}}, ""},
		{"mode", "mode", `{"mode":"observer"}`, request{Command: board.Command{Mode: "observer"}}, ""},
		{"setup", "setup", `{"fen":"8/8/8/8/8/8/8/K1k5 w - - 0 1"}`, request{Command: board.Command{FEN: "8/8/8/8/8/8/8/K1k5 w - - 0 1"}}, ""},
		{"null is absent", "takeback", `{"id":null,"plies":null}`, request{}, ""},
		{"unknown keys are ignored", "flip", `{"retain":[1,{"x":2}],"ID":"no"}`, request{}, ""},
		{"the verb is the topic's", "flip", `{"verb":"resign"}`, request{}, ""},
		{"a name's control characters are dropped", "new_game", `{"white":" An\u0007na\n"}`, request{Command: board.Command{White: "Anna"}}, ""},
		{"64 runes in a name", "new_game", `{"white":"` + strings.Repeat("ä", 64) + `"}`, request{Command: board.Command{White: strings.Repeat("ä", 64)}}, ""},
		{"4096 bytes", "flip", "{" + strings.Repeat(" ", 4094) + "}", request{}, ""},

		{"65 runes in a name", "new_game", `{"white":"` + strings.Repeat("ä", 65) + `"}`, request{}, codeBadValue},
		{"4097 bytes", "flip", "{" + strings.Repeat(" ", 4095) + "}", request{}, codeTooLarge},
		{"not JSON", "flip", "PRESS", request{}, codeBadJSON},
		{"cut off", "flip", `{"id":"x"`, request{}, codeBadJSON},
		{"two objects", "flip", `{}{}`, request{}, codeBadJSON},
		{"a list", "flip", `[]`, request{}, codeBadJSON},
		{"a number", "flip", `1`, request{}, codeBadJSON},
		{"null", "flip", `null`, request{}, codeBadJSON},
		{"not UTF-8", "flip", "{\"id\":\"\xff\"}", request{}, codeBadJSON},
		{"deep nesting", "flip", strings.Repeat(`{"a":`, 600) + "1" + strings.Repeat("}", 600), request{}, ""},
		{"deep and open", "flip", strings.Repeat(`[`, 4000), request{}, codeBadJSON},
		{"id too long", "flip", `{"id":"` + strings.Repeat("a", 41) + `"}`, request{}, codeBadValue},
		{"id with a space", "flip", `{"id":"a b"}`, request{}, codeBadValue},
		{"id is a number", "flip", `{"id":7}`, request{}, codeBadValue},
		{"the id is kept when another key is bad", "takeback", `{"plies":21,"id":"x1"}`, request{Command: board.Command{ID: "x1"}}, codeBadValue},
		{"plies 0", "takeback", `{"plies":0}`, request{}, codeBadValue},
		{"plies 1.5", "takeback", `{"plies":1.5}`, request{}, codeBadValue},
		{"plies as text", "takeback", `{"plies":"1"}`, request{}, codeBadValue},
		{"plies huge", "takeback", `{"plies":99999999999999999999}`, request{}, codeBadValue},
		{"if_seq negative", "takeback", `{"if_seq":-1}`, request{}, codeBadValue},
		{"piece king", "promotion", `{"piece":"king"}`, request{}, codeBadValue},
		{"piece in capitals", "promotion", `{"piece":"Queen"}`, request{}, codeBadValue},
		{"side green", "resign", `{"side":"green"}`, request{}, codeBadValue},
		{"action other", "draw", `{"action":"ask"}`, request{}, codeBadValue},
		{"force 1", "new_game", `{"force":1}`, request{}, codeBadValue},
		{"value 101", "led_brightness", `{"value":101}`, request{}, codeBadValue},
		{"variant other", "new_game", `{"variant":"atomic"}`, request{}, codeBadValue},
		{"FEN too long", "new_game", `{"start_fen":"` + strings.Repeat("8", 101) + `"}`, request{}, codeBadValue},
		{"line end in by", "flip", `{"by":"a\nb"}`, request{}, codeBadValue},
		{"max 501", "resend", `{"max":501}`, request{}, codeBadValue},
		{"a number for a result", "result", `{"value":1}`, request{}, codeBadValue},
		{"a result for a brightness", "led_brightness", `{"value":"1-0"}`, request{}, codeBadValue},
		{"no move", "edit", `{"uci":["e2e4","castle"]}`, request{}, codeBadValue},
		{"a move in a list in a list", "edit", `{"uci":[["e2e4"]]}`, request{}, codeBadValue},
		{"mode other", "mode", `{"mode":"blitz"}`, request{}, codeBadValue},
		{"reason with blanks", "result", `{"reason":"he left"}`, request{}, codeBadValue},
		{"ply negative", "truncate", `{"ply":-1}`, request{}, codeBadValue},
		{"a hundred hours and more", "clock_set", `{"white_ms":360000001}`, request{}, codeBadValue},
		{"round too long", "names", `{"round":"` + strings.Repeat("x", 65) + `"}`, request{}, codeBadValue},
		{"verb in capitals", "FLIP", "", request{}, codeUnknownVerb},
		{"verb empty", "", "", request{}, codeUnknownVerb},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			got, no := decodeCommand(test.verb, []byte(test.payload))
			test.want.Verb = test.verb
			code := ""
			if no != nil {
				code = no.code
			}
			if code != test.code || !reflect.DeepEqual(got, test.want) {
				t.Errorf("got %+v, %q\nwant %+v, %q", got, code, test.want, test.code)
			}
		})
	}
}

// FuzzDecodeCommand: whatever comes in, what gets through keeps to the ranges, and every refusal has a code and a line.
func FuzzDecodeCommand(f *testing.F) {
	for _, seed := range []string{
		``, `{}`, `{"id":"ha-9f31","game":"g","if_seq":1843,"plies":1,"by":"arbiter"}`, `{"white":"A\u0000","force":true}`,
		`{"piece":"queen"}`, `{"from":1,"max":5}`, `{"id":"\ud800"}`, `[1]`, "{\"a\":\"\xff\"}", `{"plies":1e1}`, strings.Repeat(`{"a":`, 300),
	} {
		f.Add("takeback", []byte(seed))
	}
	f.Add("result", []byte(`{"value":"1/2-1/2","reason":"arbiter","uci":"e2e4","ply":0,"white_ms":5}`))
	f.Add("edit", []byte(`{"uci":["e2e4","x"],"from_ply":1}`))
	f.Add("t\xffk", []byte(`{"id":"x"}`))
	f.Fuzz(func(t *testing.T, verb string, payload []byte) {
		r, no := decodeCommand(verb, payload)
		if no != nil && (no.code == "" || no.message == "" || strings.ContainsAny(no.message, "\n\r")) {
			t.Fatalf("refusal %+v", no)
		}
		if !utf8.ValidString(r.Verb) || len(r.Verb) > 32 || r.ID != "" && !idSyntax.MatchString(r.ID) {
			t.Fatalf("verb %q, id %q", r.Verb, r.ID)
		}
		if r.Plies < 0 || r.Plies > 20 || r.Max < 0 || r.Max > 500 || r.From < 0 || r.N < 0 || r.N > 255 || r.IfSeq != nil && *r.IfSeq < 0 {
			t.Fatalf("out of range: %+v", r)
		}
		for _, uci := range r.UCI {
			if !uciSyntax.MatchString(uci) {
				t.Fatalf("move %q", uci)
			}
		}
		if r.Ply != nil && *r.Ply < 0 || r.FromPly < 0 || r.Seq < 0 || r.AddMs != nil && *r.AddMs < -maxMs || r.WhiteMs != nil && *r.WhiteMs > maxMs {
			t.Fatalf("out of range: %+v", r)
		}
		for _, s := range []string{r.Event, r.Site, r.Round, r.Table, r.Reason, r.Result, r.FEN, r.White, r.Black, r.By, r.Game, r.TimeControl, r.StartFEN} {
			if utf8.RuneCountInString(s) > 100 || strings.ContainsFunc(s, unicode.IsControl) || !utf8.ValidString(s) {
				t.Fatalf("text %q", s)
			}
		}
		if again, no2 := decodeCommand(verb, payload); !reflect.DeepEqual(r, again) || !reflect.DeepEqual(no, no2) {
			t.Fatal("not the same twice")
		}
	})
}

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
		if got := w.seqs(t, fakeBase+"table-07/resend"); !slices.Equal(got, []int64{3, 4, 6, 7}) {
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
	if got := w.ask(t, "table-07/", "flip", long); !strings.Contains(got, codeTooLarge) {
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
	all := Verbs()
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
				no := d.admit(d.lanes["table-07"], message{board: "table-07"}, &request{Command: board.Command{Verb: verb}})
				if no == nil {
					through = append(through, verb)
				} else if no.code != codeForbidden {
					t.Errorf("%s: %+v", verb, no)
				}
			}
			if got := strings.Join(through, " "); got != test.verbs {
				t.Errorf("through: %s\nwant:    %s", got, test.verbs)
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
