package rules

import (
	"strings"
	"testing"
)

func TestLine(t *testing.T) {
	t.Parallel()
	l := NewLine(Start())
	playSAN(t, l, "e4", "e5", "Nf3")
	p := l.Position()
	if l.Len() != 3 || p.FEN() != "rnbqkbnr/pppp1ppp/8/4p3/4P3/5N2/PPPP1PPP/RNBQKB1R b KQkq - 1 2" {
		t.Errorf("%d plies, %s", l.Len(), p.FEN())
	}
	at := l.At(1)
	if at.FEN() != "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq - 0 1" || at.UCI(l.Move(1)) != "e7e5" {
		t.Errorf("after one ply %s", at.FEN())
	}
	l.Undo(2)
	if p = l.Position(); l.Len() != 1 || p != at {
		t.Errorf("taken back to %s", p.FEN())
	}
	l.Undo(-1)
	if l.Len() != 1 {
		t.Errorf("taking back -1 plies leaves %d", l.Len())
	}
	l.Undo(5)
	if p, s := l.Position(), l.Start(); l.Len() != 0 || p != s || p != Start() || l.Count() != 1 {
		t.Errorf("all taken back: %s", p.FEN())
	}
}

func TestOutcomes(t *testing.T) {
	t.Parallel()
	shuffle := strings.TrimSpace(strings.Repeat("Nf3 Nf6 Ng1 Ng8 ", 4))
	for _, c := range []struct {
		name, fen, moves string
		outcome          Outcome
		claim            Claim
		count            int
	}{
		{"start", StartFEN, "", NoOutcome, NoClaim, 1},
		{"five times", StartFEN, shuffle, Fivefold, Threefold, 5},
		{"mate goes before 75 moves", "7k/8/6K1/8/8/8/8/R7 w - - 149 120", "Ra8", Checkmated, NoClaim, 1},
		{"mate goes before fifty moves", "7k/8/6K1/8/8/8/8/R7 w - - 99 90", "Ra8", Checkmated, NoClaim, 1},
		{"75 moves", "8/8/8/4k3/8/8/1R6/4K3 w - - 149 120", "Rb3", SeventyFive, Fifty, 1},
		{"stalemate goes before 75 moves", "7k/8/6K1/8/8/8/5Q2/8 w - - 149 120", "Qf7", Stalemated, NoClaim, 1},
		{"dead goes before 75 moves", "7k/8/8/8/8/8/6q1/7K w - - 149 120", "Kxg2", Dead, NoClaim, 1},
		{"a wall that may be opened en passant", "4k3/7p/p1p1p1p1/PpPpPpP1/1P1P1P1P/8/8/4K3 b - - 0 1", "h5", NoOutcome, NoClaim, 1},
		{"a wall that might have been", "4k3/7p/p1p1p1p1/PpPpPpP1/1P1P1P1P/8/8/4K3 b - - 0 1", "h5 Kf2", Dead, NoClaim, 1},
		{"threefold goes before fifty", "4k2r/8/8/8/8/8/8/R3K3 w - - 95 80", "Ra2 Rh7 Ra1 Rh8 Ra2 Rh7 Ra1 Rh8", NoOutcome, Threefold, 3},
		{"castling starts no new count", "4k3/8/8/8/8/8/8/4K2R w K - 98 80", "O-O Ke7", NoOutcome, Fifty, 1},
		{"a pawn's move does", "4k3/8/8/8/8/4P3/8/4K2R w K - 98 80", "e4 Ke7", NoOutcome, NoClaim, 1},
		{"a right lost makes another position", "4k3/8/8/8/8/8/8/4K2R w K - 0 1", "Rh2 Ke7 Rh1 Ke8", NoOutcome, NoClaim, 1},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			l := NewLine(position(t, c.fen, Standard))
			playSAN(t, l, strings.Fields(c.moves)...)
			if l.Outcome() != c.outcome || l.Claimable() != c.claim || l.Count() != c.count {
				t.Errorf("%v, %v, %d times; want %v, %v, %d", l.Outcome(), l.Claimable(), l.Count(), c.outcome, c.claim, c.count)
			}
		})
	}
}

// TestInsufficientMaterial asks for both sides at once: who has the men to mate.
func TestInsufficientMaterial(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ men, can string }{
		{"", ""}, {"N", ""}, {"n", ""}, {"B", ""}, {"P", "w"}, {"p", "b"}, {"R", "w"}, {"q", "b"},
		{"NN", "w"}, {"Nn", "wb"}, {"Nb", "wb"}, {"Nr", "wb"}, {"Nq", "b"}, {"Np", "wb"}, {"NB", "w"}, {"Nqq", "b"},
		{"Bn", "wb"}, {"Bp", "wb"}, {"Br", "b"}, {"Bq", "b"}, {"Brn", "wb"},
	} {
		// The men go one beside the other on the fourth rank, so two bishops stand on different colours.
		rank := c.men + string(rune('0'+8-len(c.men)))
		p := position(t, "k7/8/8/8/"+rank+"/8/8/7K w - - 0 1", Standard)
		var can string
		for _, side := range []Color{White, Black} {
			if p.MaterialToMate(side) {
				can += side.String()[:1]
			}
		}
		if can != c.can || p.InsufficientMaterial() != (can == "") {
			t.Errorf("K%s: %q can mate, want %q", c.men, can, c.can)
		}
	}
	for fen, want := range map[string]bool{
		"8/8/8/4k3/8/4B3/8/2B1K1B1 w - - 0 1": true,  // all on squares of one colour
		"4kb2/8/8/8/8/8/8/2B1K3 w - - 0 1":    true,  // one each, same colour of squares
		"4kb2/8/8/8/8/8/8/4KB2 w - - 0 1":     false, // one each, different colours
	} {
		if p := position(t, fen, Standard); p.InsufficientMaterial() != want {
			t.Errorf("%s: %v, want %v", fen, !want, want)
		}
	}
}
