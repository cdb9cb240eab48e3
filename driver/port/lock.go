package port

import (
	"errors"
	"fmt"
	"io/fs"
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
	f, err := openLock(filepath.Join(dir, name))
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil, fmt.Errorf("lock serial port %s: %w: make the directory, or one that boardd may write to", path, err)
	case err != nil:
		return nil, fmt.Errorf("lock serial port %s: %w: remove that file as its owner or as root", path, err)
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

// openLock opens a lock file, or makes it. It stays for whoever comes next, who may be another user: everybody may read it, which is
// enough to lock it, and nobody need write. A file that is there is not opened for making, which the kernel forbids root in a folder
// for everybody.
func openLock(path string) (*os.File, error) {
	f, err := os.Open(path)
	if !errors.Is(err, fs.ErrNotExist) {
		return f, err
	}
	f, err = os.OpenFile(path, os.O_RDONLY|os.O_CREATE|os.O_EXCL, 0o644)
	if errors.Is(err, fs.ErrExist) { // another program was quicker
		return os.Open(path)
	}
	if err != nil {
		return nil, err
	}
	if err := f.Chmod(0o644); err != nil { // whatever the umask
		f.Close()
		return nil, err
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
