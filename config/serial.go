package config

import (
	"slices"

	"github.com/boardd/boardd/board"
)

// serialBoard is what a configuration knows of a kind of boards on serial lines.
type serialBoard struct {
	driver string
	called string       // in faults
	acuity board.Acuity // what all of them see
	lights bool         // some have lights of their own
}

// serialBoards are the boards on serial lines, in the order in which they are named to people.
var serialBoards = []serialBoard{
	{driver: "dgt", called: "a DGT board", acuity: board.PieceAcuity},
}

func serialOf(driver string) (serialBoard, bool) {
	i := slices.IndexFunc(serialBoards, func(s serialBoard) bool { return s.driver == driver })
	if i < 0 {
		return serialBoard{}, false
	}
	return serialBoards[i], true
}

// SerialDrivers are the drivers of boards on serial lines.
func SerialDrivers() []string {
	names := make([]string, len(serialBoards))
	for i := range serialBoards {
		names[i] = serialBoards[i].driver
	}
	return names
}

// HasLights reports whether boards of this kind may have lights of their own.
func (b *Board) HasLights() bool {
	s, _ := serialOf(b.Driver)
	return s.lights
}

// IsSerial reports whether a driver reads a board on a serial line.
func IsSerial(driver string) bool {
	_, ok := serialOf(driver)
	return ok
}
