package emulator

import (
	"cmp"
	"fmt"
	"os"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"
)

// openTerminal makes a pseudo terminal, raw from the start: the echo would bring the board its own messages as commands. The
// host's end can be given deadlines.
func openTerminal() (host, device *os.File, err error) {
	first, device, err := pty.Open()
	if err != nil {
		return nil, nil, fmt.Errorf("open a pseudo terminal: %w", err)
	}
	defer first.Close()
	if host, err = prepare(first, device); err != nil {
		return nil, nil, cmp.Or(fmt.Errorf("pseudo terminal %s: %w", device.Name(), err), device.Close())
	}
	return host, device, nil
}

func prepare(first, device *os.File) (*os.File, error) {
	fd := int(device.Fd())
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil, err
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B9600
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return nil, err
	}
	// The library has made its file a blocking one, for which the runtime knows no deadlines.
	again, err := unix.FcntlInt(first.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(again, true); err != nil {
		return nil, cmp.Or(err, unix.Close(again))
	}
	return os.NewFile(uintptr(again), first.Name()), nil
}
