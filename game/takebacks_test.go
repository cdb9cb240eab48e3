package game

import (
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// back is one touch of a takeback: a man lifted, or set down.
type back struct {
	square rules.Square
	man    rules.Piece // NoPiece: lifted
}

// unmake is what hands do to take a ply back: the orders in which it can be done, one of them drawn.
func unmake(t *rapid.T, before *rules.Position, m rules.Move) []back {
	mover := before.At(m.From())
	if m.IsCastling() {
		king, rook := m.Castling()
		k := []back{{king, rules.NoPiece}, {m.From(), mover}}
		r := []back{{rook, rules.NoPiece}, {m.To(), before.At(m.To())}}
		switch rapid.IntRange(0, 2).Draw(t, "castling back") {
		case 0:
			return append(k, r...)
		case 1:
			return append(r, k...)
		}
		return []back{k[0], r[0], k[1], r[1]}
	}
	home := []back{{m.To(), rules.NoPiece}, {m.From(), mover}}
	victim := before.At(m.Victim())
	if victim == rules.NoPiece {
		return home
	}
	again := back{m.Victim(), victim}
	if rapid.Bool().Draw(t, "victim first") {
		return []back{home[0], again, home[1]}
	}
	return append(home, again)
}

// Any number of plies goes back, whatever the hands take first and however long they wait, and play goes on from there.
func TestTakebackOfAnyNumber(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		rapid.Check(t, func(t *rapid.T) { takeBackByHand(t, a) })
	})
}

func takeBackByHand(t *rapid.T, a board.Acuity) {
	start := rules.Start()
	line := rules.NewLine(start)
	for range rapid.IntRange(5, 24).Draw(t, "plies") {
		p := line.Position()
		legal := p.LegalMoves(nil)
		legal = slices.DeleteFunc(legal, func(m rules.Move) bool { return m.Promotion() != rules.NoRole })
		if len(legal) == 0 || line.Outcome() != rules.NoOutcome {
			break
		}
		line.Play(legal[rapid.IntRange(0, len(legal)-1).Draw(t, "ply")])
	}
	var moves []rules.Move
	for i := range line.Len() {
		moves = append(moves, line.Move(i))
	}
	// At least one ply stays: all the way back it may be a new game, which is another matter.
	n := rapid.IntRange(1, min(8, len(moves)-1)).Draw(t, "back")
	if line.Outcome() != rules.NoOutcome {
		n = 1
	}
	final := line.Position()
	o := Options{Games: "g", Acuity: a, SettleMs: 25, Start: &start, Moves: moves, Orientation: "white"}
	h := &rapidTable{t: t, Table: NewTable(o), acuity: a}
	h.wait(2000)
	pauses := rapid.SampledFrom([]int64{300, 700, 1500, 4000})
	for i := len(moves) - 1; i >= len(moves)-n; i-- {
		before := line.At(i)
		for _, b := range unmake(t, &before, moves[i]) {
			h.wait(pauses.Draw(t, "pause"))
			h.change(b.square, a.See(b.man))
		}
		h.wait(pauses.Draw(t, "pause"))
	}
	h.wait(8000)
	want := moves[:len(moves)-n]
	if got := h.Summary().UCI; strings.Join(got, " ") != uciOf(start, want) {
		t.Fatalf("%s: of %s, %d plies taken back, stands %v", final.FEN(), uciOf(start, moves), n, got)
	}
	// Reasons: plies that stood and went back by hand; what was only thought meanwhile may be corrected.
	undone := 0
	for _, e := range h.events {
		if x, ok := e.Body.(*Takeback); ok && x.Reason == "board" {
			undone += len(x.Undone)
		}
	}
	if undone < n {
		t.Fatalf("%d of %d plies went back by hand: %v", undone, n, h.types())
	}
	p := line.At(len(want))
	legal := p.LegalMoves(nil)
	legal = slices.DeleteFunc(legal, func(m rules.Move) bool {
		return m.Promotion() != rules.NoRole || m.IsCastling() || p.At(m.Victim()) != rules.NoPiece
	})
	if len(legal) == 0 {
		return
	}
	m := legal[rapid.IntRange(0, len(legal)-1).Draw(t, "next")]
	h.change(m.From(), board.Empty)
	h.wait(500)
	h.change(m.To(), a.See(p.At(m.From())))
	h.wait(8000)
	if got := h.Summary().UCI; strings.Join(got, " ") != uciOf(start, append(slices.Clone(want), m)) {
		t.Fatalf("after %d of %s were taken back and %s played, %v stands", n, uciOf(start, moves), p.UCI(m), got)
	}
}

// rapidTable is a Table with the wakes it asks for.
type rapidTable struct {
	*Table
	t      *rapid.T
	acuity board.Acuity
	now    int64
	wake   int64
	events []Event
}

func (h *rapidTable) step(in board.Input) {
	for h.wake != 0 && h.wake <= in.T {
		h.one(board.Input{Kind: board.Wake, T: h.wake})
	}
	h.one(in)
}

func (h *rapidTable) one(in board.Input) {
	out := h.Step(in)
	h.wake = out.Wake
	h.events = append(h.events, out.Events...)
}

func (h *rapidTable) wait(ms int64) {
	h.now += ms
	h.step(board.Input{Kind: board.Wake, T: h.now})
}

func (h *rapidTable) change(s rules.Square, y board.Symbol) {
	h.step(board.Input{Kind: board.Change, T: h.now, Square: s, Symbol: y})
}

func (h *rapidTable) types() (list []string) {
	for _, e := range h.events {
		list = append(list, e.Type)
	}
	return list
}
