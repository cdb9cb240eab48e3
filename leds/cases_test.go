package leds

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// Faults that users of other programs met, by their numbers in the list of public reports: what the lights say instead.
func TestPublicCases(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name, fen, hands, want string
		acuity                 board.Acuity
		turned                 bool
	}{
		{"MD-09: a pinned knight moves", "4r1k1/5ppp/8/8/8/8/4N3/4K3 w - - 0 1", "1000 -e2 600 +c3 3000", "e2 slow, c3 fast", board.Presence, false},
		{"MD-09: and goes back", "4r1k1/5ppp/8/8/8/8/4N3/4K3 w - - 0 1", "1000 -e2 600 +c3 3000 -c3 600 +e2 3000", "", board.Presence, false},
		{"MD-15: White moves twice", "", "1000 -e2 400 +e4 4000 -e4 300 +e5 3000", "e2 steady, e4 slow, e5 fast", board.PieceAcuity, false},
		{"MD-37: the rook's place in castling is empty, the king's is not", "4k3/8/8/8/8/8/8/4K2R w K - 0 1",
			"1000 -e1 500 +g1 700 -h1 500 +e1 3000", "e1 fast, f1 slow", board.Presence, false},
		{"MD-45: a capture of which nobody saw the victim", "4k3/8/8/2p1p3/3P4/8/8/4K3 w - - 0 1", "1000 -d4 4000", "e5 steady", board.Presence, false}, // in turn with c5
		{"MD-10: a foreign man on a board that stands turned", "r5k1/ppqn1ppp/2p2n2/3p4/1P6/P1N1QBP1/2P2P1P/R5K1 w - - 0 1",
			"1000 +b5:p 3000", "b5 fast", board.PieceAcuity, true}, // wired b5 is g4 as the players see it
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			o := game.Options{Acuity: c.acuity}
			if c.turned {
				o.Orientation = "black"
			}
			s := sit(t, o, c.fen)
			s.hands(c.hands)
			if got := s.patterns(); got != c.want {
				t.Errorf("lights %q, want %q\n%s", got, c.want, s.log())
			}
			if c.turned && s.view.Remove != set("g4") {
				t.Errorf("the players see %v", s.view.Remove)
			}
		})
	}
}
