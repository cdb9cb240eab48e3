package main

import (
	"bytes"
	"context"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/leds/terminal"
)

// The whole way: hands, sensors, tracker, table, broker, subscriber.
func TestDemoPublishesWhatWasPlayed(t *testing.T) {
	t.Parallel()
	endgame := filepath.Join(t.TempDir(), "endgame.pgn")
	text := "[White \"Ann\"]\n[Black \"Bo\"]\n[FEN \"4k3/P7/8/8/8/8/8/4K3 w - - 0 1\"]\n\n1. a8=R+ {a rook!} Kd7 2. Kd2 Kd6 3. Kd3 *\n"
	if err := os.WriteFile(endgame, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, c := range []struct {
		name string
		args []string
		want []string
	}{
		{"presence", nil, []string{"27 of 27 moves", "A game begins", "5. cxb8=N", "A pawn is on b8: promote it to a queen,",
			"White may not move from c3 to e4: the king would be exposed to check (attack from b4), article 3.9.2", "lights: c3 blue, e4 orange", "11... O-O", "11. O-O-O", "e5d6",
			"White wins: checkmate", "Lights: the king that blinks has lost", "mosquitto_sub -p"}},
		{"color", []string{"--acuity", "color"}, []string{"27 of 27 moves", "White may not move from c3 to e4"}},
		{"piece", []string{"--acuity", "piece"}, []string{"27 of 27 moves", "c7b8n", "White may not move from c3 to e4"}},
		{"at the highest speed", []string{"--speed", "1000"}, []string{"27 of 27 moves"}},
		{"a PGN from a position", []string{"--pgn", endgame}, []string{"5 of 5 moves", "Ann - Bo", "a7a8r"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			code, stdout, stderr := boardd(append([]string{"demo", "--speed", "20"}, c.args...)...)
			if code != exitOK || stderr != "" {
				t.Errorf("code %d, stderr %q", code, stderr)
			}
			for _, want := range c.want {
				if !strings.Contains(stdout, want) {
					t.Errorf("%q is missing", want)
				}
			}
			if strings.Contains(stdout, "\x1b") {
				t.Error("escapes in plain text")
			}
			if t.Failed() {
				t.Log(stdout)
			}
		})
	}
}

func TestDemoUsage(t *testing.T) {
	t.Parallel()
	broken := filepath.Join(t.TempDir(), "broken.pgn")
	if err := os.WriteFile(broken, []byte("1. e4 Qh5"), 0o600); err != nil {
		t.Fatal(err)
	}
	taken, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer taken.Close()
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"--listen", taken.Addr().String()}, exitFault,
			"--listen " + taken.Addr().String() + ": another program listens there: use another port, or 0 for a free one"},
		{[]string{"--acuity", "sharp"}, exitUsage, "presence, color or piece"},
		{[]string{"--speed", "0"}, exitUsage, "--speed 0: use 0.1 to 1000"},
		{[]string{"--speed", "NaN"}, exitUsage, "--speed NaN"},
		{[]string{"--style", "wild"}, exitUsage, "use blitz, bullet, club, clumsy or slow"},
		{[]string{"--listen", "1883"}, exitUsage, "use ADDRESS:PORT, such as 127.0.0.1:1884"},
		{[]string{"--listen", ":1883"}, exitUsage, "listens on this machine only: use 127.0.0.1:1883"},
		{[]string{"--pgn", filepath.Join(t.TempDir(), "none.pgn")}, exitUsage, "no such file"},
		{[]string{"--pgn", "/dev/zero"}, exitUsage, "--pgn: read /dev/zero: not a regular file"},
		{[]string{"--pgn", broken}, exitFault, `"Qh5": move 1...:`},
	} {
		code, stdout, stderr := boardd(append([]string{"demo"}, c.args...)...)
		if code != c.code || !strings.Contains(stderr, c.want) || strings.Count(stderr, "\n") != 1 || stdout != "" {
			t.Errorf("%v: code %d, %q, %q", c.args, code, stdout, stderr)
		}
	}
}

func TestCompare(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, want, got string
		same            bool
		summary         string
	}{
		{"same", "e2e4 e7e5", "e2e4 e7e5", true, "2 of 2 moves published as they were played"},
		{"another move", "e2e4 e7e5", "e2e4 d7d5", false, "1 of 2 moves agree; then e7e5 was played and d7d5 published"},
		{"a move is missing", "e2e4 e7e5", "e2e4", false, "1 of 2 moves agree; then e7e5 was played and nothing published"},
		{"a move too many", "e2e4", "e2e4 e7e5", false, "1 of 1 moves agree; then nothing was played and e7e5 published"},
	} {
		same, summary := compare(strings.Fields(c.want), strings.Fields(c.got))
		if same != c.same || summary != c.summary {
			t.Errorf("%s: %v, %s", c.name, same, summary)
		}
	}
}

func TestWitnessKeepsTheMovesThatStand(t *testing.T) {
	t.Parallel()
	w := &witness{screen: terminal.New(io.Discard, terminal.Options{}), news: make(chan struct{}, 1)}
	for _, payload := range []string{
		`{"type":"game_start"}`, `{"type":"move","ply":1,"uci":"e2e4"}`, `{"type":"move","ply":2,"uci":"e7e5"}`,
		`{"type":"takeback","to_ply":1}`, `{"type":"move","ply":2,"uci":"d7d5"}`, `not JSON`, `{"type":"takeback","to_ply":-7}`,
		`{"type":"move","ply":-3,"uci":"a2a3"}`, `{"type":"game_start"}`, `{"type":"move","ply":1,"uci":"c2c4"}`, `{"type":"move","ply":1,"uci":"c2c4"}`,
	} {
		w.hear([]byte(payload))
	}
	if got := strings.Join(w.standing(), " "); got != "c2c4" {
		t.Error(got)
	}
}

