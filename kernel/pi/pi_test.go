//go:build kernel

// Package pi asks Debian's kernel on an emulated Raspberry Pi 3B what boardd makes of a real board's device tree: which Pi it is,
// which chip has the header, what its lines are called. QEMU's pins cannot be set from outside: an input reads what was last driven.
// make test-kernel boots the kernel and runs this in it, as root.
package pi

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/boardd/boardd/driver/bus"
	"github.com/boardd/boardd/driver/pins"
)

func TestMain(m *testing.M) {
	model, err := os.ReadFile("/proc/device-tree/model")
	if err != nil || !strings.HasPrefix(string(model), "Raspberry Pi 3 Model B") {
		fmt.Fprintln(os.Stderr, "this is not the guest of kernel/raspi.sh: run it with make test-kernel")
		os.Exit(1)
	}
	os.Exit(m.Run())
}

func TestChipOfTheHeader(t *testing.T) {
	all, err := pins.Chips()
	if err != nil {
		t.Fatal(err)
	}
	var labels []string
	for _, c := range all {
		labels = append(labels, c.Label)
	}
	if !slices.Equal(labels, []string{"pinctrl-bcm2835", "raspberrypi-exp-gpio"}) {
		t.Errorf("chips %q", labels)
	}
	// As Raspberry Pi OS does on a Pi 5, where the number has changed once.
	if err := os.Symlink("gpiochip0", "/dev/gpiochip4"); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{pins.Auto, "pinctrl-bcm2835", "gpiochip0", "/dev/gpiochip0", "gpiochip4", "/dev/gpiochip4"} {
		c, note, err := pins.Find(want)
		if err != nil || c.Name != "gpiochip0" || len(c.Lines) != 54 || note != "" {
			t.Errorf("%s is %s with %d lines, note %q, %v", want, c.Name, len(c.Lines), note, err)
		}
	}
	if again, err := pins.Chips(); err != nil || len(again) != len(all) {
		t.Errorf("with a link there are %d chips, %v", len(again), err)
	}
	// A number from before.
	if c, note, err := pins.Find("gpiochip512"); err != nil || c.Label != "pinctrl-bcm2835" || !strings.Contains(note, "pinctrl-bcm2835") {
		t.Errorf("gpiochip512 is %+v, note %q, %v", c, note, err)
	}
	// On a Pi 4 this would be right.
	if _, _, err := pins.Find("pinctrl-bcm2711"); err == nil || !strings.Contains(err.Error(), `"pinctrl-bcm2835"`) {
		t.Errorf("pinctrl-bcm2711: %v", err)
	}
}

// TestLinesByNameAndNumber drives lines under one of their names and reads them under another.
func TestLinesByNameAndNumber(t *testing.T) {
	c, _, err := pins.Find(pins.Auto)
	if err != nil {
		t.Fatal(err)
	}
	// Names of the mainline kernel, which are not the numbers that people know.
	for n, want := range map[int]string{2: "SDA1", 3: "SCL1", 4: "GPIO_GCLK", 14: "TXD1", 17: "GPIO17", 27: "GPIO27"} {
		if c.Lines[n] != want {
			t.Errorf("line %d is called %q, want %q", n, c.Lines[n], want)
		}
	}
	for _, l := range [][2]string{{"GPIO17", "17"}, {"17", "GPIO17"}, {"GPIO4", "GPIO_GCLK"}, {"2", "SDA1"}, {"GPIO3", "SCL1"}} {
		for _, level := range []uint64{1, 0, 1} {
			out, err := pins.OpenOutputs(pins.Options{Chip: pins.Auto, Lines: l[:1]})
			if err != nil {
				t.Fatalf("%s: %v", l[0], err)
			}
			if err := errors.Join(out.Set(level), out.Close()); err != nil {
				t.Errorf("%s: %v", l[0], err)
			}
			in, err := pins.OpenInputs(pins.Options{Chip: pins.Auto, Lines: l[1:]})
			if err != nil {
				t.Fatalf("%s: %v", l[1], err)
			}
			got, err := in.Get()
			if err = errors.Join(err, in.Close()); err != nil || got != level {
				t.Errorf("%s was driven %d, %s reads %d, %v", l[0], level, l[1], got, err)
			}
		}
	}
	if _, err := pins.OpenOutputs(pins.Options{Chip: pins.Auto, Lines: []string{"GPIO17", "17"}}); err == nil || !strings.Contains(err.Error(), "same line") {
		t.Errorf("one line twice: %v", err)
	}
	if _, err := pins.OpenOutputs(pins.Options{Chip: pins.Auto, Lines: []string{"GPIO54"}}); err == nil || !strings.Contains(err.Error(), "GPIO54") {
		t.Errorf("a line too far: %v", err)
	}
	// Pulls are asked of the real driver, and edges can be.
	in, err := pins.OpenAlert(pins.Options{Chip: pins.Auto, Lines: []string{"GPIO22", "GPIO23"}, Pull: pins.PullUp, ActiveLow: true})
	if err != nil {
		t.Fatal(err)
	}
	if err := in.Close(); err != nil {
		t.Error(err)
	}
}

