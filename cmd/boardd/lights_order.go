package main

import (
	"bytes"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strings"

	"github.com/pelletier/go-toml/v2"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/scan"
)

// foundOrder is the order of LEDs as calibrate --lights keeps it: the keys of [board.leds] with the same names.
type foundOrder struct {
	Start      string   `toml:"start"`
	Along      string   `toml:"along"`
	Serpentine bool     `toml:"serpentine"`
	Table      []string `toml:"table"`
}

// foundOrderLimit is more bytes than any order needs: 256 LEDs take some 3 KB.
const foundOrderLimit = 64 << 10

// lightsPath is the file for the order of a board's LEDs in boardd's data folder.
func lightsPath(data, board string) string {
	return lightsBeside(scan.CalibrationPath(data, board))
}

// lightsBeside is the same by the path of the board's calibration.
func lightsBeside(calibration string) string {
	return strings.TrimSuffix(calibration, ".toml") + ".lights.toml"
}

// parseOrder reads what ledLines writes. An order that it gives lights each square.
func parseOrder(text []byte) (o foundOrder, err error) {
	if err := toml.NewDecoder(bytes.NewReader(text)).DisallowUnknownFields().Decode(&o); err != nil {
		return o, err
	}
	if len(o.Table) == 0 && (o.Start == "" || o.Along == "") {
		return o, errors.New("wants start and along, or table")
	}
	if len(o.Table) > 0 && o.Start+o.Along != "" {
		return o, errors.New("has both start and table")
	}
	if len(o.Table) == 0 && o.Along != "rank" && o.Along != "file" {
		return o, fmt.Errorf("along: %.20q: wants rank or file", o.Along)
	}
	_, err = layoutOf(&config.LEDs{Start: o.Start, Along: o.Along, Serpentine: o.Serpentine, Table: o.Table})
	return o, err
}

func readOrder(path string) (o foundOrder, err error) {
	info, err := os.Stat(path)
	if err != nil {
		return o, err
	}
	if !info.Mode().IsRegular() || info.Size() > foundOrderLimit {
		return o, errors.New("is no order of LEDs")
	}
	text, err := os.ReadFile(path)
	if err != nil {
		return o, err
	}
	return parseOrder(text)
}

// ordered are the LEDs of a board in their order: that of the configuration, or that which calibrate --lights has found.
func ordered(data string, b *config.Board) (config.LEDs, error) {
	l := b.LEDs
	if !isWired(l.Driver) || !l.AsksCalibration() {
		return l, nil
	}
	if data == "" {
		if l.Order == "calibrated" {
			return l, errors.New(`order = "calibrated" wants a folder: set data in [node]`)
		}
		return l, nil
	}
	path := lightsPath(data, b.ID)
	o, err := readOrder(path)
	switch {
	case errors.Is(err, fs.ErrNotExist) && l.Order == "calibrated":
		return l, fmt.Errorf(`order = "calibrated", but there is no %s: run boardd calibrate --lights`, path)
	case errors.Is(err, fs.ErrNotExist):
		return l, nil
	case err != nil:
		return l, fmt.Errorf("%s: %w: run boardd calibrate --lights again, or delete the file", path, err)
	}
	plain := l
	plain.Table = nil
	if layout, err := layoutOf(&plain); err == nil && len(o.Table) > 0 && len(o.Table) != layout.Count {
		return l, fmt.Errorf("%s is for %d LEDs, but per_square = %q has %d: run boardd calibrate --lights again", path, len(o.Table), l.PerSquare, layout.Count)
	}
	l.Table = o.Table
	if len(o.Table) == 0 {
		l.Start, l.Along, l.Serpentine = o.Start, o.Along, o.Serpentine
	}
	return l, nil
}
