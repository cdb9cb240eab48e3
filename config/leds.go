package config

import (
	"cmp"
	"reflect"
	"slices"
	"strconv"

	"github.com/boardd/boardd/board"
)

// LEDs are the lights of a board.
type LEDs struct {
	Driver      string   `toml:"driver"`       // one of Displays
	Brightness  int64    `toml:"brightness"`   // percent, from 1
	LastMove    bool     `toml:"last_move"`    // keep the last move's squares dimly lit
	Guidance    string   `toml:"guidance"`     // all one: the men to be put right at once, or one after the other
	Night       Night    `toml:"night"`        // when the lights are at most at 5 %
	Bus         string   `toml:"bus"`          // device of an I²C or SPI bus; DevicePath has its default
	Device      string   `toml:"device"`       // leds-chardev: file of the kernel's driver
	Addresses   []int64  `toml:"addresses"`    // of chips on an I²C bus; ChipAddresses has their default
	MuxAddress  int64    `toml:"mux_address"`  // of a TCA9548A before the chips; 0 for none
	MuxChannels []int64  `toml:"mux_channels"` // of each chip
	PerSquare   string   `toml:"per_square"`   // one four corners
	Order       string   `toml:"order"`        // auto calibrated given: where the order of the LEDs is known from
	Start       string   `toml:"start"`        // a1 h1 a8 h8: where LED 0 is
	Along       string   `toml:"along"`        // rank file: which way the LEDs run
	Serpentine  bool     `toml:"serpentine"`   // every second line runs backwards
	Table       []string `toml:"table"`        // the squares of each LED; wins over the four before
	Colors      string   `toml:"colors"`       // the order in which a LED takes its colours; "" for what its kind mostly has
	Gamma       float64  `toml:"gamma"`        // 1.0 to 4.0
	MaxMA       int64    `toml:"max_ma"`       // most current of a chain
	SpeedHz     int64    `toml:"speed_hz"`     // clock of an SPI bus; 0 for what the chip likes; ws2812 has its own
	Bits        int64    `toml:"bits"`         // ws2812: SPI bits to a bit, 3 or 4
	Wide        bool     `toml:"wide"`         // ht16k33: chips with LEDs at 16 rows instead of 8
	Ports       string   `toml:"ports"`        // mcp23017: AB BA A B
	ActiveLow   bool     `toml:"active_low"`   // mcp23017, hc595 without matrix: an output lights its LED at 0 V
	Matrix      bool     `toml:"matrix"`       // hc595: the outputs are 8 rows, then the columns
	Chip        string   `toml:"chip"`         // gpio-matrix: of the GPIO lines
	Rows        []Pin    `toml:"rows"`         // gpio-matrix
	Cols        []Pin    `toml:"cols"`         // gpio-matrix
	RowsLow     bool     `toml:"rows_low"`     // matrices: a row is on at 0 V
	ColsLow     bool     `toml:"cols_low"`     // matrices: a column is on at 0 V
	Palette     Palette  `toml:"palette"`
}

// Palette are the colours of the lights.
type Palette struct {
	Remove Color `toml:"remove"` // take this off
	Put    Color `toml:"put"`    // put something here
	Info   Color `toml:"info"`   // look here
}

// Color is a colour as #rrggbb.
type Color string

// Valid reports whether c is # and six hexadecimal digits.
func (c Color) Valid() bool {
	if len(c) != 7 || c[0] != '#' {
		return false
	}
	_, err := strconv.ParseUint(string(c[1:]), 16, 32)
	return err == nil
}

// RGB is the colour for a frame; black if c is not valid.
func (c Color) RGB() board.RGB {
	if !c.Valid() {
		return board.RGB{}
	}
	v, _ := strconv.ParseUint(string(c[1:]), 16, 32)
	return board.RGB{R: uint8(v >> 16), G: uint8(v >> 8), B: uint8(v)}
}

// Night is a part of each day as HH:MM-HH:MM, over midnight where the end is before the beginning; "" is none.
type Night string

// Minutes are its beginning and end in minutes from midnight; both are 0 for none.
func (n Night) Minutes() (from, to int, ok bool) {
	if n == "" {
		return 0, 0, true
	}
	if len(n) != 11 || n[5] != '-' {
		return 0, 0, false
	}
	from, ok1 := clockTime(string(n[:5]))
	to, ok2 := clockTime(string(n[6:]))
	return from, to, ok1 && ok2 && from != to
}

