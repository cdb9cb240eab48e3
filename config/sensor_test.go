package config

import (
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"
)

// exampleLine is a line of an example in the shipped file.
var exampleLine = regexp.MustCompile(`(?m)^#   (\[.*|[a-z0-9_]+ += .*|  ".*|\])$`)

// examples are the boards that the shipped file shows, with their keys as they are left out.
func examples(t *testing.T) (all []string) {
	t.Helper()
	for _, m := range exampleLine.FindAllStringSubmatch(Shipped, -1) {
		if m[1] == "[[board]]" {
			all = append(all, "")
		}
		if len(all) == 0 {
			t.Fatalf("%q belongs to no board", m[1])
		}
		all[len(all)-1] += m[1] + "\n"
	}
	return all
}

// TestExamplesShowTheDefaults: each driver has an example, it is right, and a key that is not needed may be left out.
func TestExamplesShowTheDefaults(t *testing.T) {
	t.Parallel()
	var drivers []string
	for _, example := range examples(t) {
		full, err := Parse("f", []byte(example), nil)
		if err != nil {
			t.Errorf("%v in\n%s", err, example)
			continue
		}
		b := full.Boards[0]
		drivers = append(drivers, b.Driver)
		keys, err := readKeys([]byte(example))
		if err != nil {
			t.Fatal(err)
		}
		for _, key := range sensorKeys[b.Driver] {
			if !keys.has("board[0].sensor."+key) && b.Driver != "mux-adc" {
				t.Errorf("the example of %s does not show %s", b.Driver, key)
			}
		}
		var short []string
		for line := range strings.Lines(example) {
			key, _, _ := strings.Cut(line, " ")
			if strings.Contains(line, "# needed") || slices.Contains([]string{"[[board]]\n", "[board.sensor]\n", "[board.text]\n", "driver"}, line) || key == "driver" {
				short = append(short, line)
			}
		}
		bare, err := Parse("f", []byte(strings.Join(short, "")), nil)
		if err != nil {
			t.Errorf("%s without what is not needed: %v", b.Driver, err)
			continue
		}
		bare.Boards[0].Map = b.Map
		for _, s := range []*Sensor{&b.Sensor, &bare.Boards[0].Sensor} {
			for _, list := range []*[]int64{&s.Addresses, &s.MuxChannels} {
				if len(*list) == 0 {
					*list = nil
				}
			}
		}
		if !reflect.DeepEqual(bare.Boards[0], b) {
			t.Errorf("%s: the example\n%+v\nthe defaults\n%+v", b.Driver, b, bare.Boards[0])
		}
	}
	if want := append(slices.Clone(homeMade), "text"); !slices.Equal(drivers, want) {
		t.Errorf("examples of %v, drivers %v", drivers, want)
	}
}

