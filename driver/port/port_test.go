package port_test

import (
	"bytes"
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"go.uber.org/goleak"
	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/driver/port"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// terminal is a pseudo terminal in its state from the kernel, cooked and with echo: opening it as a port must make it raw.
func terminal(t *testing.T) (master *os.File, path string) {
	t.Helper()
	m, s := bothEnds(t)
	return m, s.Name()
}

func bothEnds(t *testing.T) (master, slave *os.File) {
	t.Helper()
	m, s, err := pty.Open()
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { m.Close(); s.Close() })
	return m, s
}

func open(t *testing.T, o port.Options) *port.Port {
	t.Helper()
	p, err := port.Open(o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

// within runs f and fails when it takes longer than a device may be gone unnoticed.
func within(t *testing.T, what string, f func()) {
	t.Helper()
	done := make(chan struct{})
	go func() { defer close(done); f() }()
	select {
	case <-done:
	case <-time.After(2 * time.Second):
		t.Fatalf("%s took more than two seconds", what)
	}
}

// Every byte value passes both ways: 11 and 13 would be flow control, 0D a new line, 03 an interrupt on a cooked line.
func TestEveryByteBothWays(t *testing.T) {
	t.Parallel()
	master, path := terminal(t)
	p := open(t, port.Options{Path: path})
	all := make([]byte, 256)
	for i := range all {
		all[i] = byte(i)
	}
	got := make([]byte, 256)
	if _, err := master.Write(all); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(p, got); err != nil || !bytes.Equal(got, all) {
		t.Errorf("read % x, %v", got, err)
	}
	if _, err := p.Write(all); err != nil {
		t.Fatal(err)
	}
	if _, err := io.ReadFull(master, got); err != nil || !bytes.Equal(got, all) {
		t.Errorf("the board got % x, %v", got, err)
	}
}

func TestWhatCameBeforeIsForgotten(t *testing.T) {
	t.Parallel()
	master, slave := bothEnds(t)
	if _, err := master.Write([]byte("old\n")); err != nil {
		t.Fatal(err)
	}
	within(t, "the line's way", func() {
		for n := 0; n < 4; runtime.Gosched() {
			n, _ = unix.IoctlGetInt(int(slave.Fd()), unix.TIOCINQ)
		}
	})
	p := open(t, port.Options{Path: slave.Name()})
	if _, err := master.Write([]byte("new")); err != nil {
		t.Fatal(err)
	}
	got := make([]byte, 3)
	if _, err := io.ReadFull(p, got); err != nil || string(got) != "new" {
		t.Errorf("read %q, %v", got, err)
	}
}

// SE-01, SE-05: a Read that finds nothing waits on; an empty buffer is no end, also with bytes there to be read.
func TestReadWaits(t *testing.T) {
	t.Parallel()
	master, path := terminal(t)
	p := open(t, port.Options{Path: path})
	type result struct {
		text string
		err  error
	}
	got := make(chan result, 1)
	go func() {
		b := make([]byte, 10)
		n, err := p.Read(b)
		got <- result{string(b[:n]), err}
	}()
	select {
	case r := <-got:
		t.Fatalf("read %q, %v although nothing was sent", r.text, r.err)
	case <-time.After(500 * time.Millisecond): // several time-outs of the library
	}
	if _, err := master.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	within(t, "a byte", func() {
		if r := <-got; r.text != "x" || r.err != nil {
			t.Errorf("read %q, %v", r.text, r.err)
		}
	})
	if _, err := master.Write([]byte("y")); err != nil {
		t.Fatal(err)
	}
	if n, err := p.Read(nil); n != 0 || err != nil {
		t.Errorf("an empty read gave %d, %v", n, err)
	}
}

// SE-06: the other end goes away while a Read waits.
func TestUnplugged(t *testing.T) {
	t.Parallel()
	master, path := terminal(t)
	p := open(t, port.Options{Path: path})
	failed := make(chan error, 1)
	go func() {
		_, err := p.Read(make([]byte, 10))
		failed <- err
	}()
	master.Close()
	within(t, "noticing", func() {
		if err := <-failed; err == nil || !strings.Contains(err.Error(), path+" is gone") {
			t.Errorf("read: %v", err)
		}
	})
	within(t, "the writer's noticing", func() {
		for {
			if _, err := p.Write([]byte{0x4D}); err != nil {
				if !strings.Contains(err.Error(), path+" is gone") {
					t.Errorf("write: %v", err)
				}
				return
			}
			runtime.Gosched()
		}
	})
	within(t, "closing", func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	})
}

// SE-11: closing ends a Read that waits.
func TestCloseEndsAWaitingRead(t *testing.T) {
	t.Parallel()
	_, path := terminal(t)
	p := open(t, port.Options{Path: path})
	failed := make(chan error, 1)
	go func() {
		_, err := p.Read(make([]byte, 10))
		failed <- err
	}()
	within(t, "closing", func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-failed; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("read: %v", err)
		}
	})
	if err := p.Close(); err != nil {
		t.Errorf("closing again: %v", err)
	}
	if _, err := p.Read(make([]byte, 1)); !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("read: %v", err)
	}
}

