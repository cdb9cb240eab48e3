package port

import (
	"errors"
	"slices"
	"testing"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// The line is as boards want it, at every speed that one of them has; a pseudo terminal shows all but the modem lines.
func TestLineSettings(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		o    Options
		baud uint32
	}{
		{Options{}, 9600},
		{Options{Baud: 38400, DTR: Drop}, 38400},
		{Options{Baud: 57600, DTR: Raise, RTS: Drop}, 57600},
		{Options{Baud: 115200, RTS: Raise}, 115200},
		{Options{Baud: 1_000_000}, 1_000_000},
		{Options{Baud: 74880, DTR: Drop, RTS: Drop}, 74880}, // no speed that has a name
	} {
		master, slave, err := pty.Open()
		if err != nil {
			t.Fatal(err)
		}
		c.o.Path = slave.Name()
		p, err := Open(c.o)
		if err != nil {
			t.Fatalf("%+v: %v", c.o, err)
		}
		s, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS2)
		if err != nil {
			t.Fatal(err)
		}
		if s.Ospeed != c.baud || s.Ispeed != c.baud {
			t.Errorf("%+v: speed %d and %d", c.o, s.Ospeed, s.Ispeed)
		}
		if s.Cflag&(unix.CSIZE|unix.PARENB|unix.CSTOPB|unix.CRTSCTS) != unix.CS8 || s.Lflag&(unix.ECHO|unix.ICANON|unix.ISIG) != 0 ||
			s.Iflag&(unix.IXON|unix.IXOFF|unix.ICRNL|unix.ISTRIP|unix.INPCK) != 0 || s.Oflag&unix.OPOST != 0 {
			t.Errorf("%+v: %+v", c.o, s)
		}
		if err := errors.Join(p.Close(), slave.Close(), master.Close()); err != nil {
			t.Error(err)
		}
	}
}

func TestSignal(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		signal Signal
		answer error
		asked  []bool
		fails  bool
	}{
		{Keep, errors.New("not to be asked"), nil, false},
		{Raise, nil, []bool{true}, false},
		{Drop, nil, []bool{false}, false},
		{Drop, unix.ENOTTY, []bool{false}, false}, // a pseudo terminal
		{Drop, unix.EIO, []bool{false}, true},     // unplugged at that moment
	} {
		var asked []bool
		err := c.signal.set(func(up bool) error { asked = append(asked, up); return c.answer })
		if !slices.Equal(asked, c.asked) || (err != nil) != c.fails {
			t.Errorf("%v: asked %v, %v", c.signal, asked, err)
		}
	}
}
