//go:build unix

package store

import (
	"fmt"
	"os"
	"syscall"
)

// lock keeps a second daemon out of the folder, as long as the file is open.
func lock(name string) (*os.File, error) {
	f, err := os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o640)
	if err != nil {
		return nil, err
	}
	if err := syscall.Flock(int(f.Fd()), syscall.LOCK_EX|syscall.LOCK_NB); err != nil {
		_ = f.Close()
		return nil, fmt.Errorf("another boardd keeps its games in this folder (%s is locked): end it, or name another folder in node.data", name)
	}
	return f, nil
}