// After Close nothing is written any more, to whatever file may have got the descriptor's number.
func TestWriteAfterClose(t *testing.T) {
	t.Parallel()
	_, path := terminal(t)
	p := open(t, port.Options{Path: path})
	p.Close()
	if n, err := p.Write([]byte{0x42}); n != 0 || !errors.Is(err, io.ErrClosedPipe) {
		t.Errorf("wrote %d, %v", n, err)
	}
}

// A board that takes nothing blocks the writer in the kernel; neither Write nor Close may hang for that.
func TestCloseEndsAWaitingWrite(t *testing.T) {
	t.Parallel()
	_, path := terminal(t) // nobody reads the master
	p := open(t, port.Options{Path: path})
	failed := make(chan error, 1)
	go func() {
		for {
			if _, err := p.Write(make([]byte, 4096)); err != nil {
				failed <- err
				return
			}
		}
	}()
	select {
	case err := <-failed:
		t.Fatal("the line never filled up:", err)
	case <-time.After(300 * time.Millisecond):
	}
	within(t, "closing", func() {
		if err := p.Close(); err != nil {
			t.Error(err)
		}
		if err := <-failed; !errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("write: %v", err)
		}
	})
}

func TestOpenThroughALink(t *testing.T) {
	t.Parallel()
	master, path := terminal(t)
	link := filepath.Join(t.TempDir(), "usb-DGT")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	p := open(t, port.Options{Path: link})
	if _, err := master.Write([]byte{0x86}); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 1)
	if _, err := p.Read(b); err != nil || b[0] != 0x86 {
		t.Errorf("read % x, %v", b, err)
	}
}

// A board plugged in again gets another number; its name stays, and so does the lock's directory.
func TestPluggedInAgain(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	link := filepath.Join(dir, "usb-DGT")
	for _, text := range []string{"first", "second"} {
		master, path := terminal(t)
		if err := os.Symlink(path, link); err != nil {
			t.Fatal(err)
		}
		p := open(t, port.Options{Path: link, LockDir: dir})
		if _, err := master.WriteString(text); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, len(text))
		if _, err := io.ReadFull(p, got); err != nil || string(got) != text {
			t.Errorf("read %q, %v", got, err)
		}
		master.Close()
		if err := os.Remove(link); err != nil { // as udev does
			t.Fatal(err)
		}
		within(t, "noticing", func() {
			if _, err := p.Read(got); err == nil {
				t.Error("the board is gone and nothing was said")
			}
		})
		if _, err := port.Open(port.Options{Path: link, LockDir: dir}); !errors.Is(err, fs.ErrNotExist) {
			t.Errorf("while it is gone: %v", err)
		}
		if err := p.Close(); err != nil {
			t.Error(err)
		}
	}
}

// SE-17: root too is kept from opening a port twice.
func TestTwoProgramsDoNotShareAPort(t *testing.T) {
	t.Parallel()
	_, path := terminal(t)
	dir := t.TempDir()
	link := filepath.Join(dir, "another-name")
	if err := os.Symlink(path, link); err != nil {
		t.Fatal(err)
	}
	first := open(t, port.Options{Path: path, LockDir: dir})
	_, err := port.Open(port.Options{Path: link, LockDir: dir})
	if !errors.Is(err, port.ErrBusy) || !strings.Contains(err.Error(), link) {
		t.Fatalf("the second: %v", err)
	}
	if err := first.Close(); err != nil {
		t.Fatal(err)
	}
	open(t, port.Options{Path: link, LockDir: dir})
}

// A lock file that another user has left does not close the port: it may be locked by whoever may read it, and everybody may.
func TestLockLeftByAnother(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	_, path := terminal(t)
	if err := open(t, port.Options{Path: path, LockDir: dir}).Close(); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if err != nil || len(left) != 1 {
		t.Fatal(left, err)
	}
	if s, err := os.Stat(left[0]); err != nil || s.Mode().Perm() != 0o644 {
		t.Fatal(s.Mode(), err)
	}
	if err := os.Chmod(left[0], 0o444); err != nil { // as a stranger sees it
		t.Fatal(err)
	}
	open(t, port.Options{Path: path, LockDir: dir})
	if _, err := port.Open(port.Options{Path: path, LockDir: dir}); !errors.Is(err, port.ErrBusy) {
		t.Error(err)
	}
}