func TestFaultsOfHomeMadeBoards(t *testing.T) {
	t.Parallel()
	const matrix = "[[board]]\ndriver = \"gpio-matrix\"\n[board.sensor]\nrows = [5, 6, 12, 13, 16, 19, 20, 21]\ncols = [17, 18, 22, 23, 24, 25, 26, 27]\n"
	const expander = "[[board]]\ndriver = \"mcp23017\"\n[board.sensor]\n"
	for _, c := range []struct{ name, text, want string }{
		{"rows missing", "[[board]]\ndriver = \"gpio-matrix\"\n", "f:1: board[0].sensor.rows: 0 lines: wants 8\nf:1: board[0].sensor.cols: 0 lines: wants 8"},
		{"a line twice", strings.Replace(matrix, "18, 22", "18, \"GPIO17\"", 1), "f:5: board[0].sensor.cols[2]: GPIO17 is used already: board[0].sensor.cols[0]"},
		{"a line of a bus in use", strings.Replace(matrix, "[5,", "[10,", 1) + "[[board]]\nid = \"b\"\ndriver = \"hc165\"\nsensor.load = 8\n",
			"f:9: board[1].sensor.load: GPIO8 is used already: SPI /dev/spidev0.0"},
		{"a line of the own bus", expander + "int = 3\n", "f:4: board[0].sensor.int: GPIO3 is used already: I²C /dev/i2c-1"},
		{"a line of a button", matrix + "[board.buttons]\nlights = 27\nchip = \"pinctrl-rp1\"\n", "f:7: board[0].buttons.lights: GPIO27 is used already: board[0].sensor.cols[7]"},
		{"no line", strings.Replace(matrix, "[5,", "[\"a b\",", 1), "f:4: board[0].sensor.rows[0]: \"a b\": wants a number in Broadcom's count, such as 17, or a line's name"},
		{"half a line", strings.Replace(matrix, "[5,", "[5.5,", 1), "f:4: board[0].sensor.rows[0]: wants a number or a name in \"quotes\", not a number with a fraction"},
		{"a line for lines", "[[board]]\ndriver = \"gpio-matrix\"\nsensor.rows = 5\n", "f:3: board[0].sensor.rows: wants a list, not a whole number"},
		{"a key of another driver", matrix + "bus = \"/dev/i2c-1\"\naddresses = [0x20]\n", "f:6: board[0].sensor.bus: the driver gpio-matrix has no bus\nf:7: board[0].sensor.addresses: the driver gpio-matrix has no addresses"},
		{"a key of no driver", matrix + "bus_speed = 1\n", "f:6: board[0].sensor.bus_speed: unknown key"},
		{"keys of sensors on a DGT board", "[[board]]\ndriver = \"dgt\"\nsensor.scan_hz = 10\n[board.map]\ngenerator = \"rows\"\n",
			"f:3: board[0].sensor.scan_hz: the driver dgt has no scan_hz\nf:4: board[0].map: the driver dgt knows its squares: leave [board.map] out"},
		{"acuity of a contact", matrix + "acuity = \"color\"\n", "f:6: board[0].sensor.acuity: the driver gpio-matrix has no acuity"},
		{"piece by magnet", "[[board]]\ndriver = \"mux-adc\"\nsensor = {acuity = \"piece\", select = [5, 6, 12]}\n", "f:3: board[0].sensor.acuity: magnets show a colour at most: use presence or color"},
		{"a port", "[[board]]\ndriver = \"pca9555\"\nport = \"auto\"\n", "f:3: board[0].port: the driver pca9555 has no port: see bus and chip in [board.sensor]"},
		{"numbers", matrix + "scan_hz = 0\nsettle_us = 5001\nrelease_us = -1\npull = \"sideways\"\ndrive = \"both\"\n",
			"f:6: board[0].sensor.scan_hz: 0: wants 1 to 500\nf:7: board[0].sensor.settle_us: 5001: wants 0 to 5000\nf:8: board[0].sensor.release_us: -1: wants 0 to 5000\n" +
				"f:9: board[0].sensor.pull: \"sideways\": use up, down or off\nf:10: board[0].sensor.drive: \"both\": use low or high"},
		{"three chips", expander + "addresses = [0x20, 0x21, 0x22]\n", "f:4: board[0].sensor.addresses: 3 chips: wants 4, which have 64 lines"},
		{"four chips with one port", expander + "ports = \"A\"\naddresses = [0x20, 0x21, 0x22, 0x23]\n", "f:5: board[0].sensor.addresses: 4 chips: wants 8, which have 64 lines"},
		{"an address that cannot be", expander + "addresses = [0x20, 0x21, 0x22, 0x28]\n", "f:4: board[0].sensor.addresses: 0x28: a mcp23017 is at 0x20 to 0x27"},
		{"one address twice", expander + "addresses = [0x20, 0x21, 0x22, 0x20]\n", "f:4: board[0].sensor.addresses: 0x20 twice: two chips of one address need a switch, see mux_address"},
		{"a switch", expander + "addresses = [0x20, 0x20, 0x20, 0x20]\nmux_address = 0x78\nmux_channels = [0, 1, 2, 3]\n", "f:5: board[0].sensor.mux_address: 0x78: a TCA9548A is at 0x70 to 0x77"},
		{"channels", expander + "addresses = [0x20, 0x20, 0x20, 0x20]\nmux_address = 0x70\nmux_channels = [0, 1, 2]\n", "f:6: board[0].sensor.mux_channels: 3 channels for 4 chips: wants one for each"},
		{"a channel twice", expander + "addresses = [0x20, 0x20, 0x20, 0x20]\nmux_address = 0x70\nmux_channels = [0, 1, 2, 2]\n", "f:6: board[0].sensor.mux_channels: two chips at 0x20 on channel 2"},
		{"channels without a switch", expander + "mux_channels = [0]\n", "f:4: board[0].sensor.mux_channels: needs mux_address"},
		{"a matrix that interrupts", expander + "matrix = true\nint = 4\n", "f:4: board[0].sensor.matrix: a matrix needs both ports, the chip's resistors and contacts that close to 0 V, and cannot interrupt"},
		{"nothing to swap", expander + "swap = true\n", "f:4: board[0].sensor.swap: is for a matrix"},
		{"diodes of no matrix", expander + "diodes = true\n", "f:4: board[0].sensor.diodes: is for a matrix"},
		{"SPI for I²C", expander + "bus = \"/dev/spidev0.0\"\n", "f:4: board[0].sensor.bus: \"/dev/spidev0.0\": wants a device such as /dev/i2c-1"},
		{"I²C for SPI", "[[board]]\ndriver = \"mcp23s17\"\nsensor.bus = \"i2c-1\"\n", "f:3: board[0].sensor.bus: \"i2c-1\": wants a device such as /dev/spidev0.0"},
		{"two boards on one SPI device", "[[board]]\ndriver = \"mcp23s17\"\n[[board]]\nid = \"b\"\ndriver = \"mcp23s17\"\nsensor.bus = \"/dev/spidev0.0\"\n",
			"f:6: board[1].sensor.bus: /dev/spidev0.0 is used already: board[0].sensor.bus"},
		{"two boards with one chip", "[[board]]\ndriver = \"pca9555\"\n[[board]]\nid = \"b\"\ndriver = \"mcp23017\"\nsensor.addresses = [0x24, 0x25, 0x26, 0x23]\n",
			"f:6: board[1].sensor.addresses: 0x23 on /dev/i2c-1 belongs to another board"},
		{"nothing loads", "[[board]]\ndriver = \"hc165\"\n", "f:1: board[0].sensor.load: wants load, a GPIO line, or load_bus, a second SPI device: one of them"},
		{"switches", "[[board]]\ndriver = \"mux-gpio\"\nsensor = {select = [5, 6, 12], inputs = [16, 17, 18, 19]}\n", "f:3: board[0].sensor.inputs: 4 lines: wants 8"},
		{"too few inputs", "[[board]]\ndriver = \"mux-adc\"\nsensor = {adc = \"ads1115\", select = [5, 6, 12]}\n", "f:3: board[0].sensor.select: 3 lines leave 8 inputs to the converters, which have 4"},
		{"levels", "[[board]]\ndriver = \"mux-adc\"\nsensor = {select = [5, 6, 12], threshold_mv = 50, release_mv = 51}\n", "f:3: board[0].sensor.release_mv: 51: wants 1 to 50"},
		{"addresses on SPI", "[[board]]\ndriver = \"mux-adc\"\nsensor = {select = [5, 6, 12], addresses = [0x48]}\n", "f:3: board[0].sensor.addresses: an mcp3008 has no address"},
		{"map", matrix + "[board.map]\ngenerator = \"spiral\"\nrotate = 45\noverrides = [\"64=a1\", \"1=a1\", \"1=-\", \"2=j1\"]\nsquares = [\"a1\"]\n",
			"f:7: board[0].map.generator: \"spiral\": use calibrated, rows, snake, quadrants, pairs or table\nf:8: board[0].map.rotate: 45: use 0, 90, 180 or 270\n" +
				"f:9: board[0].map.overrides[0]: \"64=a1\": wants a wire, 0 to 63, and a square or -, as \"12=e4\"\nf:9: board[0].map.overrides[2]: wire 1 twice\n" +
				"f:9: board[0].map.overrides[3]: \"2=j1\": wants a wire, 0 to 63, and a square or -, as \"12=e4\"\nf:10: board[0].map.squares: is for generator = \"table\""},
		{"a table", matrix + "[board.map]\nsquares = [\"a1\", \"i9\"]\n", "f:7: board[0].map.squares: 2 squares: wants 64, in the order of the wires, with - for a wire without one\nf:7: board[0].map.squares[1]: \"i9\" is no square"},
		{"turned and calibrated", matrix + "[board.map]\nrotate = 90\n", "f:7: board[0].map.rotate: is not for generator = \"calibrated\": boardd calibrate finds all squares"},
		{"buttons", "[[board]]\ndriver = \"virtual\"\n[board.buttons]\ndebounce_ms = 0\npull = \"\"\nchip = \"\"\nnew_game = 17\ntakeback = \"GPIO17\"\n",
			"f:4: board[0].buttons.debounce_ms: 0: wants 1 to 500\nf:5: board[0].buttons.pull: \"\": use up, down or off\nf:6: board[0].buttons.chip: may not be empty\n" +
				"f:8: board[0].buttons.takeback: GPIO17 is used already: board[0].buttons.new_game"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			_, err := Parse("f", []byte(c.text), nil)
			if err == nil {
				t.Fatal("no fault found")
			}
			if err.Error() != c.want {
				t.Errorf("got:\n%s\nwant:\n%s", err, c.want)
			}
		})
	}
}

