package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"
)

// process is boardd as a process of its own, which can be killed and started again.
type process struct {
	t    testing.TB
	conf string
	log  *book

	mu  sync.Mutex
	cmd *exec.Cmd
}

func newProcess(t testing.TB, conf string) *process {
	t.Helper()
	boardd(t)
	d := &process{t: t, conf: conf, log: &book{}}
	t.Cleanup(func() {
		_ = d.stop(syscall.SIGKILL)
		if t.Failed() {
			t.Logf("boardd's log:\n%s", d.log)
		}
	})
	return d
}

// start starts boardd; its standard output goes to out if there is one.
func (d *process) start(out *os.File) {
	path, err := program()
	if err != nil {
		d.t.Error(err)
		return
	}
	cmd := exec.Command(path, "run", "-c", d.conf)
	cmd.Stderr = d.log
	if out != nil {
		cmd.Stdout = out
	}
	if err := cmd.Start(); err != nil {
		d.t.Error(err)
		return
	}
	d.mu.Lock()
	defer d.mu.Unlock()
	d.cmd = cmd
}

// stop ends boardd by a signal, and returns when it has ended.
func (d *process) stop(s syscall.Signal) error {
	d.mu.Lock()
	cmd := d.cmd
	d.cmd = nil
	d.mu.Unlock()
	if cmd == nil {
		return nil
	}
	_ = cmd.Process.Signal(s)
	return cmd.Wait()
}

func (d *process) pid() int {
	d.mu.Lock()
	defer d.mu.Unlock()
	if d.cmd == nil {
		return 0
	}
	return d.cmd.Process.Pid
}

// usage is the memory that boardd has in use, and the processor time that it has had.
func (d *process) usage() (rss int64, cpu time.Duration, err error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/stat", d.pid()))
	if err != nil {
		return 0, 0, err
	}
	_, after, _ := strings.Cut(string(text), ") ")
	f := strings.Fields(after)
	if len(f) < 22 {
		return 0, 0, fmt.Errorf("/proc/PID/stat has %d fields", len(f))
	}
	var user, system, pages int64
	if _, err := fmt.Sscan(f[11]+" "+f[12]+" "+f[21], &user, &system, &pages); err != nil {
		return 0, 0, err
	}
	return pages * int64(os.Getpagesize()), time.Duration(user+system) * 10 * time.Millisecond, nil // 100 ticks a second
}

// The faults of disks, as strace brings them about. SQLite syncs by fsync and writes by pwrite64; a full disk refuses to write.
const (
	slowDisk = "fsync,fdatasync:delay_enter=500000"
	deadDisk = "fsync,fdatasync:delay_enter=9000000" // it stands still
	fullDisk = "pwrite64:error=ENOSPC"
	sickDisk = "fsync,fdatasync:error=EIO"
)

// inject lets boardd's system calls fail in a way until it is told that this is over. Other calls are not touched.
func (d *process) inject(fault string) (over func()) {
	pid := d.pid()
	cmd := exec.Command(tool(d.t, "strace"), "-f", "-q", "-o", "/dev/null", "-e", "trace=fsync,fdatasync,pwrite64", "-e", "inject="+fault,
		"-p", fmt.Sprint(pid))
	said := &book{}
	cmd.Stderr = said
	if err := cmd.Start(); err != nil {
		d.t.Error(err)
		return func() {}
	}
	attached := func() bool {
		text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", pid))
		return err != nil || strings.Contains(string(text), fmt.Sprintf("TracerPid:\t%d\n", cmd.Process.Pid))
	}
	eventually(d.t, "strace is attached", 20*time.Second, attached)
	return func() {
		_ = cmd.Process.Signal(syscall.SIGINT) // it lets go
		_ = cmd.Wait()
		if text := said.String(); strings.Contains(text, "ermitted") || strings.Contains(text, "nvalid") {
			d.t.Errorf("strace: %s", text)
		}
	}
}
