package ctl

import (
	"errors"
	"fmt"
	"io/fs"
	"net"
	"os"
	"os/user"
	"path/filepath"
	"strconv"
	"syscall"
	"time"
)

// Group is whose members may use the socket, where there is such a group.
const Group = "boardd"

// Paths are where the socket may be: the one that is configured; if that is the usual one, also in the folder that runtime names
// (XDG_RUNTIME_DIR), for people who run boardd as themselves.
func Paths(configured, usual, runtime string) (list []string) {
	if configured == "" {
		return nil
	}
	list = []string{configured}
	if configured == usual && filepath.IsAbs(runtime) {
		list = append(list, filepath.Join(runtime, filepath.Base(usual)))
	}
	return list
}

// ErrTaken says that somebody listens at a socket already.
var ErrTaken = errors.New("another boardd listens there")

// Listen makes the socket at the first of paths whose folder is there and may be written to. One that nobody listens at any more is
// replaced; one that is in use is not, and then the error is ErrTaken.
func Listen(paths []string) (l *net.UnixListener, err error) {
	for _, p := range paths {
		l, err = listen(p)
		if err == nil || !errors.Is(err, fs.ErrNotExist) && !errors.Is(err, fs.ErrPermission) && !errors.Is(err, syscall.EROFS) {
			break
		}
	}
	return l, err
}

func listen(path string) (*net.UnixListener, error) {
	switch info, err := os.Lstat(path); {
	case err != nil && !errors.Is(err, fs.ErrNotExist):
		return nil, err
	case err == nil && info.Mode().Type() != fs.ModeSocket:
		return nil, fmt.Errorf("%s is there and is no socket: remove it, or name another in node.socket", path)
	case err == nil:
		c, err := net.DialTimeout("unix", path, time.Second)
		if err == nil {
			_ = c.Close()
			return nil, fmt.Errorf("%s: %w", path, ErrTaken)
		}
		if !errors.Is(err, syscall.ECONNREFUSED) {
			return nil, err
		}
		if err := os.Remove(path); err != nil {
			return nil, err
		}
	}
	l, err := net.ListenUnix("unix", &net.UnixAddr{Name: path, Net: "unix"})
	if err != nil {
		return nil, err
	}
	if err := os.Chmod(path, 0o660); err != nil {
		_ = l.Close()
		return nil, err
	}
	if g, err := user.LookupGroup(Group); err == nil {
		if id, err := strconv.Atoi(g.Gid); err == nil {
			_ = os.Chown(path, -1, id) // who is no member of it serves himself only
		}
	}
	return l, nil
}
