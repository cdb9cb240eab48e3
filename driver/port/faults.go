package port

import (
	"errors"
	"fmt"
	"io/fs"
	"syscall"

	"go.bug.st/serial"
)

// ErrBusy is wrapped by the error for a port that another program uses.
var ErrBusy = errors.New("in use by another program")

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
		return &fault{fmt.Sprintf("serial port %s may not be opened: add the user to the group dialout (usermod -aG dialout USER) and log in again", path), fs.ErrPermission}
	case code == serial.PortBusy:
		if by := Holder(path); by != "" {
			return fmt.Errorf("serial port %s is %w: end %s", path, ErrBusy, by)
		}
		return fmt.Errorf("serial port %s is %w: end that program (as root, fuser %s names it)", path, ErrBusy, path)
	case code == serial.PortClosed, errors.Is(err, syscall.EIO), errors.Is(err, syscall.ENXIO), errors.Is(err, syscall.ENODEV):
		return &fault{fmt.Sprintf("serial port %s is gone: plug the board in again", path), err}
	case code == serial.InvalidSerialPort:
		return &fault{fmt.Sprintf("%s is not a serial port: set port to one of the names below /dev/serial/by-id", path), err}
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
