// Package bus opens the I²C and SPI buses of a Raspberry Pi or another Linux computer. It looks for nothing by itself and touches
// only the device that is named.
//
// What is read into and written from must lie on the heap, which it does when it goes through the interfaces of conn; and one
// goroutine at a time may use a bus.
package bus

import (
	"cmp"
	"fmt"
	"path/filepath"
	"regexp"
	"strconv"

	"periph.io/x/conn/v3/i2c"
	"periph.io/x/conn/v3/physic"
	"periph.io/x/conn/v3/spi"
	"periph.io/x/host/v3/sysfs"

	"github.com/boardd/boardd/driver/device"
)

var (
	i2cName = regexp.MustCompile(`^/dev/i2c-(\d{1,4})$`)
	spiName = regexp.MustCompile(`^/dev/spidev(\d{1,4})\.(\d{1,3})$`)
)

// OpenI2C opens a bus by its device file, as /dev/i2c-1, or a link to one. The error tells what to do.
func OpenI2C(path string) (i2c.BusCloser, error) {
	numbers, err := named(path, i2cName, `put "dtparam=i2c_arm=on" into /boot/firmware/config.txt, "i2c-dev" into /etc/modules, and restart`)
	if err != nil {
		return nil, err
	}
	b, err := sysfs.NewI2C(numbers[0])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	return b, nil
}

// SPI is an open device of an SPI bus.
type SPI struct {
	spi.Conn
	port spi.PortCloser
}

// Close lets go of the device.
func (s *SPI) Close() error { return s.port.Close() }

// OpenSPI opens a device of an SPI bus by its file, as /dev/spidev0.0, or a link to one. hz is the highest speed to use, mode the
// clock's polarity and phase, 0 to 3. Words have 8 bits. The error tells what to do.
func OpenSPI(path string, hz int64, mode int) (*SPI, error) {
	if hz < 100 || hz > 125_000_000 || mode < 0 || mode > 3 {
		return nil, fmt.Errorf("%s: speed %d Hz, mode %d: wants 100 to 125000000 Hz, mode 0 to 3", path, hz, mode)
	}
	numbers, err := named(path, spiName, `put "dtparam=spi=on" into /boot/firmware/config.txt and restart`)
	if err != nil {
		return nil, err
	}
	p, err := sysfs.NewSPI(numbers[0], numbers[1])
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, err)
	}
	c, err := p.Connect(physic.Frequency(hz)*physic.Hertz, spi.Mode(mode), 8)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", path, cmp.Or(err, p.Close()))
	}
	return &SPI{c, p}, nil
}

// named makes sure that a device file is one of a kind and may be opened, and gives the numbers in its name.
func named(path string, kind *regexp.Regexp, enable string) ([]int, error) {
	name := path
	if real, err := filepath.EvalSymlinks(path); err == nil {
		name = real
	}
	parts := kind.FindStringSubmatch(filepath.Clean(name))
	if parts == nil {
		return nil, fmt.Errorf("%s: is not a device such as %s", path, map[*regexp.Regexp]string{i2cName: "/dev/i2c-1", spiName: "/dev/spidev0.0"}[kind])
	}
	if err := device.Openable(name, enable); err != nil {
		return nil, err
	}
	var numbers []int
	for _, p := range parts[1:] {
		n, err := strconv.Atoi(p)
		if err != nil {
			return nil, fmt.Errorf("%s: %w", path, err)
		}
		numbers = append(numbers, n)
	}
	return numbers, nil
}
