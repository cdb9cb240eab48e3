package main

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	"github.com/creack/pty"
)

var ends = []syscall.Signal{syscall.SIGINT, syscall.SIGTERM, syscall.SIGHUP}

// program is boardd as a process of its own.
type program struct {
	*exec.Cmd
	out   watched
	file  string // its configuration, if a test is to change it
	ended chan error
}

// newProgram is boardd, not started yet.
func newProgram(t *testing.T, args ...string) *program {
	p := &program{Cmd: exec.Command(os.Args[0], args...), ended: make(chan error, 1)}
	p.Env = append(os.Environ(), asProgram+"=1", "BOARDD_NODE_DATA="+t.TempDir())
	p.Stdout, p.Stderr = &p.out, &p.out
	p.out.until(regexp.MustCompile("$^"), func() {})
	return p
}

// start starts it; it ends with the test.
func (p *program) start(t *testing.T) {
	t.Helper()
	if err := p.Start(); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = p.Process.Kill() })
	go func() { p.ended <- p.Wait() }()
}

// launch starts boardd; said is closed when its output, stderr too, has a pattern.
func launch(t *testing.T, pattern string, args ...string) (p *program, said chan struct{}) {
	t.Helper()
	p = newProgram(t, args...)
	said = make(chan struct{})
	p.out.until(regexp.MustCompile(pattern), sync.OnceFunc(func() { close(said) }))
	p.start(t)
	return p, said
}

// signal sends one and waits for the end.
func (p *program) signal(t *testing.T, s syscall.Signal, code int) {
	t.Helper()
	if err := p.Process.Signal(s); err != nil {
		t.Fatal(err)
	}
	select {
	case <-p.ended:
		if got := p.ProcessState.ExitCode(); got != code {
			t.Errorf("%v: exit code %d (%v), want %d\n%s", s, got, p.ProcessState, code, p.out.text.String())
		}
	case <-time.After(10 * time.Second):
		t.Fatalf("%v: does not end", s)
	}
}

func wait(t *testing.T, what string, c <-chan struct{}) {
	t.Helper()
	select {
	case <-c:
	case <-time.After(10 * time.Second):
		t.Fatalf("never came: %s", what)
	}
}

// A command that waits for more of a file ends with the first signal.
func TestSignalEndsReading(t *testing.T) {
	t.Parallel()
	for _, args := range [][]string{{"replay"}, {"replay", "--json"}, {"check-config", "-c"}, {"run", "-c"}, {"fit"}} {
		for _, s := range ends {
			t.Run(fmt.Sprint(args, s), func(t *testing.T) {
				t.Parallel()
				fifo := filepath.Join(t.TempDir(), "fifo")
				if err := syscall.Mkfifo(fifo, 0o600); err != nil {
					t.Fatal(err)
				}
				p, _ := launch(t, "$^", append(args[:len(args):len(args)], fifo)...)
				reading := make(chan struct{})
				var w *os.File
				var err error
				go func() { // opening waits for boardd to open it too
					w, err = os.OpenFile(fifo, os.O_WRONLY, 0)
					close(reading)
				}()
				wait(t, "boardd opens the file", reading)
				if err != nil {
					t.Fatal(err)
				}
				t.Cleanup(func() { _ = w.Close() })
				if _, err := w.WriteString("\n"); err != nil {
					t.Fatal(err)
				}
				p.signal(t, s, exitFault)
				if got := p.out.text.String(); got != "boardd: interrupted\n" {
					t.Errorf("it says %q", got)
				}
			})
		}
	}
}

// The standard input likewise.
func TestSignalEndsReadingOfStandardInput(t *testing.T) {
	t.Parallel()
	for _, s := range ends {
		r, w, err := os.Pipe()
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _, _ = r.Close(), w.Close() })
		p := &program{Cmd: exec.Command(os.Args[0], "replay", "-"), ended: make(chan error, 1)}
		p.Env = append(os.Environ(), asProgram+"=1", "BOARDD_NODE_DATA="+t.TempDir())
		said := make(chan struct{})
		p.out.until(regexp.MustCompile("-:2: not a line"), sync.OnceFunc(func() { close(said) }))
		p.Stdin, p.Stdout, p.Stderr = r, &p.out, &p.out
		if err := p.Start(); err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { _ = p.Process.Kill() })
		go func() { p.ended <- p.Wait() }()
		if _, err := w.WriteString(`{"recording":1,"acuity":"piece"}` + "\nnonsense\n"); err != nil {
			t.Fatal(err)
		}
		wait(t, "the second line is read", said)
		p.signal(t, s, exitFault)
	}
}

