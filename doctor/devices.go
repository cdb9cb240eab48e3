package doctor

import (
	"cmp"
	"errors"
	"fmt"
	"io/fs"
	"path"
	"slices"
	"strconv"
	"strings"
	"syscall"
)

// groups are the system's groups.
type groups struct {
	name    map[int]string
	members map[string][]string
}

func (e *examination) groups() {
	e.ids = groups{map[int]string{}, map[string][]string{}}
	for line := range strings.Lines(e.text("etc/group")) {
		parts := strings.Split(strings.TrimSpace(line), ":")
		if len(parts) != 4 {
			continue
		}
		if n, err := strconv.Atoi(parts[2]); err == nil {
			e.ids.name[n] = parts[0]
			e.ids.members[parts[0]] = strings.Split(parts[3], ",")
		}
	}
	var mine []string
	for _, g := range e.c.Groups {
		mine = append(mine, cmp.Or(e.ids.name[g], strconv.Itoa(g)))
	}
	slices.Sort(mine)
	e.r.Machine.User, e.r.Machine.Groups = e.c.User, strings.Join(slices.Compact(mine), " ")
	if e.c.User == "root" {
		mend := "Run doctor as the user that runs boardd."
		if strings.Contains("\n"+e.text("etc/passwd"), "\nboardd:") {
			mend = "sudo -u boardd boardd doctor -c /etc/boardd/boardd.toml"
		}
		e.r.say(Note, "root", "Root may open everything, so this does not show what the service may do.", mend)
	}
}

// list are the devices that match a pattern, in the order of their numbers.
func (e *examination) list(pattern string) (all []Device) {
	names, err := fs.Glob(e.c.Files, pattern)
	if err != nil {
		return nil
	}
	slices.SortFunc(names, func(a, b string) int { return cmp.Or(cmp.Compare(len(a), len(b)), cmp.Compare(a, b)) })
	for _, name := range names {
		d := Device{Path: "/" + name}
		if link, err := fs.ReadLink(e.c.Files, name); err == nil {
			d.Link = link
			if !path.IsAbs(link) {
				d.Link = path.Join("/", path.Dir(name), link)
			}
		}
		all = append(all, d)
	}
	return all
}

// try opens a device and says what is in the way. used is whether the configuration needs it.
func (e *examination) try(d *Device, used bool) {
	info, err := fs.Stat(e.c.Files, strings.TrimPrefix(d.Path, "/"))
	group := -1
	if err == nil {
		if _, g, ok := e.c.Owner(info); ok {
			group = g
			d.Group = cmp.Or(e.ids.name[g], strconv.Itoa(g))
		}
	}
	err = e.c.Open(d.Path)
	level := e.when(used, Bad, Note)
	switch {
	case err == nil:
		d.May = true
		return
	case errors.Is(err, fs.ErrPermission):
		d.Why = "no permission"
		if info == nil || group <= 0 || info.Mode().Perm()&0o060 != 0o060 {
			e.r.say(level, "no_permission", fmt.Sprintf("%s may be opened by root only, not by %s.", d.Path, e.c.User),
				"Install the udev rules that come with boardd (70-boardd.rules), then restart.")
			return
		}
		d.Why += ": it is for the group " + d.Group
		if slices.Contains(e.ids.members[d.Group], e.c.User) && !slices.Contains(e.c.Groups, group) {
			e.r.say(level, "new_login", fmt.Sprintf("%s is in the group %s, but not yet in this session: %s stays closed.", e.c.User, d.Group, family(d.Path)),
				"Log out and in again, or restart.")
			return
		}
		e.r.say(level, "group_missing", fmt.Sprintf("%s is not in the group %s, so it may not open %s.", e.c.User, d.Group, family(d.Path)),
			fmt.Sprintf("sudo usermod -aG %s %s, then log in again", d.Group, e.c.User))
	case errors.Is(err, syscall.EBUSY):
		d.Why = "busy: another program has it"
		e.r.say(e.when(used, Warning, Note), "busy", d.Path+" is busy: another program has it open.", "If it is boardd itself, end it first.")
	default:
		d.Why = err.Error()
		e.r.say(level, "cannot_open", fmt.Sprintf("%s cannot be opened: %v.", d.Path, err), "")
	}
}

