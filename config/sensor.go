package config

import (
	"crypto/sha256"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"slices"
	"strings"
)

// Sensor is what the sensors are like. Which keys count is the driver's to say, see sensorKeys.
type Sensor struct {
	Acuity   string `toml:"acuity"`    // presence color piece
	SettleMs int64  `toml:"settle_ms"` // a square that keeps its symbol so long is settled
	ScanHz   int64  `toml:"scan_hz"`   // scans a second

	Bus      string `toml:"bus"`       // device of an I²C or SPI bus
	SpeedHz  int64  `toml:"speed_hz"`  // of an SPI bus
	LoadBus  string `toml:"load_bus"`  // a second device of an SPI bus, whose select line loads the chips
	ReadBack bool   `toml:"read_back"` // the end of the chain is wired back

	Addresses   []int64 `toml:"addresses"` // of the chips, in the order of their wires
	MuxAddress  int64   `toml:"mux_address"`
	MuxChannels []int64 `toml:"mux_channels"` // of each chip
	Ports       string  `toml:"ports"`        // AB A B
	Wide        bool    `toml:"wide"`         // chips with 16 pins instead of 8
	Matrix      bool    `toml:"matrix"`       // one chip reads a matrix

	Chip      string `toml:"chip"` // of the GPIO lines
	Rows      []Pin  `toml:"rows"`
	Cols      []Pin  `toml:"cols"`
	Select    []Pin  `toml:"select"` // address lines of analog switches
	Inputs    []Pin  `toml:"inputs"` // common pins of analog switches
	Load      Pin    `toml:"load"`
	Int       Pin    `toml:"int"` // tells of changes
	ActiveLow bool   `toml:"active_low"`
	Pull      string `toml:"pull"`  // up down off
	Drive     string `toml:"drive"` // low high
	Swap      bool   `toml:"swap"`
	Diodes    bool   `toml:"diodes" json:"-"` // no contact of the matrix can feign another; says nothing of where wires go
	SettleUs  int64  `toml:"settle_us"`
	ReleaseUs int64  `toml:"release_us"`

	ADC         string `toml:"adc"` // mcp3008 ads1115
	VrefMv      int64  `toml:"vref_mv"`
	ZeroMv      int64  `toml:"zero_mv"`
	ThresholdMv int64  `toml:"threshold_mv"`
	ReleaseMv   int64  `toml:"release_mv"`
}

// homeMade are the drivers of boards that people build from sensors and chips.
var homeMade = []string{"gpio-matrix", "mcp23017", "mcp23s17", "pca9555", "pcf8574", "hc165", "hc595-gpio", "mux-gpio", "mux-adc"}

// IsHomeMade reports whether a driver reads a board that people build from sensors and chips: one with a [board.map].
func IsHomeMade(driver string) bool { return slices.Contains(homeMade, driver) }

// sensorKeys are the keys of [board.sensor] that each home-made board has, beside scan_hz and settle_ms.
var sensorKeys = map[string][]string{
	"gpio-matrix": {"chip", "rows", "cols", "drive", "active_low", "pull", "swap", "diodes", "settle_us", "release_us"},
	"mcp23017": {"bus", "addresses", "mux_address", "mux_channels", "ports", "active_low", "pull", "chip", "int",
		"matrix", "swap", "diodes", "settle_us"},
	"mcp23s17":   {"bus", "speed_hz", "addresses", "active_low", "pull"},
	"pca9555":    {"bus", "addresses", "mux_address", "mux_channels", "active_low"},
	"pcf8574":    {"bus", "addresses", "mux_address", "mux_channels", "active_low", "wide"},
	"hc165":      {"bus", "speed_hz", "chip", "load", "load_bus", "read_back", "active_low"},
	"hc595-gpio": {"bus", "speed_hz", "read_back", "chip", "cols", "drive", "active_low", "pull", "diodes", "settle_us"},
	"mux-gpio":   {"chip", "select", "inputs", "active_low", "pull", "settle_us"},
	"mux-adc": {"acuity", "chip", "select", "adc", "bus", "speed_hz", "addresses", "mux_address", "mux_channels", "active_low",
		"vref_mv", "zero_mv", "threshold_mv", "release_mv", "settle_us"},
}

