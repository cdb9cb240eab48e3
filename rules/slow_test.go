package rules

import (
	"slices"
	"testing"
)

// slowMoves finds the legal moves in the plainest way that the laws allow to be written down: for every man every square it can
// reach, the move made on a bare board, and then a look at the own king. It shares no table with the generator.
func slowMoves(p *Position) (moves []Move) {
	us := p.Turn()
	for from := range NoSquare {
		piece := p.At(from)
		if piece == NoPiece || piece.Color() != us {
			continue
		}
		for to := range NoSquare {
			target := p.At(to)
			if from == to || target.Role() == King || target != NoPiece && target.Color() == us || !slowReaches(p, piece, from, to) {
				continue
			}
			board := p.board
			board[from], board[to] = NoPiece, piece
			kind := kindQuiet
			if piece.Role() == Pawn && from.File() != to.File() && target == NoPiece {
				board[NewSquare(to.File(), from.Rank())] = NoPiece
				kind = kindEnPassant
			}
			if slowAttacked(&board, slowKing(&board, us), us.Other()) {
				continue
			}
			if piece.Role() == Pawn && (to.Rank() == 7 && us == White || to.Rank() == 0 && us == Black) {
				for r := Knight; r <= Queen; r++ {
					moves = append(moves, newMove(from, to, r, kindQuiet))
				}
				continue
			}
			moves = append(moves, newMove(from, to, NoRole, kind))
		}
	}
	return append(moves, slowCastling(p)...)
}

func slowReaches(p *Position, piece Piece, from, to Square) bool {
	if piece.Role() != Pawn {
		return slowAttacks(&p.board, from, to)
	}
	forward, second := 1, 1
	if piece.Color() == Black {
		forward, second = -1, 6
	}
	files, ranks := to.File()-from.File(), (to.Rank()-from.Rank())*forward
	switch {
	case from.Rank() == 0 && files == 0, from.Rank() == 7 && files == 0:
		return false
	case files == 0 && ranks == 1:
		return p.At(to) == NoPiece
	case files == 0 && ranks == 2:
		return from.Rank() == second && p.At(to) == NoPiece && p.At((from+to)/2) == NoPiece
	case ranks == 1 && (files == 1 || files == -1):
		return p.At(to) != NoPiece || to == p.EnPassant()
	}
	return false
}

// slowAttacks reports whether the man on one square attacks another one (3.1.2).
func slowAttacks(board *[64]Piece, from, to Square) bool {
	files, ranks := to.File()-from.File(), to.Rank()-from.Rank()
	far, near := max(files, -files, ranks, -ranks), min(max(files, -files), max(ranks, -ranks))
	piece := board[from]
	switch piece.Role() {
	case Pawn:
		return near == 1 && far == 1 && (ranks == 1) == (piece.Color() == White)
	case Knight:
		return far == 2 && near == 1
	case King:
		return far == 1
	case NoRole:
		return false
	}
	straight, diagonal := near == 0, near == far
	if far == 0 || piece.Role() == Rook && !straight || piece.Role() == Bishop && !diagonal || !straight && !diagonal {
		return false
	}
	for i := 1; i < far; i++ {
		if board[NewSquare(from.File()+files/far*i, from.Rank()+ranks/far*i)] != NoPiece {
			return false
		}
	}
	return true
}

func slowAttacked(board *[64]Piece, s Square, by Color) bool {
	for from, piece := range board {
		if piece != NoPiece && piece.Color() == by && slowAttacks(board, Square(from), s) {
			return true
		}
	}
	return false
}

func slowKing(board *[64]Piece, c Color) Square {
	return Square(slices.Index(board[:], NewPiece(c, King)))
}

func slowCastling(p *Position) (moves []Move) {
	us := p.Turn()
	king := p.King(us)
	for rook := range NoSquare {
		if !p.Castling().Has(rook) || p.At(rook) != NewPiece(us, Rook) {
			continue
		}
		m := newMove(king, rook, NoRole, kindCastling)
		kingTo, rookTo := m.Castling()
		ok := true
		low, high := min(king, rook, kingTo, rookTo), max(king, rook, kingTo, rookTo)
		for s := low; s <= high; s++ {
			if s != king && s != rook && p.At(s) != NoPiece && (slowBetween(s, king, kingTo) || slowBetween(s, rook, rookTo)) {
				ok = false
			}
			if slowBetween(s, king, kingTo) && slowAttacked(&p.board, s, us.Other()) {
				ok = false
			}
		}
		board := p.board
		board[king], board[rook] = NoPiece, NoPiece
		board[kingTo], board[rookTo] = NewPiece(us, King), NewPiece(us, Rook)
		if ok && !slowAttacked(&board, kingTo, us.Other()) {
			moves = append(moves, m)
		}
	}
	return moves
}

// slowBetween reports whether a square lies on the way from one to another on the same rank, both included.
func slowBetween(s, a, b Square) bool { return s >= min(a, b) && s <= max(a, b) }

func compareWithSlow(t interface {
	Helper()
	Fatalf(string, ...any)
}, p *Position) {
	t.Helper()
	fast, slow := p.LegalMoves(nil), slowMoves(p)
	slices.Sort(fast)
	slices.Sort(slow)
	if !slices.Equal(fast, slow) {
		t.Fatalf("%s: %d moves, by the slow way %d: %v, %v", p.FEN(), len(fast), len(slow), fast, slow)
	}
}

func TestSlowMoves(t *testing.T) {
	t.Parallel()
	for _, f := range perftFiles {
		for i, l := range readPerft(t, f.name) {
			p := position(t, l.fen, f.variant)
			if i%7 != 0 && !full || len(slowMoves(&p)) == int(l.counts[0].leaves) {
				continue
			}
			t.Errorf("%s: %d moves, want %d", l.fen, len(slowMoves(&p)), l.counts[0].leaves)
		}
	}
}
