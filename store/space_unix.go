//go:build unix

package store

import "golang.org/x/sys/unix"

// freeSpace is how many bytes this user may still write beside what is there.
func freeSpace(dir string) (uint64, error) {
	var s unix.Statfs_t
	err := unix.Statfs(dir, &s)
	return uint64(s.Bavail) * uint64(s.Bsize), err
}
