package pins

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Chip is a GPIO chip of this computer.
type Chip struct {
	Name  string   // of its device, as gpiochip0
	Label string   // as pinctrl-rp1
	Lines []string // their names, by offset; "" for a line without one
}

// Auto is the chip of the 40-pin header, whatever its number is.
const Auto = "auto"

// headers are the labels of the chip that has the 40-pin header: Pi 5, Pi 4, the others. A newer Pi will have another of this kind.
var headers = []string{"pinctrl-rp1", "pinctrl-bcm2711", "pinctrl-bcm2835"}

const headerKind = "pinctrl-"

// choose finds a chip by its label or name, or that of the header. With a number that is not there any more it gives the header's and
// a note: kernels have renumbered the chips before.
func choose(all []Chip, want string) (c Chip, note string, err error) {
	name := strings.TrimPrefix(want, "/dev/")
	if want != Auto {
		for _, c := range all {
			if c.Label == want || c.Name == name {
				return c, "", nil
			}
		}
		number, numbered := strings.CutPrefix(name, "gpiochip")
		if _, err := strconv.ParseUint(number, 10, 16); !numbered || err != nil {
			return c, "", fmt.Errorf("there is no GPIO chip %.40q: %s", want, offered(all))
		}
	}
	for _, label := range headers {
		for _, c := range all {
			if c.Label == label {
				return c, stale(want, c), nil
			}
		}
	}
	kind := slices.DeleteFunc(slices.Clone(all), func(c Chip) bool { return !strings.HasPrefix(c.Label, headerKind) })
	if len(kind) == 1 {
		return kind[0], stale(want, kind[0]), nil
	}
	if want != Auto {
		return c, "", fmt.Errorf("there is no GPIO chip %.40q: %s", want, offered(all))
	}
	return c, "", fmt.Errorf("no GPIO chip of a known Raspberry Pi is here: %s", offered(all))
}

func stale(want string, c Chip) string {
	if want == Auto {
		return ""
	}
	return fmt.Sprintf("there is no chip %.40q any more, taking %s: set chip to %q, which stays the same", want, c.Name, c.Label)
}

// offered tells what chip could be set to.
func offered(all []Chip) string {
	if len(all) == 0 {
		return "this computer has none, or none that may be opened: run \"boardd doctor\""
	}
	var list []string
	for _, c := range all {
		list = append(list, fmt.Sprintf("%q", c.Label))
	}
	return "set chip to one of " + strings.Join(list, ", ")
}

// offset finds a line by its name, or by its number in Broadcom's count, 17 or GPIO17, which is its offset in the header's chip.
func (c *Chip) offset(line string) (int, error) {
	if i := slices.Index(c.Lines, line); i >= 0 && line != "" {
		return i, nil
	}
	number := strings.TrimPrefix(line, "GPIO")
	if n, err := strconv.ParseUint(number, 10, 16); err == nil {
		if i := slices.Index(c.Lines, "GPIO"+number); i >= 0 {
			return i, nil
		}
		if int(n) < len(c.Lines) {
			return int(n), nil
		}
	}
	return 0, fmt.Errorf("chip %s (%s) has no line %.40q", c.Name, c.Label, line)
}

// offsets finds several lines, each of them once.
func (c *Chip) offsets(lines []string) ([]int, error) {
	list := make([]int, 0, len(lines))
	for i, line := range lines {
		n, err := c.offset(line)
		if err != nil {
			return nil, err
		}
		if before := slices.Index(list, n); before >= 0 {
			return nil, fmt.Errorf("%s and %s are the same line", lines[before], lines[i])
		}
		list = append(list, n)
	}
	return list, nil
}
