package rules

// Position is a position in the sense of the laws: what stands where, who is to move, and what castling and en passant are
// still possible, with the two counters of a FEN. It has exactly one king a side; whatever else may be wrong with it is said by
// Faults. It is a plain value without pointers: copy it freely. Two of them are equal by == if they also agree in their counters and in
// how they came about; Same compares as the laws do. Make one with Start, ParsePosition or Setup.Position; the zero value is
// not a position.
type Position struct {
	board     [64]Piece
	colors    [2]Bitboard
	roles     [King + 1]Bitboard
	castling  Bitboard // rooks with which castling is still possible (3.8.2.1)
	halfmove  uint32
	fullmove  uint32
	ep        Square // where a pawn may be taken en passant by a legal move, or NoSquare
	named     Square // the square crossed by the last move, or named by the set-up, though the capture may not be legal
	badRights bool   // the set-up named castling rights that cannot be, until a move is made
	turn      Color
	variant   Variant
}

// At is the piece on a square, NoPiece when it is empty or there is no such square.
func (p *Position) At(s Square) Piece {
	if s >= NoSquare {
		return NoPiece
	}
	return p.board[s]
}

// Pieces is the set of squares on which a side's men of one role stand.
func (p *Position) Pieces(c Color, r Role) Bitboard {
	if r > King {
		return 0
	}
	return p.colors[c&1] & p.roles[r]
}

// By is the set of squares on which a side's men stand.
func (p *Position) By(c Color) Bitboard { return p.colors[c&1] }

// Occupied is the set of all squares that are not empty.
func (p *Position) Occupied() Bitboard { return p.colors[White] | p.colors[Black] }

// Turn is the side to move.
func (p *Position) Turn() Color { return p.turn }

// King is where a side's king stands.
func (p *Position) King(c Color) Square { return p.Pieces(c, King).First() }

// EnPassant is the square on which a pawn may now be taken en passant (3.7.4), NoSquare unless such a capture is legal.
func (p *Position) EnPassant() Square { return p.ep }

// Castling is the set of squares of the rooks that have not lost the right to castle (3.8.2.1). Whether it is prevented for
// the moment is another matter.
func (p *Position) Castling() Bitboard { return p.castling }

// Halfmove is the number of plies since the last capture or pawn move (9.3, 9.6.2), counted from what the FEN said.
func (p *Position) Halfmove() int { return int(p.halfmove) }

// Fullmove is the number of the move, from 1; it rises after Black's moves.
func (p *Position) Fullmove() int { return int(p.fullmove) }

// Variant says how castling is written and which castling rights can be.
func (p *Position) Variant() Variant { return p.variant }

// Start is the initial position of standard chess (2.3).
func Start() Position { return start }

var start, _ = ParsePosition(StartFEN, Standard)

func (p *Position) put(s Square, piece Piece) {
	p.board[s] = piece
	p.colors[piece.Color()] |= s.Bit()
	p.roles[piece.Role()] |= s.Bit()
}

func (p *Position) remove(s Square) {
	piece := p.board[s]
	p.board[s] = NoPiece
	p.colors[piece.Color()] &^= s.Bit()
	p.roles[piece.Role()] &^= s.Bit()
}

// Attackers is the set of a side's men that attack a square (3.1.2), pinned ones included (3.1.3), whatever stands there.
func (p *Position) Attackers(s Square, by Color) Bitboard {
	if s >= NoSquare {
		return 0
	}
	return p.attackers(s, by, p.Occupied())
}

func (p *Position) attackers(s Square, by Color, occupied Bitboard) Bitboard {
	r := &p.roles
	return p.colors[by&1] & (knightAttacks[s&63]&r[Knight] |
		kingAttacks[s&63]&r[King] |
		pawnAttacks[by.Other()&1][s&63]&r[Pawn] |
		rookAttacks(s, occupied)&(r[Rook]|r[Queen]) |
		bishopAttacks(s, occupied)&(r[Bishop]|r[Queen]))
}

// attacked is the set of all squares that a side attacks, with some occupation of the board.
func (p *Position) attacked(by Color, occupied Bitboard) Bitboard {
	men := p.colors[by]
	pawns := men & p.roles[Pawn]
	var b Bitboard
	if by == White {
		b = pawns&^fileA<<7 | pawns&^fileH<<9
	} else {
		b = pawns&^fileA>>9 | pawns&^fileH>>7
	}
	for n := men & p.roles[Knight]; n != 0; {
		b |= knightAttacks[n.Pop()&63]
	}
	for d := men & (p.roles[Bishop] | p.roles[Queen]); d != 0; {
		b |= bishopAttacks(d.Pop(), occupied)
	}
	for o := men & (p.roles[Rook] | p.roles[Queen]); o != 0; {
		b |= rookAttacks(o.Pop(), occupied)
	}
	return b | kingAttacks[(men&p.roles[King]).First()&63]
}

// Checkers is the set of men that give check to the side to move (3.9.1).
func (p *Position) Checkers() Bitboard {
	return p.attackers(p.King(p.turn), p.turn.Other(), p.Occupied())
}

// InCheck reports whether the side to move is in check.
func (p *Position) InCheck() bool { return p.Checkers() != 0 }

// After is the position after a move that must be legal in p.
func (p Position) After(m Move) Position {
	p.Play(m)
	return p
}

// Play makes a move that must be legal in p: one of LegalMoves, or one for which IsLegal holds.
func (p *Position) Play(m Move) {
	us, from, to := p.turn, m.From(), m.To()
	piece := p.board[from]
	captured := p.board[to]
	p.halfmove++
	p.ep, p.named, p.badRights = NoSquare, NoSquare, false
	p.remove(from)
	if m.IsCastling() {
		k, r := m.Castling()
		p.remove(to)
		p.put(k, piece)
		p.put(r, captured)
	} else {
		switch {
		case captured != NoPiece:
			p.remove(to)
			p.halfmove = 0
		case m.IsEnPassant():
			p.remove(m.Victim())
		}
		if r := m.Promotion(); r != NoRole {
			p.put(to, NewPiece(us, r))
		} else {
			p.put(to, piece)
		}
	}
	if p.castling != 0 {
		p.castling &^= from.Bit() | to.Bit()
		if piece.Role() == King {
			p.castling &^= backRank(us)
		}
	}
	p.turn = us.Other()
	if us == Black {
		p.fullmove++
	}
	if piece.Role() == Pawn {
		p.halfmove = 0
		if from^to == 16 {
			p.setEnPassant((from + to) / 2)
		}
	}
}

// setEnPassant keeps the square that a pawn has just crossed if the side to move can take that pawn by a legal move, so that
// positions that are the same in the sense of 9.2.3 are the same here. A capture that only the own king forbids is remembered
// for Judge.
func (p *Position) setEnPassant(crossed Square) {
	for b := pawnAttacks[p.turn.Other()][crossed] & p.Pieces(p.turn, Pawn); b != 0; {
		p.named = crossed
		if p.enPassantLegal(b.Pop(), crossed) {
			p.ep = crossed
			return
		}
	}
}

// enPassantLegal reports whether a pawn may take en passant without leaving its own king attacked (3.9.2).
func (p *Position) enPassantLegal(from, to Square) bool {
	victim := NewSquare(to.File(), from.Rank()).Bit()
	occupied := p.Occupied()&^from.Bit()&^victim | to.Bit()
	return p.attackers(p.King(p.turn), p.turn.Other(), occupied)&^victim == 0
}
