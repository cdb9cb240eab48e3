package chesslink

import (
	"fmt"

	"github.com/boardd/boardd/driver/notes"
)

// Info is what the board has told about itself, and what went wrong on the line.
type Info struct {
	VersionKnown bool
	Major, Minor byte // of the board's program; Major says which board it is
	LightsAcked  bool // the board says when it has taken a pattern of lights

	Counts           // of the decoder
	Unanswered int64 // commands that should have had an answer
}

// Major numbers (protocols/chesslink.md section 3).
const (
	exclusive   = 0
	performance = 1
	eOne        = 2
)

// Board is the kind of board by its version, "" when it is not known.
func (i *Info) Board() string {
	if !i.VersionKnown {
		return ""
	}
	switch i.Major {
	case exclusive:
		return "Exclusive"
	case performance:
		return "Performance"
	case eOne:
		return "eONE"
	}
	return fmt.Sprintf("version %d.%d", i.Major, i.Minor)
}

// silentOnLights reports whether the board is one that does not say that it has taken lights or settings.
func (i *Info) silentOnLights() bool {
	return i.VersionKnown && i.Major == performance && !i.LightsAcked
}

// Info is a copy of what is known now.
func (m *Machine) Info() Info {
	i := m.info
	i.Counts = m.dec.Counts()
	return i
}

// What this driver may have to say.
const (
	noteReports notes.Kind = iota
	noteSilent
	noteUnheard
)

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (m *Machine) Notes() []string { return m.notes.Take() }