func clockTime(text string) (minutes int, ok bool) {
	h, err1 := strconv.ParseUint(text[:2], 10, 8)
	m, err2 := strconv.ParseUint(text[3:], 10, 8)
	return int(60*h + m), err1 == nil && err2 == nil && text[2] == ':' && h < 24 && m < 60
}

// Displays are the lights that this version can show.
var Displays = []string{
	"none", "virtual", "terminal", "board", "ws2812", "apa102", "leds-chardev", "ht16k33", "max7219", "mcp23017", "hc595", "gpio-matrix",
}

// DefaultLEDs are the lights of a board that does not name any.
func DefaultLEDs() LEDs {
	return LEDs{
		Driver: "none", Brightness: 25, LastMove: true, Guidance: "all", Addresses: []int64{}, MuxChannels: []int64{}, PerSquare: "one", Order: "auto", Start: "a1", Along: "rank",
		Table: []string{}, Gamma: 2.2, MaxMA: 700, Bits: 3, Ports: "AB", Chip: "auto", Rows: []Pin{}, Cols: []Pin{},
		Palette: Palette{Remove: "#ff4000", Put: "#005aff", Info: "#ffffff"},
	}
}

// displayKeys are the keys that not every display has.
var displayKeys = map[string][]string{
	"bus":        {"ws2812", "apa102", "ht16k33", "max7219", "mcp23017", "hc595"},
	"device":     {"leds-chardev"},
	"addresses":  {"ht16k33", "mcp23017"},
	"colors":     {"ws2812", "apa102", "leds-chardev"},
	"gamma":      {"ws2812", "apa102", "leds-chardev"},
	"max_ma":     {"ws2812", "apa102", "leds-chardev"},
	"speed_hz":   {"apa102", "max7219", "hc595"},
	"bits":       {"ws2812"},
	"wide":       {"ht16k33"},
	"ports":      {"mcp23017"},
	"active_low": {"mcp23017", "hc595"},
	"matrix":     {"hc595"},
	"chip":       {"gpio-matrix"},
	"rows":       {"gpio-matrix"},
	"cols":       {"gpio-matrix"},
	"rows_low":   {"hc595", "gpio-matrix"},
	"cols_low":   {"hc595", "gpio-matrix"},
	"per_square": append([]string{"board"}, wired...), "order": wired, "start": wired, "along": wired, "serpentine": wired, "table": wired,
}

// wired are the displays whose LEDs are wired in some order.
var wired = Displays[4:]

// DevicePath is the file of the bus or driver, "" for a display that has none.
func (l *LEDs) DevicePath() string {
	switch l.Driver {
	case "ws2812", "apa102", "max7219", "hc595":
		return cmp.Or(l.Bus, "/dev/spidev0.0")
	case "leds-chardev":
		return cmp.Or(l.Device, "/dev/leds0")
	case "ht16k33", "mcp23017":
		return cmp.Or(l.Bus, "/dev/i2c-1")
	}
	return ""
}

// AsksCalibration reports whether the order of the LEDs is that which boardd calibrate --lights has found: if that is said, or if
// nothing is said of an order.
func (l *LEDs) AsksCalibration() bool {
	def := DefaultLEDs()
	untouched := l.Start == def.Start && l.Along == def.Along && l.Serpentine == def.Serpentine && len(l.Table) == 0
	return l.Order == "calibrated" || l.Order == "auto" && untouched
}

// ChipAddresses are the addresses of so many chips on an I²C bus: those that are named, or those of ht16k33 from 0x70 on.
func (l *LEDs) ChipAddresses(chips int) []int64 {
	if len(l.Addresses) > 0 || l.Driver != "ht16k33" {
		return l.Addresses
	}
	list := make([]int64, min(chips, 8))
	for i := range list {
		list[i] = 0x70 + int64(i)
	}
	return list
}

