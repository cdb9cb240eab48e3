package daemon

import (
	"slices"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/game"
)

// drivenTable has a clock that it wants set, and knows what its board showed.
type drivenTable struct {
	clock   *board.ClockOrder
	playing bool
}

func (d *drivenTable) Step(in board.Input) game.Output {
	if in.Kind == board.Cmd {
		return game.Output{Clock: d.clock}
	}
	return game.Output{}
}

func (d *drivenTable) Seen() (board.Picture, bool) { return board.EmptyPicture(), d.playing }

// drivenDriver does all that a driver may be asked to, and writes it down.
type drivenDriver struct {
	did   *[]string
	notes []string
}

func (d *drivenDriver) Step(now int64, in []byte) ([]board.Input, []byte, int64) {
	*d.did = append(*d.did, "step")
	d.notes = append(d.notes, "stepped")
	return nil, nil, 0
}

func (d *drivenDriver) Remember(p board.Picture) {
	if p == board.EmptyPicture() {
		*d.did = append(*d.did, "remember")
	}
}

func (d *drivenDriver) Clock(o board.ClockOrder) {
	if o.LeftMs == 5000 {
		*d.did = append(*d.did, "clock")
	}
}

func (d *drivenDriver) Notes() []string {
	n := d.notes
	d.notes = nil
	return n
}

// A driver is reminded of what its board showed before it begins, is told what the clock is to show, and its notes are heard.
func TestWhatDriversAreTold(t *testing.T) {
	t.Parallel()
	for _, playing := range []bool{true, false} {
		var did, notes []string
		f := Feeder{Table: &drivenTable{clock: &board.ClockOrder{LeftMs: 5000}, playing: playing}, Emit: func(game.Output) {}}
		f.NewDriver = func() board.Driver { return &drivenDriver{did: &did} }
		f.Note = func(text string) { notes = append(notes, text) }
		f.Input(board.Input{T: 1, Kind: board.Cmd, Command: &board.Command{Verb: "clock_set"}}) // nobody is there
		f.Bytes(2, nil)
		f.Input(board.Input{T: 3, Kind: board.Cmd, Command: &board.Command{Verb: "clock_set"}})
		want := []string{"remember", "step", "clock", "step"}
		if !playing {
			want = want[1:]
		}
		if !slices.Equal(did, want) {
			t.Errorf("playing %t: done is %q, want %q", playing, did, want)
		}
		if !slices.Equal(notes, []string{"stepped", "stepped"}) {
			t.Errorf("notes %q", notes)
		}
	}
}
