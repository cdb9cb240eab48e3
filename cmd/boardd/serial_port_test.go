package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/driver/emulator"
	emulatedcertabo "github.com/boardd/boardd/driver/emulator/certabo"
	emulatedchesslink "github.com/boardd/boardd/driver/emulator/chesslink"
	emulateddgt "github.com/boardd/boardd/driver/emulator/dgt"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	emulatedtext "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/driver/port"
)

// plugs is a folder of devices with links below serial/by-id, as /dev has them.
type plugs struct {
	t   *testing.T
	dev string
}

func newPlugs(t *testing.T) plugs {
	t.Helper()
	p := plugs{t, t.TempDir()}
	if err := os.MkdirAll(filepath.Join(p.dev, "serial/by-id"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

func (p plugs) link(name string) string { return filepath.Join(p.dev, "serial/by-id", name) }

// plug plugs an emulated board in, under a name of its own.
func (p plugs) plug(name string, m emulator.Machine) *emulator.Emulator {
	p.t.Helper()
	e, err := emulator.Open(m, emulator.Options{Speed: 10, Link: p.link(name)})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = e.Close() })
	return e
}

// mute plugs something in that says nothing; heard is what it was told.
func (p plugs) mute(name string) (device string, heard func() string) {
	p.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { master.Close(); slave.Close() })
	if err := os.Symlink(slave.Name(), p.link(name)); err != nil {
		p.t.Fatal(err)
	}
	return slave.Name(), func() string {
		n, err := unix.IoctlGetInt(int(master.Fd()), unix.TIOCINQ)
		if err != nil {
			return err.Error()
		}
		if n == 0 {
			return ""
		}
		b := make([]byte, n)
		n, _ = master.Read(b)
		return string(b[:n])
	}
}

// lines are the ways of the boards of a configuration to their ports, in its order; each waits for an answer so long.
func (p plugs) lines(file string, within time.Duration) []*serialPort {
	p.t.Helper()
	c := parsed(p.t, file)
	lines := newPorts(p.dev, &c)
	lines.lockDir = p.dev
	var all []*serialPort
	for i := range c.Boards {
		o, err := configured(&c, &c.Boards[i], 1)
		if err != nil {
			p.t.Fatal(err)
		}
		r, err := readOptions(&o)
		if err != nil {
			p.t.Fatal(err)
		}
		s, err := lines.of(&c.Boards[i], &r)
		if err != nil {
			p.t.Fatal(err)
		}
		if s.within > 0 {
			s.within = within
		}
		all = append(all, s)
	}
	return all
}

// opened is where a board found its port.
func (p plugs) opened(s *serialPort) (io.ReadWriteCloser, string) {
	p.t.Helper()
	ctx, cancel := context.WithTimeout(p.t.Context(), 30*time.Second)
	defer cancel()
	l, err := s.open(ctx)
	if err != nil {
		p.t.Fatalf("%s: %v", s.board, err)
	}
	p.t.Cleanup(func() { _ = l.Close() })
	return l, filepath.Base(l.(*line).path)
}

const everyKind = `
[[board]]
id = "a"
driver = "text"
text = {preset = "roniterv", settle_ms = 1}
[[board]]
id = "b"
driver = "sentio"
[[board]]
id = "c"
driver = "chesslink"
[[board]]
id = "d"
driver = "certabo"
[[board]]
id = "e"
driver = "dgt"
[[board]]
id = "f"
driver = "dgt"
`

// Each board is found by what it answers, whatever it is called, and two of a kind find one each, in the order of the
// configuration.
func TestBoardsAreFoundByAsking(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	home, err := emulatedtext.New(emulatedtext.Options{Dialect: "roniterv", SilentMs: 1})
	if err != nil {
		t.Fatal(err)
	}
	p.plug("usb-1", home)
	p.plug("usb-2", emulatedsentio.New(emulatedsentio.Options{}))
	p.plug("usb-3", emulatedchesslink.New(emulatedchesslink.Options{}))
	p.plug("usb-4", emulatedcertabo.New(emulatedcertabo.Options{}))
	p.plug("usb-5", emulateddgt.New(emulateddgt.Options{}))
	p.plug("usb-6", emulateddgt.New(emulateddgt.Options{}))
	boards := p.lines(everyKind, 2*time.Second)
	found := make(chan string)
	for i := len(boards) - 1; i >= 0; i-- { // all at once, the last first
		go func() {
			ctx, cancel := context.WithTimeout(t.Context(), 60*time.Second)
			defer cancel()
			l, err := boards[i].open(ctx)
			if err != nil {
				found <- fmt.Sprintf("%s: %v", boards[i].board, err)
				return
			}
			t.Cleanup(func() { _ = l.Close() })
			found <- boards[i].board + " at " + filepath.Base(l.(*line).path)
		}()
	}
	got := map[string]bool{}
	for range boards {
		got[<-found] = true
	}
	for i, b := range boards {
		if want := fmt.Sprintf("%s at usb-%d", b.board, i+1); !got[want] {
			t.Errorf("not %q, but %v", want, got)
		}
	}
}

