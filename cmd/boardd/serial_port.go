package main

import (
	"cmp"

	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/line"
)

// serialLines are the lines among which the boards of a configuration find theirs. dev is where devices are, "" for /dev.
func serialLines(dev, lockDir string, c *config.Config) *line.Lines {
	var named []string
	for i := range c.Boards {
		if b := &c.Boards[i]; serialBoards[b.Driver] != nil && b.Port != line.Auto {
			named = append(named, b.Port)
		}
	}
	return line.New(cmp.Or(dev, "/dev"), lockDir, named)
}

// serialPort is what a board of the configuration wants of its line, and how it is asked for if it is looked for.
func serialPort(b *config.Board, o *recordedOptions) (line.Board, error) {
	kind := serialBoards[b.Driver]
	want := line.Board{ID: b.ID, Driver: b.Driver, Hint: kind.hint, Port: kind.line(b)}
	if want.Port.Path = b.Port; b.Port != line.Auto {
		return want, nil
	}
	once := *o
	once.Scale = 1 // answers come at the pace of the wire
	var err error
	want.Ask, want.Within, err = kind.question(&once)
	return want, err
}
