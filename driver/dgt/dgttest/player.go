// Package dgttest is a DGT board for tests: recorded traffic played over a pseudo terminal, to whoever opens its path as
// a serial port.
//
//	lines, err := dgttest.ReadCapture("testdata/dgt/capture1.hex")
//	player, err := dgttest.NewPlayer(lines, 50, seed)
//	defer player.Close()
//	go player.Run(ctx)
//	// let the program under test open player.Path() with a clock that runs 50 times as fast
//	<-player.Done()
package dgttest

import (
	"cmp"
	"context"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"os"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/driver/dgt"
)

// Player plays a capture: the first 42 (send the board) starts it, with the capture's own dump as the answer; after it a
// clock message comes 1000 ms after the line before it and any other 20 ms, divided by the speed. Later 42s are
// answered from the player's own picture of the board, in their place in the stream, and go on being answered
// after the last line. Other requests are ignored, unless Answers is set.
type Player struct {
	// Answers lets the player answer version and serial numbers too. To be set before Run.
	Answers bool

	lines   [][]byte
	speed   float64
	chance  *rand.Rand
	master  *os.File
	slave   *os.File
	picture [64]byte
	held    []byte // of a message that will be written with the next one
	done    chan struct{}

	mu       sync.Mutex
	requests []byte
	waits    bool
}

// ReadCapture reads a capture file: one message a line, in hexadecimal.
func ReadCapture(path string) (lines []string, err error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(string(text)) {
		if line = strings.TrimSpace(line); line != "" {
			lines = append(lines, line)
		}
	}
	return lines, nil
}

// NewPlayer makes a player with its pseudo terminal, raw and without echo, so that it may be opened at once. A speed of 1
// is the pace of the players, 50 is fifty times as fast. The seed says how the bytes are cut: into pieces within
// a message, and across the end of one where the next follows closely.
func NewPlayer(lines []string, speed float64, seed uint64) (*Player, error) {
	if speed <= 0 {
		return nil, fmt.Errorf("a speed of %v does not get to the end", speed)
	}
	p := &Player{speed: speed, chance: rand.New(rand.NewPCG(seed, 0xD67)), done: make(chan struct{})}
	for i, line := range lines {
		b, err := hex.DecodeString(strings.Join(strings.Fields(line), ""))
		if err != nil || len(b) == 0 {
			return nil, fmt.Errorf("line %d is no message in hexadecimal: %q", i+1, line)
		}
		p.lines = append(p.lines, b)
	}
	master, slave, err := pty.Open()
	if err != nil {
		return nil, fmt.Errorf("open a pseudo terminal: %w", err)
	}
	defer master.Close()
	p.slave = slave
	if err := raw(int(slave.Fd())); err != nil {
		slave.Close()
		return nil, err
	}
	if p.master, err = pollable(master); err != nil {
		slave.Close()
		return nil, err
	}
	return p, nil
}

// raw switches off everything a terminal does to bytes. The echo above all: of a dump's header 86 00 43 the last byte
// would come back as a command.
func raw(fd int) error {
	t, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return fmt.Errorf("read the terminal's settings: %w", err)
	}
	t.Iflag, t.Oflag, t.Lflag = 0, 0, 0
	t.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B9600
	t.Cc[unix.VMIN], t.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(fd, unix.TCSETS, t); err != nil {
		return fmt.Errorf("make the terminal raw: %w", err)
	}
	return nil
}

// pollable gives the same terminal as a file whose calls can be ended by a deadline.
func pollable(f *os.File) (*os.File, error) {
	fd, err := unix.FcntlInt(f.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, fmt.Errorf("duplicate the terminal: %w", err)
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		unix.Close(fd)
		return nil, fmt.Errorf("terminal without blocking: %w", err)
	}
	return os.NewFile(uintptr(fd), f.Name()), nil
}

// Path is the device to be opened as the board's port.
func (p *Player) Path() string { return p.slave.Name() }

// Done is closed when the last line has been written.
func (p *Player) Done() <-chan struct{} { return p.done }

// Requests are the commands received so far, in order, without the data of longer ones.
func (p *Player) Requests() []byte {
	p.mu.Lock()
	defer p.mu.Unlock()
	return slices.Clone(p.requests)
}

// Wait lets the hands rest until it is called again with false. Requests are answered meanwhile.
func (p *Player) Wait(wait bool) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.waits = wait
}

func (p *Player) waiting() bool {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.waits
}

// Close takes the board away: whoever has its path open finds the line hung up. It ends Run.
func (p *Player) Close() error { return cmp.Or(p.master.Close(), p.slave.Close()) }

