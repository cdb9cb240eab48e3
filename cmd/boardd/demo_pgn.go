package main

import (
	"errors"

	"github.com/boardd/boardd/rules"
)

// playable is a game that hands can play.
type playable struct {
	title string
	start rules.Position
	moves []rules.Move
}

// maxPGN bounds what is read of a file.
const maxPGN = 1 << 20

// readPGN takes the main line of the first game of a PGN, as files are found. An illegal or unreadable move is an error that names it.
func readPGN(text string) (playable, error) {
	for g, err := range rules.ParsePGN(text) {
		if err != nil {
			return playable{}, err
		}
		if g.Line == nil || g.Line.Len() == 0 {
			break
		}
		p := playable{start: g.Line.Start()}
		if faults := p.start.Faults(); len(faults) > 0 {
			return p, errors.New("PGN tag FEN: no game can begin here: " + faults[0].Code)
		}
		if g.White != "" || g.Black != "" {
			p.title = g.White + " - " + g.Black
		}
		for i := range g.Line.Len() {
			p.moves = append(p.moves, g.Line.Move(i))
		}
		return p, nil
	}
	return playable{}, errors.New("the PGN holds no moves")
}

func dots(c rules.Color) string {
	if c == rules.White {
		return "."
	}
	return "..."
}

// ucis are the moves of a game.
func ucis(g *playable) (want []string) {
	pos := g.start
	for _, m := range g.moves {
		want = append(want, pos.UCI(m))
		pos.Play(m)
	}
	return want
}
