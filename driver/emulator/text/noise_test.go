package text_test

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulated "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/rules"
)

// Boards that tell their whole position: however bad the line was, when it is good again the next touch is seen, and all that
// happened meanwhile with it.
func TestDriverRecoversFromABadLine(t *testing.T) {
	t.Parallel()
	for _, o := range []emulated.Options{
		{Dialect: "liboard"}, {Dialect: "echess"}, {Dialect: "roniterv"}, {Dialect: "chesswiz"}, {Dialect: "squareoff-pro"}, {Dialect: "sentio"}, {Dialect: "certabo"},
	} {
		t.Run(o.Dialect, func(t *testing.T) {
			t.Parallel()
			rapid.Check(t, func(r *rapid.T) {
				x := newTable(t, o, emulatortest.Start(), nil, rapid.Uint64().Draw(r, "seed"))
				x.Line.Fault(emulator.Faults{Cut: 0.3, Twice: 0.2, Foreign: 0.3, Late: 0.2, LateMs: 300, Parity: 0.01, Deaf: 0.2})
				for range rapid.IntRange(1, 10).Draw(r, "touches") {
					touch(x, rules.Square(rapid.IntRange(0, 63).Draw(r, "square")))
					x.Run(rapid.Int64Range(10, 1500).Draw(r, "rest"))
				}
				x.Line.Fault(emulator.Faults{})
				x.Run(2000)
				touch(x, 0)
				x.Run(16_000)
				if !x.same() {
					r.Fatalf("the driver sees %s, there stands %s", x.Said, x.Men)
				}
			})
		})
	}
}

// touch lifts the man on a square, or puts the one down that belongs there.
func touch(x *table, s rules.Square) {
	what := emulatortest.Start()[s]
	if x.Men[s] != board.Empty {
		what = board.Empty
	}
	x.Put(s, what)
}
