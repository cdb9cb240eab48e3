package text

import (
	"fmt"

	"github.com/boardd/boardd/rules"
)

// start is the position of a new game.
const start = "RNBQKBNRPPPPPPPP................................pppppppprnbqkbnr"

// pickUp remembers a man in the air.
func (b *Board) pickUp(s rules.Square, man byte) {
	b.air = append(b.air, lifted{man, s})
}

// putDown finds the move that has been made when a man is set down somewhere else: the man of his kind that was lifted last.
// Boards of this sort know the rules; what is known here is enough for legal games: a rook belongs to the castling before, a
// pawn that vanished to the pawn that passed it, a new piece to the pawn that was lifted.
func (b *Board) putDown(s rules.Square, man byte) {
	if string(b.men[:]) == start {
		b.air, b.black, b.number = nil, false, 1
		if b.ready() && b.d.newGame != nil {
			b.d.newGame(b)
		}
		return
	}
	i := b.lastLifted(man)
	if last := s.Rank(); i < 0 && (last == 7 && isWhite(man) || last == 0 && !isWhite(man)) {
		i = b.lastLifted(map[bool]byte{true: 'P', false: 'p'}[isWhite(man)])
	}
	if i < 0 {
		return
	}
	from := b.air[i].from
	pawn := b.air[i].man
	b.air = append(b.air[:i], b.air[i+1:]...)
	if from == s || isWhite(man) == b.black { // put back, or a rook after its king
		return
	}
	m := move{from: from, to: s, man: pawn}
	if pawn != man {
		m.promoted = man
	}
	for _, a := range b.air {
		if isWhite(a.man) != isWhite(man) {
			m.captured = true
		}
	}
	m.passing = (pawn == 'P' || pawn == 'p') && from.File() != s.File() && !b.liftedFrom(s)
	b.air = nil
	if b.ready() {
		b.d.moved(b, m)
	}
	if b.black {
		b.number++
	}
	b.black = !b.black
}

func (b *Board) lastLifted(man byte) int {
	for i := len(b.air) - 1; i >= 0; i-- {
		if b.air[i].man == man {
			return i
		}
	}
	return -1
}

func (b *Board) liftedFrom(s rules.Square) bool {
	for _, a := range b.air {
		if a.from == s {
			return true
		}
	}
	return false
}

// move is a move that has been made.
type move struct {
	from, to rules.Square
	man      byte // that moved
	promoted byte // what it became, 0 for nothing
	captured bool
	passing  bool // en passant
}

// uci is the move as engines write it.
func (m move) uci() string {
	text := fmt.Sprintf("%v%v", m.from, m.to)
	if m.promoted != 0 {
		text += string(rune(m.promoted | 0x20))
	}
	return text
}

// castles is O-O, O-O-O or nothing.
func (m move) castles() string {
	if m.man|0x20 != 'k' {
		return ""
	}
	switch m.to.File() - m.from.File() {
	case 2:
		return "O-O"
	case -2:
		return "O-O-O"
	}
	return ""
}
