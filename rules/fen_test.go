package rules

import (
	"errors"
	"strings"
	"sync"
	"testing"
)

func TestParseFEN(t *testing.T) {
	t.Parallel()
	const board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, c := range []struct {
		name, fen string
		code      string // of the error, "" if it is read
	}{
		{"start", StartFEN, ""},
		{"no fields", "", "fields"},
		{"four fields", board + " w KQkq -", "fields"},
		{"seven fields", StartFEN + " x", "fields"},
		{"two blanks", board + "  w KQkq - 0 1", "fields"},
		{"line end", StartFEN + "\n", "fullmove"},
		{"seven ranks", "8/8/8/8/8/8/8 w - - 0 1", "board"},
		{"nine ranks", "8/8/8/8/8/8/8/8/8 w - - 0 1", "board"},
		{"short rank", "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"long rank", "rnbqkbnr/ppppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"very long rank", strings.Repeat("p", 1000) + "/8/8/8/8/8/8/8 w - - 0 1", "board"},
		{"number after number", "rnbqkbnr/pppppppp/44/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"nine empty squares", "rnbqkbnr/pppppppp/9/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"zero empty squares", "rnbqkbnr/pppppppp/80/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"unknown piece", "rnbqkbnr/ppppxppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"not ASCII", "rnbqkbnr/ppppéppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"turn", board + " x KQkq - 0 1", "turn"},
		{"turn in capitals", board + " W KQkq - 0 1", "turn"},
		{"castling letter", board + " w xQkq - 0 1", "castling"},
		{"castling twice", board + " w KKkq - 0 1", "castling"},
		{"castling twice in two ways", board + " w KHkq - 0 1", "castling"},
		{"black first", board + " w kqKQ - 0 1", "castling"},
		{"three rights", "r3k2r/8/8/8/8/8/8/RR2K2R w ABH - 0 1", "castling"},
		{"dash and letter", board + " w -K - 0 1", "castling"},
		{"order within a side", board + " w QKqk - 0 1", ""},
		{"Shredder letters", board + " w HAha - 0 1", ""},
		{"en passant on the fifth rank", board + " w KQkq e5 0 1", "en-passant"},
		{"en passant nowhere", board + " w KQkq e 0 1", "en-passant"},
		{"en passant beyond the board", board + " w KQkq i6 0 1", "en-passant"},
		{"impossible en passant is a fault, not an error", board + " w KQkq e3 0 1", ""},
		{"halfmove negative", board + " w KQkq - -1 1", "halfmove"},
		{"halfmove with sign", board + " w KQkq - +1 1", "halfmove"},
		{"halfmove with leading zero", board + " w KQkq - 01 1", "halfmove"},
		{"halfmove no number", board + " w KQkq - - 1", "halfmove"},
		{"halfmove beyond the game", board + " w KQkq - 500 50", "halfmove"},
		{"halfmove typed without a move number", board + " w KQkq - 150 1", ""},
		{"halfmove in a game that went on", "8/8/8/4k3/8/8/1R6/4K3 w - - 500 300", ""},
		{"fullmove zero", board + " w KQkq - 0 0", "fullmove"},
		{"fullmove huge", board + " w KQkq - 0 99999999999999999999", "fullmove"},
		{"no kings is a set-up", "8/8/8/8/8/8/8/8 w - - 0 1", ""},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			for _, v := range []Variant{Standard, Chess960} {
				_, err := ParseFEN(c.fen, v)
				var fault *FENError
				switch errors.As(err, &fault) {
				case true:
					if fault.Code != c.code {
						t.Errorf("%v: code %q, want %q: %v", v, fault.Code, c.code, err)
					}
					if strings.ContainsAny(err.Error(), "\n\r") || len(err.Error()) > 400 {
						t.Errorf("not one short line: %q", err)
					}
				default:
					if err != nil || c.code != "" {
						t.Errorf("%v: %v, want code %q", v, err, c.code)
					}
				}
			}
		})
	}
}

