package certabo

import "github.com/boardd/boardd/driver/notes"

// What this driver may have to say.
const (
	noteSilent notes.Kind = iota
	noteNoPieces
	noteUnknown
	noteOther
	noteUnheard
)

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (m *Machine) Notes() []string { return m.notes.Take() }
