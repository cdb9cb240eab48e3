package port

import (
	"errors"
	"io/fs"
	"os"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"golang.org/x/sys/unix"
)

// Check and Open refuse the same in the same words, and Check leaves nothing behind.
func TestCheckSaysWhatOpenSays(t *testing.T) {
	t.Parallel()
	_, good := pair(t)
	_, taken := pair(t)
	dir, plain := t.TempDir(), filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	holder, err := Open(Options{Path: taken.Name(), LockDir: dir})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { holder.Close() })
	before, _ := filepath.Glob(filepath.Join(dir, "*"))
	for _, c := range []struct{ name, path, dir, want string }{
		{"no name", "", dir, "no serial port is named"},
		{"missing", filepath.Join(dir, "none"), dir, "is not there"},
		{"a file", plain, dir, "is not a serial port"},
		{"a file, no locks", plain, "", "is not a serial port"},
		{"another kind of device", "/dev/null", "", "is not a serial port"},
		{"locked", taken.Name(), dir, "another boardd reads it"},
		{"no place for locks", good.Name(), filepath.Join(dir, "none"), "make the directory"},
	} {
		said := Check(c.path, c.dir)
		p, refused := Open(Options{Path: c.path, LockDir: c.dir})
		if refused == nil {
			p.Close()
		}
		if said == nil || refused == nil || said.Error() != refused.Error() || !strings.Contains(said.Error(), c.want) {
			t.Errorf("%s: %v, and Open %v; want %s", c.name, said, refused, c.want)
		}
	}
	if err := Check(taken.Name(), dir); !errors.Is(err, ErrBusy) || !errors.Is(err, syscall.EBUSY) {
		t.Errorf("a busy port: %v", err)
	}
	if err := Check(good.Name(), dir); err != nil {
		t.Errorf("a free port: %v", err)
	}
	if after, _ := filepath.Glob(filepath.Join(dir, "*")); len(after) != len(before) {
		t.Errorf("%v were made of %v", after, before)
	}
}

// A lock file that another user left cannot be opened, and is told as Open tells it.
func TestCheckOfAStaleLock(t *testing.T) {
	t.Parallel()
	_, slave := pair(t)
	dir := t.TempDir()
	st, err := characters(slave.Name())
	if err != nil {
		t.Fatal(err)
	}
	if err := os.Symlink("loop", filepath.Join(dir, "loop")); err != nil { // cannot be opened by root either
		t.Fatal(err)
	}
	if err := os.Symlink("loop", lockName(dir, st)); err != nil {
		t.Fatal(err)
	}
	if err := Check(slave.Name(), dir); err == nil || !strings.Contains(err.Error(), "remove that file as its owner or as root") {
		t.Error(err)
	}
}

func TestTerminals(t *testing.T) {
	t.Parallel()
	sys := t.TempDir()
	if err := os.MkdirAll(filepath.Join(sys, "dev/char/4:64"), 0o755); err != nil {
		t.Fatal(err)
	}
	if err := os.MkdirAll(filepath.Join(sys, "dev/char/1:3"), 0o755); err != nil {
		t.Fatal(err)
	}
	for device, of := range map[string]string{"4:64": "tty", "1:3": "mem"} {
		if err := os.Symlink("../../../class/"+of, filepath.Join(sys, "dev/char", device, "subsystem")); err != nil {
			t.Fatal(err)
		}
	}
	for _, c := range []struct {
		major, minor uint32
		want         bool
	}{{4, 64, true}, {1, 3, false}, {136, 0, true}} {
		if got := terminal(&unix.Stat_t{Rdev: unix.Mkdev(c.major, c.minor)}, sys); got != c.want {
			t.Errorf("%d:%d: %t", c.major, c.minor, got)
		}
	}
}

// The hint names the group that the file has, and none where joining one would not help.
func TestWhoMayOpen(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		mode, gid uint32
		want      string
	}{{0o660, 54321, "usermod -aG 54321 USER"}, {0o600, 54321, "owner only"}, {0o640, 54321, "owner only"}, {0o660, 0, "owner only"}} {
		err := closed("/dev/ttyX", &unix.Stat_t{Mode: unix.S_IFCHR | c.mode, Gid: c.gid})
		if !errors.Is(err, fs.ErrPermission) || !strings.Contains(err.Error(), c.want) || !strings.Contains(err.Error(), "/dev/ttyX") {
			t.Errorf("%o %d: %v", c.mode, c.gid, err)
		}
	}
}