func TestFENWritten(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, in, out string
		variant       Variant
	}{
		{"start", StartFEN, "", Standard},
		{"no capture possible", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq e3 0 1", "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1", Standard},
		{"capture possible", "4k3/8/8/8/3pP3/8/8/4K3 b - e3 0 1", "", Standard},
		{"capture illegal", "8/8/8/K2pP2r/8/8/8/4k3 w - d6 0 1", "8/8/8/K2pP2r/8/8/8/4k3 w - - 0 1", Standard},
		{"rights sorted", "r3k2r/8/8/8/8/8/8/R3K2R w QKqk - 12 34", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 12 34", Standard},
		{"rights in letters", "r3k2r/8/8/8/8/8/8/R3K2R b AHa - 0 1", "r3k2r/8/8/8/8/8/8/R3K2R b KQq - 0 1", Standard},
		{"960 in X-FEN", "1rkr3b/1ppn3p/3pB1n1/6q1/R2P4/4N1P1/1P5P/2KRQ1B1 b Kkq - 0 14", "1rkr3b/1ppn3p/3pB1n1/6q1/R2P4/4N1P1/1P5P/2KRQ1B1 b Ddb - 0 14", Chess960},
		{"960 inner rook", "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w E - 0 20", "", Chess960},
		{"960 outer rook", "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w K - 0 20", "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w F - 0 20", Chess960},
	} {
		want := c.out
		if want == "" {
			want = c.in
		}
		p := position(t, c.in, c.variant)
		if got := p.FEN(); got != want {
			t.Errorf("%s: %s, want %s", c.name, got, want)
		}
	}
}

// TestXFEN: outer rooks by K and Q, inner ones by their file; what is written is read as the same position.
func TestXFEN(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ fen, want string }{
		{"rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w E - 0 20", "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w E - 0 20"},
		{"rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w F - 0 20", "rr6/2kpp3/1ppn2p1/p2b1q1p/P4P1P/1PNN2P1/2PP4/1K2RR2 w K - 0 20"},
		{"1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9", "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w KQkq - 0 9"},
		{"r3kr2/8/8/8/8/8/8/RR2K3 b Bfa - 0 9", "r3kr2/8/8/8/8/8/8/RR2K3 b Bkq - 0 9"},
	} {
		p := position(t, c.fen, Chess960)
		got := p.XFEN()
		if back := position(t, got, Chess960); got != c.want || back != p {
			t.Errorf("%s: %s, want %s", c.fen, got, c.want)
		}
	}
	for _, l := range readPerft(t, "chess960.epd.gz") {
		p := position(t, l.fen, Chess960)
		if back := position(t, p.XFEN(), Chess960); back != p {
			t.Errorf("%s is written %s", l.fen, p.XFEN())
		}
	}
}

