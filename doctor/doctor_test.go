package doctor

import (
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"slices"
	"strings"
	"syscall"
	"testing"
	"testing/fstest"
)

// Groups of the fixtures.
const (
	dialout = 20
	gpio    = 986
	i2c     = 988
	spi     = 989
)

const groupFile = "root:x:0:\ndialout:x:20:\nspi:x:989:\ni2c:x:988:\ngpio:x:986:\nchess:x:1000:\n"

// bench is a computer made of files.
type bench struct {
	files  fstest.MapFS
	groups []int
	chips  []Chip
	answer []uint16
	stuck  bool
	power  string
	unset  bool
	busy   string
	lines  map[string]error // what is said of serial ports
	probed []uint16
}

func (b *bench) computer() Computer {
	owner := func(info fs.FileInfo) (int, int, bool) {
		st, ok := info.Sys().(*syscall.Stat_t)
		if !ok {
			return 0, 0, true
		}
		return int(st.Uid), int(st.Gid), true
	}
	return Computer{
		Files: b.files,
		Open: func(path string) error {
			info, err := fs.Stat(b.files, strings.TrimPrefix(path, "/"))
			if err != nil {
				return err
			}
			if path == b.busy {
				return &fs.PathError{Op: "open", Path: path, Err: syscall.EBUSY}
			}
			_, g, _ := owner(info)
			if !slices.Contains(b.groups, g) || info.Mode().Perm()&0o060 != 0o060 {
				return &fs.PathError{Op: "open", Path: path, Err: syscall.EACCES}
			}
			return nil
		},
		Line:  func(path string) error { return b.lines[path] },
		Owner: owner,
		Chips: func() []Chip { return b.chips },
		Read: func(_ string, addresses []uint16) (all []Answer, err error) {
			if b.stuck {
				return nil, syscall.ETIMEDOUT
			}
			b.probed = addresses
			for _, a := range addresses {
				if slices.Contains(b.answer, a) {
					all = append(all, Answer{Address: a})
				}
			}
			return all, nil
		},
		Throttled: func() string { return b.power },
		Synced:    func() bool { return !b.unset },
		User:      "chess", Groups: b.groups, Self: 4242,
	}
}

func text(s string) *fstest.MapFile { return &fstest.MapFile{Data: []byte(s), Mode: 0o444} }

func device(group int) *fstest.MapFile {
	return &fstest.MapFile{Mode: 0o660 | fs.ModeDevice | fs.ModeCharDevice, Sys: &syscall.Stat_t{Gid: uint32(group)}}
}

// pi is a Raspberry Pi with I²C and SPI switched on.
func pi(model, compatible, revision, label string, lines int) *bench {
	code := []byte{0, 0, 0, 0}
	_, _ = fmt.Sscanf(revision, "%02x%02x%02x", &code[1], &code[2], &code[3])
	return &bench{
		groups: []int{1000, dialout, gpio, i2c, spi},
		chips:  []Chip{{Name: "gpiochip0", Label: label, Lines: lines}},
		files: fstest.MapFS{
			"proc/device-tree/model":                 text(model + "\x00"),
			"proc/device-tree/compatible":            text(compatible + "\x00"),
			"proc/device-tree/system/linux,revision": {Data: code, Mode: 0o444},
			"proc/sys/kernel/osrelease":              text("6.12.47+rpt-rpi-v8\n"),
			"etc/os-release":                         text("NAME=\"Debian GNU/Linux\"\nPRETTY_NAME=\"Debian GNU/Linux 13 (trixie)\"\n"),
			"etc/group":                              text(groupFile),
			"dev/gpiochip0":                          device(gpio),
			"dev/i2c-1":                              device(i2c),
			"dev/spidev0.0":                          device(spi),
			"dev/spidev0.1":                          device(spi),
			"sys/module/spidev/parameters/bufsiz":    text("4096\n"),
			"boot/firmware/config.txt":               text("dtparam=i2c_arm=on,spi=on\n[pi4]\narm_boost=1\n[all]\n"),
			"proc/1/comm":                            text("systemd\n"),
			"proc/4242/comm":                         text("boardd\n"),
		},
	}
}

