package doctor

import (
	"fmt"
	"io/fs"
	"strconv"
	"strings"
)

// processes looks for programs that take what boards need.
func (e *examination) processes() {
	names, err := fs.Glob(e.c.Files, "proc/[0-9]*/comm")
	if err != nil {
		return
	}
	serial := len(e.n.Serial) > 0
	for _, name := range names {
		number := strings.Split(name, "/")[1]
		if pid, err := strconv.Atoi(number); err != nil || pid == e.c.Self {
			continue
		}
		switch e.text(name) {
		case "ModemManager":
			e.r.say(e.when(serial, Bad, Note), "modem_manager", "ModemManager runs: it opens new serial ports for half a minute and writes to them.",
				"sudo systemctl disable --now ModemManager")
		case "brltty":
			e.r.say(e.when(serial, Bad, Note), "brltty", "brltty runs: it takes serial ports with common USB chips for braille displays.",
				"sudo systemctl disable --now brltty")
		case "pigpiod":
			e.r.say(e.when(e.n.Pins, Warning, Note), "pigpiod", "pigpiod runs: it drives GPIO lines behind the kernel's back.", "sudo systemctl disable --now pigpiod")
		}
	}
	for _, number := range e.boardds() {
		mend := "For a full examination end it: kill " + number
		if strings.Contains(e.text("proc/"+number+"/cgroup"), "boardd.service") {
			mend = "For a full examination: sudo systemctl stop boardd"
		}
		e.r.say(Note, "boardd_runs", "boardd runs already (process "+number+"): what it has open cannot be tried here.", mend)
	}
	for _, lay := range e.boot.lays {
		if lay == "w1-gpio" && e.n.Pins {
			e.r.say(Warning, "w1_gpio", "dtoverlay=w1-gpio gives GPIO4 to the kernel.", "Take the line out of "+e.r.Machine.BootConfig+" if a board uses GPIO4, and restart.")
		}
	}
}

// boardds are the numbers of the other processes that are boardd, but for those that have ended and whose parent has not noticed.
func (e *examination) boardds() (numbers []string) {
	names, err := fs.Glob(e.c.Files, "proc/[0-9]*/comm")
	if err != nil {
		return nil
	}
	for _, name := range names {
		number := strings.Split(name, "/")[1]
		if e.text(name) != "boardd" || number == strconv.Itoa(e.c.Self) {
			continue
		}
		// The state follows the name in brackets, which may hold brackets itself.
		stat := e.text("proc/" + number + "/stat")
		if state := strings.Fields(stat[strings.LastIndex(stat, ")")+1:]); len(state) == 0 || state[0] != "Z" && state[0] != "X" {
			numbers = append(numbers, number)
		}
	}
	return numbers
}

// Bits of what vcgencmd get_throttled prints.
const (
	underVoltage     = 1 << 0
	throttled        = 1 << 2
	underVoltageOnce = 1 << 16
)

// power looks for a supply that is too weak.
func (e *examination) power() {
	const mend = "Use the supply made for this Pi and a short, thick cable; feed LEDs from a supply of their own."
	names, err := fs.Glob(e.c.Files, "sys/class/hwmon/hwmon*/name")
	if err != nil {
		return
	}
	low := false
	for _, name := range names {
		if e.text(name) == "rpi_volt" && e.text(strings.TrimSuffix(name, "name")+"in0_lcrit_alarm") == "1" {
			low = true
		}
	}
	once := false
	if _, hex, ok := strings.Cut(e.c.Throttled(), "throttled=0x"); ok {
		if bits, err := strconv.ParseUint(strings.TrimSpace(hex), 16, 32); err == nil {
			low = low || bits&(underVoltage|throttled) != 0
			once = bits&underVoltageOnce != 0
		}
	}
	switch {
	case low:
		e.r.say(Warning, "under_voltage", "The supply's voltage is too low right now: sensors misread and LEDs change colours.", mend)
	case once:
		e.r.say(Warning, "under_voltage_once", "The supply's voltage was too low at least once since the start.", mend)
	}
}

func (e *examination) clock() {
	e.r.Machine.Clock = e.c.Synced()
	if !e.r.Machine.Clock {
		e.r.say(Warning, "clock", fmt.Sprintf("The clock of this %s is not set by the network: dates of games may be wrong.", kind(e.r.Machine.Pi)),
			"Look at timedatectl; the network must be there once after each start.")
	}
}

func kind(pi int) string {
	if pi > 0 {
		return "Pi"
	}
	return "computer"
}
