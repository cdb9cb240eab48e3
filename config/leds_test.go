package config

import (
	"strings"
	"testing"
)

func TestLEDFaults(t *testing.T) {
	t.Parallel()
	const b = "board[0].leds"
	for _, c := range []struct{ name, keys, want string }{
		{"board", `driver = "board"`, `f:4: ` + b + `.driver: the board with driver "virtual" has no lights of its own: use none, virtual`},
		{"driver", `driver = "ws2811"`, `f:4: ` + b + `.driver: "ws2811": use none, virtual`},
		{"brightness", `brightness = 101`, "f:4: " + b + ".brightness: 101: wants 1 to 100"},
		{"guidance", `guidance = "two"`, "f:4: " + b + `.guidance: "two": use all or one`},
		{"night", `night = "22-7"`, "f:4: " + b + `.night: "22-7": wants hours such as "22:00-07:00"`},
		{"no such hour", `night = "22:00-24:00"`, "f:4: " + b + `.night: "22:00-24:00": wants hours`},
		{"no time at all", `night = "22:00-22:00"`, "f:4: " + b + `.night: "22:00-22:00": wants hours`},
		{"no hours", `night = "+2:00-07:-1"`, "f:4: " + b + `.night:`},
		{"per square", `per_square = "two"`, "f:4: " + b + `.per_square: "two": use one, four or corners`},
		{"order", `order = "found"`, "f:4: " + b + `.order: "found": use auto, calibrated or given`},
		{"an order without LEDs", `order = "given"`, "f:4: " + b + `.order: lights with driver none have no such key`},
		{"start", `start = "e4"`, "f:4: " + b + `.start: "e4": use a1, h1, a8 or h8`},
		{"gamma", "driver = \"ws2812\"\ngamma = 0.5", "f:5: " + b + ".gamma: wants 1.0 to 4.0"},
		{"gamma is no number", "driver = \"ws2812\"\ngamma = nan", "f:5: " + b + ".gamma: wants 1.0 to 4.0"},
		{"gamma in words", `gamma = "2.2"`, `f:4: ` + b + `.gamma: wants a number with a fraction, not text in "quotes"`},
		{"current", "driver = \"ws2812\"\nmax_ma = 40", "f:5: " + b + ".max_ma: 40: wants 65 to 20000"},
		{"addresses", "driver = \"ht16k33\"\naddresses = [0x20, 0x70, 0x70]", "f:5: " + b + ".addresses: 0x20: a chip of ht16k33 has an address from 0x70 to 0x77\n" +
			"f:5: " + b + ".addresses: 0x70 is named twice: two chips of one address need a switch, see mux_address"},
		{"switch", "driver = \"ht16k33\"\nmux_address = 0x20\nmux_channels = [0, 8]", "f:5: " + b + ".mux_address: 0x20: a TCA9548A has an address from 0x70 to 0x77\n" +
			"f:6: " + b + ".mux_channels: 8: wants 0 to 7"},
		{"channels without a switch", "driver = \"ht16k33\"\nmux_channels = [0]", "f:5: " + b + ".mux_channels: needs mux_address"},
		{"no addresses", `driver = "mcp23017"`, "f:3: " + b + ".addresses: is missing: name the chips"},
		{"no lines", `driver = "gpio-matrix"`, "f:3: " + b + ".rows: is missing: name the lines, as [\"GPIO5\", \"GPIO6\", \"GPIO12\"]\nf:3: " + b + ".cols: is missing"},
		{"a key of another display", "driver = \"max7219\"\ncolors = \"GRB\"", "f:5: " + b + ".colors: lights with driver max7219 have no such key: it is for ws2812, apa102 or leds-chardev"},
		{"a key without LEDs", `serpentine = true`, "f:4: " + b + ".serpentine: lights with driver none have no such key"},
		{"the default of another display", "driver = \"max7219\"\ngamma = 2.2", ""},
	} {
		_, err := Parse("f", []byte("[[board]]\ndriver = \"virtual\"\n[board.leds]\n"+c.keys+"\n"), nil)
		switch {
		case c.want == "" && err != nil, c.want != "" && (err == nil || !strings.HasPrefix(err.Error(), firstLine(c.want))):
			t.Errorf("%s: got\n%v\nwant\n%s", c.name, err, c.want)
		case c.want != "":
			for _, line := range strings.Split(c.want, "\n") {
				if !strings.Contains(err.Error(), line) {
					t.Errorf("%s: got\n%v\nwant\n%s", c.name, err, c.want)
				}
			}
		}
	}
}

func firstLine(text string) string {
	line, _, _ := strings.Cut(text, "\n")
	return line
}

func TestNight(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		night    Night
		from, to int
		ok       bool
	}{
		{"", 0, 0, true}, {"22:00-07:00", 1320, 420, true}, {"00:00-23:59", 0, 1439, true},
		{"7:00-22:00", 0, 0, false}, {"22:00 07:00", 0, 0, false}, {"22:60-07:00", 0, 0, false}, {"22.00-07:00", 0, 0, false},
	} {
		if from, to, ok := c.night.Minutes(); ok != c.ok || ok && (from != c.from || to != c.to) {
			t.Errorf("%q: %d %d %v", c.night, from, to, ok)
		}
	}
}

func TestWholeGamma(t *testing.T) {
	t.Parallel()
	c, err := Parse("f", []byte("[[board]]\ndriver = \"virtual\"\nleds = {driver = \"ws2812\", gamma = 2, night = \"22:00-07:00\"}\n"), nil)
	if err != nil || c.Boards[0].LEDs.Gamma != 2 || c.Boards[0].LEDs.DevicePath() != "/dev/spidev0.0" {
		t.Errorf("%v %+v", err, c)
	}
}