// onSPI reports whether the sensor's bus is an SPI bus.
func onSPI(b *Board) bool {
	switch b.Driver {
	case "mcp23s17", "hc165", "hc595-gpio":
		return true
	}
	return b.Driver == "mux-adc" && b.Sensor.ADC == "mcp3008"
}

// fillSensor gives a home-made board the defaults of its driver for keys that the file does not have.
func fillSensor(b *Board, path string, keys keys) {
	if !IsHomeMade(b.Driver) {
		return
	}
	s := &b.Sensor
	absent := func(key string) bool { return !keys.has(path + ".sensor." + key) }
	text := func(key string, to *string, value string) {
		if absent(key) && slices.Contains(sensorKeys[b.Driver], key) {
			*to = value
		}
	}
	number := func(key string, to *int64, value int64) {
		if absent(key) && (key == "settle_ms" || key == "scan_hz" || slices.Contains(sensorKeys[b.Driver], key)) {
			*to = value
		}
	}
	if absent("acuity") {
		s.Acuity = "presence"
		text("acuity", &s.Acuity, "color")
	}
	text("adc", &s.ADC, "mcp3008")
	text("chip", &s.Chip, "auto")
	text("bus", &s.Bus, "/dev/i2c-1")
	if onSPI(b) {
		text("bus", &s.Bus, "/dev/spidev0.0")
	}
	text("ports", &s.Ports, "AB")
	text("drive", &s.Drive, "low")
	if absent("active_low") { // contacts close to 0 V; what a matrix reads follows what it drives
		s.ActiveLow = b.Driver != "mux-adc" && (b.Driver != "gpio-matrix" || s.Drive == "low")
	}
	text("pull", &s.Pull, map[bool]string{true: "up", false: "down"}[s.ActiveLow || !onPins(b)])
	if absent("addresses") {
		s.Addresses = defaultAddresses(b)
	}
	number("settle_ms", &s.SettleMs, 40)
	hz := int64(100)
	if b.Driver == "mux-adc" {
		if hz = 50; s.ADC == "ads1115" {
			hz = 10
		}
	}
	number("scan_hz", &s.ScanHz, hz)
	number("speed_hz", &s.SpeedHz, 1_000_000)
	number("settle_us", &s.SettleUs, map[string]int64{"gpio-matrix": 50, "mcp23017": 100, "hc595-gpio": 100}[b.Driver])
	if b.Driver == "mux-gpio" || b.Driver == "mux-adc" {
		number("settle_us", &s.SettleUs, 20)
	}
	number("vref_mv", &s.VrefMv, 3300)
	number("zero_mv", &s.ZeroMv, s.VrefMv/2)
	number("threshold_mv", &s.ThresholdMv, 100)
	number("release_mv", &s.ReleaseMv, s.ThresholdMv*9/10)
	if !keys.has(path + ".map.generator") {
		b.Map.Generator = "calibrated"
		if keys.has(path + ".map.squares") {
			b.Map.Generator = "table"
		}
	}
}

// onPins reports whether the sensor is read by GPIO lines, with the resistors that those have.
func onPins(b *Board) bool {
	return b.Driver == "gpio-matrix" || b.Driver == "hc595-gpio" || b.Driver == "mux-gpio"
}

func defaultAddresses(b *Board) []int64 {
	switch s := &b.Sensor; {
	case b.Driver == "mcp23017" && s.Matrix:
		return []int64{0x20}
	case b.Driver == "pcf8574" && !s.Wide, b.Driver == "mcp23017" && s.Ports != "AB":
		return []int64{0x20, 0x21, 0x22, 0x23, 0x24, 0x25, 0x26, 0x27}
	case b.Driver == "mcp23017", b.Driver == "mcp23s17", b.Driver == "pca9555", b.Driver == "pcf8574":
		return []int64{0x20, 0x21, 0x22, 0x23}
	case b.Driver == "mux-adc" && s.ADC == "ads1115":
		return []int64{0x48}
	}
	return nil
}

