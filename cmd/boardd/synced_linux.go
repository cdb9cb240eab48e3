package main

import "syscall"

// clockSynced reports whether the kernel believes that the wall clock is right: a small computer has no battery for it and starts
// in the past until the network has told it the time.
func clockSynced() bool {
	const timeError, unsynchronised = 5, 0x40 // TIME_ERROR and STA_UNSYNC of adjtimex(2)
	var t syscall.Timex
	state, err := syscall.Adjtimex(&t)
	return err == nil && state != timeError && t.Status&unsynchronised == 0
}
