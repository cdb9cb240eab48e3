package port

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"

	"golang.org/x/sys/unix"
)

// take locks a device for this program. The file's name is the device's number, so that two names of one device meet.
// A device that is not there is left for opening to complain of.
func take(path, dir string) (*os.File, error) {
	if dir == "" {
		return nil, nil
	}
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return nil, explain(path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return nil, fmt.Errorf("%s is not a serial port: set port to one of the names below /dev/serial/by-id", path)
	}
	name := fmt.Sprintf("serial-%d-%d.lock", unix.Major(uint64(st.Rdev)), unix.Minor(uint64(st.Rdev)))
	f, err := os.OpenFile(filepath.Join(dir, name), os.O_CREATE|os.O_RDWR, 0o660)
	if err != nil {
		return nil, fmt.Errorf("lock serial port %s: %w: make the directory, or one that boardd may write to", path, err)
	}
	if err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB); err != nil {
		f.Close()
		if errors.Is(err, unix.EWOULDBLOCK) {
			return nil, fmt.Errorf("serial port %s is %w: another boardd reads it; end that one, or give this one another port", path, ErrBusy)
		}
		return nil, fmt.Errorf("lock serial port %s in %s: %w", path, dir, err)
	}
	return f, nil
}

// release frees the lock. The file stays: removing it would let two programs lock two files of one name.
func release(f *os.File) error {
	if f == nil {
		return nil
	}
	return f.Close()
}
