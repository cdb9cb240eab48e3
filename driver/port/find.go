package port

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"golang.org/x/sys/unix"
)

// Candidates are the serial devices that may be boards, below dev (on every Linux "/dev"): the links of serial/by-id, which keep
// their names, then USB and Bluetooth lines without such a link, by number. Lines that are soldered in are not among them: a
// console may be there. Nothing is opened: that would start some boards anew, and disturb other programs.
func Candidates(dev string) []string {
	var found []string
	linked := map[string]bool{}
	for _, link := range list(dev, "serial/by-id/*") {
		device, err := filepath.EvalSymlinks(link)
		if err != nil || linked[device] {
			continue // a link to nowhere, or a second one to the same
		}
		linked[device] = true
		found = append(found, link)
	}
	for _, pattern := range []string{"ttyUSB*", "ttyACM*", "rfcomm*"} {
		for _, name := range list(dev, pattern) {
			if device, err := filepath.EvalSymlinks(name); err == nil && !linked[device] {
				found = append(found, name)
			}
		}
	}
	return found
}

// list are the files that fit a pattern, ttyUSB2 before ttyUSB10.
func list(dev, pattern string) []string {
	names, _ := filepath.Glob(filepath.Join(dev, pattern)) // the patterns are well-formed
	slices.SortStableFunc(names, func(a, b string) int {
		stem, n := numbered(a)
		other, m := numbered(b)
		return cmp.Or(strings.Compare(stem, other), cmp.Compare(n, m))
	})
	return names
}

// numbered parts a name before the number at its end.
func numbered(name string) (stem string, n int) {
	stem = strings.TrimRight(name, "0123456789")
	n, _ = strconv.Atoi(name[len(stem):])
	return stem, n
}

// Device tells one device from another, and from itself after it was plugged in anew.
type Device struct {
	number  uint64
	inode   uint64
	changed int64
}

// Same reports whether both are one device, whenever it was plugged in.
func (d Device) Same(other Device) bool { return d.number == other.number }

// DeviceAt is the device that a path leads to now. The error is fs.ErrNotExist when it is not plugged in.
func DeviceAt(path string) (Device, error) {
	var st unix.Stat_t
	if err := unix.Stat(path, &st); err != nil {
		return Device{}, explain(path, err)
	}
	return Device{number: uint64(st.Rdev), inode: st.Ino, changed: st.Ctim.Nano()}, nil
}

// Holder names another process that has a device open, as far as this user may know; "" for none. Whoever has the far end of a
// pseudo terminal is what boardd wants to talk to, and does not count.
func Holder(path string) string {
	device, err := filepath.EvalSymlinks(path)
	if err != nil {
		return ""
	}
	links, _ := filepath.Glob("/proc/[0-9]*/fd/*")
	self := strconv.Itoa(os.Getpid())
	for _, link := range links {
		pid := strings.Split(link, "/")[2]
		if to, err := os.Readlink(link); err != nil || to != device || pid == self || farEnd(pid, device) {
			continue
		}
		name, _ := os.ReadFile("/proc/" + pid + "/comm")
		return fmt.Sprintf("%s (process %s)", cmp.Or(strings.TrimSpace(string(name)), "a program"), pid)
	}
	return ""
}

// farEnd says that a process has the master of this pseudo terminal.
func farEnd(pid, device string) bool {
	number, ok := strings.CutPrefix(device, "/dev/pts/")
	if !ok {
		return false
	}
	links, _ := filepath.Glob("/proc/" + pid + "/fd/*")
	for _, link := range links {
		if to, err := os.Readlink(link); err != nil || filepath.Base(to) != "ptmx" {
			continue
		}
		info, _ := os.ReadFile("/proc/" + pid + "/fdinfo/" + filepath.Base(link))
		for line := range strings.Lines(string(info)) {
			if f := strings.Fields(line); len(f) == 2 && f[0] == "tty-index:" && f[1] == number {
				return true
			}
		}
	}
	return false
}
