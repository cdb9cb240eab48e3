package rules

import (
	"testing"

	"pgregory.net/rapid"
)

var propertyStarts = []struct {
	fen     string
	variant Variant
}{
	{StartFEN, Standard},
	{kiwipete, Standard},
	{"r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", Standard},
	{"4k3/pppppppp/8/8/8/8/PPPPPPPP/4K3 w - - 0 1", Standard},
	{"8/8/8/3kK3/8/8/8/8 w - - 0 1", Standard},
	{"P3k2r/8/8/8/8/8/8/p3K2r b k - 0 1", Standard},
	{"1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", Chess960},
	{"rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w E - 0 20", Chess960},
}

// drawLine plays a random game.
func drawLine(t *rapid.T) *Line {
	start := rapid.SampledFrom(propertyStarts).Draw(t, "start")
	p, err := ParsePosition(start.fen, start.variant)
	if err != nil {
		t.Fatal(err)
	}
	l := NewLine(p)
	for range rapid.IntRange(0, 60).Draw(t, "plies") {
		p := l.Position()
		moves := p.LegalMoves(nil)
		if len(moves) == 0 {
			break
		}
		l.Play(rapid.SampledFrom(moves).Draw(t, "move"))
	}
	return l
}

func TestPropertyGames(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLine(t)
		for i := range l.Len() {
			before, after := l.At(i), l.At(i+1)
			m := l.Move(i)
			if after.castling&^before.castling != 0 {
				t.Fatalf("%s: a right came back", after.FEN())
			}
			if before.turn == after.turn || after.Attackers(after.King(before.turn), after.turn) != 0 {
				t.Fatalf("%s: %s leaves the king attacked", before.FEN(), before.UCI(m))
			}
			if back, err := before.ParseUCI(before.UCI(m)); err != nil || back != m {
				t.Fatalf("%s: %s is read as %v, %v", before.FEN(), before.UCI(m), back, err)
			}
			if v := before.Judge(m.From(), m.To(), m.Promotion()); !v.Legal || v.Move != m {
				t.Fatalf("%s: %s is judged %v", before.FEN(), before.UCI(m), v)
			}
			if taken := before.Occupied().Len() - after.Occupied().Len(); taken > 1 || taken == 1 != (before.At(m.Victim()) != NoPiece && !m.IsCastling()) {
				t.Fatalf("%s: %s takes %d men", before.FEN(), before.UCI(m), taken)
			}
			if len(before.Faults()) == 0 && len(after.Faults()) != 0 {
				t.Fatalf("%s: %s leads to a position with faults %v", before.FEN(), before.UCI(m), after.Faults())
			}
			compareWithSlow(t, &after)
		}
	})
}

// TestPropertyCount compares the count of a position with a plain one over the whole game.
func TestPropertyCount(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p, err := ParsePosition("4k2r/8/8/8/8/8/8/R3K3 w Qk - 0 1", Standard)
		if err != nil {
			t.Fatal(err)
		}
		l := NewLine(p)
		for range rapid.IntRange(0, 80).Draw(t, "plies") {
			p := l.Position()
			moves := p.LegalMoves(nil)
			// Few moves, so that positions come back.
			l.Play(moves[rapid.IntRange(0, min(1, len(moves)-1)).Draw(t, "move")])
			p = l.Position()
			want := 0
			for i := range l.Len() + 1 {
				q := l.At(i)
				if q.Same(&p) {
					want++
				}
				if q.Same(&p) != (q.Key() == p.Key()) {
					t.Fatalf("%s and %s: keys do not tell", p.FEN(), q.FEN())
				}
			}
			if got := l.Count(); got != want {
				t.Fatalf("%s stood %d times, counted %d", p.FEN(), want, got)
			}
			if !p.HasLegalMove() {
				return
			}
		}
	})
}

// TestPropertyUndo: what is taken back and made again is the same game.
func TestPropertyUndo(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		l := drawLine(t)
		n := rapid.IntRange(0, l.Len()).Draw(t, "undo")
		end, count := l.Position(), l.Count()
		var moves []Move
		for i := l.Len() - n; i < l.Len(); i++ {
			moves = append(moves, l.Move(i))
		}
		l.Undo(n)
		for _, m := range moves {
			l.Play(m)
		}
		if l.Position() != end || l.Count() != count {
			t.Fatalf("%d plies taken back and made again lead elsewhere", n)
		}
	})
}

// TestPropertyJudge: whatever is asked about whatever stands on the board, there is an answer.
func TestPropertyJudge(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		s := Setup{EnPassant: Square(rapid.IntRange(0, 64).Draw(t, "en passant")), Fullmove: 1, Turn: Color(rapid.IntRange(0, 1).Draw(t, "turn"))}
		s.Castling = Bitboard(rapid.Uint64().Draw(t, "rights"))
		for range rapid.IntRange(0, 40).Draw(t, "men") {
			c, r := Color(rapid.IntRange(0, 1).Draw(t, "colour")), Role(rapid.IntRange(1, 5).Draw(t, "role"))
			s.Board[rapid.IntRange(0, 63).Draw(t, "square")] = NewPiece(c, r)
		}
		white := rapid.IntRange(0, 63).Draw(t, "white king")
		black := rapid.IntRange(0, 63).Filter(func(s int) bool { return s != white }).Draw(t, "black king")
		s.Board[white], s.Board[black] = NewPiece(White, King), NewPiece(Black, King)
		p, err := s.Position(Variant(rapid.IntRange(0, 1).Draw(t, "variant")))
		if err != nil {
			t.Fatal(err)
		}
		compareWithSlow(t, &p)
		p.Faults()
		l := NewLine(p)
		for range 50 {
			from, to := Square(rapid.IntRange(0, 65).Draw(t, "from")), Square(rapid.IntRange(0, 65).Draw(t, "to"))
			v := l.Judge(from, to, Role(rapid.IntRange(0, 6).Draw(t, "promotion")))
			if v.Legal != (v.Cause.Reason == NoReason) || v.Legal != p.IsLegal(v.Move) {
				t.Fatalf("%s: %v%v is judged %v", p.FEN(), from, to, v)
			}
		}
		for _, m := range p.LegalMoves(nil) {
			q := p.After(m)
			q.Faults()
			compareWithSlow(t, &q)
		}
	})
}
