// Package systemd_test holds the unit, and what goes with it, to what systemd and udev themselves say of it.
package systemd_test

import (
	"bytes"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// tool is a program that must be there in a full run.
func tool(t *testing.T, name string) string {
	t.Helper()
	path, err := exec.LookPath(name)
	if err != nil {
		t.Skipf("no %s here: scripts/deps.sh installs it", name)
	}
	return path
}

func output(t *testing.T, name string, args ...string) string {
	t.Helper()
	out, err := exec.Command(tool(t, name), args...).CombinedOutput()
	if err != nil {
		t.Fatalf("%s %s: %v\n%s", name, strings.Join(args, " "), err, out)
	}
	return string(out)
}

func text(t *testing.T, name string) string {
	t.Helper()
	b, err := os.ReadFile(name)
	if err != nil {
		t.Fatal(err)
	}
	return string(b)
}

// unit is the unit in a folder of its own, with a program that there is.
func unit(t *testing.T) string {
	t.Helper()
	program, err := os.Executable()
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "boardd.service")
	if err := os.WriteFile(path, []byte(strings.ReplaceAll(text(t, "boardd.service"), "/usr/bin/boardd ", program+" ")), 0o644); err != nil {
		t.Fatal(err)
	}
	return path
}

func TestUnitIsVerified(t *testing.T) {
	t.Parallel()
	if out := output(t, "systemd-analyze", "verify", unit(t)); out != "" {
		t.Errorf("systemd-analyze verify says\n%s", out)
	}
}

// most is the exposure that the sandbox may leave, on systemd's scale from 0 to 10.
const most = 1.5

func TestSandboxIsTight(t *testing.T) {
	t.Parallel()
	out := output(t, "systemd-analyze", "security", "--offline=yes", unit(t))
	m := regexp.MustCompile(`Overall exposure level for boardd.service: ([0-9.]+)`).FindStringSubmatch(out)
	if m == nil {
		t.Fatalf("no level in\n%s", out)
	}
	if level, err := strconv.ParseFloat(m[1], 64); err != nil || level > most {
		t.Errorf("exposure level %s (%v), want at most %v\n%s", m[1], err, most, out)
	}
}

// keys are the keys of the unit with all their values.
func keys(t *testing.T) map[string][]string {
	t.Helper()
	all := map[string][]string{}
	for line := range strings.Lines(text(t, "boardd.service")) {
		if key, value, ok := strings.Cut(strings.TrimSpace(line), "="); ok && !strings.HasPrefix(key, "#") {
			all[key] = append(all[key], value)
		}
	}
	return all
}

// TestUnitDoesWhatBoarddNeeds: what a tighter sandbox would break, and what no check of systemd knows.
func TestUnitDoesWhatBoarddNeeds(t *testing.T) {
	t.Parallel()
	k := keys(t)
	for _, key := range []string{"IPAddressDeny", "PrivateNetwork", "PrivateDevices", "BindsTo", "Requires", "DynamicUser"} {
		if k[key] != nil {
			t.Errorf("%s=%s", key, k[key])
		}
	}
	for key, want := range map[string]string{
		"Type": "notify", "Restart": "on-failure", "RestartPreventExitStatus": "2", "StartLimitIntervalSec": "0", "User": "boardd",
		"StateDirectory": "boardd", "RuntimeDirectory": "boardd", "Environment": "GOTRACEBACK=crash", "ExecReload": "/bin/sh -c 'kill -HUP $MAINPID'",
		"ExecStart": "/usr/bin/boardd run -c /etc/boardd/boardd.toml", "ExecStopPost": "-/usr/bin/boardd lights off -c /etc/boardd/boardd.toml",
	} {
		if !slices.Equal(k[key], []string{want}) {
			t.Errorf("%s=%s, want %s", key, k[key], want)
		}
	}
	for _, device := range []string{"char-gpiochip", "char-i2c", "char-spi", "char-ttyACM", "char-ttyUSB", "/dev/leds0"} {
		if !slices.Contains(k["DeviceAllow"], device+" rw") {
			t.Errorf("%s is not let through", device)
		}
	}
	for _, family := range []string{"AF_UNIX", "AF_INET", "AF_INET6"} {
		if !slices.Contains(strings.Fields(strings.Join(k["RestrictAddressFamilies"], " ")), family) {
			t.Errorf("%s is restricted", family)
		}
	}
}

