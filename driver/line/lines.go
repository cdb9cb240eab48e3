package line

import (
	"cmp"
	"fmt"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boardd/boardd/driver/port"
)

// Lines are the serial lines that the boards of this process have, and those among which they look for theirs. No two boards
// get one line, and no board is asked for over a line that another one has or is named for.
type Lines struct {
	dev     string // where devices are
	lockDir string // of port.Options
	named   []string

	asking chan struct{} // one looks for its port at a time
	last   chan struct{} // closed when the last of those that are looked for has been looked for once

	mu   sync.Mutex
	used []*Line
	home map[string]string    // where boards were found, by their ids
	rest map[enquiry]*silence // ports whose boards did not answer
}

// enquiry is a question that went unanswered: is there such a board at this device?
type enquiry struct {
	device port.Device
	driver string
}

// silence is how long it is not asked again.
type silence struct {
	until time.Time
	pause time.Duration
}

// New makes the lines of a process. dev is where devices are, lockDir that of port.Options, and named are the ports that
// boards are named for.
func New(dev, lockDir string, named []string) *Lines {
	return &Lines{dev: dev, lockDir: lockDir, named: named, asking: make(chan struct{}, 1), home: map[string]string{}, rest: map[enquiry]*silence{}}
}

// free are the ports that a board may look for itself at, best first.
func (p *Lines) free(id, hint string) []string {
	p.mu.Lock()
	defer p.mu.Unlock()
	taken := map[string]bool{}
	for other, path := range p.home {
		// A name that stays the same belongs to the board that was found there, plugged in or not.
		taken[path] = other != id && strings.HasPrefix(path, filepath.Join(p.dev, "serial"))
	}
	var devices []port.Device
	for _, path := range p.named {
		if d, err := port.DeviceAt(path); err == nil {
			devices = append(devices, d)
		}
	}
	for _, l := range p.used {
		devices = append(devices, l.device)
	}
	free := slices.DeleteFunc(port.Candidates(p.dev), func(path string) bool {
		d, err := port.DeviceAt(path)
		return err != nil || taken[path] || slices.ContainsFunc(devices, d.Same)
	})
	rank := func(path string) int {
		switch {
		case path == p.home[id]:
			return 0
		case hint != "" && strings.Contains(strings.ToLower(filepath.Base(path)), hint):
			return 1
		}
		return 2
	}
	slices.SortStableFunc(free, func(a, b string) int { return cmp.Compare(rank(a), rank(b)) })
	return free
}

// take opens a port for a board, unless another one of this process has it.
func (p *Lines) take(id string, o port.Options) (*Line, error) {
	device, err := port.DeviceAt(o.Path)
	if err != nil {
		return nil, err
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	for _, l := range p.used {
		if l.device.Same(device) {
			return nil, fmt.Errorf("serial port %s is the one of board %s: give each its own", o.Path, l.board)
		}
	}
	o.LockDir = p.lockDir
	opened, err := port.Open(o)
	if err != nil {
		return nil, err
	}
	l := &Line{Port: opened, lines: p, board: id, path: o.Path, device: device, gone: make(chan struct{}), done: make(chan struct{}), watched: make(chan struct{})}
	p.used = append(p.used, l)
	go l.watch()
	return l, nil
}

// settle remembers where a board was found.
func (p *Lines) settle(id, path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.home[id] = path
}

// homeOf is where a board was found, "" if it never was.
func (p *Lines) homeOf(id string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.home[id]
}

// resting is how long a question rests. Only who looks for its port changes it.
func (p *Lines) resting(a enquiry) *silence {
	p.mu.Lock()
	defer p.mu.Unlock()
	if p.rest[a] == nil {
		if len(p.rest) > 1000 { // of devices that are long gone
			clear(p.rest)
		}
		p.rest[a] = &silence{}
	}
	return p.rest[a]
}
