package game

import (
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/rules"
)

func (h *table) clockSays(left, right int64, running board.Side) {
	h.tb.Helper()
	h.step(board.Input{Kind: board.Clock, Reading: board.Reading{LeftMs: left, RightMs: right, Running: running, Lever: running}})
}

// clkOf writes the times of the plies, -1 for none.
func (h *table) clkOf() (ms []int64) {
	for _, c := range h.state.Game.ClkMs {
		if c == nil {
			ms = append(ms, -1)
		} else {
			ms = append(ms, *c)
		}
	}
	return ms
}

func (h *table) wantClk(want ...int64) {
	h.tb.Helper()
	got := h.clkOf()
	if len(got) != len(want) {
		h.tb.Fatalf("times %v, want %v", got, want)
	}
	for i := range got {
		if got[i] != want[i] {
			h.tb.Fatalf("times %v, want %v", got, want)
		}
	}
}

func TestClockPressCommitsAtOnce(t *testing.T) {
	t.Parallel()
	everyAcuity(t, func(t *testing.T, a board.Acuity) {
		h := seat(t, Options{Games: "g", Acuity: a, SettleMs: 25, Start: startOf(t, "")})
		h.clockSays(180_000, 180_000, board.Left)
		h.hands("5000 -e2 400 +e4 100")
		h.want("game_start")
		h.clockSays(174_500, 180_000, board.Right)
		h.want("game_start, move e4")
		h.wantClk(174_500)
		h.hands("3000 -e7 300 +e5 2000")
		h.want("game_start, move e4, move e5")
		h.wantClk(174_500, 180_000) // not pressed yet: the last reading
		h.clockSays(174_500, 175_000, board.Left)
		h.wantClk(174_500, 175_000) // the press corrects it
		if m, ok := h.events[2].Body.(*Moved); !ok || *m.ClkMs != 180_000 || m.PlacedMs != 8800 {
			t.Errorf("%+v", h.events[2].Body)
		}
	})
}

func TestClockOfTurnedBoard(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, ""), Orientation: "black"})
	h.clockSays(111_000, 222_000, board.Right) // White sits at the right
	h.play("e2e4")
	h.clockSays(111_000, 220_000, board.Left)
	h.wantClk(220_000)
	if c := h.state.Clock; c.WhiteMs != 220_000 || c.BlackMs != 111_000 || *c.Running != rules.Black {
		t.Errorf("%+v", c)
	}
	by := board.Reading{LeftMs: 1000, RightMs: 2000, ByColor: true}
	if ms := h.timesOf(&by); ms != [2]int64{1000, 2000} {
		t.Errorf("a reading by colour gives %v", ms)
	}
}

func TestPressBelongsToTheCorrectedMove(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, "")})
	h.clockSays(180_000, 180_000, board.Left)
	h.hands("1000 -e2 300 +e3 900")
	h.clockSays(177_000, 180_000, board.Right) // pressed while the pawn stood on e3
	h.hands("200 -e3 100 +e4 6000")
	if h.uci() != "e2e4" {
		t.Fatalf("%s: %s", h.uci(), h.log())
	}
	h.wantClk(177_000)
}

func TestFlagFall(t *testing.T) {
	t.Parallel()
	tests := []struct{ name, fen, mode, log string }{
		{"loses", "", "", "game_start, flag_fallen, game_end 0-1 flag"},
		{"bare king", "4k3/8/8/8/8/8/8/R3K3 w - - 0 1", "", "game_start, flag_fallen, game_end 1/2-1/2 flag_draw"},
		{"observer", "", Observer, "game_start, arbiter: flag_fallen"},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, tt.fen), Mode: tt.mode})
			for range 3 {
				h.wait(300)
				h.step(board.Input{Kind: board.Clock, Reading: board.Reading{RightMs: 5000, Flag: board.Left}})
			}
			h.want(tt.log)
		})
	}
}

func TestMateGoesBeforeTheFlag(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, SettleMs: 25,
		Start: startOf(t, "rnbqkb1r/pppp1ppp/5n2/4p2Q/2B1P3/8/PPPP1PPP/RNB1K1NR w KQkq - 4 4")})
	h.hands("1000 -f7 300 -h5 300 +f7 100")
	h.step(board.Input{Kind: board.Clock, Reading: board.Reading{RightMs: 5000, Flag: board.Left}})
	h.want("game_start, flag_fallen, move Qxf7#, game_end 1-0 checkmate")
}

func TestClockIsShownNowAndThen(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, "")})
	shown := 0
	for i := range int64(60) {
		h.wait(1000)
		before := h.state
		h.clockSays(60_000-1000*i, 60_000, board.Left)
		if h.state != before {
			shown++
		}
	}
	// At once, every 10 s down to 20 s, then every second.
	if shown < 20 || shown > 28 {
		t.Errorf("the clock was said %d times in 60 s", shown)
	}
}

func TestLowBatteryIsSaidOnce(t *testing.T) {
	t.Parallel()
	h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, "")})
	for range 3 {
		h.wait(1000)
		h.step(board.Input{Kind: board.Clock, Reading: board.Reading{BatteryLow: true}})
		h.step(board.Input{Kind: board.Battery, Percent: 15})
	}
	h.want("game_start, low_battery, low_battery")
}

// A battery that is low and well in turn is news once, until it was well for ten minutes without a break.
func TestLowBatteryThatFlaps(t *testing.T) {
	t.Parallel()
	for _, source := range []struct {
		name      string
		low, well board.Input
	}{
		{"clock", board.Input{Kind: board.Clock, Reading: board.Reading{BatteryLow: true}}, board.Input{Kind: board.Clock}},
		{"board", board.Input{Kind: board.Battery, Percent: 15}, board.Input{Kind: board.Battery, Percent: 80}},
		{"charger", board.Input{Kind: board.Battery, Percent: 15}, board.Input{Kind: board.Battery, Percent: 15, Charging: true}},
	} {
		t.Run(source.name, func(t *testing.T) {
			t.Parallel()
			h := seat(t, Options{Games: "g", Acuity: board.PieceAcuity, Start: startOf(t, "")})
			for range 1000 { // more than ten minutes of it
				h.wait(1000)
				h.step(source.low)
				h.wait(1000)
				h.step(source.well)
			}
			h.want("game_start, low_battery")
			h.wait(batteryRestMs - 1)
			h.step(source.low)
			h.step(source.well)
			h.wait(batteryRestMs / 2)
			h.step(source.well) // well still: the time counts from the first word of it
			h.want("game_start, low_battery")
			h.wait(batteryRestMs / 2)
			h.step(source.low)
			h.want("game_start, low_battery, low_battery")
		})
	}
}
