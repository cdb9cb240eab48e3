package rules

// reach answers where the men of a position could ever come to stand, generously: what it leaves out cannot happen by any
// series of legal moves, what it holds may or may not. It grows sets from what stands on the board until nothing more is
// gained. A man can leave its square only if some square is free for it; a square is free if it is empty, or if its man can
// leave or be captured; a king never enters a square that a man which can neither leave nor be captured attacks. Pins, checks
// and whose turn it is are not looked at.
type reach struct {
	p     *Position
	count int
	men   [64]Piece
	home  [64]Square
	at    [64]Bitboard // squares on which a man may stand as what it is now
	as    [64]Bitboard // squares on which a pawn may stand after promotion
	free  Bitboard     // squares that may at some time be empty
	can   [2]Bitboard  // squares on which some man of a side, not its king, may stand
}

// newReach computes the sets.
func newReach(p *Position) *reach {
	r := &reach{p: p, free: ^p.Occupied()}
	for b := p.Occupied(); b != 0; {
		s := b.Pop()
		piece := p.board[s]
		r.men[r.count], r.home[r.count], r.at[r.count] = piece, s, s.Bit()
		if piece.Role() != King {
			r.can[piece.Color()] |= s.Bit()
		}
		r.count++
	}
	for r.grow() {
	}
	return r
}

// grow lets every man make one more step, and reports whether anything was gained.
func (r *reach) grow() bool {
	grown := false
	for i := range r.count {
		at, as, free := r.at[i], r.as[i], r.free
		switch r.men[i].Role() {
		case Pawn:
			r.pawn(i)
		case King:
			r.king(i)
		default:
			r.at[i] |= r.steps(r.men[i].Role(), at) & r.enterable(r.men[i].Color())
		}
		all := r.at[i] | r.as[i]
		if all&^r.home[i].Bit() != 0 {
			r.free |= r.home[i].Bit()
		}
		c := r.men[i].Color()
		r.free |= all & r.p.colors[c.Other()] &^ r.p.roles[King] // captured there
		if r.men[i].Role() != King {
			r.can[c] |= all
		}
		grown = grown || at != r.at[i] || as != r.as[i] || free != r.free
	}
	return grown
}

// enterable is the set of squares that a side's pieces may move to: free ones, and those where an opponent's man is taken.
func (r *reach) enterable(c Color) Bitboard {
	return r.free | r.p.colors[c.Other()]&^r.p.roles[King]
}

// steps is what a piece attacks from any of some squares, over squares that may be empty.
func (r *reach) steps(role Role, from Bitboard) (b Bitboard) {
	blocked := ^r.free
	for from != 0 {
		s := from.Pop()
		switch role {
		case Knight:
			b |= knightAttacks[s&63]
		case King:
			b |= kingAttacks[s&63]
		}
		if role == Bishop || role == Queen {
			b |= bishopAttacks(s, blocked)
		}
		if role == Rook || role == Queen {
			b |= rookAttacks(s, blocked)
		}
	}
	return b
}

func (r *reach) pawn(i int) {
	c := r.men[i].Color()
	targets := r.can[c.Other()]
	if r.p.turn == c {
		targets |= r.p.ep.Bit()
	}
	for from := r.at[i]; from != 0; {
		s := from.Pop()
		takes := pawnAttacks[c][s&63] & targets
		r.at[i] |= takes
		if takes.Has(r.p.ep) {
			r.free |= NewSquare(r.p.ep.File(), s.Rank()).Bit()
		}
		if endRanks.Has(s) {
			continue
		}
		ahead, second := s+8, s.Rank() == 1
		if c == Black {
			ahead, second = s-8, s.Rank() == 6
		}
		if r.free.Has(ahead) {
			r.at[i] |= ahead.Bit()
			if next := 2*ahead - s; second && r.free.Has(next) {
				r.at[i] |= next.Bit()
			}
		}
	}
	r.as[i] |= r.at[i] & backRank(c.Other())
	if r.as[i] != 0 {
		r.as[i] |= (r.steps(Queen, r.as[i]) | r.steps(Knight, r.as[i])) & r.enterable(c)
	}
}

func (r *reach) king(i int) {
	c := r.men[i].Color()
	r.at[i] |= r.steps(King, r.at[i]) & r.enterable(c) &^ r.barred(c.Other())
	for rooks := r.p.castling & r.p.colors[c]; rooks != 0; {
		rook := rooks.Pop()
		kingTo, rookTo := newMove(r.home[i], rook, NoRole, kindCastling).Castling()
		r.at[i] |= kingTo.Bit()
		for j := range r.count {
			if r.home[j] == rook {
				r.at[j] |= rookTo.Bit()
				r.can[c] |= rookTo.Bit()
				r.free |= rook.Bit()
			}
		}
	}
}

// barred is the set of squares that a side attacks for ever: by a man that can neither leave nor be captured. Of sliders only
// the squares beside them count, the others might be shut off.
func (r *reach) barred(by Color) (b Bitboard) {
	for fixed := r.p.colors[by] &^ r.free; fixed != 0; {
		s := fixed.Pop()
		switch role := r.p.board[s].Role(); role {
		case Pawn:
			b |= pawnAttacks[by][s&63]
		case Knight:
			b |= knightAttacks[s&63]
		case Bishop:
			b |= bishopAttacks(s, ^Bitboard(0))
		case Rook:
			b |= rookAttacks(s, ^Bitboard(0))
		default:
			b |= kingAttacks[s&63]
		}
	}
	return b
}

// mayMate is false where the sets show that a side can never mate: on no square that the other king may come to can there be a
// check with every square around covered by the one side or filled by the other.
func (r *reach) mayMate(c Color) bool {
	var attacked, guarded Bitboard // by men that can give check, and by the king as well
	var king Bitboard
	defer func(free Bitboard) { r.free = free }(r.free)
	r.free |= r.p.Pieces(c.Other(), King) // a check goes on behind the king
	for i := range r.count {
		if r.men[i].Color() != c {
			if r.men[i].Role() == King {
				king = r.at[i]
			}
			continue
		}
		switch role := r.men[i].Role(); role {
		case Pawn:
			for b := r.at[i]; b != 0; {
				attacked |= pawnAttacks[c][b.Pop()&63]
			}
			attacked |= r.steps(Queen, r.as[i]) | r.steps(Knight, r.as[i])
		case King:
			guarded |= r.at[i] | r.steps(King, r.at[i])
		default:
			attacked |= r.steps(role, r.at[i])
		}
	}
	guarded |= attacked | r.can[c.Other()]
	for king &= attacked; king != 0; {
		if around := kingAttacks[king.Pop()&63]; around&^guarded == 0 {
			return true
		}
	}
	return false
}
