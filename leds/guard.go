package leds

import "github.com/boardd/boardd/board"

// guard keeps the promise that no square flashes more than three times in a second, whatever views follow each other and
// however fast a demo's clock runs: a fourth flash within a second stays dark until the second is over. Its time is real
// time in milliseconds.
type guard struct {
	rises [64][3]int64 // when the square last went from dark to lit, oldest first
	lit   [64]bool
}

const flashSpan = 1000

// pass gives the frame that may be shown now, and when the next square that was held back may light up, 0 for none.
func (g *guard) pass(f board.Frame, now int64) (shown board.Frame, held int64) {
	for i, c := range f {
		lit := c != board.RGB{}
		if lit && !g.lit[i] {
			if free := g.rises[i][0] + flashSpan; g.rises[i][0] != 0 && now < free {
				held = sooner(held, free)
				continue
			}
			g.rises[i] = [3]int64{g.rises[i][1], g.rises[i][2], max(now, 1)}
		}
		g.lit[i] = lit
		shown[i] = c
	}
	return shown, held
}
