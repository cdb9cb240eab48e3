//go:build kernel

// Package board plays on home-made boards that a Linux kernel shows: the real boardd, as its own user, with its real
// configuration, reads /dev/gpiochip0, /dev/i2c-1 and /dev/spidev0.0. The hands, the contacts and the chips are played here.
// make test-kernel boots the kernel and runs this in it, as root.
package board

import (
	"flag"
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"
	"time"
)

const matrixFolder = "/sys/devices/platform/gpio-reedmatrix.0"

func TestMain(m *testing.M) {
	if _, err := os.Stat(matrixFolder); err != nil {
		fmt.Fprintln(os.Stderr, "this is not the guest of kernel/boot.sh: run it with make test-kernel")
		os.Exit(1)
	}
	flag.Parse()
	_ = flag.Set("test.parallel", "4") // games wait more than they compute, whatever the number of processors
	os.Exit(m.Run())
}

// eventually waits for a condition until the deadline. The guest may be slow: it shares two processors with all else.
func eventually(t *testing.T, what string, patience time.Duration, ok func() bool) {
	t.Helper()
	deadline := time.Now().Add(patience)
	for !ok() {
		if time.Now().After(deadline) {
			t.Fatalf("not within %v: %s", patience, what)
		}
		time.Sleep(10 * time.Millisecond)
	}
}

// matrix is the chip of the module gpio-reedmatrix.
type matrix struct{ t *testing.T }

// put writes one of the chip's controls.
func (m matrix) put(name, value string) {
	m.t.Helper()
	if err := os.WriteFile(matrixFolder+"/"+name, []byte(value), 0); err != nil {
		m.t.Error(err)
	}
}

// Set closes exactly these contacts, bit row*8+column.
func (m matrix) Set(closed uint64) { m.t.Helper(); m.put("switches", strconv.FormatUint(closed, 16)) }

// stats are the counts since the last reset.
func (m matrix) stats() map[string]int {
	m.t.Helper()
	text, err := os.ReadFile(matrixFolder + "/stats")
	if err != nil {
		m.t.Error(err)
	}
	counts := map[string]int{}
	for line := range strings.Lines(string(text)) {
		name, number, _ := strings.Cut(strings.TrimSpace(line), " ")
		if counts[name], err = strconv.Atoi(number); err != nil {
			m.t.Errorf("stats: %q", line)
		}
	}
	return counts
}

// there takes the chip away from the kernel, or gives it back.
func (m matrix) there(yes bool) {
	m.t.Helper()
	name := "unbind"
	if yes {
		name = "bind"
	}
	if err := os.WriteFile("/sys/bus/platform/drivers/gpio-reedmatrix/"+name, []byte("gpio-reedmatrix.0"), 0); err != nil {
		m.t.Fatal(err)
	}
}

// scanned waits until the whole matrix was read some times since it was last changed.
func (m matrix) scanned() {
	m.t.Helper()
	m.put("stats", "0")
	eventually(m.t, "the matrix is read", time.Minute, func() bool { return m.stats()["reads"] > 10*64 })
}
