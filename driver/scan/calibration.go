package scan

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"

	"github.com/pelletier/go-toml/v2"

	"github.com/boardd/boardd/files"
	"github.com/boardd/boardd/rules"
)

// Calibration is what was found out about the sensors of one board.
type Calibration struct {
	Wiring   string         // config's name for the wiring that was calibrated: with another one, nothing of this holds
	Map      Map            // which square each wire is
	Inverted uint64         // wires that say the opposite of the others: a magnet where there is none, or the other colour
	Levels   []int32        // of analog sensors, Wires of them: microvolts without a man; empty for others
	Dead     rules.Bitboard // squares whose sensor does not work; they have no wire
}

// CalibrationPath is the file for the calibration of a board in boardd's data folder.
func CalibrationPath(data, board string) string {
	return filepath.Join(data, "calibration", board+".toml")
}

// calibrationFile is a Calibration as its file has it.
type calibrationFile struct {
	Wiring   string   `toml:"wiring"`
	Squares  []string `toml:"squares,multiline"`
	Inverted []int    `toml:"inverted"`
	Dead     []string `toml:"dead"`
	Levels   []int32  `toml:"levels"`
}

// calibrationLimit is more bytes than any calibration needs.
const calibrationLimit = 64 << 10

// ReadCalibration reads what Write has written. fs.ErrNotExist says that the board was never calibrated.
func ReadCalibration(path string) (c Calibration, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return c, fmt.Errorf("calibration: %w", err)
	}
	if !info.Mode().IsRegular() || info.Size() > calibrationLimit {
		return c, fmt.Errorf("calibration: %s is no calibration", path)
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return c, fmt.Errorf("calibration: %w", err)
	}
	if c, err = ParseCalibration(text); err != nil {
		return c, fmt.Errorf("calibration %s: %w: run boardd calibrate again", path, err)
	}
	return c, nil
}

// ParseCalibration reads the text of a calibration file. A calibration that it gives is whole: each square has one wire, or is dead.
func ParseCalibration(text []byte) (c Calibration, err error) {
	var f calibrationFile
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&f); err != nil {
		return c, err
	}
	if len(f.Squares) != Wires {
		return c, fmt.Errorf("squares: %d of them: wants one for each of %d wires", len(f.Squares), Wires)
	}
	if len(f.Levels) != 0 && len(f.Levels) != Wires {
		return c, fmt.Errorf("levels: %d of them: wants one for each of %d wires", len(f.Levels), Wires)
	}
	c.Wiring, c.Levels = f.Wiring, f.Levels
	for wire, name := range f.Squares {
		if c.Map[wire], err = ParseSquare(name); err != nil {
			return c, fmt.Errorf("squares: %w", err)
		}
	}
	for _, wire := range f.Inverted {
		if wire < 0 || wire >= Wires {
			return c, fmt.Errorf("inverted: wire %d: wires are 0 to %d", wire, Wires-1)
		}
		c.Inverted |= 1 << wire
	}
	for _, name := range f.Dead {
		s, ok := rules.ParseSquare(name)
		if !ok {
			return c, fmt.Errorf("dead: %.20q is no square", name)
		}
		c.Dead |= s.Bit()
	}
	return c, c.Map.Validate(c.Dead)
}

// Text is the calibration as its file has it.
func (c *Calibration) Text() ([]byte, error) {
	f := calibrationFile{Wiring: c.Wiring, Levels: c.Levels, Inverted: []int{}, Dead: []string{}}
	for wire, s := range c.Map {
		f.Squares = append(f.Squares, s.String())
		if c.Inverted>>wire&1 == 1 {
			f.Inverted = append(f.Inverted, wire)
		}
	}
	for b := c.Dead; b != 0; {
		f.Dead = append(f.Dead, b.Pop().String())
	}
	if f.Levels == nil {
		f.Levels = []int32{}
	}
	text, err := toml.Marshal(f)
	return append([]byte("# Written by boardd calibrate: which square each wire is, and what else was found out about the sensors.\n"), text...), err
}

// Write replaces the file whole or not at all, and makes its folder if there is none.
func (c *Calibration) Write(path string) error {
	text, err := c.Text()
	if err == nil {
		err = os.MkdirAll(filepath.Dir(path), 0o750)
	}
	if err == nil {
		err = files.Replace(path, text, 0o640)
	}
	if err != nil {
		return fmt.Errorf("calibration: %w", err)
	}
	return nil
}
