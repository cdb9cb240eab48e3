package emulator

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"slices"
	"sync"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// Options of an emulated board. The zero value is a board at the pace of life on a good line.
type Options struct {
	Speed float64 // how many times as fast as life the board's time runs; 0 is 1
	// Link is a symbolic link that stands for the port while the board is plugged in, like those of /dev/serial/by-id; its
	// folder must be there. "" for none.
	Link string
	Baud int    // how fast bytes go, by the board's time; 0 for no limit
	Seed uint64 // of what goes wrong
}

// Emulator is a board on a pseudo terminal. Its methods are safe for concurrent use.
type Emulator struct {
	began time.Time
	speed float64
	link  string

	mu      sync.Mutex
	line    *Line
	now     int64 // of the last step
	planned []plan
	socket  *socket // nil while unplugged
	path    string
	dropped int
	closed  bool

	bytes   chan []byte
	poke    chan struct{} // capacity 1: something is to be done
	closing chan struct{}
	once    sync.Once
	ended   sync.WaitGroup
}

// plan is a hand's touch at a time that may be still to come.
type plan struct {
	at     int64
	square rules.Square
	what   board.Symbol
}

// socket is a pseudo terminal with the goroutine that reads from it.
type socket struct {
	host, device *os.File
	stop         chan struct{}
	reader       sync.WaitGroup
}

// patience is how long a write waits, in the time of day, for a reader who does not read; then bytes are lost, as on any line
// without flow control.
const patience = 250 * time.Millisecond

// Open plugs a board in, with nothing on it, and runs it until Close. From then on its machine belongs to the emulator.
func Open(m Machine, o Options) (*Emulator, error) {
	e := &Emulator{
		began: time.Now(), speed: o.Speed, link: o.Link, line: NewLine(m, o.Baud, o.Seed),
		bytes: make(chan []byte), poke: make(chan struct{}, 1), closing: make(chan struct{}),
	}
	if e.speed <= 0 {
		e.speed = 1
	}
	if err := e.plug(); err != nil {
		return nil, err
	}
	e.ended.Go(e.run)
	return e, nil
}

// Path is the device to be opened as the board's port: the link if there is one. While the board is unplugged it is where it was.
func (e *Emulator) Path() string {
	e.mu.Lock()
	defer e.mu.Unlock()
	return cmp.Or(e.link, e.path)
}

// Now is the board's time, in milliseconds since Open.
func (e *Emulator) Now() int64 { return int64(float64(time.Since(e.began)) * e.speed / 1e6) }

// Set puts a man on a square as the players see it, or takes one off: see Machine.
func (e *Emulator) Set(s rules.Square, what board.Symbol) { e.SetAt(e.Now(), s, what) }

// SetAt does so at a time of the board, which may be still to come: the machine is told of exactly that time, however late
// this computer is. Times that have passed count as now.
func (e *Emulator) SetAt(at int64, s rules.Square, what board.Symbol) {
	e.mu.Lock()
	e.plan(plan{at, s, what})
	e.mu.Unlock()
	e.wake()
}

// Show sets all squares at once.
func (e *Emulator) Show(p board.Picture) {
	now := e.Now()
	e.mu.Lock()
	for s := range rules.NoSquare {
		e.plan(plan{now, s, p[s]})
	}
	e.mu.Unlock()
	e.wake()
}

func (e *Emulator) plan(p plan) {
	i, _ := slices.BinarySearchFunc(e.planned, p.at, func(other plan, at int64) int {
		if other.at <= at {
			return -1 // of two at one time the later called comes later
		}
		return 1
	})
	e.planned = slices.Insert(e.planned, i, p)
}

// Lit is what the board's own lights show, by squares as the players see them.
func (e *Emulator) Lit() board.Frame {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.line.Lit()
}

// Fault says what goes wrong from now on.
func (e *Emulator) Fault(f Faults) {
	e.mu.Lock()
	e.line.Fault(f)
	e.mu.Unlock()
	e.wake()
}

// Turn turns the board round by 180° under the men, or back.
func (e *Emulator) Turn(turned bool) {
	e.mu.Lock()
	e.line.Turn(turned)
	e.mu.Unlock()
	e.wake()
}

// Tally is what has gone wrong so far.
func (e *Emulator) Tally() Tally {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.line.Tally()
}

// Dropped is how many bytes were lost because nobody read them.
func (e *Emulator) Dropped() int {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.dropped
}

// Unplug takes the board away: whoever has its path open finds the line hung up, and the link is gone. The board keeps its power
// and what stands on it.
func (e *Emulator) Unplug() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.unplug()
}

