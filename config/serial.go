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

// sees says what all boards of a kind see.
func (s *serialBoard) sees() string {
	what := map[board.Acuity]string{board.Presence: "only that something stands on a square", board.ColorAcuity: "colours", board.PieceAcuity: "pieces"}
	return s.called + " sees " + what[s.acuity]
}

// fill gives a board of this kind the defaults of the keys that the file does not have.
func (s *serialBoard) fill(b *Board, path string, keys keys) {
	if !keys.has(path + ".port") {
		b.Port = "auto"
	}
	if !keys.has(path + ".sensor.acuity") {
		b.Sensor.Acuity = s.acuity.String()
	}
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

// SerialAcuity is what all boards of a serial driver see; not ok if that depends on the board.
func SerialAcuity(driver string) (a board.Acuity, ok bool) {
	s, ok := serialOf(driver)
	return s.acuity, ok
}
