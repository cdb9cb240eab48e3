package main

import (
	"errors"
	"fmt"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/scan"
)

// serviceSocket is the socket of a service manager.
type serviceSocket struct {
	path string
	mu   sync.Mutex
	got  []string // messages
}

func listenAsManager(t *testing.T) *serviceSocket {
	t.Helper()
	s := &serviceSocket{path: filepath.Join(t.TempDir(), "notify")}
	conn, err := net.ListenUnixgram("unixgram", &net.UnixAddr{Name: s.path, Net: "unixgram"})
	if err != nil {
		t.Fatal(err)
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		buf := make([]byte, 4096)
		for {
			n, err := conn.Read(buf)
			if err != nil {
				return
			}
			s.mu.Lock()
			s.got = append(s.got, string(buf[:n]))
			s.mu.Unlock()
		}
	}()
	t.Cleanup(func() { _ = conn.Close(); <-done })
	return s
}

// messages are those so far.
func (s *serviceSocket) messages() []string {
	s.mu.Lock()
	defer s.mu.Unlock()
	return slices.Clone(s.got)
}

// has reports whether there is a message of these lines.
func (s *serviceSocket) has(lines ...string) bool {
	return slices.Contains(s.messages(), strings.Join(lines, "\n"))
}

func (s *serviceSocket) times(message string) (n int) {
	for _, m := range s.messages() {
		if m == message {
			n++
		}
	}
	return n
}