// leds checks the lights of a board; path is that of its table.
func (ck *checker) leds(path string, b *Board) {
	l, def := &b.LEDs, DefaultLEDs()
	at := func(key string) string { return path + "." + key }
	if l.Driver == "board" && !b.HasLights() {
		others := slices.DeleteFunc(slices.Clone(Displays), func(name string) bool { return name == "board" })
		ck.fault(at("driver"), "the board with driver %q has no lights of its own: use %s", b.Driver, either(others))
		return
	}
	ck.oneOf(at("driver"), l.Driver, Displays, nil)
	ck.number(at("brightness"), l.Brightness, 1, 100)
	ck.oneOf(at("guidance"), l.Guidance, []string{"all", "one"}, nil)
	if _, _, ok := l.Night.Minutes(); !ok {
		ck.fault(at("night"), `%q: wants hours such as "22:00-07:00"`, string(l.Night))
	}
	ck.oneOf(at("per_square"), l.PerSquare, []string{"one", "four", "corners"}, nil)
	ck.oneOf(at("order"), l.Order, []string{"auto", "calibrated", "given"}, nil)
	ck.oneOf(at("start"), l.Start, []string{"a1", "h1", "a8", "h8"}, nil)
	ck.oneOf(at("along"), l.Along, []string{"rank", "file"}, nil)
	if !(l.Gamma >= 1 && l.Gamma <= 4) {
		ck.fault(at("gamma"), "wants 1.0 to 4.0")
	}
	ck.number(at("max_ma"), l.MaxMA, 65, 20_000)
	if l.SpeedHz != 0 {
		ck.number(at("speed_hz"), l.SpeedHz, 100_000, 20_000_000)
	}
	ck.number(at("bits"), l.Bits, 3, 4)
	ck.oneOf(at("ports"), l.Ports, []string{"AB", "BA", "A", "B"}, nil)
	ck.ledAddresses(at("addresses"), l)
	if l.Driver == "gpio-matrix" {
		ck.ledPins(path, "rows", l.Rows)
		ck.ledPins(path, "cols", l.Cols)
	}
	if slices.Contains(Displays, l.Driver) {
		ck.misplaced(path, l, &def)
	}
	for _, c := range []struct {
		key   string
		color Color
	}{{"remove", l.Palette.Remove}, {"put", l.Palette.Put}, {"info", l.Palette.Info}} {
		if !c.color.Valid() {
			ck.fault(at("palette."+c.key), `%q: wants a colour such as "#ff4000"`, string(c.color))
		}
	}
}

func (ck *checker) ledPins(path, key string, pins []Pin) {
	if len(pins) == 0 {
		ck.faultAt(path, key, `is missing: name the lines, as ["GPIO5", "GPIO6", "GPIO12"]`)
	}
	for _, p := range pins {
		if !pinPattern.MatchString(string(p)) {
			ck.fault(path+"."+key, `%q: wants a line such as "GPIO5", or its number`, string(p))
		}
	}
}

func (ck *checker) ledAddresses(path string, l *LEDs) {
	table, _ := cutLast(path)
	first, last := int64(0x03), int64(0x77)
	switch l.Driver {
	case "ht16k33":
		first, last = 0x70, 0x77
	case "mcp23017":
		first, last = 0x20, 0x27
		if len(l.Addresses) == 0 {
			ck.faultAt(table, "addresses", "is missing: name the chips that have the LEDs, as [0x24, 0x25, 0x26, 0x27]")
		}
	}
	if l.MuxAddress != 0 && (l.MuxAddress < 0x70 || l.MuxAddress > 0x77) {
		ck.fault(table+".mux_address", "%#02x: a TCA9548A has an address from 0x70 to 0x77", l.MuxAddress)
	}
	for _, n := range l.MuxChannels {
		ck.number(table+".mux_channels", n, 0, 7)
	}
	if len(l.MuxChannels) > 0 && l.MuxAddress == 0 {
		ck.fault(table+".mux_channels", "needs mux_address")
	}
	seen := map[int64]bool{}
	for _, a := range l.Addresses {
		switch {
		case a < first || a > last:
			ck.fault(path, "%#02x: a chip of %s has an address from %#02x to %#02x", a, l.Driver, first, last)
		case seen[a] && l.MuxAddress == 0:
			ck.fault(path, "%#02x is named twice: two chips of one address need a switch, see mux_address", a)
		}
		seen[a] = true
	}
}

// misplaced finds keys that a display does not have and that are not as they are by themselves.
func (ck *checker) misplaced(path string, l, def *LEDs) {
	v, d := reflect.ValueOf(l).Elem(), reflect.ValueOf(def).Elem()
	for i := range v.NumField() {
		key := v.Type().Field(i).Tag.Get("toml")
		of, special := displayKeys[key]
		if special && !slices.Contains(of, l.Driver) && !reflect.DeepEqual(v.Field(i).Interface(), d.Field(i).Interface()) {
			ck.fault(path+"."+key, "lights with driver %s have no such key: it is for %s", l.Driver, either(of))
		}
	}
}