func TestUserAndGroups(t *testing.T) {
	t.Parallel()
	root := t.TempDir()
	if err := os.Mkdir(filepath.Join(root, "etc"), 0o755); err != nil {
		t.Fatal(err)
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	output(t, "systemd-sysusers", "--root="+root, filepath.Join(here, "sysusers.d/boardd.conf"))
	if passwd := text(t, root+"/etc/passwd"); !regexp.MustCompile(`(?m)^boardd:x:\d+:\d+:[^:]*:/var/lib/boardd:/usr/sbin/nologin$`).MatchString(passwd) {
		t.Errorf("users:\n%s", passwd)
	}
	groups := text(t, root+"/etc/group")
	for _, group := range []string{"dialout", "gpio", "i2c", "spi"} {
		if !regexp.MustCompile(`(?m)^` + group + `:x:\d+:boardd$`).MatchString(groups) {
			t.Errorf("boardd is not in %s:\n%s", group, groups)
		}
	}
	if os.Getuid() == 0 { // others cannot give a folder away
		output(t, "systemd-tmpfiles", "--root="+root, "--create", filepath.Join(here, "tmpfiles.d/boardd.conf"))
		if s, err := os.Stat(root + "/var/lib/boardd"); err != nil || s.Mode() != os.ModeDir|0o750 {
			t.Errorf("%v, %v", s, err)
		}
	}
}

// device is a device as a fake /sys shows it to udev.
type device struct {
	name, subsystem, path string // path below /sys/devices
	usb                   string // vendor:product:serial of the USB device it belongs to
	properties            string // "devtype" and others, as uevent has them
}

// TestRules: udev itself tells what the rules make of devices, in a mount namespace where /sys shows devices that are not there.
func TestRules(t *testing.T) {
	t.Parallel()
	tool(t, "udevadm")
	const usb = "pci0000:00/0000:00:14.0/usb1/1-2"
	const tty = usb + "/1-2:1.0/ttyUSB0/tty/ttyUSB0"
	const ignored = "ID_MM_DEVICE_IGNORE=1"
	for _, c := range []struct {
		name string
		device
		has, hasNot []string
	}{
		{"a chip of GPIO lines", device{"gpiochip0", "gpio", "platform/gpio/gpiochip0", "", ""}, []string{"70-boardd.rules:5 GROUP 99061", "70-boardd.rules:5 MODE 0660"}, []string{ignored}},
		{"an I2C bus", device{"i2c-1", "i2c-dev", "platform/i2c-1/i2c-dev/i2c-1", "", ""}, []string{"70-boardd.rules:6 GROUP 99062", "70-boardd.rules:6 MODE 0660"}, nil},
		{"an SPI device", device{"spidev0.0", "spidev", "platform/spi0/spi0.0/spidev/spidev0.0", "", ""}, []string{"70-boardd.rules:7 GROUP 99063", "70-boardd.rules:7 MODE 0660"}, nil},
		{"the LEDs of a Pi 5", device{"leds0", "misc", "platform/leds0", "", ""}, []string{"70-boardd.rules:8 GROUP 99063", "70-boardd.rules:8 MODE 0660"}, nil},
		{"a DGT board", device{"ttyUSB0", "tty", tty, "0403:6001:A50285BI", ""}, []string{ignored, "/dev/chessboard/A50285BI", "/dev/chessboard/at-"}, nil},
		{"its USB device", device{"", "usb", usb, "0403:6001:A50285BI", "DEVTYPE=usb_device"}, []string{ignored}, []string{"chessboard"}},
		{"an adapter without a number", device{"ttyUSB0", "tty", tty, "1a86:7523:", ""}, []string{ignored, "/dev/chessboard/at-"}, nil},
		{"a modem", device{"ttyUSB0", "tty", tty, "12d1:1506:0123", ""}, nil, []string{ignored, "chessboard"}},
		{"a serial port that is not USB", device{"ttyS0", "tty", "pnp0/00:00/tty/ttyS0", "", ""}, nil, []string{ignored, "chessboard"}},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			got := udev(t, c.device)
			if !strings.Contains(got, "70-boardd.rules") || strings.Contains(got, "nvalid") {
				t.Fatalf("the rules were not read:\n%s", got)
			}
			for _, part := range c.has {
				if !strings.Contains(got, part) {
					t.Errorf("no %q in\n%s", part, got)
				}
			}
			for _, part := range c.hasNot {
				if strings.Contains(got, part) {
					t.Errorf("%q in\n%s", part, got)
				}
			}
		})
	}
}