// serve starts boardd as a service manager does.
func serve(t *testing.T, s *serviceSocket, text string, env ...string) *program {
	t.Helper()
	file := filepath.Join(t.TempDir(), "boardd.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	p := newProgram(t, "run", "-c", file)
	p.Env = append(append(p.Env, "NOTIFY_SOCKET="+s.path, "WATCHDOG_USEC=400000"), env...)
	p.SysProcAttr = &syscall.SysProcAttr{Setsid: true} // as a service it has no terminal
	p.file = file
	p.start(t)
	return p
}

const quietMQTT = "[node]\nname = \"test\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n"

// TestServiceIsToldHowBoarddDoes has SY-17: ready once and first, signs of life, and the end.
func TestServiceIsToldHowBoarddDoes(t *testing.T) {
	t.Parallel()
	s := listenAsManager(t)
	p := serve(t, s, quietMQTT+"[[board]]\ndriver = \"virtual\"\n")
	if !eventually(t, "signs of life", 20*time.Second, func() bool { return s.times("WATCHDOG=1") >= 3 }) {
		t.Fatalf("%q\n%s", s.messages(), &p.out.text)
	}
	p.signal(t, syscall.SIGTERM, exitOK)
	got := s.messages()
	var ready, fed []int
	for i, m := range got {
		switch {
		case strings.Contains(m, "READY="):
			ready = append(ready, i)
			if !strings.HasPrefix(m, "READY=1\nSTATUS=1 of 1 board online") {
				t.Errorf("ready with %q", m)
			}
		case m == "WATCHDOG=1":
			fed = append(fed, i)
		}
	}
	if len(ready) != 1 || ready[0] > fed[0] {
		t.Errorf("ready must come once, before signs of life: %q", got)
	}
	if got[len(got)-1] != "STOPPING=1\nSTATUS=ending" {
		t.Errorf("the last word is %q", got[len(got)-1])
	}
}

// TestServiceWithoutItsBoard has SY-01: boardd is up and says what is missing, and the watchdog is content.
func TestServiceWithoutItsBoard(t *testing.T) {
	t.Parallel()
	s := listenAsManager(t)
	port := filepath.Join(t.TempDir(), "ttyUSB0")
	p := serve(t, s, fmt.Sprintf("%s[[board]]\ndriver = \"dgt\"\nport = %q\n[[board]]\nid = \"two\"\ndriver = \"virtual\"\n", quietMQTT, port))
	if !eventually(t, "signs of life", 20*time.Second, func() bool { return s.times("WATCHDOG=1") >= 3 }) {
		t.Fatalf("%q\n%s", s.messages(), &p.out.text)
	}
	told := s.messages()
	status := told[slices.IndexFunc(told, func(m string) bool { return strings.HasPrefix(m, "READY=1\nSTATUS=") })]
	for _, part := range []string{"1 of 2 boards online; board: ", port} {
		if !strings.Contains(status, part) {
			t.Errorf("%q, want %q in it", status, part)
		}
	}
	p.signal(t, syscall.SIGTERM, exitOK)
}

func TestServiceIsToldOfABrokerThatIsNotReached(t *testing.T) {
	t.Parallel()
	s := listenAsManager(t)
	p := serve(t, s, "[mqtt]\nurl = \"mqtt://127.0.0.1:1\"\n[[board]]\ndriver = \"virtual\"\n")
	eventually(t, "the trouble in the status", 20*time.Second, func() bool {
		return s.has("STATUS=1 of 1 board online; the broker is not reached") || s.has("READY=1", "STATUS=1 of 1 board online; the broker is not reached")
	})
	p.signal(t, syscall.SIGTERM, exitOK)
}

// SY-02: a faulty configuration ends in one clear line and the code that RestartPreventExitStatus names, never ready.
func TestServiceWithAFaultyConfiguration(t *testing.T) {
	t.Parallel()
	s := listenAsManager(t)
	p := serve(t, s, "[mqtt]\nulr = \"mqtt://broker\"\n[[board]]\ndriver = \"virtual\"\n")
	select {
	case <-p.ended:
	case <-time.After(20 * time.Second):
		t.Fatal("does not end")
	}
	if code, text := p.ProcessState.ExitCode(), p.out.text.String(); code != exitUsage || strings.Count(text, "\n") != 1 || len(s.messages()) > 0 {
		t.Errorf("code %d, told %q\n%s", code, s.messages(), text)
	}
}

// hangingSensor reads an empty board, and hangs while it is held.
type hangingSensor struct {
	held sync.Mutex
}

func (s *hangingSensor) Traits() scan.Traits { return scan.Traits{} }
func (s *hangingSensor) Setup() error        { return nil }
func (s *hangingSensor) Check() error        { return nil }
func (s *hangingSensor) Close() error        { return nil }

func (s *hangingSensor) Read(r *scan.Reading) error {
	s.held.Lock()
	defer s.held.Unlock()
	r.Bits = 0
	return nil
}

// TestWatchdogIsNotFedWhileABoardHangs: a call to a sensor that never returns keeps the sign of life back; one that fails does not.
func TestWatchdogIsNotFedWhileABoardHangs(t *testing.T) {
	t.Parallel()
	one := &hangingSensor{}
	text := quietMQTT + homeMadeText(0, "one", "hc165") + homeMadeText(1, "two", "hc165")
	const watchdog = 100 * time.Millisecond
	var book *logbook
	ready := make(chan struct{})
	var once sync.Once
	m := &Main{
		Config: parsed(t, text),
		sensor: func(b *config.Board) (scan.Sensor, error) {
			if b.ID == "one" {
				return one, nil
			}
			return nil, errors.New("not there")
		},
		Manager: manager{watchdog: watchdog, send: func(state string) error {
			once.Do(func() { <-ready })
			fmt.Fprintf(book, "told %q\n", state)
			return nil
		}},
	}
	book, stop := living(t, m)
	close(ready)
	fed := func() int { return strings.Count(book.String(), `told "WATCHDOG=1"`) }
	if !eventually(t, "signs of life with one board away", 20*time.Second, func() bool { return fed() > 3 }) {
		return
	}
	one.held.Lock()
	ok := eventually(t, "the hang is noticed", 20*time.Second, func() bool { return strings.Contains(book.String(), `boards=one`) })
	before, since := fed(), time.Now()
	ok = ok && eventually(t, "time for more signs of life", 20*time.Second, func() bool { return time.Since(since) > 3*watchdog })
	if n := fed() - before; n > 0 {
		t.Errorf("fed %d times while a board hangs", n)
	}
	one.held.Unlock()
	before = fed()
	if ok && eventually(t, "signs of life again", 20*time.Second, func() bool { return fed() > before }) {
		if !strings.Contains(book.String(), "no board hangs any more") {
			t.Error("nobody says that it goes on")
		}
	}
	if err := stop(); err != nil {
		t.Error(err)
	}
	if n := strings.Count(book.String(), "STOPPING=1"); n != 1 {
		t.Errorf("the end is told %d times", n)
	}
}
