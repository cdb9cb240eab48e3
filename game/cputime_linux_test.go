package game

import (
	"syscall"
	"unsafe"
)

// cpuTime is how long, in nanoseconds, this thread has had a processor: other work on the machine does not count.
func cpuTime() int64 {
	const thread = 3 // CLOCK_THREAD_CPUTIME_ID
	var ts syscall.Timespec
	_, _, _ = syscall.Syscall(syscall.SYS_CLOCK_GETTIME, thread, uintptr(unsafe.Pointer(&ts)), 0)
	return ts.Nano()
}
