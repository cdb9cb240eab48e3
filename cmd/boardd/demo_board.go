package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"maps"
	"slices"
	"sync"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/emulator"
	emulatedcentaur "github.com/boardd/boardd/driver/emulator/centaur"
	emulatedcertabo "github.com/boardd/boardd/driver/emulator/certabo"
	emulatedchesslink "github.com/boardd/boardd/driver/emulator/chesslink"
	emulateddgt "github.com/boardd/boardd/driver/emulator/dgt"
	emulatedsentio "github.com/boardd/boardd/driver/emulator/sentio"
	emulatedtext "github.com/boardd/boardd/driver/emulator/text"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/virtual"
	"github.com/boardd/boardd/game"
	"github.com/boardd/boardd/recording"
	"github.com/boardd/boardd/rules"
	"github.com/boardd/boardd/sensing"
)

// emulation is a board that is not there, and the driver that reads such boards.
type emulation struct {
	driver  string
	options recordedOptions
	machine func() (emulator.Machine, error)
}

// emulations are the boards that can be emulated, by the words of demo --board.
var emulations = map[string]*emulation{
	"centaur": {
		driver:  "centaur",
		machine: func() (emulator.Machine, error) { return emulatedcentaur.New(emulatedcentaur.Options{}), nil },
	},
	"certabo": {
		driver:  "certabo",
		options: recordedOptions{Pieces: emulatedcertabo.New(emulatedcertabo.Options{}).Chips()},
		machine: func() (emulator.Machine, error) { return emulatedcertabo.New(emulatedcertabo.Options{}), nil },
	},
	"chesslink": {
		driver:  "chesslink",
		machine: func() (emulator.Machine, error) { return emulatedchesslink.New(emulatedchesslink.Options{}), nil },
	},
	"dgt": {
		driver:  "dgt",
		machine: func() (emulator.Machine, error) { return emulateddgt.New(emulateddgt.Options{}), nil },
	},
	"sentio": {
		driver:  "sentio",
		machine: func() (emulator.Machine, error) { return emulatedsentio.New(emulatedsentio.Options{}), nil },
	},
	"text": ofPreset("echess"),
}

// ofPreset is a home-made board of a preset.
func ofPreset(preset string) *emulation {
	return &emulation{
		driver:  "text",
		options: recordedOptions{Text: &config.Text{Preset: preset}},
		machine: func() (emulator.Machine, error) { return emulatedtext.New(emulatedtext.Options{Dialect: preset}) },
	}
}

// emulationNames are the words of demo --board.
func emulationNames() []string { return slices.Sorted(maps.Keys(emulations)) }

// emulatedSpeed is how fast an emulated board can be: at more, a moment in which this computer does something else is longer
// than drivers wait for an answer.
const emulatedSpeed = 50

// opening describes the board as its recordings do.
func (e *emulation) opening() (o recording.Opening, err error) {
	options := e.options
	options.Orientation = "white"
	o = recording.Opening{Driver: e.driver, Board: demoBoard}
	if t := options.Text; t != nil {
		description, err := textOptions(t, "")
		if err != nil {
			return o, err
		}
		o.Acuity, o.HasAcuity = description.Sees(), true
	}
	o.Options, err = json.Marshal(options)
	return o, err
}

// acuity is what the board sees.
func (e *emulation) acuity() (board.Acuity, error) {
	o, err := e.opening()
	if err != nil {
		return 0, err
	}
	opt, err := tableOptions(&o)
	return opt.Acuity, err
}

// stage is the board on which the demo's hands play.
type stage struct {
	board daemon.Board
	about string // for the reader
	// play brings to the board what the hands do, until ctx ends; nil where the board's source does so.
	play  func(ctx context.Context, feed game.Feed, clock daemon.Clock) error
	close func() error
}

