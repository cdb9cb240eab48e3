package rules

import "strings"

// Escapes are the kinds of legal move by which a king in check can be helped, as a set.
type Escapes uint8

// The three ways out of check: the king goes away, the man that gives check is captured, something is put between. A king that
// captures the man that checks it does the first two at once.
const (
	EscapeMove Escapes = 1 << iota
	EscapeCapture
	EscapeInterpose
)

var escapeNames = [...]string{"move", "capture", "interpose"}

// Names are the words "move", "capture" and "interpose", those that are in the set, in this order; empty for none.
func (e Escapes) Names() []string {
	names := []string{}
	for i, n := range escapeNames {
		if e>>i&1 != 0 {
			names = append(names, n)
		}
	}
	return names
}

// String is the names with commas between, "" for none.
func (e Escapes) String() string { return strings.Join(e.Names(), ",") }

// Escapes says which ways out of check the side to move has (3.9): none when it is not in check, and none when it is mated.
func (p *Position) Escapes() Escapes {
	checkers := p.Checkers()
	if checkers == 0 {
		return 0
	}
	king := p.King(p.turn)
	var e Escapes
	var buf [256]Move
	for _, m := range p.LegalMoves(buf[:0]) {
		captures := checkers.Has(m.Victim())
		switch {
		case captures:
			e |= EscapeCapture
			if m.From() == king {
				e |= EscapeMove
			}
		case m.From() == king:
			e |= EscapeMove
		default:
			e |= EscapeInterpose
		}
	}
	return e
}
