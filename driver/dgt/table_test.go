package dgt_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/dgt"
	emulated "github.com/boardd/boardd/driver/emulator/dgt"
	"github.com/boardd/boardd/game"
)

// house is a board with all that the daemon has of it, on one clock.
type house struct {
	w        *wire // of which the machine is not used: the feeder has its own
	f        *daemon.Feeder
	snapshot *game.Snapshot
	began    int64 // of the daemon
	tape     []taped
	write    []byte // on its way to the board
}

// taped is what a recording has.
type taped struct {
	t     int64
	bytes []byte
}

func (h *house) Input(board.Input) {}

func (h *house) Bytes(t int64, b []byte) { h.tape = append(h.tape, taped{t, append([]byte{}, b...)}) }

func (h *house) options() game.Options {
	o := game.Options{Games: "g", Acuity: board.PieceAcuity, Resolution: dgt.ScanMs}
	if h.snapshot != nil {
		o.Resume = &game.Resume{Snapshot: h.snapshot, Ago: 1000}
	}
	return o
}

// start begins the daemon.
func (h *house) start() {
	h.began = h.w.now
	h.tape = nil
	h.write = nil
	h.f = &daemon.Feeder{
		Table:     game.NewTable(h.options()),
		NewDriver: func() board.Driver { return dgt.New(dgt.Options{}) },
		Recorder:  h,
		Emit: func(out game.Output) {
			if out.Snapshot != nil {
				h.snapshot = out.Snapshot
			}
		},
		Write: func(b []byte) { h.write = append(h.write, b...) },
	}
	if h.snapshot != nil {
		h.f.Input(board.Input{Kind: board.Link})
	} else {
		h.f.Start()
	}
	h.f.Bytes(0, nil)
}

// live lets time pass while the daemon runs.
func (h *house) live(ms int64) {
	for end := h.w.now + ms; ; h.w.now++ {
		if b := h.write; len(b) > 0 {
			h.write = nil
			h.hear(h.w.boards[0].Step(h.w.now, b))
		} else if at := h.w.theirs[0]; at != 0 && at <= h.w.now {
			h.hear(h.w.boards[0].Step(h.w.now, nil))
		}
		h.f.Advance(h.w.now - h.began)
		if h.w.now >= end {
			return
		}
	}
}

// play moves men while the daemon runs.
func (h *house) play(moves ...string) {
	for _, m := range moves {
		for _, touch := range []string{m[:2] + ".", m[2:]} {
			h.w.boards[0].Set(square(touch), board.Symbol(touch[2]))
			h.hear(h.w.boards[0].Step(h.w.now, nil))
			h.live(500)
		}
		h.live(1500)
	}
}

func (h *house) hear(out []byte, wake int64) {
	h.w.theirs[0] = wake
	if len(out) > 0 {
		h.f.Bytes(h.w.now-h.began, out)
	}
}

// Four plies are played while the daemon is down; when it is back the table has all four, in their order. So has a replay of
// what it recorded.
func TestThePliesPlayedMeanwhileAreOnTheTable(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		moves []string
		want  string
	}{
		{"four plies", []string{"g1f3N", "b8c6n", "f1b5B", "a7a6p"}, "e2e4 e7e5 g1f3 b8c6 f1b5 a7a6"},
		{"knights, whose order nothing else tells", []string{"b1c3N", "g8f6n", "g1f3N", "b8c6n", "f3e5N"}, "e2e4 e7e5 b1c3 g8f6 g1f3 b8c6 f3e5"},
		{"captures and castling", []string{"g1f3N", "b8c6n", "f1b5B", "a7a6p", "b5c6B", "d7c6p", "e1g1K", "h1f1R", "f7f6p", "f3e5N", "f6e5p"},
			"e2e4 e7e5 g1f3 b8c6 f1b5 a7a6 b5c6 d7c6 e1g1 f7f6 f3e5 f6e5"},
		{"what leads back to where it was is not told", []string{"g1f3N", "g8f6n", "f3g1N", "f6g8n", "d2d4P"}, "e2e4 e7e5 d2d4"},
	} {
		t.Run(c.name, func(t *testing.T) {
			t.Parallel()
			h := &house{w: newWire(t, nil, emulated.New(emulated.Options{}))}
			h.w.run(1000)
			h.start()
			h.live(3000)
			h.play("e2e4P", "e7e5p")
			h.live(6000)
			if got := strings.Join(h.snapshot.Game.UCI, " "); got != "e2e4" && got != "e2e4 e7e5" {
				t.Fatalf("before: %s", got)
			}
			h.w.run(1000) // nobody listens
			h.w.play(c.moves...)
			h.w.run(1000)
			resumed := h.options()
			h.start()
			h.live(30_000)
			got := strings.Join(h.snapshot.Game.UCI, " ")
			if h.snapshot.ProvisionalUCI != "" {
				got += " " + h.snapshot.ProvisionalUCI
			}
			if got != c.want || !h.snapshot.Match {
				t.Errorf("the table has %s, match %t, want %s", got, h.snapshot.Match, c.want)
			}
			again := replay(resumed, h.tape)
			if fmt.Sprint(again.Game.UCI, again.Match) != fmt.Sprint(h.snapshot.Game.UCI, h.snapshot.Match) {
				t.Errorf("the recording has %v", again.Game.UCI)
			}
		})
	}
}

// replay feeds a recording to a table as it was.
func replay(o game.Options, tape []taped) (last *game.Snapshot) {
	f := &daemon.Feeder{
		Table:     game.NewTable(o),
		NewDriver: func() board.Driver { return dgt.New(dgt.Options{}) },
		Emit: func(out game.Output) {
			if out.Snapshot != nil {
				last = out.Snapshot
			}
		},
	}
	f.Input(board.Input{Kind: board.Link})
	for _, l := range tape {
		f.Bytes(l.t, l.bytes)
	}
	f.Advance(tape[len(tape)-1].t + 5000)
	return last
}

// An arbiter sets the clock: it shows what he said, on the side of the player that he meant.
func TestTheArbiterSetsTheClock(t *testing.T) {
	t.Parallel()
	for _, turned := range []bool{false, true} {
		h := &house{w: newWire(t, nil, emulated.New(emulated.Options{Clock: emulated.DGT3000}))}
		if turned {
			start, _ := board.ParsePicture(startPicture, board.PieceAcuity)
			h.w.put(0, start.Turned().String())
		}
		h.w.boards[0].SetTimes(300_000, 300_000, 0)
		h.w.boards[0].StartStop()
		h.w.run(1000)
		h.start()
		h.live(4000)
		white, black := int64(60_000), int64(600_000)
		h.f.Input(board.Input{T: h.w.now - h.began, Kind: board.Cmd, Command: &board.Command{Verb: "clock_set", WhiteMs: &white, BlackMs: &black}})
		h.live(3000)
		got := h.w.boards[0].Clock()
		left, right := got.LeftMs, got.RightMs
		if turned {
			left, right = right, left
		}
		if left > 60_000 || left < 57_000 && !turned || right > 600_000 || right < 596_000 || got.Running != board.Left {
			t.Errorf("turned %t: the clock shows %+v", turned, got)
		}
		if v := h.snapshot.Clock; v == nil || v.WhiteMs > 60_000 || v.WhiteMs < 56_000 || v.BlackMs > 600_000 || v.BlackMs < 596_000 {
			t.Errorf("turned %t: the table has %+v", turned, v)
		}
	}
}