// Run plays until ctx ends or the player is closed, which is no error. It may be called once.
func (p *Player) Run(ctx context.Context) error {
	ctx, cancel := context.WithCancel(ctx)
	var reader sync.WaitGroup
	defer reader.Wait()
	defer cancel()
	stop := context.AfterFunc(ctx, func() { _ = p.master.SetDeadline(time.Unix(1, 0)) })
	defer stop()
	commands := make(chan byte)
	var readErr error
	reader.Go(func() {
		defer close(commands)
		readErr = p.read(ctx, commands)
	})
	err := p.play(ctx, commands)
	cancel()
	_ = p.master.SetDeadline(time.Unix(1, 0))
	reader.Wait()
	err = cmp.Or(err, readErr)
	if ctx.Err() != nil && errors.Is(err, os.ErrDeadlineExceeded) || errors.Is(err, os.ErrClosed) {
		return nil
	}
	return err
}

// read cuts what the other side writes into commands; those with data are skipped whole.
func (p *Player) read(ctx context.Context, commands chan<- byte) error {
	buf, skip, size := make([]byte, 64), 0, false
	for {
		n, err := p.master.Read(buf)
		for _, b := range buf[:n] {
			switch {
			case size:
				skip, size = int(b), false
			case skip > 0:
				skip--
			default:
				size = b == 0x2B || b == 0x60 // clock command, lights
				select {
				case commands <- b:
				case <-ctx.Done():
					return nil
				}
			}
		}
		if err == io.EOF {
			return os.ErrClosed
		}
		if err != nil {
			return err
		}
	}
}

// play owns the stream: lines at their time, and answers between them.
func (p *Player) play(ctx context.Context, commands <-chan byte) error {
	timer := time.NewTimer(time.Hour)
	defer timer.Stop()
	var began time.Time
	at, next := 0, 0 // virtual ms of the next line, and which it is
	for {
		select {
		case <-ctx.Done():
			return nil
		case cmd, ok := <-commands:
			if !ok {
				return nil
			}
			p.mu.Lock()
			p.requests = append(p.requests, cmd)
			p.mu.Unlock()
			if cmd == 0x42 && began.IsZero() {
				began = time.Now()
				timer.Reset(0)
				continue
			}
			if a := p.answer(cmd); a != nil {
				if err := p.write(ctx, a, false); err != nil {
					return err
				}
			}
		case <-timer.C:
			if began.IsZero() {
				continue
			}
			if next == len(p.lines) {
				close(p.done)
				continue
			}
			if p.waiting() {
				const pause = time.Millisecond
				began = began.Add(pause)
				timer.Reset(pause)
				continue
			}
			line := p.lines[next]
			p.note(line)
			next++
			closely := next < len(p.lines) && dgt.CaptureGapMs(p.lines[next]) < 100
			if err := p.write(ctx, line, closely); err != nil {
				return err
			}
			if next < len(p.lines) {
				at += dgt.CaptureGapMs(p.lines[next])
			}
			timer.Reset(time.Until(began.Add(time.Duration(float64(at) / p.speed * float64(time.Millisecond)))))
		}
	}
}

// note keeps the picture up to date.
func (p *Player) note(line []byte) {
	switch {
	case line[0] == dgt.BoardDump && len(line) == 67:
		copy(p.picture[:], line[3:])
	case line[0] == dgt.FieldUpdate && len(line) == 5 && line[3] < 64:
		p.picture[line[3]] = line[4]
	}
}

func (p *Player) answer(cmd byte) []byte {
	switch {
	case cmd == 0x42:
		return dgt.AppendMessage(nil, dgt.BoardDump, p.picture[:])
	case !p.Answers:
		return nil
	case cmd == 0x45:
		return dgt.AppendMessage(nil, dgt.Serial, []byte("01025"))
	case cmd == 0x4D:
		return dgt.AppendMessage(nil, dgt.Version, []byte{1, 8})
	case cmd == 0x55:
		return dgt.AppendMessage(nil, dgt.LongSerial, []byte("3000147740"))
	}
	return nil
}

// write sends bytes in pieces, up to a millisecond apart. With closely, some of them may wait for the next message.
func (p *Player) write(ctx context.Context, b []byte, closely bool) error {
	b = append(p.held, b...)
	p.held = nil
	if closely && p.chance.IntN(3) == 0 {
		n := 1 + p.chance.IntN(len(b))
		p.held = slices.Clone(b[n:])
		b = b[:n]
	}
	for len(b) > 0 {
		n := 1 + p.chance.IntN(len(b))
		if _, err := p.master.Write(b[:n]); err != nil {
			return err
		}
		if b = b[n:]; len(b) == 0 {
			break
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(time.Duration(p.chance.IntN(1000)) * time.Microsecond):
		}
	}
	return nil
}
