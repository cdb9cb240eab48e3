package port

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"go.bug.st/serial"
)

// ErrBusy is wrapped by the error for a port that another program uses. It is also syscall.EBUSY.
var ErrBusy error = &fault{"in use by another program", syscall.EBUSY}

var errNoName = errors.New("no serial port is named: set port to one of the names below /dev/serial/by-id")

var errDescriptor = errors.New("too many open files for the serial library: set LimitNOFILE=1024")

// explain makes one line of what the library or the kernel says, with the way out.
func explain(path string, err error) error {
	var pe *serial.PortError
	code := serial.PortErrorCode(-1)
	if errors.As(err, &pe) {
		code = pe.Code()
	}
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return &fault{fmt.Sprintf("serial port %s is not there: plug the board in, or set port to one of the names below /dev/serial/by-id", path), err}
	case code == serial.PermissionDenied:
		return denied(path)
	case code == serial.PortBusy:
		return busy(path)
	case code == serial.PortClosed, errors.Is(err, syscall.EIO), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		return &fault{fmt.Sprintf("serial port %s is gone: plug the board in again", path), err}
	case code == serial.InvalidSerialPort:
		return notSerial(path, err)
	}
	return fmt.Errorf("serial port %s: %w", path, err)
}

// fault says what to do, in its own words alone, and is still the error of the system or the library.
type fault struct {
	text  string
	cause error
}

func (f *fault) Error() string { return f.text }
func (f *fault) Unwrap() error { return f.cause }
