package main

import (
	"bytes"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"net"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"
	"time"

	paho "github.com/eclipse/paho.mqtt.golang"
	"periph.io/x/conn/v3/i2c"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/pins"
)

// bench is hardware that keeps what is sent to it, as "place: bytes".
type bench struct {
	mu     sync.Mutex // a matrix sends from a goroutine of its own
	sent   []string
	opened int
	closed int
	fault  error // of opening
	broken error // of sending
}

func (b *bench) hardware() hardware {
	open := func(place string) (*wire, error) {
		if b.fault != nil {
			return nil, b.fault
		}
		b.opened++
		return &wire{b: b, place: place}, nil
	}
	return hardware{
		i2c: func(path string) (i2c.BusCloser, error) {
			w, err := open(path)
			return busWire{wire: w}, err
		},
		spi: func(path string, hz int64) (spiDevice, error) {
			w, err := open(fmt.Sprintf("%s at %d", path, hz))
			return spiWire{wire: w}, err
		},
		pins: func(o pins.Options) (pins.Outputs, error) {
			return open(o.Chip + " " + strings.Join(o.Lines, ","))
		},
		file: func(path string) (io.WriteCloser, error) { return open(path) },

		switches: new(switches),
	}
}

type wire struct {
	b     *bench
	place string
}

func (w *wire) say(format string, args ...any) error {
	w.b.mu.Lock()
	defer w.b.mu.Unlock()
	w.b.sent = append(w.b.sent, w.place+": "+fmt.Sprintf(format, args...))
	return w.b.broken
}
func (w *wire) Close() error                { w.b.closed++; return nil }
func (w *wire) Set(u uint64) error          { return w.say("%x", u) }
func (w *wire) Write(p []byte) (int, error) { return len(p), w.say("%x", p) }

type busWire struct {
	nowhere
	*wire
}

func (w busWire) Tx(a uint16, p, _ []byte) error { return w.say("%02x %x", a, p) }
func (w busWire) Close() error                   { return w.wire.Close() }
func (w busWire) String() string                 { return w.place }
func (w busWire) Set(uint64) error               { return nil }
func (w busWire) Write([]byte) (int, error)      { return 0, nil }

type spiWire struct {
	nowhereSPI
	*wire
}

func (w spiWire) Tx(p, _ []byte) error { return w.say("%x", p) }
func (w spiWire) Close() error         { return w.wire.Close() }

const virtualBoard = "[[board]]\ndriver = \"virtual\"\nid = %q\n[board.leds]\n%s\n"

