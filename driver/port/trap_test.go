package port

import (
	"errors"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/creack/pty"
	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// scripted is a line that gives what a test wants.
type scripted struct {
	serial.Port
	read  func([]byte) (int, error)
	write func([]byte) (int, error)
}

func (s *scripted) Read(b []byte) (int, error)  { return s.read(b) }
func (s *scripted) Write(b []byte) (int, error) { return s.write(b) }

func (s *scripted) Close() error {
	if s.Port != nil {
		return s.Port.Close()
	}
	return nil
}
func (s *scripted) ResetOutputBuffer() error { return nil }

func (s *scripted) SetMode(*serial.Mode) error { return nil }

func over(s *scripted) *Port {
	p := &Port{path: "/dev/board", line: s, frames: make(chan []byte, 4), closing: make(chan struct{}), hopeless: make(chan struct{}),
		failed: make(chan struct{}), written: make(chan struct{})}
	go p.writer()
	return p
}

// SE-01, SE-03, SE-31: that nothing has come is neither an end nor an error, however often; a line that ends is gone, as one that hangs
// up is.
func TestNothingIsNoEnd(t *testing.T) {
	t.Parallel()
	for _, end := range []error{io.EOF, unix.EIO} {
		left := 1000
		p := over(&scripted{read: func(b []byte) (int, error) {
			if left--; left == 500 {
				return copy(b, "x"), nil
			} else if left > 0 {
				return 0, nil
			}
			return 0, end
		}})
		b := make([]byte, 10)
		if n, err := p.Read(b); n != 1 || err != nil || left != 500 {
			t.Errorf("%d %v after %d", n, err, left)
		}
		if n, err := p.Read(b); n != 0 || !errors.Is(err, end) {
			t.Errorf("%d %v, want %v", n, err, end)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// SE-10: a call that a signal interrupts is made again.
func TestInterruptedWrite(t *testing.T) {
	t.Parallel()
	var wrote []byte
	calls := 0
	p := over(&scripted{write: func(b []byte) (int, error) {
		if calls++; calls%2 == 1 {
			return -1, unix.EINTR
		}
		wrote = append(wrote, b[:1]...) // and not all at once
		return 1, nil
	}})
	if _, err := p.Write([]byte("dark")); err != nil {
		t.Fatal(err)
	}
	if err := p.Close(); err != nil || string(wrote) != "dark" {
		t.Errorf("%q, %v", wrote, err)
	}
}

// SE-10: the runtime interrupts its threads by signals.
func TestSignalsWhileReading(t *testing.T) {
	t.Parallel()
	master, slave := pair(t)
	p := opened(t, slave.Name())
	done := make(chan error, 1)
	go func() {
		got := make([]byte, 200)
		_, err := io.ReadFull(p, got)
		done <- err
	}()
	for range 200 {
		for range 5 {
			if err := unix.Kill(os.Getpid(), unix.SIGURG); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := master.Write([]byte{1}); err != nil {
			t.Fatal(err)
		}
	}
	if err := <-done; err != nil {
		t.Error(err)
	}
}

// SE-13: reading, writing and closing together are no race, and each comes to its end.
func TestAllAtOnce(t *testing.T) {
	t.Parallel()
	for range 10 {
		master, slave := pair(t)
		p := opened(t, slave.Name())
		var all sync.WaitGroup
		for range 3 {
			all.Go(func() {
				b := make([]byte, 8)
				for {
					if _, err := p.Read(b); err != nil {
						return
					}
				}
			})
			all.Go(func() {
				for {
					if _, err := p.Write([]byte("x")); err != nil {
						return
					}
				}
			})
			all.Go(func() {
				_, _ = master.Write([]byte("hello"))
				_ = p.Close()
			})
		}
		all.Wait()
	}
}

// SE-14: waiting for bytes has a bound that is neither so small that the library takes it for none, nor long.
func TestPollReturns(t *testing.T) {
	t.Parallel()
	if tick < 5*time.Millisecond {
		t.Fatalf("the library may wait for ever with %v", tick)
	}
	_, slave := pair(t)
	p := opened(t, slave.Name())
	for range 3 {
		began := time.Now()
		if n, err := p.Poll(make([]byte, 1)); n != 0 || err != nil || time.Since(began) > time.Second {
			t.Errorf("%d %v after %v", n, err, time.Since(began))
		}
	}
}

// SE-30: a board that says nothing costs next to nothing.
func TestIdleLineIsCheap(t *testing.T) {
	t.Parallel()
	_, slave := pair(t)
	p := opened(t, slave.Name())
	line := p.line
	var reads atomic.Int64
	p.line = &scripted{Port: line, read: func(b []byte) (int, error) { reads.Add(1); return line.Read(b) }}
	ended := make(chan error, 1)
	go func() {
		_, err := p.Read(make([]byte, 1))
		ended <- err
	}()
	<-time.After(time.Second)
	if n := reads.Load(); n < 1 || n > 10 {
		t.Errorf("%d reads in a second of silence", n)
	}
	p.Close()
	<-ended
}

// SE-15, SE-18: a port that another program has open is said with its name, until it ends.
func TestHolderIsNamed(t *testing.T) {
	t.Parallel()
	_, slave := pair(t)
	if by := Holder(slave.Name()); by != "" {
		t.Errorf("held by %s", by)
	}
	link := filepath.Join(t.TempDir(), "usb-board")
	if err := os.Symlink(slave.Name(), link); err != nil {
		t.Fatal(err)
	}
	other := exec.Command("sleep", "60")
	other.Stdin = slave
	if err := other.Start(); err != nil {
		t.Fatal(err)
	}
	if by := Holder(link); !strings.HasPrefix(by, "sleep (process ") {
		t.Errorf("held by %q", by)
	}
	busy := explain(link, &serial.PortError{})
	if code := (&serial.PortError{}).Code(); code != serial.PortBusy || !errors.Is(busy, ErrBusy) || !strings.Contains(busy.Error(), "end sleep (process ") {
		t.Errorf("%v", busy)
	}
	_ = other.Process.Kill()
	_ = other.Wait()
	if by := Holder(link); by != "" {
		t.Errorf("still held by %s", by)
	}
}

// An emulated board in a process of its own has both ends of its pseudo terminal open, and is no other program at the port.
func TestFarEndIsNoHolder(t *testing.T) {
	t.Parallel()
	master, slave := pair(t)
	_, foreign := pair(t)
	board := exec.Command("sleep", "60")
	board.Stdin, board.Stdout, board.Stderr = slave, master, foreign
	if err := board.Start(); err != nil {
		t.Fatal(err)
	}
	if by := Holder(slave.Name()); by != "" {
		t.Errorf("held by %s", by)
	}
	if by := Holder(foreign.Name()); !strings.HasPrefix(by, "sleep (process ") {
		t.Errorf("the terminal of another board is held by %q", by)
	}
	_ = board.Process.Kill()
	_ = board.Wait()
}

// SE-19: the kernel's console and a log-in are named, with what is to be done.
func TestConsole(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	for name, text := range map[string]string{"sys/class/tty/console/active": "tty0 ttyS0\n", "etc/systemd/system/getty.target.wants/serial-getty@ttyAMA0.service": "",
		"run/systemd/generator/getty.target.wants/serial-getty@ttyAMA1.service": "", "dev/ttyS0": "", "dev/ttyS1": "", "dev/ttyAMA0": "", "dev/ttyAMA1": "", "dev/ttyUSB0": ""} {
		name = filepath.Join(root, name)
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	if err := os.Symlink("ttyS0", filepath.Join(root, "dev/serial0")); err != nil {
		t.Fatal(err)
	}
	for name, want := range map[string]string{"ttyS0": "take console=ttyS0 ", "serial0": "take console=ttyS0 ", "ttyAMA0": "disable --now serial-getty@ttyAMA0.service",
		"ttyAMA1": "disable --now serial-getty@ttyAMA1.service", "ttyS1": "", "ttyUSB0": "", "nothing": ""} {
		if err := console(filepath.Join(root, "dev", name), root); (err == nil) != (want == "") || err != nil && !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v", name, err)
		}
	}
}

func pair(t *testing.T) (master, slave *os.File) {
	t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { master.Close(); slave.Close() })
	return master, slave
}

func opened(t *testing.T, path string) *Port {
	t.Helper()
	p, err := Open(Options{Path: path})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}
