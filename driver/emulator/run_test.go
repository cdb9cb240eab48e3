package emulator

import (
	"errors"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/rules"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t *testing.T, m Machine, o Options) *Emulator {
	t.Helper()
	e, err := Open(m, o)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := e.Close(); err != nil {
			t.Error(err)
		}
	})
	return e
}

func connect(t *testing.T, e *Emulator) *port.Port {
	t.Helper()
	p, err := port.Open(port.Options{Path: e.Path(), LockDir: t.TempDir()})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { p.Close() })
	return p
}

func expect(t *testing.T, p io.Reader, want string) {
	t.Helper()
	b := make([]byte, len(want))
	if n, err := io.ReadFull(p, b); err != nil || string(b) != want {
		t.Fatalf("read %q, %v, want %q", b[:n], err, want)
	}
}

func tell(t *testing.T, p io.Writer, what string) {
	t.Helper()
	if _, err := io.WriteString(p, what); err != nil {
		t.Fatal(err)
	}
}

func TestBoardOnATerminal(t *testing.T) {
	t.Parallel()
	m := newTeller()
	m.lit[0] = board.RGB{G: 1}
	e := open(t, m, Options{Speed: 100})
	p := connect(t, e)
	tell(t, p, "hi\r\n\x03\x11\x13")
	expect(t, p, "<hi\r\n\x03\x11\x13>")
	e.Set(square("e2"), 'P')
	expect(t, p, "e2=P;")
	var pic board.Picture = board.EmptyPicture()
	pic[square("h8")] = 'r'
	e.Show(pic)
	expect(t, p, "e2=.;h8=r;")
	if e.Lit()[0].G != 1 {
		t.Error("no light")
	}
	if e.Tally().Faults() != 0 || e.Dropped() != 0 {
		t.Errorf("%+v", e.Tally())
	}
}

// Touches that are planned come in the order of their times, each by itself, however long the board's goroutine slept.
func TestPlannedTouches(t *testing.T) {
	t.Parallel()
	m := &clocked{teller: newTeller()}
	e := open(t, m, Options{Speed: 1000})
	p := connect(t, e)
	now := e.Now()
	e.SetAt(now+4000, square("e4"), 'P')
	e.SetAt(now+1000, square("e2"), board.Empty)
	e.SetAt(now+1000, square("e2"), 'P')
	e.SetAt(now+3000, square("e2"), board.Empty)
	e.SetAt(now-1, square("a1"), 'R')
	expect(t, p, "a1=R;e2=P;e2=.;e4=P;")
	e.Close() // the machine is ours again
	if got := m.times[len(m.times)-3:]; got[0] != now+1000 || got[1] != now+3000 || got[2] != now+4000 {
		t.Errorf("told at %v after %d", got, now)
	}
}

// clocked remembers when it had something to say.
type clocked struct {
	*teller
	times []int64
}

func (c *clocked) Step(now int64, in []byte) ([]byte, int64) {
	out, wake := c.teller.Step(now, in)
	if len(out) > 0 {
		c.times = append(c.times, now)
	}
	return out, wake
}

func TestMachineIsWoken(t *testing.T) {
	t.Parallel()
	m := newTeller()
	m.every = 100
	p := connect(t, open(t, m, Options{Speed: 50}))
	expect(t, p, "....................")
}

func TestFaultsAreSwitched(t *testing.T) {
	t.Parallel()
	e := open(t, newTeller(), Options{Seed: 1})
	p := connect(t, e)
	e.Fault(Faults{Twice: 1})
	tell(t, p, "a")
	expect(t, p, "<a><a>")
	e.Fault(Faults{Silent: true})
	tell(t, p, "b")
	until(t, func() bool { return e.Tally().Deaf == 1 })
	e.Fault(Faults{})
	e.Turn(true)
	tell(t, p, "c")
	expect(t, p, "<c>")
	e.Set(square("a1"), 'K')
	expect(t, p, "h8=K;")
}

// until asks for a condition, for at most ten seconds.
func until(t *testing.T, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(10 * time.Second); !ok(); time.Sleep(time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatal("it did not happen within ten seconds")
		}
	}
}

func TestUnplugged(t *testing.T) {
	t.Parallel()
	link := filepath.Join(t.TempDir(), "usb-board")
	e := open(t, newTeller(), Options{Link: link})
	if e.Path() != link {
		t.Error(e.Path())
	}
	before, err := os.Readlink(link)
	if err != nil {
		t.Fatal(err)
	}
	p := connect(t, e)
	tell(t, p, "a")
	expect(t, p, "<a>")
	failed := make(chan error, 1)
	go func() {
		_, err := p.Read(make([]byte, 8))
		failed <- err
	}()
	if err := e.Unplug(); err != nil {
		t.Fatal(err)
	}
	select {
	case err := <-failed:
		if err == nil || errors.Is(err, io.ErrClosedPipe) {
			t.Errorf("read: %v", err)
		}
	case <-time.After(2 * time.Second):
		t.Fatal("the board was gone for two seconds unnoticed")
	}
	if _, err := os.Lstat(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("the link is still there: %v", err)
	}
	if err := e.Unplug(); err != nil {
		t.Errorf("unplugged twice: %v", err)
	}
	e.Set(square("e4"), 'P') // nobody hears of it
	until(t, func() bool { return e.Tally().Bursts == 2 })
	p.Close()

	if err := e.Plug(nil); err != nil {
		t.Fatal(err)
	}
	if after, err := os.Readlink(link); err != nil || after == before {
		t.Errorf("it came back as %s, %v", after, err)
	}
	p = connect(t, e)
	tell(t, p, "b")
	expect(t, p, "<b>")
	if err := e.Plug(nil); err == nil {
		t.Error("plugged in twice")
	}

	// Without power it has forgotten what it said, and finds the men where they stand.
	m, n := newTeller(), e.Tally().Bursts
	if err := errors.Join(e.Unplug(), p.Close(), e.Plug(m)); err != nil {
		t.Fatal(err)
	}
	until(t, func() bool { return e.Tally().Bursts == n+1 })
	if err := errors.Join(e.Close(), e.Close()); err != nil {
		t.Error(err)
	}
	if _, err := os.Lstat(link); !errors.Is(err, fs.ErrNotExist) {
		t.Errorf("closed, and the link is still there: %v", err)
	}
	if err := e.Plug(nil); err == nil {
		t.Error("plugged in after the end")
	}
	if m.told[square("e4")] != 'P' {
		t.Error("the men are gone")
	}
}

// A board that nobody reads loses bytes and goes on.
func TestNobodyReads(t *testing.T) {
	t.Parallel()
	e := open(t, newTeller(), Options{})
	i := 0
	until(t, func() bool { // until more was told than the terminal holds
		for s := range rules.NoSquare {
			e.Set(s, board.Symbol("Pp"[i%2]))
		}
		i++
		return e.Dropped() > 0
	})
	p := connect(t, e) // which forgets what came before
	tell(t, p, "still there")
	var heard strings.Builder
	buf := make([]byte, 4096)
	for !strings.Contains(heard.String(), "<still there>") {
		n, err := p.Read(buf)
		if err != nil {
			t.Fatal(err)
		}
		heard.Write(buf[:n])
	}
}

func TestLinkThatCannotBe(t *testing.T) {
	t.Parallel()
	if _, err := Open(newTeller(), Options{Link: filepath.Join(t.TempDir(), "none", "link")}); !errors.Is(err, fs.ErrNotExist) {
		t.Error(err)
	}
}
