package rules

import (
	"errors"
	"slices"
	"strings"
	"sync"
	"testing"
)

// The tests of this file are faults that rule libraries and boards really had, found in public reports; the names are the
// numbers of the collected cases (CR-…) with the report.

func TestReportedPositions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, source, fen, moves string
		want                   string // FEN after the moves; "" not asked
		state                  State
	}{
		{"CR-01", "notnil/chess#4", StartFEN, "e2e4 c7c5", "rnbqkbnr/pp1ppppp/8/2p5/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", Ongoing},
		{"CR-02", "notnil/chess#39", "rn1qkbnr/pbpp1Qpp/1p6/4p3/2B1P3/8/PPPP1PPP/RNB1K1NR b KQkq - 0 1", "", "", Checkmate},
		{"CR-19", "alexobviously/bishop#77", "rnbqk1nr/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBNR w KQkq - 0 5", "h1h8",
			"rnbqk1nR/ppp1ppb1/6p1/3p4/8/2N5/PPPPPPP1/R1BQKBN1 b Qq - 0 5", Ongoing},
		{"CR-21", "jhlywa/chess.js#32", "b3k2r/5p2/4p3/1p5p/6p1/2PR2P1/BP3qNP/6QK b k - 2 28", "a8g2",
			"4k2r/5p2/4p3/1p5p/6p1/2PR2P1/BP3qbP/6QK w k - 0 29", Check},
		{"CR-35", "CorentinGS/chess#77", StartFEN, "e2e4 e7e5 f1c4 b8c6 d1h5 g8f6 h5f7", "", Checkmate},
	} {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			l := NewLine(position(t, c.fen, Standard))
			playUCI(t, l, strings.Fields(c.moves)...)
			p := l.Position()
			if c.want != "" && p.FEN() != c.want {
				t.Errorf("%s: %s, want %s", c.source, p.FEN(), c.want)
			}
			if p.State() != c.state {
				t.Errorf("%s: %v, want %v", c.source, p.State(), c.state)
			}
			if (l.Outcome() == Checkmated) != (p.State() == Checkmate) {
				t.Errorf("%s: outcome %v", c.source, l.Outcome())
			}
		})
	}
}

func TestReportedMoves(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, source, fen string
		legal, not      string
		count           int // of legal moves, 0 not asked
	}{
		{"CR-13", "nkarve/surge#6", "6k1/8/8/8/1Pp5/8/B7/6K1 b - b3 0 1", "c4b3", "", 0},
		{"CR-14", "dylhunn/dragontoothmg#4", "5r2/8/5kp1/2p2p1p/1pPp1K2/pP1P4/P7/B7 b - c3 0 45", "d4c3 b4c3", "", 0},
		{"CR-15", "casanche/casanchess#82", "k3r3/8/8/3Pp3/8/8/8/4K3 w - e6 0 1", "d5e6", "", 7},
		{"CR-17", "kz04px/libchess#17", "k6b/6pp/pp1P4/1R6/5pP1/8/K6P/7B b - g3 0 19", "a8a7 a8b8 f4f3", "f4g3", 3},
		{"CR-18", "ryanhs/chess.php#1", "8/RPP5/8/3k4/5Bp1/6Pp/P4P1P/5K2 w - - 1 42", "b7b8q b7b8n c7c8r c7c8b", "b7a8q b7a8", 0},
		{"CR-22", "lichess-org/lichobile#1957", "2r1k1r1/1Bq2pp1/4pn1p/1p5P/3P2R1/R1pN2P1/2Q1PP2/6K1 b kq - 0 1", "e8e7", "e8g8 e8h8 e8c8", 0},
		{"CR-23", "google-deepmind/open_spiel#1125", "4k1rr/1b1p3p/nn1p4/P3Np2/3P1bp1/6PP/P5R1/1B1K2N1 b k - 1 37", "e8e7", "e8g8 e8h8", 0},
		{"CR-45", "glinscott/Garbochess-JS#13", "5r2/6Pk/7p/2pB4/8/q7/8/6RK w - - 0 1",
			"g7f8q g7f8r g7f8b g7f8n g7g8q g7g8r g7g8b g7g8n", "g7f8 g7g8", 0},
		{"CR-53", "lichess-org/lila#14665", "rk1q1bnr/pppppppp/8/8/8/8/PPPPPPPP/RK1Q1BNR w KQkq - 0 1", "b1c1", "b1g1 b1h1 b1a1", 0},
		{"MD-62", "hpsaturn/esp32-chess-engine#1", "4k3/8/8/8/8/4r3/8/R3K2R w KQ - 0 1", "e1d1 e1d2 e1f1 e1f2", "a1a7 e1g1 e1c1", 4},
	} {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			p := position(t, c.fen, Standard)
			for _, m := range strings.Fields(c.legal) {
				if _, err := p.ParseUCI(m); err != nil {
					t.Errorf("%s: %v", c.source, err)
				}
			}
			for _, m := range strings.Fields(c.not) {
				if _, err := p.ParseUCI(m); err == nil {
					t.Errorf("%s: %s is legal", c.source, m)
				}
			}
			if n := len(p.LegalMoves(nil)); c.count != 0 && n != c.count {
				t.Errorf("%s: %d moves, want %d", c.source, n, c.count)
			}
		})
	}
}

