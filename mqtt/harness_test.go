package mqtt

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"log/slog"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"go.uber.org/goleak"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// patience is how long a test waits for what must come.
const patience = 20 * time.Second

// eventually waits until ok, which is asked again and again.
func eventually(t *testing.T, what string, ok func() bool) {
	t.Helper()
	tick := time.NewTicker(2 * time.Millisecond)
	defer tick.Stop()
	for deadline := time.Now().Add(patience); !ok(); <-tick.C {
		if time.Now().After(deadline) {
			t.Fatalf("never came: %s", what)
		}
	}
}

// notebook keeps what is logged.
type notebook struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (n *notebook) Write(p []byte) (int, error) {
	n.mu.Lock()
	defer n.mu.Unlock()
	return n.text.Write(p)
}

func (n *notebook) lines(with string) (list []string) {
	n.mu.Lock()
	defer n.mu.Unlock()
	for line := range strings.Lines(n.text.String()) {
		if strings.Contains(line, with) {
			list = append(list, strings.TrimSpace(line))
		}
	}
	return list
}

// hasty is a pace at which tests need not wait.
var hasty = pace{
	dial: 5 * time.Second, connect: 6 * time.Second, ack: 5 * time.Second, leave: 2 * time.Second,
	selfTest: 5 * time.Second,
	pauseMin: 2 * time.Millisecond, pauseMax: 20 * time.Millisecond, calm: time.Minute, brief: time.Minute,
	live: 20 * time.Millisecond, info: 20 * time.Millisecond, do: 5 * time.Second,
	birth: 20 * time.Millisecond, image: 20 * time.Millisecond, keepAlive: 15 * time.Second, ping: 5 * time.Second,
}

// porch is a Door that runs until the test ends or stop is called.
type porch struct {
	*Door
	log  *notebook
	stop func()
}

func openDoor(t *testing.T, f *scripted, o Options, change ...func(*Door)) *porch {
	t.Helper()
	p := &porch{log: &notebook{}}
	o.Node, o.Version = "club", "0.9.0"
	if o.ClientID == "" {
		o.ClientID = "boardd-club-0a1b2c3d"
	}
	o.Logger = slog.New(slog.NewTextHandler(p.log, nil))
	d, err := New(o, f)
	if err != nil {
		t.Fatal(err)
	}
	d.pace = hasty
	holdToContract(t, d)
	for _, c := range change {
		c(d)
	}
	p.Door = d
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- d.Run(ctx) }()
	p.stop = sync.OnceFunc(func() {
		cancel()
		select {
		case err := <-done:
			if err != nil {
				t.Errorf("Run: %v", err)
			}
		case <-time.After(patience):
			t.Error("the door does not stop")
		}
	})
	t.Cleanup(p.stop)
	t.Cleanup(func() {
		if t.Failed() {
			t.Logf("log of the door:\n%s", strings.Join(p.log.lines(""), "\n"))
		}
	})
	return p
}

// heard is a message that a watcher got.
type heard struct {
	topic, body string
	retained    bool
	qos         byte
}

// watcher is a client that looks on and may speak.
type watcher struct {
	client paho.Client
	mu     sync.Mutex
	got    []heard
}

func watch(t *testing.T, url, user, password string, filters ...string) *watcher {
	t.Helper()
	w := &watcher{}
	o := paho.NewClientOptions().AddBroker(url).SetClientID("watcher-" + rnd()).SetUsername(user).SetPassword(password).
		SetProtocolVersion(4).SetAutoReconnect(false).SetOrderMatters(true).SetConnectTimeout(patience).
		SetDefaultPublishHandler(func(_ paho.Client, m paho.Message) {
			w.mu.Lock()
			defer w.mu.Unlock()
			w.got = append(w.got, heard{m.Topic(), string(m.Payload()), m.Retained(), m.Qos()})
		})
	w.client = paho.NewClient(o)
	if err := paho.WaitTokenTimeout(w.client.Connect(), patience); err != nil {
		t.Fatalf("watcher: %v", err)
	}
	t.Cleanup(func() { w.client.Disconnect(100) })
	for _, f := range filters {
		token := w.client.Subscribe(f, 1, nil)
		if err := paho.WaitTokenTimeout(token, patience); err != nil {
			t.Fatalf("watcher: subscribe %s: %v", f, err)
		}
	}
	return w
}

func readFile(t *testing.T, name string) string {
	t.Helper()
	text, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func readJSON(t *testing.T, name string, to any) {
	t.Helper()
	if err := json.Unmarshal([]byte(readFile(t, name)), to); err != nil {
		t.Fatalf("%s: %v", name, err)
	}
}

func rnd() string { return fmt.Sprintf("%08x", time.Now().UnixNano()&0xffffffff) }

func (w *watcher) all(topic string) (list []heard) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, m := range w.got {
		if topic == "" || m.topic == topic {
			list = append(list, m)
		}
	}
	return list
}

func (w *watcher) last(topic string) string {
	if l := w.all(topic); len(l) > 0 {
		return l[len(l)-1].body
	}
	return ""
}

func (w *watcher) say(t *testing.T, topic, body string, retained bool) {
	t.Helper()
	if err := paho.WaitTokenTimeout(w.client.Publish(topic, 1, retained, body), patience); err != nil {
		t.Fatalf("watcher: publish %s: %v", topic, err)
	}
}

// seqs are the numbers of the events on a topic, in the order in which they came.
func (w *watcher) seqs(t *testing.T, topic string) (list []int64) {
	t.Helper()
	for _, m := range w.all(topic) {
		var e struct {
			Seq int64 `json:"seq"`
		}
		if err := json.Unmarshal([]byte(m.body), &e); err != nil {
			t.Fatalf("%s: %v in %s", topic, err, m.body)
		}
		list = append(list, e.Seq)
	}
	return list
}

