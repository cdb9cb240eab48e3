package chaos

import (
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"github.com/creack/pty"
	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/rules"
)

// bench is a DGT board on a pseudo terminal. It outlives whoever reads it, as a board on a table does.
type bench struct {
	master, slave *os.File
	ended         chan struct{}

	mu      sync.Mutex
	men     [64]byte // piece codes by field
	updates bool     // it tells changes by itself
	ready   int      // times that it was asked to
	dumps   int
	stalled error // of a write that nobody took
	wrote   time.Time
}

func newBench(t testing.TB, start *rules.Position) *bench {
	t.Helper()
	b, err := openBench(start)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.close(); err != nil {
			t.Errorf("board: %v", err)
		}
	})
	return b
}

func openBench(start *rules.Position) (*bench, error) {
	master, slave, err := pty.Open()
	if err != nil {
		return nil, err
	}
	defer master.Close()
	// Raw: a terminal would give our own bytes back as commands.
	mode, err := unix.IoctlGetTermios(int(slave.Fd()), unix.TCGETS)
	if err != nil {
		return nil, err
	}
	mode.Iflag, mode.Oflag, mode.Lflag = 0, 0, 0
	mode.Cflag = unix.CS8 | unix.CREAD | unix.CLOCAL | unix.B9600
	mode.Cc[unix.VMIN], mode.Cc[unix.VTIME] = 1, 0
	if err := unix.IoctlSetTermios(int(slave.Fd()), unix.TCSETS, mode); err != nil {
		return nil, err
	}
	fd, err := unix.FcntlInt(master.Fd(), unix.F_DUPFD_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	if err := unix.SetNonblock(fd, true); err != nil {
		return nil, err
	}
	b := &bench{master: os.NewFile(uintptr(fd), master.Name()), slave: slave, ended: make(chan struct{})}
	for s := range rules.Square(64) {
		b.men[dgt.FieldOf(s)] = code(board.PieceAcuity.See(start.At(s)))
	}
	go b.listen()
	return b, nil
}

// close takes the board away. Its error is that of a line that nobody read.
func (b *bench) close() error {
	_ = b.master.Close()
	_ = b.slave.Close()
	<-b.ended
	return b.stalled
}

// codes are the symbols of DGT's piece codes.
const codes = ".PRNBKQprnbkq"

func code(s board.Symbol) byte {
	for i := range len(codes) {
		if codes[i] == byte(s) {
			return byte(i)
		}
	}
	return 0
}

func (b *bench) path() string { return b.slave.Name() }

// listen answers what boardd asks.
func (b *bench) listen() {
	defer close(b.ended)
	buf := make([]byte, 64)
	for {
		n, err := b.master.Read(buf)
		for _, c := range buf[:n] {
			b.answer(c)
		}
		if err != nil && !errors.Is(err, unix.EIO) {
			return
		}
	}
}

func (b *bench) answer(command byte) {
	b.mu.Lock()
	defer b.mu.Unlock()
	switch command {
	case 0x40:
		b.updates = false
	case 0x42:
		b.dumps++
		b.write(dgt.AppendMessage(nil, dgt.BoardDump, b.men[:]))
	case 0x44, 0x4B:
		b.updates = true
		b.ready++
	case 0x45:
		b.write(dgt.AppendMessage(nil, dgt.Serial, []byte("01025")))
	case 0x4D:
		b.write(dgt.AppendMessage(nil, dgt.Version, []byte{1, 8}))
	case 0x55:
		b.write(dgt.AppendMessage(nil, dgt.LongSerial, []byte("3000147740")))
	}
}

// set puts something on a square.
func (b *bench) set(s rules.Square, what board.Symbol) {
	b.mu.Lock()
	defer b.mu.Unlock()
	field, c := dgt.FieldOf(s), code(what)
	if b.men[field] == c {
		return
	}
	b.men[field] = c
	if b.updates {
		b.write(dgt.AppendMessage(nil, dgt.FieldUpdate, []byte{field, c}))
	}
}

// write is called with the board locked. What nobody takes for a while is lost, as on a real line.
func (b *bench) write(p []byte) {
	_ = b.master.SetWriteDeadline(time.Now().Add(20 * time.Second))
	if _, err := b.master.Write(p); err != nil && b.stalled == nil && !errors.Is(err, os.ErrClosed) {
		b.stalled = err
	}
	b.wrote = time.Now()
}

// asked says how often a program has begun to listen to changes, and asked for the whole board.
func (b *bench) asked() (ready, dumps int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.ready, b.dumps
}

// last is when the board last said something.
func (b *bench) last() time.Time {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.wrote
}
