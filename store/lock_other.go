//go:build !unix

package store

import "os"

// lock cannot keep a second daemon out here.
func lock(name string) (*os.File, error) { return os.OpenFile(name, os.O_RDWR|os.O_CREATE, 0o640) }
