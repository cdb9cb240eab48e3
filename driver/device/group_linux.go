package device

import (
	"io/fs"
	"syscall"
)

// groupOf is the number of the group to which a file belongs.
func groupOf(info fs.FileInfo) (gid uint32, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, false
	}
	return s.Gid, true
}
