package rules

import (
	"strings"
	"testing"
)

func seedFENs(f *testing.F) []string {
	fens := []string{StartFEN, kiwipete, "8/8/8/8/8/8/8/8 w - - 0 1", "8/8/8/3kK3/8/8/8/8 w - - 0 1", "P3k3/8/8/8/8/8/8/p3K2r b KQ e3 0 1"}
	for _, name := range []string{"tricky.epd", "unreachable.epd", "chess960-tricky.epd"} {
		for _, l := range readPerft(f, name) {
			fens = append(fens, l.fen)
		}
	}
	return fens
}

// FuzzParseFEN: no text crashes the reader; what it reads is written in one form, which is read as the same position; and the
// moves of whatever position comes out can all be made.
func FuzzParseFEN(f *testing.F) {
	for _, fen := range append(seedFENs(f), "", "w", "////////", "8/8/8/8/8/8/8/8 w KQkq a3 1 1") {
		f.Add(fen, false)
		f.Add(fen, true)
	}
	f.Fuzz(func(t *testing.T, fen string, chess960 bool) {
		v := Standard
		if chess960 {
			v = Chess960
		}
		s, err := ParseFEN(fen, v)
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("not one line: %q", err)
			}
			return
		}
		p, err := s.Position(v)
		if err != nil {
			if _, ok := err.(*KingsError); !ok {
				t.Errorf("%s: %v", fen, err)
			}
			return
		}
		checkConsistent(t, &p)
		p.Faults()
		p.State()
		for _, m := range p.LegalMoves(nil) {
			if p.At(m.To()).Role() == King {
				t.Errorf("%s: %s takes a king", fen, p.UCI(m))
			}
			q := p.After(m)
			checkConsistent(t, &q)
			q.Faults()
		}
	})
}

// FuzzLegalMovesAreLegal: the moves of a position are exactly those that keep the king safe, by a count that knows no pins: every
// pseudo-legal move is made, and the king looked at.
func FuzzLegalMovesAreLegal(f *testing.F) {
	for _, fen := range seedFENs(f) {
		f.Add(fen, false, []byte{0, 1, 2})
		f.Add(fen, true, []byte{7, 3})
	}
	f.Fuzz(func(t *testing.T, fen string, chess960 bool, path []byte) {
		v := Standard
		if chess960 {
			v = Chess960
		}
		p, err := ParsePosition(fen, v)
		if err != nil {
			return
		}
		for _, b := range path[:min(len(path), 30)] {
			compareWithSlow(t, &p)
			moves := p.LegalMoves(nil)
			if len(moves) == 0 {
				return
			}
			p.Play(moves[int(b)%len(moves)])
		}
		compareWithSlow(t, &p)
	})
}

// FuzzSAN: what is written is read as the same move, no two moves are written alike, and no text crashes the reader or is
// read as an illegal move.
func FuzzSAN(f *testing.F) {
	for i, fen := range seedFENs(f) {
		f.Add(fen, []string{"e4", "O-O", "Nbd7", "exd8=Q+", "R1a3#", "0-0-0", "Qh4e1", "e8", "x"}[i%9])
	}
	f.Fuzz(func(t *testing.T, fen, text string) {
		p, err := ParsePosition(fen, Standard)
		if err != nil {
			p = Start()
		}
		if m, err := p.ParseSAN(text); err == nil && !p.IsLegal(m) {
			t.Errorf("%s: %q is read as an illegal move", fen, text)
		}
		if _, v, err := NewLine(p).JudgeSAN(text); err == nil && v.Legal != p.IsLegal(v.Move) {
			t.Errorf("%s: %q is judged %v", fen, text, v)
		}
		written := map[string]Move{}
		for _, m := range p.LegalMoves(nil) {
			san := p.SAN(m)
			if other, ok := written[san]; ok {
				t.Errorf("%s: %s stands for %s and %s", fen, san, p.UCI(m), p.UCI(other))
			}
			written[san] = m
			if back, err := p.ParseSAN(san); err != nil || back != m {
				t.Errorf("%s: %s is read as %v, %v", fen, san, back, err)
			}
		}
	})
}

