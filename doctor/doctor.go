// Package doctor looks at a computer that is to read chessboards: what it is, which chips, buses and ports it has, whether this user
// may open them, and what is in the way. It changes nothing. What it sees comes through a Computer, so that any can be examined.
package doctor

import (
	"cmp"
	"io/fs"
	"slices"
)

// Level is how bad a finding is.
type Level uint8

// The levels, worst last.
const (
	Note    Level = iota // good to know
	Warning              // works, but not well or not for long
	Bad                  // something that is configured does not work
)

var levels = [...]string{"note", "warning", "bad"}

// String is the word of the level in JSON.
func (l Level) String() string { return levels[l] }

// MarshalText is String.
func (l Level) MarshalText() ([]byte, error) { return []byte(l.String()), nil }

// Finding is something that was found, and what mends it.
type Finding struct {
	Level Level  `json:"level"`
	Code  string `json:"code"`            // for programs: snake_case, never translated
	Board string `json:"board,omitempty"` // the board that it is about
	What  string `json:"what"`
	Mend  string `json:"mend,omitempty"` // what to do, as commands or lines where there are such
}

// Computer is what is examined.
type Computer struct {
	Files fs.FS // its root folder
	// Open opens a device for reading and writing and closes it again. It must do no harm: a serial port is only asked for permission.
	Open func(path string) error
	// Line says why a serial port would be refused to a driver, as one line with what mends it; nil for one that would not be. It does not
	// open it. It is an fs.ErrPermission where this user may not, and an EBUSY where another program has the port.
	Line func(path string) error
	// Owner is the numbers of a file's user and group.
	Owner func(fs.FileInfo) (user, group int, ok bool)
	// Chips are the GPIO chips that may be opened.
	Chips func() []Chip
	// Read reads one byte from an address of an I²C bus, and writes nothing.
	Read func(bus string, addresses []uint16) ([]Answer, error)
	// Throttled is what vcgencmd get_throttled prints; "" where there is no such program.
	Throttled func() string
	Synced    func() bool // whether the clock is set by the network
	User      string      // who this is
	Groups    []int       // and the groups that this process has
	Self      int         // process number of this process
}

// Needs are what the configuration uses of a computer.
type Needs struct {
	Configured bool                       // there is a valid configuration: what it does not use is not missed
	I2C        map[string]map[uint16]Chip // by bus: chips by address, with their name
	SPI        []string                   // device files
	Pins       bool                       // GPIO lines
	Serial     []string                   // ports, or "auto"
	WS2812     string                     // SPI device with such LEDs on it, "" for none
	Transfer   int                        // bytes of the longest SPI transfer
	Lights     string                     // LED device file of a Pi 5, "" for none
}

// Chip is a GPIO chip, or one on a bus.
type Chip struct {
	Name  string `json:"name"` // as gpiochip0, or mcp23017
	Label string `json:"label,omitempty"`
	Lines int    `json:"lines,omitempty"`
}

// Device is a device file.
type Device struct {
	Path  string `json:"path"`
	Link  string `json:"link,omitempty"` // where a link leads to
	Group string `json:"group,omitempty"`
	May   bool   `json:"may_open"`
	Why   string `json:"why_not,omitempty"`
	// Answers are the addresses that answer on an I²C bus.
	Answers []Answer `json:"answers,omitempty"`
	Probed  bool     `json:"probed,omitempty"`
}

// Answer is an address of an I²C bus at which something is.
type Answer struct {
	Address  uint16 `json:"address"`
	Probably string `json:"probably"`
	Driver   bool   `json:"kernel_driver,omitempty"` // a driver of the kernel has it
}

// Report is what was seen.
type Report struct {
	Machine  Machine   `json:"machine"`
	Chips    []Chip    `json:"gpio_chips"`
	GPIO     []Device  `json:"gpio_devices"`
	I2C      []Device  `json:"i2c_buses"`
	SPI      []Device  `json:"spi_devices"`
	Buffer   int       `json:"spi_buffer_bytes,omitempty"`
	Serial   []Device  `json:"serial_ports"`
	Lights   []Device  `json:"led_devices"`
	Boards   []Board   `json:"boards"`
	Findings []Finding `json:"findings"`
}

// Board is what was seen of a board of the configuration.
type Board struct {
	ID         string `json:"id"`
	Driver     string `json:"driver"`
	Calibrated string `json:"calibrated,omitempty"` // of home-made boards and those with chips in the men: yes, no, outdated, not needed
	Scan       *Scan  `json:"scan,omitempty"`
}

// Scan is what the sensors of a home-made board said for a while.
type Scan struct {
	Readings int      `json:"readings"`
	Failed   int      `json:"failed"`
	On       []int    `json:"on"`    // wires that said full at the end
	Flips    []int    `json:"flips"` // how often each wire changed
	Squares  []string `json:"squares,omitempty"`
	Levels   []int32  `json:"levels_uv,omitempty"`
}

// say adds a finding.
func (r *Report) say(l Level, code, what, mend string) {
	r.Findings = append(r.Findings, Finding{Level: l, Code: code, What: what, Mend: mend})
}

// Sort puts the worst findings first, and leaves out what is said twice.
func (r *Report) Sort() {
	slices.SortStableFunc(r.Findings, func(a, b Finding) int { return cmp.Compare(b.Level, a.Level) })
	var seen []Finding
	for _, f := range r.Findings {
		if !slices.Contains(seen, f) {
			seen = append(seen, f)
		}
	}
	r.Findings = seen
	r.full()
}

// full leaves no list nil, which JSON would call null.
func (r *Report) full() {
	for _, list := range []*[]Device{&r.GPIO, &r.I2C, &r.SPI, &r.Serial, &r.Lights} {
		if *list == nil {
			*list = []Device{}
		}
	}
	if r.Chips == nil {
		r.Chips = []Chip{}
	}
	if r.Boards == nil {
		r.Boards = []Board{}
	}
	if r.Findings == nil {
		r.Findings = []Finding{}
	}
}

// Sick reports whether something is bad.
func (r *Report) Sick() bool {
	return slices.ContainsFunc(r.Findings, func(f Finding) bool { return f.Level == Bad })
}

// Examine looks at everything.
func Examine(c Computer, n Needs) *Report {
	e := examination{c: c, n: n, r: &Report{}}
	e.machine()
	e.groups()
	e.gpio()
	e.i2c()
	e.spi()
	e.serial()
	e.lights()
	e.processes()
	e.power()
	e.clock()
	e.r.Sort()
	return e.r
}

type examination struct {
	c    Computer
	n    Needs
	r    *Report
	boot bootConfig
	ids  groups
}

// when is one level where a thing is used by the configuration, or nobody knows, and another where it is not.
func (e *examination) when(used bool, l, otherwise Level) Level {
	if used {
		return l
	}
	return otherwise
}