func piZero() *bench {
	return pi("Raspberry Pi Zero W Rev 1.1", "raspberrypi,model-zero-w\x00brcm,bcm2835", "9000c1", "pinctrl-bcm2835", 54)
}
func pi3() *bench {
	return pi("Raspberry Pi 3 Model B Rev 1.2", "raspberrypi,3-model-b\x00brcm,bcm2837", "a02082", "pinctrl-bcm2835", 54)
}
func pi4() *bench {
	return pi("Raspberry Pi 4 Model B Rev 1.4", "raspberrypi,4-model-b\x00brcm,bcm2711", "d03114", "pinctrl-bcm2711", 58)
}
func pi5() *bench {
	b := pi("Raspberry Pi 5 Model B Rev 1.0", "raspberrypi,5-model-b\x00brcm,bcm2712", "d04170", "pinctrl-rp1", 54)
	b.files["dev/gpiochip4"] = &fstest.MapFile{Data: []byte("gpiochip0"), Mode: fs.ModeSymlink | 0o777}
	b.files["dev/gpiochip10"] = device(gpio)
	b.files["dev/spidev10.0"] = device(spi)
	b.chips = append(b.chips, Chip{Name: "gpiochip10", Label: "gpio-brcmstb@107d508500", Lines: 32})
	return b
}
func pc() *bench {
	return &bench{groups: []int{1000}, files: fstest.MapFS{
		"sys/class/dmi/id/sys_vendor":   text("Example Computers\n"),
		"sys/class/dmi/id/product_name": text("Desk 3000\n"),
		"proc/sys/kernel/osrelease":     text("6.1.0-40-amd64\n"),
		"etc/group":                     text(groupFile),
		"dev/ttyUSB0":                   device(dialout),
		"dev/serial/by-id/usb-FTDI-x":   {Data: []byte("../../ttyUSB0"), Mode: fs.ModeSymlink | 0o777},
	}}
}

func four(bus string) Needs {
	n := Needs{Configured: true, I2C: map[string]map[uint16]Chip{bus: {}}}
	for a := uint16(0x20); a < 0x24; a++ {
		n.I2C[bus][a] = Chip{Name: "mcp23017"}
	}
	return n
}