// checkSeqs wants 1 to n, each once or more, each new one following the greatest so far.
func checkSeqs(t *testing.T, got []int64, n int64) (duplicates int) {
	t.Helper()
	var top int64
	for i, seq := range got {
		switch {
		case seq == top+1:
			top = seq
		case seq > top:
			t.Fatalf("event %d comes after %d (place %d of %v)", seq, top, i, got)
		default:
			duplicates++
		}
	}
	if top != n {
		t.Fatalf("events end at %d, want %d", top, n)
	}
	return duplicates
}

// station is a broker to test against. The door gets options, watchers the guest's account.
type station struct {
	url         string
	door        Options
	user, pass  string
	stop, start func() // the process; nil for the embedded broker
}

// eachBroker runs a test against the embedded broker and against mosquitto.
func eachBroker(t *testing.T, run func(t *testing.T, s *station)) {
	t.Run("embedded", func(t *testing.T) { t.Parallel(); run(t, embedded(t)) })
	t.Run("mosquitto", func(t *testing.T) { t.Parallel(); run(t, mosquitto(t, "allow_anonymous true\n")) })
}

func embedded(t *testing.T) *station {
	t.Helper()
	b, err := StartBroker(BrokerOptions{Listen: "127.0.0.1:0", Node: "club", ClientID: "boardd-club-0a1b2c3d", Logger: slog.New(slog.DiscardHandler)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = b.Close() })
	s := &station{}
	b.Admit(&s.door)
	s.url = s.door.URL
	return s
}

// needs finds a program of Debian's or skips; where everything is to be tested it fails.
func needs(t *testing.T, program string) string {
	t.Helper()
	path, err := exec.LookPath(program)
	if err != nil {
		for _, dir := range []string{"/usr/sbin/", "/usr/local/sbin/"} {
			if _, err := os.Stat(dir + program); err == nil {
				return dir + program
			}
		}
		if os.Getenv("BOARDD_TEST") == "full" {
			t.Fatalf("%s is not installed", program)
		}
		t.Skipf("%s is not installed", program)
	}
	return path
}

func freePort(t *testing.T) int {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = l.Close() }()
	return l.Addr().(*net.TCPAddr).Port
}

// mosquitto runs Debian's broker on a free port, with further lines of configuration; files are put beside it. In lines and
// files DIR stands for the directory and PORT for the port.
func mosquitto(t *testing.T, lines string, files ...string) *station {
	t.Helper()
	program := needs(t, "mosquitto")
	dir := t.TempDir()
	port := freePort(t)
	place := strings.NewReplacer("DIR", dir, "PORT", fmt.Sprint(port)).Replace
	if !strings.Contains(lines, "listener ") {
		lines = "listener PORT 127.0.0.1\n" + lines
	}
	for name, text := range pairs(files) {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(place(text)), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	conf := filepath.Join(dir, "mosquitto.conf")
	if err := os.WriteFile(conf, []byte(place("user root\nset_tcp_nodelay true\n"+lines)), 0o600); err != nil {
		t.Fatal(err)
	}
	s := &station{url: fmt.Sprintf("mqtt://127.0.0.1:%d", port)}
	s.door.URL = s.url
	var cmd *exec.Cmd
	var output *notebook
	s.start = func() {
		output = &notebook{}
		cmd = exec.Command(program, "-c", conf)
		cmd.Stderr, cmd.Stdout = output, output
		if err := cmd.Start(); err != nil {
			t.Fatal(err)
		}
		eventually(t, "mosquitto listens", func() bool {
			c, err := net.Dial("tcp", fmt.Sprintf("127.0.0.1:%d", port))
			if err == nil {
				_ = c.Close()
			}
			return err == nil
		})
	}
	s.stop = func() {
		if cmd != nil {
			_ = cmd.Process.Kill()
			_ = cmd.Wait()
			cmd = nil
		}
	}
	t.Cleanup(func() {
		s.stop()
		if t.Failed() {
			t.Logf("log of mosquitto:\n%s", strings.Join(output.lines(""), "\n"))
		}
	})
	s.start()
	return s
}

func pairs(list []string) map[string]string {
	m := map[string]string{}
	for pair := range slices.Chunk(list, 2) {
		m[pair[0]] = pair[1]
	}
	return m
}

// cable is a connection to a broker that a test can cut.
type cable struct {
	listener net.Listener
	mu       sync.Mutex
	ends     []net.Conn
	broken   bool
	wait     sync.WaitGroup
}

func layCable(t *testing.T, url string) *cable {
	t.Helper()
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	c := &cable{listener: l}
	target := strings.TrimPrefix(url, "mqtt://")
	c.wait.Go(func() {
		for {
			near, err := l.Accept()
			if err != nil {
				return
			}
			far, err := net.Dial("tcp", target)
			if err != nil || !c.hold(near, far) {
				_ = near.Close()
				if far != nil {
					_ = far.Close()
				}
				continue
			}
			for _, way := range [][2]net.Conn{{near, far}, {far, near}} {
				c.wait.Go(func() {
					_, _ = io.Copy(way[0], way[1])
					_ = way[0].Close()
				})
			}
		}
	})
	t.Cleanup(func() {
		_ = l.Close()
		c.cut(true)
		c.wait.Wait()
	})
	return c
}

func (c *cable) hold(ends ...net.Conn) bool {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.ends = append(c.ends, ends...)
	return !c.broken
}

// cut ends what goes through; a broken cable lets nothing through until it is mended.
func (c *cable) cut(broken bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.broken = broken
	for _, e := range c.ends {
		_ = e.Close()
	}
	c.ends = nil
}

func (c *cable) url() string { return "mqtt://" + c.listener.Addr().String() }
