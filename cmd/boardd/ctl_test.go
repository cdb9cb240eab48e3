package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"
)

// listening starts a daemon with a socket; each id is a virtual board.
func listening(t *testing.T, ids ...string) (socket string, book *logbook, stop func() error) {
	t.Helper()
	socket = filepath.Join(t.TempDir(), "s")
	text := fmt.Sprintf("[node]\nsocket = %q\ndata = \"\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n", socket)
	for _, id := range ids {
		text += fmt.Sprintf("[[board]]\nid = %q\nname = \"Table %s\"\ndriver = \"virtual\"\n", id, id)
	}
	book, stop = living(t, &Main{Config: parsed(t, text), Speed: 20})
	eventually(t, "the game begins", time.Minute, func() bool {
		code, out, _ := boardd("ctl", "--socket", socket, "--board", ids[len(ids)-1], "--json", "state")
		return code == 0 && strings.Contains(out, `"status":"playing"`)
	})
	return socket, book, stop
}

func TestCtl(t *testing.T) {
	t.Parallel()
	socket, _, stop := listening(t, "a")
	for _, c := range []struct {
		args      string
		code      int
		out, errs string // what is to be found there; "" is nothing at all
	}{
		{"state", 0, "status           playing\n", ""},
		{"--json state", 0, `"status":"playing"`, ""},
		{"boards", 0, "a                Table a (virtual, sees pieces)\n", ""},
		{"--json boards", 0, `[{"id":"a","name":"Table a","driver":"virtual","acuity":"piece"}]`, ""},
		{"move uci=e2e5", 1, "", "boardd: move is refused (bad_value): "},
		{"identify by=me", 0, "a: done, event ", ""},
		{"identify id=x", 0, "a: done, event ", ""},
		{"identify id=x", 0, "a: done before, event ", ""},
		{"--board a led_brightness value=40", 0, "a: done, event ", ""},
		{"--json lights on=false", 0, `{"verb":"lights","board":"a","id":null,"status":"ok","code":null,"message":null,"seq":`, ""},
		{"new_game white=Anna time_control=900+10", 0, "a: done", ""},
		{"takeback plies=1", 1, "", "boardd: takeback is refused (nothing_to_take_back): "},
		{"--json takeback plies=1", 1, `"status":"error","code":"nothing_to_take_back"`, "boardd: takeback is refused"},
		{"result value=1-0 reason=forfeit", 0, "a: done", ""},
		{"resend from=1 max=2", 0, "    1 setup             Waiting for the start position\n", ""},
		{"announce", 0, "a: done", ""},
		{"--board b state", 1, "", `boardd: there is no board "b": there is a`},
		{"takebak", 2, "", `boardd: unknown verb "takebak": did you mean takeback?`},
		{"zzzzzz", 2, "", `boardd: unknown verb "zzzzzz": there is boards, state, events, announce`},
		{"takeback plies=0", 2, "", "boardd: plies: wants a whole number from 1 to 20"},
		{"takeback 1", 2, "", `boardd: "1": give keys as KEY=VALUE; takeback takes plies, id`},
		{"takeback side=white", 2, "", `boardd: takeback takes no key "side": it takes plies, id`},
		{"takeback plies=1 plies=2", 2, "", "boardd: plies is given twice"},
		{"state x=1", 2, "", `boardd: state takes no "x=1"`},
		{"--since 3 state", 2, "", "boardd: --since and --arbiter are for events"},
		{"", 2, "", "boardd: a VERB is missing"},
	} {
		code, out, errs := boardd(append([]string{"ctl", "--socket", socket}, strings.Fields(c.args)...)...)
		if code != c.code || !strings.Contains(out, c.out) || (c.out == "") != (out == "") || !strings.Contains(errs, c.errs) || (c.errs == "") != (errs == "") || strings.Count(errs, "\n") > 1 {
			t.Errorf("%s: code %d\nout %q\nerr %q", c.args, code, out, errs)
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	code, out, errs := boardd("ctl", "--socket", socket, "state")
	if code != 1 || out != "" || errs != "boardd: no daemon is running here: start boardd run (nobody listens at "+socket+")\n" {
		t.Errorf("nobody is there: code %d, %q, %q", code, out, errs)
	}
}

func TestCtlNeedsTheBoardWhereThereAreSeveral(t *testing.T) {
	t.Parallel()
	socket, _, _ := listening(t, "a", "b")
	code, _, errs := boardd("ctl", "--socket", socket, "flip")
	if code != 1 || errs != "boardd: flip is refused (bad_value): say which board: a, b\n" {
		t.Errorf("code %d, %q", code, errs)
	}
	if code, _, errs := boardd("ctl", "--socket", socket, "--board", "b", "identify"); code != 0 {
		t.Errorf("code %d, %q", code, errs)
	}
}

// Events are followed until the daemon ends; who starts a second daemon at the same place does not take it away.
func TestCtlEvents(t *testing.T) {
	t.Parallel()
	socket, _, stop := listening(t, "a")
	c := ctlCall{socket: socket, asJSON: true, sinceSet: true}
	var out logbook
	ctx, cancel := context.WithCancel(t.Context())
	ended := make(chan error, 1)
	go func() { ended <- c.run(ctx, "events", nil, &out) }()
	eventually(t, "what has been", 20*time.Second, func() bool { return strings.Contains(out.String(), `"type":"game_start"`) })

	second := &Main{Config: parsed(t, fmt.Sprintf("[node]\nsocket = %q\ndata = \"\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\ndriver = \"virtual\"\n", socket))}
	book, stopSecond := living(t, second)
	eventually(t, "the second one complains", 20*time.Second, func() bool {
		return strings.Contains(book.String(), "boardd ctl cannot reach this daemon") && strings.Contains(book.String(), "another boardd listens there") &&
			strings.Contains(book.String(), "MQTT: connected")
	})
	if err := stopSecond(); err != nil {
		t.Error(err)
	}
	if code, _, errs := boardd("ctl", "--socket", socket, "identify", "by=umpire"); code != 0 {
		t.Errorf("the first is not reached any more: %s", errs)
	}
	eventually(t, "what happens", 20*time.Second, func() bool { return strings.Contains(out.String(), `"by":"umpire"`) })
	seq := int64(0)
	for line := range strings.Lines(out.String()) {
		var e event
		if err := json.Unmarshal([]byte(line), &e); err != nil || e.Seq != seq+1 {
			t.Errorf("%v: %s", err, line)
		}
		seq = e.Seq
	}
	cancel()
	if err := <-ended; err != nil {
		t.Errorf("an interrupt is no fault: %v", err)
	}
	var rest logbook
	go func() { ended <- c.run(t.Context(), "events", nil, &rest) }()
	eventually(t, "it listens again", 20*time.Second, func() bool { return rest.String() != "" })
	if err := stop(); err != nil {
		t.Error(err)
	}
	if err := <-ended; err == nil || !strings.Contains(err.Error(), "the daemon has ended") {
		t.Errorf("the daemon's end: %v", err)
	}
}

func TestCtlFindsTheSocket(t *testing.T) {
	conf := file(t, "boardd.toml", "[node]\nsocket = \"/x/y\"\n[[board]]\ndriver = \"virtual\"\n")
	bad := file(t, "bad.toml", "socket\n")
	none := file(t, "none.toml", "[node]\nsocket = \"\"\n[[board]]\ndriver = \"virtual\"\n")
	t.Setenv("XDG_RUNTIME_DIR", "/run/user/7")
	for _, c := range []struct {
		call ctlCall
		env  string
		want string
	}{
		{ctlCall{}, "", "/run/boardd/boardd.sock /run/user/7/boardd.sock"},
		{ctlCall{}, "/e/s", "/e/s"},
		{ctlCall{socket: "/a"}, "/e/s", "/a"},
		{ctlCall{file: conf, fileSet: true}, "", "/x/y"},
		{ctlCall{file: none, fileSet: true}, "", "takes no commands here: node.socket is empty in " + none},
		{ctlCall{file: bad, fileSet: true}, "", bad + ":1: "},
		{ctlCall{file: conf}, "", "/x/y"}, // boardd.toml lies here, and nobody has named it
		{ctlCall{file: conf}, "/e/s", "/e/s"},
		{ctlCall{file: conf, socket: "/a"}, "", "/a"},
		{ctlCall{file: none}, "", "takes no commands here: node.socket is empty in " + none},
		{ctlCall{file: bad}, "", bad + ":1: "},
		{ctlCall{file: conf + ".not"}, "", "/run/boardd/boardd.sock /run/user/7/boardd.sock"},
		{ctlCall{file: conf + ".not", fileSet: true}, "", "there is no such file"},
	} {
		t.Setenv("BOARDD_NODE_SOCKET", c.env)
		if c.env == "" {
			unset(t, "BOARDD_NODE_SOCKET")
		}
		paths, err := c.call.paths(t.Context())
		if got := strings.Join(paths, " "); got != c.want && (err == nil || !strings.Contains(err.Error(), c.want)) {
			t.Errorf("%+v: %s, %v", c.call, got, err)
		}
	}
	t.Chdir(filepath.Dir(conf))
	if code, _, errs := boardd("ctl", "state"); code != 1 || !strings.Contains(errs, "nobody listens at /x/y)") {
		t.Errorf("beside a configuration: code %d, %s", code, errs)
	}
}

func TestCtlCompletes(t *testing.T) {
	t.Parallel()
	complete := func(args ...string) []string {
		var out, errs bytes.Buffer
		run(append([]string{"__complete", "ctl"}, args...), strings.NewReader(""), &out, &errs)
		return strings.Split(strings.TrimSpace(out.String()), "\n")
	}
	if got := complete(""); !slices.Contains(got, "takeback\ttake plies back") || !slices.Contains(got, "state\thow the board stands") {
		t.Errorf("%q", got)
	}
	if got := complete("draw", "action=offer", ""); got[0] != "side=\twhite or black" || slices.ContainsFunc(got, func(s string) bool { return strings.HasPrefix(s, "action") }) {
		t.Errorf("%q", got)
	}
	if got := complete("draw", "action="); !slices.Equal(got[:3], []string{"action=offer", "action=accept", "action=decline"}) {
		t.Errorf("%q", got)
	}
	socket, _, _ := listening(t, "a", "b")
	if got := complete("result", "value="); !slices.Equal(got[:4], []string{"value=*", "value=1-0", "value=0-1", "value=1/2-1/2"}) {
		t.Errorf("values: %q", got)
	}
	if got := complete("--socket", socket, "--board", ""); got[0] != "a\tTable a" || got[1] != "b\tTable b" {
		t.Errorf("%q", got)
	}
}

// unset takes a variable away that t.Setenv has set, and will set back.
func unset(t *testing.T, name string) {
	t.Helper()
	if err := os.Unsetenv(name); err != nil {
		t.Fatal(err)
	}
}
