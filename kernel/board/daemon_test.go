//go:build kernel

package board

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
)

// user is somebody of the guest's /etc/passwd.
type user struct {
	uid    uint32
	groups []uint32
}

var (
	daemonUser = user{990, []uint32{997, 988, 989, 20}} // gpio, i2c, spi, dialout
	newcomer   = user{991, nil}
)

// as makes a command run as a user and not as root.
func (u user) as(cmd *exec.Cmd) *exec.Cmd {
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: u.uid, Gid: u.uid, Groups: u.groups}}
	cmd.Dir = "/tmp"
	cmd.Env = []string{"HOME=/tmp", "PATH=/bin"}
	return cmd
}

// program is boardd, out of the shared folder once, because that one is slow to load from.
var program = sync.OnceValues(func() (string, error) {
	text, err := os.ReadFile("/host/boardd")
	if err != nil {
		return "", err
	}
	const path = "/tmp/boardd"
	return path, os.WriteFile(path, text, 0o755)
})

func boardd(t *testing.T, u user, args ...string) *exec.Cmd {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return u.as(exec.Command(path, args...))
}

// folder is a new one that a user owns.
func folder(t *testing.T, u user) string {
	t.Helper()
	dir, err := os.MkdirTemp("/tmp", "kernel")
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = os.RemoveAll(dir) })
	if err := errors.Join(os.Chmod(dir, 0o755), os.Chown(dir, int(u.uid), int(u.uid))); err != nil {
		t.Fatal(err)
	}
	return dir
}

// configured writes a configuration and gives its path. What boards says comes after the node's own part.
func configured(t *testing.T, u user, boards string) string {
	t.Helper()
	dir := folder(t, u)
	text := fmt.Sprintf("[node]\nname = \"guest\"\ndata = %q\n[mqtt]\nlisten = \"127.0.0.1:0\"\n%s", dir, boards)
	path := filepath.Join(dir, "boardd.toml")
	if err := os.WriteFile(path, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

// book is what a process says, while it says it.
type book struct {
	mu   sync.Mutex
	text bytes.Buffer
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.Write(p)
}

func (b *book) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.text.String()
}

// daemon is a boardd that runs, and all that it has published.
type daemon struct {
	log    *book
	client paho.Client

	mu       sync.Mutex
	messages map[string][][]byte
}

// run starts boardd as a user and listens at its own broker. It is interrupted when the test is over, and must then end well.
func run(t *testing.T, u user, boards string) *daemon {
	t.Helper()
	d := &daemon{log: &book{}, messages: map[string][][]byte{}}
	cmd := boardd(t, u, "run", "-c", configured(t, u, boards))
	cmd.Stdout, cmd.Stderr = d.log, d.log
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	ended := make(chan error, 1)
	go func() { ended <- cmd.Wait() }()
	t.Cleanup(func() {
		_ = cmd.Process.Signal(syscall.SIGINT)
		select {
		case err := <-ended:
			if err != nil {
				t.Errorf("boardd: %v", err)
			}
		case <-time.After(time.Minute):
			_ = cmd.Process.Kill()
			t.Errorf("boardd does not end: %v", <-ended)
		}
		if t.Failed() {
			t.Logf("boardd's log:\n%s", d.log)
			d.mu.Lock()
			defer d.mu.Unlock()
			for topic, all := range d.messages {
				if strings.HasSuffix(topic, "/event") {
					t.Logf("%s:\n%s", topic, bytes.Join(all, []byte("\n")))
				}
			}
		}
	})
	address := ""
	eventually(t, "boardd's broker listens:\n"+d.log.String(), time.Minute, func() bool {
		_, after, ok := strings.Cut(d.log.String(), " address=")
		fields := strings.Fields(after)
		if ok && len(fields) > 0 {
			address = fields[0]
		}
		return address != ""
	})
	d.client = paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("test").SetOrderMatters(true))
	t.Cleanup(func() { d.client.Disconnect(100) })
	must(t, d.client.Connect())
	must(t, d.client.Subscribe("boardd/v1/guest/#", 1, func(_ paho.Client, m paho.Message) {
		d.mu.Lock()
		defer d.mu.Unlock()
		leaf := strings.TrimPrefix(m.Topic(), "boardd/v1/guest/")
		d.messages[leaf] = append(d.messages[leaf], m.Payload())
	}))
	return d
}

func must(t *testing.T, token paho.Token) {
	t.Helper()
	if !token.WaitTimeout(time.Minute) {
		t.Fatal("the broker does not answer")
	}
	if err := token.Error(); err != nil {
		t.Fatal(err)
	}
}

// command gives a board a command.
func (d *daemon) command(t *testing.T, board, verb, body string) {
	t.Helper()
	must(t, d.client.Publish("boardd/v1/guest/"+board+"/cmd/"+verb, 1, false, body))
}

// status is what the board's cable is said to be.
func (d *daemon) status(board string) string {
	d.mu.Lock()
	defer d.mu.Unlock()
	all := d.messages[board+"/status"]
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)-1])
}

// event is an event of a board, with the keys that are asked about here.
type event struct {
	Seq    int64
	Epoch  string
	Type   string
	Ply    int
	SAN    string
	Result string
	Reason string
	PGN    string
	ToPly  int `json:"to_ply"`
	TS     time.Time

	DeadlineMs int64 `json:"deadline_ms"`

	raw string
}

// events are those of a board since the test has listened, each once.
func (d *daemon) events(t *testing.T, board string) (all []event) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	for _, m := range d.messages[board+"/event"] {
		e := event{raw: string(m)}
		if err := json.Unmarshal(m, &e); err != nil {
			t.Errorf("an event is %q: %v", m, err)
			continue
		}
		if len(all) == 0 || e.Seq > all[len(all)-1].Seq {
			all = append(all, e)
		}
	}
	return all
}

// state is a board's last one, or what counts of it here.
type state struct {
	FEN, Status string
	Match       bool
}

func (d *daemon) state(t *testing.T, board string) (s state) {
	t.Helper()
	d.mu.Lock()
	defer d.mu.Unlock()
	if all := d.messages[board+"/state"]; len(all) > 0 {
		if err := json.Unmarshal(all[len(all)-1], &s); err != nil {
			t.Errorf("state: %v", err)
		}
	}
	return s
}
