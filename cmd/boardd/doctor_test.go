package main

import (
	"bytes"
	"encoding/json"
	"errors"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"testing/fstest"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/doctor"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/chiptest/boards"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/mqtt"
	"github.com/boardd/boardd/rules"
)

// patient is a computer with a serial port and one I²C bus, on which four chips answer.
func patient() doctor.Computer {
	return doctor.Computer{
		Files: fstest.MapFS{
			"proc/device-tree/model":      {Data: []byte("Raspberry Pi 4 Model B Rev 1.4\x00")},
			"proc/device-tree/compatible": {Data: []byte("raspberrypi,4-model-b\x00brcm,bcm2711\x00")},
			"boot/firmware/config.txt":    {Data: []byte("dtparam=i2c_arm=on\n")},
			"dev/i2c-1":                   {Mode: 0o660 | fs.ModeDevice},
			"dev/spidev0.0":               {Mode: 0o660 | fs.ModeDevice},
			"dev/ttyUSB0":                 {Mode: 0o660 | fs.ModeDevice},
		},
		Open:  func(string) error { return nil },
		Line:  func(path string) error { return port.Check(path, "") },
		Owner: func(fs.FileInfo) (int, int, bool) { return 0, 0, true },
		Chips: func() []doctor.Chip { return nil },
		Read: func(string, []uint16) (all []doctor.Answer, err error) {
			for a := uint16(0x20); a < 0x24; a++ {
				all = append(all, doctor.Answer{Address: a})
			}
			return all, nil
		},
		Throttled: func() string { return "" }, Synced: func() bool { return true }, User: "chess",
	}
}

// examine runs doctor on a configuration, and reads what it says as JSON.
func examine(t *testing.T, text string, open func(*config.Board) (scan.Sensor, error)) (r doctor.Report, err error) {
	t.Helper()
	file := filepath.Join(t.TempDir(), "boardd.toml")
	if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	var out, notes bytes.Buffer
	d := doctoring{file: file, named: true, json: true, computer: patient(), open: open, in: strings.NewReader(""), out: &out, notes: &notes, lookMs: 300}
	err = d.run(t.Context())
	var back struct {
		Boards   []doctor.Board
		Findings []struct{ Level, Code, Board, What, Mend string }
	}
	if e := json.Unmarshal(out.Bytes(), &back); e != nil {
		t.Fatalf("%v: %s", e, out.String())
	}
	r.Boards = back.Boards
	for _, f := range back.Findings {
		level := map[string]doctor.Level{"bad": doctor.Bad, "warning": doctor.Warning}[f.Level]
		r.Findings = append(r.Findings, doctor.Finding{Level: level, Code: f.Code, Board: f.Board, What: f.What, Mend: f.Mend})
	}
	return r, err
}

func codes(r *doctor.Report) (list []string) {
	for _, f := range r.Findings {
		list = append(list, f.Level.String()+" "+f.Code)
	}
	return list
}

func simulated(name string, lay [64]int8) func(*config.Board) (scan.Sensor, error) {
	return func(*config.Board) (scan.Sensor, error) {
		all, err := boards.All()
		if err != nil {
			return nil, err
		}
		for _, b := range all {
			if b.Name == name {
				b.Lay(lay)
				return b.Sensor, nil
			}
		}
		return nil, errors.New("there is no such board")
	}
}

