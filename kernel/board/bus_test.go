//go:build kernel

package board

import (
	"encoding/binary"
	"errors"
	"io"
	"os"
	"sync"
	"syscall"
	"testing"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"

	"github.com/boardd/boardd/driver/chiptest"
)

// Of what the module testbus asks and is answered: a head, then the bytes.
const (
	requestHead = 24 // id, bus, flags, address, bytes to the chip, bytes from it, speed, mode, bits
	busI2C      = 0
	busSPI      = 1
)

// benches answers the transfers on the kernel's I²C and SPI buses with chips of chiptest.
type benches struct {
	i2c  *chiptest.I2C
	spi  *chiptest.SPI
	file *os.File
	done chan error

	mu    sync.Mutex
	ports map[uint32]spi.Conn // by select line and mode
	away  bool
	after func() // is called after each transaction on I²C; may be nil

	// tap takes what is only written: it is given the bus, the address or select line and the bytes, and says whether there is such a
	// chip. It is asked before all others; may be nil.
	tap func(bus byte, address uint16, w []byte) bool
}

// openBenches plays the chips until the test is over.
func openBenches(t *testing.T) *benches {
	t.Helper()
	f, err := os.OpenFile("/dev/testbus", os.O_RDWR|syscall.O_NONBLOCK, 0)
	if err != nil {
		t.Fatal(err)
	}
	b := &benches{i2c: &chiptest.I2C{}, spi: &chiptest.SPI{}, file: f, done: make(chan error, 1), ports: map[uint32]spi.Conn{}}
	go func() { b.done <- b.serve() }()
	t.Cleanup(func() {
		_ = f.Close()
		if err := <-b.done; err != nil && !errors.Is(err, os.ErrClosed) {
			t.Errorf("testbus: %v", err)
		}
	})
	return b
}

// unplug takes the cables of all I²C chips away, or brings them back: nobody acknowledges.
func (b *benches) unplug(away bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.away = away
}

func (b *benches) serve() error {
	buf := make([]byte, requestHead+1<<16)
	for {
		n, err := b.file.Read(buf)
		if err != nil {
			return err
		}
		if n < requestHead {
			return io.ErrUnexpectedEOF
		}
		id, bus := binary.NativeEndian.Uint32(buf), buf[4]
		w, r := buf[requestHead:n], make([]byte, binary.NativeEndian.Uint32(buf[12:]))
		if b.tapped(bus, binary.NativeEndian.Uint16(buf[6:]), w) {
			err = nil
		} else if bus == busI2C {
			err = b.onI2C(binary.NativeEndian.Uint16(buf[6:]), w, r)
		} else {
			err = b.onSPI(binary.NativeEndian.Uint16(buf[6:]), binary.NativeEndian.Uint16(buf[20:]), w, r)
		}
		answer := binary.NativeEndian.AppendUint32(nil, id)
		if err != nil {
			errno := syscall.EIO
			errors.As(err, &errno)
			answer = binary.NativeEndian.AppendUint32(answer, uint32(-int32(errno)))
		} else {
			answer = append(binary.NativeEndian.AppendUint32(answer, 0), r...)
		}
		// ESTALE: this machine was so slow that the kernel no longer waits.
		if _, err := b.file.Write(answer); err != nil && !errors.Is(err, syscall.ESTALE) {
			return err
		}
	}
}

func (b *benches) tapped(bus byte, address uint16, w []byte) bool {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.tap != nil && b.tap(bus, address, w)
}

func (b *benches) onI2C(addr uint16, w, r []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.away {
		return syscall.ENXIO
	}
	if b.after != nil {
		defer b.after()
	}
	var bus i2c.Bus = b.i2c
	return bus.Tx(addr, w, r)
}

func (b *benches) onSPI(cs, mode uint16, w, r []byte) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	key := uint32(cs)<<16 | uint32(mode)
	port := b.ports[key]
	if port == nil {
		var err error
		if port, err = b.spi.Port(int(cs)).Connect(physic.MegaHertz, spi.Mode(mode)&spi.Mode3, 8); err != nil {
			return err
		}
		b.ports[key] = port
	}
	if len(w) == 0 {
		w = make([]byte, len(r))
	}
	if len(r) == 0 {
		r = make([]byte, len(w))
	}
	return port.Tx(w, r)
}
