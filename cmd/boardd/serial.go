package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"strconv"
	"time"

	"github.com/boardd/boardd/board"
	"github.com/boardd/boardd/config"
	"github.com/boardd/boardd/driver/centaur"
	"github.com/boardd/boardd/driver/certabo"
	"github.com/boardd/boardd/driver/chesslink"
	"github.com/boardd/boardd/driver/dgt"
	"github.com/boardd/boardd/driver/port"
	"github.com/boardd/boardd/driver/sentio"
	"github.com/boardd/boardd/driver/text"
	"github.com/boardd/boardd/recording"
)

// serialBoard is what the program knows of the boards that a driver reads over a serial line. What they see, and which keys they
// have, the configuration knows.
type serialBoard struct {
	// make gives the maker of the driver's machines; raw ones only decode what was recorded.
	make func(o *recordedOptions, raw bool) (func() board.Driver, error)
	// line is how the port is opened, without its path.
	line func(*config.Board) port.Options
	// resolution: the order of changes within so many milliseconds means nothing.
	resolution int64
	// answerMs is how long a board that is asked may take until the machine says that it is there; 0 is for boards that nothing
	// can be asked, which are not told from others.
	answerMs int64
	// asks gives what makes out whether it is such a board, and within how many milliseconds; nil is make's machines and answerMs.
	asks func(*recordedOptions) (func() board.Driver, int64, error)
	// hint is a part of the names that udev gives to such boards: a port of this name is asked first.
	hint string
	// corners: the lights are at the corners of the squares, whatever is configured.
	corners bool
	// configure adds to a driver's options what is configured beyond the port; nil for nothing.
	configure func(*config.Config, *config.Board, *recordedOptions) error
}

// serialBoards are the boards on serial lines, by their drivers' names in the configuration.
var serialBoards = map[string]*serialBoard{
	"dgt": {
		make: machines(dgt.New, dgt.NewRaw, func(o *recordedOptions) (dgt.Options, error) {
			opt := dgt.Options{SettleMs: o.SettleMs, Scale: o.Scale, Bus: o.DGTBus != ""}
			if opt.Bus && o.DGTBus != "auto" {
				var err error
				if opt.Address, err = strconv.Atoi(o.DGTBus); err != nil {
					return opt, fmt.Errorf("dgt_bus %q: use auto or a number", o.DGTBus)
				}
			}
			return opt, nil
		}),
		configure: func(_ *config.Config, b *config.Board, o *recordedOptions) error {
			o.DGTBus = b.DGTBus
			return nil
		},
		line:       baud(9600),
		resolution: dgt.ScanMs,
		answerMs:   6000,
		hint:       "dgt",
	},
	"chesslink": {
		make: machines(chesslink.New, chesslink.NewRaw, func(o *recordedOptions) (chesslink.Options, error) {
			return chesslink.Options{Scale: o.Scale}, nil
		}),
		line:     baud(chesslink.Baud),
		answerMs: 6000,
		corners:  true, // it is read faster than hands are
	},
	"certabo": {
		make: machines(certabo.New, certabo.NewRaw, func(o *recordedOptions) (certabo.Options, error) {
			pieces, err := certabo.TableOf(o.Pieces)
			return certabo.Options{Pieces: pieces, Scale: o.Scale}, err
		}),
		line:       baud(certabo.Baud),
		resolution: certabo.FrameMs,
		asks: func(*recordedOptions) (func() board.Driver, int64, error) {
			return func() board.Driver { return &chipLine{certabo.NewReader(certabo.ChipNumbers)} }, 4000, nil
		},
		configure: func(c *config.Config, b *config.Board, o *recordedOptions) error {
			pieces, err := learntChips(c, b)
			if errors.Is(err, errNeverLearnt) {
				return nil // it is read, and says that it knows no man
			}
			o.Pieces = pieces.Letters()
			return err
		},
	},
	"sentio": {
		make: machines(sentio.New, sentio.NewRaw, func(o *recordedOptions) (sentio.Options, error) {
			return sentio.Options{Scale: o.Scale}, nil
		}),
		line:       baud(sentio.Baud),
		resolution: sentio.FrameMs,
		answerMs:   4000,
	},
	"centaur": {
		make: machines(centaur.New, centaur.NewRaw, func(*recordedOptions) (centaur.Options, error) { return centaur.Options{}, nil }),
		line: baud(centaur.Baud),
	},
	"text": {make: machines(text.New, text.NewRaw, textMachine), line: textLine, configure: configureText, asks: asksText},
}