// TestReportedForeignMove, CR-03, notnil/chess#11: a move made for one position is not legal in another.
func TestReportedForeignMove(t *testing.T) {
	t.Parallel()
	a := position(t, "4k3/8/8/8/8/8/8/4K2R w K - 0 1", Standard)
	b := position(t, "4k3/8/8/8/8/8/7R/4K3 w - - 0 1", Standard)
	m, err := a.ParseSAN("O-O")
	if err != nil || !a.IsLegal(m) {
		t.Fatal(err)
	}
	if b.IsLegal(m) || b.IsLegal(NoMove) || a.IsLegal(NoMove) {
		t.Error("a move of another position, or none at all, is legal")
	}
}

func TestReportedRepetitions(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, source, fen, moves string
		claim                  Claim
		outcome                Outcome
		at                     int // the ply from which on it may be claimed
	}{
		{"CR-05", "CorentinGS/chess#98", StartFEN, "f2f4 g8f6 g1f3 f6g8 f3g1 g8f6 g1f3 f6g8 f3g1", Threefold, NoOutcome, 9},
		{"CR-06", "bhlangonijr/chesslib#39", StartFEN, "e2e4 e7e5 f1e2 f8e7 e2f1 e7f8 f1d3 f8d6 d3f1 d6f8", Threefold, NoOutcome, 10},
		{"CR-07", "bhlangonijr/chesslib#39", "8/8/8/8/4p3/8/R2P3k/K7 w - - 0 37", "d2d4 h2h3 a2a3 h3h2 a3a2 h2h1 a2a3 h1h2 a3a2", Threefold, NoOutcome, 9},
		{"CR-09", "official-stockfish/Stockfish#6563", "5kbq/3Q2n1/6p1/r3PpKn/2n5/8/8/q7 w - f6 7 4", "d7c8 f8f7 c8d7 f7f8 d7d8 f8f7 d8d7 f7f8", Threefold, NoOutcome, 8},
		{"CR-43", "lichess-org/lila#13540", "8/8/4k3/4n3/8/4N3/3K4/8 w - - 0 1",
			"e3g2 e5g6 g2e3 g6e5 e3g2 e5g6 g2e3 g6e5 e3g2 e5g6 g2e3 g6e5 e3g2 e5g6 g2e3 g6e5", Threefold, Fivefold, 8},
	} {
		t.Run(c.id, func(t *testing.T) {
			t.Parallel()
			l := NewLine(position(t, c.fen, Standard))
			for i, m := range strings.Fields(c.moves) {
				playUCI(t, l, m)
				if got := l.Claimable(); got != NoClaim && i+1 < c.at {
					t.Errorf("%s: %v after %d plies", c.source, got, i+1)
				}
				if l.Len() == c.at && l.Claimable() == NoClaim {
					t.Errorf("%s: nothing to claim after %d plies", c.source, c.at)
				}
			}
			if l.Claimable() != c.claim || l.Outcome() != c.outcome {
				t.Errorf("%s: %v, %v; want %v, %v", c.source, l.Claimable(), l.Outcome(), c.claim, c.outcome)
			}
		})
	}
}