func TestExamine(t *testing.T) {
	t.Parallel()
	tests := []struct {
		name  string
		bench func() *bench
		needs Needs
		want  []string // level, code and a part of the mend, with | between; all findings
	}{
		{"a Pi Zero W in order", piZero, Needs{}, nil},
		{"a Pi 3 in order", pi3, Needs{Configured: true, Pins: true}, nil},
		{"a Pi 4 in order", pi4, Needs{}, nil},
		{"a Pi 5 in order", pi5, Needs{Configured: true, Pins: true}, nil},
		{"a PC with its group missing, and a port that is wanted", pc, Needs{Configured: true, Serial: []string{"/dev/serial/by-id/usb-FTDI-x"}},
			[]string{"bad|group_missing|sudo usermod -aG dialout chess"}},
		{"a PC without a wanted port", pc, Needs{Configured: true, Serial: []string{"/dev/ttyACM0"}},
			[]string{"bad|no_serial|There is /dev/serial/by-id/usb-FTDI-x", "note|group_missing|dialout"}},
		{"a PC for a matrix", pc, Needs{Configured: true, Pins: true}, []string{"bad|no_gpio|", "note|group_missing|"}},
		{"a user without groups", func() *bench { b := pi4(); b.groups = []int{1000}; return b }, four("/dev/i2c-1"),
			[]string{"bad|group_missing|usermod -aG i2c chess", "note|group_missing|usermod -aG gpio chess", "note|group_missing|usermod -aG spi chess"}},
		{"a user who must log in again", func() *bench {
			b := pi4()
			b.groups = []int{1000, spi, gpio}
			b.files["etc/group"] = text(strings.Replace(groupFile, "i2c:x:988:", "i2c:x:988:chess", 1))
			return b
		}, four("/dev/i2c-1"), []string{"bad|new_login|Log out and in again"}},
		{"devices of root", func() *bench {
			b := pi3()
			b.files["dev/gpiochip0"] = &fstest.MapFile{Mode: 0o600, Sys: &syscall.Stat_t{}}
			return b
		}, Needs{Configured: true, Pins: true}, []string{"bad|no_permission|udev rules"}},
		{"I²C switched off", func() *bench {
			b := pi4()
			delete(b.files, "dev/i2c-1")
			b.files["boot/firmware/config.txt"] = text("dtparam=spi=on\n#dtparam=i2c_arm=on\n[pi5]\ndtparam=i2c_arm=on\n")
			return b
		}, four("/dev/i2c-1"), []string{"bad|i2c_missing|Put dtparam=i2c_arm=on into /boot/firmware/config.txt"}},
		{"I²C on, module not loaded", func() *bench { b := pi4(); delete(b.files, "dev/i2c-1"); return b }, four("/dev/i2c-1"),
			[]string{"bad|i2c_missing|put i2c-dev into /etc/modules"}},
		{"SPI off, an older system", func() *bench {
			b := pi3()
			delete(b.files, "dev/spidev0.0")
			delete(b.files, "dev/spidev0.1")
			b.files["boot/config.txt"] = text("dtparam=i2c\n")
			delete(b.files, "boot/firmware/config.txt")
			return b
		}, Needs{Configured: true, SPI: []string{"/dev/spidev0.0"}}, []string{"bad|spi_missing|into /boot/config.txt"}},
		{"chips that answer", func() *bench { b := pi4(); b.answer = []uint16{0x20, 0x21, 0x22, 0x23, 0x70}; return b }, four("/dev/i2c-1"), nil},
		{"a chip that does not", func() *bench { b := pi4(); b.answer = []uint16{0x20, 0x21, 0x23}; return b }, four("/dev/i2c-1"),
			[]string{"bad|i2c_silent|address pins"}},
		{"a stuck bus", func() *bench { b := pi4(); b.stuck = true; return b }, four("/dev/i2c-1"), []string{"bad|i2c_stuck|SDA and SCL"}},
		{"a chip that the kernel has", func() *bench {
			b := pi4()
			b.answer = []uint16{0x21, 0x22, 0x23}
			b.files["sys/bus/i2c/devices/1-0020/driver"] = text("")
			return b
		}, four("/dev/i2c-1"), []string{"bad|i2c_driver|dtoverlay"}},
		{"LEDs on a Pi 3", pi3, Needs{Configured: true, SPI: []string{"/dev/spidev0.0"}, WS2812: "/dev/spidev0.0"},
			[]string{"warning|core_freq|core_freq=250"}},
		{"LEDs on a Pi 4 with its clock set", func() *bench {
			b := pi4()
			b.files["boot/firmware/config.txt"] = text("dtparam=spi=on\ncore_freq=500\ncore_freq_min=500\n")
			return b
		}, Needs{Configured: true, SPI: []string{"/dev/spidev0.0"}, WS2812: "/dev/spidev0.0"}, nil},
		{"LEDs on a Pi 5", pi5, Needs{Configured: true, SPI: []string{"/dev/spidev0.0"}, WS2812: "/dev/spidev0.0"}, nil},
		{"LEDs of which there are too many", pi5, Needs{Configured: true, SPI: []string{"/dev/spidev0.0"}, Transfer: 9000},
			[]string{"bad|spi_buffer|spidev.bufsiz=32768"}},
		{"an LED device that is not there", pi5, Needs{Configured: true, Lights: "/dev/leds0"}, []string{"bad|no_leds|dtoverlay=ws2812-pio"}},
		{"an LED device on a Pi 4", pi4, Needs{Configured: true, Lights: "/dev/leds0"}, []string{"bad|no_leds|Only a Pi 5"}},
		{"ModemManager beside a serial board", func() *bench {
			b := pi4()
			b.files["proc/77/comm"], b.files["dev/ttyACM0"] = text("ModemManager\n"), device(dialout)
			return b
		}, Needs{Configured: true, Serial: []string{"auto"}}, []string{"bad|modem_manager|sudo systemctl disable --now ModemManager"}},
		{"no serial board", pi4, Needs{Configured: true, Serial: []string{"auto"}}, []string{"bad|no_serial|cable"}},
		{"boardd at work", func() *bench {
			b := pi4()
			b.files["proc/9/comm"], b.busy = text("boardd\n"), "/dev/spidev0.0"
			return b
		}, Needs{Configured: true, SPI: []string{"/dev/spidev0.0"}}, []string{"warning|busy|end it first", "note|boardd_runs|end it: kill 9"}},
		{"boardd at work as a service, and one that has ended", func() *bench {
			b := pi4()
			b.files["proc/9/comm"], b.files["proc/9/stat"] = text("boardd\n"), text("9 (boardd) S 1 9 9 0\n")
			b.files["proc/9/cgroup"] = text("0::/system.slice/boardd.service\n")
			b.files["proc/10/comm"], b.files["proc/10/stat"] = text("boardd\n"), text("10 (boardd) Z 1 9 9 0\n")
			return b
		}, Needs{}, []string{"note|boardd_runs|sudo systemctl stop boardd"}},
		{"a port that is soldered in", func() *bench {
			b := pi4()
			b.files["dev/ttyS0"] = device(dialout)
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyS0"}}, nil},
		{"a port that is the console", func() *bench {
			b := pi4()
			b.files["dev/ttyS0"] = &fstest.MapFile{Mode: 0o600 | fs.ModeDevice, Sys: &syscall.Stat_t{}}
			b.lines = map[string]error{"/dev/ttyS0": errors.New("serial port /dev/ttyS0 is this computer's console: take console=ttyS0 out")}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyS0"}}, []string{"bad|serial_refused|Take console=ttyS0 out."}},
		{"a port that is none", func() *bench {
			b := pi4()
			b.files["dev/null"] = device(dialout)
			b.lines = map[string]error{"/dev/null": errors.New("/dev/null is not a serial port: set port to one")}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/null"}}, []string{"bad|serial_refused|Set port to one."}},
		{"a port of another group", func() *bench {
			b := pi4()
			b.files["dev/ttyAMA0"] = device(1234)
			b.lines = map[string]error{"/dev/ttyAMA0": fs.ErrPermission}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyAMA0"}}, []string{"bad|group_missing|usermod -aG 1234 chess"}},
		{"a port of root", func() *bench {
			b := pi4()
			b.files["dev/ttyAMA0"] = &fstest.MapFile{Mode: 0o600 | fs.ModeDevice, Sys: &syscall.Stat_t{}}
			b.lines = map[string]error{"/dev/ttyAMA0": fs.ErrPermission}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyAMA0"}}, []string{"bad|no_permission|udev rules"}},
		{"a lock that another user left", func() *bench {
			b := pi4()
			b.files["dev/ttyUSB0"] = device(dialout)
			b.lines = map[string]error{"/dev/ttyUSB0": fmt.Errorf("lock serial port /dev/ttyUSB0: %w: remove that file", fs.ErrPermission)}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyUSB0"}}, []string{"bad|serial_refused|Remove that file."}},
		{"a port that another program has", func() *bench {
			b := pi4()
			b.files["dev/ttyUSB0"] = device(dialout)
			b.lines = map[string]error{"/dev/ttyUSB0": fmt.Errorf("serial port /dev/ttyUSB0 is %w: end minicom", syscall.EBUSY)}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyUSB0"}}, []string{"bad|serial_refused|End minicom."}},
		{"a port that boardd has", func() *bench {
			b := pi4()
			b.files["proc/9/comm"], b.files["dev/ttyUSB0"] = text("boardd\n"), device(dialout)
			b.lines = map[string]error{"/dev/ttyUSB0": fmt.Errorf("serial port /dev/ttyUSB0 is %w: end boardd", syscall.EBUSY)}
			return b
		}, Needs{Configured: true, Serial: []string{"/dev/ttyUSB0"}}, []string{"note|serial_refused|End boardd.", "note|boardd_runs|kill 9"}},
		{"a weak supply", func() *bench { b := pi4(); b.power = "throttled=0x50005\n"; return b }, Needs{}, []string{"warning|under_voltage|supply"}},
		{"a supply that was weak", func() *bench { b := pi4(); b.power = "throttled=0x50000\n"; return b }, Needs{}, []string{"warning|under_voltage_once|supply"}},
		{"a weak supply without vcgencmd", func() *bench {
			b := pi4()
			b.files["sys/class/hwmon/hwmon0/name"], b.files["sys/class/hwmon/hwmon0/in0_lcrit_alarm"] = text("cpu_thermal\n"), text("1")
			b.files["sys/class/hwmon/hwmon1/name"], b.files["sys/class/hwmon/hwmon1/in0_lcrit_alarm"] = text("rpi_volt\n"), text("1\n")
			return b
		}, Needs{}, []string{"warning|under_voltage|supply"}},
		{"a clock that is not set", func() *bench { b := pi4(); b.unset = true; return b }, Needs{}, []string{"warning|clock|timedatectl"}},
		{"a Pi of the future", func() *bench {
			b := pi("Raspberry Pi 6 Model B Rev 1.0", "raspberrypi,6-model-b\x00brcm,bcm2799", "e05170", "pinctrl-rp2", 54)
			return b
		}, Needs{Configured: true, Pins: true}, []string{"note|unknown_model|list of GPIO chips"}},
		{"a header chip that is not there", func() *bench { b := pi5(); b.chips = b.chips[1:]; return b }, Needs{Configured: true, Pins: true},
			[]string{"warning|no_header|chip in [board.sensor]"}},
		{"one wire beside a matrix", func() *bench {
			b := pi3()
			b.files["boot/firmware/config.txt"] = text("dtoverlay=w1-gpio\ndtparam=i2c_arm=on\ndtparam=spi=on\n")
			return b
		}, Needs{Configured: true, Pins: true}, []string{"warning|w1_gpio|GPIO4"}},
	}
	for _, test := range tests {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			b := test.bench()
			r := Examine(b.computer(), test.needs)
			var got []string
			for i, f := range r.Findings {
				got = append(got, fmt.Sprintf("%s|%s|%s", f.Level, f.Code, f.Mend))
				if i < len(test.want) {
					parts := strings.SplitN(test.want[i], "|", 3)
					if f.Level.String() != parts[0] || f.Code != parts[1] || !strings.Contains(f.Mend, parts[2]) {
						t.Errorf("finding %d: %+v, want %s", i, f, test.want[i])
					}
				}
			}
			if len(got) != len(test.want) {
				t.Errorf("findings:\n%s\nwant:\n%s", strings.Join(got, "\n"), strings.Join(test.want, "\n"))
			}
			if sick := len(test.want) > 0 && strings.HasPrefix(test.want[0], "bad"); r.Sick() != sick {
				t.Errorf("sick: %t", r.Sick())
			}
		})
	}
}

func TestRootIsToldThatTheServiceIsAnother(t *testing.T) {
	t.Parallel()
	for users, want := range map[string]string{"root:x:0:0:::\n": "as the user that runs boardd", "root:x:0:0:::\nboardd:x:9:9:::\n": "sudo -u boardd"} {
		b := pi4()
		b.files["etc/passwd"] = text(users)
		c := b.computer()
		c.User = "root"
		if r := Examine(c, Needs{}); len(r.Findings) != 1 || r.Findings[0].Code != "root" || r.Sick() || !strings.Contains(r.Findings[0].Mend, want) {
			t.Errorf("%+v", r.Findings)
		}
	}
}

func TestMachines(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		bench            *bench
		pi               int
		revision, header string
	}{
		{piZero(), 1, "9000c1", "pinctrl-bcm2835"}, {pi3(), 3, "a02082", "pinctrl-bcm2835"}, {pi4(), 4, "d03114", "pinctrl-bcm2711"},
		{pi5(), 5, "d04170", "pinctrl-rp1"}, {pc(), 0, "", ""},
	} {
		r := Examine(test.bench.computer(), Needs{})
		if m := r.Machine; m.Pi != test.pi || m.Revision != test.revision || m.Header != test.header {
			t.Errorf("%+v", m)
		}
	}
}

// Only addresses at which boards and lights have chips are read, and none that the kernel has.
func TestProbingIsCareful(t *testing.T) {
	t.Parallel()
	b := pi4()
	b.files["sys/bus/i2c/devices/1-0048/driver"] = text("")
	b.files["dev/i2c-20"] = device(i2c) // of a screen
	r := Examine(b.computer(), Needs{})
	for _, a := range b.probed {
		if a < 0x20 || a > 0x77 || a >= 0x50 && a <= 0x6F || a == 0x48 {
			t.Errorf("0x%02x was read", a)
		}
	}
	if len(b.probed) != 8+8+4+8-1 {
		t.Errorf("%d addresses were read", len(b.probed))
	}
	if r.I2C[1].Path != "/dev/i2c-20" || r.I2C[1].Probed {
		t.Errorf("%+v", r.I2C)
	}
}

func TestSectionsOfTheBootConfig(t *testing.T) {
	t.Parallel()
	const file = "a=1\n[pi4]\na=4\n[pi0]\na=0\n[pi3]\na=3\n[none]\na=9\n[edid=x]\na=8\n[all]\nb=2 # said\ndtparam=audio=on\ndtparam=spi\n"
	for _, test := range []struct {
		pi    int
		model string
		want  string
	}{
		{4, "Raspberry Pi 4 Model B", "4"}, {1, "Raspberry Pi Zero W", "0"}, {3, "Raspberry Pi 3 Model B", "3"}, {5, "Raspberry Pi 5 Model B", "1"},
		{3, "Raspberry Pi Zero 2 W", "0"},
	} {
		b := parseBoot(file, test.pi, test.model)
		if b.plain["a"] != test.want || b.plain["b"] != "2" || !b.on("spi") || b.on("i2c_arm") {
			t.Errorf("%s: %+v", test.model, b)
		}
	}
}

func TestTextAndJSONSayTheSame(t *testing.T) {
	t.Parallel()
	if body, err := json.Marshal(Examine((&bench{files: fstest.MapFS{}}).computer(), Needs{})); err != nil || strings.Contains(string(body), "null") {
		t.Errorf("a list is null: %s", body)
	}
	b := pi5()
	b.groups, b.answer = []int{1000, i2c}, []uint16{0x20, 0x70}
	r := Examine(b.computer(), four("/dev/i2c-1"))
	r.Boards = []Board{{ID: "board", Driver: "mcp23017", Calibrated: "no", Scan: &Scan{Readings: 300, On: []int{0, 1}, Flips: append(make([]int, 12), 7)}}}
	for _, style := range []Style{{}, {ASCII: true}, {Color: true, Width: 60}} {
		var out strings.Builder
		if err := r.WriteText(&out, style); err != nil {
			t.Fatal(err)
		}
		flat := strings.Join(strings.Fields(out.String()), " ")
		for _, f := range r.Findings {
			if !strings.Contains(flat, f.What) || !strings.Contains(flat, f.Mend) {
				t.Errorf("the text does not say %q\n%s", f.What, out.String())
			}
		}
		if style.Color != strings.Contains(out.String(), "\x1b") {
			t.Error("colours")
		}
		if style.ASCII && strings.ContainsFunc(strings.ReplaceAll(out.String(), "²", ""), func(r rune) bool { return r > 127 }) {
			t.Errorf("not ASCII:\n%s", out.String())
		}
		for line := range strings.Lines(out.String()) {
			if n := len([]rune(line)); !style.Color && n > 100 {
				t.Errorf("%d columns: %s", n, line)
			}
		}
	}
	body, err := json.Marshal(r)
	if err != nil {
		t.Fatal(err)
	}
	var back struct {
		Findings []struct{ Level, Code, What, Mend string }
		Boards   []Board
	}
	if err := json.Unmarshal(body, &back); err != nil || len(back.Findings) != len(r.Findings) || back.Boards[0].Scan.Readings != 300 {
		t.Errorf("%v: %s", err, body)
	}
}
