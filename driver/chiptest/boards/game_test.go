package boards_test

import (
	"slices"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/chiptest/boards"
	"github.com/boardd/boardd/driver/scan"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// moves have both castlings, a capture en passant, and a capture with promotion.
const moves = "e2e4 g8f6 e4e5 d7d5 e5d6 c8f5 d6c7 b8c6 c7d8q a8d8 g1f3 e7e6 f1e2 f8e7 e1g1 e8g8 d2d4"

// table is a board with its engine and a game, in simulated time.
type table struct {
	*boards.Board
	machine *scan.Machine
	next    scan.Next
	count   scan.Counters
	core    *game.Table
	now     int64
	wake    int64
	men     [64]int8
	log     []string
}

func newTable(t *testing.T, b *boards.Board) *table {
	t.Helper()
	acuity := board.Presence
	if b.Color {
		acuity = board.ColorAcuity
	}
	x := &table{Board: b, core: game.NewTable(game.Options{Games: "g", Acuity: acuity, SettleMs: 40, Resolution: b.PeriodMs})}
	x.open(t)
	return x
}

func (x *table) open(t *testing.T) {
	t.Helper()
	m, err := (&scan.Layout{Generator: "rows"}).Map()
	if err != nil {
		t.Fatal(err)
	}
	x.machine = scan.NewMachine(scan.Options{
		Map: m, Traits: x.Sensor.Traits(), PeriodMs: x.PeriodMs, Counters: &x.count,
		Zero: boards.Idle, Threshold: boards.Swing / 2, Release: boards.Swing / 3, Color: x.Color,
		Say: func(f scan.Finding) { t.Errorf("finds %s: %s", f.Kind, f.Text) },
	})
	x.next = x.machine.Start(x.now)
}

func (x *table) step(in board.Input) {
	out := x.core.Step(in)
	x.wake = out.Wake
	for _, e := range out.Events {
		text := e.Type
		if m, ok := e.Body.(*game.Moved); ok {
			text = m.SAN
		}
		x.log = append(x.log, text)
	}
}

// wait lets time pass.
func (x *table) wait(t *testing.T, ms int64) {
	t.Helper()
	var r scan.Reading
	for end := x.now + ms; ; {
		at := x.next.At
		if x.wake > 0 && x.wake < at {
			at = x.wake
		}
		if at > end {
			x.now = end
			return
		}
		if x.now = max(x.now, at); x.wake > 0 && x.wake <= x.now {
			x.step(board.Input{T: x.now, Kind: board.Wake})
			continue
		}
		var err error
		switch x.next.Do {
		case scan.SetUp:
			err = x.Sensor.Setup()
		case scan.Check:
			err = x.Sensor.Check()
		case scan.Read:
			err = x.Sensor.Read(&r)
		case scan.Stop: // as the daemon does: the board is offline, and opened again a little later
			x.step(board.Input{T: x.now, Kind: board.Link})
			x.open(t)
			x.next.At += 500
			continue
		}
		var inputs []board.Input
		inputs, x.next = x.machine.Step(x.now, &r, err)
		for _, in := range inputs {
			x.step(in)
		}
	}
}

// set is what a hand does with a square, whose contact chatters.
func (x *table) set(t *testing.T, s rules.Square, man int8) {
	t.Helper()
	x.men[s] = man
	x.Lay(x.men)
	x.Bounce(1<<s, 3)
	x.wait(t, 300)
}

// play makes the hand's movements of a move.
func (x *table) play(t *testing.T, p *rules.Position, m rules.Move) {
	t.Helper()
	after := p.After(m)
	var lifted, placed []rules.Square
	for s := range rules.Square(64) {
		switch before, now := p.At(s), after.At(s); {
		case before == now:
		case now == rules.NoPiece:
			lifted = append(lifted, s)
		case before == rules.NoPiece:
			placed = append(placed, s)
		default: // a capture: the captured man goes first
			x.set(t, s, 0)
			placed = append(placed, s)
		}
	}
	if len(placed) == 2 { // castling: the king first, which goes two files from e
		king := func(s rules.Square) bool { return after.At(s).Role() == rules.King }
		slices.SortFunc(placed, func(a, b rules.Square) int { return first(king(a), king(b)) })
		king = func(s rules.Square) bool { return p.At(s).Role() == rules.King }
		slices.SortFunc(lifted, func(a, b rules.Square) int { return first(king(a), king(b)) })
	} else if len(lifted) == 2 { // en passant: the pawn that moves first
		mine := func(s rules.Square) bool { return p.At(s).Color() == p.Turn() }
		slices.SortFunc(lifted, func(a, b rules.Square) int { return first(mine(a), mine(b)) })
	}
	for i := range max(len(lifted), len(placed)) {
		if i < len(lifted) {
			x.set(t, lifted[i], 0)
		}
		if i < len(placed) {
			x.set(t, placed[i], tone(after.At(placed[i])))
		}
	}
	x.wait(t, 1000)
}

func first(a, b bool) int {
	switch {
	case a == b:
		return 0
	case a:
		return -1
	}
	return 1
}

func tone(p rules.Piece) int8 {
	switch {
	case p == rules.NoPiece:
		return 0
	case p.Color() == rules.White:
		return 1
	}
	return -1
}

// TestGameThroughEachBoard plays a game on each kind of board, with contacts that bounce. In the middle a chip loses its
// supply, once for a moment, which nobody need notice, and once for a second.
func TestGameThroughEachBoard(t *testing.T) {
	t.Parallel()
	all, err := boards.All()
	if err != nil {
		t.Fatal(err)
	}
	for _, b := range all {
		t.Run(b.Name, func(t *testing.T) {
			t.Parallel()
			x := newTable(t, b)
			p := rules.Start()
			for s := range rules.Square(64) {
				x.men[s] = tone(p.At(s))
			}
			x.Lay(x.men)
			x.wait(t, 3000)
			want := []string{"setup"}
			for i, text := range strings.Fields(moves) {
				m, err := p.ParseUCI(text)
				if err != nil {
					t.Fatal(err)
				}
				switch {
				case b.Cut == nil:
				case i == 3:
					b.Cut(true)
					b.Cut(false)
				case i == 6:
					b.Cut(true)
					x.wait(t, 1000)
					b.Cut(false)
					x.wait(t, 2000)
					want = append(want, "board_offline", "board_online")
				}
				want = append(want, p.SAN(m))
				x.play(t, &p, m)
				if m.Promotion() != rules.NoRole {
					x.wait(t, 5000)
				}
				p.Play(m)
			}
			var got []string
			for _, e := range x.log {
				if !slices.Contains([]string{"game_start", "check", "promotion_pending"}, e) {
					got = append(got, e)
				}
			}
			if !slices.Equal(got, want) {
				t.Errorf("the game is\n%s, want\n%s", strings.Join(got, " "), strings.Join(want, " "))
			}
			if x.count.Scans.Load() == 0 || x.count.Scans.Load() < 10*x.count.FailedScans.Load() {
				t.Errorf("%d scans, %d failed", x.count.Scans.Load(), x.count.FailedScans.Load())
			}
			if err := b.Sensor.Close(); err != nil {
				t.Error(err)
			}
		})
	}
}
