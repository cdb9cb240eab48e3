package rules

// Line is a game as far as the laws need to know it: a position to start from and the plies made since, with all positions on
// the way. It is not safe for use by several goroutines at once while one of them changes it.
type Line struct {
	positions []Position
	moves     []Move
	keys      []uint64
}

// NewLine begins a game at a position.
func NewLine(start Position) *Line {
	return &Line{positions: []Position{start}, keys: []uint64{start.Key()}}
}

// Play makes a move that must be legal in Position.
func (l *Line) Play(m Move) {
	p := l.Position().After(m)
	l.moves = append(l.moves, m)
	l.positions = append(l.positions, p)
	l.keys = append(l.keys, p.Key())
}

// Undo takes back the last n plies, all of them if there are fewer.
func (l *Line) Undo(n int) {
	n = min(max(n, 0), len(l.moves))
	l.moves = l.moves[:len(l.moves)-n]
	l.positions = l.positions[:len(l.positions)-n]
	l.keys = l.keys[:len(l.keys)-n]
}

// Len is the number of plies made.
func (l *Line) Len() int { return len(l.moves) }

// Move is the ply with index i, from 0 to Len()-1.
func (l *Line) Move(i int) Move { return l.moves[i] }

// At is the position after a number of plies, from 0 to Len().
func (l *Line) At(ply int) Position { return l.positions[ply] }

// Position is the position now.
func (l *Line) Position() Position { return l.positions[len(l.positions)-1] }

// Start is the position from which the game began.
func (l *Line) Start() Position { return l.positions[0] }

// Count says how often the position now on the board has stood in this line, this time and the start included (9.2.3).
func (l *Line) Count() int {
	last := len(l.positions) - 1
	p := &l.positions[last]
	count := 1
	// A position cannot come back over a capture or pawn move, so only the plies since then are looked at.
	for i := last - 2; i >= 0 && i >= last-p.Halfmove(); i -= 2 {
		if l.keys[i] == l.keys[last] && l.positions[i].Same(p) {
			count++
		}
	}
	return count
}

// Claim is a draw that the side to move may claim.
type Claim uint8

// What may be claimed: nothing, three occurrences of the position (9.2), fifty moves by each side without capture or pawn move
// (9.3).
const (
	NoClaim Claim = iota
	Threefold
	Fifty
)

// String is "none", "threefold" or "fifty".
func (c Claim) String() string {
	if c > Fifty {
		return ""
	}
	return [...]string{"none", "threefold", "fifty"}[c]
}

// MarshalText writes the claim's name.
func (c Claim) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// Claimable says what the side to move may claim for the position on the board (9.2.2, 9.3.2); nothing when mate, stalemate
// or a dead position has ended the game.
func (l *Line) Claimable() Claim {
	p := &l.positions[len(l.positions)-1]
	count, halfmove := l.Count(), p.Halfmove()
	if count < 3 && halfmove < 100 || !p.HasLegalMove() || l.endsDead() {
		return NoClaim
	}
	if count >= 3 {
		return Threefold
	}
	return Fifty
}

// ClaimBy says what the side to move may claim by writing down a move, which must be legal, without making it (9.2.1, 9.3.1).
func (l *Line) ClaimBy(m Move) Claim {
	l.Play(m)
	defer l.Undo(1)
	return l.Claimable()
}

// endsDead reports whether the position now on the board is dead. Among stuck pawns it becomes so by a capture, by a pawn's move or when
// a capture en passant is passed up: other moves can be undone, but for forced ones, after which the next capture says it. So no search
// is made again after them.
func (l *Line) endsDead() bool {
	last := len(l.moves)
	p := &l.positions[last]
	if last > 0 && p.Halfmove() > 0 && l.positions[last-1].EnPassant() == NoSquare && p.blocked() {
		return p.InsufficientMaterial()
	}
	return p.endsDead()
}

// Outcome is what has ended a game by itself.
type Outcome uint8

// The outcomes: mate (5.1.1), stalemate (5.2.1), dead position (5.2.2), five occurrences (9.6.1), 75 moves by each side
// without capture or pawn move (9.6.2). Resignations, agreements, flags and claims are not the position's to know.
const (
	NoOutcome Outcome = iota
	Checkmated
	Stalemated
	Dead
	Fivefold
	SeventyFive
)

// String is "none", "checkmate", "stalemate", "dead", "fivefold" or "75moves".
func (o Outcome) String() string {
	if o > SeventyFive {
		return ""
	}
	return [...]string{"none", "checkmate", "stalemate", "dead", "fivefold", "75moves"}[o]
}

// MarshalText writes the outcome's name.
func (o Outcome) MarshalText() ([]byte, error) { return []byte(o.String()), nil }

// Outcome says what has ended the game in the position now on the board. Mate goes before everything else (9.6.2). A dead
// position is found where the men show it, or a short search where kings, bishops and knights stand among stuck pawns or hardly
// a move is left; Position.Dead knows some more.
func (l *Line) Outcome() Outcome {
	p := &l.positions[len(l.positions)-1]
	if !p.HasLegalMove() {
		if p.InCheck() {
			return Checkmated
		}
		return Stalemated
	}
	switch {
	case l.endsDead():
		return Dead
	case l.Count() >= 5:
		return Fivefold
	case p.Halfmove() >= 150:
		return SeventyFive
	}
	return NoOutcome
}