func (e *Emulator) unplug() error {
	s := e.socket
	if s == nil {
		return nil
	}
	e.socket = nil
	var err error
	if e.link != "" {
		err = os.Remove(e.link)
	}
	close(s.stop)
	err = cmp.Or(err, s.host.Close(), s.device.Close())
	s.reader.Wait()
	return err
}

// Plug brings the board back, at a pseudo terminal of another number. m is a new machine, for a board that was without power
// meanwhile; nil goes on with the one there was.
func (e *Emulator) Plug(m Machine) error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.socket != nil || e.closed {
		return errors.New("the emulated board is plugged in already, or closed")
	}
	if m != nil {
		e.line.Connect(m)
	}
	err := e.plug()
	e.wake()
	return err
}

func (e *Emulator) plug() error {
	host, device, err := openTerminal()
	if err == nil && device.Name() == e.path { // the number is free again: take the next
		taken := [...]*os.File{host, device}
		host, device, err = openTerminal()
		taken[0].Close()
		taken[1].Close()
	}
	if err != nil {
		return err
	}
	if e.link != "" {
		if err := os.Symlink(device.Name(), e.link); err != nil {
			return cmp.Or(fmt.Errorf("the emulated board's link: %w", err), host.Close(), device.Close())
		}
	}
	s := &socket{host: host, device: device, stop: make(chan struct{})}
	s.reader.Go(func() { e.read(s) })
	e.socket, e.path = s, device.Name()
	return nil
}

// read brings what the computer writes to the board.
func (e *Emulator) read(s *socket) {
	buf := make([]byte, 1024)
	for {
		n, err := s.host.Read(buf)
		if n > 0 {
			select {
			case e.bytes <- slices.Clone(buf[:n]):
			case <-s.stop:
				return
			}
		}
		if err != nil {
			return
		}
	}
}

// Close takes the board away for good. Further calls do nothing.
func (e *Emulator) Close() (err error) {
	e.once.Do(func() {
		close(e.closing)
		e.mu.Lock()
		e.closed = true
		err = e.unplug()
		e.mu.Unlock()
		e.ended.Wait()
	})
	return err
}

func (e *Emulator) wake() {
	select {
	case e.poke <- struct{}{}:
	default:
	}
}

// run lives the board's life.
func (e *Emulator) run() {
	timer := time.NewTimer(0)
	defer timer.Stop()
	var in []byte
	for {
		out, host, next := e.advance(in)
		if len(out) > 0 {
			e.write(host, out)
		}
		timer.Stop()
		if next != 0 {
			at := time.Duration(float64(next) * 1e6 / e.speed)
			timer.Reset(max(at-time.Since(e.began)+time.Microsecond, 0))
		}
		in = nil
		select {
		case <-e.closing:
			return
		case in = <-e.bytes:
		case <-e.poke:
		case <-timer.C:
		}
	}
}

// advance brings the board to this moment: every touch at its time, then what was written to it. next is when it has something
// to do again, 0 for never.
func (e *Emulator) advance(in []byte) (out []byte, host *os.File, next int64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	now := max(e.now, e.Now())
	step := func(at int64, in []byte) {
		e.now = max(e.now, at)
		var b []byte
		b, next = e.line.Step(e.now, in)
		out = append(out, b...)
	}
	step(e.now, nil) // what changed since: next is known again
	for {
		at := now + 1
		if next != 0 {
			at = min(at, next)
		}
		if len(e.planned) > 0 && e.planned[0].at <= at {
			at = max(e.planned[0].at, e.now)
			if at > now {
				break
			}
			for len(e.planned) > 0 && e.planned[0].at <= at {
				e.line.Set(e.planned[0].square, e.planned[0].what)
				e.planned = e.planned[1:]
			}
		}
		if at > now {
			break
		}
		step(at, nil)
	}
	step(now, in)
	if len(e.planned) > 0 && (next == 0 || e.planned[0].at < next) {
		next = e.planned[0].at
	}
	if e.socket == nil {
		return nil, nil, next // it speaks, and nobody can hear
	}
	return out, e.socket.host, next
}

// write gives bytes to the terminal; a file that is closed meanwhile takes none.
func (e *Emulator) write(host *os.File, b []byte) {
	_ = host.SetWriteDeadline(time.Now().Add(patience))
	n, _ := host.Write(b)
	if n < len(b) {
		e.mu.Lock()
		e.dropped += len(b) - n
		e.mu.Unlock()
	}
}
