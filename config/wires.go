package config

import (
	"fmt"
	"path"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/boardd/boardd/rules"
)

// Pin is a GPIO line: GPIO and its number in Broadcom's count, as GPIO17, or another name that the kernel has for it; "" for none.
type Pin string

// UnmarshalText reads a name or a number alone.
func (p *Pin) UnmarshalText(text []byte) error {
	*p = Pin(text)
	if n, err := strconv.ParseUint(string(text), 0, 16); err == nil {
		*p = Pin(fmt.Sprintf("GPIO%d", n))
	}
	return nil
}

var pinPattern = regexp.MustCompile(`^[A-Za-z0-9_.:/-]{1,32}$`)

// Names are lines as text.
func Names(pins ...Pin) (names []string) {
	for _, p := range pins {
		names = append(names, string(p))
	}
	return names
}

// Map says which wire of a home-made board is which square.
type Map struct {
	Generator string   `toml:"generator"` // calibrated rows snake quadrants pairs table
	Swap      bool     `toml:"swap"`
	Mirror    bool     `toml:"mirror"`
	Rotate    int64    `toml:"rotate"`    // 0 90 180 270
	Squares   []string `toml:"squares"`   // of the generator table
	Overrides []string `toml:"overrides"` // as 12=e4
}

// Override is what one of Map.Overrides says: a wire and its square, rules.NoSquare for -.
func Override(text string) (wire int, square rules.Square, ok bool) {
	number, name, _ := strings.Cut(text, "=")
	n, err := strconv.ParseUint(strings.TrimSpace(number), 10, 8)
	square, known := rules.ParseSquare(strings.TrimSpace(name))
	return int(n), square, err == nil && n < 64 && (known || strings.TrimSpace(name) == rules.NoSquare.String())
}

func (ck *checker) boardMap(path string, b *Board) {
	at := func(key string) string { return path + ".map." + key }
	m := &b.Map
	if !IsHomeMade(b.Driver) {
		if ck.keys.has(path+".map") && slices.Contains(Drivers, b.Driver) {
			ck.fault(path+".map", "the driver %s knows its squares: leave [board.map] out", b.Driver)
		}
		return
	}
	ck.oneOf(at("generator"), m.Generator, []string{"calibrated", "rows", "snake", "quadrants", "pairs", "table"}, nil)
	if !slices.Contains([]int64{0, 90, 180, 270}, m.Rotate) {
		ck.fault(at("rotate"), "%d: use 0, 90, 180 or 270", m.Rotate)
	}
	if m.Generator == "calibrated" {
		for _, key := range []string{"swap", "mirror", "rotate", "squares", "overrides"} {
			if ck.keys.has(at(key)) {
				ck.fault(at(key), `is not for generator = "calibrated": boardd calibrate finds all squares`)
			}
		}
		return
	}
	ck.squares(path, m)
}

// squares checks that each square has one wire, as far as the file says so itself; a generator gives each of them one.
func (ck *checker) squares(path string, m *Map) {
	at := func(key string) string { return path + ".map." + key }
	if m.Generator != "table" && len(m.Squares) > 0 {
		ck.fault(at("squares"), `is for generator = "table"`)
	}
	if m.Generator == "table" {
		if len(m.Squares) != 64 {
			ck.faultAt(path, "map.squares", "%d squares: wants 64, in the order of the wires, with - for a wire without one", len(m.Squares))
		}
		for i, name := range m.Squares {
			if _, ok := rules.ParseSquare(name); !ok && name != rules.NoSquare.String() {
				ck.fault(fmt.Sprintf("%s[%d]", at("squares"), i), "%q is no square", name)
			}
		}
	}
	wires := map[int]bool{}
	for i, text := range m.Overrides {
		wire, _, ok := Override(text)
		switch key := fmt.Sprintf("%s[%d]", at("overrides"), i); {
		case !ok:
			ck.fault(key, `%q: wants a wire, 0 to 63, and a square or -, as "12=e4"`, text)
		case wires[wire]:
			ck.fault(key, "wire %d twice", wire)
		default:
			wires[wire] = true
		}
	}
}

// Buttons are GPIO lines with push-buttons.
type Buttons struct {
	Chip       string `toml:"chip"`
	ActiveLow  bool   `toml:"active_low"`
	Pull       string `toml:"pull"`
	DebounceMs int64  `toml:"debounce_ms"`

	NewGame    Pin `toml:"new_game"`
	Takeback   Pin `toml:"takeback"`
	Promotion  Pin `toml:"promotion"`
	Lights     Pin `toml:"lights"`
	ClockLeft  Pin `toml:"clock_left"`
	ClockRight Pin `toml:"clock_right"`
	Shutdown   Pin `toml:"shutdown"`
}

// Button is what a button does, and its line.
type Button struct {
	Name string
	Line Pin
}

// All are the buttons that there are.
func (b *Buttons) All() (all []Button) {
	for _, one := range []Button{
		{"new_game", b.NewGame}, {"takeback", b.Takeback}, {"promotion", b.Promotion}, {"lights", b.Lights},
		{"clock_left", b.ClockLeft}, {"clock_right", b.ClockRight}, {"shutdown", b.Shutdown},
	} {
		if one.Line != "" {
			all = append(all, one)
		}
	}
	return all
}

