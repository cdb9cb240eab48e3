package sensing

import (
	"math/rand/v2"
	"os"
	"runtime"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// TestShakenBoardIsBounded tips a board over and shakes it for an hour (ten minutes in the quick form): twenty changes a second
// anywhere, now and then a moment of rest. What the tracker keeps must not grow, and the game goes on when the men stand again.
func TestShakenBoardIsBounded(t *testing.T) {
	minutes := int64(10)
	if os.Getenv("BOARDD_TEST") == "full" {
		minutes = 60
	}
	dice := rand.New(rand.NewPCG(1, 2))
	pos := rules.Start()
	m, err := pos.ParseUCI("e2e4")
	if err != nil {
		t.Fatal(err)
	}
	tr := New(Options{Acuity: board.Presence, SettleMs: DefaultSettleMs}, pos)
	pos.Play(m)
	tr.Observe(board.Input{T: 100, Kind: board.Change, Square: m.From(), Symbol: board.Empty})
	tr.Observe(board.Input{T: 600, Kind: board.Change, Square: m.To(), Symbol: board.Something})
	wakeUntil(tr, 5000)
	if r := tr.Report(); r.Firm != 1 {
		t.Fatalf("e4 is not told: %+v", r)
	}
	tr.Supports([]rules.Move{m})

	shaken := tr.Picture()
	end := 5000 + minutes*60_000
	early := uint64(0)
	for now := int64(5000); now < end; now += 20 + dice.Int64N(60) {
		if dice.IntN(300) == 0 {
			now += 4000 // the shaker rests
		}
		s := rules.Square(dice.IntN(64))
		shaken[s] = [...]board.Symbol{board.Empty, board.Something}[dice.IntN(2)]
		wakeUntil(tr, now)
		tr.Observe(board.Input{T: now, Kind: board.Change, Square: s, Symbol: shaken[s]})
		if early == 0 && now > end/5 {
			early = heap()
		}
	}
	if late := heap(); late > early+1<<20 {
		t.Errorf("%d KB in use after a while, %d KB in the end", early>>10, late>>10)
	}

	end += 1000
	tr.Observe(board.Input{T: end, Kind: board.Scan, Picture: projection(board.Presence, pos)})
	wakeUntil(tr, end+5000)
	if r := tr.Report(); !r.Match || len(r.Line) != 1 || r.Line[0] != m {
		t.Errorf("the men stand again, but the line is %q and match %v%s", uciLine(rules.Start(), r.Line), r.Match, tr.dump())
	}
}

// heap is what is in use, in bytes.
func heap() uint64 {
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return m.HeapAlloc
}
