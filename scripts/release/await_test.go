package release_test

import (
	"bytes"
	"flag"
	"fmt"
	"os/exec"
	"strings"
	"sync"
	"sync/atomic"
	"syscall"
	"testing"
	"time"
)

// patience is how long any command may take: a busy machine builds a release for three others in a few minutes.
const patience = 15 * time.Minute

// lastMoment is when the last command is to be ended, so that the tests tell which it was before they are ended themselves; zero
// when they may take as long as they like.
var lastMoment = sync.OnceValue(func() time.Time {
	timeout, err := time.ParseDuration(flag.Lookup("test.timeout").Value.String())
	if err != nil || timeout <= 0 {
		return time.Time{}
	}
	return time.Now().Add(timeout - min(timeout/4, time.Minute))
})

// await runs a command and ends it, with all that it has started, when it takes too long. A child that hangs does not hang the
// tests.
func await(cmd *exec.Cmd, patience time.Duration) error {
	cmd.SysProcAttr = &syscall.SysProcAttr{Setpgid: true} // a group of its own, to be ended as one
	cmd.WaitDelay = 10 * time.Second                      // for what has left the group and holds the output
	if err := cmd.Start(); err != nil {
		return err
	}
	if last := lastMoment(); !last.IsZero() {
		patience = min(patience, time.Until(last))
	}
	var late atomic.Bool
	end := time.AfterFunc(patience, func() {
		late.Store(true)
		_ = syscall.Kill(-cmd.Process.Pid, syscall.SIGKILL)
	})
	defer end.Stop()
	if err := cmd.Wait(); late.Load() {
		return fmt.Errorf("not done within %v: %w", patience.Round(time.Millisecond), err)
	} else if err != nil {
		return err
	}
	return nil
}

// output runs a command as await does and gives all that it printed.
func output(cmd *exec.Cmd, patience time.Duration) ([]byte, error) {
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	err := await(cmd, patience)
	return out.Bytes(), err
}

// TestHangingChild: neither a command that hangs nor its child outlasts the patience. The child holds the output, so it is gone
// when that has ended before its time.
func TestHangingChild(t *testing.T) {
	t.Parallel()
	began := time.Now()
	out, err := output(exec.Command("sh", "-c", "sleep 600 & echo begun; sleep 600; true"), 500*time.Millisecond)
	if err == nil || !strings.Contains(err.Error(), "not done within 500ms") || string(out) != "begun\n" {
		t.Errorf("%q, error %v", out, err)
	}
	if took := time.Since(began); took > 9*time.Second {
		t.Errorf("ended after %v: the child lived on", took)
	}
	out, err = output(exec.Command("sh", "-c", "echo done; exit 3"), time.Minute)
	if string(out) != "done\n" || err == nil || err.Error() != "exit status 3" {
		t.Errorf("of a command that ends: %q, %v", out, err)
	}
}