// TestFaults covers what rules-cases.tsv does not: several faults at once, Chess960, and that a move clears what a FEN named.
func TestFaults(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ name, fen, want string }{
		{"none", StartFEN, ""},
		{"four at once", "P3k3/8/8/8/8/8/8/4K2r b KQ e3 0 1", "pawn-rank opposite-check castling-rights ep-square"},
		{"king not on its square", "4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", "castling-rights"},
		{"960: king anywhere", "960 4k3/8/8/8/8/8/8/R2K3R w KQ - 0 1", ""},
		{"960: king not on its rank", "960 4k3/8/8/8/8/8/3K4/R6R w KQ - 0 1", "castling-rights"},
		{"960: two rooks on one side", "960 4k3/8/8/8/8/8/8/3K1R1R w FH - 0 1", "castling-rights"},
		{"960: a letter without a rook", "960 4k3/8/8/8/8/8/8/3K3R w G - 0 1", "castling-rights"},
		{"standard with an inner rook", "4k3/8/8/8/8/8/8/4K1R1 w G - 0 1", "castling-rights"},
		{"bishops of one colour", "4k3/8/8/8/8/8/PPPPPPPP/B1B1K3 w - - 0 1", "too-much-material"},
		{"bishops of both colours", "4k3/8/8/8/8/PPPPPPPP/8/B2BK3 w - - 0 1", ""},
		{"two lines opened by one pawn's capture", "4k3/4P3/8/8/1B6/8/8/4R1K1 b - - 0 1", ""},
		{"check by castling", "3k4/8/8/8/8/8/8/2KR4 b - - 0 1", ""},
		{"double check by promotion", "3Qk3/8/8/8/8/8/8/4R1K1 b - - 0 1", ""},
		{"double check en passant", "8/8/3P4/8/1kB5/8/1R6/6K1 b - - 0 1", ""},
	} {
		fen, chess960 := strings.CutPrefix(c.fen, "960 ")
		v := Standard
		if chess960 {
			v = Chess960
		}
		p := position(t, fen, v)
		var codes []string
		for _, f := range p.Faults() {
			codes = append(codes, f.Code)
			if f.Article != "3.10.3" {
				t.Errorf("%s: article %q", c.name, f.Article)
			}
		}
		if got := strings.Join(codes, " "); got != c.want {
			t.Errorf("%s: %q, want %q", c.name, got, c.want)
		}
	}
	p := position(t, "4k3/8/8/8/4P3/8/8/R3K3 w K e3 0 1", Standard)
	if n := len(p.Faults()); n != 2 {
		t.Errorf("%d faults, want 2", n)
	}
	p.Play(newMove(square(t, "e1"), square(t, "d1"), NoRole, kindQuiet))
	if f := p.Faults(); len(f) != 0 {
		t.Errorf("after a move still %v", f)
	}
}

func TestSetupByHand(t *testing.T) {
	t.Parallel()
	p := Start()
	good := p.Setup()
	if q, err := good.Position(Standard); err != nil || !q.Same(&p) || q.FEN() != StartFEN {
		t.Errorf("the start set up again: %v, %v", q.FEN(), err)
	}
	for name, spoil := range map[string]func(*Setup){
		"no such piece":    func(s *Setup) { s.Board[20] = 7 },
		"no such colour":   func(s *Setup) { s.Board[20] = 17 },
		"colour alone":     func(s *Setup) { s.Board[20] = 8 },
		"no such side":     func(s *Setup) { s.Turn = 2 },
		"no such square":   func(s *Setup) { s.EnPassant = 65 },
		"negative counter": func(s *Setup) { s.Halfmove = -1 },
		"no move number":   func(s *Setup) { s.Fullmove = 0 },
		"two kings":        func(s *Setup) { s.Board[20] = NewPiece(White, King) },
		"no king":          func(s *Setup) { s.Board[4] = NoPiece },
	} {
		s := good
		spoil(&s)
		if _, err := s.Position(Standard); err == nil {
			t.Errorf("%s is accepted", name)
		}
	}
	odd := good
	odd.EnPassant, odd.Castling = 0, ^Bitboard(0) // a1, and rights everywhere
	q, err := odd.Position(Standard)
	if err != nil || q.Castling() != p.Castling() || q.EnPassant() != NoSquare || len(q.Faults()) != 2 {
		t.Errorf("%v %v %v", err, q.FEN(), q.Faults())
	}
}

// TestFENsInParallel is for the race detector: nothing is shared between readers.
func TestFENsInParallel(t *testing.T) {
	t.Parallel()
	var wg sync.WaitGroup
	for range 8 {
		wg.Go(func() {
			for range 200 {
				p, err := ParsePosition(kiwipete, Standard)
				if err != nil || p.FEN() != kiwipete {
					t.Errorf("%s, %v", p.FEN(), err)
				}
			}
		})
	}
	wg.Wait()
}

func TestVariants(t *testing.T) {
	t.Parallel()
	for _, v := range []Variant{Standard, Chess960} {
		if got, err := ParseVariant(v.String()); err != nil || got != v {
			t.Errorf("%v is read as %v, %v", v, got, err)
		}
	}
	if _, err := ParseVariant("atomic"); err == nil {
		t.Error("atomic is accepted")
	}
}