// What the keys of each display make of a frame: its last transfers, and what darkens it.
func TestLightsOfTheConfiguration(t *testing.T) {
	t.Parallel()
	pixel := func(zero, lit string, at, count int) string {
		return strings.Repeat(zero, at) + lit + strings.Repeat(zero, count-at-1)
	}
	for _, c := range []struct {
		name, keys string
		want       string // the transfer that lights e4 in green
		style      string
	}{
		{"ws2812", `driver = "ws2812"`, "/dev/spidev0.0 at 2400000: 000000" + pixel(strings.Repeat("924924", 3), "db6db6924924924924", 28, 64) + strings.Repeat("00", 90), ""},
		{"ws2812 with all keys", "driver = \"ws2812\"\nbus = \"/dev/spidev1.0\"\nbits = 4\ncolors = \"rgbw\"\nstart = \"h8\"\nalong = \"file\"\nserpentine = true\ngamma = 1",
			"/dev/spidev1.0 at 3200000: 000000" + pixel(strings.Repeat("88888888", 4), "88888888cccccccc8888888888888888", 27, 64) + strings.Repeat("00", 120), ""},
		{"apa102", "driver = \"apa102\"\nguidance = \"one\"", "/dev/spidev0.0 at 4000000: 00000000" + pixel("ff000000", "ff00ff00", 28, 64) + strings.Repeat("00", 8), "one by one"},
		{"leds-chardev", `driver = "leds-chardev"`, "/dev/leds0: " + pixel("00000000", "00ff0000", 28, 64), ""},
		{"ht16k33", `driver = "ht16k33"`, "/dev/i2c-1: 70 00" + "000000000000" + "1000" + "0000000000000000", "no levels"},
		{"ht16k33 at 81 corners", "driver = \"ht16k33\"\nper_square = \"corners\"\naddresses = [0x72, 0x71]", "/dev/i2c-1: 72 00000000000000" + "8000" + "0100" + "0300" + "0000" + "0000", "no levels, one square"},
		{"ht16k33 at one address behind a switch", "driver = \"ht16k33\"\nper_square = \"corners\"\naddresses = [0x70, 0x70]\nmux_address = 0x72\nmux_channels = [4, 5]",
			"/dev/i2c-1: 72 10", "no levels, one square"},
		{"max7219", "driver = \"max7219\"\nbus = \"/dev/spidev0.1\"", "/dev/spidev0.1 at 1000000: 0410", "no levels"},
		{"mcp23017", "driver = \"mcp23017\"\naddresses = [0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27]\nports = \"B\"", "/dev/i2c-1: 23 1510", "no levels"},
		{"hc595", "driver = \"hc595\"\nspeed_hz = 500000\nactive_low = true", "/dev/spidev0.0 at 500000: ffffffffefffffff", "no levels"},
		{"hc595 as a matrix", "driver = \"hc595\"\nmatrix = true\nrows_low = true", "/dev/spidev0.0 at 1000000: 10f7", "no levels"},
		{"gpio-matrix", "driver = \"gpio-matrix\"\nrows = [2,3,4,5,6,7,8,9]\ncols = [10,11,12,13,\"GPIO14\",15,16,17]\ncols_low = true",
			"auto GPIO2,GPIO3,GPIO4,GPIO5,GPIO6,GPIO7,GPIO8,GPIO9,GPIO10,GPIO11,GPIO12,GPIO13,GPIO14,GPIO15,GPIO16,GPIO17: ef08", "no levels"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			cfg := parsed(t, fmt.Sprintf(virtualBoard, "a", c.keys))
			if err := checkLights(&cfg); err != nil {
				t.Fatal(err)
			}
			b := &bench{}
			lights, closer, err := openLights(&cfg.Boards[0].LEDs, b.hardware())
			if err != nil {
				t.Fatal(err)
			}
			if err := errors.Join(lights.Show(board.Frame{}), lights.Show(board.Frame{28: {G: 255}})); err != nil {
				t.Fatal(err)
			}
			if !eventually(t, c.want, 10*time.Second, func() bool { return b.has(c.want) }) { // the rows of a matrix come in turn
				t.Errorf("sent\n%s", strings.Join(b.sent, "\n"))
			}
			if err := errors.Join(lights.Close(), closer.Close()); err != nil {
				t.Fatal(err)
			}
			s := styleOf(&cfg.Boards[0].LEDs)
			var style []string
			if s.NoDimming {
				style = append(style, "no levels")
			}
			if s.OneSquare {
				style = append(style, "one square")
			}
			if s.OneByOne {
				style = append(style, "one by one")
			}
			if got := strings.Join(style, ", "); got != c.style {
				t.Errorf("style %q, want %q", got, c.style)
			}
		})
	}
}

func (b *bench) has(want string) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return slices.Contains(b.sent, want)
}

func TestFaultyLights(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, keys, want string }{
		{"colours", "driver = \"ws2812\"\ncolors = \"GBB\"", `board a: leds: ws2812: colours "GBB": use GRB`},
		{"current", "driver = \"ws2812\"\nper_square = \"four\"\nmax_ma = 200", "256 dark LEDs need 256 mA"},
		{"table", "driver = \"apa102\"\ntable = [\"a1\", \"a2\"]", "board a: leds: table: no LED of the table lights b1"},
		{"chips", "driver = \"mcp23017\"\naddresses = [0x20]", "64 LEDs want 4 chips, not 1"},
		{"matrix", "driver = \"gpio-matrix\"\nrows = [2]\ncols = [3]", "1 rows and 1 columns are 1 LEDs, not 64"},
		{"channels", "driver = \"ht16k33\"\nmux_address = 0x72", "1 chips have 0 mux_channels"},
		{"device colours", "driver = \"leds-chardev\"\ncolors = \"GRB\"", `"RGB" or "RGBW"`},
	} {
		cfg := parsed(t, fmt.Sprintf(virtualBoard, "a", c.keys))
		if err := checkLights(&cfg); err == nil || !strings.Contains(err.Error(), c.want) || exitCode(err) != exitUsage {
			t.Errorf("%s: %v, want %q", c.name, err, c.want)
		}
	}
	two := parsed(t, fmt.Sprintf(virtualBoard, "a", `driver = "ws2812"`)+fmt.Sprintf(virtualBoard, "b", `driver = "apa102"`))
	if err := checkLights(&two); err == nil || err.Error() != "board b: leds: /dev/spidev0.0 has the lights of board a already" {
		t.Errorf("%v", err)
	}
	chips := parsed(t, fmt.Sprintf(virtualBoard, "a", `driver = "ht16k33"`)+fmt.Sprintf(virtualBoard, "b", "driver = \"ht16k33\"\naddresses = [0x71]"))
	if err := checkLights(&chips); err != nil {
		t.Errorf("two chips on a bus: %v", err)
	}
}

