package main

import (
	"fmt"
	"slices"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/sensing"
)

// understood plays inputs through a table at exactly their times, and gives the moves that stand at the end, and the attempts
// that were called illegal.
func understood(t *testing.T, g *playable, h hands, inputs []board.Input, end int64) (moves, illegal []string) {
	t.Helper()
	acuity := h.sensor.Acuity
	f := daemon.Feeder{
		Table: game.NewTable(game.Options{Acuity: acuity, SettleMs: sensing.DefaultSettleMs, Orientation: "white"}),
		Emit: func(out game.Output) {
			for _, e := range out.Events {
				switch b := e.Body.(type) {
				case *game.Moved:
					moves = append(moves, b.UCI)
				case *game.Illegal:
					illegal = append(illegal, b.UCI)
				case *game.Takeback:
					moves = moves[:b.ToPly]
				}
				t.Log(e.T, e.Type, e.Ply, fmt.Sprintf("%+v", e.Body))
			}
		},
	}
	f.Start()
	f.Input(board.Input{T: 1, Kind: board.Link, Online: true})
	f.Input(board.Input{T: 1, Kind: board.Scan, Picture: projection(acuity, &g.start)})
	for _, in := range inputs {
		in.T++
		f.Input(in)
	}
	f.Advance(end + patienceMs)
	return moves, illegal
}

// The built-in game comes out right at every acuity, whatever the careful hands do.
func TestBuiltInGameIsUnderstood(t *testing.T) {
	t.Parallel()
	g, err := readPGN(builtIn)
	if err != nil {
		t.Fatal(err)
	}
	var want []string
	pos := g.start
	for _, m := range g.moves {
		want = append(want, pos.UCI(m))
		pos.Play(m)
	}
	for a := board.Presence; a <= board.PieceAcuity; a++ {
		for seed := range uint64(8) {
			t.Run(fmt.Sprintf("%s %d", a, seed), func(t *testing.T) {
				t.Parallel()
				h, err := handsOf("", a, seed)
				if err != nil {
					t.Fatal(err)
				}
				h.directed = true
				play, _ := h.perform(&g, 0, false)
				moves, illegal := understood(t, &g, h, play.Inputs, play.End)
				if same, summary := compare(want, moves); !same {
					t.Error(summary)
				}
				if !slices.Equal(illegal, []string{"c3e4"}) {
					t.Errorf("illegal: %v", illegal)
				}
			})
		}
	}
}
