package sensing

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

// sq is a square by name.
func sq(t *testing.T, name string) rules.Square {
	t.Helper()
	s, ok := rules.ParseSquare(name)
	if !ok {
		t.Fatal(name)
	}
	return s
}

func TestBlinksAreForgotten(t *testing.T) {
	t.Parallel()
	h := newHealth()
	b2, c3, g7 := sq(t, "b2"), sq(t, "c3"), sq(t, "g7")
	for i := range int64(2) {
		h.blink(b2, i*1000)
	}
	if h.recent(b2, 2000) != 2 || h.named != 0 {
		t.Errorf("two blinks: %d, named %v", h.recent(b2, 2000), h.named)
	}
	if h.blink(b2, 2000); h.named != b2.Bit() {
		t.Errorf("three blinks: named %v", h.named)
	}
	for n := range int32(4) {
		if got := h.recent(b2, 2000+int64(n)*forgetMs); got != 3-n {
			t.Errorf("after %d times %d ms: %d", n, forgetMs, got)
		}
	}
	at := int64(2000 + 3*forgetMs)
	if h.blink(b2, at); h.named != 0 || h.recent(b2, at) != 1 {
		t.Errorf("one blink after it was well: %d, named %v", h.recent(b2, at), h.named)
	}
	h.blink(c3, at+burstMs/2)
	if h.blink(g7, at+burstMs-1); h.named != b2.Bit()|c3.Bit()|g7.Bit() {
		t.Errorf("three squares at once: named %v", h.named)
	}
	for range 1000 {
		h.blink(b2, at)
	}
	if h.recent(b2, at) != 99 {
		t.Errorf("a thousand blinks count %d", h.recent(b2, at))
	}
}

// say gives single changes to a tracker: a square, what it shows, after so many milliseconds.
func say(tr *Tracker, s rules.Square, y board.Symbol, after int64) {
	at := tr.now + after
	wakeUntil(tr, at)
	tr.Observe(board.Input{Kind: board.Change, T: at, Square: s, Symbol: y})
}

func TestWhatCountsAsABlink(t *testing.T) {
	t.Parallel()
	type change struct {
		square string
		full   bool
		after  int64
	}
	for _, tt := range []struct {
		name    string
		changes []change
		square  string
		want    int32
	}{
		{"too short to settle", []change{{"b2", false, 1000}, {"b2", true, 10}}, "b2", 1},
		{"settled, but no hand is so quick", []change{{"b2", false, 1000}, {"b2", true, 80}}, "b2", 1},
		{"a hand adjusts", []change{{"b2", false, 1000}, {"b2", true, 300}}, "b2", 0},
		{"filled by nobody", []change{{"e4", true, 1000}, {"e4", false, 60}}, "e4", 1},
		{"slid over", []change{{"e2", false, 1000}, {"e3", true, 90}, {"e3", false, 60}, {"e4", true, 90}}, "e3", 0},
		{"beside a man set down askew", []change{{"e2", false, 1000}, {"e4", true, 300}, {"f4", true, 40}, {"f4", false, 50}}, "f4", 0},
		{"while a man is in the air that cannot go there", []change{{"e2", false, 1000}, {"h7", false, 100}, {"h7", true, 60}, {"e4", true, 300}}, "h7", 1},
		{"captured in one motion", []change{{"e2", false, 1000}, {"e4", true, 300}, {"d7", false, 2000}, {"d5", true, 300},
			{"e4", false, 2000}, {"d5", false, 300}, {"d5", true, 60}}, "d5", 0},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			tr := New(Options{Acuity: board.Presence, SettleMs: DefaultSettleMs}, rules.Start())
			for _, c := range tt.changes {
				y := board.Empty
				if c.full {
					y = board.Something
				}
				say(tr, sq(t, c.square), y, c.after)
			}
			wakeUntil(tr, tr.now+1000)
			if got := tr.health.recent(sq(t, tt.square), tr.now); got != tt.want {
				t.Errorf("%d blinks of %s, want %d", got, tt.square, tt.want)
			}
		})
	}
}

// TestStuckSquareIsLearnt: two plies that came and went without a change name a square; a change clears it.
func TestStuckSquareIsLearnt(t *testing.T) {
	t.Parallel()
	tr := New(Options{Acuity: board.Presence, SettleMs: DefaultSettleMs}, rules.Start())
	e4 := sq(t, "e4")
	for _, c := range []struct {
		square string
		full   bool
	}{
		{"e2", false}, {"d7", false}, {"d5", true}, // e2e4 unseen, d7d5
		{"d5", false}, {"d5", true}, // e4xd5, the pawn's going unseen too
		{"d8", false}, {"d5", false}, {"d5", true}, {"b1", false}, {"c3", true}, {"d5", false}, {"a5", true},
		{"g1", false}, {"f3", true}, {"g8", false}, {"f6", true}, {"f1", false}, {"c4", true},
	} {
		y := board.Empty
		if c.full {
			y = board.Something
		}
		say(tr, sq(t, c.square), y, 2000)
	}
	wakeUntil(tr, tr.now+6000)
	r := tr.Report()
	if got := uciLine(rules.Start(), r.Line); got != "e2e4 d7d5 e4d5 d8d5 b1c3 d5a5 g1f3 g8f6 f1c4" {
		t.Fatalf("read %s%s", got, tr.dump())
	}
	if len(r.Weak) != 1 || r.Weak[0] != (WeakSquare{e4, Stuck, 2}) {
		t.Errorf("weak %v", r.Weak)
	}
	say(tr, sq(t, "f6"), board.Empty, 3000)
	say(tr, e4, board.Something, 400)
	wakeUntil(tr, tr.now+1000)
	if r := tr.Report(); len(r.Weak) != 0 {
		t.Errorf("it has changed: weak %v", r.Weak)
	}
}
