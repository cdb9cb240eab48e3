// Package port opens the serial line of a board: raw, 8 data bits, no parity, one stop bit, no flow control. It knows
// nothing of what is said over it. It stands around go.bug.st/serial, whose traps on Linux are dealt with here.
//
// There is no choice of parity. A board that wants 7 bits and odd parity gets the same bits on the wire when its driver puts
// the parity into the eighth. Were the kernel to check it, a byte with a wrong parity would be read as 0, and boards are
// sold that send it wrong; nor do all USB adapters know parity.
package port

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"sync"
	"time"

	"go.bug.st/serial"
	"golang.org/x/sys/unix"
)

// Options say which line.
type Options struct {
	Path string // the device, best a link below /dev/serial/by-id
	Baud int    // 0 is 9600, and any other speed the hardware has
	DTR  Signal // opening raises it, and boards of the Arduino kind start anew at that
	RTS  Signal
	// LockDir is a directory, the same for all programs that should not get in each other's way; a file in it is locked
	// while the port is open. The kernel's own exclusion does not hold against root. "" locks nothing.
	LockDir string
}

// Signal is what becomes of a modem line when a port has been opened.
type Signal uint8

// The kernel raises DTR and RTS when a port is opened, whatever is wanted; Drop lets go of them some milliseconds later. A
// pseudo terminal has neither.
const (
	Keep  Signal = iota // as the kernel leaves it: raised
	Raise               // also if it was not: chips with USB of their own send nothing without DTR
	Drop
)

const (
	// tick is how often a Read that waits looks whether the port is being closed. The library would be woken by closing
	// the port under it, but frees the descriptor first, and a file opened meanwhile may get that number.
	tick = 200 * time.Millisecond
	// frame is how many bytes go out in one system call, which cannot be given up.
	frame = 64
	// stuck is how long closing waits for a write that does not end.
	stuck = time.Second
)

// Port is an open serial line. Read, Write and Close may be called from different goroutines.
type Port struct {
	path   string
	line   serial.Port
	mode   serial.Mode
	lock   *os.File
	frames chan []byte

	closing  chan struct{} // closed by Close
	hopeless chan struct{} // closed when what is left to write takes too long
	failed   chan struct{} // closed when writing has failed
	written  chan struct{} // closed when the writer has ended
	fault    error         // of the writer, before failed is closed

	reading sync.Mutex
	once    sync.Once
	closed  error
}

// Open opens the line and forgets what came before. An error is one line that names the device and says what to do;
// errors.Is finds fs.ErrNotExist, fs.ErrPermission and ErrBusy.
//
// The descriptor is not closed on exec, so a program
// that holds a Port should not start others.
func Open(o Options) (*Port, error) {
	if o.Path == "" {
		return nil, errNoName
	}
	if err := console(o.Path, "/"); err != nil {
		return nil, err
	}
	lock, err := take(o.Path, o.LockDir)
	if err != nil {
		return nil, err
	}
	baud := o.Baud
	if baud <= 0 {
		baud = 9600
	}
	mode := serial.Mode{BaudRate: baud, DataBits: 8, Parity: serial.NoParity, StopBits: serial.OneStopBit}
	line, err := openLine(&o, &mode)
	if err != nil {
		release(lock)
		return nil, explain(o.Path, err)
	}
	p := &Port{path: o.Path, line: line, mode: mode, lock: lock, frames: make(chan []byte, 4),
		closing: make(chan struct{}), hopeless: make(chan struct{}), failed: make(chan struct{}), written: make(chan struct{})}
	go p.writer()
	return p, nil
}

func openLine(o *Options, mode *serial.Mode) (serial.Port, error) {
	line, err := serial.Open(o.Path, mode)
	if err != nil {
		return nil, err
	}
	if err := cmp.Or(o.DTR.set(line.SetDTR), o.RTS.set(line.SetRTS), line.SetReadTimeout(tick), line.ResetInputBuffer()); err != nil {
		line.Close()
		return nil, err
	}
	return line, nil
}

