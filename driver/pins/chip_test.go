package pins

import (
	"fmt"
	"slices"
	"strings"
	"testing"
)

// header is a chip with the lines of the 40-pin header, named as Raspberry Pi OS does.
func header(name, label string) Chip {
	c := Chip{Name: name, Label: label}
	for i := range 54 {
		c.Lines = append(c.Lines, fmt.Sprintf("GPIO%d", i))
	}
	c.Lines[2], c.Lines[14] = "SDA1", "TXD1" // as the mainline kernel calls them
	return c
}

// TestChipIsFoundByItsLabel has GP-09, GP-10, GP-13, GP-14 and GP-30 of the cases that others have met: numbers of chips and
// lines change with kernels, and new Pis come every year.
func TestChipIsFoundByItsLabel(t *testing.T) {
	t.Parallel()
	pi5 := []Chip{header("gpiochip0", "pinctrl-rp1"), {Name: "gpiochip10", Label: "gpio-brcmstb@107d508500"}, {Name: "gpiochip11", Label: "gpio-brcmstb@107d508520"}}
	pi5Old := []Chip{{Name: "gpiochip0", Label: "gpio-brcmstb@107d508500"}, header("gpiochip4", "pinctrl-rp1")}
	pi4 := []Chip{header("gpiochip0", "pinctrl-bcm2711"), {Name: "gpiochip1", Label: "raspberrypi-exp-gpio"}}
	pi3 := []Chip{header("gpiochip0", "pinctrl-bcm2835"), {Name: "gpiochip1", Label: "brcmvirt-gpio"}}
	later := []Chip{{Name: "gpiochip0", Label: "gpio-pmic"}, header("gpiochip1", "pinctrl-rp2")}
	pc := []Chip{{Name: "gpiochip0", Label: "INT3450:00"}, {Name: "gpiochip1", Label: "gpio-sim.0"}}
	for _, test := range []struct {
		name       string
		all        []Chip
		want       string
		chip, note string
		err        string
	}{
		{name: "GP-09 a Pi 5", all: pi5, want: "auto", chip: "gpiochip0"},
		{name: "a Pi 5 with an older kernel", all: pi5Old, want: "auto", chip: "gpiochip4"},
		{name: "a Pi 4", all: pi4, want: "auto", chip: "gpiochip0"},
		{name: "a Pi 0 to 3", all: pi3, want: "auto", chip: "gpiochip0"},
		{name: "GP-30 a Pi that is not known", all: later, want: "auto", chip: "gpiochip1"},
		{name: "by label", all: pc, want: "gpio-sim.0", chip: "gpiochip1"},
		{name: "by name", all: pc, want: "gpiochip1", chip: "gpiochip1"},
		{name: "by device", all: pc, want: "/dev/gpiochip1", chip: "gpiochip1"},
		{name: "GP-13 a number that was", all: pi5, want: "gpiochip4", chip: "gpiochip0",
			note: `there is no chip "gpiochip4" any more, taking gpiochip0: set chip to "pinctrl-rp1", which stays the same`},
		{name: "GP-09 no Pi", all: pc, want: "auto", err: `no GPIO chip of a known Raspberry Pi is here: set chip to one of "INT3450:00", "gpio-sim.0"`},
		{name: "no such label", all: pi4, want: "gpio-x", err: `there is no GPIO chip "gpio-x": set chip to one of "pinctrl-bcm2711", "raspberrypi-exp-gpio"`},
		{name: "no such number, no Pi", all: pc, want: "gpiochip7", err: `there is no GPIO chip "gpiochip7"`},
		{name: "a name that only begins like one", all: pi4, want: "gpiochip0x", err: "there is no GPIO chip"},
		{name: "none at all", want: "auto", err: `this computer has none, or none that may be opened: run "boardd doctor"`},
	} {
		c, note, err := choose(test.all, test.want)
		if test.err != "" {
			if err == nil || !strings.Contains(err.Error(), test.err) {
				t.Errorf("%s: %v, want %s", test.name, err, test.err)
			}
			continue
		}
		if err != nil || c.Name != test.chip || note != test.note {
			t.Errorf("%s: %s %q %v, want %s %q", test.name, c.Name, note, err, test.chip, test.note)
		}
	}
}

func TestLineIsFoundByNameOrNumber(t *testing.T) {
	t.Parallel()
	c := header("gpiochip0", "pinctrl-bcm2835")
	for line, want := range map[string]int{"GPIO17": 17, "17": 17, "0": 0, "2": 2, "GPIO2": 2, "SDA1": 2, "53": 53} {
		if n, err := c.offset(line); err != nil || n != want {
			t.Errorf("%s: %d %v, want %d", line, n, err, want)
		}
	}
	for _, line := range []string{"", "54", "GPIO54", "529", "-1", "GPIO", "P1_11", "17 "} {
		if n, err := c.offset(line); err == nil {
			t.Errorf("%q: is line %d", line, n)
		}
	}
	// A line that carries another one's number in its name is that one only by its offset.
	odd := Chip{Name: "gpiochip0", Label: "gpio-sim.0", Lines: []string{"GPIO1", "GPIO0", "", "ROW3"}}
	for line, want := range map[string]int{"GPIO0": 1, "0": 1, "1": 0, "2": 2, "ROW3": 3, "3": 3} {
		if n, err := odd.offset(line); err != nil || n != want {
			t.Errorf("%s: %d %v, want %d", line, n, err, want)
		}
	}
	if n, err := c.offsets([]string{"5", "GPIO6", "SDA1"}); err != nil || !slices.Equal(n, []int{5, 6, 2}) {
		t.Errorf("%v %v", n, err)
	}
	if _, err := c.offsets([]string{"5", "2", "SDA1"}); err == nil || !strings.Contains(err.Error(), "2 and SDA1 are the same line") {
		t.Errorf("one line twice: %v", err)
	}
	if _, err := c.offsets([]string{"5", "99"}); err == nil {
		t.Error("a line that is not there")
	}
}

func TestRequestsThatCannotBe(t *testing.T) {
	t.Parallel()
	if _, err := OpenInputs(Options{Chip: Auto}); err == nil {
		t.Error("no lines")
	}
	if _, err := OpenOutputs(Options{Chip: "no-such-chip", Lines: []string{"1"}}); err == nil || strings.Contains(err.Error(), "\n") {
		t.Errorf("a chip that is not there: %v", err)
	}
	if _, err := OpenAlert(Options{Chip: "no-such-chip", Lines: make([]string, 65)}); err == nil {
		t.Error("65 lines")
	}
	for word, want := range map[string]Pull{"up": PullUp, "down": PullDown, "off": NoPull} {
		if p, ok := ParsePull(word); !ok || p != want {
			t.Errorf("%s: %d", word, p)
		}
	}
	if _, ok := ParsePull("sideways"); ok {
		t.Error("sideways")
	}
}
