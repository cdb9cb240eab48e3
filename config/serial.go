package config

import (
	"cmp"
	"reflect"
	"slices"

	"github.com/boardd/boardd/board"
)

// Serial is what a configuration knows of the boards that a driver reads over a serial line.
type Serial struct {
	Driver   string
	Acuity   board.Acuity // what all of them see
	Varies   bool         // each sees something else, which Acuity does not say
	SettleMs int64        // sensor.settle_ms, unless it is given; 0 for boards that are still by themselves
	Lights   bool         // some have lights of their own
	called   string       // in faults
	port     string       // where they are, for boards that are not to be looked for
}

// serials are the boards on serial lines, in the order in which they are named to people.
var serials = []Serial{
	{Driver: "dgt", called: "a DGT board", Acuity: board.PieceAcuity, Lights: true},
	{Driver: "chesslink", called: "a ChessLink board", Acuity: board.PieceAcuity, SettleMs: 40, Lights: true},
	{Driver: "certabo", called: "a Certabo board", Acuity: board.PieceAcuity, Lights: true},
	{Driver: "sentio", called: "a Sentio", Acuity: board.Presence, SettleMs: 40, Lights: true},
	{Driver: "centaur", called: "a DGT Centaur", Acuity: board.Presence, SettleMs: 40, Lights: true, port: "/dev/serial0"},
	{Driver: "text", called: "a home-made board", Varies: true, SettleMs: 40, Lights: true},
}

// SerialOf is what is known of a driver; not ok if it reads no boards on serial lines.
func SerialOf(driver string) (s Serial, ok bool) {
	i := slices.IndexFunc(serials, func(s Serial) bool { return s.Driver == driver })
	if i < 0 {
		return Serial{}, false
	}
	return serials[i], true
}

// SerialDrivers are the drivers of boards on serial lines.
func SerialDrivers() []string {
	names := make([]string, len(serials))
	for i := range serials {
		names[i] = serials[i].Driver
	}
	return names
}

// HasLights reports whether boards of this kind may have lights of their own.
func (b *Board) HasLights() bool {
	s, _ := SerialOf(b.Driver)
	return s.Lights
}

// sees says what all boards of a kind see.
func (s *Serial) sees() string {
	what := [...]string{board.Presence: "where men stand", board.ColorAcuity: "colours", board.PieceAcuity: "pieces"}
	return s.called + " sees " + what[s.Acuity]
}

// fill gives a board of this kind the defaults of the keys that the file does not have.
func (s *Serial) fill(b *Board, path string, keys keys) {
	if !keys.has(path + ".port") {
		b.Port = cmp.Or(s.port, "auto")
	}
	if !keys.has(path + ".sensor.acuity") {
		if b.Sensor.Acuity = s.Acuity.String(); s.Varies {
			b.Sensor.Acuity = ""
		}
	}
	if !keys.has(path + ".sensor.settle_ms") {
		b.Sensor.SettleMs = s.SettleMs
	}
	noEmpty(reflect.ValueOf(&b.Text).Elem())
}