// What does not answer is left alone, longer each time; what another program has is not touched; what the configuration names is not
// asked; a board is found again where it was.
func TestWhatIsNotAsked(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	_, locked := p.mute("usb-dgt-locked")
	_, named := p.mute("usb-dgt-named")
	_, silent := p.mute("usb-dgt-silent")
	p.plug("usb-other", emulateddgt.New(emulateddgt.Options{}))
	other, err := port.Open(port.Options{Path: p.link("usb-dgt-locked"), LockDir: p.dev})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	board := p.lines("[[board]]\ndriver = \"dgt\"\n[[board]]\nid = \"b\"\ndriver = \"dgt\"\nport = \""+p.link("usb-dgt-named")+"\"\n", 1500*time.Millisecond)[0]
	l, at := p.opened(board)
	if at != "usb-other" {
		t.Errorf("found at %s", at)
	}
	if got := locked() + named(); got != "" {
		t.Errorf("others were told %q", got)
	}
	if silent() == "" {
		t.Error("the port whose name is most like it was not asked")
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	if _, at := p.opened(board); at != "usb-other" {
		t.Errorf("found again at %s", at)
	}
	if got := silent() + locked() + named(); got != "" {
		t.Errorf("although the board is where it was, others were told %q", got)
	}
}

// That a board is missing is said once; when it is plugged in it is opened within a second.
func TestPlugIsNoticed(t *testing.T) {
	t.Parallel()
	for name, file := range map[string]string{"named": "port = %q\n", "looked for": "# %q\n"} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := newPlugs(t)
			s := p.lines("[[board]]\ndriver = \"dgt\"\n"+fmt.Sprintf(file, p.link("usb-board")), 3*time.Second)[0]
			if _, err := s.open(t.Context()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "plug the board in") {
				t.Fatalf("%v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			opened := make(chan error, 1)
			go func() {
				l, err := s.open(ctx)
				if err == nil {
					err = l.Close()
				}
				opened <- err
			}()
			select {
			case err := <-opened:
				t.Fatalf("%v", err)
			case <-time.After(3 * glance): // it is waited for
			}
			p.plug("usb-board", emulateddgt.New(emulateddgt.Options{}))
			began := time.Now()
			if err := <-opened; err != nil {
				t.Error(err)
			}
			if took := time.Since(began); took > 2*time.Second { // a second, on a computer that has nothing else to do
				t.Errorf("noticed after %v", took)
			}
			cancel()
		})
	}
}

// A port that is waited for does not hold the end.
func TestWaitingForAPortEnds(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	for _, file := range []string{"", "port = \"" + p.link("usb-board") + "\"\n"} {
		s := p.lines("[[board]]\ndriver = \"dgt\"\n"+file, time.Second)[0]
		if _, err := s.open(t.Context()); err == nil {
			t.Fatal("opened")
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(glance/2, cancel)
		if _, err := s.open(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// SE-06: where reading notices nothing, it is seen that the device has vanished.
func TestVanishedDeviceIsNoticed(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	p.mute("usb-board")
	s := p.lines("[[board]]\ndriver = \"dgt\"\nport = \""+p.link("usb-board")+"\"\n", time.Second)[0]
	l, _ := p.opened(s)
	if err := os.Remove(p.link("usb-board")); err != nil { // as udev does; the pseudo terminal lives on
		t.Fatal(err)
	}
	began := time.Now()
	_, err := l.Read(make([]byte, 1))
	if err == nil || !strings.Contains(err.Error(), "is gone: plug the board in again") {
		t.Errorf("%v", err)
	}
	if took := time.Since(began); took > 3*time.Second {
		t.Errorf("noticed after %v", took)
	}
	if err := l.Close(); err != nil {
		t.Error(err)
	}
}

// Two boards do not share a port, whatever names it has.
func TestNamedPortsAreNotShared(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	device, _ := p.mute("usb-board")
	boards := p.lines("[[board]]\ndriver = \"dgt\"\nport = \""+p.link("usb-board")+"\"\n[[board]]\nid = \"b\"\ndriver = \"sentio\"\nport = \""+device+"\"\n", time.Second)
	p.opened(boards[0])
	if _, err := boards[1].open(t.Context()); err == nil || !strings.Contains(err.Error(), "is the one of board board") {
		t.Errorf("%v", err)
	}
}

// A board that comes back where it was is not kept waiting by another port that is being asked.
func TestComingBackGoesFirst(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	e := p.plug("usb-a", emulateddgt.New(emulateddgt.Options{}))
	s := p.lines("[[board]]\ndriver = \"dgt\"\n", time.Minute)[0]
	l, _ := p.opened(s)
	_, told := p.mute("usb-b")
	if err := e.Unplug(); err != nil {
		t.Fatal(err)
	}
	if _, err := l.Read(make([]byte, 1)); err == nil {
		for err == nil {
			_, err = l.Read(make([]byte, 100)) // what was under way
		}
	}
	if err := l.Close(); err != nil {
		t.Fatal(err)
	}
	found := make(chan string, 1)
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	go func() {
		l, err := s.open(ctx)
		if err != nil {
			found <- err.Error()
			return
		}
		found <- filepath.Base(l.(*line).path)
		_ = l.Close()
	}()
	eventually(t, "the other port is asked", 20*time.Second, func() bool { return told() != "" })
	if err := e.Plug(nil); err != nil {
		t.Fatal(err)
	}
	if at := <-found; at != "usb-a" {
		t.Errorf("found %s", at)
	}
}

// A board that nothing can be asked is taken for what is plugged in, if that is one thing.
func TestBoardThatCannotBeAsked(t *testing.T) {
	t.Parallel()
	p := newPlugs(t)
	_, a := p.mute("usb-a")
	p.mute("usb-b")
	s := p.lines("[[board]]\ndriver = \"text\"\ntext.preset = \"liboard\"\n", time.Second)[0]
	if _, err := s.open(t.Context()); err == nil || !strings.Contains(err.Error(), "set port to one of "+p.link("usb-a")+" "+p.link("usb-b")) {
		t.Fatalf("%v", err)
	}
	if err := os.Remove(p.link("usb-b")); err != nil {
		t.Fatal(err)
	}
	if _, at := p.opened(s); at != "usb-a" || a() != "" {
		t.Errorf("found at %s", at)
	}
}
