package main

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/daemon"
	"github.com/boardd/boardd/driver/buttons"
	"github.com/boardd/boardd/driver/pins"
	"github.com/boardd/boardd/driver/scan"
)

// wiredTo is what a home-made board uses of this computer, its buttons included: it touches nothing else.
func wiredTo(b *config.Board) string {
	var words []string
	if s := &b.Sensor; config.IsHomeMade(b.Driver) {
		words = append(words, s.Bus)
		for _, a := range s.Addresses {
			words = append(words, fmt.Sprintf("0x%02x", a))
		}
		words = append(words, s.LoadBus)
		lines := slices.Concat(s.Rows, s.Cols, s.Select, s.Inputs, []config.Pin{s.Load, s.Int})
		words = append(words, config.Names(lines...)...)
	}
	for _, one := range b.Buttons.All() {
		words = append(words, string(one.Line))
	}
	return strings.Join(slices.DeleteFunc(words, func(w string) bool { return w == "" }), " ")
}

// coreClock is the daemon's clock for those who own hardware.
type coreClock struct{ daemon.Clock }

func (c coreClock) NewTimer() scan.Timer { return c.Clock.NewTimer() }

// scanned is the source of a home-made board.
func (m *Main) scanned(b *config.Board) daemon.Source {
	log := m.Log.With("board", b.ID)
	open := m.sensor
	if open == nil {
		s := thisComputer
		s.warn = func(note string) { log.Warn(note) }
		open = s.sensor
	}
	counters := &scan.Counters{}
	if m.counters != nil { // nil: nobody asks
		m.counters[b.ID] = counters
	}
	noted := map[string]bool{}
	return sourceFunc(func(ctx context.Context, sink *daemon.Sink) error {
		o, err := scanOptions(b, m.Config.Node.Data)
		if err != nil {
			return err
		}
		o.Counters = counters
		o.Say = func(f scan.Finding) {
			var squares []string
			for b := f.Squares; b != 0; {
				squares = append(squares, b.Pop().String())
			}
			log.Warn(f.Text, "finding", f.Kind, "squares", strings.Join(squares, " "))
		}
		source := scan.Source{Options: o, Open: func(context.Context) (scan.Sensor, error) {
			sensor, err := open(b)
			if err != nil {
				return nil, err
			}
			if s, ok := sensor.(interface{ Notes() []string }); ok {
				for _, note := range s.Notes() {
					if !noted[note] {
						noted[note] = true
						log.Info(note)
					}
				}
			}
			return sensor, nil
		}}
		return source.Run(ctx, coreClock{sink.Clock()}, sink.Input)
	})
}

// holdMs is how long the button that ends boardd must be held.
const holdMs = 2000

// withButtons reads a board's buttons too, if it has some, while its source runs. Buttons that cannot be read do not stop the board.
func (m *Main) withButtons(b *config.Board, source daemon.Source) daemon.Source {
	all := b.Buttons.All()
	if len(all) == 0 || source == nil {
		return source
	}
	log := m.Log.With("board", b.ID)
	opt := pins.Options{Chip: b.Buttons.Chip, ActiveLow: b.Buttons.ActiveLow, Warn: func(note string) { log.Warn(note) }}
	opt.Pull, _ = pins.ParsePull(b.Buttons.Pull)
	var list []buttons.Button
	for _, one := range all {
		opt.Lines = append(opt.Lines, string(one.Line))
		button := buttons.Button{Name: one.Name}
		if one.Name == "shutdown" {
			button.HoldMs = holdMs
		}
		list = append(list, button)
	}
	open := m.buttonLines
	if open == nil {
		open = thisComputer.alert
	}
	s := buttons.Source{Open: func() (pins.Alert, error) { return open(opt) }, Buttons: list, DebounceMs: b.Buttons.DebounceMs}
	said := ""
	return sourceFunc(func(ctx context.Context, sink *daemon.Sink) error {
		ctx, cancel := context.WithCancel(ctx)
		done := make(chan struct{})
		go func() {
			defer close(done)
			clock := coreClock{sink.Clock()}
			err := s.Run(ctx, clock, func(t int64, name string) {
				if name == "shutdown" {
					log.Info("the shutdown button was held")
					m.end()
					return
				}
				sink.Input(board.Input{T: t, Kind: board.Button, ButtonName: name})
			})
			if err != nil && err.Error() != said {
				said = err.Error()
				log.Warn("buttons cannot be read; the board is read without them", "err", err)
			}
		}()
		err := source.Run(ctx, sink)
		cancel()
		<-done
		return err
	})
}
