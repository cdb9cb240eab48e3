package main

import (
	"fmt"
	"time"

	"github.com/corentings/chess/v2"

	"github.com/boardd/boardd/rules"
)

// midgame is a position from the middle of a game: 46 legal moves, line 7 of classic.epd.
const midgame = "r4rk1/1pp1qppp/p1np1n2/2b1p1B1/2B1P1b1/P1NP1N2/1PP1QPPP/R4RK1 w - - 0 10"

// parts measures what is asked of a position while a game is played: its legal moves, one of them made, its SAN, the FEN.
func parts(rounds int) error {
	p, err := rules.ParsePosition(midgame, rules.Standard)
	if err != nil {
		return err
	}
	option, err := chess.FEN(midgame)
	if err != nil {
		return err
	}
	other := chess.NewGame(option).Position()
	moves, others := p.LegalMoves(nil), other.ValidMoves()
	if len(moves) != len(others) {
		return fmt.Errorf("%d moves, corentings has %d", len(moves), len(others))
	}
	buf := make([]rules.Move, 0, 256)
	var notation chess.AlgebraicNotation
	fmt.Println("| in the middle of a game | boardd | corentings | ratio |\n|---|---|---|---|")
	for _, c := range []struct {
		name         string
		ours, theirs func(i int)
	}{
		{"all legal moves (46)", func(int) { buf = p.LegalMoves(buf[:0]) }, func(int) { fresh(other).ValidMoves() }},
		{"a copy with a move made", func(i int) { q := p.After(moves[i%len(moves)]); sink += q.Halfmove() }, func(i int) { other.Update(&others[i%len(others)]) }},
		{"SAN of a move", func(i int) { sink += len(p.SAN(moves[i%len(moves)])) }, func(i int) { sink += len(notation.Encode(other, &others[i%len(others)])) }},
		{"FEN", func(int) { sink += len(p.FEN()) }, func(int) { sink += len(other.String()) }},
	} {
		a, b := never, never
		for range rounds {
			a, b = min(a, each(c.ours)), min(b, each(c.theirs))
		}
		fmt.Printf("| %s | %d ns | %d ns | %.0f |\n", c.name, a.Nanoseconds(), b.Nanoseconds(), float64(b)/float64(a))
	}
	return nil
}

var sink int

// fresh is a copy of a position that does not remember its moves.
func fresh(p *chess.Position) *chess.Position {
	return p.ChangeTurn().ChangeTurn()
}

// each is the processor time of one call.
func each(f func(i int)) time.Duration {
	n := 1000
	for {
		d := cpu(func() {
			for i := range n {
				f(i)
			}
		})
		if d > 300*time.Millisecond {
			return d / time.Duration(n)
		}
		n *= 3
	}
}
