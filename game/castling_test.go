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