func TestBusesOfThePi(t *testing.T) {
	b, err := bus.OpenI2C("/dev/i2c-1")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = b.Close() }()
	// Nobody is on it. A driver that hangs here would hang for good.
	if err := b.Tx(0x20, []byte{0}, make([]byte, 1)); err == nil {
		t.Error("something answers on an empty bus")
	} else if errors.Is(err, syscall.ENOENT) {
		t.Error(err)
	}
	// Debian's device tree leaves SPI off: the error says how to switch it on.
	if _, err := bus.OpenSPI("/dev/spidev0.0", 1_000_000, 0); err == nil || !strings.Contains(err.Error(), "dtparam=spi=on") {
		t.Errorf("/dev/spidev0.0: %v", err)
	}
}

// TestDoctorKnowsThePi runs boardd's doctor as the user of the service.
func TestDoctorKnowsThePi(t *testing.T) {
	const file = "/tmp/boardd.toml"
	const text = `
[mqtt]
listen = "127.0.0.1:0"
[[board]]
driver = "gpio-matrix"
[board.sensor]
rows = [5, 6, 12, 13, 16, 19, 20, 21]
cols = [17, 18, 22, 23, 24, 25, 26, 27]
[board.map]
generator = "rows"
`
	if err := os.WriteFile(file, []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	cmd := exec.Command("/boardd", "doctor", "--json", "-c", file)
	cmd.SysProcAttr = &syscall.SysProcAttr{Credential: &syscall.Credential{Uid: 990, Gid: 990, Groups: []uint32{997}}}
	cmd.Env = []string{"HOME=/tmp", "PATH=/bin", "BOARDD_NODE_DATA=/tmp"}
	var errs bytes.Buffer
	cmd.Stderr = &errs
	out, err := cmd.Output()
	var d struct {
		Machine struct {
			Model, Revision, Header string
			Pi                      int
		}
		Chips []struct {
			Label string
			Lines int
		} `json:"gpio_chips"`
		Boards []struct {
			Scan *struct{ Readings, Failed int }
		}
		Findings []struct{ Level, Code, What string }
	}
	if e := json.Unmarshal(out, &d); e != nil {
		t.Fatalf("%v, %v\n%s\n%s", e, err, out, errs.String())
	}
	if d.Machine.Pi != 3 || d.Machine.Header != "pinctrl-bcm2835" || d.Machine.Revision != "a02082" || !strings.HasPrefix(d.Machine.Model, "Raspberry Pi 3 Model B") {
		t.Errorf("the machine is %+v", d.Machine)
	}
	if len(d.Chips) != 2 || d.Chips[0].Label != "pinctrl-bcm2835" || d.Chips[0].Lines != 54 {
		t.Errorf("chips %+v", d.Chips)
	}
	// The lines of a matrix are requested as on a board that is there: open drain, with pulls.
	if len(d.Boards) != 1 || d.Boards[0].Scan == nil || d.Boards[0].Scan.Readings == 0 || d.Boards[0].Scan.Failed != 0 {
		t.Errorf("the matrix was not read: %+v", d.Boards)
	}
	for _, f := range d.Findings {
		if f.Level == "bad" {
			t.Errorf("found wrong: %s: %s", f.Code, f.What)
		}
	}
	if t.Failed() || err != nil {
		t.Errorf("doctor: %v\n%s\n%s", err, out, errs.String())
	}
}