// TestReportedKey, CR-10, niklasf/python-chess#144: the capture of a pinned pawn does not make another position.
func TestReportedKey(t *testing.T) {
	t.Parallel()
	var lines [2]*Line
	for i, moves := range []string{"Nf3 Nf6 c4 Nc6 Qb3 e5 Qe3 e4 d4", "c4 e5 d4 Nc6 Qd3 Nf6 Nf3 e4 Qe3"} {
		lines[i] = NewLine(Start())
		playSAN(t, lines[i], strings.Fields(moves)...)
	}
	a, b := lines[0].Position(), lines[1].Position()
	if a.Key() != b.Key() || !a.Same(&b) || a.EnPassant() != NoSquare {
		t.Errorf("%s and %s differ", a.FEN(), b.FEN())
	}
}

// TestReportedClaim, CR-11, niklasf/python-chess#907: a claim with a move written down comes a ply before the position stands.
func TestReportedClaim(t *testing.T) {
	t.Parallel()
	l := NewLine(Start())
	playUCI(t, l, strings.Fields("g1f3 g8f6 f3g1 f6g8 g1f3 g8f6 f3g1")...)
	p := l.Position()
	m, err := p.ParseUCI("f6g8")
	if err != nil {
		t.Fatal(err)
	}
	if l.Claimable() != NoClaim || l.ClaimBy(m) != Threefold || l.Len() != 7 {
		t.Errorf("%v on the board, %v by Ng8", l.Claimable(), l.ClaimBy(m))
	}
}

func TestReportedSAN(t *testing.T) {
	t.Parallel()
	const knights = "8/8/6K1/4k3/4N3/p4r2/N3N3/8 w - - 3 82"
	const castle = "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1"
	for _, c := range []struct {
		id, source, fen, san string
		uci, code            string // the move read, or the code of the error
	}{
		{"CR-25", "Disservin/chess-library#144", knights, "Ne2c3", "e2c3", ""},
		{"CR-26", "Disservin/chess-library#145", knights, "Nec3", "", "ambiguous"},
		{"CR-27", "CorentinGS/chess#102", "8/8/6K1/4k3/4N3/p1p2r2/N3N3/8 w - - 3 82", "Ne2xc3", "e2c3", ""},
		{"CR-31", "CorentinGS/chess", "rnbqkb1r/pppp1ppp/8/4p3/2P1n3/PP6/3P1PPP/RNBQKBNR b KQkq - 0 4", "f8c5", "", "illegal"},
		{"CR-38", "siggame/Cerveau#28", castle, "0-0", "e1g1", ""},
		{"CR-38", "siggame/Cerveau#28", castle, "O-O", "e1g1", ""},
		{"CR-38", "siggame/Cerveau#28", castle, "o-o", "e1g1", ""},
		{"CR-38", "siggame/Cerveau#28", castle, "0-0-0", "e1c1", ""},
		{"CR-39", "niklasf/python-chess#403", castle, "Kg1", "", "illegal"},
		{"CR-39", "niklasf/python-chess#403", castle, "Kh1", "", "illegal"},
	} {
		p := position(t, c.fen, Standard)
		m, err := p.ParseSAN(c.san)
		var fault *MoveError
		errors.As(err, &fault)
		switch {
		case c.uci != "" && (err != nil || p.UCI(m) != c.uci):
			t.Errorf("%s %s: %s is %s, %v", c.id, c.source, c.san, p.UCI(m), err)
		case c.code != "" && (fault == nil || fault.Code != c.code):
			t.Errorf("%s %s: %s gives %v", c.id, c.source, c.san, err)
		}
	}
	// CR-29, CorentinGS/chess#116: each of the four promotions has its own sign of check.
	p := position(t, "4k3/1P6/8/8/8/8/8/4K3 w - - 0 1", Standard)
	var got []string
	for _, m := range p.LegalMoves(nil) {
		if m.Promotion() != NoRole {
			got = append(got, p.SAN(m))
		}
	}
	if !slices.Equal(got, []string{"b8=Q+", "b8=R+", "b8=B", "b8=N"}) {
		t.Errorf("promotions are %v", got)
	}
}

// TestReportedUCI, CR-30, CorentinGS/chess#60.
func TestReportedUCI(t *testing.T) {
	t.Parallel()
	p := Start()
	for _, bad := range []string{"e2e9", "i2i4", "e2", "", "e2e4qq", "b7b8k", "e2e4q", "E2E4", "e2-e4", "0000", "e2e4\n", "a7a8Q"} {
		if m, err := p.ParseUCI(bad); err == nil {
			t.Errorf("%q is read as %s", bad, p.UCI(m))
		}
	}
}

