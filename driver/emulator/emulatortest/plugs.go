package emulatortest

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/driver/emulator"
)

// Plugs is a folder of devices with links below serial/by-id, as /dev has them.
type Plugs struct {
	Dev string
	t   *testing.T
}

// NewPlugs makes a folder with nothing plugged in.
func NewPlugs(t *testing.T) Plugs {
	t.Helper()
	p := Plugs{t.TempDir(), t}
	if err := os.MkdirAll(filepath.Join(p.Dev, "serial/by-id"), 0o755); err != nil {
		t.Fatal(err)
	}
	return p
}

// Link is the path of what is plugged in under a name.
func (p Plugs) Link(name string) string { return filepath.Join(p.Dev, "serial/by-id", name) }

// Plug plugs an emulated board in, which runs so many times faster than life. It is pulled out at the end of the test.
func (p Plugs) Plug(name string, speed float64, m emulator.Machine) *emulator.Emulator {
	p.t.Helper()
	e, err := emulator.Open(m, emulator.Options{Speed: speed, Link: p.Link(name)})
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { _ = e.Close() })
	return e
}

// Mute plugs something in that says nothing; heard is what it was told since it was asked last.
func (p Plugs) Mute(name string) (device string, heard func() string) {
	p.t.Helper()
	master, slave, err := pty.Open()
	if err != nil {
		p.t.Fatal(err)
	}
	p.t.Cleanup(func() { master.Close(); slave.Close() })
	if err := os.Symlink(slave.Name(), p.Link(name)); err != nil {
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
