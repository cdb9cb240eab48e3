package rules

import (
	"math/rand/v2"
	"strings"
	"testing"

	"pgregory.net/rapid"
)

// TestCanMateEndings asks about random positions of endings in which the side with the capitals can mate but for a few
// positions where it loses its men by force: there must be an answer.
func TestCanMateEndings(t *testing.T) {
	t.Parallel()
	random := rand.New(rand.NewPCG(1, 2))
	count := 4
	if full {
		count = 40
	}
	for _, men := range strings.Fields("KQk KRk KBBk KNNk KPk KNkn KNkb KBkb KBkn KNkr KNkp KBkp KPkp KNNkq KRkq KNkbb KNknn KNkrr KBkqp KPkq KPkqq KBkbn") {
		yes := 0
		for n := 0; n < count; {
			p, ok := randomEnding(random, men)
			if !ok {
				continue
			}
			n++
			switch a := p.CanMate(White); {
			case a == Yes:
				yes++
			case a == Unknown:
				t.Errorf("%s: %s: unknown", men, p.FEN())
			}
		}
		if yes < count*3/4 {
			t.Errorf("%s: only %d of %d can be mated", men, yes, count)
		}
	}
}

func randomEnding(random *rand.Rand, men string) (Position, bool) {
	s := Setup{EnPassant: NoSquare, Fullmove: 1, Turn: Color(random.IntN(2))}
	for _, letter := range []byte(men) {
		piece, _ := PieceFromLetter(letter)
		for {
			sq := Square(random.IntN(64))
			if s.Board[sq] == NoPiece && (piece.Role() != Pawn || !endRanks.Has(sq)) {
				s.Board[sq] = piece
				break
			}
		}
	}
	p, err := s.Position(Standard)
	return p, err == nil && len(p.Faults()) == 0 && p.State() < Checkmate && p.MaterialToMate(White)
}

func TestDead(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fen string
		dead      Answer
		white     Answer
		outcome   Outcome
	}{
		{"start", StartFEN, No, Yes, NoOutcome},
		{"the only move takes the last piece", "7k/8/8/8/8/8/6q1/7K w - - 0 1", Yes, No, Dead},
		{"the queen may be left alone", "7k/8/8/8/8/5q2/8/7K w - - 0 1", No, No, NoOutcome},
		{"a wall, kings alone", "4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", Yes, No, Dead},
		{"the same wall with a gap", "4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1", No, Yes, NoOutcome},
		{"a wall, bishops that cannot take it", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/2B1K3 w - - 0 1", Yes, No, Dead},
		{"a wall, a bishop that can", "2b1k3/8/8/1p1p1p1p/1P1P1P1P/8/8/3BK3 w - - 0 1", No, Yes, NoOutcome},
		{"four bishops in a cage of five squares", "7k/8/1p6/1Pp5/2Pp4/pB1Pp1p1/P1B1P1P1/1B1B2K1 b - - 0 1", Yes, No, Dead},
		{"three", "7k/8/1p6/1Pp5/2Pp4/pB1Pp1p1/P1B1P1P1/3B2K1 b - - 0 1", No, Yes, NoOutcome},
		{"mated", "R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1", No, Yes, Checkmated},
		{"stalemated", "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1", Yes, No, Stalemated},
		{"kings side by side", "8/8/8/3kK2Q/8/8/8/8 w - - 0 1", No, Yes, NoOutcome},
		{"pawns on their last ranks", "P3k3/8/8/8/8/8/8/p3K3 w - - 0 1", Yes, No, NoOutcome},
	} {
		p := position(t, c.fen, Standard)
		if got := p.Dead(); got != c.dead {
			t.Errorf("%s: dead %v, want %v", c.name, got, c.dead)
		}
		if got := p.CanMate(White); got != c.white {
			t.Errorf("%s: white can mate %v, want %v", c.name, got, c.white)
		}
		if got := NewLine(p).Outcome(); got != c.outcome {
			t.Errorf("%s: outcome %v, want %v", c.name, got, c.outcome)
		}
	}
}

