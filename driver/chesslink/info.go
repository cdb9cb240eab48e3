package chesslink

import "fmt"

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

// noteKind keeps one worry from drowning the others.
type noteKind uint8

const (
	noteReports noteKind = iota
	noteSilent
	noteKinds
)

// notes of one kind are at least this far apart.
const noteEveryMs = 60_000

// notebook holds what an operator would want to read, one line a worry and minute.
type notebook struct {
	pending []string
	seen    [noteKinds]bool
	at      [noteKinds]int64
}

func (m *Machine) note(k noteKind, text string) {
	n := &m.notes
	if n.seen[k] && m.now-n.at[k] < noteEveryMs*m.scale || len(n.pending) >= int(noteKinds) {
		return
	}
	n.seen[k], n.at[k] = true, m.now
	n.pending = append(n.pending, text)
}

// Notes gives the lines for the log that have come up since the last call, oldest first; nil most of the time.
func (m *Machine) Notes() []string {
	n := m.notes.pending
	m.notes.pending = nil
	return n
}
