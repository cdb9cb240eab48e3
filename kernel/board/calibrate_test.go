//go:build kernel

package board

import (
	"bufio"
	"io"
	"path/filepath"
	"regexp"
	"testing"
	"time"

	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/rules"
)

// prompt is what calibrate asks of the builder, and on which square.
var prompt = regexp.MustCompile(`^(Take everything|Put three men|Set up|Lift the man on|Put him on|Check:)(?: ([a-h][1-8]))?`)

// A newcomer calibrates a matrix whose wires are mirrored, as the service's user and over the kernel's GPIO: boardd asks for men to be
// lifted, hands do it, and afterwards each wire is known.
func TestCalibrateAMatrix(t *testing.T) {
	m := matrix{t}
	m.put("diodes", "1")
	m.put("bounce_us", "8000")
	t.Cleanup(func() { m.put("diodes", "0"); m.put("bounce_us", "0"); m.Set(0) })
	path := configured(t, daemonUser, `
[[board]]
id = "mine"
driver = "gpio-matrix"
[board.sensor]
rows = [5, 6, 12, 13, 16, 19, 20, 21]
cols = [17, 18, 22, 23, 24, 25, 26, 27]
[board.map]
generator = "calibrated"
`)
	cmd := boardd(t, daemonUser, "calibrate", "-c", path)
	errs := &book{}
	cmd.Stderr = errs
	keys, err := cmd.StdinPipe()
	if err != nil {
		t.Fatal(err)
	}
	said, err := cmd.StdoutPipe()
	if err != nil {
		t.Fatal(err)
	}
	if err := cmd.Start(); err != nil {
		t.Fatal(err)
	}
	watchdog := time.AfterFunc(3*time.Minute, func() { _ = cmd.Process.Kill() })
	defer watchdog.Stop()
	enter := func() {
		if _, err := io.WriteString(keys, "\n"); err != nil {
			t.Error(err)
		}
	}
	var men rules.Bitboard
	stand := func() {
		wired := uint64(0)
		for b := men; b != 0; {
			wired |= 1 << (b.Pop() ^ 7) // a file's wires are those of its mirror
		}
		m.Set(wired)
	}
	all := ""
	for lines := bufio.NewScanner(said); lines.Scan(); {
		all += lines.Text() + "\n"
		ask := prompt.FindStringSubmatch(lines.Text())
		if ask == nil {
			continue
		}
		s, _ := rules.ParseSquare(ask[2])
		switch ask[1] {
		case "Take everything":
			men = 0
		case "Put three men":
			men = 1<<0 | 1<<1 | 1<<8
		case "Set up":
			men = 0xFFFF00000000FFFF
		case "Lift the man on":
			men &^= s.Bit()
		case "Put him on":
			men |= s.Bit()
		case "Check:":
			men ^= 1<<20 | 1<<30 | 1<<40 | 1<<6
		}
		stand()
		if ask[1] == "Take everything" || ask[1] == "Check:" {
			m.scanned()
			enter()
		}
	}
	if err := cmd.Wait(); err != nil {
		t.Fatalf("%v\n%s\n%s", err, all, errs)
	}
	c, err := scan.ReadCalibration(scan.CalibrationPath(filepath.Dir(path), "mine"))
	if err != nil {
		t.Fatal(err)
	}
	for wire, s := range c.Map {
		if s != rules.Square(wire^7) {
			t.Errorf("wire %d is said to be %v\n%s", wire, s, all)
			break
		}
	}
}