// Lights and sensors behind the same switch share it: each transfer goes to its own chip, whatever the other did before.
func TestSharedSwitch(t *testing.T) {
	t.Parallel()
	b := &bench{}
	hw := b.hardware()
	seen := parsed(t, "[[board]]\ndriver = \"pca9555\"\n[board.sensor]\naddresses = [0x20, 0x20, 0x20, 0x20]\nmux_address = 0x72\nmux_channels = [0, 1, 2, 3]\n")
	o := opening{sockets: &sockets{i2c: hw.i2c, switches: hw.switches}, b: &seen.Boards[0]}
	closeSensors := o.i2cBus()
	_, sw, _ := o.chips(closeSensors)
	if o.err != nil || sw == nil {
		t.Fatal(o.err)
	}
	channel, err := sw.Channel(0)
	if err != nil {
		t.Fatal(err)
	}
	cfg := parsed(t, fmt.Sprintf(virtualBoard, "a", "driver = \"ht16k33\"\nmux_address = 0x72\nmux_channels = [4]"))
	lights, closer, err := openLights(&cfg.Boards[0].LEDs, hw)
	if err != nil {
		t.Fatal(err)
	}
	for i := range 2 {
		if err := errors.Join(channel.Tx(0x20, []byte{0x12}, nil), lights.Show(one(i))); err != nil {
			t.Fatal(err)
		}
	}
	want := []string{"72 01", "20 12", "72 10", "70 21", "70 0001000000000000000000000000000000", "70 e0", "70 81", "72 01", "20 12", "72 10", "70 0002000000000000000000000000000000"}
	for i := range b.sent {
		b.sent[i] = strings.TrimPrefix(b.sent[i], "/dev/i2c-1: ")
	}
	if !slices.Equal(b.sent, want) {
		t.Errorf("sent %v, want %v", b.sent, want)
	}
	if err := errors.Join(closer.Close(), closer.Close()); err != nil || b.closed != 0 || b.opened != 1 {
		t.Errorf("%v, opened %d and closed %d times while the sensors are read", err, b.opened, b.closed)
	}
	if err := closeSensors.Close(); err != nil || b.closed != 1 {
		t.Errorf("%v, closed %d times", err, b.closed)
	}
	if _, _, err := hw.switches.use("/dev/i2c-1", 0x20, hw.i2c); err == nil || b.closed != 2 {
		t.Errorf("%v, closed %d times", err, b.closed)
	}
}

// one is a frame with one square lit.
func one(q int) (f board.Frame) {
	f[q].R = 1
	return f
}

// LEDs that fail are opened anew, and hardware that is not there is no reason to end.
func TestLightsAreOpenedAnew(t *testing.T) {
	t.Parallel()
	cfg := parsed(t, fmt.Sprintf(virtualBoard, "a", `driver = "max7219"`))
	b := &bench{fault: errors.New("no such device")}
	z := &lazy{open: func() (wiredLights, io.Closer, error) { return openLights(&cfg.Boards[0].LEDs, b.hardware()) }}
	lit := board.Frame{0: {R: 1}}
	if err := z.Show(lit); err == nil {
		t.Error("no error")
	}
	if err := z.Close(); err != nil {
		t.Errorf("closed, and never opened: %v", err)
	}
	b.fault = nil
	if err := z.Show(lit); err != nil {
		t.Error(err)
	}
	b.broken = errors.New("input/output error")
	if err := z.Show(board.Frame{}); err == nil || b.closed != 1 {
		t.Errorf("%v, closed %d times", err, b.closed)
	}
	b.broken, b.sent = nil, nil
	if err := errors.Join(z.Show(lit), z.Close()); err != nil || b.opened != 2 || b.closed != 2 {
		t.Errorf("%v, opened %d times and closed %d", err, b.opened, b.closed)
	}
	if len(b.sent) < 13 || !strings.HasSuffix(b.sent[0], ": 0f00") || !strings.HasSuffix(b.sent[len(b.sent)-1], ": 0c00") {
		t.Errorf("not set up and shut down: %v", b.sent)
	}
}

func TestDarken(t *testing.T) {
	t.Parallel()
	cfg := parsed(t, fmt.Sprintf(virtualBoard, "a", `driver = "leds-chardev"`)+fmt.Sprintf(virtualBoard, "b", `driver = "terminal"`)+
		fmt.Sprintf(virtualBoard, "c", `driver = "hc595"`))
	b := &bench{}
	if err := darken(t.Context(), &cfg, b.hardware(), ""); err != nil {
		t.Fatal(err)
	}
	if want := []string{"/dev/leds0: " + strings.Repeat("00", 256), "/dev/spidev0.0 at 1000000: 0000000000000000"}; strings.Join(b.sent, "\n") != strings.Join(want, "\n") || b.closed != 2 {
		t.Errorf("sent %v", b.sent)
	}
	hw := b.hardware()
	hw.file = func(string) (io.WriteCloser, error) { return nil, errors.New("gone") }
	b.sent = nil
	if err := darken(t.Context(), &cfg, hw, ""); err == nil || err.Error() != "board a: lights: gone" || len(b.sent) != 1 {
		t.Errorf("%v, sent %v", err, b.sent)
	}
}