// machines gives the maker of a driver's machines, whose live and raw ones have the same options.
func machines[O any, M board.Driver](live, raw func(O) M, options func(*recordedOptions) (O, error)) func(*recordedOptions, bool) (func() board.Driver, error) {
	return func(o *recordedOptions, decoding bool) (func() board.Driver, error) {
		opt, err := options(o)
		if err != nil {
			return nil, fmt.Errorf("options: %w", err)
		}
		if decoding {
			return func() board.Driver { return raw(opt) }, nil
		}
		return func() board.Driver { return live(opt) }, nil
	}
}

// question gives what makes out whether a board is of this kind, and how long that may take; 0 if nothing does.
func (s *serialBoard) question(o *recordedOptions) (ask func() board.Driver, within time.Duration, err error) {
	ms := s.answerMs
	if s.asks != nil {
		ask, ms, err = s.asks(o)
	} else {
		ask, err = s.make(o, false)
	}
	return ask, time.Duration(ms) * time.Millisecond, err
}

// chipLine knows a Certabo board by its lines, also while nobody has said which chips are in its men.
type chipLine struct{ reader *certabo.Reader }

// Step implements board.Driver.
func (c *chipLine) Step(now int64, in []byte) (inputs []board.Input, _ []byte, _ int64) {
	c.reader.Read(now, in, func([]byte) { inputs = []board.Input{{T: now, Kind: board.Link, Online: true}} }, func(byte) {})
	return inputs, nil, 0
}

func baud(n int) func(*config.Board) port.Options {
	return func(*config.Board) port.Options { return port.Options{Baud: n} }
}

// newDriver gives the maker of the machines that decode what a board says; nil for boards that do not speak bytes. Raw ones are for
// bytes from elsewhere, which are only decoded.
func newDriver(o *recording.Opening, raw bool) (func() board.Driver, error) {
	s := serialBoards[o.Driver]
	if s == nil {
		return nil, nil
	}
	opt, err := readOptions(o)
	if err != nil {
		return nil, err
	}
	return s.make(&opt, raw)
}

// replayDriver decodes a recording's bytes. Recordings of the daemon say when the port was opened, by a line without bytes: there
// the driver does all it did then, its silences included. Bytes from elsewhere are only decoded.
func replayDriver(o *recording.Opening, asked *bool) (func() board.Driver, error) {
	live, err := newDriver(o, false)
	if live == nil || err != nil {
		return nil, err
	}
	raw, err := newDriver(o, true)
	return func() board.Driver {
		if *asked {
			return live()
		}
		return raw()
	}, err
}

// readOptions are the options of a driver in an opening line.
func readOptions(o *recording.Opening) (r recordedOptions, err error) {
	if len(o.Options) > 0 {
		if err := json.Unmarshal(o.Options, &r); err != nil {
			return r, fmt.Errorf("options: %w", err)
		}
	}
	if o.HasAcuity {
		r.Acuity = o.Acuity.String()
	}
	r.SettleMs, r.Scale = bounded(r.SettleMs), bounded(r.Scale)
	return r, nil
}

// bounded keeps a number from a file where sums with it cannot overflow; 0 is the driver's own value.
func bounded(n int64) int64 { return min(max(n, 0), 60_000) }
