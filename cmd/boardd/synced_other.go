//go:build !linux

package main

// clockSynced takes the clock to be right where the kernel cannot be asked.
func clockSynced() bool { return true }
