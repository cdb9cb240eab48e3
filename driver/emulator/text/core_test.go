package text_test

import (
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/driver/emulator/emulatortest"
	emulated "github.com/boardd/boardd/driver/emulator/text"
	driver "github.com/boardd/boardd/driver/text"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/rules"
)

// core is a table that is fed by a driver, with its record of the game.
type core struct {
	table *game.Table
	wake  int64
	uci   []string
}

func (c *core) take(in board.Input) {
	for c.wake != 0 && c.wake < in.T {
		c.step(board.Input{T: c.wake, Kind: board.Wake})
	}
	c.step(in)
}

func (c *core) step(in board.Input) {
	out := c.table.Step(in)
	c.wake = out.Wake
	if s := out.Snapshot; s != nil && s.Game != nil {
		c.uci = s.Game.UCI
	}
}

// Whole games through emulated board, driver and core: every move is in the record, castling, en passant and promotion with it.
func TestGamesReachTheRecord(t *testing.T) {
	t.Parallel()
	for _, dialect := range emulated.Dialects() {
		t.Run(dialect, func(t *testing.T) {
			t.Parallel()
			opt, _ := driver.Preset(dialect)
			for seed := range uint64(3) {
				dice := rand.New(rand.NewPCG(seed, 9))
				x := newTable(t, emulated.Options{Dialect: dialect}, emulatortest.Start(), nil, 0)
				c := &core{table: game.NewTable(game.Options{Games: "g", Acuity: opt.Sees(), Resolution: opt.ResolutionMs()})}
				c.take(board.Input{T: x.Now, Kind: board.Link, Online: true})
				pic := x.Said
				if pic == (board.Picture{}) {
					pic = x.Stands() // a board that has said nothing yet
				}
				c.take(board.Input{T: x.Now, Kind: board.Scan, Picture: pic})
				x.Tell = c.take
				if opt.ResolutionMs() > x.pace { // a man that is off between two questions was never off
					x.pace = opt.ResolutionMs() + 100
				}
				pos := rules.Start()
				var played []string
				for range 60 {
					moves := pos.LegalMoves(nil)
					if len(moves) == 0 || pos.InsufficientMaterial() {
						break
					}
					m := moves[dice.IntN(len(moves))]
					for _, other := range moves {
						after := pos.After(other)
						if rare := after.EnPassant() != rules.NoSquare || other.IsEnPassant() || strings.ContainsAny(pos.SAN(other), "Ox"); rare && dice.IntN(3) > 0 {
							m = other
						}
					}
					uci := pos.UCI(m)
					if len(uci) == 5 {
						if uci = uci[:4] + "q"; dialect == "certabo" {
							break // the chip of a queen from outside has not been learnt
						}
						m, _ = pos.ParseUCI(uci)
					}
					hands(x, &pos, m, uci, dice)
					pos.Play(m)
					played = append(played, uci)
					x.Run(3000)
				}
				x.Run(20_000)
				c.take(board.Input{T: x.Now, Kind: board.End})
				if got, want := strings.Join(c.uci, " "), strings.Join(played, " "); got != want {
					t.Fatalf("%s %d: recorded\n%s, played\n%s", dialect, seed, got, want)
				}
			}
		})
	}
}
