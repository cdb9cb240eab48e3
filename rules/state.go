package rules

// State is what a position is by itself, without the moves that led to it.
type State uint8

// The states: the side to move may go on, must answer a check (3.9.1), is mated (5.1.1), has no legal move (5.2.1).
const (
	Ongoing State = iota
	Check
	Checkmate
	Stalemate
)

// String is "ongoing", "check", "checkmate" or "stalemate".
func (s State) String() string {
	return [...]string{"ongoing", "check", "checkmate", "stalemate"}[s&3]
}

// State says whether the side to move is in check, mated or stalemated.
func (p *Position) State() State {
	switch check, moves := p.InCheck(), p.HasLegalMove(); {
	case check && moves:
		return Check
	case check:
		return Checkmate
	case moves:
		return Ongoing
	}
	return Stalemate
}

// InsufficientMaterial reports whether the men on the board alone show that neither side can mate by any series of legal moves
// (5.2.2): kings with at most one knight, or with bishops that all run on squares of one colour. Other dead positions are not
// found by it.
func (p *Position) InsufficientMaterial() bool {
	return !p.MaterialToMate(White) && !p.MaterialToMate(Black)
}

// MaterialToMate is false where the men on the board alone show that a side can never mate (6.9), whatever the opponent does;
// true does not promise that it can.
func (p *Position) MaterialToMate(c Color) bool {
	own := p.colors[c&1]
	if own&(p.roles[Pawn]|p.roles[Rook]|p.roles[Queen]) != 0 {
		return true
	}
	if own&p.roles[Knight] != 0 {
		// A lone knight needs a man of the opponent that can stand in its own king's way; a queen always escapes it.
		return own.Len() > 2 || p.colors[c&1^1]&^p.roles[King]&^p.roles[Queen] != 0
	}
	if own&p.roles[Bishop] == 0 {
		return false
	}
	bishops := p.roles[Bishop]
	mixed := bishops&darkSquares != 0 && bishops&^darkSquares != 0
	return mixed || p.roles[Pawn]|p.roles[Knight] != 0
}
