package chesslink_test

import (
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/chesslink"
	"github.com/boardd/boardd/rules"
)

// Patterns of protocols/chesslink.md section 5.
const (
	alternating = "L20000000000000000000000000000000000000000000000000000000000F0FF0F000000000000F0FF0F0000000000000000000000000000000000000000000000000000000000000000000000000000000004E"
	rightE2E4   = "L2000000000000000000000000000000000000000000000000000000000FFFFFFFF0000000000FFFFFFFF000000000000000000000000000000000000000000000000000000000000000000000000000000004E"
	leftE2E4    = "L2000000000000000000000000000000000000000000000000000000000000000000000000000000000FFFFFFFF0000000000FFFFFFFF000000000000000000000000000000000000000000000000000000004E"
	rightA1     = "L20000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000000FFFF00000000000000FFFF000000000000004E"
)

func TestCorners(t *testing.T) {
	t.Parallel()
	for name, want := range map[string][4]int{
		"a1": {7, 8, 16, 17}, "h1": {70, 71, 79, 80}, "a8": {0, 1, 9, 10}, "e2": {42, 43, 51, 52}, "e4": {40, 41, 49, 50},
	} {
		if got := chesslink.CornersOf(square(name)); got != want {
			t.Errorf("%s: %v, want %v", name, got, want)
		}
	}
	// With the cable on the right the board sees the square on the other side.
	for name, want := range map[string][4]int{
		"a1": {63, 64, 72, 73}, "h1": {0, 1, 9, 10}, "a8": {70, 71, 79, 80}, "e2": {28, 29, 37, 38}, "e4": {30, 31, 39, 40},
	} {
		if got := chesslink.CornersOf(63 - square(name)); got != want {
			t.Errorf("%s, cable right: %v, want %v", name, got, want)
		}
	}
}

func frame(turned bool, squares ...string) (f board.Frame) {
	for i, name := range squares {
		s := square(name)
		if turned {
			s = 63 - s
		}
		f[s] = board.RGB{R: uint8(i), G: 3, B: 200}
	}
	return f
}

func TestGoldenPatterns(t *testing.T) {
	t.Parallel()
	for _, text := range []string{alternating, rightE2E4, leftE2E4, rightA1} {
		if got := withCheck(text[:len(text)-2]); got != text || len(text) != 167 {
			t.Errorf("%d characters: check digits %s, want %s", len(text), got[165:], text[165:])
		}
	}
	status := startLeft
	for _, c := range []struct {
		f    board.Frame
		want string
	}{
		{frame(true, "e2", "e4"), rightE2E4},
		{frame(false, "e2", "e4"), leftE2E4},
		{frame(true, "a1"), rightA1},
		{board.Frame{}, "X58"},
	} {
		b := newBench(t, chesslink.Options{}, obliging(&status))
		b.until(500)
		b.take()
		b.m.Light(c.f)
		b.step(600, nil)
		b.until(5000)
		out, _ := b.take()
		if !strings.HasPrefix(out, c.want+"@600 ") || strings.Count(out, c.want) != 1 {
			t.Errorf("wrote %s\n want %s", out, c.want)
		}
	}
}

// lit is a settled board, and how often it is given each pattern.
func lit(t *testing.T, answer func(string) string) (b *bench, count func(pattern string) int) {
	b = newBench(t, chesslink.Options{}, answer)
	b.until(500)
	b.take()
	return b, func(pattern string) int {
		out, _ := b.take()
		return strings.Count(out, pattern)
	}
}

func TestAPatternThatIsNotAcknowledgedIsSentAgain(t *testing.T) {
	t.Parallel()
	status := startLeft
	answer := obliging(&status)
	dumb := 2
	b, count := lit(t, func(c string) string {
		if c[0] == 'L' && dumb > 0 {
			dumb--
			return ""
		}
		return answer(c)
	})
	b.m.Light(frame(false, "e2", "e4"))
	b.step(600, nil)
	b.until(5000)
	if n := count(leftE2E4); n != 3 {
		t.Errorf("sent %d times", n)
	}
}

func TestABoardThatNeverAcknowledges(t *testing.T) {
	t.Parallel()
	status := startLeft
	answer := obliging(&status)
	b, count := lit(t, func(c string) string {
		if strings.Contains("LXW", c[:1]) {
			return ""
		}
		return answer(c)
	})
	b.m.Light(frame(false, "e2", "e4"))
	b.step(600, nil)
	b.until(10_000)
	if n := count(leftE2E4); n != 3 {
		t.Errorf("sent %d times", n)
	}
	b.m.Light(frame(false, "e2"))
	b.m.Light(frame(false, "e2", "e4"))
	b.step(10_100, nil)
	b.until(20_000)
	if n := count(leftE2E4); n != 3 {
		t.Errorf("sent %d times after the frame had changed", n)
	}
}

// The newest frame counts: what came while one was under way is passed over.
func TestOnlyTheNewestFrame(t *testing.T) {
	t.Parallel()
	status := startLeft
	b, _ := lit(t, obliging(&status))
	b.m.Light(frame(false, "a1"))
	b.step(600, nil)
	b.m.Light(frame(false, "a2"))
	b.step(601, nil)
	b.m.Light(frame(false, "e2", "e4"))
	b.step(602, nil)
	b.until(1000)
	out, _ := b.take()
	if strings.Count(out, "L20") != 2 || !strings.HasSuffix(out, leftE2E4+"@610") {
		t.Errorf("wrote %s", out)
	}
}

// A board that was gone is given its lights again, and one that was away for a moment too.
func TestLightsAfterALoss(t *testing.T) {
	t.Parallel()
	for _, away := range []int64{3000, 9000} {
		status := startLeft
		b, count := lit(t, obliging(&status))
		b.m.Light(frame(false, "e2", "e4"))
		b.step(600, nil)
		b.until(700)
		if n := count(leftE2E4); n != 1 {
			t.Fatalf("sent %d times", n)
		}
		answer := b.answer
		b.answer = nil
		b.until(700 + away)
		b.take()
		b.answer = answer
		b.until(20_000)
		if n := count(leftE2E4); n != 1 {
			t.Errorf("away for %d ms: sent %d times", away, n)
		}
	}
}

// Before the board has answered nothing is sent to its lights.
func TestNoLightsBeforeTheBoardIsThere(t *testing.T) {
	t.Parallel()
	b := newBench(t, chesslink.Options{}, nil)
	b.m.Light(frame(false, "e2"))
	b.step(1, nil)
	b.until(20_000)
	if out, _ := b.take(); strings.Contains(out, "L") {
		t.Errorf("wrote %s", out)
	}
}

// Every light belongs to some square, and the corners of neighbours are shared.
func TestEveryLightIsACorner(t *testing.T) {
	t.Parallel()
	count := map[int]int{}
	for s := range rules.NoSquare {
		for _, i := range chesslink.CornersOf(s) {
			count[i]++
		}
	}
	by := map[int]int{}
	for i := range 81 {
		by[count[i]]++
	}
	if by[1] != 4 || by[2] != 28 || by[4] != 49 {
		t.Errorf("lights by the number of their squares: %v", by)
	}
}