func TestDoctorOnAConfiguration(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	head := "[node]\ndata = " + `"` + data + `"` + "\n[mqtt]\nlisten = \"127.0.0.1:0\"\n"
	const board = "[[board]]\nid = \"%\"\ndriver = \"mcp23017\"\n"
	c, err := config.Parse("f", []byte(head+strings.ReplaceAll(board, "%", "good")), nil)
	if err != nil {
		t.Fatal(err)
	}
	good := scan.Calibration{Wiring: c.Boards[0].Wiring(), Dead: rules.NewSquare(7, 7).Bit()}
	for wire := range good.Map {
		good.Map[wire] = rules.Square(wire)
	}
	good.Map[63] = rules.NoSquare
	if err := good.Write(scan.CalibrationPath(data, "good")); err != nil {
		t.Fatal(err)
	}
	good.Wiring = "another"
	if err := good.Write(scan.CalibrationPath(data, "old")); err != nil {
		t.Fatal(err)
	}
	const certaboBoard = "[[board]]\nid = \"%\"\ndriver = \"certabo\"\nport = \"auto\"\n"
	if err := (certabo.Table{{1, 2, 3, 4, 5}: rules.NewPiece(rules.White, rules.King)}).Write(certabo.PiecesPath(data, "learnt")); err != nil {
		t.Fatal(err)
	}
	if err := os.WriteFile(certabo.PiecesPath(data, "spoilt"), []byte("no table"), 0o600); err != nil {
		t.Fatal(err)
	}
	men := [64]int8{0: 1, 9: 1}
	for _, test := range []struct {
		name, text string
		open       func(*config.Board) (scan.Sensor, error)
		want       string
	}{
		{"in order but for a dead square", head + strings.ReplaceAll(board, "%", "good"), simulated("mcp23017", men), "warning dead_squares"},
		{"never calibrated", head + strings.ReplaceAll(board, "%", "new"), simulated("mcp23017", men), "bad not_calibrated"},
		{"wired anew", head + strings.ReplaceAll(board, "%", "old"), simulated("mcp23017", men), "bad calibration_outdated"},
		{"no sensors", head + strings.ReplaceAll(board, "%", "good"), simulated("none", men), "bad sensors, warning dead_squares"},
		{"chips never learnt", head + strings.ReplaceAll(certaboBoard, "%", "new"), nil, "bad chips_unknown"},
		{"chips spoilt", head + strings.ReplaceAll(certaboBoard, "%", "spoilt"), nil, "bad calibration"},
		{"chips learnt", head + strings.ReplaceAll(certaboBoard, "%", "learnt"), nil, ""},
		{"virtual", head + "[[board]]\ndriver = \"virtual\"\n", nil, ""},
		{"faults", "[node]\nnmae = \"x\"\n[[board]]\ndriver = \"virtual\"\nx = 1\n", nil, "bad config, bad config"},
		{"a broker that is not there", strings.Replace(head, "listen", "url = \"mqtt://127.0.0.1:1\"\n#", 1) + "[[board]]\ndriver = \"virtual\"\n", nil, "bad broker"},
		{"a data folder that cannot be", strings.Replace(head, data, "/proc/boardd", 1) + "[[board]]\ndriver = \"virtual\"\n", nil, "bad data"},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			r, err := examine(t, test.text, test.open)
			if got := strings.Join(codes(&r), ", "); got != test.want {
				t.Errorf("%s, want %s\n%+v", got, test.want, r.Findings)
			}
			if (err != nil) != strings.Contains(test.want, "bad") {
				t.Errorf("%v", err)
			}
			if err != nil && exitCode(err) != exitFault {
				t.Errorf("exit code %d", exitCode(err))
			}
			if test.want == "bad chips_unknown" {
				if mend := r.Findings[0].Mend; !strings.HasPrefix(mend, "boardd calibrate -c ") || !strings.HasSuffix(mend, " --board new") || r.Boards[0].Calibrated != "no" {
					t.Errorf("%+v, mend %q", r.Boards[0], mend)
				}
			}
			if test.want == "warning dead_squares" {
				if s := r.Boards[0].Scan; s == nil || s.Readings < 5 || len(s.On) != 2 || s.On[1] != 9 || s.Squares[9] != "b2" {
					t.Errorf("scan: %+v", s)
				}
			}
		})
	}
}

func TestWhatAConfigurationNeeds(t *testing.T) {
	t.Parallel()
	const text = `
[[board]]
id = "a"
driver = "mcp23017"
[board.leds]
driver = "ws2812"
[[board]]
id = "b"
driver = "pcf8574"
[board.sensor]
bus = "/dev/i2c-3"
addresses = [0x20, 0x21, 0x22, 0x23, 0x20, 0x21, 0x22, 0x23]
mux_address = 0x71
mux_channels = [0, 0, 0, 0, 1, 1, 1, 1]
[[board]]
id = "c"
driver = "dgt"
[board.leds]
driver = "ht16k33"
[[board]]
id = "d"
driver = "hc165"
[board.sensor]
bus = "/dev/spidev0.1"
load = 25
[board.leds]
driver = "leds-chardev"
`
	c, err := config.Parse("f", []byte(text), nil)
	if err != nil {
		t.Fatal(err)
	}
	n := needsOf(&c)
	if len(n.I2C) != 2 || len(n.I2C["/dev/i2c-1"]) != 5 || n.I2C["/dev/i2c-1"][0x23].Name != "mcp23017" || n.I2C["/dev/i2c-1"][0x70].Name != "ht16k33" {
		t.Errorf("I²C: %+v", n.I2C)
	}
	if len(n.I2C["/dev/i2c-3"]) != 1 || n.I2C["/dev/i2c-3"][0x71].Name != "tca9548a" {
		t.Errorf("behind a switch: %+v", n.I2C["/dev/i2c-3"])
	}
	if strings.Join(n.SPI, " ") != "/dev/spidev0.0 /dev/spidev0.1" || n.WS2812 != "/dev/spidev0.0" || n.Transfer < 600 || n.Transfer > 4096 {
		t.Errorf("SPI: %+v", n)
	}
	if !n.Pins || strings.Join(n.Serial, " ") != "auto" || n.Lights != "/dev/leds0" || !n.Configured {
		t.Errorf("%+v", n)
	}
}

