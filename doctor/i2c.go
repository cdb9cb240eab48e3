package doctor

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
)

// addresses are where chips of boards and lights may be. Others are left alone.
var addresses = func() (all []uint16) {
	for _, r := range [][2]uint16{{0x20, 0x27}, {0x38, 0x3F}, {0x48, 0x4B}, {0x70, 0x77}} {
		for a := r[0]; a <= r[1]; a++ {
			all = append(all, a)
		}
	}
	return all
}()

// probably names what a chip at an address may be. One byte that was read does not tell chips apart, and no more is done.
func probably(a uint16) string {
	switch {
	case a <= 0x27:
		return "MCP23017, PCA9555 or PCF8574"
	case a <= 0x3F:
		return "PCF8574A"
	case a <= 0x4B:
		return "ADS1115"
	case a == 0x70:
		return "TCA9548A or HT16K33"
	default:
		return "HT16K33 or TCA9548A"
	}
}

// used reports whether the configuration has chips on a bus.
func (e *examination) used(bus string) bool { return len(e.n.I2C[bus]) > 0 }

func (e *examination) i2c() {
	e.r.I2C = e.list("dev/i2c-*")
	for i := range e.r.I2C {
		d := &e.r.I2C[i]
		e.try(d, e.used(d.Path))
		// Buses of the graphics chip are left alone: screens are on them.
		if !d.May || d.Path != "/dev/i2c-1" && !e.used(d.Path) {
			continue
		}
		e.probe(d)
	}
	for bus := range e.n.I2C {
		e.missing(bus, e.r.I2C, "i2c_missing", []string{"i2c_arm", "i2c"}, "dtparam=i2c_arm=on", "i2c-dev")
	}
	if len(e.r.I2C) == 0 && e.r.Machine.Pi > 0 && !e.n.Configured {
		e.r.say(Note, "i2c_off", "I²C is switched off.", e.put("dtparam=i2c_arm=on", "if chips are on it"))
	}
}

// probe asks who is on a bus, and compares it with who should be.
func (e *examination) probe(d *Device) {
	var free []uint16
	var taken []Answer
	for _, a := range addresses {
		name := fmt.Sprintf("sys/bus/i2c/devices/%s-%04x/driver", strings.TrimPrefix(d.Path, "/dev/i2c-"), a)
		if e.exists(name) {
			taken = append(taken, Answer{Address: a, Driver: true})
		} else {
			free = append(free, a)
		}
	}
	answers, err := e.c.Read(d.Path, free)
	if err != nil {
		e.r.say(e.when(e.used(d.Path), Bad, Warning), "i2c_stuck", fmt.Sprintf("%s does not work: %v.", d.Path, err),
			"Look for SDA and SCL exchanged or shorted, and for a chip without supply that holds the bus down.")
		return
	}
	answers = append(answers, taken...)
	slices.SortFunc(answers, func(a, b Answer) int { return cmp.Compare(a.Address, b.Address) })
	d.Probed, d.Answers = true, answers
	for i := range d.Answers {
		a := &d.Answers[i]
		a.Probably = probably(a.Address)
		if chip, ok := e.n.I2C[d.Path][a.Address]; ok {
			a.Probably = chip.Name + ", as configured"
		}
		if a.Driver && e.n.I2C[d.Path][a.Address].Name != "" {
			e.r.say(Bad, "i2c_driver", fmt.Sprintf("A driver of the kernel has the chip at 0x%02x of %s.", a.Address, d.Path),
				"Take its dtoverlay out of config.txt and restart.")
		}
	}
	var wanted []uint16
	for a := range e.n.I2C[d.Path] {
		wanted = append(wanted, a)
	}
	slices.Sort(wanted)
	for _, a := range wanted {
		if slices.ContainsFunc(answers, func(x Answer) bool { return x.Address == a }) {
			continue
		}
		mend := "Look at its supply, at SDA and SCL, and at the address pins A0 to A2."
		if len(answers) == 0 {
			mend = "Nothing at all answers: look at the supply of the chips, and whether SDA (pin 3) and SCL (pin 5) are exchanged."
		}
		e.r.say(Bad, "i2c_silent", fmt.Sprintf("The %s at 0x%02x of %s does not answer.", e.n.I2C[d.Path][a].Name, a, d.Path), mend)
	}
}