func TestOpenSaysWhatToDo(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "file")
	if err := os.WriteFile(file, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	_, tty := terminal(t)
	for _, c := range []struct {
		name string
		o    port.Options
		is   error
		says []string
	}{
		{"no name", port.Options{}, nil, []string{"set port"}},
		{"not there", port.Options{Path: "/dev/no-such-board"}, fs.ErrNotExist, []string{"/dev/no-such-board", "plug the board in"}},
		{"not there, with lock", port.Options{Path: "/dev/no-such-board", LockDir: t.TempDir()}, fs.ErrNotExist,
			[]string{"/dev/no-such-board", "plug the board in"}},
		{"a file", port.Options{Path: file}, nil, []string{file, "is not a serial port"}},
		{"a file, with lock", port.Options{Path: file, LockDir: t.TempDir()}, nil, []string{file, "is not a serial port"}},
		{"a device that is no terminal", port.Options{Path: "/dev/null"}, nil, []string{"/dev/null", "is not a serial port"}},
		{"no directory for the lock", port.Options{Path: tty, LockDir: "/no/such/directory"}, fs.ErrNotExist, []string{tty, "/no/such/directory", "make the directory"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			p, err := port.Open(c.o)
			if err == nil {
				p.Close()
				t.Fatal("opened")
			}
			if c.is != nil && !errors.Is(err, c.is) {
				t.Errorf("%v is not %v", err, c.is)
			}
			for _, s := range append(c.says, "") {
				if !strings.Contains(err.Error(), s) || strings.Contains(err.Error(), "\n") {
					t.Errorf("%q does not say %q in one line", err, s)
				}
			}
		})
	}
}

// Root may open everything, so the thread that opens becomes nobody for that moment.
func TestOpenWithoutPermission(t *testing.T) {
	t.Parallel()
	_, path := terminal(t)
	if err := os.Chmod(path, 0); err != nil {
		t.Fatal(err)
	}
	var err error
	within(t, "opening", func() {
		runtime.LockOSThread() // not unlocked: the thread ends with the goroutine
		if os.Geteuid() == 0 {
			if e := unix.Setfsuid(65534); e != nil {
				err = e
				return
			}
		}
		_, err = port.Open(port.Options{Path: path})
	})
	if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), "owner only") || !strings.Contains(err.Error(), path) {
		t.Errorf("opened with %v", err)
	}
}

// The library waits with select(2): a descriptor of 1024 or more must be an error, not the end of the program.
func TestManyOpenFiles(t *testing.T) { // not parallel: it uses up the low numbers of all
	var old unix.Rlimit
	if err := unix.Getrlimit(unix.RLIMIT_NOFILE, &old); err != nil {
		t.Fatal(err)
	}
	if old.Max < 1200 {
		t.Fatalf("the hard limit of open files is %d, this test needs 1200", old.Max)
	}
	if err := unix.Setrlimit(unix.RLIMIT_NOFILE, &unix.Rlimit{Cur: max(old.Cur, 1200), Max: old.Max}); err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { unix.Setrlimit(unix.RLIMIT_NOFILE, &old) })
	_, path := terminal(t)
	for {
		f, err := os.Open(os.DevNull)
		if err != nil {
			t.Fatal(err)
		}
		defer f.Close()
		if f.Fd() >= 1030 {
			break
		}
	}
	p := open(t, port.Options{Path: path})
	within(t, "reading", func() {
		if _, err := p.Read(make([]byte, 1)); err == nil || !strings.Contains(err.Error(), "LimitNOFILE") {
			t.Errorf("read: %v", err)
		}
	})
}

// What was handed over before Close still goes out.
func TestCloseWritesWhatIsLeft(t *testing.T) {
	t.Parallel()
	for range 20 {
		master, path := terminal(t)
		p := open(t, port.Options{Path: path})
		for range 4 {
			if _, err := p.Write([]byte("dark")); err != nil {
				t.Fatal(err)
			}
		}
		if err := p.Close(); err != nil {
			t.Fatal(err)
		}
		got := make([]byte, 16)
		if _, err := io.ReadFull(master, got); err != nil || string(got) != "darkdarkdarkdark" {
			t.Fatalf("%q, %v", got, err)
		}
	}
}
