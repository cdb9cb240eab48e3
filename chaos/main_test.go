// Package chaos lets everything fail that may fail while games are played: the broker, the network, the disk, boardd itself, the
// wall clock, whoever sends commands. A boardd as it is shipped reads boards on pseudo terminals, which simulated hands play on, and
// publishes to a mosquitto, where a recorder listens. Afterwards the recorder and the store must have what the hands played, each
// event once and in order. docs/reliability.md has the figures; make chaos makes them anew.
package chaos

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"sync"
	"testing"
	"time"

	"go.uber.org/goleak"
)

// full is what make chaos sets: how many evenings are played for each kind of trouble.
const full = "BOARDD_CHAOS"

func TestMain(m *testing.M) {
	if journey := os.Getenv(asGuest); journey != "" {
		if err := guest(journey); err != nil {
			fmt.Println(err)
			os.Exit(1)
		}
		os.Exit(0)
	}
	dir, err := os.MkdirTemp("", "chaos")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	scratch = dir
	code := m.Run()
	_ = os.RemoveAll(dir)
	if code == 0 {
		if err := goleak.Find(); err != nil {
			fmt.Fprintln(os.Stderr, err)
			code = 1
		}
	}
	os.Exit(code)
}

// scratch is a folder that all tests share.
var scratch string

// program is boardd, built once as it is shipped.
var program = sync.OnceValues(func() (string, error) {
	path := filepath.Join(scratch, "boardd")
	cmd := exec.Command("go", "build", "-trimpath", "-o", path, "../cmd/boardd")
	cmd.Env = append(os.Environ(), "CGO_ENABLED=0")
	out, err := cmd.CombinedOutput()
	if err != nil {
		return "", fmt.Errorf("%w\n%s", err, out)
	}
	return path, nil
})

// boardd is the path of the program.
func boardd(t testing.TB) string {
	t.Helper()
	path, err := program()
	if err != nil {
		t.Fatal(err)
	}
	return path
}

// tool finds a program that the tests need besides Go.
func tool(t testing.TB, name string) string {
	t.Helper()
	for _, where := range []string{name, "/usr/sbin/" + name} {
		if path, err := exec.LookPath(where); err == nil {
			return path
		}
	}
	if os.Getenv("BOARDD_TEST") == "full" {
		t.Fatalf("%s is missing: scripts/deps.sh installs it", name)
	}
	t.Skipf("%s is not installed", name)
	return ""
}

// eventually waits for a condition until the deadline.
func eventually(t testing.TB, what string, patience time.Duration, ok func() bool) bool {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Errorf("not within %v: %s", patience, what)
			return false
		}
		time.Sleep(5 * time.Millisecond)
	}
	return true
}

// book keeps what a process says.
type book struct {
	mu   sync.Mutex
	text []byte
}

func (b *book) Write(p []byte) (int, error) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.text = append(b.text, p...)
	return len(p), nil
}

func (b *book) String() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return string(b.text)
}