// family names the devices of a kind at once, so that one finding is enough for all of them.
func family(path string) string {
	for _, f := range []string{"/dev/gpiochip", "/dev/i2c-", "/dev/spidev", "/dev/tty"} {
		if strings.HasPrefix(path, f) {
			return f + "*"
		}
	}
	return path
}

func (e *examination) gpio() {
	e.r.GPIO = e.list("dev/gpiochip*")
	e.r.Chips = e.c.Chips()
	for i := range e.r.GPIO {
		if d := &e.r.GPIO[i]; d.Link == "" {
			e.try(d, e.n.Pins)
		}
	}
	if len(e.r.GPIO) == 0 {
		if e.n.Pins {
			e.r.say(Bad, "no_gpio", "There is no GPIO chip on this computer.", "Boards on GPIO lines need a Raspberry Pi or the like.")
		}
		return
	}
	header := e.r.Machine.Header
	if e.n.Pins && header != "" && len(e.r.Chips) > 0 && !slices.ContainsFunc(e.r.Chips, func(c Chip) bool { return c.Label == header }) {
		e.r.say(Warning, "no_header", "No GPIO chip has the label "+header+", as the one with the 40-pin header should.",
			"Set chip in [board.sensor] to the label of the right one.")
	}
}

func (e *examination) spi() {
	e.r.SPI = e.list("dev/spidev*")
	for i := range e.r.SPI {
		d := &e.r.SPI[i]
		e.try(d, slices.Contains(e.n.SPI, d.Path))
	}
	e.r.Buffer, _ = strconv.Atoi(e.text("sys/module/spidev/parameters/bufsiz"))
	for _, want := range e.n.SPI {
		e.missing(want, e.r.SPI, "spi_missing", []string{"spi"}, "dtparam=spi=on", "")
	}
	if len(e.n.SPI) == 0 && len(e.r.SPI) == 0 && e.r.Machine.Pi > 0 && !e.n.Configured {
		e.r.say(Note, "spi_off", "SPI is switched off.", e.put("dtparam=spi=on", "if a board or LEDs are on it"))
	}
	if e.r.Buffer > 0 && e.n.Transfer > e.r.Buffer {
		e.r.say(Bad, "spi_buffer", fmt.Sprintf("The LEDs need SPI transfers of %d bytes, and %d is the longest that the kernel takes.", e.n.Transfer, e.r.Buffer),
			"Put spidev.bufsiz=32768 at the end of the line in /boot/firmware/cmdline.txt and restart.")
	}
	e.coreClock()
}

// coreClock looks whether the clock from which SPI makes its own stays the same, as WS2812 needs it.
func (e *examination) coreClock() {
	if e.n.WS2812 == "" || e.r.Machine.BootConfig == "" {
		return
	}
	has := func(key string) bool { return e.boot.plain[key] != "" }
	switch pi := e.r.Machine.Pi; {
	case pi <= 3 && !has("core_freq"):
		e.r.say(Warning, "core_freq", "WS2812 LEDs are on "+e.n.WS2812+", and the clock behind it changes with the load: they may sparkle.", e.put("core_freq=250", ""))
	case pi == 4 && !has("core_freq_min"):
		e.r.say(Warning, "core_freq", "WS2812 LEDs are on "+e.n.WS2812+", and the clock behind it changes with the load: they may sparkle.",
			e.put("core_freq=500 and core_freq_min=500", ""))
	}
}

// put is the mend that puts a line into config.txt.
func (e *examination) put(line, why string) string {
	file := cmp.Or(e.r.Machine.BootConfig, "/boot/firmware/config.txt")
	text := "Put " + line + " into " + file + " and restart"
	if why != "" {
		text += ", " + why
	}
	return text + "."
}

// missing says what to do about a device that is configured and not there.
func (e *examination) missing(want string, have []Device, code string, params []string, line, module string) {
	if slices.ContainsFunc(have, func(d Device) bool { return d.Path == want }) || e.exists(strings.TrimPrefix(want, "/")) {
		return
	}
	mend := "This computer has no such device: compare the list above with [board.sensor] and [board.leds]."
	switch {
	case len(have) > 0:
		mend = "There is " + have[0].Path + ": is that the one?"
	case e.r.Machine.Pi > 0 && e.boot.on(params...):
		mend = line + " is set already: restart the Pi."
		if module != "" {
			mend = line + " is set already: put " + module + " into /etc/modules and restart."
		}
	case e.r.Machine.Pi > 0:
		mend = e.put(line, "")
	}
	e.r.say(Bad, code, "There is no "+want+".", mend)
}

