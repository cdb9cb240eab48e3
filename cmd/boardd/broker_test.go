package main

import (
	"io"
	"net"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"

	"github.com/boardd/boardd/mqtt"
	"github.com/boardd/boardd/mqtt/mqtttest"
)

// contract is docs/schemas, which every message that a test sees must keep to.
var contract = sync.OnceValues(func() (*mqtttest.Contract, error) {
	schemas := map[string]string{}
	for _, t := range mqtt.Topics {
		schemas[t.Address] = t.Schema
	}
	return mqtttest.Load("../../docs/schemas", schemas)
})

// reader is a subscriber that keeps all messages of a board, by the last level of their topics.
type reader struct {
	mu       sync.Mutex
	messages map[string][][]byte
}

func read(t *testing.T, address, node string) *reader {
	t.Helper()
	r := &reader{messages: map[string][][]byte{}}
	o := paho.NewClientOptions().AddBroker("tcp://" + address).SetClientID("reader-" + node).SetOrderMatters(true)
	c := paho.NewClient(o)
	if token := c.Connect(); token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	t.Cleanup(func() { c.Disconnect(250) })
	promised, err := contract()
	if err != nil {
		t.Fatal(err)
	}
	token := c.Subscribe("boardd/v1/"+node+"/#", 1, func(_ paho.Client, m paho.Message) {
		if err := promised.Check(strings.TrimPrefix(m.Topic(), "boardd/v1/"), m.Payload()); err != nil {
			t.Error(err)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		leaf := strings.TrimPrefix(m.Topic(), "boardd/v1/"+node+"/")
		r.messages[leaf] = append(r.messages[leaf], m.Payload())
	})
	if token.Wait() && token.Error() != nil {
		t.Fatal(token.Error())
	}
	return r
}

func (r *reader) last(leaf string) string {
	r.mu.Lock()
	defer r.mu.Unlock()
	all := r.messages[leaf]
	if len(all) == 0 {
		return ""
	}
	return string(all[len(all)-1])
}

func (r *reader) events(t *testing.T, leaf string) []event {
	r.mu.Lock()
	defer r.mu.Unlock()
	var out strings.Builder
	for _, m := range r.messages[leaf] {
		out.Write(m)
		out.WriteByte('\n')
	}
	return lines(t, out.String())
}

// mosquitto runs Debian's broker on a free port.
func mosquitto(t *testing.T) (address string) {
	t.Helper()
	program, err := exec.LookPath("mosquitto")
	if err != nil {
		program, err = exec.LookPath("/usr/sbin/mosquitto")
	}
	if err != nil {
		if os.Getenv("BOARDD_TEST") == "full" {
			t.Fatal("mosquitto is missing: scripts/deps.sh installs it")
		}
		t.Skip("mosquitto is not installed")
	}
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address = l.Addr().String()
	_ = l.Close()
	_, port, _ := net.SplitHostPort(address)
	conf := filepath.Join(t.TempDir(), "mosquitto.conf")
	if err := os.WriteFile(conf, []byte("listener "+port+" 127.0.0.1\nallow_anonymous true\nset_tcp_nodelay true\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command(program, "-c", conf)
	cmd.Stdout, cmd.Stderr = io.Discard, io.Discard
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		_ = cmd.Process.Kill()
		_ = cmd.Wait()
	})
	if !eventually(t, "mosquitto listens", 20*time.Second, func() bool {
		c, err := net.Dial("tcp", address)
		if err == nil {
			_ = c.Close()
		}
		return err == nil
	}) {
		t.FailNow()
	}
	return address
}
