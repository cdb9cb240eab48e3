package port

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// Auto is the path that lets Open look for the device itself.
const Auto = "auto"

// Find gives the one serial device that can be meant, below dev (on every Linux "/dev"). The links of serial/by-id come
// first, for they keep their names; without any, USB and Bluetooth lines by number. Of several, the one whose name
// holds hint (in any case) is taken. Nothing is opened: that would start some boards anew, and disturb other programs.
func Find(dev, hint string) (string, error) {
	for _, patterns := range [][]string{{"serial/by-id/*"}, {"ttyUSB*", "ttyACM*", "rfcomm*"}} {
		var found []string
		for _, pattern := range patterns {
			names, err := filepath.Glob(filepath.Join(dev, pattern))
			if err != nil {
				return "", fmt.Errorf("look for serial ports: %w", err)
			}
			found = append(found, names...)
		}
		if hint != "" && len(found) > 1 {
			hinted := slices.DeleteFunc(slices.Clone(found), func(name string) bool {
				return !strings.Contains(strings.ToLower(filepath.Base(name)), strings.ToLower(hint))
			})
			if len(hinted) > 0 {
				found = hinted
			}
		}
		switch len(found) {
		case 0:
			continue
		case 1:
			return found[0], nil
		}
		return "", fmt.Errorf("several serial ports are here: set port to the board's, one of %s", strings.Join(found, " "))
	}
	return "", &fault{"no serial port is here: plug the board in, or set port", os.ErrNotExist}
}