func (e *examination) serial() {
	e.r.Serial = e.list("dev/serial/by-id/*")
	linked := func(path string) bool {
		return slices.ContainsFunc(e.r.Serial, func(d Device) bool { return d.Link == path })
	}
	for _, pattern := range []string{"dev/ttyACM*", "dev/ttyUSB*", "dev/serial[0-9]*"} {
		for _, d := range e.list(pattern) {
			if !linked(d.Path) {
				e.r.Serial = append(e.r.Serial, d)
			}
		}
	}
	for i, d := range e.r.Serial {
		if !e.configured(&d) {
			e.try(&e.r.Serial[i], slices.Contains(e.n.Serial, "auto") && !strings.HasPrefix(d.Path, "/dev/serial"))
		}
	}
	for _, want := range e.n.Serial {
		if want != "auto" && e.exists(inside(want)) {
			e.line(want)
		}
	}
	for _, want := range e.n.Serial {
		switch {
		case want == "auto" && len(e.r.Serial) == 0:
			e.r.say(Bad, "no_serial", "A board is to be found by itself, and there is no serial port.",
				"Plug the board in and switch it on. Is the cable one for data, not only for power?")
		case want != "auto" && !e.exists(inside(want)):
			mend := "Plug the board in and switch it on; the name must be one of /dev/serial/by-id."
			if len(e.r.Serial) > 0 {
				mend = "There is " + e.r.Serial[0].Path + ": is that the one?"
			}
			e.r.say(Bad, "no_serial", "There is no "+want+".", mend)
		}
	}
}

// inside is a path as file systems want it.
func inside(name string) string { return strings.TrimPrefix(path.Clean(name), "/") }

func upper(text string) string {
	if text == "" || text[0] == '/' {
		return text
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// configured reports whether a port is named for a board, by this name or that of the device behind it.
func (e *examination) configured(d *Device) bool {
	return slices.Contains(e.n.Serial, d.Path) || d.Link != "" && slices.Contains(e.n.Serial, d.Link)
}

// line examines a port that is named for a board, whatever kind of name it is.
func (e *examination) line(want string) {
	i := slices.IndexFunc(e.r.Serial, func(d Device) bool { return d.Path == want || d.Link == want })
	if i < 0 {
		i = len(e.r.Serial)
		e.r.Serial = append(e.r.Serial, e.list(inside(want))...)
		if i == len(e.r.Serial) { // a name with signs that patterns are made of
			e.r.Serial = append(e.r.Serial, Device{Path: want})
		}
	}
	d := &e.r.Serial[i]
	err := e.c.Line(want)
	if err == nil || errors.Is(err, fs.ErrPermission) {
		if e.try(d, true); !d.May || err == nil {
			return
		}
	}
	d.May, d.Why = false, "see below"
	level := Bad
	if errors.Is(err, syscall.EBUSY) {
		d.Why = "busy: another program has it"
		level = e.when(len(e.boardds()) == 0, Bad, Note)
	}
	what, mend := err.Error(), ""
	if i := strings.LastIndex(what, ": "); i > 0 {
		what, mend = what[:i], upper(what[i+2:])+"."
	}
	e.r.say(level, "serial_refused", upper(what)+".", mend)
}

func (e *examination) lights() {
	e.r.Lights = e.list("dev/leds[0-9]*")
	for i := range e.r.Lights {
		e.try(&e.r.Lights[i], e.r.Lights[i].Path == e.n.Lights)
	}
	if e.n.Lights != "" && !e.exists(strings.TrimPrefix(e.n.Lights, "/")) {
		mend := e.put("dtoverlay=ws2812-pio,gpio=18,num_leds=64", "")
		if e.r.Machine.Pi != 5 {
			mend = "Only a Pi 5 has it: use the driver ws2812 on SPI here."
		}
		e.r.say(Bad, "no_leds", "There is no "+e.n.Lights+".", mend)
	}
}
