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
	st, err := characters(path)
	if err != nil {
		return nil, err
	}
	f, err := openLock(lockName(dir, st))
	if err != nil {
		return nil, lockFault(path, err)
	}
	if err := hold(path, dir, f); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

func lockName(dir string, st *unix.Stat_t) string {
	return filepath.Join(dir, fmt.Sprintf("serial-%d-%d.lock", unix.Major(uint64(st.Rdev)), unix.Minor(uint64(st.Rdev))))
}

// lockFault says what to do about a lock file that cannot be opened or made.
func lockFault(path string, err error) error {
	if errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("lock serial port %s: %w: make the directory, or one that boardd may write to", path, err)
	}
	return fmt.Errorf("lock serial port %s: %w: remove that file as its owner or as root", path, err)
}

// hold locks a file until it is closed.
func hold(path, dir string, f *os.File) error {
	err := unix.Flock(int(f.Fd()), unix.LOCK_EX|unix.LOCK_NB)
	if errors.Is(err, unix.EWOULDBLOCK) {
		return fmt.Errorf("serial port %s is %w: another boardd reads it; end that one, or give this one another port", path, ErrBusy)
	} else if err != nil {
		return fmt.Errorf("lock serial port %s in %s: %w", path, dir, err)
	}
	return nil
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
