package port

import (
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strings"
)

// console says so if a line that is soldered in is this computer's console or its log-in: what is said there would go to the board,
// and the board's answers would be lost. root is where the system's files are.
func console(path, root string) error {
	device, err := filepath.EvalSymlinks(path)
	if err != nil {
		return nil // opening says it
	}
	name := filepath.Base(device)
	active, _ := os.ReadFile(filepath.Join(root, "sys/class/tty/console/active"))
	if slices.Contains(strings.Fields(string(active)), name) {
		return fmt.Errorf("serial port %s is this computer's console: take console=%s (or serial0) out of cmdline.txt in /boot/firmware and restart", path, name)
	}
	unit := "serial-getty@" + name + ".service"
	for _, dir := range []string{"run/systemd/generator", "etc/systemd/system"} {
		if _, err := os.Lstat(filepath.Join(root, dir, "getty.target.wants", unit)); err == nil {
			return fmt.Errorf("serial port %s is for logging in: systemctl disable --now %s", path, unit)
		}
	}
	return nil
}