func TestEventLines(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ payload, want string }{
		{`{"type":"move","ply":1,"uci":"e2e4","san":"e4","text":"White: pawn from e2 to e4"}`, "   1. e4       e2e4"},
		{`{"type":"move","ply":22,"uci":"e8g8","san":"O-O"}`, "11... O-O      e8g8"},
		{`{"type":"takeback","to_ply":3,"text":"Taken back: e2e4"}`, "Taken back: e2e4"},
		{`{"type":"of another version"}`, "of another version"},
	} {
		var out bytes.Buffer
		w := &witness{screen: terminal.New(&out, terminal.Options{}), news: make(chan struct{}, 1)}
		w.hear([]byte(c.payload))
		if got := strings.TrimSuffix(out.String(), "\n"); got != c.want {
			t.Errorf("got %q, want %q", got, c.want)
		}
	}
}

// onTerminal runs the demo on a terminal of 80 by 24 until it ends or ctx does, and gives what it wrote.
func onTerminal(t *testing.T, ctx context.Context, d *demo) (summary string, out []byte, err error) {
	t.Helper()
	host, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	if err := pty.Setsize(tty, &pty.Winsize{Cols: 80, Rows: 24}); err != nil {
		t.Fatal(err)
	}
	var text bytes.Buffer
	var reader sync.WaitGroup
	reader.Go(func() { _, _ = io.Copy(&text, host) })
	d.screen = terminal.New(tty, abilities(tty, func(name string) string {
		return map[string]string{"LANG": "C.UTF-8", "COLORTERM": "truecolor"}[name]
	}))
	summary, err = d.run(ctx)
	tty.Close()
	reader.Wait()
	return summary, text.Bytes(), err
}

func newDemo(t *testing.T, speed float64) *demo {
	t.Helper()
	g, err := readPGN(builtIn)
	if err != nil {
		t.Fatal(err)
	}
	h, err := handsOf("", board.Presence, 1)
	if err != nil {
		t.Fatal(err)
	}
	h.directed = true
	return &demo{game: g, hands: h, speed: speed}
}

func TestDemoOnATerminal(t *testing.T) {
	t.Parallel()
	summary, out, err := onTerminal(t, t.Context(), newDemo(t, 20))
	if err != nil || !strings.HasPrefix(summary, "27 of 27") {
		t.Errorf("%q, %v", summary, err)
	}
	for _, want := range []string{"♞", "\x1b[48;2;", "checkmate", "Watch:  mosquitto_sub", "/image' -v", "\x1b[?25l"} {
		if !bytes.Contains(out, []byte(want)) {
			t.Errorf("%q was never written", want)
		}
	}
	if last := bytes.LastIndex(out, []byte("\x1b[?25")); !bytes.HasPrefix(out[last:], []byte("\x1b[?25h")) {
		t.Error("the cursor stays hidden")
	}
}

// In a loop the men are set up again and the next game is understood too; an interruption ends it without a complaint.
func TestDemoLoops(t *testing.T) {
	t.Parallel()
	d := newDemo(t, 40)
	d.game.moves = d.game.moves[:7]
	d.loop = true
	ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
	defer cancel()
	var out watched
	out.until(regexp.MustCompile(`(?s)7 of 7 moves.*A game begins.*7 of 7 moves`), cancel)
	d.screen = terminal.New(&out, terminal.Options{})
	summary, err := d.run(ctx)
	if err != nil || summary != "interrupted" || !out.found() {
		t.Errorf("%q, %v\n%s", summary, err, out.text.String())
	}
}

// watched is text that calls something once a pattern is in it.
type watched struct {
	mu      sync.Mutex
	text    bytes.Buffer
	pattern *regexp.Regexp
	done    func()
	seen    bool
}

func (w *watched) until(p *regexp.Regexp, done func()) { w.pattern, w.done = p, done }

func (w *watched) Write(p []byte) (int, error) {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.text.Write(p)
	if !w.seen && w.pattern.Match(w.text.Bytes()) {
		w.seen = true
		w.done()
	}
	return len(p), nil
}

func (w *watched) found() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.seen
}

func TestAbilities(t *testing.T) {
	t.Parallel()
	host, tty, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	defer host.Close()
	defer tty.Close()
	for _, c := range []struct {
		name   string
		out    io.Writer
		env    map[string]string
		moves  bool
		colors terminal.Colors
		ascii  bool
	}{
		{"a pipe", io.Discard, map[string]string{"LANG": "de_DE.UTF-8"}, false, terminal.NoColors, false},
		{"a terminal", tty, map[string]string{"LANG": "de_DE.utf8"}, true, terminal.Palette256, false},
		{"24 bits", tty, map[string]string{"LC_ALL": "C.UTF-8", "COLORTERM": "24bit"}, true, terminal.TrueColor, false},
		{"NO_COLOR", tty, map[string]string{"COLORTERM": "truecolor", "NO_COLOR": "1"}, true, terminal.NoColors, true},
		{"LC_ALL before LANG", tty, map[string]string{"LC_ALL": "C", "LANG": "de_DE.UTF-8"}, true, terminal.Palette256, true},
		{"a dumb terminal", tty, map[string]string{"TERM": "dumb"}, false, terminal.NoColors, true},
	} {
		o := abilities(c.out, func(name string) string { return c.env[name] })
		if o.Moves != c.moves || o.Colors != c.colors || o.ASCII != c.ascii {
			t.Errorf("%s: %+v", c.name, o)
		}
	}
}
