package line

import (
	"context"
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	"github.com/boardd/boardd/driver/port"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// newDGT is an emulated board that can be plugged in.
func newDGT() *emulated.Board { return emulated.New(emulated.Options{}) }

// wanted is a DGT board that is looked for, or has a port by its path.
func wanted(id, path string, within time.Duration) Board {
	return Board{ID: id, Driver: "dgt", Hint: "dgt", Port: port.Options{Path: path, Baud: 9600}, Within: within,
		Ask: func() board.Driver { return dgt.New(dgt.Options{}) }}
}

// linesOf are the lines of a process among what is plugged in.
func linesOf(p emulatortest.Plugs, named ...string) *Lines { return New(p.Dev, p.Dev, named) }

// opened is an opened line, and where it was found.
func opened(t *testing.T, w *Way) (*Line, string) {
	t.Helper()
	ctx, cancel := context.WithTimeout(t.Context(), 30*time.Second)
	defer cancel()
	l, err := w.Open(ctx)
	if err != nil {
		t.Fatalf("%s: %v", w.board.ID, err)
	}
	t.Cleanup(func() { _ = l.Close() })
	return l, filepath.Base(l.Path())
}

// until asks whether something is so until it is.
func until(t *testing.T, what string, patience time.Duration, ok func() bool) {
	t.Helper()
	for deadline := time.Now().Add(patience); !ok(); time.Sleep(5 * time.Millisecond) {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
	}
}

// What does not answer is left alone, longer each time; what another program has is not touched; what the configuration names is not
// asked; a board is found again where it was.
func TestWhatIsNotAsked(t *testing.T) {
	t.Parallel()
	p := emulatortest.NewPlugs(t)
	_, locked := p.Mute("usb-dgt-locked")
	_, named := p.Mute("usb-dgt-named")
	_, silent := p.Mute("usb-dgt-silent")
	p.Plug("usb-other", 10, newDGT())
	other, err := port.Open(port.Options{Path: p.Link("usb-dgt-locked"), LockDir: p.Dev})
	if err != nil {
		t.Fatal(err)
	}
	defer other.Close()
	seat := linesOf(p, p.Link("usb-dgt-named")).Way(wanted("a", Auto, 1500*time.Millisecond))
	l, at := opened(t, seat)
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
	if _, at := opened(t, seat); at != "usb-other" {
		t.Errorf("found again at %s", at)
	}
	if got := silent() + locked() + named(); got != "" {
		t.Errorf("although the board is where it was, others were told %q", got)
	}
}

// That a board is missing is said once; when it is plugged in it is opened within a second.
func TestPlugIsNoticed(t *testing.T) {
	t.Parallel()
	for name, named := range map[string]bool{"named": true, "looked for": false} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			p := emulatortest.NewPlugs(t)
			path := Auto
			if named {
				path = p.Link("usb-board")
			}
			s := linesOf(p).Way(wanted("a", path, 3*time.Second))
			if _, err := s.Open(t.Context()); !errors.Is(err, fs.ErrNotExist) || !strings.Contains(err.Error(), "plug the board in") {
				t.Fatalf("%v", err)
			}
			ctx, cancel := context.WithCancel(t.Context())
			opened := make(chan error, 1)
			go func() {
				l, err := s.Open(ctx)
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
			p.Plug("usb-board", 10, newDGT())
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
	p := emulatortest.NewPlugs(t)
	for _, path := range []string{Auto, p.Link("usb-board")} {
		s := linesOf(p).Way(wanted("a", path, time.Second))
		if _, err := s.Open(t.Context()); err == nil {
			t.Fatal("opened")
		}
		ctx, cancel := context.WithCancel(t.Context())
		time.AfterFunc(glance/2, cancel)
		if _, err := s.Open(ctx); !errors.Is(err, context.Canceled) {
			t.Errorf("%v", err)
		}
	}
}

// SE-06: where reading notices nothing, it is seen that the device has vanished.
func TestVanishedDeviceIsNoticed(t *testing.T) {
	t.Parallel()
	p := emulatortest.NewPlugs(t)
	p.Mute("usb-board")
	s := linesOf(p).Way(wanted("a", p.Link("usb-board"), time.Second))
	l, _ := opened(t, s)
	if err := os.Remove(p.Link("usb-board")); err != nil { // as udev does; the pseudo terminal lives on
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
	p := emulatortest.NewPlugs(t)
	device, _ := p.Mute("usb-board")
	lines := linesOf(p)
	opened(t, lines.Way(wanted("a", p.Link("usb-board"), time.Second)))
	if _, err := lines.Way(wanted("b", device, time.Second)).Open(t.Context()); err == nil || !strings.Contains(err.Error(), "is the one of board a") {
		t.Errorf("%v", err)
	}
}

// A board that comes back where it was is not kept waiting by another port that is being asked.
func TestComingBackGoesFirst(t *testing.T) {
	t.Parallel()
	p := emulatortest.NewPlugs(t)
	e := p.Plug("usb-a", 10, newDGT())
	s := linesOf(p).Way(wanted("a", Auto, time.Minute))
	l, _ := opened(t, s)
	_, told := p.Mute("usb-b")
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
		l, err := s.Open(ctx)
		if err != nil {
			found <- err.Error()
			return
		}
		found <- filepath.Base(l.Path())
		_ = l.Close()
	}()
	until(t, "the other port is asked", 20*time.Second, func() bool { return told() != "" })
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
	p := emulatortest.NewPlugs(t)
	_, a := p.Mute("usb-a")
	p.Mute("usb-b")
	s := linesOf(p).Way(wanted("a", Auto, 0))
	if _, err := s.Open(t.Context()); err == nil || !strings.Contains(err.Error(), "set port to one of "+p.Link("usb-a")+" "+p.Link("usb-b")) {
		t.Fatalf("%v", err)
	}
	if err := os.Remove(p.Link("usb-b")); err != nil {
		t.Fatal(err)
	}
	if _, at := opened(t, s); at != "usb-a" || a() != "" {
		t.Errorf("found at %s", at)
	}
}
