package sensing

import (
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// TestExplanationsAreNobodyElses: one that is used again must not be in use. Naming another piece for a promotion makes
// explanations between two changes.
func TestExplanationsAreNobodyElses(t *testing.T) {
	t.Parallel()
	pos, err := rules.ParsePosition("8/4P1k1/8/8/8/8/6K1/8 w - - 0 1", rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	knight, err := pos.ParseUCI("e7e8n")
	if err != nil {
		t.Fatal(err)
	}
	dice := rand.New(rand.NewPCG(3, 4))
	tr := New(Options{Acuity: board.Presence, SettleMs: DefaultSettleMs}, pos)
	tr.Observe(board.Input{T: 100, Kind: board.Change, Square: knight.From(), Symbol: board.Empty})
	tr.Observe(board.Input{T: 600, Kind: board.Change, Square: knight.To(), Symbol: board.Something})
	wakeUntil(tr, 2000)
	tr.Confirm([]rules.Move{knight})
	for now := int64(2000); now < 60_000; now += 20 + dice.Int64N(400) {
		wakeUntil(tr, now)
		tr.Observe(board.Input{T: now, Kind: board.Change, Square: rules.Square(dice.IntN(64)), Symbol: [...]board.Symbol{board.Empty, board.Something}[dice.IntN(2)]})
		seen := map[*hypothesis]bool{}
		for _, list := range [...][]*hypothesis{tr.beam, tr.spare} {
			for _, h := range list {
				if seen[h] {
					t.Fatalf("at %d an explanation is in two places", now)
				}
				seen[h] = true
			}
		}
	}
}
