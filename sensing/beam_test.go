package sensing

import (
	"math/rand/v2"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// TestExplanationsAreNobodyElses: one that is used again must not be in use.
func TestExplanationsAreNobodyElses(t *testing.T) {
	t.Parallel()
	dice := rand.New(rand.NewPCG(3, 4))
	tr := New(Options{Acuity: board.ColorAcuity, SettleMs: DefaultSettleMs}, rules.Start())
	symbols := [...]board.Symbol{board.Empty, board.LightMan, board.DarkMan}
	for now := int64(0); now < 300_000; now += 20 + dice.Int64N(400) {
		wakeUntil(tr, now)
		tr.Observe(board.Input{T: now, Kind: board.Change, Square: rules.Square(8 + dice.IntN(24)), Symbol: symbols[dice.IntN(3)]})
		if r := tr.Report(); dice.IntN(20) == 0 && len(r.Line) > 0 {
			tr.Confirm(r.Line[:dice.IntN(len(r.Line)+1)])
		}
		if dice.IntN(40) == 0 {
			tr.Observe(board.Input{T: now, Kind: board.Scan, Picture: projection(board.ColorAcuity, rules.Start())})
		}
		seen := map[*hypothesis]string{}
		for where, list := range map[string][]*hypothesis{"in the beam": tr.beam, "to spare": tr.spare} {
			for _, h := range list {
				if other, twice := seen[h]; twice {
					t.Fatalf("at %d an explanation is %s and %s", now, where, other)
				}
				seen[h] = where
			}
		}
	}
}
