package text

// noteKind keeps one worry from drowning the others.
type noteKind uint8

const (
	noteMute noteKind = iota
	noteSilent
	noteBoot
	noteChips
	noteLine
	noteKinds
)

// noteEveryMs is how far apart notes of one kind are at least, in milliseconds of a wall clock.
const noteEveryMs = 60_000

// notebook holds what an operator would want to read.
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
