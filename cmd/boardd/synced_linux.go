package main

import (
	"errors"
	"os"
	"syscall"
)

// timesyncd is a file that systemd-timesyncd makes when it has set the clock for the first time.
const timesyncd = "/run/systemd/timesync/synchronized"

// clockSynced reports whether the wall clock is believed to be right: a small computer has no battery for it and starts in the
// past until the network has told it the time. The kernel knows; where a sandbox does not let it be asked, systemd-timesyncd does.
func clockSynced() bool {
	const timeError, unsynchronised = 5, 0x40 // TIME_ERROR and STA_UNSYNC of adjtimex(2)
	var t syscall.Timex
	state, err := syscall.Adjtimex(&t)
	if errors.Is(err, syscall.EPERM) {
		_, err = os.Stat(timesyncd)
		return err == nil
	}
	return err == nil && state != timeError && t.Status&unsynchronised == 0
}
