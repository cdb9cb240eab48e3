package chaos

import (
	"fmt"
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"
)

// broker is a mosquitto that can be ended and started again at the same port. It is set up as docs/mqtt.md says for a recorder.
type broker struct {
	t       testing.TB
	program string
	conf    string
	address string

	mu  sync.Mutex
	cmd *exec.Cmd
}

func newBroker(t testing.TB) *broker {
	t.Helper()
	b := &broker{t: t, program: tool(t, "mosquitto")}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	b.address = l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(b.address)
	dir := t.TempDir()
	b.conf = filepath.Join(dir, "mosquitto.conf")
	text := fmt.Sprintf("listener %s 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\npersistence true\npersistence_location %s/\n"+
		"autosave_on_changes true\nautosave_interval 1\nmax_inflight_messages 1\nmax_queued_messages 100000\n", port, dir)
	if os.Getuid() == 0 { // else mosquitto becomes a user that may not write there
		text += "user root\n"
	}
	if err := os.WriteFile(b.conf, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	b.start()
	t.Cleanup(func() { b.stop(os.Kill) })
	return b
}

// start returns when it listens.
func (b *broker) start() {
	cmd := exec.Command(b.program, "-c", b.conf)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		b.t.Error(err)
		return
	}
	b.mu.Lock()
	b.cmd = cmd
	b.mu.Unlock()
	eventually(b.t, "mosquitto listens", 20*time.Second, func() bool {
		c, err := net.Dial("tcp", b.address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	})
}

// stop ends it by a signal, and returns when it has ended.
func (b *broker) stop(s os.Signal) {
	b.mu.Lock()
	cmd := b.cmd
	b.cmd = nil
	b.mu.Unlock()
	if cmd == nil {
		return
	}
	_ = cmd.Process.Signal(s)
	_ = cmd.Wait()
}