// TestLost: resignation (5.1.2) and flag fall (6.9).
func TestLost(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, white, black string }{
		{"start", StartFEN, "0-1", "1-0"},
		{"a rook against a king", "4k3/8/8/8/8/8/8/4K2R w - - 0 1", "1/2-1/2", "1-0"},
		{"a knight against a queen", "4k2q/8/8/8/8/8/8/4KN2 w - - 0 1", "0-1", "1/2-1/2"},
		{"a knight against a rook", "4k2r/8/8/8/8/8/8/4KN2 w - - 0 1", "0-1", "1-0"},
		{"a bishop against a pawn", "4k3/7p/8/8/8/8/8/4KB2 w - - 0 1", "0-1", "1-0"},
		{"bishops behind a wall, of which one can give check", "7b/1k5B/7b/8/1p1p1p1p/1PpP1P1P/2P3K1/N7 b - - 0 1", "1/2-1/2", "1-0"},
	} {
		p := position(t, c.fen, Standard)
		if white, black := p.Lost(White), p.Lost(Black); white != c.white || black != c.black {
			t.Errorf("%s: %s, %s; want %s, %s", c.name, white, black, c.white, c.black)
		}
	}
}

// TestPropertyCanMate plays random games from positions with few men and stuck pawns. Where one ends in mate, no position before
// may have been called one from which that side cannot mate, nor dead; and what is proved without a search is never
// refuted by one.
func TestPropertyCanMate(t *testing.T) {
	t.Parallel()
	mates := 0
	rapid.Check(t, func(t *rapid.T) {
		p, ok := drawStuck(t)
		if !ok {
			t.Skip("no position")
		}
		for c := White; c <= Black; c++ {
			if p.canMateStatic(c) == No && p.State() < Checkmate && p.findMate(c, 3000) == Yes {
				t.Fatalf("%s: %v cannot mate, and can", p.FEN(), c)
			}
		}
		line := []Position{p}
		for range 120 {
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				break
			}
			p.Play(rapid.SampledFrom(moves).Draw(t, "move"))
			line = append(line, p)
		}
		if p.State() != Checkmate {
			return
		}
		mates++
		for i := range line {
			q := &line[i]
			if c := p.turn.Other(); q.CanMateWithin(c, 600) == No || q.InsufficientMaterial() || NewLine(*q).Outcome() == Dead {
				t.Fatalf("%s: %v cannot mate, and does in %s", q.FEN(), c, p.FEN())
			}
		}
	})
	if mates == 0 {
		t.Error("no game ended in mate")
	}
}

// drawStuck draws a position of kings, some men and pawns that mostly stand nose to nose.
func drawStuck(t *rapid.T) (Position, bool) {
	s := Setup{EnPassant: NoSquare, Fullmove: 1, Turn: Color(rapid.IntRange(0, 1).Draw(t, "turn"))}
	for f := range 8 {
		switch rank := rapid.IntRange(0, 6).Draw(t, "rank"); {
		case rank == 0:
		case rank < 6:
			s.Board[NewSquare(f, rank)] = NewPiece(White, Pawn)
			s.Board[NewSquare(f, rank+1)] = NewPiece(Black, Pawn)
		default:
			s.Board[NewSquare(f, rapid.IntRange(1, 6).Draw(t, "alone"))] = NewPiece(Color(f&1), Pawn)
		}
	}
	place := func(c Color, r Role) {
		for sq := rapid.IntRange(0, 63).Draw(t, r.String()); ; sq = (sq + 1) % 64 {
			if s.Board[sq] == NoPiece {
				s.Board[sq] = NewPiece(c, r)
				return
			}
		}
	}
	place(White, King)
	place(Black, King)
	for range rapid.IntRange(0, 4).Draw(t, "pieces") {
		place(Color(rapid.IntRange(0, 1).Draw(t, "colour")), Role(rapid.IntRange(int(Knight), int(Queen)).Draw(t, "role")))
	}
	p, err := s.Position(Standard)
	return p, err == nil
}