// sensor checks [board.sensor] of a home-made board, and that no other board has its keys.
func (ck *checker) sensor(path string, b *Board) {
	at := func(key string) string { return path + ".sensor." + key }
	used := append([]string{"settle_ms"}, sensorKeys[b.Driver]...)
	if IsHomeMade(b.Driver) {
		used = append(used, "scan_hz")
	} else {
		used = append(used, "acuity")
	}
	if slices.Contains(Drivers, b.Driver) {
		for _, k := range ck.keys.list {
			key, ok := strings.CutPrefix(k.path, path+".sensor.")
			if ok && !strings.ContainsAny(key, ".[") && !slices.Contains(used, key) {
				ck.fault(k.path, "the driver %s has no %s", b.Driver, key)
			}
		}
	}
	if !IsHomeMade(b.Driver) {
		return
	}
	s := &b.Sensor
	if b.Driver == "mux-adc" && s.Acuity == "piece" {
		ck.fault(at("acuity"), "magnets show a colour at most: use presence or color")
	}
	ck.number(at("scan_hz"), s.ScanHz, 1, 500)
	has := func(key string) bool { return slices.Contains(sensorKeys[b.Driver], key) }
	if has("bus") {
		ck.busName(at("bus"), s.Bus, onSPI(b))
	}
	if s.LoadBus != "" {
		ck.busName(at("load_bus"), s.LoadBus, true)
	}
	if has("speed_hz") && onSPI(b) {
		ck.number(at("speed_hz"), s.SpeedHz, 1000, 32_000_000)
	}
	if has("ports") {
		ck.oneOf(at("ports"), s.Ports, []string{"AB", "A", "B"}, nil)
	}
	if has("drive") {
		ck.oneOf(at("drive"), s.Drive, []string{"low", "high"}, nil)
	}
	if has("pull") {
		pulls := []string{"up", "off"} // what an expander has
		if onPins(b) {
			pulls = []string{"up", "down", "off"}
		}
		ck.oneOf(at("pull"), s.Pull, pulls, nil)
	}
	if has("settle_us") {
		ck.number(at("settle_us"), s.SettleUs, 0, 5000)
	}
	ck.number(at("release_us"), s.ReleaseUs, 0, 5000)
	if has("chip") {
		ck.filled(at("chip"), s.Chip)
	}
	if s.Matrix && (s.Ports != "AB" || s.Int != "" || !s.ActiveLow || s.Pull == "off") {
		ck.fault(at("matrix"), "a matrix needs both ports, the chip's resistors and contacts that close to 0 V, and cannot interrupt")
	}
	if s.Swap && b.Driver == "mcp23017" && !s.Matrix {
		ck.fault(at("swap"), "is for a matrix")
	}
	if s.Diodes && b.Driver == "mcp23017" && !s.Matrix {
		ck.fault(at("diodes"), "is for a matrix")
	}
	ck.lines(path, b)
	ck.addresses(path, b)
	if b.Driver == "mux-adc" {
		ck.oneOf(at("adc"), s.ADC, []string{"mcp3008", "ads1115"}, nil)
		ck.number(at("vref_mv"), s.VrefMv, 1000, 5500)
		ck.number(at("zero_mv"), s.ZeroMv, 0, 5500)
		ck.number(at("threshold_mv"), s.ThresholdMv, 5, 2500)
		ck.number(at("release_mv"), s.ReleaseMv, 1, max(s.ThresholdMv, 1))
	}
}

// lines checks that a driver has the lines it needs.
func (ck *checker) lines(path string, b *Board) {
	s := &b.Sensor
	count := func(key string, pins []Pin, numbers ...int) {
		if !slices.Contains(numbers, len(pins)) {
			var words []string
			for _, n := range numbers {
				words = append(words, fmt.Sprint(n))
			}
			ck.faultAt(path, "sensor."+key, "%d lines: wants %s", len(pins), either(words))
		}
	}
	switch b.Driver {
	case "gpio-matrix":
		count("rows", s.Rows, 8)
		count("cols", s.Cols, 8)
	case "hc595-gpio":
		count("cols", s.Cols, 8)
	case "mux-gpio":
		count("select", s.Select, 3, 4)
		if n := len(s.Select); n == 3 || n == 4 {
			count("inputs", s.Inputs, 64>>n)
		}
	case "mux-adc":
		count("select", s.Select, 3, 4, 5, 6)
		if inputs := map[string]int{"mcp3008": 8, "ads1115": 4 * len(s.Addresses)}[s.ADC]; len(s.Select) >= 3 && len(s.Select) <= 6 && 64>>len(s.Select) > inputs {
			ck.faultAt(path, "sensor.select", "%d lines leave %d inputs to the converters, which have %d", len(s.Select), 64>>len(s.Select), inputs)
		}
	case "hc165":
		if (s.Load == "") == (s.LoadBus == "") {
			ck.faultAt(path, "sensor.load", "wants load, a GPIO line, or load_bus, a second SPI device: one of them")
		}
	}
}