// LEDs are dark however boardd ends: by itself after a signal, and by lights off after it was killed.
func TestLightsAreDarkAfterTheEnd(t *testing.T) {
	t.Parallel()
	for _, end := range []syscall.Signal{syscall.SIGTERM, syscall.SIGKILL} {
		t.Run(end.String(), func(t *testing.T) {
			t.Parallel()
			folder := t.TempDir()
			device, file := filepath.Join(folder, "leds0"), filepath.Join(folder, "boardd.toml")
			text := "[node]\nname = \"test\"\n[mqtt]\nlisten = \"127.0.0.1:0\"\ncommands = \"play\"\n" +
				fmt.Sprintf(virtualBoard, "table", fmt.Sprintf("driver = \"leds-chardev\"\ndevice = %q\n", device))
			if err := errors.Join(os.WriteFile(file, []byte(text), 0o600), os.WriteFile(device, nil, 0o600)); err != nil {
				t.Fatal(err)
			}
			p, up := launch(t, "MQTT: connected", "run", "-c", file)
			wait(t, "the connection", up)
			address := regexp.MustCompile(`address=(\S+)`).FindStringSubmatch(p.out.text.String())
			if address == nil {
				t.Fatal("no address in the log")
			}
			c := paho.NewClient(paho.NewClientOptions().AddBroker("tcp://" + address[1]).SetClientID("test"))
			if token := c.Connect(); token.Wait() && token.Error() != nil {
				t.Fatal(token.Error())
			}
			defer c.Disconnect(10)
			dark := make([]byte, 256)
			shows := func() []byte { b, _ := os.ReadFile(device); return b }
			eventually(t, "a dark frame", 20*time.Second, func() bool { return bytes.Equal(shows(), dark) })
			game := `{"start_fen":"4k3/8/8/8/8/8/8/4K3 w - - 0 1","force":true}`
			if token := c.Publish("boardd/v1/test/table/cmd/new_game", 1, false, game); token.Wait() && token.Error() != nil {
				t.Fatal(token.Error())
			}
			eventually(t, "guidance", 20*time.Second, func() bool { return !bytes.Equal(shows(), dark) })
			if end == syscall.SIGTERM {
				p.signal(t, end, exitOK)
			} else {
				eventually(t, "the lit half of a blink", 20*time.Second, func() bool { return !bytes.Equal(shows(), dark) })
				if err := p.Process.Signal(syscall.SIGSTOP); err != nil {
					t.Fatal(err)
				}
				_ = p.Process.Kill()
				<-p.ended
				if code, _, errs := boardd("lights", "off", "-c", file); code != 0 {
					t.Errorf("lights off: code %d, %s", code, errs)
				}
			}
			if got := shows(); !bytes.Equal(got, dark) {
				t.Errorf("still lit: %s", hex.EncodeToString(got))
			}
		})
	}
}

// A broker that cannot be reached makes a corner flash.
func TestLightsTellOfTheBroker(t *testing.T) {
	t.Parallel()
	device := filepath.Join(t.TempDir(), "leds0")
	if err := os.WriteFile(device, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	nobody, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	address := nobody.Addr()
	nobody.Close()
	living(t, &Main{Config: parsed(t, fmt.Sprintf("[node]\nname = \"test\"\n[mqtt]\nurl = \"mqtt://%s\"\n", address)+
		fmt.Sprintf(virtualBoard, "table", fmt.Sprintf("driver = \"leds-chardev\"\ndevice = %q\n", device)))})
	eventually(t, "a flash on a1 alone", 30*time.Second, func() bool {
		b, _ := os.ReadFile(device)
		return len(b) == 256 && b[0] > 0 && bytes.Equal(b[4:], make([]byte, 252))
	})
}

func TestLightsOffUsage(t *testing.T) {
	t.Parallel()
	cfg := file(t, "boardd.toml", fmt.Sprintf(virtualBoard, "a", "driver = \"leds-chardev\"\ndevice = \"/nonexistent/leds0\""))
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"lights"}, 2, "say 'boardd lights off'"},
		{[]string{"lights", "on"}, 2, "say 'boardd lights off'"},
		{[]string{"lights", "off", "-c", cfg}, 1, "board a: lights: open /nonexistent/leds0: no such file or directory"},
	} {
		if code, _, errs := boardd(c.args...); code != c.code || !strings.Contains(errs, c.want) {
			t.Errorf("%v: code %d, %s", c.args, code, errs)
		}
	}
}
