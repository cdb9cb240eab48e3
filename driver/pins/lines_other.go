//go:build !linux

package pins

import "errors"

var errLinux = errors.New("GPIO lines need Linux")

// Chips are the GPIO chips: there are none on this system.
func Chips() ([]Chip, error) { return nil, errLinux }

// Find fails on this system.
func Find(string) (Chip, string, error) { return Chip{}, "", errLinux }

// OpenOutputs fails on this system.
func OpenOutputs(Options) (Outputs, error) { return nil, errLinux }

// OpenInputs fails on this system.
func OpenInputs(Options) (Inputs, error) { return nil, errLinux }

// OpenAlert fails on this system.
func OpenAlert(Options) (Alert, error) { return nil, errLinux }
