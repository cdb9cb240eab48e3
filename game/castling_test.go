package game

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// castled is one castling of a real game of Chess960: the position before it, and it with the plies that came next.
type castled struct {
	before rules.Position
	moves  []rules.Move
}

// castlings are all that were played in the games of Chess960, no two of them the same from the same squares with the same plies
// after it.
func castlings(tb testing.TB, further int) (list []castled) {
	for _, g := range corpus(tb, "chess960.tsv.gz", rules.Chess960, 1000, func(int) bool { return true }) {
		p := g.start
		for i, m := range g.moves {
			if m.IsCastling() {
				list = append(list, castled{p, g.moves[i:min(i+1+further, len(g.moves))]})
			}
			p.Play(m)
		}
	}
	return list
}

// kind names what is peculiar in a castling.
func (c *castled) kind() string {
	m := c.moves[0]
	king, rook := m.Castling()
	var words []string
	add := func(is bool, word string) {
		if is {
			words = append(words, word)
		}
	}
	step := king.File() - m.From().File()
	add(king == m.From(), "king stays")
	add(rook == m.To(), "rook stays")
	add(step == 1 || step == -1, "king steps")
	add(king == m.To() && rook == m.From(), "they change places")
	add(king == m.To() && rook != m.From() || rook == m.From() && king != m.To(), "one on the other's square")
	add((m.To().File()-m.From().File())*(rook.File()-king.File()) < 0 && king != m.From() && rook != m.To(), "rook jumps over")
	if words == nil {
		return "as ever"
	}
	return strings.Join(words, ", ")
}

// Every castling of the games of Chess960, in both orders of the hands and with both men in the air, comes out right.
func TestChess960Castlings(t *testing.T) {
	t.Parallel()
	all := castlings(t, 2)
	kinds := map[string]int{}
	for i := range all {
		kinds[all[i].kind()]++
	}
	if len(all) < 150 || len(kinds) < 6 {
		t.Fatalf("%d castlings of the kinds %v", len(all), kinds)
	}
	tab := hand.Styles()
	slow, _ := tab.Style("slow")
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		for i, c := range all {
			if testing.Short() && i%5 != 0 {
				continue
			}
			g := newPlayed(c.before, c.moves)
			for _, order := range []hand.Castle{hand.KingFirst, hand.RookFirst, hand.Both} {
				s := hand.NewScript(slow, tab.Sensor(a), c.before, uint64(i))
				for _, m := range c.moves {
					s.Move(m, hand.Manner{Castle: order})
				}
				perf := s.Perform()
				// The last ply may be a capture that a presence board cannot be sure of before the next one.
				if _, uci := judge(g, &perf, a); len(uci) < len(g.uci)-1 || len(uci) == 0 || !slices.Equal(uci, g.uci[:len(uci)]) {
					t.Errorf("%s, order %d: %s played %v, read %v\n%s", c.kind(), order, c.before.FEN(), g.uci, uci, touches(&perf))
				}
			}
		}
	})
}

// touches writes what the sensors said.
func touches(p *hand.Performance) string {
	var b strings.Builder
	for _, x := range p.Inputs {
		fmt.Fprintf(&b, " %d:%s%c", x.T, x.Square, x.Symbol)
	}
	return b.String()
}

// Castlings of Chess960 by hands that touch more than they must, rest, or mean another move.
func TestChess960CastlingByHand(t *testing.T) {
	t.Parallel()
	const (
		kingStays  = "2k5/p7/8/8/8/8/P7/R1K5 w A - 0 1"
		rookStays  = "4k3/p7/8/8/8/8/P7/4KR2 w F - 0 1"
		kingSteps  = "2k5/p7/8/8/8/8/P7/5K1R w H - 0 1"
		rookJumps  = "6k1/p7/8/8/8/8/P7/RK6 w A - 0 1"
		changeOver = "6k1/p7/8/8/8/8/P7/5KR1 w G - 0 1"
	)
	tests := []struct{ name, fen, hands, log string }{
		{"king stays", kingStays, "-a1 500 +d1", "move O-O-O"},
		{"king stays, touched before", kingStays, "-c1 300 +c1 500 -a1 500 +d1", "move O-O-O"},
		{"king stays, in the air meanwhile", kingStays, "-c1 300 -a1 500 +d1:R 300 +c1:K", "move O-O-O"},
		{"king stays, touched after", kingStays, "-a1 500 +d1 400 -c1 300 +c1", "move O-O-O"},
		{"rook stays", rookStays, "-e1 500 +g1", "move O-O"},
		{"rook stays, touched before", rookStays, "-f1 300 +f1 500 -e1 500 +g1", "move O-O"},
		{"rook stays, touched after", rookStays, "-e1 500 +g1 500 -f1 300 +f1", "move O-O"},
		{"king steps first", kingSteps, "-f1 400 +g1 600 -h1 400 +f1", "move O-O"},
		{"rook first, by the king in the air", kingSteps, "-f1 200 -h1 400 +f1:R 300 +g1:K", "move O-O"},
		{"only a step of the king", kingSteps, "-f1 400 +g1 3000 -a7 400 +a6", "move Kg1, move a6"},
		{"rook over the king, with a rest", rookJumps, "-a1 500 +d1 3000 -b1 400 +c1", "move O-O-O"},
		{"rook over the king, and back", rookJumps, "-a1 500 +d1 3000 -d1 400 +a1 3000 -b1 400 +b2", "move Kb2"},
		{"king first over its rook's way", rookJumps, "-b1 400 +c1 800 -a1 500 +d1", "move O-O-O"},
		{"they change places", changeOver, "-f1 300 -g1 600 +g1:K 300 +f1:R", "move O-O"},
		{"they change places, rook down first", changeOver, "-g1 300 -f1 600 +f1:R 300 +g1:K", "move O-O"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			everyAcuity(t, func(t *testing.T, a board.Acuity) {
				p, err := rules.ParsePosition(tt.fen, rules.Chess960)
				if err != nil {
					t.Fatal(err)
				}
				h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: &p, Variant: rules.Chess960, Orientation: "white"})
				h.hands("1000 " + tt.hands + " 8000")
				if got := corrected(h.log()); got != "game_start, "+tt.log {
					t.Errorf("said %s; want %s", h.log(), tt.log)
				}
			})
		})
	}
}
