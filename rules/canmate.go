package rules

// Answer is an answer that may not be known.
type Answer uint8

// The answers.
const (
	Unknown Answer = iota
	Yes
	No
)

// String is "unknown", "yes" or "no".
func (a Answer) String() string {
	if a > No {
		return ""
	}
	return [...]string{"unknown", "yes", "no"}[a]
}

// MarshalText writes the answer's word.
func (a Answer) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// MateNodes is how many positions CanMate and Dead look at before they give up.
const MateNodes = 60_000

// CanMate answers whether a side can mate by some series of legal moves (6.9), both sides helping; the counts that end a game
// (9.6) are not asked. Yes and No are proved. Unknown means that a search of MateNodes positions has found neither a mate nor
// the end of what can be reached.
func (p *Position) CanMate(c Color) Answer { return p.CanMateWithin(c, MateNodes) }

// CanMateWithin is CanMate with a limit of its own on the positions that are looked at, each of which takes about 200 bytes
// while it works. With 0 only what the position shows without making a move is used. The answer depends on nothing else: it is
// the same on every machine.
func (p *Position) CanMateWithin(c Color, nodes int) Answer {
	if a := p.canMateStatic(c); a != Unknown || nodes <= 0 {
		return a
	}
	return p.findMate(c, nodes)
}

// canMateStatic answers by the state of the position, by the men and by where they can ever go.
func (p *Position) canMateStatic(c Color) Answer {
	switch state := p.State(); {
	case state == Checkmate && p.turn != c:
		return Yes
	case state == Checkmate, state == Stalemate, !p.MaterialToMate(c):
		return No
	}
	if !newReach(p).mayMate(c) {
		return No
	}
	return Unknown
}

// Dead answers whether neither side can mate by any series of legal moves (5.2.2), as CanMate does.
func (p *Position) Dead() Answer { return p.DeadWithin(MateNodes) }

// DeadWithin is Dead with a limit of its own on the positions that are looked at for each side.
func (p *Position) DeadWithin(nodes int) Answer {
	first := p.CanMateWithin(White, nodes)
	if first == Yes {
		return No
	}
	switch second := p.CanMateWithin(Black, nodes); {
	case second == Yes:
		return No
	case first == No && second == No:
		return Yes
	}
	return Unknown
}

// outcomeNodes is how many positions Outcome looks at for each side, where it searches at all.
const outcomeNodes = 12_000

// endsDead reports whether the position is dead (5.2.2) as far as can be told at every ply of a game: by the men on the board;
// where hardly a move is left, and where kings, bishops and knights are all that stands beside pawns that are stuck, by a
// short search. Dead looks everywhere, and longer.
func (p *Position) endsDead() bool {
	if p.InsufficientMaterial() {
		return true
	}
	if !p.blocked() {
		var buf, replies [256]Move
		moves := p.LegalMoves(buf[:0])
		if len(moves) > 2 {
			return false
		}
		// In a dead position every move leads to a dead one: that spares the search in most checks.
		for _, m := range moves {
			next := p.After(m)
			if !next.InsufficientMaterial() && !next.blocked() && len(next.LegalMoves(replies[:0])) > 2 {
				return false
			}
		}
	}
	return p.DeadWithin(outcomeNodes) == Yes
}

// blocked reports that kings, bishops and knights are all that stands beside pawns of which at least three are stuck.
func (p *Position) blocked() bool {
	white, black := p.Pieces(White, Pawn), p.Pieces(Black, Pawn)
	return p.roles[Queen]|p.roles[Rook] == 0 && (white<<8&black).Len() >= 3
}

// Lost is the result, as PGN writes it, when a side resigns or its flag falls: the opponent has won, or the game is drawn if it is
// proved that the opponent cannot mate by any series of legal moves (5.1.2, 6.9). A mate or another end on the board goes
// before; that is Line.Outcome's to say.
func (p *Position) Lost(c Color) string {
	switch {
	case p.CanMate(c.Other()) == No:
		return "1/2-1/2"
	case c == White:
		return "0-1"
	}
	return "1-0"
}
