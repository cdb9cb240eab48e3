//go:build kernel

package board

import (
	"errors"
	"os"
	"sync"
	"testing"
	"time"

	"golang.org/x/sys/unix"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/rules"
)

// gadget plugs the kernel's USB board in, and pulls it out.
const gadget = "/sys/kernel/config/usb_gadget/board/UDC"

// usbBoard is a board's own side of a USB cable: /dev/ttyGS0.
type usbBoard struct {
	t     *testing.T
	began time.Time
	line  *os.File

	mu      sync.Mutex
	machine emulator.Machine
}

// openUSB lets a board answer at the far end of the cable until the test is over.
func openUSB(t *testing.T, m emulator.Machine) *usbBoard {
	t.Helper()
	if _, err := os.Stat(gadget); err != nil {
		t.Fatalf("this machine has no USB board (boot.sh -u): %v", err)
	}
	line, err := farEnd()
	if err != nil {
		t.Fatal(err)
	}
	u := &usbBoard{t: t, began: time.Now(), line: line, machine: m}
	stop, stopped := make(chan struct{}), make(chan struct{})
	go func() {
		defer close(stopped)
		for {
			select {
			case <-stop:
				return
			default:
				u.turn()
			}
		}
	}()
	t.Cleanup(func() {
		close(stop)
		<-stopped
		u.line.Close()
	})
	return u
}

// farEnd opens the board's own side, without anything that a terminal does to bytes.
func farEnd() (*os.File, error) {
	fd, err := unix.Open("/dev/ttyGS0", unix.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK|unix.O_CLOEXEC, 0)
	if err != nil {
		return nil, err
	}
	raw, err := unix.IoctlGetTermios(fd, unix.TCGETS)
	if err != nil {
		return nil, err
	}
	raw.Iflag, raw.Oflag, raw.Lflag = 0, 0, 0
	raw.Cc[unix.VMIN], raw.Cc[unix.VTIME] = 1, 0
	return os.NewFile(uintptr(fd), "/dev/ttyGS0"), unix.IoctlSetTermios(fd, unix.TCSETS, raw)
}

// turn takes what has come within a moment and answers. While the cable is out nothing comes, and what is said is lost.
func (u *usbBoard) turn() {
	const moment = 10 * time.Millisecond
	var b [512]byte
	_ = u.line.SetDeadline(time.Now().Add(moment))
	n, err := u.line.Read(b[:])
	if err != nil && !errors.Is(err, os.ErrDeadlineExceeded) {
		<-time.After(moment)
		if line, err := farEnd(); err == nil { // the kernel hangs up on this side, too
			u.line.Close()
			u.line = line
		}
	}
	u.mu.Lock()
	out, _ := u.machine.Step(time.Since(u.began).Milliseconds(), b[:max(n, 0)])
	u.mu.Unlock()
	if len(out) > 0 {
		_ = u.line.SetDeadline(time.Now().Add(time.Second))
		_, _ = u.line.Write(out)
	}
}

func (u *usbBoard) set(in board.Input) {
	u.mu.Lock()
	defer u.mu.Unlock()
	u.machine.Set(in.Square, in.Symbol)
}

func (u *usbBoard) plug(in bool) {
	u.t.Helper()
	text := "\n"
	if in {
		text = "dummy_udc.0\n"
	}
	if err := os.WriteFile(gadget, []byte(text), 0); err != nil {
		u.t.Fatal(err)
	}
}

// A board on USB is found among two serial devices, pulled out and plugged in again during a game: SE-07 on a real kernel. Once its
// number is taken meanwhile, as it is when another program is slow to let go, so that it comes back under another name.
func TestUSBBoardIsPulledOut(t *testing.T) {
	t.Parallel()
	u := openUSB(t, dgt.New(dgt.Options{}))
	start := rules.Start()
	for s := range rules.NoSquare {
		u.set(board.Input{Square: s, Symbol: board.PieceAcuity.See(start.At(s))})
	}
	d := run(t, daemonUser, "[[board]]\nid = \"usb\"\ndriver = \"dgt\"\n") // and port = "auto"
	eventually(t, "the board is found", 2*time.Minute, func() bool { return d.status("usb") == "online" })
	eventually(t, "the men are seen", time.Minute, func() bool { return d.state(t, "usb").Match })
	away := func() {
		t.Helper()
		u.plug(false)
		eventually(t, "the board is away", time.Minute, func() bool { return d.status("usb") == "offline" })
	}
	// The hands go on when the board has shown what stands: a pawn taken in passing at once could have come from either square.
	back := func(ply int) {
		t.Helper()
		u.plug(true)
		eventually(t, "the board is back", 2*time.Minute, func() bool { return d.status("usb") == "online" && len(d.moves(t, "usb")) >= ply })
	}
	d.playOn(t, "usb", board.PieceAcuity, shortGame, 4, func(ply int) {
		switch ply {
		case 4:
			away()
			back(ply)
		case 11:
			slow, err := os.OpenFile("/dev/ttyACM0", os.O_RDWR|unix.O_NOCTTY|unix.O_NONBLOCK, 0)
			if err != nil {
				t.Fatal(err)
			}
			away()
			back(ply)
			if _, err := os.Stat("/dev/ttyACM1"); err != nil {
				t.Errorf("the board did not come back under another name: %v", err)
			}
			slow.Close()
		}
	}, u.set)
	d.ended(t, "usb", shortGame, "board_offline")
}
