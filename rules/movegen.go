package rules

// LegalMoves appends the legal moves of a position to buf, in an order that is always the same, and allocates nothing while
// buf has room (218 moves are the most known in a reachable position). It is total: it serves any position with one king a
// side, also irregular ones. A king is never captured (3.9), and a pawn on the first or last rank has no move forward.
func (p *Position) LegalMoves(buf []Move) []Move {
	us, them := p.turn, p.turn.Other()
	king := p.King(us)
	own, enemy := p.colors[us], p.colors[them]
	occupied := own | enemy
	checkers := p.attackers(king, them, occupied)

	allowed := ^own &^ p.roles[King]
	if targets := kingAttacks[king&63] & allowed; targets != 0 || p.castling&own != 0 {
		danger := p.attacked(them, occupied&^king.Bit())
		buf = appendMoves(buf, king, targets&^danger)
		if checkers == 0 {
			for rooks := p.castling & own; rooks != 0; {
				if m := newMove(king, rooks.Pop(), NoRole, kindCastling); p.castlingLegal(m, danger) {
					buf = append(buf, m)
				}
			}
		}
	}
	if checkers != 0 {
		if checkers&(checkers-1) != 0 {
			return buf // only the king can answer two checkers
		}
		allowed &= checkers | between[king&63][checkers.First()&63]
	}

	pinned := p.pinned(king, own, enemy)
	if p.ep != NoSquare {
		for b := pawnAttacks[them][p.ep&63] & own & p.roles[Pawn]; b != 0; {
			if from := b.Pop(); p.enPassantLegal(from, p.ep) {
				buf = append(buf, newMove(from, p.ep, NoRole, kindEnPassant))
			}
		}
	}
	pawns := own & p.roles[Pawn]
	buf = appendPawnMoves(buf, us, pawns&^pinned, occupied, enemy, allowed)
	for b := pawns & pinned; b != 0; {
		s := b.Pop()
		buf = appendPawnMoves(buf, us, s.Bit(), occupied, enemy, allowed&line[king&63][s&63])
	}
	for b := own & p.roles[Knight] &^ pinned; b != 0; {
		s := b.Pop()
		buf = appendMoves(buf, s, knightAttacks[s&63]&allowed)
	}
	for b := own & (p.roles[Bishop] | p.roles[Queen]); b != 0; {
		s := b.Pop()
		t := bishopAttacks(s, occupied) & allowed
		if pinned.Has(s) {
			t &= line[king&63][s&63]
		}
		buf = appendMoves(buf, s, t)
	}
	for b := own & (p.roles[Rook] | p.roles[Queen]); b != 0; {
		s := b.Pop()
		t := rookAttacks(s, occupied) & allowed
		if pinned.Has(s) {
			t &= line[king&63][s&63]
		}
		buf = appendMoves(buf, s, t)
	}
	return buf
}

// pinned is the set of own men that stand alone between their king and an enemy slider: they may only move on that line.
func (p *Position) pinned(king Square, own, enemy Bitboard) Bitboard {
	var pinned Bitboard
	snipers := rookAttacks(king, enemy)&(p.roles[Rook]|p.roles[Queen]) |
		bishopAttacks(king, enemy)&(p.roles[Bishop]|p.roles[Queen])
	for snipers &= enemy; snipers != 0; {
		b := between[king&63][snipers.Pop()&63] & own
		if b&(b-1) == 0 {
			pinned |= b
		}
	}
	return pinned
}

// castlingLegal reports whether castling with a rook that has the right is possible now (3.8.2.2); the king is not in check.
func (p *Position) castlingLegal(m Move, danger Bitboard) bool {
	king, rook := m.From(), m.To()
	kingTo, rookTo := m.Castling()
	path := between[king&63][kingTo&63] | kingTo.Bit()
	occupied := p.Occupied() &^ king.Bit() &^ rook.Bit()
	if (path|between[rook&63][rookTo&63]|rookTo.Bit())&occupied != 0 || path&danger != 0 {
		return false
	}
	// In Chess960 the rook may have been what kept the king's new square from attack along the rank.
	return rookAttacks(kingTo, occupied|rookTo.Bit())&p.colors[p.turn.Other()]&(p.roles[Rook]|p.roles[Queen]) == 0
}

func appendMoves(buf []Move, from Square, targets Bitboard) []Move {
	for targets != 0 {
		buf = append(buf, Move(from)|Move(targets.Pop())<<6)
	}
	return buf
}

// appendPawnMoves gives pushes (3.7.1, 3.7.2), captures (3.7.3) and promotions (3.7.5) that end on an allowed square.
func appendPawnMoves(buf []Move, us Color, pawns, occupied, enemy, allowed Bitboard) []Move {
	if us == White {
		one := pawns &^ endRanks << 8 &^ occupied
		two := one & (rank1 << 16) << 8 &^ occupied & allowed
		buf = appendPawns(buf, -8, one&allowed)
		buf = appendPawns(buf, -16, two)
		buf = appendPawns(buf, -7, pawns&^fileA<<7&enemy&allowed)
		return appendPawns(buf, -9, pawns&^fileH<<9&enemy&allowed)
	}
	one := pawns &^ endRanks >> 8 &^ occupied
	two := one & (rank1 << 40) >> 8 &^ occupied & allowed
	buf = appendPawns(buf, 8, one&allowed)
	buf = appendPawns(buf, 16, two)
	buf = appendPawns(buf, 9, pawns&^fileA>>9&enemy&allowed)
	return appendPawns(buf, 7, pawns&^fileH>>7&enemy&allowed)
}

func appendPawns(buf []Move, back int, targets Bitboard) []Move {
	for t := targets &^ endRanks; t != 0; {
		to := t.Pop()
		buf = append(buf, Move(int(to)+back)|Move(to)<<6)
	}
	for t := targets & endRanks; t != 0; {
		to := t.Pop()
		from := Square(int(to) + back)
		for r := Queen; r >= Knight; r-- {
			buf = append(buf, newMove(from, to, r, kindQuiet))
		}
	}
	return buf
}

// HasLegalMove reports whether the side to move has any legal move. Mostly the answer is found without looking for all moves.
func (p *Position) HasLegalMove() bool {
	us := p.turn
	own, enemy := p.colors[us], p.colors[us.Other()]
	king := p.King(us)
	if p.attackers(king, us.Other(), own|enemy) == 0 {
		free := own &^ p.pinned(king, own, enemy)
		pawns := free & p.roles[Pawn] &^ endRanks
		if us == White {
			pawns <<= 8
		} else {
			pawns >>= 8
		}
		if pawns&^(own|enemy) != 0 {
			return true
		}
		for knights := free & p.roles[Knight]; knights != 0; {
			if knightAttacks[knights.Pop()&63]&^own&^p.roles[King] != 0 {
				return true
			}
		}
	}
	var buf [256]Move
	return len(p.LegalMoves(buf[:0])) != 0
}

// IsLegal reports whether a move, wherever it comes from, is legal here.
func (p *Position) IsLegal(m Move) bool {
	var buf [256]Move
	for _, l := range p.LegalMoves(buf[:0]) {
		if l == m {
			return true
		}
	}
	return false
}
