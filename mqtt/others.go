package mqtt

import "github.com/boardd/boardd/game"

// State is the body of the topic state, for doors that say the same.
func (d *Door) State(s game.StampedSnapshot) []byte { return d.stateOf(s) }

// Event is the body of the topic event, or arbiter, for doors that say the same.
func (d *Door) Event(e *game.StampedEvent) ([]byte, error) { return d.eventOf(e) }

// Announce has everything retained published again, for doors that take that command. It does not wait; where too much has been asked
// for already, or no broker is there, that is left out: what is retained is published at each connection anyway.
func (d *Door) Announce() {
	select {
	case d.errands <- errand{all: true, quiet: true}:
	default:
	}
}
