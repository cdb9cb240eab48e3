package port

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"path/filepath"
	"strconv"

	"golang.org/x/sys/unix"
)

// Check says for which reason Open would refuse a line, in the same words, as far as that can be known without opening it: some
// boards start anew when they are opened. It makes no lock file and changes nothing. dir is Options.LockDir.
func Check(path, dir string) error {
	if path == "" {
		return errNoName
	}
	if err := console(path, "/"); err != nil {
		return err
	}
	st, err := characters(path)
	if err != nil {
		return err
	}
	if !terminal(st, "/sys") {
		return notSerial(path, nil)
	}
	if err := unix.Faccessat(unix.AT_FDCWD, path, unix.R_OK|unix.W_OK, unix.AT_EACCESS); errors.Is(err, fs.ErrPermission) {
		return denied(path)
	}
	if err := free(path, dir, st); err != nil {
		return err
	}
	if Holder(path) != "" {
		return busy(path)
	}
	return nil
}

// characters is a device that characters go through, which not every path leads to.
func characters(path string) (*unix.Stat_t, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return nil, explain(path, err)
	}
	if st.Mode&unix.S_IFMT != unix.S_IFCHR {
		return nil, notSerial(path, nil)
	}
	return &st, nil
}

// terminal says whether a device is a terminal to the kernel. The far ends of pseudo terminals are not below sys, and where
// nothing is said, opening will say it.
func terminal(st *unix.Stat_t, sys string) bool {
	device := fmt.Sprintf("%d:%d", unix.Major(uint64(st.Rdev)), unix.Minor(uint64(st.Rdev)))
	of, err := os.Readlink(filepath.Join(sys, "dev/char", device, "subsystem"))
	return err != nil || filepath.Base(of) == "tty"
}

// free says why a lock cannot be had, and leaves all as it is.
func free(path, dir string, st *unix.Stat_t) error {
	if dir == "" {
		return nil
	}
	name := lockName(dir, st)
	f, err := os.Open(name)
	if errors.Is(err, fs.ErrNotExist) {
		if err = unix.Faccessat(unix.AT_FDCWD, dir, unix.W_OK|unix.X_OK, unix.AT_EACCESS); err == nil {
			return nil
		}
		return lockFault(path, &fs.PathError{Op: "open", Path: name, Err: err})
	} else if err != nil {
		return lockFault(path, err)
	}
	defer f.Close()
	return hold(path, dir, f)
}

// denied says who may open a device: a group that can be joined, or nobody but its owner.
func denied(path string) error {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return &fault{fmt.Sprintf("serial port %s may not be opened", path), fs.ErrPermission}
	}
	return closed(path, &st)
}

func closed(path string, st *unix.Stat_t) error {
	if st.Gid == 0 || st.Mode&0o060 != 0o060 {
		return &fault{fmt.Sprintf("serial port %s may be opened by its owner only, and no group helps: install the udev rules that come with boardd (70-boardd.rules) and restart", path), fs.ErrPermission}
	}
	group := strconv.Itoa(int(st.Gid))
	if g, err := user.LookupGroupId(group); err == nil {
		group = g.Name
	}
	return &fault{fmt.Sprintf("serial port %s may be opened by the group %s only: add the user to it (usermod -aG %s USER) and log in again", path, group, group), fs.ErrPermission}
}

func busy(path string) error {
	if by := Holder(path); by != "" {
		return fmt.Errorf("serial port %s is %w: end %s", path, ErrBusy, by)
	}
	return fmt.Errorf("serial port %s is %w: end that program (as root, fuser %s names it)", path, ErrBusy, path)
}

func notSerial(path string, err error) error {
	return &fault{path + " is not a serial port: set port to one of the names below /dev/serial/by-id", err}
}