// The daemon ends in its order, whichever signal ends it. SIGHUP does where it says that the terminal has gone, whose process boardd
// then is.
func TestSignalEndsRun(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "boardd.toml")
	text := "[node]\nname = \"test\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\ndriver = \"virtual\"\n"
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	for _, s := range ends {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			host, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(func() { _, _ = host.Close(), tty.Close() })
			p := newProgram(t, "run", "-c", file)
			p.Stdin, p.SysProcAttr = tty, &syscall.SysProcAttr{Setsid: true, Setctty: true}
			up := make(chan struct{})
			p.out.until(regexp.MustCompile("MQTT: connected"), sync.OnceFunc(func() { close(up) }))
			p.start(t)
			wait(t, "the connection", up)
			p.signal(t, s, exitOK)
			if text := p.out.text.String(); !strings.Contains(text, "boardd ends") || strings.Contains(text, "level=ERROR") {
				t.Error(text)
			}
		})
	}
}

// The demo gives the terminal back with its cursor, also when it is the terminal that goes away: it may say so twice.
func TestSignalEndsDemo(t *testing.T) {
	t.Parallel()
	for _, s := range ends {
		t.Run(s.String(), func(t *testing.T) {
			t.Parallel()
			host, tty, err := pty.Open()
			if err != nil {
				t.Fatal(err)
			}
			defer host.Close()
			cmd := exec.Command(os.Args[0], "demo")
			cmd.Env = append(os.Environ(), asProgram+"=1", "TERM=xterm")
			cmd.Stdin, cmd.Stdout, cmd.Stderr = tty, tty, tty
			if err := cmd.Start(); err != nil {
				t.Fatal(err)
			}
			_ = tty.Close()
			t.Cleanup(func() { _ = cmd.Process.Kill() })
			var out bytes.Buffer
			buf := make([]byte, 4096)
			sent := false
			for {
				_ = host.SetReadDeadline(time.Now().Add(10 * time.Second))
				n, err := host.Read(buf)
				out.Write(buf[:n])
				if errors.Is(err, os.ErrDeadlineExceeded) {
					t.Fatal("does not end")
				}
				if err != nil { // the other end is closed
					break
				}
				if !sent && strings.Contains(out.String(), "The board is set up") {
					sent = true
					_ = cmd.Process.Signal(s)
				}
			}
			_ = cmd.Wait()
			text := out.String()
			if code := cmd.ProcessState.ExitCode(); code != exitOK || !sent {
				t.Errorf("exit code %d (%v):\n%s", code, cmd.ProcessState, text)
			}
			if hidden, shown := strings.LastIndex(text, "\x1b[?25l"), strings.LastIndex(text, "\x1b[?25h"); shown < hidden {
				t.Error("the cursor stays hidden")
			}
		})
	}
}

// A file without end is refused in one line.
func TestFilesWithoutEnd(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	write := func(name, text string) string {
		path := filepath.Join(dir, name)
		if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		return path
	}
	const virtual = "[node]\ndata = \"\"\n[[board]]\ndriver = \"virtual\"\n"
	password := write("password.toml", "[mqtt]\nusername = \"u\"\npassword_file = \"/dev/zero\"\n"+virtual)
	ca := write("ca.toml", "[mqtt]\nurl = \"mqtts://127.0.0.1:1\"\nca_file = \"/dev/zero\"\n"+virtual)
	cert := write("cert.toml", "[mqtt]\nurl = \"mqtts://127.0.0.1:1\"\ncert_file = \"/dev/zero\"\nkey_file = \"/dev/zero\"\n"+virtual)
	for _, c := range []struct {
		args []string
		code int
	}{
		{[]string{"check-config", "-c", "/dev/zero"}, exitUsage},
		{[]string{"run", "-c", "/dev/zero"}, exitUsage},
		{[]string{"check-config", "-c", password}, exitUsage},
		{[]string{"run", "-c", password}, exitUsage},
		{[]string{"run", "-c", ca}, exitUsage},
		{[]string{"run", "-c", cert}, exitUsage},
		{[]string{"fit", "--make", "1", "--pgn", "/dev/zero"}, exitUsage},
		{[]string{"replay", "/dev/zero"}, exitFault},
		{[]string{"fit", "/dev/zero"}, exitFault},
	} {
		code, stdout, stderr := boardd(c.args...)
		text := stdout + stderr
		if code != c.code || !strings.Contains(text, "/dev/zero") || strings.Count(text, "/dev/zero") > 2 || strings.Count(text, "\n") > 4 {
			t.Errorf("%v: code %d\n%s", c.args, code, text)
		}
	}
}