// addresses checks the addresses of chips, and of the switch before them.
func (ck *checker) addresses(path string, b *Board) {
	s := &b.Sensor
	at := func(key string) string { return path + ".sensor." + key }
	first, last, numbers := int64(0x20), int64(0x27), []int{4}
	switch b.Driver {
	case "mcp23017":
		if s.Matrix {
			numbers = []int{1}
		} else if s.Ports != "AB" {
			numbers = []int{8}
		}
	case "mcp23s17", "pca9555":
	case "pcf8574":
		if last = 0x3F; !s.Wide {
			numbers = []int{8}
		}
	case "mux-adc":
		if s.ADC != "ads1115" {
			if len(s.Addresses) > 0 || s.MuxAddress != 0 {
				ck.fault(at("addresses"), "an %s has no address", s.ADC)
			}
			return
		}
		first, last, numbers = 0x48, 0x4B, []int{1, 2}
	default:
		return
	}
	if !slices.Contains(numbers, len(s.Addresses)) {
		words := []string{fmt.Sprint(numbers[0])}
		if len(numbers) > 1 {
			words = append(words, fmt.Sprint(numbers[1]))
		}
		ck.faultAt(path, "sensor.addresses", "%d chips: wants %s, which have 64 lines", len(s.Addresses), either(words))
	}
	for i, a := range s.Addresses {
		if a < first || a > last || last == 0x3F && a > 0x27 && a < 0x38 {
			ck.fault(at("addresses"), "0x%02x: a %s is at 0x%02x to 0x%02x", a, b.Driver, first, last)
		} else if s.MuxAddress == 0 && slices.Index(s.Addresses, a) < i {
			ck.fault(at("addresses"), "0x%02x twice: two chips of one address need a switch, see mux_address", a)
		}
	}
	switch {
	case s.MuxAddress == 0 && len(s.MuxChannels) > 0:
		ck.fault(at("mux_channels"), "needs mux_address")
	case s.MuxAddress == 0:
	case s.MuxAddress < 0x70 || s.MuxAddress > 0x77:
		ck.fault(at("mux_address"), "0x%02x: a TCA9548A is at 0x70 to 0x77", s.MuxAddress)
	case len(s.MuxChannels) != len(s.Addresses):
		ck.faultAt(path, "sensor.mux_channels", "%d channels for %d chips: wants one for each", len(s.MuxChannels), len(s.Addresses))
	default:
		type place struct{ address, channel int64 }
		seen := map[place]bool{}
		for i, c := range s.MuxChannels {
			if c < 0 || c > 7 {
				ck.fault(at("mux_channels"), "%d: wants 0 to 7", c)
			}
			if p := (place{s.Addresses[i], c}); seen[p] {
				ck.fault(at("mux_channels"), "two chips at 0x%02x on channel %d", p.address, c)
			} else {
				seen[p] = true
			}
		}
	}
}

// Wiring names the wiring of a home-made board: another one has another name. How fast and how patiently it is read does not count.
func (b *Board) Wiring() string {
	s := b.Sensor
	s.SettleMs, s.ScanHz, s.SpeedHz, s.SettleUs, s.ReleaseUs, s.ThresholdMv, s.ReleaseMv = 0, 0, 0, 0, 0, 0, 0
	s.Acuity, s.Int, s.Chip = "", "", ""
	text, err := json.Marshal(struct {
		Driver string
		Sensor Sensor
	}{b.Driver, s})
	if err != nil {
		return ""
	}
	sum := sha256.Sum256(text)
	return hex.EncodeToString(sum[:8])
}
