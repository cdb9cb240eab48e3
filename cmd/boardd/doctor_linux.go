package main

import (
	"io/fs"
	"syscall"
)

// accessible asks whether this user may read and write a file, without opening it.
func accessible(path string) error {
	const readWrite = 4 | 2
	if err := syscall.Access(path, readWrite); err != nil {
		return &fs.PathError{Op: "access", Path: path, Err: err}
	}
	return nil
}

// ownerOf is the numbers of a file's user and group.
func ownerOf(info fs.FileInfo) (user, group int, ok bool) {
	s, ok := info.Sys().(*syscall.Stat_t)
	if !ok {
		return 0, 0, false
	}
	return int(s.Uid), int(s.Gid), true
}