// stage makes the board. Its time begins when told is let know.
func (d *demo) stage(hands <-chan board.Input, told *narrator) (stage, error) {
	if d.board != nil {
		return d.emulated(hands, told)
	}
	acuity := d.hands.sensor.Acuity
	source := sourceFunc(func(ctx context.Context, sink *daemon.Sink) error {
		b := virtual.Board{Start: projection(acuity, &d.game.start), Inputs: hands}
		begin := sink.Clock().Now()
		told.starts(begin)
		return b.Run(ctx, begin, sink.Input)
	})
	table := game.NewTable(game.Options{
		Games: "demo", Acuity: acuity, SettleMs: sensing.DefaultSettleMs, Variant: d.game.start.Variant(), Orientation: "white",
	})
	info := game.BoardInfo{ID: demoBoard, Name: "Demo", Driver: "virtual", Acuity: acuity}
	return stage{
		board: daemon.Board{Info: info, Table: heard{table, told, func() {}}, Source: source},
		close: func() error { return nil },
	}, nil
}

// emulated is a board on a pseudo terminal, read by its driver as if it were there.
func (d *demo) emulated(hands <-chan board.Input, told *narrator) (s stage, err error) {
	m, err := d.board.machine()
	if err != nil {
		return s, err
	}
	e, err := emulator.Open(m, emulator.Options{Speed: d.speed})
	if err != nil {
		return s, err
	}
	e.Show(projection(board.PieceAcuity, &d.game.start))
	seen := make(chan struct{})
	var once sync.Once
	s.board, err = d.board.read(e, demoBoard, d.game.start.Variant(), func(t *game.Table) daemon.Table {
		return heard{t, told, func() { once.Do(func() { close(seen) }) }}
	})
	if err != nil {
		return s, errors.Join(err, e.Close())
	}
	s.board.Info.Name = "Demo"
	s.about = fmt.Sprintf("An emulated board at %s, read by the driver %s as if it were there.", e.Path(), d.board.driver)
	s.close = e.Close
	s.play = func(ctx context.Context, feed game.Feed, clock daemon.Clock) error {
		select {
		case <-ctx.Done():
			return nil
		case <-seen:
		}
		begin := clock.Now()
		told.starts(begin)
		return playOn(ctx, e, hands, begin, clock, func(c *board.Command) error {
			_, err := feed.Do(ctx, demoBoard, c)
			return err
		})
	}
	return s, nil
}

// read is the daemon's board at the port of an emulated one.
func (e *emulation) read(at *emulator.Emulator, id string, v rules.Variant, table func(*game.Table) daemon.Table) (b daemon.Board, err error) {
	opening, err := e.opening()
	if err != nil {
		return b, err
	}
	opt, err := tableOptions(&opening)
	if err != nil {
		return b, err
	}
	opt.Games, opt.Variant = id, v
	drivers, err := newDriver(&opening, false)
	if err != nil {
		return b, err
	}
	return daemon.Board{
		Info:      game.BoardInfo{ID: id, Name: id, Driver: e.driver, Acuity: opt.Acuity},
		Table:     table(game.NewTable(opt)),
		NewDriver: drivers,
		Source: daemon.Port(func(context.Context) (io.ReadWriteCloser, error) {
			p, err := port.Open(port.Options{Path: at.Path()})
			if err != nil {
				return nil, err // a nil Port in an interface would not be nil
			}
			return p, nil
		}),
	}, nil
}

// playOn lets hands play on an emulated board: their time 0 is begin on the clock, which runs as fast as the board. What
// players say is done at its time. It ends with ctx, or when the hands do nothing any more.
func playOn(ctx context.Context, e *emulator.Emulator, hands <-chan board.Input, begin int64, clock daemon.Clock, do func(*board.Command) error) error {
	ahead := e.Now() - clock.Now() // of the board's time
	timer := clock.NewTimer()
	defer timer.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case in, ok := <-hands:
			switch {
			case !ok:
				return nil
			case in.Kind == board.Change:
				e.SetAt(begin+ahead+in.T, in.Square, in.Symbol)
			case in.Kind == board.Cmd:
				timer.Set(begin + in.T)
				select {
				case <-ctx.Done():
					return nil
				case <-timer.C():
				}
				if err := do(in.Command); err != nil && ctx.Err() == nil {
					return err
				}
			}
		}
	}
}
