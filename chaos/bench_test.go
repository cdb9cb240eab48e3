package chaos

import (
	"sync"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/chesslink"
	"github.com/boardd/boardd/rules"
)

// bench is an emulated board that knows its pieces, on a pseudo terminal. It outlives whoever reads it, as a board on a table does.
type bench struct {
	*emulator.Emulator
	watched *watched
}

// watched is a machine that is looked at while it works.
type watched struct {
	emulator.Machine

	mu              sync.Mutex
	asked, answered int // times that something was written to it, and by it
}

// Step implements emulator.Machine.
func (w *watched) Step(now int64, in []byte) (out []byte, wake int64) {
	out, wake = w.Machine.Step(now, in)
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(in) > 0 {
		w.asked++
	}
	if len(out) > 0 {
		w.answered++
	}
	return out, wake
}

func newBench(t testing.TB, start *rules.Position) *bench {
	t.Helper()
	b, err := openBench(start)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := b.Close(); err != nil {
			t.Errorf("board: %v", err)
		}
	})
	return b
}

// benchDriver reads them. A DGT board would say nothing for 8 s after each start that finds men elsewhere, for its log is read then.
const benchDriver = "chesslink"

func openBench(start *rules.Position) (*bench, error) {
	w := &watched{Machine: chesslink.New(chesslink.Options{})}
	e, err := emulator.Open(w, emulator.Options{})
	if err != nil {
		return nil, err
	}
	e.Show(picture(board.PieceAcuity, start))
	return &bench{e, w}, nil
}

// picture is a position as a board sees it.
func picture(a board.Acuity, p *rules.Position) (pic board.Picture) {
	for s := range rules.NoSquare {
		pic[s] = a.See(p.At(s))
	}
	return pic
}

// talks says how often it was written to, and has written.
func (b *bench) talks() (asked, answered int) {
	b.watched.mu.Lock()
	defer b.watched.mu.Unlock()
	return b.watched.asked, b.watched.answered
}