// udev is what udevadm says that it would do with a device.
func udev(t *testing.T, d device) string {
	t.Helper()
	root := t.TempDir()
	sys := filepath.Join(root, "devices", d.path)
	write := func(name, text string) {
		t.Helper()
		if err := os.MkdirAll(filepath.Dir(name), 0o755); err != nil {
			t.Fatal(err)
		}
		if err := os.WriteFile(name, []byte(text), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	link := func(dir, subsystem string) {
		t.Helper()
		class := filepath.Join(root, "class", subsystem)
		if err := os.MkdirAll(class, 0o755); err != nil {
			t.Fatal(err)
		}
		up, err := filepath.Rel(dir, class)
		if err != nil {
			t.Fatal(err)
		}
		if err := os.Symlink(up, filepath.Join(dir, "subsystem")); err != nil {
			t.Fatal(err)
		}
	}
	event := "MAJOR=188\nMINOR=0\n" + d.properties + "\n"
	if d.name != "" {
		event += "DEVNAME=" + d.name + "\n"
	}
	write(filepath.Join(sys, "uevent"), event)
	link(sys, d.subsystem)
	if d.usb != "" {
		ids := strings.Split(d.usb, ":")
		i := strings.Index(d.path, "1-2")
		parent := filepath.Join(root, "devices", d.path[:i+3])
		if parent != sys {
			write(filepath.Join(parent, "uevent"), "DEVTYPE=usb_device\nMAJOR=189\nMINOR=1\nDEVNAME=bus/usb/001/002\n")
			link(parent, "usb")
			face := filepath.Join(parent, "1-2:1.0")
			write(filepath.Join(face, "uevent"), "DEVTYPE=usb_interface\n")
			write(filepath.Join(face, "bInterfaceNumber"), "00\n")
			write(filepath.Join(face, "bInterfaceClass"), "ff\n")
			write(filepath.Join(face, "bInterfaceSubClass"), "ff\n")
			write(filepath.Join(face, "bInterfaceProtocol"), "ff\n")
			link(face, "usb")
		}
		write(filepath.Join(parent, "idVendor"), ids[0]+"\n")
		write(filepath.Join(parent, "idProduct"), ids[1]+"\n")
		write(filepath.Join(parent, "bcdDevice"), "0600\n")
		write(filepath.Join(parent, "descriptors"), "")
		if ids[2] != "" {
			write(filepath.Join(parent, "serial"), ids[2]+"\n")
		}
		pci := filepath.Join(root, "devices/pci0000:00/0000:00:14.0")
		write(filepath.Join(pci, "uevent"), "PCI_SLOT_NAME=0000:00:14.0\n")
		link(pci, "pci")
	}
	here, err := filepath.Abs(".")
	if err != nil {
		t.Fatal(err)
	}
	// The rules of the computer stay, the groups get numbers of ours, and udev finds no device of the computer's to change.
	script := fmt.Sprintf(`set -e
mount -t tmpfs none /run
mkdir -p /run/udev/rules.d
cp %q /run/udev/rules.d/
grep -vE '^(gpio|i2c|spi):' /etc/group >/run/group
printf 'gpio:x:99061:\ni2c:x:99062:\nspi:x:99063:\n' >>/run/group
mount --bind /run/group /etc/group
mkdir /run/dev
touch /run/dev/null
mount --bind /dev/null /run/dev/null
mount --rbind /run/dev /dev
mount --rbind %q /sys
SYSTEMD_DEVICE_VERIFY_SYSFS=0 udevadm test --action=add %q
`, filepath.Join(here, "udev/70-boardd.rules"), root, "/sys/devices/"+d.path)
	args := []string{"-m", "sh", "-c", script}
	if os.Getuid() != 0 {
		args = append([]string{"--map-root-user"}, args...)
	}
	cmd := exec.Command(tool(t, "unshare"), args...)
	var out bytes.Buffer
	cmd.Stdout, cmd.Stderr = &out, &out
	if err := cmd.Run(); err != nil {
		t.Fatalf("%v\n%s", err, out.String())
	}
	return out.String()
}