// FuzzParseUCI: no text crashes the reader; what it reads is legal and is written as a text that is read alike.
func FuzzParseUCI(f *testing.F) {
	for i, fen := range seedFENs(f) {
		f.Add(fen, []string{"e2e4", "e1g1", "e1h1", "a7a8q", "e2e9", "", "0000", "e7e8k"}[i%8], i%2 == 0)
	}
	f.Fuzz(func(t *testing.T, fen, text string, chess960 bool) {
		v := Standard
		if chess960 {
			v = Chess960
		}
		p, err := ParsePosition(fen, v)
		if err != nil {
			p = Start()
		}
		if m, err := p.ParseUCI(text); err == nil {
			if !p.IsLegal(m) {
				t.Errorf("%s: %q is read as an illegal move", fen, text)
			}
			if back, err := p.ParseUCI(p.UCI(m)); err != nil || back != m {
				t.Errorf("%s: %q is read as %v, %v", fen, p.UCI(m), back, err)
			}
		}
		if from, to, promotion, err := SplitUCI(text); err == nil {
			m, err := p.ParseUCI(text)
			switch verdict := p.Judge(from, to, promotion); {
			case err == nil && (!verdict.Legal || verdict.Move != m):
				t.Errorf("%s: %s is legal, and judged %v", fen, text, verdict)
			case err != nil && verdict.Legal && !verdict.Move.IsCastling():
				t.Errorf("%s: %s is judged legal: %v", fen, text, err)
			}
		}
	})
}

// FuzzParsePGN: no text crashes the reader, its errors are one line each and name a line of the text, and a game without a fault is
// written as a text that is read as the same game.
func FuzzParsePGN(f *testing.F) {
	f.Add("[Event \"Club\"]\n[Result \"1-0\"]\n\n1. e4! {[%clk 1:29:58] fine} e5 (1... c5 2. Nf3 (2. c3)) 2. Nf3 $1 *\n\n[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8(Q)+ 1-0")
	f.Add("[Variant \"Chess960\"]\n[FEN \"4k3/8/8/8/8/8/8/5KR1 w G - 0 1\"]\n\n1. 0-0 ; so\n% x\nKd7 {illegal move that stood: Ke5}")
	f.Add("1. e4 ( { ) } [ \" \\ ] <> $ -- ½-½")
	f.Add("{")
	f.Fuzz(func(t *testing.T, text string) {
		if len(text) > 1<<12 {
			return
		}
		lines := strings.Count(text, "\n") + 1
		for g, err := range ParsePGN(text) {
			if err != nil {
				fault, ok := err.(*PGNError)
				if !ok || fault.Line < 1 || fault.Line > lines || fault.Game < 1 || strings.ContainsAny(err.Error(), "\n\r") {
					t.Errorf("%q: %v", text, err)
				}
				continue
			}
			written := g.String()
			n := 0
			for back, err := range ParsePGN(written) {
				n++
				p, q := back.Line.Position(), g.Line.Position()
				if err != nil || back.String() != written || !p.Same(&q) {
					t.Errorf("%q is written %q and read as %q, %v", text, written, back.String(), err)
				}
			}
			if n != 1 {
				t.Errorf("%q is written as %d games: %q", text, n, written)
			}
		}
	})
}

// FuzzSetup: whatever stands on a board, it is a position or there is one line on why not; a position can be judged, written and
// played from, its faults and ends are answered, and a set-up made of it is the same position.
func FuzzSetup(f *testing.F) {
	f.Add([]byte("\x04\x02\x03\x05\x06\x03\x02\x04"), uint8(0), uint64(0x81), uint8(64), uint32(0), uint32(1), false)
	f.Add([]byte("\x06\x00\x0e\x01\x09\x07\x0f\x10\xff"), uint8(1), ^uint64(0), uint8(20), uint32(151), uint32(100), true)
	f.Fuzz(func(t *testing.T, men []byte, turn uint8, rights uint64, ep uint8, halfmove, fullmove uint32, chess960 bool) {
		s := Setup{Turn: Color(turn), Castling: Bitboard(rights), EnPassant: Square(ep), Halfmove: int(halfmove), Fullmove: int(fullmove)}
		for i, b := range men[:min(len(men), 64)] {
			s.Board[i] = Piece(b)
		}
		p, err := s.Position(Variant(b2i(chess960)))
		if err != nil {
			if strings.ContainsAny(err.Error(), "\n\r") {
				t.Errorf("not one line: %q", err)
			}
			return
		}
		checkSets(t, &p)
		back, err := p.Setup().Position(p.Variant())
		if err != nil || !back.Same(&p) {
			t.Fatalf("%s: %s, %v", p.FEN(), back.FEN(), err)
		}
		faults := p.Faults()
		p.CanMateWithin(White, 200)
		l := NewLine(p)
		l.Outcome()
		for _, m := range p.LegalMoves(nil) {
			q := p.After(m)
			checkSets(t, &q)
			if san := p.SAN(m); len(faults) == 0 {
				if m2, err := p.ParseSAN(san); err != nil || m2 != m {
					t.Errorf("%s: %s is read as %v, %v", p.FEN(), san, m2, err)
				}
			}
		}
		l.Judge(Square(ep), Square(turn), Role(rights))
	})
}
