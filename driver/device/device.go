// Package device says why a device file cannot be opened, and what to do about it.
package device

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"os/user"
	"strconv"
)

// Openable opens a file for reading and writing and closes it, only to say what is wrong with it. enable tells how a device that is
// not there comes to be.
func Openable(path, enable string) error {
	f, err := os.OpenFile(path, os.O_RDWR, 0)
	switch {
	case err == nil:
		return f.Close()
	case errors.Is(err, fs.ErrNotExist):
		return &fault{fmt.Sprintf("%s: there is no such device: %s", path, enable), err}
	case errors.Is(err, fs.ErrPermission):
		return &fault{fmt.Sprintf("%s: no permission: %s", path, Permission(path)), err}
	}
	return fmt.Errorf("%s: %w", path, bare(err))
}

// bare is an error without the name of its file.
func bare(err error) error {
	var p *fs.PathError
	if errors.As(err, &p) {
		return p.Err
	}
	return err
}

// fault says what to do in its own words, and is still the error of the system.
type fault struct {
	text  string
	cause error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.cause }

// Permission says how a user comes to be allowed to open a file that is there.
func Permission(path string) string {
	info, err := os.Stat(path)
	if err != nil {
		return bare(err).Error()
	}
	gid, ok := groupOf(info)
	if !ok || gid == 0 || info.Mode().Perm()&0o060 != 0o060 {
		return "only root may open it: install the udev rules that come with boardd, which give it to a group"
	}
	name := strconv.FormatUint(uint64(gid), 10)
	if g, err := user.LookupGroupId(name); err == nil {
		name = g.Name
	}
	who := "USER"
	if u, err := user.Current(); err == nil {
		who = u.Username
	}
	return fmt.Sprintf(`it is for the group %s: run "sudo usermod -aG %s %s", then log in again`, name, name, who)
}
