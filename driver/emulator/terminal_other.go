//go:build !linux

package emulator

import (
	"errors"
	"os"
)

func openTerminal() (host, device *os.File, err error) {
	return nil, nil, errors.New("emulated boards need the pseudo terminals of Linux")
}
