// Package notes keeps what a driver has to say to whoever reads the log: one line a worry and minute, so that a board in
// trouble fills no disk, and no worry drowns another.
package notes

import (
	"fmt"
	"slices"
)

// Times in milliseconds of a wall clock.
const (
	EveryMs    = 60_000 // two lines of one kind are so far apart at least
	PatienceMs = 10_000 // a board that speaks by itself may be so long in coming
)

// Kind is what a line is about. Drivers number theirs as they like; lines of one kind count as the same worry, whatever
// their words.
type Kind uint8

// Unheard is what to say of a port at which nothing has come that the driver understands.
func Unheard(driver string) string {
	return fmt.Sprintf("nothing at this port speaks as a board of the driver %q does: is the board switched on, and are driver and port right?", driver)
}

// Book holds the lines that nobody has read yet. The zero value is empty and on a wall clock.
type Book struct {
	// Scale is how many times faster than a wall clock the times given run. 0 is 1.
	Scale int64

	unread []line // none is of the kind of another
	said   map[Kind]int64
	await  int64 // when patience ends, 0 before anything was awaited
}

type line struct {
	kind Kind
	text string
}

// Say writes a line down, unless one of its kind was written in the last minute or has not been read. Now is in milliseconds
// and never falls.
func (b *Book) Say(now int64, k Kind, text string) {
	at, said := b.said[k]
	if said && now-at < EveryMs*max(b.Scale, 1) || slices.ContainsFunc(b.unread, func(l line) bool { return l.kind == k }) {
		return
	}
	if b.said == nil {
		b.said = map[Kind]int64{}
	}
	b.said[k] = now
	b.unread = append(b.unread, line{k, text})
}

// Once is Say for what need not be said again: it writes nothing if a line of this kind was ever written.
func (b *Book) Once(now int64, k Kind, text string) {
	if _, said := b.said[k]; !said {
		b.Say(now, k, text)
	}
}

// Await says Unheard once, when PatienceMs have gone by since it was called first. It gives when to call it again, 0 for no
// more.
func (b *Book) Await(now int64, k Kind, driver string) (wake int64) {
	if _, said := b.said[k]; said {
		return 0
	}
	if b.await == 0 {
		b.await = now + PatienceMs*max(b.Scale, 1)
	}
	if now < b.await {
		return b.await
	}
	b.Once(now, k, Unheard(driver))
	return 0
}

// Take gives the lines that were written since it was asked last, oldest first; nil if there are none.
func (b *Book) Take() []string {
	var texts []string
	for _, l := range b.unread {
		texts = append(texts, l.text)
	}
	b.unread = b.unread[:0]
	return texts
}