func (ck *checker) buttons(path string, b *Buttons) {
	at := func(key string) string { return path + ".buttons." + key }
	ck.filled(at("chip"), b.Chip)
	ck.oneOf(at("pull"), b.Pull, []string{"up", "down", "off"}, nil)
	ck.number(at("debounce_ms"), b.DebounceMs, 1, 500)
}

var (
	i2cPattern = regexp.MustCompile(`^/dev/i2c-\d{1,4}$`)
	spiPattern = regexp.MustCompile(`^/dev/spidev\d{1,4}\.\d{1,3}$`)
)

// busName checks the device of a bus; a name that somebody has given it must only be below /dev.
func (ck *checker) busName(key, device string, spi bool) {
	kind, other, example := i2cPattern, spiPattern, "/dev/i2c-1"
	if spi {
		kind, other, example = spiPattern, i2cPattern, "/dev/spidev0.0"
	}
	clean := path.Clean(device)
	if !kind.MatchString(clean) && (other.MatchString(clean) || !strings.HasPrefix(clean, "/dev/")) {
		ck.fault(key, "%q: wants a device such as %s", device, example)
	}
}

// wires is what is in use, by what it is: a line, or a chip on a bus. The value says by whom.
type wires map[string]string

// header are lines of the Pi's header that a bus uses.
var header = []struct {
	bus   *regexp.Regexp
	name  string
	lines []int
}{
	{regexp.MustCompile(`^/dev/i2c-1$`), "I²C", []int{2, 3}},
	{regexp.MustCompile(`^/dev/spidev0\.`), "SPI", []int{7, 8, 9, 10, 11}},
	{regexp.MustCompile(`^/dev/spidev1\.`), "SPI", []int{16, 17, 18, 19, 20, 21}},
}

// wires checks that no line and no chip is used twice. What is used by boards before is in taken.
func (ck *checker) wires(path string, b *Board, taken wires) {
	if IsHomeMade(b.Driver) {
		ck.bus(path, b, taken)
	}
	s := &b.Sensor
	if IsHomeMade(b.Driver) {
		for _, list := range []struct {
			key  string
			pins []Pin
		}{{"rows", s.Rows}, {"cols", s.Cols}, {"select", s.Select}, {"inputs", s.Inputs}} {
			for i, p := range list.pins {
				ck.pin(fmt.Sprintf("%s.sensor.%s[%d]", path, list.key, i), s.Chip, p, taken)
			}
		}
		ck.pin(path+".sensor.load", s.Chip, s.Load, taken)
		ck.pin(path+".sensor.int", s.Chip, s.Int, taken)
	}
	for _, one := range b.Buttons.All() {
		ck.pin(path+".buttons."+one.Name, b.Buttons.Chip, one.Line, taken)
	}
}

// bus notes which chips a board uses, and which lines of the header its buses do.
func (ck *checker) bus(at string, b *Board, taken wires) {
	s := &b.Sensor
	for _, bus := range []struct{ key, device string }{{"bus", s.Bus}, {"load_bus", s.LoadBus}} {
		if bus.device == "" {
			continue
		}
		key, device := at+".sensor."+bus.key, path.Clean(bus.device)
		for _, h := range header {
			if h.bus.MatchString(device) {
				for _, n := range h.lines {
					taken[fmt.Sprintf("auto GPIO%d", n)] = h.name + " " + device
				}
			}
		}
		if spiPattern.MatchString(device) {
			ck.take(key, device, "", taken)
			continue
		}
		for i, a := range s.Addresses {
			channel := int64(-1)
			if s.MuxAddress != 0 && i < len(s.MuxChannels) {
				channel = s.MuxChannels[i]
			}
			// Twice within the board is said where its addresses are checked.
			if who, used := taken[fmt.Sprintf("%s 0x%02x %d", device, a, channel)]; used && who != at {
				ck.faultAt(at, "sensor.addresses", "0x%02x on %s belongs to another board", a, device)
			}
			taken[fmt.Sprintf("%s 0x%02x %d", device, a, channel)] = at
		}
	}
}

// pin checks a line and that nobody else uses it. Labels of a Pi's header are all the same chip.
func (ck *checker) pin(key, chip string, p Pin, taken wires) {
	if p == "" {
		return
	}
	if !pinPattern.MatchString(string(p)) {
		ck.fault(key, "%q: wants a number in Broadcom's count, such as 17, or a line's name", string(p))
		return
	}
	if strings.HasPrefix(chip, "pinctrl-") {
		chip = "auto"
	}
	ck.take(key, chip+" "+string(p), string(p), taken)
}

func (ck *checker) take(key, what, name string, taken wires) {
	if who, used := taken[what]; used {
		if name == "" {
			name = what
		}
		ck.fault(key, "%s is used already: %s", name, who)
		return
	}
	taken[what] = key
}