func TestReportedDraws(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		id, source, fen string
		want            Outcome
	}{
		{"CR-41", "Geras1mleo/Chess#9", "2b5/4kB2/8/8/8/8/5K2/8 b - - 0 16", Dead},
		{"CR-42", "jhlywa/chess.js#66", "8/8/4k3/8/8/3NN3/3K4/8 b - - 1 1", NoOutcome},
	} {
		if got := NewLine(position(t, c.fen, Standard)).Outcome(); got != c.want {
			t.Errorf("%s %s: %v, want %v", c.id, c.source, got, c.want)
		}
	}
}

// TestReportedFENs: each is refused with the code of its field, or is a position with the fault named.
func TestReportedFENs(t *testing.T) {
	t.Parallel()
	const board = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR"
	for _, c := range []struct{ id, source, fen, want string }{
		{"CR-47", "bhlangonijr/chesslib#52", board + " x KQkq - 0 1", "turn"},
		{"CR-47", "bhlangonijr/chesslib#52", board + " w xQkq - 0 1", "castling"},
		{"CR-47", "bhlangonijr/chesslib#52", "rnbqkbnr/pppppppp/7/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", "board"},
		{"CR-47", "bhlangonijr/chesslib#52", "4k3/8/8/8/8/8/4R3/4K3 w - - 0 1", "opposite-check"},
		{"CR-47", "bhlangonijr/chesslib#52", "4k3/8/8/8/8/8/8/4KR2 w K - 0 1", "castling-rights"},
		{"CR-47", "bhlangonijr/chesslib#52", board + " w KQkq e3 0 1", "ep-square"},
		{"CR-47", "bhlangonijr/chesslib#52", board + " w KQkq - 500 50", "halfmove"},
		{"CR-49", "jhlywa/chess.js#283", "8/2K5/8/8/2K1NB2/8/8/8 w - - 96 46", "kings"},
		{"CR-49", "jhlywa/chess.js#283", "8/8/8/8/8/1p6/8/6kK w - - 0 1", "opposite-check"},
		{"CR-49", "jhlywa/chess.js#283", "P7/8/4k3/8/8/8/8/4K3 w - - 0 1", "pawn-rank"},
		{"CR-50", "jhlywa/chess.js#301", "7R/8/8/8/8/8/8/8 w K - 0 1", "kings"},
		{"CR-51", "official-stockfish/Stockfish#5071", "3qk1nb/1p3p2/p1r1p1p1/3p4/3P4/2N1BP2/PPPQ1P2/R3K3 w Qk - 0 15", "castling-rights"},
		{"MD-34", "joojoooo/OpenChess#1", "3r2k1/5p2/4pp1p/1p6/p3P3/3nNPP1/PP5P/3R1K2 b KQkq - 0 1", "castling-rights"},
	} {
		p, err := ParsePosition(c.fen, Standard)
		var got string
		var field *FENError
		var kings *KingsError
		switch {
		case errors.As(err, &field):
			got = field.Code
		case errors.As(err, &kings):
			got = kings.Fault().Code
		case err != nil:
			t.Errorf("%s: %v", c.id, err)
		default:
			if f := p.Faults(); len(f) == 1 {
				got = f[0].Code
			}
			for _, m := range p.LegalMoves(nil) {
				if p.At(m.To()).Role() == King {
					t.Errorf("%s: %s is offered", c.id, p.UCI(m))
				}
			}
		}
		if got != c.want {
			t.Errorf("%s %s: %s gives %q, want %q", c.id, c.source, c.fen, got, c.want)
		}
	}
}

// TestReportedConcurrency, CR-34, CorentinGS/chess#87: positions are read, written and searched by several goroutines at once; make
// race detector finds what they share (go test -race).
func TestReportedConcurrency(t *testing.T) {
	t.Parallel()
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			for range 50 {
				p, err := ParsePosition(kiwipete, Standard)
				if err != nil || p.FEN() != kiwipete || Perft(p, 1) != 48 || p.CanMateWithin(White, 50) == No || len(p.Faults()) != 0 {
					t.Errorf("%s: %v", p.FEN(), err)
					return
				}
			}
		})
	}
	all.Wait()
}

// playSAN makes moves that must be legal.
func playSAN(t testing.TB, l *Line, moves ...string) {
	t.Helper()
	for _, text := range moves {
		p := l.Position()
		m, err := p.ParseSAN(text)
		if err != nil {
			t.Fatalf("%s: %v", p.FEN(), err)
		}
		l.Play(m)
	}
}
