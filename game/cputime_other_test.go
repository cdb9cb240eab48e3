//go:build !linux

package game

import "time"

var began = time.Now()

// cpuTime is time that has passed, where no clock of a thread is at hand: other work on the machine counts too.
func cpuTime() int64 { return time.Since(began).Nanoseconds() }
