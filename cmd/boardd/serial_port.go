package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/port"
)

// Times of ports, of the time of day: wires know no faster clock.
const (
	glance      = 500 * time.Millisecond // between two looks whether something was plugged in or pulled out
	firstAsking = time.Second            // before a port whose board did not answer is asked again: doubled each time,
	lastAsking  = 30 * time.Second       // up to this
)

// ports are the serial lines that the boards of this process have, and those among which they look for theirs. No two boards
// get one line, and no board is asked for over a line that another one has or is named for.
type ports struct {
	dev     string // where devices are
	lockDir string // of port.Options
	named   []string

	asking chan struct{} // one looks for its port at a time
	last   chan struct{} // closed when the last of those that are looked for has been looked for once

	mu   sync.Mutex
	used []*line
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

// newPorts makes the ports for a configuration.
func newPorts(dev string, c *config.Config) *ports {
	p := &ports{dev: cmp.Or(dev, "/dev"), lockDir: lockDir(), asking: make(chan struct{}, 1), home: map[string]string{}, rest: map[enquiry]*silence{}}
	for i := range c.Boards {
		if b := &c.Boards[i]; serialBoards[b.Driver] != nil && b.Port != "auto" {
			p.named = append(p.named, b.Port)
		}
	}
	return p
}

// serialPort is one board's way to its port. It is for one goroutine.
type serialPort struct {
	ports  *ports
	board  string
	driver string
	kind   *serialBoard
	line   port.Options // with the path "auto": the port is looked for
	ask    func() board.Driver
	within time.Duration // for an answer; 0: nothing can be asked

	before <-chan struct{} // closed when the boards before this one have looked for their ports once; nil: nobody is before
	looked chan struct{}   // closed when this one has
	said   string          // what is missing
}

// absent says what is to be plugged in, switched on or pulled out.
type absent string

func (a absent) Error() string        { return string(a) }
func (a absent) Is(target error) bool { return target == fs.ErrNotExist }

// of gives a board of the configuration its way to its port. Boards are asked for in the order of the calls.
func (p *ports) of(b *config.Board, o *recordedOptions) (*serialPort, error) {
	s := &serialPort{ports: p, board: b.ID, driver: b.Driver, kind: serialBoards[b.Driver], line: serialBoards[b.Driver].line(b)}
	if s.line.Path = b.Port; b.Port != "auto" {
		return s, nil
	}
	s.before, s.looked = p.last, make(chan struct{})
	p.last = s.looked
	once := *o
	once.Scale = 1 // answers come at the pace of the wire
	var err error
	s.ask, s.within, err = s.kind.question(&once)
	return s, err
}

// open opens the board's port. When it is not there that is said once; from then on it is waited for.
func (s *serialPort) open(ctx context.Context) (io.ReadWriteCloser, error) {
	find := s.named
	if s.line.Path == "auto" {
		find = s.search
	}
	for {
		l, err := find(ctx)
		if err == nil {
			s.said = ""
			return l, nil
		}
		if ctx.Err() != nil {
			return nil, ctx.Err()
		}
		if !errors.Is(err, fs.ErrNotExist) || err.Error() != s.said {
			s.said = err.Error()
			return nil, err
		}
		timer := time.NewTimer(glance)
		select {
		case <-ctx.Done():
			timer.Stop()
			return nil, ctx.Err()
		case <-timer.C:
		}
	}
}

// named opens the port that the configuration names.
func (s *serialPort) named(context.Context) (*line, error) {
	if _, err := port.DeviceAt(s.line.Path); err != nil {
		return nil, err
	}
	if by := port.Holder(s.line.Path); by != "" {
		return nil, fmt.Errorf("serial port %s is %w: end %s", s.line.Path, port.ErrBusy, by)
	}
	return s.ports.take(s.board, s.line)
}

// search looks for the board among the ports that nobody has: where it was last, then where the name says that it may be,
// then at all others. Of boards without an answer there can be only one.
func (s *serialPort) search(ctx context.Context) (*line, error) {
	if s.before != nil { // the boards share out their ports in the order of the configuration
		select {
		case <-ctx.Done():
			return nil, ctx.Err()
		case <-s.before:
		}
		s.before = nil
	}
	select {
	case <-ctx.Done():
		return nil, ctx.Err()
	case s.ports.asking <- struct{}{}:
	}
	defer func() {
		<-s.ports.asking
		if s.looked != nil {
			close(s.looked)
			s.looked = nil
		}
	}()
	free := s.ports.free(s.board, s.kind.hint)
	if s.within == 0 && len(free) > 1 {
		return nil, absent(fmt.Sprintf("several serial ports are here, and such boards cannot be told apart: set port to one of %s", strings.Join(free, " ")))
	}
	var silent []string
	var busy error
	for _, path := range free {
		l, err := s.try(ctx, path)
		if errors.Is(err, errBetter) {
			path = s.ports.homeOf(s.board)
			l, err = s.try(ctx, path)
		}
		switch {
		case err == nil && l != nil:
			return l, nil
		case err == nil:
			silent = append(silent, path)
		case ctx.Err() != nil:
			return nil, ctx.Err()
		case !errors.Is(err, fs.ErrNotExist): // pulled out a moment ago
			busy = err
		}
	}
	switch {
	case len(silent) > 0:
		return nil, absent(fmt.Sprintf("no board of the driver %s answers at %s: switch it on, or set port", s.driver, strings.Join(silent, " ")))
	case busy != nil:
		return nil, busy
	}
	return nil, absent("no free serial port is here: plug the board in, or set port")
}

// try opens a port and asks whether the board is there. Without an answer, or while the port is left alone because there was none,
// there is no line.
func (s *serialPort) try(ctx context.Context, path string) (*line, error) {
	device, err := port.DeviceAt(path)
	if err != nil {
		return nil, err
	}
	rest := s.ports.resting(enquiry{device, s.driver})
	if time.Now().Before(rest.until) {
		return nil, nil
	}
	l, err := s.hello(ctx, path)
	if errors.Is(err, errBetter) {
		return nil, err
	}
	if l == nil {
		rest.pause = min(max(2*rest.pause, firstAsking), lastAsking)
		rest.until = time.Now().Add(rest.pause)
		return nil, err
	}
	rest.pause = 0
	s.ports.settle(s.board, path)
	return l, nil
}

// hello opens a port that nobody else has open, and gives it if the board answers there.
func (s *serialPort) hello(ctx context.Context, path string) (*line, error) {
	if by := port.Holder(path); by != "" {
		return nil, fmt.Errorf("serial port %s is %w: %s", path, port.ErrBusy, by)
	}
	o := s.line
	o.Path = path
	l, err := s.ports.take(s.board, o)
	if err != nil || s.within == 0 {
		return l, err
	}
	there, err := identify(ctx, l, s.ask(), s.within, func() bool { return s.better(path) })
	if there {
		return l, nil
	}
	if closed := l.Close(); err == nil {
		err = closed
	}
	return nil, err
}

// better reports whether the board has come back where it was, while another port is asked.
func (s *serialPort) better(path string) bool {
	home := s.ports.homeOf(s.board)
	device, err := port.DeviceAt(home)
	return err == nil && path != home && slices.Contains(s.ports.free(s.board, ""), home) &&
		time.Now().After(s.ports.resting(enquiry{device, s.driver}).until)
}

// errBetter ends the asking at a port when there is a better one.
var errBetter = errors.New("the board is back where it was")

// identify talks to whatever is at a port until the driver's machine says that its board is there, or something better is.
func identify(ctx context.Context, l *line, machine board.Driver, within time.Duration, better func() bool) (bool, error) {
	talk := conversation{line: l, machine: machine}
	looked := time.Now()
	return talk.until(ctx, within, func() (bool, error) {
		if time.Since(looked) >= glance {
			if looked = time.Now(); better() {
				return false, errBetter
			}
		}
		return talk.online, nil
	})
}

// conversation is a machine that talks over a line outside of the daemon.
type conversation struct {
	line    *line
	machine board.Driver

	began  time.Time
	buf    [4096]byte
	online bool // the machine says that its board is there
}

// until talks until done says so, or for so long.
func (c *conversation) until(ctx context.Context, within time.Duration, done func() (bool, error)) (bool, error) {
	var in []byte
	if c.began.IsZero() {
		c.began, in = time.Now(), []byte{} // the port was opened
	}
	for end := time.Now().Add(within); time.Now().Before(end) && ctx.Err() == nil; {
		inputs, out, _ := c.machine.Step(time.Since(c.began).Milliseconds(), in)
		for i := range inputs {
			if inputs[i].Kind == board.Link {
				c.online = inputs[i].Online
			}
		}
		if len(out) > 0 {
			if _, err := c.line.Write(out); err != nil {
				return false, err
			}
		}
		if ok, err := done(); ok || err != nil {
			return ok, err
		}
		n, err := c.line.Poll(c.buf[:])
		if err != nil {
			return false, err
		}
		if in = c.buf[:n]; n == 0 {
			in = nil
		}
	}
	return false, ctx.Err()
}

// free are the ports that a board may look for itself at, best first.
func (p *ports) free(id, hint string) []string {
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
func (p *ports) take(id string, o port.Options) (*line, error) {
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
	l := &line{Port: opened, ports: p, board: id, path: o.Path, device: device, gone: make(chan struct{}), done: make(chan struct{}), watched: make(chan struct{})}
	p.used = append(p.used, l)
	go l.watch()
	return l, nil
}

// settle remembers where a board was found.
func (p *ports) settle(id, path string) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.home[id] = path
}

// homeOf is where a board was found, "" if it never was.
func (p *ports) homeOf(id string) string {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.home[id]
}

// resting is how long a question rests. Only who looks for its port changes it.
func (p *ports) resting(a enquiry) *silence {
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

// line is an open port that a board has. Beside what reading notices it is seen that the device has vanished, because not every
// adapter says so.
type line struct {
	*port.Port
	ports   *ports
	board   string
	path    string
	device  port.Device
	gone    chan struct{} // closed by watch when the device has vanished
	done    chan struct{} // closed by Close
	watched chan struct{} // closed when watch has ended
	once    sync.Once
	err     error
}

// misses is how often in a row a device must not be found to be gone: udev makes links anew sometimes.
const misses = 2

func (l *line) watch() {
	defer close(l.watched)
	ticker := time.NewTicker(glance)
	defer ticker.Stop()
	for missed := 0; ; {
		select {
		case <-l.done:
			return
		case <-ticker.C:
		}
		d, err := port.DeviceAt(l.path)
		if err == nil && d.Same(l.device) {
			missed = 0
			continue
		}
		if missed++; missed == misses {
			close(l.gone)
			l.Port.Close()
			return
		}
	}
}

// Read waits for bytes, as port.Port does, and says when the device has vanished.
func (l *line) Read(b []byte) (int, error) {
	n, err := l.Port.Read(b)
	if errors.Is(err, io.ErrClosedPipe) {
		select {
		case <-l.gone:
			err = fmt.Errorf("serial port %s is gone: plug the board in again", l.path)
		default:
		}
	}
	return n, err
}

// Close closes the port and leaves it to others.
func (l *line) Close() error {
	l.once.Do(func() {
		close(l.done)
		<-l.watched
		l.err = l.Port.Close()
		l.ports.mu.Lock()
		defer l.ports.mu.Unlock()
		l.ports.used = slices.DeleteFunc(l.ports.used, func(other *line) bool { return other == l })
	})
	return l.err
}