func TestDoctorReachesABroker(t *testing.T) {
	t.Parallel()
	broker, err := mqtt.StartBroker(mqtt.BrokerOptions{
		Listen: "127.0.0.1:0", Username: "u", Password: "secret", Root: "boardd/v1", Node: "home", ClientID: "x", Logger: slog.New(slog.DiscardHandler),
	})
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := broker.Close(); err != nil {
			t.Error(err)
		}
	}()
	file := filepath.Join(t.TempDir(), "password")
	for _, test := range []struct {
		password string
		good     bool
	}{{"secret", true}, {"wrong", false}} {
		if err := os.WriteFile(file, []byte(test.password+"\n"), 0o600); err != nil {
			t.Fatal(err)
		}
		text := "[mqtt]\nurl = \"mqtt://" + broker.Addr() + "\"\nusername = \"u\"\npassword_file = \"" + file + "\"\n[[board]]\ndriver = \"virtual\"\n"
		c, err := config.Parse("f", []byte(text), nil)
		if err != nil {
			t.Fatal(err)
		}
		if err := connect(&c.MQTT); (err == nil) != test.good {
			t.Errorf("password %q: %v", test.password, err)
		} else if err != nil && strings.Contains(err.Error(), "protocol") {
			t.Errorf("%v", err)
		}
	}
}

// A port that run would refuse is a finding, in the words of run, also one that is in no list of ports.
func TestDoctorExaminesAPortThatIsNamed(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	for path, want := range map[string]string{"/dev/null": "/dev/null is not a serial port.", plain: plain + " is not a serial port.", plain + "x": "There is no " + plain + "x."} {
		file := filepath.Join(t.TempDir(), "boardd.toml")
		text := "[node]\ndata = \"" + t.TempDir() + "\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\n[[board]]\ndriver = \"dgt\"\nport = \"" + path + "\"\n"
		if err := os.WriteFile(file, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
		var out bytes.Buffer
		d := doctoring{file: file, named: true, json: true, computer: here(), in: strings.NewReader(""), out: &out, notes: &out}
		if err := d.run(t.Context()); err == nil || !strings.Contains(out.String(), want) {
			t.Errorf("%s: %v\n%s", path, err, out.String())
		}
	}
}

// A folder that is not there is told apart from one that is closed, and the user of the service is named only where there is one.
func TestDoctorOnTheDataFolder(t *testing.T) {
	t.Parallel()
	plain := filepath.Join(t.TempDir(), "plain")
	if err := os.WriteFile(plain, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	const missing, away = "does not exist", "The data folder /proc/boardd "
	for _, test := range []struct{ name, data, users, what, mend string }{
		{"not there, no service", "/proc/boardd", "root:x:0:0:::\nnoboardd:x:1:1:::\n", away + missing, "sudo install -d -m 750 -o chess /proc/boardd"},
		{"not there, a service", "/proc/boardd", "root:x:0:0:::\nboardd:x:9:9:::\n", away + missing, "sudo install -d -m 750 -o boardd /proc/boardd"},
		{"below a file", plain + "/data", "boardd:x:9:9:::\n", "cannot write to the data folder", "Name another folder"},
		{"nothing is kept", "", "", "", ""},
		{"good", t.TempDir(), "", "", ""},
	} {
		d := doctoring{file: "f", computer: patient(), config: &config.Config{Node: config.Node{Data: test.data}}, report: &doctor.Report{}}
		d.computer.Files = fstest.MapFS{"etc/passwd": {Data: []byte(test.users)}}
		d.folder()
		switch all := d.report.Findings; {
		case test.what == "" && len(all) == 0:
		case test.what == "" || len(all) != 1 || !strings.Contains(all[0].What, test.what) || !strings.Contains(all[0].Mend, test.mend):
			t.Errorf("%s: %+v", test.name, all)
		case !strings.Contains(test.users, "\nboardd:") && strings.Contains(all[0].Mend, "-u boardd"):
			t.Errorf("%s: there is no such user: %s", test.name, all[0].Mend)
		}
	}
}