func TestDefaultsFollowTheDriver(t *testing.T) {
	t.Parallel()
	c, err := Parse("f", []byte(`
[[board]]
id = "a"
driver = "gpio-matrix"
sensor = {rows = [5, "GPIO6", 12, 13, 16, 19, 20, 21], cols = [17, 18, 22, 23, 24, 25, 26, 27], drive = "high"}
[[board]]
id = "b"
driver = "mux-adc"
sensor = {adc = "ads1115", select = [0, 1, 4, 7], chip = "gpio-sim"}
map.squares = ["a1","b1","c1","d1","e1","f1","g1","h1","a2","b2","c2","d2","e2","f2","g2","h2","a3","b3","c3","d3","e3","f3","g3","h3","a4","b4","c4","d4","e4","f4","g4","h4","a5","b5","c5","d5","e5","f5","g5","h5","a6","b6","c6","d6","e6","f6","g6","h6","a7","b7","c7","d7","e7","f7","g7","h7","a8","b8","c8","d8","e8","f8","g8","-"]
[[board]]
id = "c"
driver = "mcp23017"
sensor = {ports = "B", bus = "/dev/i2c-3"}
[[board]]
id = "d"
driver = "mcp23017"
sensor = {addresses = [0x20, 0x20, 0x21, 0x21], mux_address = 0x70, mux_channels = [0, 1, 0, 1]}
`), nil)
	if err != nil {
		t.Fatal(err)
	}
	a, b, e := c.Boards[0], c.Boards[1], c.Boards[2]
	if a.Sensor.ActiveLow || a.Sensor.Pull != "down" || a.Sensor.Acuity != "presence" || a.Sensor.SettleMs != 40 || a.Map.Generator != "calibrated" {
		t.Errorf("%+v", a)
	}
	if got := Names(a.Sensor.Rows...); !slices.Equal(got[:2], []string{"GPIO5", "GPIO6"}) {
		t.Errorf("rows %v", got)
	}
	if b.Sensor.Bus != "/dev/i2c-1" || b.Sensor.ScanHz != 10 || b.Sensor.Acuity != "color" || b.Map.Generator != "table" || b.Sensor.ZeroMv != 1650 {
		t.Errorf("%+v", b)
	}
	if !slices.Equal(e.Sensor.Addresses, []int64{0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27}) {
		t.Errorf("%+v", e)
	}
	faster := a
	faster.Sensor.ScanHz, faster.Sensor.SettleUs, faster.Sensor.Diodes = 50, 99, true
	other := a
	other.Sensor.Swap = true
	if a.Wiring() == "" || a.Wiring() != faster.Wiring() || a.Wiring() == other.Wiring() || a.Wiring() == e.Wiring() {
		t.Error("the name of the wiring does not tell wirings apart, or tells too much apart")
	}
}