// set makes a modem line what is wanted. The library can do it while it opens a port, but that fails where there are none.
func (s Signal) set(line func(bool) error) error {
	if s == Keep {
		return nil
	}
	if err := line(s == Raise); err != nil && !errors.Is(err, unix.ENOTTY) && !errors.Is(err, unix.EINVAL) {
		return err
	}
	return nil
}

// Read waits for bytes. It ends with an error when the device is gone, when writing has failed, or with io.ErrClosedPipe
// after Close.
func (p *Port) Read(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil // the library takes an empty buffer for a device that is gone
	}
	for {
		if n, err := p.Poll(b); n > 0 || err != nil {
			return n, err
		}
	}
}

// Poll reads like Read, but gives 0 and no error when nothing has come within a fifth of a second.
func (p *Port) Poll(b []byte) (int, error) {
	if len(b) == 0 {
		return 0, nil
	}
	p.reading.Lock()
	defer p.reading.Unlock()
	select {
	case <-p.closing:
		return 0, io.ErrClosedPipe
	case <-p.failed:
		return 0, p.fault
	default:
	}
	n, err := p.read(b)
	if n > 0 {
		return n, nil // an error will come again
	}
	if err != nil {
		return 0, explain(p.path, err)
	}
	return 0, nil
}

// read keeps the library's panic inside: it waits with select(2), which cannot see descriptors of 1024 and above.
func (p *Port) read(b []byte) (n int, err error) {
	defer func() {
		if r := recover(); r != nil {
			n, err = 0, fmt.Errorf("%w (%v)", errDescriptor, r)
		}
	}()
	return p.line.Read(b)
}

// Write hands bytes to the goroutine that writes them, and waits only while that one is far behind. It fails with
// io.ErrClosedPipe after Close, and with the reason once writing has failed; what had been handed over may be lost then.
func (p *Port) Write(b []byte) (int, error) {
	select { // when both may go on, closing goes first
	case <-p.closing:
		return 0, io.ErrClosedPipe
	case <-p.failed:
		return 0, p.fault
	default:
	}
	select {
	case <-p.closing:
		return 0, io.ErrClosedPipe
	case <-p.failed:
		return 0, p.fault
	case p.frames <- append([]byte(nil), b...):
		return len(b), nil
	}
}

func (p *Port) writer() {
	defer close(p.written)
	for {
		select {
		case b := <-p.frames:
			if !p.send(b) {
				return
			}
		case <-p.closing:
			for {
				select {
				case b := <-p.frames:
					if !p.send(b) {
						return
					}
				default:
					return
				}
			}
		}
	}
}

func (p *Port) send(b []byte) bool {
	err := p.write(b)
	if err != nil {
		p.fault = explain(p.path, err)
		close(p.failed)
	}
	return err == nil
}

func (p *Port) write(b []byte) error {
	for len(b) > 0 {
		select {
		case <-p.hopeless:
			return nil
		default:
		}
		n, err := p.line.Write(b[:min(len(b), frame)])
		if err != nil && !errors.Is(err, unix.EINTR) { // the library tries again where it reads, not where it writes
			return err
		}
		b = b[max(n, 0):]
	}
	return nil
}

// Close ends waiting calls of Read and Write and frees the device; it takes up to a fifth of a second, in which what was handed over
// before is still written. Further calls give the same result.
func (p *Port) Close() error {
	p.once.Do(func() {
		close(p.closing)
		p.closed = cmp.Or(p.end(), release(p.lock))
	})
	return p.closed
}

// end closes the line once nobody uses its descriptor any more: the library would read from and write to whatever file
// gets the number next.
func (p *Port) end() error {
	p.reading.Lock()
	defer p.reading.Unlock()
	select {
	case <-p.written:
	case <-time.After(tick):
		close(p.hopeless)
		// The other side does not take its bytes. Throwing them away lets the write end; setting the mode wakes it, which a
		// pseudo terminal does not do by itself.
		deadline := time.After(stuck)
		for waiting := true; waiting; {
			_ = p.line.ResetOutputBuffer()
			_ = p.line.SetMode(&p.mode)
			select {
			case <-p.written:
				waiting = false
			case <-time.After(tick / 10):
			case <-deadline:
				return fmt.Errorf("serial port %s: a write does not end, so the port stays open: unplug the device", p.path)
			}
		}
	}
	return p.line.Close()
}
