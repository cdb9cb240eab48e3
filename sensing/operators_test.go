package sensing

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing/hand"
)

// What an explanation is said to have paid for is what it did pay, apart from waiting.
func TestUsesAreWhatWasPaid(t *testing.T) {
	t.Parallel()
	pos, err := rules.ParsePosition("rnbqkbnr/ppp1pppp/8/3p4/4P3/8/PPPP1PPP/RNBQKBNR w KQkq - 0 2", rules.Standard)
	if err != nil {
		t.Fatal(err)
	}
	for _, a := range benchAcuities {
		tr := New(Options{Acuity: a, SettleMs: DefaultSettleMs}, pos)
		tr.Count()
		pawn := a.See(rules.NewPiece(rules.White, rules.Pawn))
		d5, e4, g1 := rules.NewSquare(3, 4), rules.NewSquare(4, 3), rules.NewSquare(6, 0)
		knight := a.See(rules.NewPiece(rules.White, rules.Knight))
		r := track(tr, []board.Input{ // White touches a knight, then takes, the victim first
			{T: 1000, Kind: board.Change, Square: g1, Symbol: board.Empty}, {T: 1400, Kind: board.Change, Square: g1, Symbol: knight},
			{T: 3000, Kind: board.Change, Square: d5, Symbol: board.Empty}, {T: 3300, Kind: board.Change, Square: e4, Symbol: board.Empty},
			{T: 3700, Kind: board.Change, Square: d5, Symbol: pawn},
		})
		uses, ok := tr.Uses(r.Line)
		if !ok || uciLine(pos, r.Line) != "e4d5" {
			t.Fatalf("%v: read %s", a, uciLine(pos, r.Line))
		}
		want := map[operator]int{opAdjust: 1, opVictim: 1, opPly: 1}
		for op, u := range uses {
			if u.Used != want[operator(op)] {
				t.Errorf("%v: %s used %d times", a, u.Name, u.Used)
			}
		}
		if c := *tr.counting; c[perLift] != 3 || c[perPlace] != 2 {
			t.Errorf("%v: chances %v", a, c)
		}
	}
}

// Every operator has a name and a price, and counting changes nothing that is reported.
func TestCountingChangesNothing(t *testing.T) {
	t.Parallel()
	for op := range operators {
		if names[op].name == "" || prices[op] == 0 && op != opSoonVictim {
			t.Errorf("operator %d: %+v, price %d", op, names[op], prices[op])
		}
	}
	for _, a := range benchAcuities {
		perf := clubGame(t, a)
		var lines [2]string
		for i := range lines {
			tr := New(Options{Acuity: a, SettleMs: DefaultSettleMs}, rules.Start())
			if i == 1 {
				tr.Count()
			}
			read(tr, &perf)
			tr.Observe(board.Input{T: perf.End + 1000})
			tr.Flush()
			r := tr.Report()
			lines[i] = uciLine(rules.Start(), r.Line)
			if i == 1 {
				if uses, ok := tr.Uses(truth(&perf)); !ok || uses[opPly].Used < len(perf.Plies) {
					t.Errorf("%v: no uses of the true line", a)
				}
			}
		}
		if lines[0] != lines[1] {
			t.Errorf("%v: read %s\nwhile counting %s", a, lines[0], lines[1])
		}
	}
}

func truth(perf *hand.Performance) (moves []rules.Move) {
	for _, p := range perf.Plies {
		moves = append(moves, p.Move)
	}
	return moves
}
